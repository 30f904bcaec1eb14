"""The guide by examples: the case files that the tests run, as pages of this repository's own site.

So the guide cannot be wrong, and no rule of the format is written down twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markdown import markdown

from rulewright.files.content_folder import natural_sort_key
from rulewright.files.resources import CHECKOUT
from rulewright.render.build_artifacts import NavItem, PageBody, PageSection, SitePage
from rulewright.render.templating import environment
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

_FENCE = re.compile(r"(`{3,}|~{3,})[ ]*([^`\n]*)")


@dataclass(frozen=True, slots=True)
class CasePiece:
    """A piece of a case file: a heading (`level` 1 or 2), `html`, or a block of code with its `info`."""

    text: str = ""
    html: str = ""
    level: int = 0
    anchor: str = ""
    info: str = ""


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
    home = _page("guide", chapters=chapters)
    branches = (
        NavItem(title, None, tuple(NavItem(page.title, page.path) for page in made))
        for title, made in chapters
    )
    every = (page for _, made in chapters for page in made)
    return (home, *every), NavItem(home.title, home.path, tuple(branches))


def _chapter(checkout: Path, name: str) -> Iterator[SitePage]:
    files = (checkout / "tests" / "cases" / name).glob("*.md")
    for file in sorted(files, key=lambda file: natural_sort_key(file.name)):
        yield _page(f"guide/{name}/{title_slug(file.stem)}", parts=list(_parts(file.read_text("utf-8"))))


def _page(path: str, **given: Any) -> SitePage:
    name = "cases" if "parts" in given else "guide"
    title = given["parts"][0].text if "parts" in given else "Guide by examples"

    def render() -> PageBody:
        made: Any = environment().get_template(f"site/{name}.html").make_module({"title": title, **given})
        return PageBody(str(made), tuple(PageSection(*section) for section in made.sections))

    return SitePage(path, title, render)


def _parts(text: str) -> Iterator[CasePiece]:
    """A case file in pieces. A fence is closed by one as long; a shorter one inside is text."""
    words: list[str] = []
    lines = iter(text.split("\n"))
    for line in lines:
        heading, fence = re.match(r"(#{1,2}) (.+)", line), _FENCE.fullmatch(line)
        if not (heading or fence):
            words.append(line)
            continue
        if any(words):
            yield CasePiece(html=markdown("\n".join(words)))
        words = []
        if heading:
            title = heading[2].replace("`", "")
            yield CasePiece(title, level=len(heading[1]), anchor=title_slug(title, max_words=20))
        elif fence:
            inside: list[str] = []
            for inner in lines:
                if inner.rstrip() == fence[1]:
                    break
                inside.append(inner)
            yield CasePiece("\n".join(inside), info=fence[2].strip())
    if any(words):
        yield CasePiece(html=markdown("\n".join(words)))
