"""Load, resolve and check the content: every command that uses content starts here."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.book.amending import apply_errata
from rulewright.book.library import BookLibrary, read_library
from rulewright.book.outline import Outline, build_outlines
from rulewright.checks import check_registry, site_settings
from rulewright.checks.check_outcome import CheckOutcome, EditionCounts
from rulewright.checks.dead_links import check_links_of_pages
from rulewright.checks.duplicate_path_checks import check_duplicate_paths
from rulewright.checks.follow_up_errors import drop_follow_up_errors
from rulewright.checks.numbering_example_checks import check_numbering_examples
from rulewright.checks.page_markup_checks import check_page_markup
from rulewright.checks.suppressions import apply_suppressions
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.memoize import Cache
from rulewright.files.problems import Problem, sort_problems
from rulewright.references.redirect_targets import OldPage, find_old_pages
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.references.reference_resolver import NOT_FOUND

if TYPE_CHECKING:
    from rulewright.compare.stale_references import StaleReferences
    from rulewright.references.content_page import ContentPage


@dataclass(frozen=True, kw_only=True)
class CheckedProject(CheckOutcome):
    """Loaded content with the results of its checks."""

    library: BookLibrary
    shelf: ReferenceIndex
    manuscripts: tuple[ContentPage, ...]
    old_pages: tuple[OldPage, ...] = ()
    stale_references: StaleReferences | None = None
    """Results of the comparison with the reference locks, if there are any."""

    @property
    def drift(self) -> StaleReferences:
        from rulewright.compare.stale_references import StaleReferences

        return self.stale_references or StaleReferences()

    @property
    def findings(self) -> CheckOutcome:
        """Return the results alone, which can be cached."""
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
    problems: tuple[Problem, ...]
    """Problems of reading and of errata."""
    redirect_problems: tuple[Problem, ...]
    """Redirects without a target."""


def load_project(folder: ContentFolder, memo: Cache | None = None) -> LoadedProject:
    """Read a content folder, which need not be on disk, and resolve its references."""
    memo = {} if memo is None else memo
    library = read_library(folder, memo)
    library, errata_problems = apply_errata(library, memo)
    outlines = build_outlines(library, memo)
    index = build_reference_index(outlines, memo.get(RESOLUTIONS), memo)
    memo[RESOLUTIONS] = index.resolver.numbers.cache
    if len(index.outlines) > len(index.newest):
        from rulewright.compare.history import OldTerms

        index = replace(index, old_term_references=OldTerms(index).references)
    pages: tuple[ContentPage, ...] = ()
    if library.pages:
        from rulewright.references.content_page import read_content_pages  # loads a Markdown parser

        pages = read_content_pages(library, index)
    old_pages, redirect_problems = find_old_pages(index, library)
    problems = (*library.problems, *errata_problems)
    return LoadedProject(folder, library, index, pages, tuple(old_pages), problems, tuple(redirect_problems))


def load_and_check_folder(
    folder: ContentFolder, book: str | None = None, cache: Cache | None = None
) -> CheckedProject:
    """Load and check a content folder, which need not be on disk."""
    return check_project(load_project(folder, cache), book)


def check_project(loaded: LoadedProject, book: str | None = None) -> CheckedProject:
    """Compare a loaded project with its reference locks and run all checks on it."""
    library, index, pages = loaded.library, loaded.shelf, loaded.manuscripts
    settings = site_settings.read_site_settings(loaded.folder.settings)
    settings = replace(
        settings, is_only_page_source=settings.is_only_page_source and loaded.folder.is_only_plugin
    )
    stale = None
    if library.locks:
        from rulewright.compare.stale_references import find_stale_references

        stale = find_stale_references(index, pages, library)
    problems = [
        *loaded.problems,
        *check_registry.run_all_checks(index),
        *check_numbering_examples(index, library.faulty),
        *(problem for page in pages for problem in page.problems),
        *loaded.redirect_problems,
        *check_duplicate_paths(index, library, settings),
    ]
    if stale:
        reported = {(problem.place, NOT_FOUND.code) for problem in stale.problems}
        problems = [problem for problem in problems if (problem.place, problem.code) not in reported]
        problems += stale.problems
    if len(index.outlines) > len(index.newest) and any(
        problem.code == NOT_FOUND.code for problem in problems
    ):
        from rulewright.compare.successor_rules import explain_missing_numbers

        problems = [*explain_missing_numbers(problems, index)]
    remaining, suppressed = apply_suppressions(problems, library)
    problems = drop_follow_up_errors(remaining, library)
    links = [link for page in pages for link in page.links]
    problems += check_links_of_pages(loaded.folder, links, index, loaded.old_pages, problems, settings)
    problems += check_page_markup(pages, settings, loaded.folder)
    project = CheckedProject(
        tuple(sort_problems(problems)),
        tuple(suppressed),
        count_editions(index),
        {page.name: len(page.resolved) for page in pages},
        stale.new if stale else 0,
        library.faulty,
        library=library,
        shelf=index,
        manuscripts=pages,
        old_pages=loaded.old_pages,
        stale_references=stale,
    )
    return project.for_book(book) if book else project


def count_editions(index: ReferenceIndex) -> dict[str, EditionCounts]:
    """Return the counts of each edition by address."""
    counts: dict[str, EditionCounts] = {}
    for address, outline in index.outlines.items():
        steps = sum(step.difference != "dropped" for step in outline.sequence.iter_steps())
        references = sum(len(citation.resolved) for citation in index.editions[address].citations)
        counts[address] = EditionCounts(len(outline.entries), steps, references)
    return counts


RESOLUTIONS = " references"
"""Key of the memo for resolved references; no file has such a name."""
