"""The guide by examples: the case files that the tests run, as pages of this repository's own site.

So the guide cannot be wrong, and no rule of the format is written down twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from markdown import Markdown
from markdown.extensions.fenced_code import FencedCodeExtension
from markdown.extensions.toc import TocExtension

from rulewright.files.content_folder import natural_sort_key
from rulewright.files.resources import CHECKOUT
from rulewright.render.build_artifacts import NavItem, PageBody, PageSection, SitePage
from rulewright.sequence.sequence_step import title_slug

CHAPTERS: Mapping[str, str] = {
    "reading": "Files, keys and values",
    "prose": "Texts",
    "references": "References",
    "names": "Names of steps and terms",
    "checks": "Problems",
    "outline": "The outline",
    "pages": "Pages of the site",
    "jump": "Jumping to a rule",
    "aids": "Player aids",
    "errata": "Errata",
    "changes": "Editions compared",
    "drift": "References whose rule has changed",
    "renumbering": "Other numbers for rules",
    "impact": "The impact of an edit",
    "play": "Playing a turn",
    "outlines": "Importing a sequence of play",
    "hugo": "Importing the pages of a Hugo site",
    "hugo-sites": "Importing the addresses of a Hugo site",
    "markdown": "Importing any folder of Markdown",
}
"""The titles of the folders of case files, in the order of the guide. One without a title comes last."""

EDITORS = ("docs", "guide")
"""Pages of this repository's own site for those who make rulebooks."""

_BLOCK = re.compile(r"^(`{3,}|~{3,})[ ]*([^\n`]*)\n(.*?)^\1\n", re.MULTILINE | re.DOTALL)


def is_rulewright_repository(project: Path) -> bool:
    """Whether a project is this repository, whose site documents the program."""
    return CHECKOUT is not None and project.resolve() == CHECKOUT


def guide_pages(project: Path) -> tuple[tuple[SitePage, ...], NavItem | None]:
    """The pages of the guide and their place in the navigation; none in the site of another project."""
    if CHECKOUT is None or not is_rulewright_repository(project):
        return (), None
    order = list(CHAPTERS)
    names = sorted(
        (folder.name for folder in (CHECKOUT / "tests" / "cases").iterdir()),
        key=lambda name: (order.index(name) if name in order else len(order), name),
    )
    chapters = [(CHAPTERS.get(name, name), tuple(_chapter(CHECKOUT, name))) for name in names]
    home = _index_page(chapters)
    branches = (
        NavItem(title, None, tuple(NavItem(page.title, page.path) for page in pages))
        for title, pages in chapters
    )
    all_pages = (page for _, pages in chapters for page in pages)
    return (home, *all_pages), NavItem(home.title, home.path, tuple(branches))


def _chapter(checkout: Path, name: str) -> Iterator[SitePage]:
    files = (checkout / "tests" / "cases" / name).glob("*.md")
    for file in sorted(files, key=lambda file: natural_sort_key(file.name)):
        text = file.read_text("utf-8")
        title = text.partition("\n")[0].lstrip("# ").replace("`", "")
        yield SitePage(f"guide/{name}/{title_slug(file.stem)}", title, partial(_case_page, text))


def _index_page(chapters: Sequence[tuple[str, Sequence[SitePage]]]) -> SitePage:
    def render() -> PageBody:
        text = "# Guide by examples\n\nEvery example here is run as a test.\n"
        for title, pages in chapters:
            links = (f"- [{page.title}]({page.path.removeprefix('guide/')}/)" for page in pages)
            text += f"\n## {title}\n\n" + "\n".join(links) + "\n"
        return _case_page(text)

    return SitePage("guide", "Guide by examples", render)


def _case_page(text: str) -> PageBody:
    """Return a page of Markdown, with a label before each block and its headings as sections."""

    def labelled_block(block: re.Match[str]) -> str:
        fence, label, code = block.groups()
        return f'<p class="label">{escape(label.removeprefix("yaml "))}</p>\n\n{fence}\n{code}{fence}\n'

    blocks = _BLOCK.sub(labelled_block, text)
    slugs = TocExtension(slugify=lambda title, _: title_slug(title, max_words=20))
    page = Markdown(extensions=[FencedCodeExtension(), slugs])
    html = page.convert(blocks).replace("<pre>", '<pre tabindex="0">')
    headings: list[dict[str, Any]] = page.toc_tokens  # type: ignore[attr-defined]
    sections = [PageSection("top", headings[0]["name"])]
    sections += (PageSection(heading["id"], heading["name"], 2) for heading in headings[0]["children"])
    html = re.sub('<h1 id="[^"]*"', '<h1 id="top"', html)
    return PageBody(f'<div class="rw guide">\n{html}</div>', tuple(sections))
