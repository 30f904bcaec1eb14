"""Find the texts to review after an edit.

They refer to edited rules or tables, or contain references that lead to another rule now. Errata and
questions about edited rules are included, also those that no longer apply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import Source, TableEntry
from rulewright.compare.item_change import ChangeKind, ItemChange, WordDifference
from rulewright.compare.reference_inventory import LocatedReference, iter_references
from rulewright.compare.stale_references import CHANGED
from rulewright.edit.impact.content_snapshot import ContentEdits, ContentSnapshot, item_location
from rulewright.files.problems import SourceFile, SourceLocation
from rulewright.references.citable_items import ListItem
from rulewright.references.content_page import ContentPage
from rulewright.references.reference_types import Reference, RuleReference
from rulewright.render import pages
from rulewright.schema.aid import Aid
from rulewright.schema.yaml_fields import all_texts_of


@dataclass(frozen=True, slots=True)
class TextToReview:
    """A text that refers to changed rules or tables."""

    name: str
    place: SourceLocation
    cites: list[str] = field(default_factory=list)  # names of the changed rules and tables that it refers to


@dataclass(frozen=True, slots=True)
class RetargetedReference:
    """An unchanged reference that leads to another rule now."""

    name: str
    place: SourceLocation
    number: str
    former_target: str  # current number of the rule that it led to


def texts_to_review(
    before: ContentSnapshot, after: ContentSnapshot, edits: ContentEdits
) -> list[TextToReview]:
    """Find the texts that refer to a reworded rule or table.

    With a lock, these are the texts with stale references; without, texts that were edited too are left out.
    """
    texts: dict[tuple[str, SourceLocation], TextToReview] = {}

    def add(reference: LocatedReference, cited: Source | ListItem) -> None:
        owner = reference.passage.owner
        name = reference.standing if isinstance(owner, str) else after.render_context.name(owner)
        if reference.passage.page and reference.lock_folder not in locks:
            name = _title(after, reference.passage.file)
        text = texts.setdefault((name, reference.place), TextToReview(name, reference.place))
        if (words := after.render_context.name(cited)) not in text.cites:
            text.cites.append(words)

    locks = after.checked_project.drift.locks
    for reference in iter_references(after.render_context.shelf, after.checked_project.manuscripts):
        owner = reference.passage.owner
        if reference.shows or (
            isinstance(owner, AidSheet | ErrataEntry) and reference.passage.is_reference_only
        ):
            continue  # a sheet shows the rule, and errata are reported with their subjects
        if reference.lock_folder not in locks and not edits.is_edited(owner):
            for cited in (reference.target, *reference.inside):
                if cited and cited in edits.reworded and cited is not owner:
                    add(reference, cited)
    # Keys do not depend on the places of the texts.
    known_keys = {
        (reference.lock_folder, reference.source, reference.name) for reference in _stale_references(before)
    }
    for reference in _stale_references(after):
        if reference.target and reference[:3] not in known_keys:
            add(reference, reference.target)
    return sorted(texts.values(), key=lambda text: text.place)


def _stale_references(snapshot: ContentSnapshot) -> list[LocatedReference]:
    findings = snapshot.checked_project.drift.findings
    return [finding.reference for finding in findings if finding.kind is CHANGED]


def emptied_rules(after: ContentSnapshot, edits: ContentEdits) -> list[RuleEntry]:
    """Find the cited rules whose text was deleted, without those that the check reports as stale targets."""
    emptied: set[RuleEntry | None] = set()
    for diff in edits.differences:
        for change in diff.rules:
            if change.old and change.new and change.old.is_transcribed and not change.new.is_transcribed:
                emptied.add(change.new)
    emptied -= {finding.reference.target for finding in after.checked_project.drift.findings}
    cited = iter_references(after.render_context.shelf, after.checked_project.manuscripts) if emptied else ()
    targets = dict.fromkeys(reference.target for reference in cited)
    return [target for target in targets if isinstance(target, RuleEntry) and target in emptied]


def retargeted_references(
    before: ContentSnapshot, after: ContentSnapshot, edits: ContentEdits
) -> list[RetargetedReference]:
    """Find references whose number leads to another rule now, without those that the check reports."""
    retargeted: dict[SourceLocation, RetargetedReference] = {}
    numbers_by_source: dict[Source, list[tuple[str, SourceLocation]]] = {}
    for citations in after.render_context.shelf.citations.values():
        for citation in citations:
            for reference in citation.resolved:
                words = citation.text[reference.match.start : reference.match.end]
                place = citation.text.location_of(reference.match.start)
                numbers_by_source.setdefault(citation.source, []).append((words, place))
    for diff in edits.differences:
        for change in diff.changes:
            if change.new is None or isinstance(change.new, Aid):
                continue
            source = change.new.cited_as if isinstance(change.new, TableEntry) else change.new
            for number, new_number in _retargeted_numbers(change.parts):
                for words, place in numbers_by_source.get(source, ()):
                    if words == number:
                        retargeted[place] = RetargetedReference(
                            after.render_context.name(source), place, number, new_number
                        )
    retargeted |= {reference.place: reference for reference in _retargeted_on_pages(before, after, edits)}
    reported = {finding.reference.place for finding in after.checked_project.drift.findings}
    return [retargeted[place] for place in sorted(retargeted.keys() - reported)]


def _retargeted_on_pages(
    before: ContentSnapshot, after: ContentSnapshot, edits: ContentEdits
) -> Iterator[RetargetedReference]:
    """Yield the retargeted references in unchanged lines of content pages."""
    old_pages = {page.name: page for page in before.checked_project.manuscripts}
    for page in after.checked_project.manuscripts:
        lines = _references_by_line(old_pages[page.name]) if page.name in old_pages else {}
        for line, resolved in _references_by_line(page).items():
            for reference, new_reference in zip(lines.get(line, ()), resolved, strict=False):
                if not isinstance(reference, RuleReference) or not isinstance(new_reference, RuleReference):
                    continue
                successor, match = edits.successors.get(reference.target), new_reference.match
                if isinstance(successor, RuleEntry) and successor is not new_reference.target:
                    place = SourceFile(page.name, page.text).location(match.start)
                    number = page.text[match.start : match.end]
                    title = _title(after, page.name)
                    yield RetargetedReference(title, place, number, successor.display_number)


def _references_by_line(page: ContentPage) -> dict[str, list[Reference]]:
    references: dict[str, list[Reference]] = {}
    for reference in page.resolved:
        start = page.text.rfind("\n", 0, reference.match.start) + 1
        references.setdefault(page.text[start:].partition("\n")[0], []).append(reference)
    return references


def _title(after: ContentSnapshot, name: str) -> str:
    return pages.content_page_title(name, after.checked_project.library.pages[name]).title


def _retargeted_numbers(parts: Iterable[WordDifference]) -> Iterator[tuple[str, str]]:
    """Yield the unchanged numbers whose rules were renumbered, with the new numbers of these rules."""
    for deleted, inserted in (pair for part in parts for pair in pairwise(part.pieces)):
        if (deleted.change, inserted.change) == ("-", "+"):
            for word, new_word in zip(deleted.words, inserted.words, strict=False):
                number, _, new_number = word.words.partition(", now ")
                if word.to and new_word.to and number == new_word.words:
                    yield number, new_number


class ErratumEffect(StrEnum):
    """Effect of an edit on an erratum or a question."""

    VOID = "void"  # the words or the rule that it is about no longer exist
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    TO_REVIEW = "to be read again"  # a rule that it is about was reworded


@dataclass(frozen=True, slots=True)
class ErrataChange:
    """Effect of an edit on an erratum or a question, with the differences of its words."""

    errata_entry: ErrataEntry
    effect: ErratumEffect
    subject_names: tuple[str, ...]  # names of the rules that it is about, or was about if it is void
    parts: tuple[WordDifference, ...] = ()

    @property
    def name(self) -> str:
        return str(self.errata_entry)

    @property
    def place(self) -> SourceLocation | None:
        return item_location(self.errata_entry)


def errata_changes(
    before: ContentSnapshot, after: ContentSnapshot, edits: ContentEdits
) -> list[ErrataChange]:
    """Find the affected errata and questions by edition, removed ones last."""
    affected: list[ErrataChange] = []
    changes_by_edition = {diff.new.edition.address: diff.errata_changes for diff in edits.compared}
    for address, entries in after.render_context.shelf.errata_entries.items():
        changes = changes_by_edition.get(address)
        for change in changes or [ItemChange(None, entry, (ChangeKind.ADDED,)) for entry in entries]:
            if change.new is None and change.old:
                names = _subject_names(change.old, before)
                affected.append(ErrataChange(change.old, ErratumEffect.REMOVED, names))
            elif change.new and (effect := next(_effects(change, change.new, before, after, edits), None)):
                affected.append(ErrataChange(change.new, *effect, change.parts))
    return affected


def _effects(
    change: ItemChange[ErrataEntry],
    new_entry: ErrataEntry,
    before: ContentSnapshot,
    after: ContentSnapshot,
    edits: ContentEdits,
) -> Iterator[tuple[ErratumEffect, tuple[str, ...]]]:
    """Yield the effects on an erratum or a question, the worst first, with the names of its subjects."""
    if (old_entry := change.old) is None:
        yield ErratumEffect.ADDED, _subject_names(new_entry, after)
        return
    if old_entry.is_applied and not new_entry.is_applied and new_entry.erratum and new_entry.is_in_force:
        yield ErratumEffect.VOID, _subject_names(old_entry, before)
    lost_targets = [
        target
        for target in before.render_context.targets_by_entry.get(old_entry, ())
        if target not in edits.successors
    ]
    if lost_targets and new_entry.question:
        yield ErratumEffect.VOID, tuple(map(before.render_context.name, lost_targets))
    if [*all_texts_of(old_entry.source)] != [*all_texts_of(new_entry.source)]:
        yield ErratumEffect.CHANGED, _subject_names(new_entry, after)
    reworded = [
        target
        for target in after.render_context.targets_by_entry.get(new_entry, ())
        if edits.is_edited(target)
    ]
    if reworded:
        yield ErratumEffect.TO_REVIEW, tuple(map(after.render_context.name, reworded))


def _subject_names(entry: ErrataEntry, snapshot: ContentSnapshot) -> tuple[str, ...]:
    return tuple(
        snapshot.render_context.name(target)
        for target in snapshot.render_context.targets_by_entry.get(entry, ())
    )
