"""The guide to writing content: the case files that the tests run, as pages of the site.

So the guide cannot be wrong, and no rule of the format is written down twice.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markdown import markdown

from rulewright.book.sequence import slug
from rulewright.site.artifacts import Branch, Page, Section
from rulewright.site.compositor import environment
from rulewright.source.resources import PACKAGE

CHAPTERS = ("prose", "references", "names", "reading", "aids", "checks", "changes", "renumbering")
"""The folders of case files that the guide is made of, in its order."""

_CASES = PACKAGE.parents[1] / "tests" / "cases"
"""Our own case files. Whatever else a project keeps under this name is its own business."""

_FENCE = re.compile(r"(`{3,}|~{3,})[ ]*([^`\n]*)")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a case file: a heading (`level` 1 or 2), `html`, or a block of code with its `info`."""

    text: str = ""
    html: str = ""
    level: int = 0
    anchor: str = ""
    info: str = ""


def pages(project: Path) -> tuple[tuple[Page, ...], Branch | None]:
    """The pages of the guide and their place in the navigation; none for a project that is not our own."""
    cases = project / "tests" / "cases"
    if not cases.is_dir() or os.path.realpath(cases) != str(_CASES):
        return (), None
    made = tuple(page for chapter in CHAPTERS for page in _chapter(cases / chapter, chapter))
    home = _page("guide", made=made)
    branches = tuple(Branch(page.title, page.path) for page in made)
    return (home, *made), Branch(home.title, home.path, branches)


def _chapter(folder: Path, name: str) -> Iterator[Page]:
    for file in sorted(folder.glob("*.md")):
        parts = list(_parts(file.read_text("utf-8")))
        yield _page(f"guide/{name}/{slug(file.stem)}", parts=parts)


def _page(path: str, **given: Any) -> Page:
    name = "cases" if "parts" in given else "guide"
    made: Any = environment().get_template(f"site/{name}.html").make_module(given)
    return Page(path, made.title, str(made), tuple(Section(*section) for section in made.sections))


def _parts(text: str) -> Iterator[Part]:
    """A case file in pieces. A fence is closed by one as long; a shorter one inside is text."""
    words: list[str] = []
    lines = iter(text.split("\n"))
    for line in lines:
        heading, fence = re.match(r"(#{1,2}) (.+)", line), _FENCE.fullmatch(line)
        if not (heading or fence):
            words.append(line)
            continue
        if any(words):
            yield Part(html=markdown("\n".join(words)))
        words = []
        if heading:
            title = heading[2].replace("`", "")
            yield Part(title, level=len(heading[1]), anchor=slug(title, most=20))
        elif fence:
            inside: list[str] = []
            for inner in lines:
                if inner.rstrip() == fence[1]:
                    break
                inside.append(inner)
            yield Part("\n".join(inside), info=fence[2].strip())
    if any(words):
        yield Part(html=markdown("\n".join(words)))
