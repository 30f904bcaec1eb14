"""What the edit of a word costs while serving: texts resolved, pages rendered, processor time.

The counts are the same on every machine. A time is given as how many times a cold check of the same content
takes, both in this run and this process.
"""

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from unittest.mock import patch

from rulewright.app.build import Shares, build
from rulewright.checks.examine import REFERENCES, examine
from tests.ours import ROOT

EDITED = {
    "ember-coast": "content/ember-coast/2.1/rules/09-combat.yml",
    "ocs": "content/ocs/4.3/sequence.yml",
    "last-ember": "content/last-ember/1/rules/22-the-siege.yml",
}
"""By book, the file that is edited."""


def main() -> str:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        shutil.copytree(ROOT / "content", project / "content")
        shutil.copy(ROOT / "mkdocs.yml", project)
        return "\n".join(("edit", *(f"  {line}" for line in _lines(project))))


def _lines(project: Path) -> Iterator[str]:
    cold, cache, shares = {}, {}, Shares()
    begun = process_time()
    examine(project, cache=cold)
    check = process_time() - begun
    texts = len(cold[REFERENCES].known)
    yield f"{'cold check':<28} texts {texts:>6}  resolved {cold[REFERENCES].count:>6}"
    build(project, cache, shares=shares)
    for book, name in EDITED.items():
        chapter = project / name
        words = chapter.read_text("utf-8")
        chapter.write_text(re.sub(r"\b(the|a)\b", r"\1 very", words, count=1), "utf-8")
        page = sys.modules["rulewright.site.pages.page"]
        with patch.object(page, "environment", wraps=page.environment) as rendered:
            begun = process_time()
            build(project, cache, shares=shares)
            took = process_time() - begun
        yield (
            f"{f'a word in {book}':<28} resolved {cache[REFERENCES].count:>6}  "
            f"pages {rendered.call_count:>4}  processor {took / check:.2f} × a cold check"
        )
