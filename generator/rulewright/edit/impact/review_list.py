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
    found: dict[tuple[str, SourceLocation], TextToReview] = {}

    def enter(one: LocatedReference, cited: Source | ListItem) -> None:
        owner = one.passage.owner
        name = one.standing if isinstance(owner, str) else after.render_context.name(owner)
        if one.passage.page and one.lock_folder not in kept:
            name = _title(after, one.passage.file)
        told = found.setdefault((name, one.place), TextToReview(name, one.place))
        if (words := after.render_context.name(cited)) not in told.cites:
            told.cites.append(words)

    kept = after.checked_project.drift.locks
    for one in iter_references(after.render_context.shelf, after.checked_project.manuscripts):
        owner = one.passage.owner
        if one.shows or (isinstance(owner, AidSheet | ErrataEntry) and one.passage.is_reference_only):
            continue  # a sheet shows the rule, and what errata are of is told with them
        if one.lock_folder not in kept and not edited.has_touched(owner):
            for cited in (one.target, *one.inside):
                if cited and cited in edited.reworded and cited is not owner:
                    enter(one, cited)
    was, now = (
        [finding.reference for finding in content.checked_project.drift.findings if finding.kind is CHANGED]
        for content in (before, after)
    )
    waiting = {
        (reference.lock_folder, reference.key) for reference in was
    }  # the same wherever their texts are moved
    for one in now:
        if one.target and (one.lock_folder, one.key) not in waiting:
            enter(one, one.target)
    return sorted(found.values(), key=lambda one: one.place)


def emptied_rules(after: ContentSnapshot, edited: ContentEdits) -> list[RuleEntry]:
    """Find the rules that are cited and whose text was deleted, so that a list alone has their numbers.

    Those that a lock knows are among the problems.
    """
    changes = (change for difference in edited.differences for change in difference.rules)
    gone = {c.new for c in changes if c.old and c.new and c.old.is_transcribed and not c.new.is_transcribed}
    gone -= {finding.reference.target for finding in after.checked_project.drift.findings}
    cited = iter_references(after.render_context.shelf, after.checked_project.manuscripts) if gone else ()
    targets = dict.fromkeys(reference.target for reference in cited)
    return [target for target in targets if isinstance(target, RuleEntry) and target in gone]


def retargeted_references(
    before: ContentSnapshot, after: ContentSnapshot, edited: ContentEdits
) -> list[RetargetedReference]:
    """Find references whose number has come to mean another rule, but those that a lock knows."""
    found: dict[SourceLocation, RetargetedReference] = {}
    written: dict[Source, list[tuple[str, SourceLocation]]] = {}
    for citations in after.render_context.shelf.citations.values():
        for citation in citations:
            for one in citation.resolved:
                words = citation.text[one.match.start : one.match.end]
                place = citation.text.location_of(one.match.start)
                written.setdefault(citation.source, []).append((words, place))
    for difference in edited.differences:
        for change in difference.changes:
            if change.new is None or isinstance(change.new, Aid):
                continue
            source = change.new.cited_as if isinstance(change.new, TableEntry) else change.new
            for number, now in _meant(change.parts):
                for words, place in written.get(source, ()):
                    if words == number:
                        found[place] = RetargetedReference(
                            after.render_context.name(source), place, number, now
                        )
    found |= {one.place: one for one in _on_pages(before, after, edited)}
    told = {finding.reference.place for finding in after.checked_project.drift.findings}
    return sorted((one for one in found.values() if one.place not in told), key=lambda one: one.place)


def _on_pages(
    before: ContentSnapshot, after: ContentSnapshot, edited: ContentEdits
) -> Iterator[RetargetedReference]:
    """Stray references of Markdown pages, in lines that stand there as before."""
    olds = {page.name: page for page in before.checked_project.manuscripts}
    for page in after.checked_project.manuscripts:
        lines = _by_line(olds[page.name]) if page.name in olds else {}
        for line, resolved in _by_line(page).items():
            for reference, now in zip(lines.get(line, ()), resolved, strict=False):
                heir = edited.successors.get(reference.target)
                if now.target and isinstance(heir, RuleEntry) and heir is not now.target:
                    place = SourceFile(page.name, page.text).location(now.match.start)
                    number = page.text[now.match.start : now.match.end]
                    yield RetargetedReference(_title(after, page.name), place, number, heir.display_number)


def _by_line(page: ContentPage) -> dict[str, list[ResolvedReference]]:
    found: dict[str, list[ResolvedReference]] = {}
    for reference in page.resolved:
        start = page.text.rfind("\n", 0, reference.match.start) + 1
        found.setdefault(page.text[start:].partition("\n")[0], []).append(reference)
    return found


def _title(after: ContentSnapshot, name: str) -> str:
    return pages.content_page_title(name, after.checked_project.library.pages[name]).title


def _meant(parts: Iterable[WordDifference]) -> Iterator[tuple[str, str]]:
    """Numbers that stayed while the rule that they meant got another, with that one."""
    for gone, come in (pair for part in parts for pair in pairwise(part.pieces)):
        both = (gone.change, come.change) == ("-", "+")
        for word, here in zip(gone.words, come.words, strict=False) if both else ():
            number, _, now = word.words.partition(", now ")
            if word.to and here.to and number == here.words:
                yield number, now


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
    found: list[ErrataChange] = []
    changes = {diff.new.edition.address: diff.errata_changes for diff in edited.compared}
    for address, remarks in after.render_context.shelf.errata_entries.items():
        for change in changes.get(address) or [
            ItemChange(None, entry, (ChangeKind.ADDED,)) for entry in remarks
        ]:
            if change.new is None and change.old:
                found.append(ErrataChange(change.old, ErratumEffect.REMOVED, _names(change.old, before)))
            elif change.new and (touched := next(_effects(change, change.new, before, after, edited), None)):
                found.append(ErrataChange(change.new, *touched, change.parts))
    return found


def _effects(
    change: ItemChange[ErrataEntry],
    one: ErrataEntry,
    before: ContentSnapshot,
    after: ContentSnapshot,
    edited: ContentEdits,
) -> Iterator[tuple[ErratumEffect, tuple[str, ...]]]:
    """Effects on an erratum or a question, the worst first, with the names of the rules that it is of."""
    if (entry := change.old) is None:
        yield ErratumEffect.ADDED, _names(one, after)
        return
    if entry.is_applied and not one.is_applied and one.erratum and one.is_in_force:
        yield ErratumEffect.VOID, _names(entry, before)
    gone = [
        thing
        for thing in before.render_context.targets_by_entry.get(entry, ())
        if thing not in edited.successors
    ]
    if gone and one.question:
        yield ErratumEffect.VOID, tuple(map(before.render_context.name, gone))
    if [*all_texts_of(entry.source)] != [*all_texts_of(one.source)]:
        yield ErratumEffect.CHANGED, _names(one, after)
    reworded = [
        thing for thing in after.render_context.targets_by_entry.get(one, ()) if edited.has_touched(thing)
    ]
    if reworded:
        yield ErratumEffect.AGAIN, tuple(map(after.render_context.name, reworded))


def _names(remark: ErrataEntry, here: ContentSnapshot) -> tuple[str, ...]:
    return tuple(
        here.render_context.name(thing) for thing in here.render_context.targets_by_entry.get(remark, ())
    )
