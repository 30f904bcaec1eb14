"""The line, from the content folder to everything that is made of it. Begin reading here.

    content ──gather──► Folder ──read──► Library ──amend──► as amended ──arrange──► Outlines ──cite──► Shelf
                                                                                     ├──check──► problems
                                                                                     ├──press──► PDFs
                                                                                     └──render─► pages, files

Nothing here writes a file, knows the host that serves the pages, or raises on content: what is wrong
is part of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from generator import checks, forwarding, manuscript
from generator.amending import amended
from generator.artifacts import Artifacts, Counts, Prints
from generator.citations import NOT_FOUND, Shelf, cite
from generator.consequences import causes
from generator.drift.alarm import Drift, drift
from generator.excuses import excuse
from generator.filing import Cache
from generator.folder import Folder, gather
from generator.library import Library, read_library
from generator.model import Excuse
from generator.outline import Outline, arrange
from generator.problems import Problem, Severity, in_order


@dataclass(frozen=True)
class Examined:
    """The content, read, put in order and checked: `problems` in order, the excused ones apart.

    `unamended`: the same with every edition as it was printed, where any has errata.
    """

    library: Library
    shelf: Shelf
    manuscripts: tuple[manuscript.Manuscript, ...]
    problems: tuple[Problem, ...]
    excused: tuple[tuple[Problem, Excuse], ...]
    moved: tuple[forwarding.Moved, ...] = ()
    drift: Drift = field(default_factory=Drift)
    unamended: Examined | None = None

    @property
    def references(self) -> int:
        """How many references were checked."""
        cited = (len(c.resolved) for citations in self.shelf.citations.values() for c in citations)
        return sum(cited) + sum(len(m.resolved) for m in self.manuscripts)

    @property
    def printed(self) -> Examined:
        """The same with every edition as it was printed, which is what the files say."""
        return self.unamended or self


def examine(project: Path, book: str | None = None, cache: Cache | None = None) -> Examined:
    """Read and check the content of a project.

    `book` (`ocs` or `ocs/4.3`) keeps only the problems of that book or edition. `cache`, kept
    from one call to the next, saves reading what has not changed.
    """
    return examine_folder(gather(project), book, cache)


def examine_folder(folder: Folder, book: str | None = None, cache: Cache | None = None) -> Examined:
    """The same for a content folder as bytes, which need not be what is on the disk."""
    library, faults_of_errata = amended(read_library(folder, cache))
    shelf = cite(_arranged(library), library.sites)
    manuscripts = tuple(manuscript.read(name, data, library, shelf) for name, data in library.pages.items())
    found = [*library.problems, *faults_of_errata, *checks.run(shelf)]
    found += [problem for m in manuscripts for problem in m.problems]
    old, faults = forwarding.moved(shelf, library)
    found += faults
    as_printed = _as_printed(library, shelf, manuscripts)
    read = drift(*as_printed)
    echoed = {(problem.place, NOT_FOUND.code) for problem in read.problems}
    found = [problem for problem in found if (problem.place, problem.code) not in echoed]
    found += read.problems
    kept, excused = excuse(found, library)
    kept = causes(kept, library)
    if book:
        kept = [p for p in kept if _is_of(p, book)]
        excused = [(p, e) for p, e in excused if _is_of(p, book)]
    examined = Examined(library, shelf, manuscripts, tuple(in_order(kept)), tuple(excused), tuple(old), read)
    if as_printed[0] is shelf:
        return examined
    shelf, manuscripts, library = as_printed
    return replace(
        examined, unamended=replace(examined, library=library, shelf=shelf, manuscripts=manuscripts)
    )


Press = Callable[[Shelf], Prints]
"""Prints the books on a shelf."""


def build(project: Path, cache: Cache | None = None, press: Press | None = None) -> Artifacts:
    """Everything that is made of a project's content, with what is wrong with it.

    Without a `press`, or where the content has an error, nothing is printed.
    """
    # Imported here because a check, which must be quick, needs no templates.
    # The press comes with them even where nothing is printed: the page of codes lists its kinds of problem.
    from generator import guide, pages, signposts
    from generator.pages import look
    from generator.press import orders  # noqa: F401

    examined = examine(project, cache=cache)
    sound = not any(problem.severity is Severity.ERROR for problem in examined.problems)
    prints = press(examined.shelf) if press and sound else Prints()
    made, files, nav = pages.render(examined.shelf, examined.library, prints)
    files |= signposts.files(examined.moved, examined.shelf)
    looks, styles = look.looks(examined.shelf)
    guides, branch = guide.pages(project)
    made, nav = (*made, *guides), (*nav, branch) if branch else nav
    rules = sum(len(outline.entries) for outline in examined.shelf.outlines.values())
    return Artifacts(
        pages=made,
        prose={m.name: manuscript.linked(m) for m in examined.manuscripts},
        files={**files, **styles, **prints.files},
        nav=nav,
        looks=looks,
        problems=tuple(in_order((*examined.problems, *prints.problems))),
        versions=pages.versions(made, examined.shelf, examined.library),
        counts=Counts(len(made) + len(examined.manuscripts), rules, examined.references),
        editions={address: one.names for address, one in examined.library.editions.items()},
    )


Printed = tuple[Shelf, tuple[manuscript.Manuscript, ...], Library]


def _as_printed(library: Library, shelf: Shelf, pages: tuple[manuscript.Manuscript, ...]) -> Printed:
    """The books without their errata, and the pages that cite them; as they are where there are no errata."""
    printed = {address: one.printed or one for address, one in library.editions.items()}
    if printed == library.editions:
        return shelf, pages, library
    library = replace(library, editions=printed)
    shelf = cite(_arranged(library), library.sites)
    return shelf, tuple(manuscript.on(shelf, page) for page in pages), library


def _arranged(library: Library) -> dict[str, Outline]:
    return {address: arrange(edition) for address, edition in library.editions.items()}


def _is_of(problem: Problem, book: str) -> bool:
    return problem.place.file.startswith(
        (f"content/{book}/", f"content/{book.partition('/')[0]}/rulebook.yml")
    )


def failing(problems: Iterable[Problem]) -> list[Problem]:
    """The problems for which a check or a build fails."""
    return [problem for problem in problems if problem.fails]
