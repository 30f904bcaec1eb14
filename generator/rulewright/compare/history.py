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
from rulewright.book.table_entries import Source
from rulewright.compare.edition_diff import EditionDiff
from rulewright.compare.item_change import ChangeKind, RuleChange
from rulewright.compare.matching import EditionSide
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.references.edition_texts import term_texts
from rulewright.references.previous_edition import book_editions, earlier_editions, followed_edition
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_resolver import NOT_THERE
from rulewright.references.reference_types import (
    FaultyReference,
    Reference,
    RuleReference,
)
from rulewright.sequence.sequence_step import SequenceStep


@dataclass(frozen=True, slots=True)
class PastState:
    """A rule in an earlier edition, None if it is not in it, and its change to the following edition."""

    edition: Outline
    rule_then: RuleEntry | None
    change: RuleChange


NEWEST, OLD, TO_COME = "newest", "old", "to come"
"""Standing of an edition: the newest published, an earlier one, or one that is not published yet."""


@dataclass(frozen=True, slots=True)
class CounterpartResult:
    """Counterpart of an item in another edition."""

    match: Source | None
    nearest: Source | None = None
    """The item at the nearest place, if none matches."""
    is_certain: bool = True
    """Whether enough of the other edition is known."""


NO_COUNTERPART = CounterpartResult(None)


class Counterparts:
    """Counterparts in the editions of each book, computed for the pairs of editions that are asked for."""

    def __init__(self, index: ReferenceIndex) -> None:
        self.index = index
        self._diffs: dict[tuple[Outline, Outline], EditionDiff] = {}
        self._results: dict[tuple[Outline, Outline], Mapping[Source, CounterpartResult]] = {}
        self._sides: dict[Outline, EditionSide] = {}

    def _side(self, outline: Outline) -> EditionSide:
        return self._sides.setdefault(outline, EditionSide(outline, self.index))

    def book_editions(self, outline: Outline) -> Sequence[Outline]:
        """Return all editions of a book, the oldest first."""
        return book_editions(outline, self.index.outlines)

    def newest(self, outline: Outline) -> Outline:
        return self.index.outlines[self.index.newest[_book(outline)].address]

    def standing(self, outline: Outline) -> str:
        editions, newest = self.book_editions(outline), self.newest(outline)
        if outline is newest:
            return NEWEST
        return OLD if editions.index(outline) < editions.index(newest) else TO_COME

    def counterpart_of(self, source: Source, other: Outline) -> CounterpartResult:
        results = self.results(self.index.outlines[source.edition.address], other)
        return results.get(source, NO_COUNTERPART)

    def results(self, outline: Outline, other: Outline) -> Mapping[Source, CounterpartResult]:
        """Return the counterparts of all items of an edition in another."""
        if (outline, other) in self._results:
            return self._results[outline, other]
        diffs = self._diffs_between(outline, other)
        results: dict[Source, CounterpartResult] = {}
        references = self.index.editions[outline.edition.address]
        items: list[Source] = [*outline.ordered_entries, *references.tables, *references.aid_sheets]
        items += [*filter(None, [outline.sequence.root]), *outline.sequence.iter_steps()]
        # The place of a deleted chapter is after the chapter before it.
        last_chapter: Source | None = next(iter(other.chapters), None)
        for item in items:
            match, is_certain = _follow(diffs, item)
            nearest: Source | None = None
            if isinstance(item, RuleEntry | SequenceStep) and not match:
                parent = item.parent if isinstance(item, RuleEntry) else item.parent and item.parent.original
                outer = results.get(parent, NO_COUNTERPART) if parent else NO_COUNTERPART
                default = last_chapter if isinstance(item, RuleEntry) else other.sequence.root
                nearest = outer.match or outer.nearest or default
            elif isinstance(match, RuleEntry):
                last_chapter = match.chapter
            results[item] = CounterpartResult(match, nearest, is_certain)
        self._results[outline, other] = results
        return results

    def compared(self, outline: Outline) -> Mapping[Outline, Sequence[EditionDiff]]:
        """Return the differences of each edition of a book from the edition that it follows.

        The newest edition is compared with all earlier ones, the nearest first.
        """
        compared: dict[Outline, list[EditionDiff]] = {}
        for edition in self.book_editions(outline):
            compared[edition] = [*filter(None, [self.since_previous(edition)])]
        newest = self.newest(outline)
        compared[newest] = [self.diff(old, newest) for old in earlier_editions(newest, self.index.outlines)]
        return compared

    def since_previous(self, outline: Outline) -> EditionDiff | None:
        """Return the difference of an edition from the one that it follows."""
        previous = followed_edition(outline, self.index.outlines)
        return self._diff_of_neighbours(previous, outline) if previous else None

    def history_of(self, entry: RuleEntry) -> list[PastState]:
        """Return the earlier states of a rule, the latest first, as far back as they are known."""
        states: list[PastState] = []
        rule: RuleEntry | None = entry
        while rule and len(states) < len(self.index.outlines):
            diff = self.since_previous(self.index.outlines[rule.edition.address])
            change = diff.of_rule(rule) if diff else None
            if not (diff and change) or ChangeKind.ONLY in change.kinds:
                break
            states.append(PastState(diff.old, change.predecessor, change))
            rule = change.predecessor
        return states

    def diff(self, old: Outline, new: Outline) -> EditionDiff:
        """Return the difference of any two editions of a book, with the pairs found through those between."""
        if (old, new) not in self._diffs:
            back, results = self.results(new, old), self.results(old, new)
            known_pairs: dict[RuleEntry, RuleEntry] = {}
            for entry in old.ordered_entries:
                match = results[entry].match
                if isinstance(match, RuleEntry) and back[match].match is entry:
                    known_pairs[entry] = match
            self._diffs[old, new] = EditionDiff(self._side(old), self._side(new), known_pairs)
        return self._diffs[old, new]

    def _diff_of_neighbours(self, old: Outline, new: Outline) -> EditionDiff:
        if (old, new) not in self._diffs:
            self._diffs[old, new] = EditionDiff(self._side(old), self._side(new))
        return self._diffs[old, new]

    def _diffs_between(self, outline: Outline, other: Outline) -> list[EditionDiff]:
        """Return the differences between neighbours on the path from an edition to another.

        The path follows `follows:`, else the order of the editions.
        """
        editions = self.book_editions(outline)
        old, new = sorted((outline, other), key=editions.index)
        path = [new]
        while path[-1] is not old:
            previous = followed_edition(path[-1], self.index.outlines)
            if previous is None or previous in path:
                path = [*editions[editions.index(old) : editions.index(new) + 1]][::-1]
                break
            path.append(previous)
        diffs = [self._diff_of_neighbours(first, second) for second, first in pairwise(path)]
        return diffs if new is outline else diffs[::-1]


def _follow(diffs: Iterable[EditionDiff], source: Source) -> tuple[Source | None, bool]:
    """Return the counterpart of an item at the end of some differences, and whether that is certain."""
    for diff in diffs:
        match, is_certain = diff.counterpart(source)
        if match is None:
            return None, is_certain
        source = match
    return source, True


def _book(outline: Outline) -> str:
    return outline.edition.address.partition("/")[0]


# References of a rulebook.yml


class OldTerms:
    """References of terms in editions that are not the newest, as counterparts in these."""

    def __init__(self, index: ReferenceIndex) -> None:
        self.index, self.counterparts = index, Counterparts(index)
        self._homes = {
            (text.key, address): (is_see_key, home)
            for address, outline in index.outlines.items()
            for _, text, is_see_key, home in term_texts(outline, index.outlines)
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
            translated = (_translate(reference, outline, self.counterparts) for reference in resolved)
            self._references[key] = tuple(filter(None, translated))
        return self._references.get(key, ())


def _translate(reference: Reference, outline: Outline, counterparts: Counterparts) -> Reference | None:
    """Return a reference of the newest edition in another edition, None if too little of that is known.

    A name, and a reference that names an edition, lead into that edition from everywhere.
    """
    if reference.match.book or not isinstance(reference, RuleReference):
        return reference
    target, match = reference.target, reference.match
    result = counterpart(target, outline, counterparts)
    if isinstance(result.match, RuleEntry):
        number = result.match.display_number
        label = match.label or (number if number != target.display_number else None)
        return RuleReference(match._replace(label=label, number=result.match.number), result.match)
    message = f"{target} of {target.edition.short} is not in {outline.edition.short}"
    fault = FaultyReference(match, NOT_THERE, f"{message}, so that this leads nowhere there")
    return fault if result.is_certain else None


def counterpart(entry: RuleEntry, outline: Outline, counterparts: Counterparts) -> CounterpartResult:
    """Return the counterpart of a rule in an edition, or in the edition of the series that it extends."""
    book = entry.edition.address.partition("/")[0]
    editions = with_series(outline, counterparts.index.outlines)
    other = next((edition for edition in editions if _book(edition) == book), None)
    if other is None or entry.edition is other.edition:
        return CounterpartResult(entry)
    return counterparts.counterpart_of(entry, other)
