"""Registry of the checks, and the visitor that hands each check the items that it is about.

A check is a function with the `check` decorator. It gets an item and its scope, and yields problems of the
types that the decorator names: each type has an id, a severity and a sentence. The subject of a problem is
that of its item unless the check gives another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from rulewright.book.library import BookLibrary, Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import one_edition_per_book
from rulewright.book.table_entries import Source
from rulewright.checks.unreadable_parts import UnreadableParts
from rulewright.compare.history import Counterparts
from rulewright.compare.stale_reference_problems import RENAMED
from rulewright.compare.stale_references import StaleReferences, find_stale_references
from rulewright.files.content_reader import ContentFolder
from rulewright.files.memoize import Cache
from rulewright.files.problems import Problem, ProblemType, SourceLocation
from rulewright.references.content_page import ContentPage
from rulewright.references.edition_texts import edition_texts
from rulewright.references.redirect_targets import OldPage
from rulewright.references.reference_index import EditionReferences, ReferenceIndex
from rulewright.references.series_overrides import OverrideIndex
from rulewright.references.site_settings import SiteSettings, read_site_settings
from rulewright.schema.diagram_model import DiagramSpec
from rulewright.schema.rulebook import Rulebook
from rulewright.schema.yaml_fields import walk_parts
from rulewright.sequence.sequence_step import SequenceStep

Problems = Iterator[Problem]


@dataclass(frozen=True, eq=False)
class LoadedProject:
    """Loaded content folder with resolved references, before the checks."""

    folder: ContentFolder
    library: BookLibrary
    index: ReferenceIndex
    manuscripts: tuple[ContentPage, ...]
    """Content pages."""
    old_pages: tuple[OldPage, ...]
    """Redirected old paths."""
    errata_faults: tuple[Problem, ...]
    """Errata that cannot be applied."""
    redirect_faults: tuple[Problem, ...]
    """Redirects without a target."""
    cache: Cache
    """Results of earlier checks of the same content."""

    @cached_property
    def settings(self) -> SiteSettings:
        settings = read_site_settings(self.folder.settings)
        is_only_source = settings.is_only_page_source and self.folder.is_only_plugin
        return replace(settings, is_only_page_source=is_only_source)

    @cached_property
    def stale_references(self) -> StaleReferences:
        """Results of the comparison with the reference locks."""
        return find_stale_references(self.index, self.manuscripts, self.library, self.cache)

    @cached_property
    def stale_places(self) -> frozenset[SourceLocation]:
        """Places of references that the comparison reports, and all places of former names."""
        stale = self.stale_references
        former_names = (f.reference.place for f in stale.findings if f.kind is RENAMED)
        return frozenset((*(problem.place for problem in stale.problems), *former_names))

    @cached_property
    def unreadable(self) -> UnreadableParts:
        return UnreadableParts.find(self.library)

    @cached_property
    def overrides(self) -> OverrideIndex:
        return OverrideIndex(self.index)

    @cached_property
    def counterparts(self) -> Counterparts:
        return Counterparts(self.index)


@dataclass(frozen=True, slots=True)
class Scope:
    """The edition and the project of a checked item, and the part of the book that it belongs to."""

    project: LoadedProject
    outline: Outline
    subject: str
    """Subject of the problems of the item, unless they have another."""
    source: Source | None = None
    """The rule, step, table or aid that a text, a grid or a diagram belongs to."""

    @property
    def index(self) -> ReferenceIndex:
        return self.project.index

    @property
    def edition(self) -> Edition:
        return self.outline.edition

    @property
    def book(self) -> Rulebook:
        return self.outline.edition.book

    @property
    def has_all_parts(self) -> bool:
        """Whether the rules, tables and steps of the edition and its series can be read."""
        addresses = {edition.address for edition in self.outline.edition.with_series}
        unreadable = self.project.unreadable
        return addresses.isdisjoint(unreadable.editions | unreadable.without_numbers)

    @property
    def references(self) -> EditionReferences:
        return self.project.index.editions[self.outline.edition.address]


@dataclass(frozen=True, slots=True)
class Check:
    """A check: a function, what it is about, and the types of its problems."""

    function: Callable[[Any, Any], Problems]
    types: tuple[ProblemType, ...]


CHECKS: dict[type, list[Check]] = {}
"""All checks by the type of item that they are about."""

Function = TypeVar("Function", bound=Callable[[Any, Any], Problems])


def check(item_type: type, *types: ProblemType) -> Callable[[Function], Function]:
    """Register a function as the check of all items of a type."""

    def register(function: Function) -> Function:
        CHECKS.setdefault(item_type, []).append(Check(function, types))
        return function

    return register


def run_all_checks(project: LoadedProject) -> Problems:
    """Yield the problems of a project, its content pages and all its editions."""
    for item, scope in _items(project):
        for item_type in type(item).__mro__:
            for registered in CHECKS.get(item_type, ()):
                for problem in registered.function(item, scope):
                    yield replace(problem, subject=problem.subject or getattr(scope, "subject", ""))


def _items(project: LoadedProject) -> Iterator[tuple[object, LoadedProject | Scope]]:
    """Yield all items that checks are about, each with its scope."""
    yield project, project
    for page in project.manuscripts:
        if not project.unreadable.hides(page.name):
            yield page, project
    index = project.index
    books = [edition.address for edition in one_edition_per_book(index.outlines)]
    for address, outline in index.outlines.items():
        if not project.unreadable.hides(f"content/{address}/edition.yml"):
            if address in books:
                yield outline.edition.book, Scope(project, outline, address)
            yield from _items_of_edition(project, outline, index.editions[address])


def _items_of_edition(
    project: LoadedProject, outline: Outline, references: EditionReferences
) -> Iterator[tuple[object, Scope]]:
    """Yield the outline, rules, steps, tables, aids and texts of an edition."""
    yield outline, Scope(project, outline, outline.edition.address)
    for entry in outline.entries.values():
        scope = Scope(project, outline, entry.key, entry)
        yield entry, scope
        if entry.rule:
            diagrams = (*entry.rule.diagrams, *(note.diagram for note in entry.rule.notes))
            yield from ((diagram, scope) for diagram in diagrams if diagram)
    for step in outline.sequence.iter_steps():
        if step.difference != "dropped":
            yield step, Scope(project, outline, step.anchor, step)
    for table in references.tables:
        scope = Scope(project, outline, table.key, table)
        yield from ((part, scope) for part in (table, *table.grids()))
    for sheet in references.aid_sheets:
        scope = Scope(project, outline, sheet.name, sheet)
        yield sheet, scope
        yield from ((part, scope) for part in walk_parts(sheet.aid) if isinstance(part, DiagramSpec))
    for source, texts, _ in edition_texts(outline, references.tables, references.aid_sheets):
        subject = str(source)
        if isinstance(source, RuleEntry | SequenceStep):
            subject = source.key if isinstance(source, RuleEntry) else source.anchor
        scope = Scope(project, outline, subject, source)
        yield from ((text, scope) for text, _ in texts if outline.edition.has_written(text))
    for citation in references.citations:
        yield citation, Scope(project, outline, "", citation.source)
