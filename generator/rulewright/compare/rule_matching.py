"""Matching of two editions: which rule of one is which of the other, and which were split or merged.

An editor's `was:` comes first. Then in three steps: rules that say the same, those most alike, and the rest,
by their titles and by what lies around and inside them. A number alone says nothing: where it leads now may
be another rule.

Of what was split or merged only what is certain is named: nearly all words of the part stand in the whole, in
their order, and there in words that its other parts leave.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.compare.item_change import have_same_parent
from rulewright.compare.word_diff import (
    DiffWord,
    SimilarityIndex,
    common_length,
    similarity,
    tokenize,
    tokenize_for_matching,
)
from rulewright.files.located_text import LocatedText, TextKey
from rulewright.references.previous_edition import is_next_edition, rules_with_previous_numbers
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.rulebook import NEW

T = TypeVar("T")

FEW = 4
"""A text of fewer words may stand in several places, so words alone do not make it the same rule."""

ALIKE, ALIKE_HERE, BARELY = 0.5, 0.4, 0.3
"""Share of the words that has to have stayed: anywhere, at the same place, and under the same title."""

LEAST = 6
"""A rule of fewer words is never taken for a part of another."""

CONTAINED, COVERED = 0.8, 0.8
"""Share of the words of a part that has to stand in the whole, and of those of the whole in its parts."""

MOST_PAIRS = 10_000
"""Of rules that say the same, so many pairs are weighed; of more, those of one number are the same."""


class RuleWords(NamedTuple):
    """Words of a rule as they are matched: those of its title, and those of its text and notes."""

    title: tuple[str, ...]
    body: tuple[str, ...]


@dataclass(eq=False)
class EditionSide:
    """An edition, on the shelf that its references were resolved on."""

    outline: Outline
    shelf: ReferenceIndex
    _words: dict[TextKey, tuple[DiffWord, ...]] = field(default_factory=dict, repr=False)
    _of_rules: dict[RuleEntry, RuleWords] = field(default_factory=dict, repr=False)

    @property
    def tables(self) -> Sequence[TableEntry]:
        return self.shelf.editions[self.outline.edition.address].tables

    @property
    def errata_entries(self) -> Sequence[ErrataEntry]:
        return self.shelf.editions[self.outline.edition.address].errata_entries

    @property
    def sheets(self) -> Sequence[AidSheet]:
        return self.shelf.editions[self.outline.edition.address].aid_sheets

    def words(self, text: LocatedText | None) -> tuple[DiffWord, ...]:
        """The words of a text of this edition, worked out once."""
        if text is None:
            return ()
        known = self._words.get(text.key)
        if known is None:
            known = self._words[text.key] = tokenize(text, self.shelf.references(text))
        return known

    def matched(self, text: LocatedText | None) -> tuple[str, ...]:
        """The words of a text for matching."""
        return tokenize_for_matching(text, self.shelf.references(text)) if text else ()

    def of_rule(self, entry: RuleEntry) -> RuleWords:
        if entry not in self._of_rules:
            title, *texts = map(self.matched, (entry.title, *self.texts(entry)))
            self._of_rules[entry] = RuleWords(title, tuple(word for words in texts for word in words))
        return self._of_rules[entry]

    def source_texts(self, entry: RuleEntry) -> tuple[str, ...] | None:
        """The texts of a rule as they are written; None where one cites, since its number may be another."""
        texts = self.texts(entry)
        return None if any(map(self.shelf.references, texts)) else tuple(map(str, texts))

    def texts(self, entry: RuleEntry) -> list[LocatedText]:
        """The text of a rule, its end, and its notes. A rule that is a table is matched by its title."""
        if not (rule := entry.rule):
            return []
        return [*filter(None, [rule.text, rule.closing]), *(note.text for note in rule.notes)]

    def says(self, entry: RuleEntry) -> bool:
        """Whether the words of a rule are known, or that it has none of its own."""
        if entry in self.shelf.tables_by_target or self.texts(entry):
            return True
        return entry.rule is not None and self.lists_everything

    @cached_property
    def lists_everything(self) -> bool:
        """Whether no number of the printed book is left out."""
        known = self.outline.edition.known
        return known is None or known.lists == "everything"


@dataclass(eq=False, slots=True)
class MatchResult(Generic[T]):
    """Pairs of rules or steps. `old`: the new one for each old one, `new`: the old one for each new one.

    `parts`: new rules that are a further part of an old one; `merged`: old rules that went into a new one
    beside the one it was. `declared_pairs`: those that were matched by an editor, `excluded`: those that he
    says are new.
    """

    old: dict[T, T] = field(default_factory=dict)
    new: dict[T, T] = field(default_factory=dict)
    parts: dict[T, T] = field(default_factory=dict)
    merged: dict[T, T] = field(default_factory=dict)
    declared_pairs: set[T] = field(default_factory=set)
    excluded: set[T] = field(default_factory=set)

    def pair(self, one: T, other: T) -> None:
        self.old[one], self.new[other] = other, one

    def is_open(self, one: T, other: T) -> bool:
        return one not in self.old and other not in self.new

    def successor(self, one: T) -> T | None:
        """Return the new counterpart of an old thing, or the one it was merged into; None without either."""
        return self.old.get(one) or self.merged.get(one)

    def predecessor(self, other: T) -> T | None:
        """Return the old counterpart of a new thing, or the one it was split off; None without either."""
        return self.new.get(other) or self.parts.get(other)

    def turned(self) -> MatchResult[T]:
        return MatchResult(dict(self.new), dict(self.old), dict(self.merged), dict(self.parts))


def match_parts(
    made: MatchResult[RuleEntry],
    heirs: dict[RuleEntry, RuleEntry],
    origins: dict[RuleEntry, RuleEntry],
    parts: dict[RuleEntry, RuleEntry],
    wholes: EditionSide,
    pieces: EditionSide,
) -> None:
    """Enter in `parts` which rules that are still open are part of which one of the other edition.

    `heirs` has what each whole is in the edition of the pieces, `origins` the same turned round.
    """
    says, whole_says = pieces.of_rule, wholes.of_rule
    taken = {*origins, *parts, *made.excluded}
    opened = [
        entry
        for entry in pieces.outline.ordered_entries
        if entry not in taken and len(says(entry).body) >= LEAST
    ]
    if not opened:
        return
    changed: dict[RuleEntry, tuple[str, ...]] = {}
    for whole in wholes.outline.ordered_entries:
        rule, body = heirs.get(whole), whole_says(whole).body
        if body and whole not in made.excluded and not (rule and says(rule).body == body):
            changed[whole] = body
    index = SimilarityIndex(changed)
    found: dict[RuleEntry, list[RuleEntry]] = {}
    for piece in opened:
        body = says(piece).body
        for whole in index.like(body):
            words = changed[whole]
            if len(words) > len(body) and common_length(body, words) >= CONTAINED * len(body):
                found.setdefault(whole, []).append(piece)
                break
    for whole, mine in found.items():
        words, rule, title = changed[whole], heirs.get(whole), whole_says(whole).title
        together = sorted([*mine, *([rule] if rule else [])], key=lambda entry: entry.position)
        joined = tuple(word for entry in together for word in says(entry).body)
        # Together they have to make it up better than what it is already does alone.
        if rule and similarity(joined, words) <= similarity(says(rule).body, words):
            continue
        if not rule and len(mine) > 1 and common_length(joined, words) < COVERED * len(words):
            continue
        # What it is itself: what an editor has said, the piece that kept its title, or else the first one.
        said = [entry for entry in together if entry in made.declared_pairs]
        main = next(
            iter([*said, *(one for one in together if title and says(one).title == title), *together])
        )
        if rule:
            del origins[rule]
        heirs[whole], origins[main] = main, whole
        parts.update({piece: whole for piece in together if piece is not main})


def match_rules(
    old: EditionSide, new: EditionSide, sure: Mapping[RuleEntry, RuleEntry] = MappingProxyType({})
) -> MatchResult[RuleEntry]:
    """The rules of two editions matched, some of them known for sure, whichever edition is older."""
    if is_next_edition(old.outline, new.outline):
        return _Matcher(new, old, {other: rule for rule, other in sure.items()}).run().turned()
    return _Matcher(old, new, sure).run()


Key = Callable[[EditionSide, RuleEntry], Hashable]
"""Value by which rules of two editions are found to be the same."""


_key = attrgetter("key")


def _label(entry: RuleEntry) -> str:
    """The last label of a rule's number, which stays where only those before it change."""
    return entry.number.labels[-1]


class _Matcher:
    def __init__(self, old: EditionSide, new: EditionSide, sure: Mapping[RuleEntry, RuleEntry]) -> None:
        self.sides, self.a, self.b = (old, new), old.of_rule, new.of_rule
        self.made = MatchResult[RuleEntry]()
        for rule, other in sure.items():
            self.made.pair(rule, other)

    def run(self) -> MatchResult[RuleEntry]:
        if is_next_edition(self.sides[1].outline, self.sides[0].outline):
            self.forced()
        self.unchanged()
        self._only_ones(lambda side, entry: side.of_rule(entry).body)
        self.titled()
        self.neighbours()
        self.again()
        self.similar()
        self.titled()
        self.neighbours(last=True)
        self.again()
        made, (old, new) = self.made, self.sides
        match_parts(made, made.old, made.new, made.parts, old, new)
        match_parts(made, made.new, made.old, made.merged, new, old)
        return made

    # What an editor has said

    def forced(self) -> None:
        for entry, names in rules_with_previous_numbers(self.sides[1].outline):
            if NEW in names:
                self.made.excluded.add(entry)
                continue
            meant = [rule for name in names if (rule := self.sides[0].outline.find(name))]
            for rule in meant:
                if self.made.is_open(rule, entry):
                    self.made.pair(rule, entry)
                    self.made.declared_pairs |= {rule, entry}
                elif rule not in self.made.old:
                    self.made.merged[rule] = entry

    # Rules that say the same

    def unchanged(self) -> None:
        """Pair texts written alike that cite nothing: of one number and title first, then the only ones."""
        old, new = self.sides
        for rule in self._open(0):
            written, other = old.source_texts(rule), new.outline.entries.get(rule.key)
            if written and other and other not in self.made.excluded and self.made.is_open(rule, other):
                titled = rule.title and rule.title == other.title
                if titled and written == new.source_texts(other):
                    self.made.pair(rule, other)
        self._only_ones(lambda side, entry: side.source_texts(entry))

    def _only_ones(self, key: Key) -> None:
        for olds, news in self._alike(key):
            if len(olds) == len(news) == 1:
                (rule,), (other,) = olds, news
                words = sum(text.count(" ") + 1 for text in self.sides[0].texts(rule))
                if words >= FEW or rule.key == other.key or self._same_title(rule, other):
                    self.made.pair(rule, other)

    def again(self) -> None:
        """Texts that are the same in several rules: the one in whose place another stands is meant."""
        for olds, news in self._alike(lambda side, entry: side.of_rule(entry).body):
            self._by_place(olds, news)
            if len(self.a(olds[0]).body) >= FEW:
                for rule, other in zip(self._open(0, olds), self._open(1, news), strict=False):
                    self.made.pair(rule, other)

    def titled(self) -> None:
        """Rules of one title, if nothing says that they are different ones."""
        for olds, news in self._alike(lambda side, entry: side.of_rule(entry).title):
            if len(olds) == len(news) == 1:
                (rule,), (other,) = olds, news
                if self._may_be(rule, other, BARELY):
                    self.made.pair(rule, other)
            else:
                self._by_place(olds, news)

    def _alike(self, key: Key) -> Iterator[tuple[list[RuleEntry], list[RuleEntry]]]:
        groups: dict[Hashable, tuple[list[RuleEntry], list[RuleEntry]]] = defaultdict(lambda: ([], []))
        for at, side in enumerate(self.sides):
            for entry in self._open(at):
                if what := key(side, entry):
                    groups[what][at].append(entry)
        return ((olds, news) for olds, news in groups.values() if olds and news)

    def _open(self, at: int, entries: Iterable[RuleEntry] | None = None) -> list[RuleEntry]:
        entries = self.sides[at].outline.ordered_entries if entries is None else entries
        taken = (self.made.old, self.made.new)[at]
        others = (self.made.merged, self.made.excluded)[at]
        return [entry for entry in entries if entry not in taken and entry not in others]

    def _by_place(self, olds: list[RuleEntry], news: list[RuleEntry]) -> None:
        """Pair rules that say the same by where they stand; those without anything in common stay open."""
        if len(olds) * len(news) > MOST_PAIRS:
            by_key = {entry.key: entry for entry in olds}
            weighed = [(0, 0, by_key[other.key], other) for other in news if other.key in by_key]
        else:
            weighed = [
                (-place, at, rule, other)
                for at, rule in enumerate(olds)
                for other in news
                if (place := self._place(rule, other)) > 1 and self._may_be(rule, other, BARELY)
            ]
        for _, _, one, other in sorted(weighed, key=lambda pair: pair[:2]):
            if self.made.is_open(one, other):
                self.made.pair(one, other)

    def _place(self, one: RuleEntry, other: RuleEntry) -> int:
        """How much two rules have in common beside their words."""
        labels = one.number.labels[-1] == other.number.labels[-1]
        parents = have_same_parent(one, other, self.made.new)
        return 4 * self._same_title(one, other) + 2 * parents + 2 * (one.key == other.key) + labels

    def _same_title(self, one: RuleEntry, other: RuleEntry) -> bool:
        return bool(self.a(one).title) and self.a(one).title == self.b(other).title

    def _may_be(self, one: RuleEntry, other: RuleEntry, least: float) -> bool:
        """Whether two rules may be one by their words; with one number and title they always may."""
        a, b = self.a(one).body, self.b(other).body
        if not a or not b or (one.key == other.key and self._same_title(one, other)):
            return True
        return similarity(a, b) >= least

    # Rules most alike

    def similar(self) -> None:
        """Reworded rules: of all pairs that share enough of their words the best first."""
        index = SimilarityIndex({entry: self.a(entry).body for entry in self._open(0) if self.a(entry).body})
        by_key = {entry.key: entry for entry in index.texts}
        found: list[tuple[float, int, RuleEntry, RuleEntry]] = []
        for other in self._open(1):
            body = self.b(other).body
            if not body:
                continue
            candidates = index.like(body)
            here = by_key.get(other.key)
            candidates += [here] if here and here not in candidates else []
            for rule in candidates:
                alike, place = similarity(index.texts[rule], body), self._place(rule, other)
                few = min(len(index.texts[rule]), len(body)) <= FEW
                if alike >= (0.6 if few and place < 2 else ALIKE_HERE if place > 2 else ALIKE):
                    found.append((-alike - place / 50, other.position, rule, other))
        for _, _, rule, other in sorted(found, key=lambda pair: pair[:2]):
            if self.made.is_open(rule, other):
                self.made.pair(rule, other)

    # The rest

    def neighbours(self, last: bool = False) -> None:
        while self._around() + self._inside(last):
            pass

    def _inside(self, last: bool) -> int:
        """Rules of one label in rules that are the same, and chapters of one number, that say too little."""
        before = len(self.made.old)
        chapters = [side.outline.chapters for side in self.sides]
        rows = [(chapters[0], chapters[1])]
        rows += [(rule.children, other.children) for rule, other in self.made.old.items()]
        for olds, news in rows:
            for name in (_key, _label):
                by_name = {name(entry): entry for entry in self._open(1, news)}
                for one in self._open(0, olds) if by_name else ():
                    other = by_name.get(name(one))
                    if other and self.made.is_open(one, other) and self._silent(one, other, last):
                        self.made.pair(one, other)
        return len(self.made.old) - before

    def _silent(self, one: RuleEntry, other: RuleEntry, last: bool) -> bool:
        """Whether titles agree (and it is the `last` try, if both have words), or too little is known."""
        a, b = self.a(one), self.b(other)
        agree = bool(a.title and b.title) and similarity(a.title, b.title) >= ALIKE
        if a.body and b.body:
            return agree and last
        known = self.sides[0].says(one) and self.sides[1].says(other)
        return agree or (not (a.title and b.title) and not (known and (a.body or b.body)))

    def _around(self) -> int:
        """Rules without words of their own in which most of the rules are those of the other."""
        before = len(self.made.old)
        for rule in self._open(0):
            heirs = Counter(
                successor.parent
                for child in rule.children
                if (successor := self.made.old.get(child)) and successor.parent
            )
            for other, count in heirs.most_common(1):
                most = 2 * count > len(rule.children) and 2 * count > len(other.children)
                free = self.made.is_open(rule, other) and other not in self.made.excluded
                if free and most and self._may_be(rule, other, BARELY):
                    self.made.pair(rule, other)
        return len(self.made.old) - before
