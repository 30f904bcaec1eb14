"""A rule, a step, a table or an aid in the other editions of its book.

    line of editions ──differences, one behind the other──► this is that ──or is not there──► what is near

Between editions that follow each other stands their difference, and what is several editions away is found
through those between. Editions that no `follows:` links are compared with their neighbours in time.

What a rulebook.yml cites, which holds for all editions, is read in the newest edition of the book whose file
it stands in. In every other edition it means what this rule, step, table or item is there, however called.
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
    """A rule in an earlier edition, None if not there yet, and its change to the edition that follows."""

    edition: Outline
    rule_then: RuleEntry | None
    change: RuleChange


class Histories:
    """The past of every rule, from the differences between editions that follow each other."""

    def __init__(self, differences: Iterable[EditionDiff]) -> None:
        self._since = {difference.new.edition.address: difference for difference in differences}

    def history_of(self, entry: RuleEntry) -> list[PastState]:
        """Earlier states of a rule, the latest first, as far back as editions tell of it."""
        past: list[PastState] = []
        seen: set[str] = set()
        at: RuleEntry | None = entry
        while at and (since := self._since.get(at.edition.address)) and at.edition.address not in seen:
            seen.add(at.edition.address)
            change = since.of_rule(at)
            if ChangeKind.ONLY in change.kinds:
                break
            past.append(PastState(since.old, change.predecessor, change))
            at = change.predecessor
        return past


NEWEST, OLD, TO_COME = "newest", "old", "to come"
"""Standing of an edition: the newest that is published, one before it, one that is not published yet."""


Thing = Source | Citable


@dataclass(frozen=True, slots=True)
class CounterpartResult:
    """Counterpart of a rule, step, table or aid in another edition."""

    match: Thing | None
    nearest: Thing | None = None
    """The most similar one, if none matches."""
    is_certain: bool = True
    """Whether enough of the other edition is known."""


Absent = Mapping[Thing | None, list[Source]]
"""Things that an edition lacks of another, in that one's order, by the thing nearest to their place."""

NOWHERE = CounterpartResult(None)


MOST_COMPARED = 20_000
"""Rules of a book's editions that are compared on pages with editions that theirs do not follow."""


class Counterparts:
    """Counterparts in the editions of each book, worked out for the pairs that are asked for."""

    def __init__(self, shelf: ReferenceIndex, differences: Iterable[EditionDiff]) -> None:
        self.shelf = shelf
        self._differences = {
            (_address(difference.old), _address(difference.new)): difference for difference in differences
        }
        self._of_rules: dict[tuple[str, str], Mapping[Source, CounterpartResult]] = {}
        self._found: dict[tuple[str, str], Mapping[Source, CounterpartResult]] = {}
        self._compared: dict[str, Mapping[Outline, Sequence[EditionDiff]]] = {}
        one_of_each = {_book(outline): outline for outline in shelf.outlines.values()}
        self._lines = {book: book_editions(outline, shelf.outlines) for book, outline in one_of_each.items()}

    def book_editions(self, outline: Outline) -> Sequence[Outline]:
        """All editions of a book, the oldest first."""
        return self._lines[_book(outline)]

    def other_editions(self, outline: Outline) -> list[Outline]:
        """The other editions of a book, the newest first."""
        return [one for one in reversed(self.book_editions(outline)) if one is not outline]

    def newest(self, outline: Outline) -> Outline:
        return self.shelf.outlines[self.shelf.newest[_book(outline)].address]

    def standing(self, outline: Outline) -> str:
        line = self.book_editions(outline)
        at, newest = line.index(outline), line.index(self.newest(outline))
        return NEWEST if at == newest else OLD if at < newest else TO_COME

    def counterpart_of(self, source: Source, other: Outline) -> CounterpartResult:
        found = self.rules if isinstance(source, RuleEntry) else self.all
        return found(self.shelf.outlines[source.edition.address], other).get(source, NOWHERE)

    def missing_by_neighbour(self, outline: Outline, other: Outline) -> Absent:
        """Things that an edition lacks of another, by the thing nearest to their place."""
        found: dict[Thing | None, list[Source]] = {}
        for source, one in self.all(other, outline).items():
            if one.match is None:
                found.setdefault(one.nearest, []).append(source)
        return found

    def all(self, outline: Outline, other: Outline) -> Mapping[Source, CounterpartResult]:
        """Counterparts of everything in an edition in another."""
        pair = _address(outline), _address(other)
        if pair not in self._found:
            found = dict(self.rules(outline, other))
            ways = self._ways(outline, other)
            for step in filter(None, [outline.sequence.root, *outline.sequence.iter_steps()]):
                there, sure = _through(ways, step)
                above = found.get(step.parent.original, NOWHERE) if step.parent else NOWHERE
                near = None if there else above.match or above.nearest or other.sequence.root
                found[step] = CounterpartResult(there, near, sure)
            others: list[Source] = [
                *self.shelf.editions[pair[0]].tables,
                *self.shelf.editions[pair[0]].aid_sheets,
            ]
            for one in others:
                there, sure = _through(ways, one)
                found[one] = CounterpartResult(there, None, sure)
            self._found[pair] = found
        return self._found[pair]

    def rules(self, outline: Outline, other: Outline) -> Mapping[Source, CounterpartResult]:
        """Counterparts of the rules of an edition in another."""
        pair = _address(outline), _address(other)
        if pair not in self._of_rules:
            ways = self._ways(outline, other)
            found: dict[Source, CounterpartResult] = {}
            # A chapter that is gone would stand behind the one before it.
            last: Source | None = next(iter(other.chapters), None)
            for entry in outline.ordered_entries:
                there, sure = _through(ways, entry)
                if there is None:
                    above = found[entry.parent] if entry.parent else CounterpartResult(None, last)
                    found[entry] = CounterpartResult(None, above.match or above.nearest, sure)
                else:
                    found[entry] = CounterpartResult(there)
                    last = there.chapter if isinstance(there, RuleEntry) else last
            self._of_rules[pair] = found
        return self._of_rules[pair]

    def compared(self, outline: Outline) -> Mapping[Outline, Sequence[EditionDiff]]:
        """Differences of each edition of a book from those before it, the nearest first.

        Those that no edition follows are as many as MOST_COMPARED allows, of the newest edition first.
        """
        book = _book(outline)
        if book not in self._compared:
            found: dict[Outline, list[EditionDiff]] = {}
            sides = {one: EditionSide(one, self.shelf) for one in self.book_editions(outline)}
            left = MOST_COMPARED
            for new in reversed(self.book_editions(outline)):
                row = found[new] = []
                own = followed_edition(new, self.shelf.outlines)
                for old in earlier_editions(new, self.shelf.outlines):
                    left -= 0 if old is own else len(new.entries)
                    if old is own or left >= 0:
                        row.append(self.diff(sides[old], sides[new]))
            self._compared[book] = found
        return self._compared[book]

    def diff(self, old: EditionSide, new: EditionSide) -> EditionDiff:
        """Difference of any two editions of a book: a rule is what those between tell that it became."""
        pair = _address(old.outline), _address(new.outline)
        if pair not in self._differences:
            back = self.all(new.outline, old.outline)
            sure = {
                entry: found.match
                for entry, found in self.all(old.outline, new.outline).items()
                if isinstance(entry, RuleEntry)
                and isinstance(found.match, RuleEntry)
                and back[found.match].match is entry
            }
            self._differences[pair] = EditionDiff(old, new, sure)
        return self._differences[pair]

    def _ways(self, outline: Outline, other: Outline) -> list[EditionDiff]:
        """The differences between neighbours on the way from an edition to another."""
        return [self._difference(*pair) for pair in pairwise(self._way(outline, other))]

    def _difference(self, one: Outline, two: Outline) -> EditionDiff:
        pair = _address(one), _address(two)
        diff = self._differences.get(pair) or self._differences.get(pair[::-1])
        if diff is None:
            diff = self._differences[pair] = diff_editions(one, two, self.shelf)
        return diff

    def _way(self, outline: Outline, other: Outline) -> list[Outline]:
        """The editions from one to another, both included: along what they follow, else by their line."""
        line = self.book_editions(outline)
        old, new = sorted((outline, other), key=line.index)
        way = [new]
        while (
            way[-1] is not old
            and (before := followed_edition(way[-1], self.shelf.outlines))
            and before not in way
        ):
            way.append(before)
        way = way[::-1] if way[-1] is old else list(line[line.index(old) : line.index(new) + 1])
        return way if way[0] is outline else way[::-1]


def _through(ways: Iterable[EditionDiff], source: Source) -> tuple[Source | None, bool]:
    """Counterpart at the end of all differences; where there is none, whether that is certain."""
    for difference in ways:
        found, sure = difference.counterpart(source)
        if found is None:
            return None, sure
        source = found
    return source, True


def _address(outline: Outline) -> str:
    return outline.edition.address


def _book(outline: Outline) -> str:
    return outline.edition.address.partition("/")[0]


# References of a rulebook.yml


class OldTerms:
    """References of terms, in editions that are not the newest, as rules of these."""

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
            found = (_there(reference, text, outline, self.counterparts) for reference in resolved)
            self._references[key] = tuple(filter(None, found))
        return self._references.get(key, ())


def _there(
    one: Reference, text: LocatedText, outline: Outline, counterparts: Counterparts
) -> Reference | None:
    """A reference of the newest edition in another one, None where of that too little is known to tell.

    One that names an edition leads into that from everywhere.
    """
    if one.match.book or not isinstance(one, RuleReference | CitableReference):
        return one
    meant = one.target if isinstance(one, RuleReference) else one.citable
    found = counterpart(meant, outline, counterparts)
    there = found.match
    if isinstance(there, RuleEntry):
        was = meant.display_number if isinstance(meant, RuleEntry) else ""
        label = one.match.label or (there.display_number if there.display_number != was else None)
        rules_in_range = one.rules_in_range if isinstance(one, RuleReference) else ()
        inside = (counterpart(entry, outline, counterparts).match for entry in rules_in_range)
        match = one.match._replace(label=label, number=there.number)
        return RuleReference(match, there, tuple(entry for entry in inside if isinstance(entry, RuleEntry)))
    if isinstance(there, SequenceStep | TableEntry | ListItem | TermName):
        words = one.match.label or one.as_written(text)
        pairs = zip(_names(meant, counterparts), _names(there, counterparts), strict=False)
        said = next(
            (pair for pair in pairs if pair[0] and words.casefold().endswith(pair[0].casefold())), None
        )
        label = f"{words[: -len(said[0])]}{said[1]}" if said and said[0] != said[1] else one.match.label
        return CitableReference(one.match._replace(label=label), there)
    message = (
        f"{meant} of {meant.edition.short} is not in {outline.edition.short}"
        ", so that this leads nowhere there"
    )
    return FaultyReference(one.match, NOT_THERE, message) if found.is_certain else None


def _names(thing: Thing, counterparts: Counterparts) -> tuple[str, ...]:
    """The names of a thing, by which a text may mean it, in an order that all of its sort have."""
    match thing:
        case SequenceStep():
            outline = counterparts.shelf.outlines[thing.edition.address]
            row = inner_steps(thing.parent, outline) if thing.parent else outline.sequence.steps
            count = thing.step.label or (row.index(thing) + 1 if thing in row else "")
            return spoken_title(thing), abbreviation_of(thing) or spoken_title(thing), str(count)
        case TableEntry():
            return str(thing.table.title), thing.display_number, str(thing.table.id or "")
        case ListItem():
            return (thing.number,)
    return ()


def counterpart(thing: Thing, outline: Outline, counterparts: Counterparts) -> CounterpartResult:
    """Counterpart of a thing in an edition, or in the edition of a series that this one extends."""
    shelf = counterparts.shelf
    book = _book(shelf.outlines[thing.edition.address])
    other = next((one for one in with_series(outline, shelf.outlines) if _book(one) == book), None)
    if other is None or thing.edition is other.edition:
        return CounterpartResult(thing)
    match thing:
        case TermName():
            return CounterpartResult(thing._replace(edition=other.edition))
        case ListItem():
            home = counterparts.counterpart_of(thing.entry, other)
            items = list_items_of(home.match) if isinstance(home.match, RuleEntry) else ()
            # An item is what it says; where that was reworded, the one of its number among as many.
            same = [item for item in items if item.words == thing.words]
            if not same and len(items) == len(list_items_of(thing.entry)):
                same = [item for item in items if item.labels == thing.labels]
            return CounterpartResult(same[0] if len(same) == 1 else None, is_certain=home.is_certain)
    return counterparts.counterpart_of(thing, other)
