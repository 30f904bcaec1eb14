"""Changes of the rules of two editions, each rule once, in the order of the newer one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields

from rulewright.book.outline import Entry
from rulewright.citations.resolving import Resolved
from rulewright.compare.change import (
    Change,
    Kind,
    RuleChange,
    WordDifference,
    in_place,
    in_turn,
    kinds_of,
    lone,
)
from rulewright.compare.matching import BARELY, Matching, Side
from rulewright.compare.word_changes import (
    Meaning,
    Piece,
    Word,
    difference,
    joined,
    masked,
    meaning,
    most_alike,
    same,
)
from rulewright.model.keys import every_text
from rulewright.model.rulebook import Standing
from rulewright.source.text import Text

Said = list[tuple[str, Sequence[Word]]]

MOST_NOTES = 50
"""Among so many notes of a rule, one that changed is looked for."""

STANDING = tuple(f.name for f in fields(Standing) if f.name not in ("was", "formerly"))
"""Keys that say how a rule stands to those that hold beside it or in its place."""

GONE = "gone"
"""Stands for the number of a rule that is not there any more."""


def meanings(old: Side, new: Side, made: Matching[Entry]) -> tuple[Meaning, Meaning]:
    """Meaning of references in the old and in the new edition: one key for one rule.

    A number that lies deeper than a rule that is merely listed, 12.5c(B) in 12.5c, is meant by its labels.
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

    def __init__(self, old: Side, new: Side, made: Matching[Entry]) -> None:
        self.old, self.new, self.made = old, new, made
        # One edition at two times: what it had is known, even if it is here in part.
        self.is_one = old.outline.edition.address == new.outline.edition.address
        self.meant = meanings(old, new, made)
        rows = [new.outline.chapters, *(entry.children for entry in new.outline.in_order)]
        self.in_place = in_place(rows, made.new, lambda entry: entry.position)
        self.pieces: dict[Entry, list[Entry]] = {}
        for part, whole in [*made.parts.items(), *made.merged.items()]:
            self.pieces.setdefault(whole, []).append(part)
        left = [
            [entry for entry in side.outline.in_order if entry not in taken]
            for side, taken in ((old, made.old), (new, made.new))
        ]
        self._left = [*map(bool, left)]
        # A rule may hide among those of which only the number is known.
        self._hides = [
            not self.is_one and (not side.lists_everything or not all(map(side.says, rest)))
            for side, rest in zip((old, new), left, strict=True)
        ]

    def is_sure(self, side: Side, entry: Entry | None = None) -> bool:
        """Whether what is in one edition only is certainly not in the other."""
        other = side is self.old
        unknown = self._left[other] and entry is not None and not side.says(entry)
        return self.is_one or not (self._hides[other] or unknown)

    def changes(self) -> list[RuleChange]:
        """Every rule of the new edition, and behind the one that stood before it each that is gone."""
        olds, news = self.old.outline.in_order, self.new.outline.in_order
        return in_turn(olds, news, self.made.old, self._gone, self._here)

    def _gone(self, entry: Entry) -> RuleChange:
        if whole := self.made.merged.get(entry):
            return Change(entry, None, (Kind.MERGED,), (), (whole,))
        kind = Kind.REMOVED if self.is_sure(self.old, entry) else Kind.ONLY
        return lone(entry, None, kind, self.made.old, self._all("-", self.old, entry))

    def _here(self, entry: Entry) -> RuleChange:
        if whole := self.made.parts.get(entry):
            return Change(None, entry, (Kind.SPLIT,), (), (whole,))
        if was := self.made.new.get(entry):
            return self._both(was, entry)
        kind = Kind.ADDED if self.is_sure(self.new, entry) else Kind.ONLY
        return lone(None, entry, kind, self.made.new, self._all("+", self.new, entry))

    def _both(self, was: Entry, entry: Entry) -> RuleChange:
        says = self.old.says(was), self.new.says(entry)
        # One of the two has words and the other is only known by its number.
        unread = bool((self.old.texts(was) and not says[1]) or (self.new.texts(entry) and not says[0]))
        unread = unread and not self.is_one
        parts = [part for part in self._parts(was, entry) if part.name == "title" or not unread]
        standing = [part for name in STANDING for part in self._standing(name, was, entry)]
        into, of = self.pieces.get(was, []), self.pieces.get(entry, [])
        kinds = [*([Kind.SPLIT] if into else []), *([Kind.MERGED] if of else [])]
        along, stays = False, entry in self.in_place
        if was.key != entry.key:
            along = stays and was.number.labels[-1] == entry.number.labels[-1] and entry.parent is not None
            kinds.append(Kind.RENUMBERED if stays else Kind.MOVED)
        differs = kinds_of(parts, Kind.REWORDED)
        kinds += [kind for kind in differs if kind is Kind.RETITLED or not (into or of)]
        if standing:
            is_retired = _ends(entry) and not _ends(was)
            kinds += [Kind.RETIRED] if is_retired else [Kind.REWORDED] if Kind.REWORDED not in kinds else []
        kinds += [Kind.UNREAD] if unread else []
        return Change(was, entry, tuple(kinds), (*parts, *standing), (*into, *of), along, all(says))

    def _parts(self, was: Entry, entry: Entry) -> Iterator[WordDifference]:
        if self.is_one or (was.title and entry.title) or (self.old.says(was) and self.new.says(entry)):
            yield from self.differing("title", [was.title], [entry.title])
        if self.is_one or (was.rule and entry.rule):
            for name, before, after in aligned(self._said(self.old, was), self._said(self.new, entry)):
                yield from self.part(name, before, after)

    def _standing(self, name: str, was: Entry, entry: Entry) -> Iterator[WordDifference]:
        """Difference in one of the keys that say how a rule stands to others."""
        values = (getattr(one.rule or one.listed, name, None) or () for one in (was, entry))
        olds, news = (value if isinstance(value, tuple) else (value,) for value in values)
        yield from self.differing(name, olds, news, ", ")

    def _said(self, side: Side, entry: Entry) -> Said:
        """Texts of a rule beside its title, with those of the parts it was split into or made from."""
        said = Said()
        made = self.made.new if entry.edition is self.new.outline.edition else self.made.old
        others = [*self.pieces.get(entry, ()), *(self.pieces.get(made[entry], ()) if entry in made else ())]
        own = {entry, *(one for one in others if one.edition is side.outline.edition)}
        for one in sorted(own, key=lambda e: e.position):
            if one.rule:
                said += [("text", side.words(one.rule.text))] if one.rule.text else []
                said += [("closing", side.words(one.rule.closing))] if one.rule.closing else []
                for note in one.rule.notes:
                    texts = (text for text in every_text(note) if text is not note.kind)
                    said += [(str(note.kind), side.words(text)) for text in texts]
                figures = (map(side.words, every_text(figure)) for figure in one.rule.figures)
                said += [("picture", joined(figure, ", ")) for figure in figures]
                for drawn in one.rule.diagrams:
                    said += [("diagram", side.words(text)) for text in every_text(drawn)]
        facts = ((name, getattr(entry.rule, name, None)) for name in ("dated", "shows"))
        return [*said, *((name, side.words(text)) for name, text in facts if text)]

    def _all(self, sign: str, side: Side, entry: Entry) -> tuple[WordDifference, ...]:
        """Texts of a rule that is in one edition only."""
        said = self._said(side, entry)
        return tuple(WordDifference(name, (Piece(sign, tuple(words)),)) for name, words in said if words)

    def differing(
        self, name: str, olds: Iterable[Text | None], news: Iterable[Text | None], between: str = "\n"
    ) -> Iterator[WordDifference]:
        """Difference in something that both say in one or more texts, with something `between` them."""
        yield from self.part(name, list(map(self.old.words, olds)), list(map(self.new.words, news)), between)

    def part(
        self, name: str, olds: Sequence[Sequence[Word]], news: Sequence[Sequence[Word]], between: str = "\n"
    ) -> Iterator[WordDifference]:
        """Difference in something that both say, of which the words are known."""
        before, after = (
            joined([meaning(words, meant) for words in texts], between)
            for texts, meant in zip((olds, news), self.meant, strict=True)
        )
        if not same(before, after):
            yield WordDifference(name, tuple(difference(before, after)))


def _ends(entry: Entry) -> bool:
    """Whether a rule itself is retired, and not only what it lies in."""
    return entry.retired is not None and entry.retired in (entry.rule, entry.listed)


def aligned(olds: Said, news: Said) -> Iterator[tuple[str, list[Sequence[Word]], list[Sequence[Word]]]]:
    """Texts of two rules side by side: all their text together, and of the notes those most alike."""
    texts = [[words for name, words in side if name == "text"] for side in (olds, news)]
    yield "text", texts[0], texts[1]
    left = [(name, masked(words), words) for name, words in olds if name != "text"]
    for name, words in news:
        if name == "text":
            continue
        own = {at: one[1] for at, one in enumerate(left[:MOST_NOTES]) if one[0] == name}
        best = most_alike(masked(words), own, BARELY if len(own) > 1 else 0)
        yield name, [left.pop(best)[2]] if best is not None else [], [words]
    for name, _, words in left:
        yield name, [words], []
