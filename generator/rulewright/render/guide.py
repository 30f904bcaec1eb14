"""The guide by examples: the case files that the tests run, as pages of this repository's own site.

So the guide cannot be wrong, and no rule of the format is written twice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
    "changes": "Comparing editions",
    "recorded-targets": "References to changed rules",
    "renumbering": "Renumbering rules",
    "impact": "The impact of an edit",
    "play": "Playing a turn",
    "outlines": "Importing a sequence of play",
    "hugo": "Importing the pages of a Hugo site",
    "hugo-sites": "Importing the URLs of a Hugo site",
    "markdown": "Importing any folder of Markdown",
}
"""The titles of the folders of case files, in the order of the guide."""

EDITORS = ("docs", "guide")
"""Pages of this repository's own site for those who make rulebooks."""

_BLOCK = re.compile(r"^(`{3,}|~{3,})[ ]*([^\n`]*)\n(.*?)^\1\n", re.MULTILINE | re.DOTALL)


def is_rulewright_repository(project: Path) -> bool:
    """Return whether a project is this repository, whose site documents the program."""
    return CHECKOUT is not None and project.resolve() == CHECKOUT


def guide_pages(project: Path) -> tuple[tuple[SitePage, ...], NavItem | None]:
    """Return the pages of the guide and their place in the menu; none for the site of another project."""
    if CHECKOUT is None or not is_rulewright_repository(project):
        return (), None
    cases, title = CHECKOUT / "tests" / "cases", "Guide by examples"
    chapters = [
        SitePage(f"guide/{name}", chapter, partial(_body, chapter, [*(cases / name).glob("*.md")]))
        for name, chapter in CHAPTERS.items()
    ]
    links = "\n".join(f"- [{chapter}]({name}/)" for name, chapter in CHAPTERS.items())
    text = f"Every example here is run as a test.\n\n{links}"
    home = SitePage("guide", title, partial(_body, title, [], text))
    branches = tuple(NavItem(chapter.title, chapter.path) for chapter in chapters)
    return (home, *chapters), NavItem(title, home.path, branches)


def _body(title: str, files: Sequence[Path], text: str = "") -> PageBody:
    """Return a page of a text and files, with a label before each block and its headings as sections."""

    def labelled_block(block: re.Match[str]) -> str:
        fence, label, code = block.groups()
        return f'<p class="label">{escape(label.removeprefix("yaml "))}</p>\n\n{fence}\n{code}{fence}\n'

    in_order = sorted(files, key=lambda file: natural_sort_key(file.name))
    text += "\n\n".join(file.read_text("utf-8") for file in in_order)
    blocks = _BLOCK.sub(labelled_block, text)
    anchors = TocExtension(slugify=lambda heading, _: title_slug(heading, max_words=20), baselevel=2)
    page = Markdown(extensions=[FencedCodeExtension(), anchors])
    html = page.convert(blocks).replace("<pre>", '<pre tabindex="0">')
    sections = [PageSection("top", title)]
    outermost: list[dict[str, Any]] = page.toc_tokens  # type: ignore[attr-defined]
    for outer in outermost:
        headings = [outer, *outer["children"]]
        sections += (PageSection(heading["id"], heading["name"], heading["level"]) for heading in headings)
    return PageBody(f'<div class="rw guide">\n<h1 id="top">{title}</h1>\n{html}</div>', tuple(sections))
