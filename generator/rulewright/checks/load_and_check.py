"""Load, resolve and check the content: every command that uses content starts here."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from rulewright.book.amending import apply_errata
from rulewright.book.library import BookLibrary
from rulewright.book.library_reader import read_library
from rulewright.book.outline import Outline, build_outlines
from rulewright.checks.check_outcome import CheckOutcome, EditionCounts
from rulewright.checks.check_visitor import LoadedProject, run_all_checks
from rulewright.checks.suppressions import apply_suppressions
from rulewright.compare.stale_references import StaleReferences
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.errors import raise_on_errors
from rulewright.files.memoize import Cache
from rulewright.files.problems import sort_problems
from rulewright.references.content_page import ContentPage, read_content_page
from rulewright.references.redirect_targets import OldPage, find_old_pages
from rulewright.references.reference_index import ReferenceIndex, build_reference_index


@dataclass(frozen=True, kw_only=True)
class CheckedProject(CheckOutcome):
    """Loaded content with the results of its checks."""

    library: BookLibrary
    index: ReferenceIndex
    manuscripts: tuple[ContentPage, ...]
    old_pages: tuple[OldPage, ...] = ()
    drift: StaleReferences = field(default_factory=StaleReferences)
    """Results of the comparison with the reference locks."""

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
            return self.index.outlines[edition.address]
        book = f"content/{address.partition('/')[0]}/rulebook.yml"
        problems = self.problems_in(book, f"content/{address}/") if address else ()
        raise_on_errors(problems, f"{address} cannot be read until this is corrected")
        raise self.unknown_book_error(address)


def load_and_check(project: Path, cache: Cache | None = None) -> CheckedProject:
    """Load and check the content of a project; a `cache` shared by calls saves reading unchanged files."""
    return load_and_check_folder(read_content_folder(project), cache)


def load_project(folder: ContentFolder, memo: Cache | None = None) -> LoadedProject:
    """Read a content folder, which need not be on disk, and resolve its references."""
    memo = {} if memo is None else memo
    library, errata_faults = apply_errata(read_library(folder, memo), memo)
    index = build_reference_index(build_outlines(library, memo), memo)
    if len(index.outlines) > len(index.newest):
        from rulewright.compare.history import OldTerms

        index = replace(index, old_term_references=OldTerms(index).references)
    pages = tuple(read_content_page(name, data, index) for name, data in library.pages.items())
    old_pages, redirect_faults = find_old_pages(index, library)
    return LoadedProject(
        folder,
        library,
        index,
        pages,
        tuple(old_pages),
        tuple(errata_faults),
        tuple(redirect_faults),
        memo,
    )


def load_and_check_folder(folder: ContentFolder, cache: Cache | None = None) -> CheckedProject:
    """Load and check a content folder, which need not be on disk."""
    return check_project(load_project(folder, cache))


def check_project(loaded: LoadedProject) -> CheckedProject:
    """Run all checks on a loaded project."""
    problems = [*loaded.library.problems, *run_all_checks(loaded)]
    remaining, suppressed = apply_suppressions(problems, loaded)
    stale = loaded.stale_references
    return CheckedProject(
        tuple(sort_problems(remaining)),
        tuple(suppressed),
        count_editions(loaded.index),
        {page.name: len(page.resolved) for page in loaded.manuscripts},
        stale.new,
        loaded.library.faulty,
        library=loaded.library,
        index=loaded.index,
        manuscripts=loaded.manuscripts,
        old_pages=loaded.old_pages,
        drift=stale,
    )


def count_editions(index: ReferenceIndex) -> dict[str, EditionCounts]:
    """Return the counts of each edition by address."""
    counts: dict[str, EditionCounts] = {}
    for address, outline in index.outlines.items():
        steps = sum(step.difference != "dropped" for step in outline.sequence.iter_steps())
        references = sum(len(citation.resolved) for citation in index.editions[address].citations)
        counts[address] = EditionCounts(len(outline.entries), steps, references)
    return counts
