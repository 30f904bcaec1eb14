"""The content read, put in order and checked: every command that looks at content begins here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulewright import checks
from rulewright.book.amending import amended
from rulewright.book.filing import Cache
from rulewright.book.library import Library, read_library
from rulewright.book.outline import Outline, arrange
from rulewright.checks.cascades import causes
from rulewright.checks.excuses import excuse
from rulewright.citations import manuscript, redirects
from rulewright.citations.resolving import NOT_FOUND
from rulewright.citations.shelf import Shelf, cite
from rulewright.compare.drift import Drift, drift
from rulewright.model.reports import several
from rulewright.model.rulebook import Excuse
from rulewright.source.folder import Folder, gather
from rulewright.source.problems import Problem, Severity, did_you_mean, in_order
from rulewright.source.refusal import Refusal, Unsound


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
    moved: tuple[redirects.Moved, ...] = ()
    drift: Drift = field(default_factory=Drift)
    unamended: Examined | None = None

    @property
    def references(self) -> int:
        """How many references were checked."""
        cited = (len(c.resolved) for citations in self.shelf.citations.values() for c in citations)
        return sum(cited) + sum(len(m.resolved) for m in self.manuscripts)

    @property
    def printed(self) -> Examined:
        """Examined content with every edition as it was printed, as the files say it."""
        return self.unamended or self

    def outline(self, address: str) -> Outline:
        """The outline of the edition at an address, or of a book's newest edition.

        Raises Unsound where the edition is there but cannot be read, Refusal where it is not there.
        """
        if edition := self.library.named(address):
            return self.shelf.outlines[edition.address]
        if problems := self.problems_in(f"content/{address}/") if address else []:
            raise Unsound(problems, f"{address} cannot be read until this is mended")
        raise self.no_book(address)

    def no_book(self, address: str) -> Refusal:
        """Says that there is no such book, and names the nearest."""
        addresses = list(self.library.editions)
        books = dict.fromkeys(one.rpartition("/")[0] for one in addresses)
        return Refusal(f"no book {address} here{did_you_mean(address, [*books, *addresses])}")

    def problems_in(self, *files: str) -> list[Problem]:
        """The problems of files, or of folders, whose names end in a slash."""
        folders = tuple(name for name in files if name.endswith("/"))
        return [p for p in self.problems if p.place.file in files or p.place.file.startswith(folders)]

    def demand(self, problems: Iterable[Problem], left: str) -> None:
        """Raise Unsound, saying what is left undone, where one of the problems is an error."""
        if wrong := [problem for problem in problems if problem.severity is Severity.ERROR]:
            raise Unsound(wrong, left)

    def counted(self, address: str = "") -> str:
        """How much was checked, in words: of a book, of an edition, or of everything."""
        folder = f"{address}/" if address else ""
        outlines = [o for o in self.shelf.outlines.values() if f"{o.edition.address}/".startswith(folder)]
        pages = [page for page in self.manuscripts if page.name.startswith(f"content/{folder}")]
        rules = sum(len(outline.entries) for outline in outlines)
        steps = sum(step.difference != "dropped" for outline in outlines for step in outline.every_step())
        references = sum(len(c.resolved) for o in outlines for c in self.shelf.citations[o.edition.address])
        references += sum(len(page.resolved) for page in pages)
        return f"{several(rules, 'rule')}, {several(steps, 'step')}, {several(references, 'reference')}"


def examine(project: Path, book: str | None = None, cache: Cache | None = None) -> Examined:
    """Read and check the content of a project.

    `book` (`ocs` or `ocs/4.3`) keeps only the problems of that book or edition. `cache`, kept
    from one call to the next, saves reading what has not changed.
    """
    return examine_folder(gather(project), book, cache)


def examine_folder(folder: Folder, book: str | None = None, cache: Cache | None = None) -> Examined:
    """Read and check a content folder given as bytes, which need not be on the disk."""
    library, faults_of_errata = amended(read_library(folder, cache))
    shelf = cite(_arranged(library), library.sites)
    manuscripts = tuple(manuscript.read(name, data, library, shelf) for name, data in library.pages.items())
    found = [*library.problems, *faults_of_errata, *checks.run(shelf)]
    found += [problem for m in manuscripts for problem in m.problems]
    old, faults = redirects.moved(shelf, library)
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
