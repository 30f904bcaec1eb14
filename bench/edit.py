"""Cost of the edit of a word while serving: texts resolved, pages rendered, processor time.

The counts are the same on every machine. A time is a multiple of a cold check of the same content
in this run and process: up to the body of the page with the word, rendered from the
content alone, and up to the served page.
"""

import gc
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

from rulewright.app.dev_server import DevServer
from rulewright.checks.load_and_check import load_and_check, load_project
from rulewright.files.content_reader import read_content_folder
from rulewright.references.reference_index import FOUND
from rulewright.render import pages
from rulewright.render.render_context import RenderContext
from tests.own_library import ROOT

EDITED = {
    "ember-coast": ("2.1/rules/09-combat.yml", "2.1/9-combat"),
    "ocs": ("4.3/sequence.yml", "4.3/sequence"),
    "last-ember": ("1/rules/22-the-siege.yml", "1/22-scenario-the-siege"),
}
"""For each book, the edited file and its page."""


def main() -> str:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        shutil.copytree(ROOT / "content", project / "content")
        shutil.copy(ROOT / "mkdocs.yml", project)
        return "\n".join(("edit", *(f"  {line}" for line in _lines(project))))


def _lines(project: Path) -> Iterator[str]:
    gc.disable()  # as in `serve`
    cold: dict[str, Any] = {}
    begun = process_time()
    load_and_check(project, cache=cold)
    check = process_time() - begun
    yield f"{'cold check':<28} texts {len(cold[FOUND][1]):>6}"
    cache: dict[str, Any] = {}
    served = _Served(project)
    for book, (file, path) in EDITED.items():
        chapter, path = project / "content" / book / file, f"{book}/{path}"
        words = chapter.read_text("utf-8")
        for more in ("very", "very very"):  # the second edit finds a filled cache, as most do
            chapter.write_text(re.sub(r"\b(the|a)\b", rf"\1 {more}", words, count=1), "utf-8")
            begun = process_time()
            loaded = load_project(read_content_folder(project), cache)
            site = pages.render_book_pages(RenderContext(loaded.index), loaded.library, book).site
            assert next(page.html for page in site.pages if page.path == path)
            line = process_time() - begun
        page = sys.modules["rulewright.render.pages.page_builder"]  # not the function of this name
        with patch.object(page, "environment", wraps=page.environment) as rendered:
            begun = process_time()
            served.answer(path)
            took = process_time() - begun
        yield (
            f"{f'a word in {book}':<28} texts {len(cache[FOUND][1]):>6}  "
            f"pages {rendered.call_count:>4}  processor: line {line / check:.2f}, page {took / check:.2f} "
            "× a cold check"
        )


class _Served:
    """A site of `serve`, without the server."""

    def __init__(self, project: Path) -> None:
        os.environ["NO_MKDOCS_2_WARNING"] = "1"
        self.project = project
        config = self.config()
        config.plugins.on_startup(command="serve", dirty=False)
        self.build(config)
        self.serving: DevServer = config.plugins["rulewright"].serving

    def config(self) -> Any:
        from mkdocs.config import load_config

        file, content = self.project / "mkdocs.yml", self.project / "content"
        config = load_config(str(file), docs_dir=str(content), site_dir=str(self.project / "site"))
        config.site_url = "http://127.0.0.1:8000/"
        return config

    def build(self, config: Any) -> None:
        from mkdocs.commands.build import build

        build(config, serve_url=config.site_url)

    def answer(self, path: str) -> None:
        self.build(self.config())
        self.serving.render_file(f"{path}/")
