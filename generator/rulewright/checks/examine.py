"""The content read, put in order and checked: every command that looks at content begins here."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.book.library import Library, read_library
from rulewright.book.outline import Outline, arrange
from rulewright.checks import every, site_settings
from rulewright.checks.cascades import causes
from rulewright.checks.checked import Checked, Count
from rulewright.checks.dead_links import dead_links
from rulewright.checks.examples import examples
from rulewright.checks.excuses import excuse
from rulewright.citations.resolving import NOT_FOUND, Memo
from rulewright.citations.shelf import Shelf, cite
from rulewright.source.folder import Folder, gather
from rulewright.source.kept import Cache, kept
from rulewright.source.problems import Problem, in_order
from rulewright.source.refusal import refuse_errors

if TYPE_CHECKING:
    from rulewright.citations.manuscript import Manuscript
    from rulewright.citations.redirect_targets import Moved
    from rulewright.compare.drift import Drift


@dataclass(frozen=True, kw_only=True)
class Examined(Checked):
    """The content, read, put in order and checked. `unamended`: as printed, where an edition has errata.

    `held`: the references held against locks, where there are any.
    """

    library: Library
    shelf: Shelf
    manuscripts: tuple[Manuscript, ...]
    moved: tuple[Moved, ...] = ()
    held: Drift | None = None
    unamended: Examined | None = None

    @property
    def printed(self) -> Examined:
        return self.unamended or self

    @property
    def drift(self) -> Drift:
        from rulewright.compare.drift import Drift

        return self.held or Drift()

    @property
    def findings(self) -> Checked:
        """The findings alone, which can be kept and sent to another process."""
        return Checked(**{one.name: getattr(self, one.name) for one in fields(Checked)})

    def outline(self, address: str) -> Outline:
        """Outline of an edition or a book's newest. Raises Unsound if unreadable, Refusal if absent."""
        if edition := self.library.named(address):
            return self.shelf.outlines[edition.address]
        book = f"content/{address.partition('/')[0]}/rulebook.yml"
        problems = self.problems_in(book, f"content/{address}/") if address else ()
        refuse_errors(problems, f"{address} cannot be read until this is mended")
        raise self.no_book(address)


def examine(project: Path, book: str | None = None, cache: Cache | None = None) -> Examined:
    """Read and check the content of a project.

    `book` (`ocs` or `ocs/4.3`) keeps only the problems of that book or edition. `cache`, kept
    from one call to the next, saves reading what has not changed.
    """
    return examine_folder(gather(project), book, cache)


@dataclass(frozen=True)
class Shelved:
    """A content folder as books on a shelf, before any check. `problems`: faults of reading and of errata.

    `manuscripts`: the ordinary pages; `moved`: old addresses, `astray` those that lead nowhere; `printed`: a
    cache for the books as printed.
    """

    folder: Folder
    library: Library
    shelf: Shelf
    manuscripts: tuple[Manuscript, ...]
    moved: tuple[Moved, ...]
    printed: Cache
    problems: tuple[Problem, ...]
    astray: tuple[Problem, ...]


def shelve(folder: Folder, cache: Cache | None = None) -> Shelved:
    """Read a content folder, given as bytes, which need not be on the disk, and resolve its references."""
    cache = {} if cache is None else cache
    library, faults = _amended(read_library(folder, cache), cache)
    memo = cache[REFERENCES] = cache.get(REFERENCES, Memo()).begun()
    shelf = _shelf(library, memo, cache)
    # What is rare is imported where it is met, here and in `every`: a small game has none of it.
    if len(shelf.outlines) > len(shelf.newest):
        from rulewright.compare.history import followed_on

        followed_on(shelf)
    manuscripts = _manuscripts(library, shelf)
    moved, astray = _moved(library, shelf)
    found = (*library.problems, *faults)
    printed: Cache = cache.setdefault(PRINTED, {})
    return Shelved(folder, library, shelf, manuscripts, tuple(moved), printed, found, tuple(astray))


def examine_folder(folder: Folder, book: str | None = None, cache: Cache | None = None) -> Examined:
    """Read and check a content folder given as bytes, which need not be on the disk."""
    return check(shelve(folder, cache), book)


def check(shelved: Shelved, book: str | None = None) -> Examined:
    """Run all checks on what is on a shelf."""
    library, shelf, manuscripts = shelved.library, shelved.shelf, shelved.manuscripts
    settings = site_settings.read(shelved.folder.settings)
    settings = replace(settings, makes_all=settings.makes_all and shelved.folder.alone)
    found = [*shelved.problems, *every.run(shelf)]
    found += examples(shelf, library.faulty)
    found += [problem for m in manuscripts for problem in m.problems]
    found += shelved.astray
    if library.pages or library.others:
        from rulewright.checks.one_address import one_address

        found += one_address(shelf, library, settings)
    as_printed = _as_printed(library, shelf, manuscripts, shelved.printed)
    held = None
    if library.locks:
        from rulewright.compare.drift import drift

        held = drift(*as_printed)
        echoed = {(problem.place, NOT_FOUND.code) for problem in held.problems}
        found = [problem for problem in found if (problem.place, problem.code) not in echoed]
        found += held.problems
    if len(shelf.outlines) > len(shelf.newest) and any(one.code == NOT_FOUND.code for one in found):
        from rulewright.compare.heirs import recalled

        found = [*recalled(found, shelf)]
    kept, excused = excuse(found, library)
    problems = causes(kept, library)
    links = [link for page in manuscripts for link in page.links]
    problems += dead_links(shelved.folder, links, shelf, shelved.moved, problems, settings)
    if manuscripts:
        from rulewright.checks.page_markup import page_markup

        problems += page_markup(manuscripts, settings, shelved.folder)
    examined = Examined(
        tuple(in_order(problems)),
        tuple(excused),
        counted(shelf),
        {page.name: len(page.resolved) for page in manuscripts},
        held.new.total() if held else 0,
        library.faulty,
        library=library,
        shelf=shelf,
        manuscripts=manuscripts,
        moved=shelved.moved,
        held=held,
    )
    examined = examined.of(book) if book else examined
    if as_printed[0] is shelf:
        return examined
    shelf, manuscripts, library = as_printed
    return replace(
        examined, unamended=replace(examined, library=library, shelf=shelf, manuscripts=manuscripts)
    )


def counted(shelf: Shelf) -> dict[str, Count]:
    """How much there is of each edition, by its address."""
    return {
        address: Count(
            len(outline.entries),
            sum(step.difference != "dropped" for step in outline.every_step()),
            sum(len(citation.resolved) for citation in shelf.citations[address]),
        )
        for address, outline in shelf.outlines.items()
    }


REFERENCES, PRINTED = " references", " printed"
"""Where a cache keeps what was resolved, and the books as printed; no file has such a name."""


def _amended(library: Library, cache: Cache) -> tuple[Library, list[Problem]]:
    if not any(edition.errata for edition in library.editions.values()):
        return library, []
    from rulewright.book.amending import amended

    return amended(library, cache)


def _manuscripts(library: Library, shelf: Shelf) -> tuple[Manuscript, ...]:
    if not library.pages:
        return ()
    from rulewright.citations import manuscript

    return tuple(manuscript.read(name, data, library, shelf) for name, data in library.pages.items())


def _moved(library: Library, shelf: Shelf) -> tuple[list[Moved], list[Problem]]:
    if not any(edition.redirects for edition in library.editions.values()):
        return [], []
    from rulewright.citations.redirect_targets import moved

    return moved(shelf, library)


def _as_printed(
    library: Library, shelf: Shelf, pages: tuple[Manuscript, ...], cache: Cache
) -> tuple[Shelf, tuple[Manuscript, ...], Library]:
    """The books without their errata, and the pages that cite them; as they are where there are no errata."""
    printed = {address: one.printed or one for address, one in library.editions.items()}
    if printed == library.editions:
        return shelf, pages, library
    library = replace(library, editions=printed)
    shelf = _shelf(library, shelf.memo.begun(), cache)  # a rule that errata give words has none here
    if pages:
        from rulewright.citations.manuscript import on

        pages = tuple(on(shelf, page) for page in pages)
    return shelf, pages, library


def _shelf(library: Library, memo: Memo, cache: Cache) -> Shelf:
    outlines = {
        address: kept(cache, f" outline {address}", (edition,), partial(arrange, edition))
        for address, edition in library.editions.items()
    }
    return cite(outlines, memo, cache)
