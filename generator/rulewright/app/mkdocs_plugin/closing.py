"""Files made of the finished site: what search finds, what devices keep, what a server is to send."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from markupsafe import Markup
from mkdocs import utils
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.contrib.search.search_index import ContentParser
from mkdocs.structure.pages import Page

from rulewright.app.mkdocs_plugin.made_page import MadePage
from rulewright.app.mkdocs_plugin.markdown_page import every_heading
from rulewright.app.mkdocs_plugin.offered import path_of
from rulewright.citations import addresses
from rulewright.site import offline, passages
from rulewright.site.artifacts import Artifacts, Section, settled
from rulewright.site.headers import netlify
from rulewright.site.navigation import every
from rulewright.site.policy import sent
from rulewright.source import disk

NO_EDITION = "search"
"""Where the passages of pages that are of no edition lie."""
NOTHING: dict[str, Any] = {
    "loose": False,
    **{key: [] for key in ("cues", "chapters", "former", "removed", "others")},
}


def searches(
    artifacts: Artifacts, pages: Callable[[], Iterable[Page]], language: str
) -> dict[str, Callable[[], str]]:
    """Makers of the passages of each edition, and of all other pages, by path.

    `pages`: those that are not made of an edition's data, which are asked for when they are rendered.
    `language`: that of pages, and of books that name none.
    """
    languages = {one: artifacts.languages.get(one.partition("/")[0], language) for one in artifacts.search}

    @cache
    def beside() -> dict[str, list[passages.Row]]:
        found: dict[str, list[passages.Row]] = {edition: [] for edition in ("", *artifacts.search)}
        for page in pages():
            path = path_of(page.file)
            edition = "/".join(path.split("/")[:2])
            rows = passages.page_rows(Markup(page.title or "").striptags(), path, _sections(page))
            found[edition if edition in found else ""] += map(passages.short, rows)
        return found

    def script(edition: str) -> str:
        data = json.loads(settled(artifacts.search[edition])) if edition else NOTHING
        path = addresses.find_path(edition or NO_EDITION)
        own = {"language": languages.get(edition, language), "others": [*data["others"], *beside()[edition]]}
        return passages.script(path, {**data, **own})

    stems = dict(map(passages.stemmer, {language, *languages.values()}))
    made: dict[str, Callable[[], str]] = {path: partial(str, stem) for path, stem in stems.items()}
    for edition in ("", *artifacts.search):
        made[addresses.find_path(edition or NO_EDITION)] = partial(script, edition)
    return made


def _sections(page: Page) -> Iterator[Section]:
    """The sections of a page, each with its words."""
    if isinstance(page, MadePage):
        yield from page.made.sections
        return
    parser = ContentParser()
    parser.feed(page.content or "")
    parser.close()
    titles = {one.id: Markup(one.title).striptags() for one in every_heading(page.toc)}
    headed = [(str(one.id), _joined(" ".join(one.text))) for one in parser.data if one.id in titles]
    if not headed:
        yield Section("", "", 1, _joined(parser.stripped_html))
    for at, (anchor, words) in enumerate(headed):
        yield Section(anchor, titles[anchor], 1 + (at > 0), words)


def _joined(words: str) -> str:
    """Words of several elements in one line, without a space in front of what ends a sentence."""
    return re.sub(r"\s+([.,;:!?)])", r"\1", " ".join(words.split()))


def write_last(config: MkDocsConfig, artifacts: Artifacts, headers: bool, trusted: bool) -> None:
    """Write the worker that keeps the site on devices, and with `headers` what a server sends."""
    site = Path(config.site_dir)
    paths = (path for path, _ in disk.walk(site) if offline.is_kept(path))
    files = {path: sha256((site / path).read_bytes()).hexdigest()[:12] for path in paths}
    folders = [branch.path for branch in every(artifacts.nav) if branch.path and branch.branches]
    outermost = [one for one in folders if not one.startswith(tuple(f"{other}/" for other in folders))]
    utils.write_file(offline.worker(files, outermost).encode(), str(site / offline.WORKER))
    if headers:
        base = urlsplit(config.site_url or "").path or "/"
        policy = sent((page.read_bytes() for page in site.rglob("*.html")), trusted)
        utils.write_file(netlify(policy, base).encode(), str(site / "_headers"))
