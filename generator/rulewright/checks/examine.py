"""The content read, put in order and checked: every command that looks at content begins here."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from rulewright.book.amending import amended
from rulewright.book.filing import Cache
from rulewright.book.library import Library, read_library
from rulewright.book.outline import Outline, arrange
from rulewright.checks import every
from rulewright.checks.cascades import causes
from rulewright.checks.checked import Checked, Count
from rulewright.checks.excuses import excuse
from rulewright.citations import manuscript, page_links, redirect_targets
from rulewright.citations.resolving import NOT_FOUND
from rulewright.citations.shelf import Shelf, cite
from rulewright.compare.drift import Drift, drift
from rulewright.compare.succession import followed_on
from rulewright.source.folder import Folder, gather
from rulewright.source.problems import in_order


class Around(NamedTuple):
    """Books that are there and are not to be examined: their folders, and outlines for marks into them."""

    left_out: Collection[str] = ()
    lent: Mapping[str, Outline] = {}


@dataclass(frozen=True, kw_only=True)
class Examined(Checked):
    """The content, read, put in order and checked.

    `unamended`: the same with every edition as it was printed, where any has errata.
    """

    library: Library
    shelf: Shelf
    manuscripts: tuple[manuscript.Manuscript, ...]
    moved: tuple[redirect_targets.Moved, ...] = ()
    drift: Drift = field(default_factory=Drift)
    unamended: Examined | None = None

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
        book = f"content/{address.partition('/')[0]}/rulebook.yml"
        problems = self.problems_in(book, f"content/{address}/") if address else ()
        self.demand(problems, f"{address} cannot be read until this is mended")
        raise self.no_book(address)


def examine(project: Path, book: str | None = None, cache: Cache | None = None) -> Examined:
    """Read and check the content of a project.

    `book` (`ocs` or `ocs/4.3`) keeps only the problems of that book or edition. `cache`, kept
    from one call to the next, saves reading what has not changed.
    """
    return examine_folder(gather(project), book, cache)


def examine_folder(
    folder: Folder, book: str | None = None, cache: Cache | None = None, around: Around | None = None
) -> Examined:
    """Read and check a content folder given as bytes, which need not be on the disk."""
    library, faults_of_errata = amended(read_library(folder, cache))
    around = around or Around()
    shelf = followed_on(_shelf(library, around))
    manuscripts = tuple(manuscript.read(name, data, library, shelf) for name, data in library.pages.items())
    found = [*library.problems, *faults_of_errata, *every.run(shelf)]
    found += [problem for m in manuscripts for problem in m.problems]
    old, faults = redirect_targets.moved(shelf, library)
    found += faults
    as_printed = _as_printed(library, shelf, manuscripts, around)
    read = drift(*as_printed)
    echoed = {(problem.place, NOT_FOUND.code) for problem in read.problems}
    found = [problem for problem in found if (problem.place, problem.code) not in echoed]
    found += read.problems
    kept, excused = excuse(found, library)
    examined = Examined(
        tuple(in_order(causes(kept, library))),
        tuple(excused),
        _counts(shelf),
        {page.name: len(page.resolved) for page in manuscripts},
        read.new.total(),
        library.faulty,
        tuple(link for page in manuscripts for link in page.links),
        page_links.offered(shelf, old),
        library=library,
        shelf=shelf,
        manuscripts=manuscripts,
        moved=tuple(old),
        drift=read,
    )
    examined = examined.of(book) if book else examined
    if as_printed[0] is shelf:
        return examined
    shelf, manuscripts, library = as_printed
    return replace(
        examined, unamended=replace(examined, library=library, shelf=shelf, manuscripts=manuscripts)
    )


def _counts(shelf: Shelf) -> dict[str, Count]:
    return {
        address: Count(
            len(outline.entries),
            sum(step.difference != "dropped" for step in outline.every_step()),
            sum(len(citation.resolved) for citation in shelf.citations[address]),
        )
        for address, outline in shelf.outlines.items()
    }


Printed = tuple[Shelf, tuple[manuscript.Manuscript, ...], Library]


def _as_printed(
    library: Library, shelf: Shelf, pages: tuple[manuscript.Manuscript, ...], around: Around
) -> Printed:
    """The books without their errata, and the pages that cite them; as they are where there are no errata."""
    printed = {address: one.printed or one for address, one in library.editions.items()}
    if printed == library.editions:
        return shelf, pages, library
    library = replace(library, editions=printed)
    shelf = _shelf(library, around)
    return shelf, tuple(manuscript.on(shelf, page) for page in pages), library


def _shelf(library: Library, around: Around) -> Shelf:
    outlines = {address: arrange(edition) for address, edition in library.editions.items()}
    return cite(outlines, library.sites, lent=around.lent, left_out=around.left_out)
