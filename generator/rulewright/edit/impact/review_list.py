"""Texts to be read again after an edit: those that cite what was edited, and errata and questions about it.

With them the references that came to mean another rule, and the errata and questions that hold no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from rulewright.book.aid_plan import AidSheet
from rulewright.book.citable_items import ListItem
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import Source, TableEntry
from rulewright.citations.content_page import ContentPage
from rulewright.citations.reference_resolver import ResolvedReference
from rulewright.compare.item_change import ChangeKind, ItemChange, WordDifference
from rulewright.compare.reference_inventory import LocatedReference, iter_references
from rulewright.compare.stale_references import CHANGED
from rulewright.edit.impact.content_snapshot import ContentEdits, ContentSnapshot, item_location
from rulewright.model.aid import Aid
from rulewright.model.yaml_fields import all_texts_of
from rulewright.site import pages
from rulewright.source.problems import SourceFile, SourceLocation


@dataclass(frozen=True, slots=True)
class TextToReview:
    """A text to be read again, by what it belongs to. `cites`: the rules and tables, by name, for which."""

    name: str
    place: SourceLocation
    cites: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RetargetedReference:
    """A reference that is written as it was and means another rule now: it meant what is `former_target`
    today.
    """

    name: str
    place: SourceLocation
    number: str
    former_target: str


def texts_to_review(
    before: ContentSnapshot, after: ContentSnapshot, edited: ContentEdits
) -> list[TextToReview]:
    """Find the texts that cite a rule or a table that says something else now.

    Where a lock is kept, it tells what has not been read since; elsewhere what was edited itself has been.
    """
    texts: dict[tuple[str, SourceLocation], TextToReview] = {}

    def enter(reference: LocatedReference, cited: Source | ListItem) -> None:
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
            continue  # a sheet shows the rule, and what errata are of is told with them
        if reference.lock_folder not in locks and not edited.has_touched(owner):
            for cited in (reference.target, *reference.inside):
                if cited and cited in edited.reworded and cited is not owner:
                    enter(reference, cited)
    old_references, new_references = (
        [finding.reference for finding in content.checked_project.drift.findings if finding.kind is CHANGED]
        for content in (before, after)
    )
    known_keys = {
        (reference.lock_folder, reference.key) for reference in old_references
    }  # the same wherever their texts are moved
    for reference in new_references:
        if reference.target and (reference.lock_folder, reference.key) not in known_keys:
            enter(reference, reference.target)
    return sorted(texts.values(), key=lambda text: text.place)


def emptied_rules(after: ContentSnapshot, edited: ContentEdits) -> list[RuleEntry]:
    """Find the rules that are cited and whose text was deleted, so that a list alone has their numbers.

    Those that a lock knows are among the problems.
    """
    changes = (change for difference in edited.differences for change in difference.rules)
    emptied = {
        c.new for c in changes if c.old and c.new and c.old.is_transcribed and not c.new.is_transcribed
    }
    emptied -= {finding.reference.target for finding in after.checked_project.drift.findings}
    cited = iter_references(after.render_context.shelf, after.checked_project.manuscripts) if emptied else ()
    targets = dict.fromkeys(reference.target for reference in cited)
    return [target for target in targets if isinstance(target, RuleEntry) and target in emptied]


def retargeted_references(
    before: ContentSnapshot, after: ContentSnapshot, edited: ContentEdits
) -> list[RetargetedReference]:
    """Find references whose number has come to mean another rule, but those that a lock knows."""
    retargeted: dict[SourceLocation, RetargetedReference] = {}
    numbers_by_source: dict[Source, list[tuple[str, SourceLocation]]] = {}
    for citations in after.render_context.shelf.citations.values():
        for citation in citations:
            for reference in citation.resolved:
                words = citation.text[reference.match.start : reference.match.end]
                place = citation.text.location_of(reference.match.start)
                numbers_by_source.setdefault(citation.source, []).append((words, place))
    for difference in edited.differences:
        for change in difference.changes:
            if change.new is None or isinstance(change.new, Aid):
                continue
            source = change.new.cited_as if isinstance(change.new, TableEntry) else change.new
            for number, new_number in _meant(change.parts):
                for words, place in numbers_by_source.get(source, ()):
                    if words == number:
                        retargeted[place] = RetargetedReference(
                            after.render_context.name(source), place, number, new_number
                        )
    retargeted |= {reference.place: reference for reference in _on_pages(before, after, edited)}
    reported = {finding.reference.place for finding in after.checked_project.drift.findings}
    return sorted(
        (reference for reference in retargeted.values() if reference.place not in reported),
        key=lambda reference: reference.place,
    )


def _on_pages(
    before: ContentSnapshot, after: ContentSnapshot, edited: ContentEdits
) -> Iterator[RetargetedReference]:
    """Stray references of Markdown pages, in lines that stand there as before."""
    old_pages = {page.name: page for page in before.checked_project.manuscripts}
    for page in after.checked_project.manuscripts:
        lines = _by_line(old_pages[page.name]) if page.name in old_pages else {}
        for line, resolved in _by_line(page).items():
            for reference, new_reference in zip(lines.get(line, ()), resolved, strict=False):
                successor = edited.successors.get(reference.target)
                if (
                    new_reference.target
                    and isinstance(successor, RuleEntry)
                    and successor is not new_reference.target
                ):
                    place = SourceFile(page.name, page.text).location(new_reference.match.start)
                    number = page.text[new_reference.match.start : new_reference.match.end]
                    yield RetargetedReference(
                        _title(after, page.name), place, number, successor.display_number
                    )


def _by_line(page: ContentPage) -> dict[str, list[ResolvedReference]]:
    references: dict[str, list[ResolvedReference]] = {}
    for reference in page.resolved:
        start = page.text.rfind("\n", 0, reference.match.start) + 1
        references.setdefault(page.text[start:].partition("\n")[0], []).append(reference)
    return references


def _title(after: ContentSnapshot, name: str) -> str:
    return pages.content_page_title(name, after.checked_project.library.pages[name]).title


def _meant(parts: Iterable[WordDifference]) -> Iterator[tuple[str, str]]:
    """Numbers that stayed while the rule that they meant got another, with that one."""
    for deleted, inserted in (pair for part in parts for pair in pairwise(part.pieces)):
        both = (deleted.change, inserted.change) == ("-", "+")
        for word, new_word in zip(deleted.words, inserted.words, strict=False) if both else ():
            number, _, new_number = word.words.partition(", now ")
            if word.to and new_word.to and number == new_word.words:
                yield number, new_number


class ErratumEffect(StrEnum):
    """Effect of an edit on an erratum or a question."""

    VOID = "void"  # the words that it changed, or the rule that it is about, are there no more
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    AGAIN = "to be read again"  # what it is of says something else now


@dataclass(frozen=True, slots=True)
class ErrataChange:
    """An erratum or a question that an edit touches, with what differs in it.

    `subject_names`: what it is of, or was if it is void, by name.
    """

    errata_entry: ErrataEntry
    effect: ErratumEffect
    subject_names: tuple[str, ...]
    parts: tuple[WordDifference, ...] = ()

    @property
    def name(self) -> str:
        return str(self.errata_entry)

    @property
    def place(self) -> SourceLocation | None:
        return item_location(self.errata_entry)


def remark_changes(
    before: ContentSnapshot, after: ContentSnapshot, edited: ContentEdits
) -> list[ErrataChange]:
    """The errata and questions that are touched, edition by edition, those that are gone last."""
    errata_changes: list[ErrataChange] = []
    changes = {diff.new.edition.address: diff.errata_changes for diff in edited.compared}
    for address, entries in after.render_context.shelf.errata_entries.items():
        for change in changes.get(address) or [
            ItemChange(None, entry, (ChangeKind.ADDED,)) for entry in entries
        ]:
            if change.new is None and change.old:
                errata_changes.append(
                    ErrataChange(change.old, ErratumEffect.REMOVED, _names(change.old, before))
                )
            elif change.new and (touched := next(_effects(change, change.new, before, after, edited), None)):
                errata_changes.append(ErrataChange(change.new, *touched, change.parts))
    return errata_changes


def _effects(
    change: ItemChange[ErrataEntry],
    new_entry: ErrataEntry,
    before: ContentSnapshot,
    after: ContentSnapshot,
    edited: ContentEdits,
) -> Iterator[tuple[ErratumEffect, tuple[str, ...]]]:
    """Effects on an erratum or a question, the worst first, with the names of the rules that it is of."""
    if (old_entry := change.old) is None:
        yield ErratumEffect.ADDED, _names(new_entry, after)
        return
    if old_entry.is_applied and not new_entry.is_applied and new_entry.erratum and new_entry.is_in_force:
        yield ErratumEffect.VOID, _names(old_entry, before)
    lost_targets = [
        target
        for target in before.render_context.targets_by_entry.get(old_entry, ())
        if target not in edited.successors
    ]
    if lost_targets and new_entry.question:
        yield ErratumEffect.VOID, tuple(map(before.render_context.name, lost_targets))
    if [*all_texts_of(old_entry.source)] != [*all_texts_of(new_entry.source)]:
        yield ErratumEffect.CHANGED, _names(new_entry, after)
    reworded = [
        target
        for target in after.render_context.targets_by_entry.get(new_entry, ())
        if edited.has_touched(target)
    ]
    if reworded:
        yield ErratumEffect.AGAIN, tuple(map(after.render_context.name, reworded))


def _names(entry: ErrataEntry, snapshot: ContentSnapshot) -> tuple[str, ...]:
    return tuple(
        snapshot.render_context.name(target)
        for target in snapshot.render_context.targets_by_entry.get(entry, ())
    )
