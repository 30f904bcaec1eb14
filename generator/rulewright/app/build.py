"""The build line, from the content folder to everything that is made of it. Begin reading here.

    content ──gather──► Folder ──read──► Library ──amend──► as amended ──arrange──► Outlines ──cite──► Shelf
                                                                                     ├──check──► problems
                                                                                     ├──press──► PDFs
                                                                                     └──render─► pages, files

Nothing here writes a file, knows the host that serves the pages, or raises on content: what is wrong
is part of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rulewright.book.filing import Cache
from rulewright.checks.examine import examine
from rulewright.citations import manuscript
from rulewright.citations.shelf import Shelf
from rulewright.print.press import sheet_order  # noqa: F401  whose kinds of problem are documented with all others
from rulewright.site import guide, navigation, pages, redirects
from rulewright.site.artifacts import Artifacts, Branch, Counts, Prints
from rulewright.site.pages import look
from rulewright.source.problems import Severity, in_order
from rulewright.source.settings import short_form

Press = Callable[[Shelf], Prints]
"""Prints the books on a shelf."""


def build(project: Path, cache: Cache | None = None, press: Press | None = None) -> Artifacts:
    """Build all that is made of a project's content; print only what is sound, and with a `press`."""
    examined = examine(project, cache=cache)
    sound = not any(problem.severity is Severity.ERROR for problem in examined.problems)
    prints = press(examined.shelf) if press and sound else Prints()
    made, files, nav = pages.render(examined.shelf, examined.library, prints, short_form(project))
    files |= redirects.files(examined.moved, examined.shelf)
    looks, styles = look.looks(examined.shelf)
    guides, branch = guide.pages(project)
    if branch:
        made, nav = (*made, *guides), navigation.beneath("docs", nav, (branch, Branch("", "checks")))
    rules = sum(len(outline.entries) for outline in examined.shelf.outlines.values())
    return Artifacts(
        pages=made,
        prose={m.name: manuscript.linked(m) for m in examined.manuscripts},
        files={**files, **styles, **prints.files},
        nav=nav,
        looks=looks,
        problems=tuple(in_order((*examined.problems, *prints.problems))),
        of_print=frozenset(prints.problems),
        unprinted=tuple(prints.failed),
        versions=pages.versions(made, examined.shelf, examined.library),
        counts=Counts(len(made) + len(examined.manuscripts), rules, examined.references),
        editions={address: one.names for address, one in examined.library.editions.items()},
    )
