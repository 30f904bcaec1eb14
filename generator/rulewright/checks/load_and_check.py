"""Load, resolve and check the content: every command that uses content starts here."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.book.library import BookLibrary, read_library
from rulewright.book.outline import Outline, build_outline
from rulewright.checks import check_registry, site_settings
from rulewright.checks.check_outcome import CheckOutcome, EditionCounts
from rulewright.checks.dead_links import check_links_of_pages
from rulewright.checks.follow_up_errors import drop_follow_up_errors
from rulewright.checks.numbering_example_checks import check_numbering_examples
from rulewright.checks.suppressions import apply_suppressions
from rulewright.files.content_folder import ContentFolder, read_content_folder
from rulewright.files.memoize import Cache, memoize
from rulewright.files.problems import Problem, sort_problems
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.references.reference_resolver import NOT_FOUND, ResolutionCache

if TYPE_CHECKING:
    from rulewright.compare.stale_references import StaleReferences
    from rulewright.references.content_page import ContentPage
    from rulewright.references.redirect_targets import OldPage


@dataclass(frozen=True, kw_only=True)
class CheckedProject(CheckOutcome):
    """Loaded content with the results of its checks."""

    library: BookLibrary
    shelf: ReferenceIndex
    manuscripts: tuple[ContentPage, ...]
    old_pages: tuple[OldPage, ...] = ()
    stale_references: StaleReferences | None = None
    """Results of the comparison with the reference locks, if there are any."""
    without_errata: CheckedProject | None = None
    """The project as printed, if an edition has errata."""

    @property
    def printed(self) -> CheckedProject:
        return self.without_errata or self

    @property
    def drift(self) -> StaleReferences:
        from rulewright.compare.stale_references import StaleReferences

        return self.stale_references or StaleReferences()

    @property
    def findings(self) -> CheckOutcome:
        """Return the results alone, which can be cached and sent to another process."""
        return CheckOutcome(**{counted.name: getattr(self, counted.name) for counted in fields(CheckOutcome)})

    def outline(self, address: str) -> Outline:
        """Return the outline of an edition, or of the newest edition of a book.

        Raises:
            ContentErrors: the edition cannot be read.
            UserError: there is no such edition.
        """
        if edition := self.library.find_edition(address):
            return self.shelf.outlines[edition.address]
        book = f"content/{address.partition('/')[0]}/rulebook.yml"
        problems = self.problems_in(book, f"content/{address}/") if address else ()
        self.raise_on_errors(problems, f"{address} cannot be read until this is mended")
        raise self.unknown_book_error(address)


def load_and_check(project: Path, book: str | None = None, cache: Cache | None = None) -> CheckedProject:
    """Load and check the content of a project.

    `book` (`ocs` or `ocs/4.3`) selects the problems of a book or edition. A `cache` shared by calls saves
    reading unchanged files.
    """
    return load_and_check_folder(read_content_folder(project), book, cache)


@dataclass(frozen=True)
class LoadedProject:
    """Loaded content folder with resolved references, before the checks."""

    folder: ContentFolder
    library: BookLibrary
    shelf: ReferenceIndex
    manuscripts: tuple[ContentPage, ...]
    """Content pages."""
    old_pages: tuple[OldPage, ...]
    """Redirected old paths."""
    printed: Cache
    """Cache for the books as printed."""
    problems: tuple[Problem, ...]
    """Problems of reading and of errata."""
    redirect_problems: tuple[Problem, ...]
    """Redirects without a target."""


def load_project(folder: ContentFolder, cache: Cache | None = None) -> LoadedProject:
    """Read a content folder, which need not be on disk, and resolve its references."""
    cache = {} if cache is None else cache
    library, faults = _apply_errata(read_library(folder, cache), cache)
    memo = cache[REFERENCES] = cache.get(REFERENCES, ResolutionCache()).next_run()
    index = _build_index(library, memo, cache)
    # What is rare is imported where it is met, here and in `every`: a small game has none of it.
    if len(index.outlines) > len(index.newest):
        from rulewright.compare.history import resolve_terms_in_old_editions

        resolve_terms_in_old_editions(index)
    manuscripts = _read_pages(library, index)
    moved, astray = _find_old_pages(library, index)
    problems = (*library.problems, *faults)
    printed: Cache = cache.setdefault(PRINTED, {})
    return LoadedProject(folder, library, index, manuscripts, tuple(moved), printed, problems, tuple(astray))


def load_and_check_folder(
    folder: ContentFolder, book: str | None = None, cache: Cache | None = None
) -> CheckedProject:
    """Load and check a content folder, which need not be on disk."""
    return run_checks(load_project(folder, cache), book)


def run_checks(loaded: LoadedProject, book: str | None = None) -> CheckedProject:
    """Run all checks on a loaded project."""
    library, index, manuscripts = loaded.library, loaded.shelf, loaded.manuscripts
    settings = site_settings.read_site_settings(loaded.folder.settings)
    settings = replace(
        settings, is_only_page_source=settings.is_only_page_source and loaded.folder.is_only_plugin
    )
    problems = [*loaded.problems, *check_registry.run_all_checks(index)]
    problems += check_numbering_examples(index, library.faulty)
    problems += [problem for m in manuscripts for problem in m.problems]
    problems += loaded.redirect_problems
    if library.pages or library.other_files:
        from rulewright.checks.duplicate_path_checks import check_duplicate_paths

        problems += check_duplicate_paths(index, library, settings)
    as_printed = _as_printed(library, index, manuscripts, loaded.printed)
    stale = None
    if library.locks:
        from rulewright.compare.stale_references import find_stale_references

        stale = find_stale_references(*as_printed)
        echoed = {(problem.place, NOT_FOUND.code) for problem in stale.problems}
        problems = [problem for problem in problems if (problem.place, problem.code) not in echoed]
        problems += stale.problems
    if len(index.outlines) > len(index.newest) and any(
        problem.code == NOT_FOUND.code for problem in problems
    ):
        from rulewright.compare.successor_rules import explain_missing_numbers

        problems = [*explain_missing_numbers(problems, index)]
    remaining, suppressed = apply_suppressions(problems, library)
    problems = drop_follow_up_errors(remaining, library)
    links = [link for page in manuscripts for link in page.links]
    problems += check_links_of_pages(loaded.folder, links, index, loaded.old_pages, problems, settings)
    if manuscripts:
        from rulewright.checks.page_markup_checks import check_page_markup

        problems += check_page_markup(manuscripts, settings, loaded.folder)
    project = CheckedProject(
        tuple(sort_problems(problems)),
        tuple(suppressed),
        count_editions(index),
        {page.name: len(page.resolved) for page in manuscripts},
        stale.new if stale else 0,
        library.faulty,
        library=library,
        shelf=index,
        manuscripts=manuscripts,
        old_pages=loaded.old_pages,
        stale_references=stale,
    )
    project = project.for_book(book) if book else project
    if as_printed[0] is index:
        return project
    index, manuscripts, library = as_printed
    return replace(
        project, without_errata=replace(project, library=library, shelf=index, manuscripts=manuscripts)
    )


def count_editions(index: ReferenceIndex) -> dict[str, EditionCounts]:
    """Return the counts of each edition by address."""
    counts: dict[str, EditionCounts] = {}
    for address, outline in index.outlines.items():
        steps = sum(step.difference != "dropped" for step in outline.sequence.iter_steps())
        references = sum(len(citation.resolved) for citation in index.citations[address])
        counts[address] = EditionCounts(len(outline.entries), steps, references)
    return counts


REFERENCES, PRINTED = " references", " printed"
"""Cache keys of resolved references and of the books as printed; no file has such a name."""


def _apply_errata(library: BookLibrary, cache: Cache) -> tuple[BookLibrary, list[Problem]]:
    if not any(edition.errata for edition in library.editions.values()):
        return library, []
    from rulewright.book.amending import apply_errata

    return apply_errata(library, cache)


def _read_pages(library: BookLibrary, index: ReferenceIndex) -> tuple[ContentPage, ...]:
    if not library.pages:
        return ()
    from rulewright.references import content_page

    return tuple(
        content_page.read_content_page(name, data, library, index) for name, data in library.pages.items()
    )


def _find_old_pages(library: BookLibrary, index: ReferenceIndex) -> tuple[list[OldPage], list[Problem]]:
    if not any(edition.redirects for edition in library.editions.values()):
        return [], []
    from rulewright.references.redirect_targets import old_pages

    return old_pages(index, library)


def _as_printed(
    library: BookLibrary, index: ReferenceIndex, pages: tuple[ContentPage, ...], cache: Cache
) -> tuple[ReferenceIndex, tuple[ContentPage, ...], BookLibrary]:
    """Return the reference index, pages and library without errata; unchanged if there are no errata."""
    printed = {address: edition.as_printed or edition for address, edition in library.editions.items()}
    if printed == library.editions:
        return index, pages, library
    library = replace(library, editions=printed)
    index = _build_index(library, index.memo.next_run(), cache)  # a rule that errata give words has none here
    if pages:
        from rulewright.references.content_page import resolve_on_index

        pages = tuple(resolve_on_index(index, page) for page in pages)
    return index, pages, library


def _build_index(library: BookLibrary, memo: ResolutionCache, cache: Cache) -> ReferenceIndex:
    outlines = {
        address: memoize(cache, f" outline {address}", (edition,), partial(build_outline, edition))
        for address, edition in library.editions.items()
    }
    return build_reference_index(outlines, memo, cache)
