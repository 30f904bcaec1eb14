"""Which rule of one edition was which of the other.

What an editor has said with `was:` comes first. Then in three steps: rules that say the same, those most
alike, and the rest, by their titles and by what lies around and inside them. A number alone says nothing:
where it leads now may be another rule.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from types import MappingProxyType

from rulewright.book.outline import Entry
from rulewright.citations.predecessor import follows, was_of
from rulewright.compare.changes.parts import Matching, divide
from rulewright.compare.changes.side import Side
from rulewright.compare.changes.similarity import Index, likeness
from rulewright.model.rulebook import NEW

FEW = 4
"""A text of fewer words may stand in several places, so words alone do not make it the same rule."""

ALIKE, ALIKE_HERE, BARELY = 0.5, 0.4, 0.3
"""What part of the words has to have stayed: anywhere, at the same place, and under the same title."""

MOST_PAIRS = 10_000
"""Of rules that say the same, so many pairs are weighed; of more, those of one number are the same."""


def match(old: Side, new: Side, sure: Mapping[Entry, Entry] = MappingProxyType({})) -> Matching:
    """The rules of two editions matched, whichever of them is the older.

    `sure`: which rules of `old` are known to be which of `new`.
    """
    if follows(old.outline, new.outline):
        return _Matcher(new, old, {other: one for one, other in sure.items()}).run().turned()
    return _Matcher(old, new, sure).run()


Key = Callable[[Side, Entry], Hashable]
"""What a rule of an edition is found by."""


class _Matcher:
    """One run over two editions."""

    def __init__(self, old: Side, new: Side, sure: Mapping[Entry, Entry]) -> None:
        self.sides, self.a, self.b = (old, new), old.sayings, new.sayings
        self.made = Matching()
        for one, other in sure.items():
            self.made.pair(one, other)

    def run(self) -> Matching:
        if follows(self.sides[1].outline, self.sides[0].outline):
            self.forced()
        self.unchanged()
        self.identical()
        self.titled()
        self.neighbours()
        self.again()
        self.similar()
        self.titled()
        self.neighbours(last=True)
        self.again()
        divide(self.made, *self.sides)
        return self.made

    # What an editor has said

    def forced(self) -> None:
        for entry, names in was_of(self.sides[1].outline):
            if NEW in names:
                self.made.barred.add(entry)
                continue
            meant = [one for name in names if (one := self.sides[0].outline.find(name))]
            for one in meant:
                if self.made.is_open(one, entry):
                    self.made.pair(one, entry)
                    self.made.said |= {one, entry}
                elif one not in self.made.old:
                    self.made.merged[one] = entry

    # Rules that say the same

    def unchanged(self) -> None:
        """Texts that are written alike and cite nothing: most of a book, at a glance.

        Those under one number and one title first, then those of which each edition has one.
        """
        old, new = self.sides
        for one in self._open(0):
            written, other = old.written(one), new.outline.entries.get(one.key)
            if written and other and other not in self.made.barred and self.made.is_open(one, other):
                titled = one.title and one.title == other.title
                if titled and written == new.written(other):
                    self.made.pair(one, other)
        self._only_ones(lambda side, entry: side.written(entry))

    def identical(self) -> None:
        """Texts that are the same but for what they cite, and there is one of them in each edition."""
        self._only_ones(lambda side, entry: side.sayings[entry].body)

    def _only_ones(self, key: Key) -> None:
        for olds, news in self._alike(key):
            if len(olds) == len(news) == 1:
                (one,), (other,) = olds, news
                words = sum(text.count(" ") + 1 for text in self.sides[0].texts(one))
                if words >= FEW or one.key == other.key or self._same_title(one, other):
                    self.made.pair(one, other)

    def again(self) -> None:
        """Texts that are the same in several rules: the one in whose place another stands is meant."""
        for olds, news in self._alike(lambda side, entry: side.sayings[entry].body):
            self._by_place(olds, news)
            if len(self.a[olds[0]].body) >= FEW:
                for one, other in zip(self._open(0, olds), self._open(1, news), strict=False):
                    self.made.pair(one, other)

    def titled(self) -> None:
        """Rules of one title, if nothing says that they are different ones."""
        for olds, news in self._alike(lambda side, entry: side.sayings[entry].title):
            if len(olds) == len(news) == 1:
                (one,), (other,) = olds, news
                if self._may_be(one, other, BARELY):
                    self.made.pair(one, other)
            else:
                self._by_place(olds, news)

    def _alike(self, key: Callable[[Side, Entry], Hashable]) -> Iterator[tuple[list[Entry], list[Entry]]]:
        """The rules of both editions, not yet matched, that have a key in common."""
        groups: dict[Hashable, tuple[list[Entry], list[Entry]]] = defaultdict(lambda: ([], []))
        for at, side in enumerate(self.sides):
            for entry in self._open(at):
                if what := key(side, entry):
                    groups[what][at].append(entry)
        return ((olds, news) for olds, news in groups.values() if olds and news)

    def _open(self, at: int, entries: Iterable[Entry] | None = None) -> list[Entry]:
        """The rules of an edition, or some of them, that are not matched yet."""
        entries = self.sides[at].outline.in_order if entries is None else entries
        taken = (self.made.old, self.made.new)[at]
        others = (self.made.merged, self.made.barred)[at]
        return [entry for entry in entries if entry not in taken and entry not in others]

    def _by_place(self, olds: list[Entry], news: list[Entry]) -> None:
        """Pair rules that say the same by where they stand; those without anything in common stay open."""
        if len(olds) * len(news) > MOST_PAIRS:
            by_key = {entry.key: entry for entry in olds}
            weighed = [(0, 0, by_key[other.key], other) for other in news if other.key in by_key]
        else:
            weighed = [
                (-place, at, one, other)
                for at, one in enumerate(olds)
                for other in news
                if (place := self._place(one, other)) > 1 and self._may_be(one, other, BARELY)
            ]
        for _, _, one, other in sorted(weighed, key=lambda pair: pair[:2]):
            if self.made.is_open(one, other):
                self.made.pair(one, other)

    def _place(self, one: Entry, other: Entry) -> int:
        """How much two rules have in common beside what they say."""
        labels = one.number.labels[-1] == other.number.labels[-1]
        parents = self._same_parents(one, other)
        return 4 * self._same_title(one, other) + 2 * parents + 2 * (one.key == other.key) + labels

    def _same_parents(self, one: Entry, other: Entry) -> bool:
        if one.parent is None or other.parent is None:
            return one.parent is other.parent
        return self.made.old.get(one.parent) is other.parent

    def _same_title(self, one: Entry, other: Entry) -> bool:
        return bool(self.a[one].title) and self.a[one].title == self.b[other].title

    def _may_be(self, one: Entry, other: Entry, least: float) -> bool:
        """Whether what two rules say does not rule out that they are one, at the same place even less."""
        a, b = self.a[one].body, self.b[other].body
        if not a or not b or (one.key == other.key and self._same_title(one, other)):
            return True
        return likeness(a, b) >= least

    # Rules most alike

    def similar(self) -> None:
        """Reworded rules: of all pairs that share enough of their words the best first."""
        index = Index({entry: self.a[entry].body for entry in self._open(0) if self.a[entry].body})
        by_key = {entry.key: entry for entry in index.texts}
        found: list[tuple[float, int, Entry, Entry]] = []
        for other in self._open(1):
            body = self.b[other].body
            if not body:
                continue
            candidates = index.like(body)
            here = by_key.get(other.key)
            candidates += [here] if here and here not in candidates else []
            for one in candidates:
                alike, place = likeness(index.texts[one], body), self._place(one, other)
                few = min(len(index.texts[one]), len(body)) <= FEW
                if alike >= (0.6 if few and place < 2 else ALIKE_HERE if place > 2 else ALIKE):
                    found.append((-alike - place / 50, other.position, one, other))
        for _, _, one, other in sorted(found, key=lambda pair: pair[:2]):
            if self.made.is_open(one, other):
                self.made.pair(one, other)

    # The rest

    def neighbours(self, last: bool = False) -> None:
        """Rules that nothing speaks against, inside or around rules that are the same, until none is left."""
        while self._around() + self._inside(last):
            pass

    def _inside(self, last: bool) -> int:
        """Rules of one label in rules that are the same, and chapters of one number, that say too little."""
        before = len(self.made.old)
        chapters = [side.outline.chapters for side in self.sides]
        rows = [(chapters[0], chapters[1])]
        rows += [(one.children, other.children) for one, other in self.made.old.items()]
        for olds, news in rows:
            for name in (_key, _label):
                by_name = {name(entry): entry for entry in self._open(1, news)}
                for one in self._open(0, olds) if by_name else ():
                    other = by_name.get(name(one))
                    if other and self.made.is_open(one, other) and self._silent(one, other, last):
                        self.made.pair(one, other)
        return len(self.made.old) - before

    def _silent(self, one: Entry, other: Entry, last: bool) -> bool:
        """Whether nothing speaks against two rules at one place: titles agree, or too little is known.

        Where both have words, those are not alike, and only one and the same title makes them one rule.
        """
        a, b = self.a[one], self.b[other]
        agree = bool(a.title and b.title) and likeness(a.title, b.title) >= ALIKE
        if a.body and b.body:
            return agree and last
        if agree or not (a.title and b.title):
            known = self.sides[0].says(one) and self.sides[1].says(other)
            return agree or not known or not (a.body or b.body)
        return False

    def _around(self) -> int:
        """Rules without words of their own in which most of the rules are those of the other."""
        before = len(self.made.old)
        for one in self._open(0):
            heirs = Counter(
                heir.parent for child in one.children if (heir := self.made.old.get(child)) and heir.parent
            )
            for other, count in heirs.most_common(1):
                most = 2 * count > len(one.children) and 2 * count > len(other.children)
                free = self.made.is_open(one, other) and other not in self.made.barred
                if free and most and self._may_be(one, other, BARELY):
                    self.made.pair(one, other)
        return len(self.made.old) - before


def _key(entry: Entry) -> str:
    return entry.key


def _label(entry: Entry) -> str:
    """The last label of a rule's number, which stays where only those before it change."""
    return entry.number.labels[-1]
