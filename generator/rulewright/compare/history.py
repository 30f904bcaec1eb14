"""A rule, a step, a table or an aid in the other editions of its book.

Editions that follow each other are compared. The counterpart of an item several editions away is found
through the editions between. Editions without `follows:` are compared with their neighbours in time.

All editions share a rulebook.yml. Its references are those of the newest edition of its book; in any other
edition they lead to the counterparts there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import with_series
from rulewright.book.table_entries import Source, TableEntry
from rulewright.compare.edition_diff import EditionDiff, diff_editions
from rulewright.compare.item_change import ChangeKind, RuleChange
from rulewright.compare.matching import EditionSide
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.references.citable_items import Citable, ListItem, TermName, inner_steps, list_items_of
from rulewright.references.edition_texts import term_texts
from rulewright.references.previous_edition import book_editions, earlier_editions, followed_edition
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_resolver import NOT_THERE
from rulewright.references.reference_types import (
    CitableReference,
    FaultyReference,
    Reference,
    RuleReference,
)
from rulewright.sequence.sequence_step import SequenceStep
from rulewright.sequence.step_names import abbreviation_of, spoken_title


@dataclass(frozen=True, slots=True)
class PastState:
    """A rule in an earlier edition, None if it is not in it, and its change to the following edition."""

    edition: Outline
    rule_then: RuleEntry | None
    change: RuleChange


class Histories:
    """Past states of rules, from the differences between editions that follow each other."""

    def __init__(self, diffs: Iterable[EditionDiff]) -> None:
        self._diffs = {diff.new.edition.address: diff for diff in diffs}

    def history_of(self, entry: RuleEntry) -> list[PastState]:
        """Return the earlier states of a rule, the latest first, as far back as they are known."""
        states: list[PastState] = []
        visited: set[str] = set()
        rule: RuleEntry | None = entry
        while (
            rule and (diff := self._diffs.get(rule.edition.address)) and rule.edition.address not in visited
        ):
            visited.add(rule.edition.address)
            change = diff.of_rule(rule)
            if ChangeKind.ONLY in change.kinds:
                break
            states.append(PastState(diff.old, change.predecessor, change))
            rule = change.predecessor
        return states


NEWEST, OLD, TO_COME = "newest", "old", "to come"
"""Standing of an edition: the newest published, an earlier one, or one that is not published yet."""


CitableItem = Source | Citable


@dataclass(frozen=True, slots=True)
class CounterpartResult:
    """Counterpart of an item in another edition."""

    match: CitableItem | None
    nearest: CitableItem | None = None
    """The item at the nearest place, if none matches."""
    is_certain: bool = True
    """Whether enough of the other edition is known."""


NO_COUNTERPART = CounterpartResult(None)


MAX_COMPARED = 20_000
"""Maximum number of rules that pages compare with editions that theirs do not follow."""


class Counterparts:
    """Counterparts in the editions of each book, computed for the pairs of editions that are asked for."""

    def __init__(self, index: ReferenceIndex, diffs: Iterable[EditionDiff]) -> None:
        self.index = index
        self._diffs = {(_address(diff.old), _address(diff.new)): diff for diff in diffs}
        self._rules: dict[tuple[str, str], Mapping[Source, CounterpartResult]] = {}
        self._all: dict[tuple[str, str], Mapping[Source, CounterpartResult]] = {}
        self._compared: dict[str, Mapping[Outline, Sequence[EditionDiff]]] = {}
        one_of_each = {_book(outline): outline for outline in index.outlines.values()}
        self._editions = {
            book: book_editions(outline, index.outlines) for book, outline in one_of_each.items()
        }

    def book_editions(self, outline: Outline) -> Sequence[Outline]:
        """Return all editions of a book, the oldest first."""
        return self._editions[_book(outline)]

    def other_editions(self, outline: Outline) -> list[Outline]:
        """Return the other editions of a book, the newest first."""
        return [edition for edition in reversed(self.book_editions(outline)) if edition is not outline]

    def newest(self, outline: Outline) -> Outline:
        return self.index.outlines[self.index.newest[_book(outline)].address]

    def standing(self, outline: Outline) -> str:
        editions = self.book_editions(outline)
        position, newest = editions.index(outline), editions.index(self.newest(outline))
        return NEWEST if position == newest else OLD if position < newest else TO_COME

    def counterpart_of(self, source: Source, other: Outline) -> CounterpartResult:
        find = self.rules if isinstance(source, RuleEntry) else self.all
        results = find(self.index.outlines[source.edition.address], other)
        return results.get(source, NO_COUNTERPART)

    def all(self, outline: Outline, other: Outline) -> Mapping[Source, CounterpartResult]:
        """Return the counterparts of all items of an edition in another."""
        pair = _address(outline), _address(other)
        if pair not in self._all:
            results = dict(self.rules(outline, other))
            diffs = self._diffs_between(outline, other)
            for step in filter(None, [outline.sequence.root, *outline.sequence.iter_steps()]):
                match, is_certain = _follow(diffs, step)
                outer = results.get(step.parent.original, NO_COUNTERPART) if step.parent else NO_COUNTERPART
                nearest = None if match else outer.match or outer.nearest or other.sequence.root
                results[step] = CounterpartResult(match, nearest, is_certain)
            references = self.index.editions[pair[0]]
            items: list[Source] = [*references.tables, *references.aid_sheets]
            for item in items:
                match, is_certain = _follow(diffs, item)
                results[item] = CounterpartResult(match, None, is_certain)
            self._all[pair] = results
        return self._all[pair]

    def rules(self, outline: Outline, other: Outline) -> Mapping[Source, CounterpartResult]:
        """Return the counterparts of the rules of an edition in another."""
        pair = _address(outline), _address(other)
        if pair not in self._rules:
            diffs = self._diffs_between(outline, other)
            results: dict[Source, CounterpartResult] = {}
            # The place of a deleted chapter is after the chapter before it.
            last_chapter: Source | None = next(iter(other.chapters), None)
            for entry in outline.ordered_entries:
                match, is_certain = _follow(diffs, entry)
                if match is None:
                    outer = results[entry.parent] if entry.parent else CounterpartResult(None, last_chapter)
                    results[entry] = CounterpartResult(None, outer.match or outer.nearest, is_certain)
                else:
                    results[entry] = CounterpartResult(match)
                    last_chapter = match.chapter if isinstance(match, RuleEntry) else last_chapter
            self._rules[pair] = results
        return self._rules[pair]

    def compared(self, outline: Outline) -> Mapping[Outline, Sequence[EditionDiff]]:
        """Return the differences of each edition of a book from earlier ones, the nearest first.

        Those from editions that it does not follow are limited by MAX_COMPARED, the newest edition first.
        """
        book = _book(outline)
        if book not in self._compared:
            diffs: dict[Outline, list[EditionDiff]] = {}
            editions = self.book_editions(outline)
            sides = {edition: EditionSide(edition, self.index) for edition in editions}
            remaining = MAX_COMPARED
            for new in reversed(editions):
                diffs[new] = []
                previous = followed_edition(new, self.index.outlines)
                for old in earlier_editions(new, self.index.outlines):
                    remaining -= 0 if old is previous else len(new.entries)
                    if old is previous or remaining >= 0:
                        diffs[new].append(self.diff(sides[old], sides[new]))
            self._compared[book] = diffs
        return self._compared[book]

    def diff(self, old: EditionSide, new: EditionSide) -> EditionDiff:
        """Return the difference of any two editions of a book, with the pairs found through those between."""
        pair = _address(old.outline), _address(new.outline)
        if pair not in self._diffs:
            back = self.all(new.outline, old.outline)
            known_pairs: dict[RuleEntry, RuleEntry] = {}
            for entry, result in self.all(old.outline, new.outline).items():
                match = result.match
                is_pair = isinstance(match, RuleEntry) and back[match].match is entry
                if isinstance(entry, RuleEntry) and isinstance(match, RuleEntry) and is_pair:
                    known_pairs[entry] = match
            self._diffs[pair] = EditionDiff(old, new, known_pairs)
        return self._diffs[pair]

    def _diffs_between(self, outline: Outline, other: Outline) -> list[EditionDiff]:
        """Return the differences between neighbours on the path from an edition to another."""
        diffs: list[EditionDiff] = []
        for first, second in pairwise(self._path(outline, other)):
            pair = _address(first), _address(second)
            diff = self._diffs.get(pair) or self._diffs.get(pair[::-1])
            if diff is None:
                diff = self._diffs[pair] = diff_editions(first, second, self.index)
            diffs.append(diff)
        return diffs

    def _path(self, outline: Outline, other: Outline) -> list[Outline]:
        """Return the editions from one to another, both included: along `follows:`, else in their order."""
        editions = self.book_editions(outline)
        old, new = sorted((outline, other), key=editions.index)
        path = [new]
        while path[-1] is not old:
            previous = followed_edition(path[-1], self.index.outlines)
            if previous is None or previous in path:
                break
            path.append(previous)
        if path[-1] is not old:
            path = [*editions[editions.index(old) : editions.index(new) + 1]]
        return path if path[0] is outline else path[::-1]


def _follow(diffs: Iterable[EditionDiff], source: Source) -> tuple[Source | None, bool]:
    """Return the counterpart of an item at the end of some differences, and whether that is certain."""
    for diff in diffs:
        match, is_certain = diff.counterpart(source)
        if match is None:
            return None, is_certain
        source = match
    return source, True


def _address(outline: Outline) -> str:
    return outline.edition.address


def _book(outline: Outline) -> str:
    return outline.edition.address.partition("/")[0]


# References of a rulebook.yml


class OldTerms:
    """References of terms in editions that are not the newest, as counterparts in these."""

    def __init__(self, index: ReferenceIndex) -> None:
        self.index, self.counterparts = index, Counterparts(index, ())
        self._homes = {
            (text.key, address): (is_see_key, home)
            for address, outline in index.outlines.items()
            for text, is_see_key, home in term_texts(outline, index.outlines)
            if home and home not in with_series(outline, index.outlines)
        }
        self._references: dict[tuple[TextKey, str], tuple[Reference, ...]] = {}

    def references(self, text: LocatedText, edition: Edition) -> tuple[Reference, ...]:
        """Return the references of a text of a term in an edition; none if it is no text of an old term."""
        key = text.key, edition.address
        if key not in self._references and key in self._homes:
            is_see_key, home = self._homes[key]
            outline = self.index.outlines[edition.address]
            resolved = self.index.resolver.resolve(text, home, home.default_chapter, is_see_key)
            translated = (_translate(reference, text, outline, self.counterparts) for reference in resolved)
            self._references[key] = tuple(filter(None, translated))
        return self._references.get(key, ())


def _translate(
    reference: Reference, text: LocatedText, outline: Outline, counterparts: Counterparts
) -> Reference | None:
    """Return a reference of the newest edition in another edition, None if too little of that is known.

    A reference that names an edition leads into that edition from everywhere.
    """
    if reference.match.book or not isinstance(reference, RuleReference | CitableReference):
        return reference
    target = reference.target if isinstance(reference, RuleReference) else reference.citable
    result, match = counterpart(target, outline, counterparts), reference.match
    other = result.match
    if isinstance(other, RuleEntry):
        number = target.display_number if isinstance(target, RuleEntry) else ""
        label = match.label or (other.display_number if other.display_number != number else None)
        in_range = reference.rules_in_range if isinstance(reference, RuleReference) else ()
        counterparts_in_range = (counterpart(entry, outline, counterparts).match for entry in in_range)
        rules = tuple(entry for entry in counterparts_in_range if isinstance(entry, RuleEntry))
        return RuleReference(match._replace(label=label, number=other.number), other, rules)
    if isinstance(other, SequenceStep | TableEntry | ListItem | TermName):
        words, label = match.label or reference.as_written(text), match.label
        for name, new_name in zip(_names(target, counterparts), _names(other, counterparts), strict=False):
            if name and words.casefold().endswith(name.casefold()):
                label = f"{words[: -len(name)]}{new_name}" if name != new_name else label
                break
        return CitableReference(match._replace(label=label), other)
    message = f"{target} of {target.edition.short} is not in {outline.edition.short}"
    fault = FaultyReference(match, NOT_THERE, f"{message}, so that this leads nowhere there")
    return fault if result.is_certain else None


def _names(item: CitableItem, counterparts: Counterparts) -> tuple[str, ...]:
    """Return the names by which a text may mean an item, in the same order for all items of a type."""
    match item:
        case SequenceStep():
            outline = counterparts.index.outlines[item.edition.address]
            siblings = inner_steps(item.parent, outline) if item.parent else outline.sequence.steps
            count = item.step.label or (siblings.index(item) + 1 if item in siblings else "")
            return spoken_title(item), abbreviation_of(item) or spoken_title(item), str(count)
        case TableEntry():
            return str(item.table.title), item.display_number, str(item.table.id or "")
        case ListItem():
            return (item.number,)
    return ()


def counterpart(item: CitableItem, outline: Outline, counterparts: Counterparts) -> CounterpartResult:
    """Return the counterpart of an item in an edition, or in the edition of the series that it extends."""
    index = counterparts.index
    book = _book(index.outlines[item.edition.address])
    editions = (edition for edition in with_series(outline, index.outlines) if _book(edition) == book)
    other = next(editions, None)
    if other is None or item.edition is other.edition:
        return CounterpartResult(item)
    match item:
        case TermName():
            return CounterpartResult(item._replace(edition=other.edition))
        case ListItem():
            rule = counterparts.counterpart_of(item.entry, other)
            items = list_items_of(rule.match) if isinstance(rule.match, RuleEntry) else ()
            # An item is identified by its words; a reworded one by its number among as many items.
            same = [candidate for candidate in items if candidate.words == item.words]
            if not same and len(items) == len(list_items_of(item.entry)):
                same = [candidate for candidate in items if candidate.labels == item.labels]
            return CounterpartResult(same[0] if len(same) == 1 else None, is_certain=rule.is_certain)
    return counterparts.counterpart_of(item, other)
