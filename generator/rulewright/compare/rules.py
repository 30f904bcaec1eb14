"""Changes of the rules of two editions, each rule once, in the order of the newer one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from rulewright.book.outline import Entry
from rulewright.citations.resolving import Resolved
from rulewright.compare.change import Change, Kind, Part, RuleChange
from rulewright.compare.matching import Matching, Side
from rulewright.compare.words import Meaning, Piece, Word, difference, joined, likeness, masked, meaning, same

T = TypeVar("T")
Said = list[tuple[str, Sequence[Word]]]

MOST_NOTES = 50
"""Among so many notes of a rule, one that changed is looked for."""

GONE = "gone"
"""What is said instead of a number of a rule that is not there any more."""

BARELY = 0.3
"""What part of its words has to have stayed in a note that is the same, where there are others."""


def meanings(old: Side, new: Side, made: Matching) -> tuple[Meaning, Meaning]:
    """What a reference means in the old and in the new edition, under one key if it is the same rule.

    What lies deeper than a rule that is merely listed, 12.5c(B) in 12.5c, is meant by its labels.
    """

    def key(resolved: Resolved, own: Side, heir: Callable[[Entry], Entry | None]) -> tuple[str, str]:
        target, number = resolved.target, resolved.number
        assert target
        assert number
        deeper = "/".join(number.labels[len(target.number.labels) :])
        if target.edition is not own.outline.edition:
            return f"{target.edition.address}:{target.key}+{deeper}", target.key
        if meant := heir(target):
            return f"{meant.key}+{deeper}", meant.key
        return f"gone:{target.key}+{deeper}", GONE

    return (
        lambda resolved: key(resolved, old, lambda entry: made.old.get(entry) or made.merged.get(entry)),
        lambda resolved: key(resolved, new, lambda entry: entry),
    )


class Rules:
    """The rules of two editions compared."""

    def __init__(self, old: Side, new: Side, made: Matching) -> None:
        self.old, self.new, self.made = old, new, made
        # One edition at two times: what it had is known, even if it is here in part.
        self.is_one = old.outline.edition.address == new.outline.edition.address
        self.meant = meanings(old, new, made)
        self.in_place = self._in_place()
        self.pieces: dict[Entry, list[Entry]] = {}
        for part, whole in [*made.parts.items(), *made.merged.items()]:
            self.pieces.setdefault(whole, []).append(part)
        left = (
            [entry for entry in old.outline.in_order if entry not in made.old],
            [entry for entry in new.outline.in_order if entry not in made.new],
        )
        self._left = tuple(map(bool, left))
        # A rule may hide among those of which only the number is known.
        self._hides = tuple(
            not self.is_one and (not side.lists_everything or not all(map(side.says, rest)))
            for side, rest in zip((old, new), left, strict=True)
        )

    def is_sure(self, side: Side, entry: Entry | None = None) -> bool:
        """Whether what is in one edition only, such as a rule, is certainly not in the other.

        A rule of which only the number is known may be any that is left there.
        """
        other = side is self.old
        if self.is_one:
            return True
        return not self._hides[other] and not (self._left[other] and entry and not side.says(entry))

    def changes(self) -> list[RuleChange]:
        """Every rule of the new edition, and behind the one that stood before it what is gone."""
        gone: dict[Entry | None, list[RuleChange]] = {}
        before: Entry | None = None
        for entry in self.old.outline.in_order:
            if entry in self.made.old:
                before = self.made.old[entry]
            else:
                gone.setdefault(before, []).append(self._gone(entry))
        rows = [gone.get(None, [])]
        for entry in self.new.outline.in_order:
            rows += [[self._here(entry)], gone.get(entry, [])]
        return [change for row in rows for change in row]

    def _gone(self, entry: Entry) -> RuleChange:
        if whole := self.made.merged.get(entry):
            return Change(entry, None, (Kind.MERGED,), (), (whole,))
        kinds = (Kind.REMOVED if self.is_sure(self.old, entry) else Kind.ONLY,)
        return self._one(entry, kinds, self.old)

    def _here(self, entry: Entry) -> RuleChange:
        if whole := self.made.parts.get(entry):
            return Change(None, entry, (Kind.SPLIT,), (), (whole,))
        if was := self.made.new.get(entry):
            return self._both(was, entry)
        kinds = (Kind.ADDED if self.is_sure(self.new, entry) else Kind.ONLY,)
        return self._one(entry, kinds, self.new)

    def _one(self, entry: Entry, kinds: tuple[Kind, ...], side: Side) -> RuleChange:
        """What is told of a rule that is in one edition only."""
        matched = self.made.old if side is self.old else self.made.new
        along = entry.parent is not None and entry.parent not in matched
        inside = 0 if along else sum(one not in matched for one in entry.walk()) - 1
        old, new = (entry, None) if side is self.old else (None, entry)
        return Change(old, new, kinds, self._all(side, entry), along=along, inside=inside)

    def _both(self, was: Entry, entry: Entry) -> RuleChange:
        kinds: list[Kind] = []
        unread = self._unread(was, entry)
        known = self.old.says(was) and self.new.says(entry)
        parts = [part for part in self._parts(was, entry) if part.name == "title" or not unread]
        into, of = self.pieces.get(was, []), self.pieces.get(entry, [])
        along = False
        if into:
            kinds.append(Kind.SPLIT)
        if of:
            kinds.append(Kind.MERGED)
        if was.key != entry.key:
            along = self._moved_along(was, entry)
            kinds.append(Kind.RENUMBERED if entry in self.in_place else Kind.MOVED)
        if any(part.name == "title" for part in parts):
            kinds.append(Kind.RETITLED)
        if not (into or of) and any(part.name != "title" for part in parts):
            kinds.append(Kind.REWORDED)
        if unread:
            kinds.append(Kind.UNREAD)
        return Change(was, entry, tuple(kinds), tuple(parts), (*into, *of), along, known)

    def _unread(self, was: Entry, entry: Entry) -> bool:
        """Whether one of the two has words and the other is only known by its number."""
        bodies = self.old.texts(was), self.new.texts(entry)
        if self.is_one:
            return False
        return bool(bodies[0] and not self.new.says(entry)) or bool(bodies[1] and not self.old.says(was))

    # Where it stands

    def _in_place(self) -> set[Entry]:
        """The new rules that are in the same order as before among those that lay beside them."""
        stayed: set[Entry] = set()
        rows = [self.new.outline.chapters, *(entry.children for entry in self.new.outline.in_order)]
        for row in rows:
            both = [entry for entry in row if (was := self.made.new.get(entry)) and self._beside(was, entry)]
            stayed.update(longest_in_order(both, lambda entry: self.made.new[entry].position))
        return stayed

    def _beside(self, was: Entry, entry: Entry) -> bool:
        """Whether two rules lie in the same rule, or are both chapters."""
        if was.parent is None or entry.parent is None:
            return was.parent is entry.parent
        return self.made.old.get(was.parent) is entry.parent

    def _moved_along(self, was: Entry, entry: Entry) -> bool:
        """Whether a number is another one only because that of what it lies in is."""
        same = was.number.labels[-1] == entry.number.labels[-1]
        return same and entry.parent is not None and entry in self.in_place

    # What it says

    def _parts(self, was: Entry, entry: Entry) -> Iterator[Part]:
        if self.is_one or (was.title and entry.title) or (self.old.says(was) and self.new.says(entry)):
            yield from self.part("title", [self.old.words(was.title)], [self.new.words(entry.title)])
        if self._is_as_written(was, entry) or not (self.is_one or (was.rule and entry.rule)):
            return
        olds, news = self._said(self.old, was), self._said(self.new, entry)
        for name, before, after in aligned(olds, news):
            yield from self.part(name, before, after)

    def _is_as_written(self, was: Entry, entry: Entry) -> bool:
        """Whether two whole rules are written alike, without a reference that may mean another rule."""
        if not (was.rule and entry.rule) or was in self.pieces or entry in self.pieces:
            return False
        same = self.old.written(was) is not None and self.old.written(was) == self.new.written(entry)
        others = [
            ([note.kind for note in rule.notes], [(f.alt, f.file) for f in rule.figures], rule.dated)
            for rule in (was.rule, entry.rule)
        ]
        return same and others[0] == others[1]

    def _said(self, side: Side, entry: Entry) -> Said:
        """What a rule says beside its title, with that of the parts it was split into or made from."""
        edition, said = side.outline.edition, Said()
        others = [one for one in self.pieces.get(entry, ()) if one.edition is edition]
        if entry.edition is self.new.outline.edition and (was := self.made.new.get(entry)):
            others += [one for one in self.pieces.get(was, ()) if one.edition is edition]
        elif entry.edition is self.old.outline.edition and (heir := self.made.old.get(entry)):
            others += [one for one in self.pieces.get(heir, ()) if one.edition is edition]
        for one in sorted({entry, *others}, key=lambda e: e.position):
            if one.rule:
                said += [("text", side.words(one.rule.text))] if one.rule.text else []
                said += [(str(note.kind), side.words(note.text)) for note in one.rule.notes]
                figures = ([side.words(f.alt), side.words(f.file)] for f in one.rule.figures)
                said += [("picture", joined(figure, ", ")) for figure in figures]
        if entry.rule and entry.rule.dated:
            said.append(("dated", side.words(entry.rule.dated)))
        return said

    def _all(self, side: Side, entry: Entry) -> tuple[Part, ...]:
        """All that a rule says that is in one edition only."""
        sign = "-" if side is self.old else "+"
        return tuple(
            Part(name, (Piece(sign, tuple(words)),)) for name, words in self._said(side, entry) if words
        )

    def part(
        self, name: str, olds: Sequence[Sequence[Word]], news: Sequence[Sequence[Word]], between: str = "\n"
    ) -> Iterator[Part]:
        """What differs in something that both say in one or more texts, with something `between` them."""
        before, after = (
            joined([meaning(words, meant) for words in texts], between)
            for texts, meant in zip((olds, news), self.meant, strict=True)
        )
        if not same(before, after):
            yield Part(name, tuple(difference(before, after)))


def aligned(olds: Said, news: Said) -> Iterator[tuple[str, list[Sequence[Word]], list[Sequence[Word]]]]:
    """What two rules say side by side: all their text together, and of the notes those most alike."""
    texts = [[words for name, words in side if name == "text"] for side in (olds, news)]
    yield "text", texts[0], texts[1]
    left = [(name, masked(words), words) for name, words in olds if name != "text"]
    for name, words in news:
        if name == "text":
            continue
        wanted = masked(words)
        own = [one for one in left[:MOST_NOTES] if one[0] == name]
        best = max(own, key=lambda one: likeness(one[1], wanted), default=None)
        if best and len(own) > 1 and likeness(best[1], wanted) < BARELY:
            best = None
        if best:
            left.remove(best)
        yield name, [best[2]] if best else [], [words]
    for name, _, words in left:
        yield name, [words], []


def longest_in_order(row: Sequence[T], place: Callable[[T], int]) -> list[T]:
    """The longest choice from a row in which places only go up."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for at, one in enumerate(row):
        spot = bisect_left(tails, place(one))
        before.append(ends[spot - 1] if spot else -1)
        if spot == len(tails):
            tails.append(place(one))
            ends.append(at)
        else:
            tails[spot], ends[spot] = place(one), at
    chosen: list[T] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chosen.append(row[at])
        at = before[at]
    return chosen[::-1]
