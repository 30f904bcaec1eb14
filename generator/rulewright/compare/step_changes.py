"""Changes of the sequence of play: steps that came, went and moved, and what differs in the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from difflib import SequenceMatcher

from rulewright.book.roles import actor
from rulewright.book.sequence import StepEntry
from rulewright.citations.facts import said
from rulewright.citations.predecessor import called, follows
from rulewright.compare.change import (
    Change,
    Kind,
    StepChange,
    WordDifference,
    in_place,
    in_turn,
    kinds_of,
    lone,
)
from rulewright.compare.matching import Matching, Side
from rulewright.compare.rule_changes import Rules
from rulewright.compare.word_changes import Piece, words_of
from rulewright.model.rulebook import NEW
from rulewright.model.step import Particulars
from rulewright.text.document import plain

ALIKE = 0.6
"""How alike the titles of two steps are that may be one."""

MOST_STEPS = 60
"""Among so many steps of one place those of like titles are looked for."""

_NOT_SAID = ("label", "id", "by", "repeats", "steps", "any_order", "exceptions")
"""Keys of a step that nobody reads, or that tell its place; `by` is compared as who acts there."""

SAID = tuple(f.name for f in fields(Particulars) if f.name not in _NOT_SAID)


class Steps:
    """The steps of two editions, matched from the outermost inwards."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.sides = rules.old, rules.new
        self.every = [list(side.outline.every_step()) for side in self.sides]
        self.made = Matching[StepEntry]()
        self._forced()
        tops = [side.outline.steps for side in self.sides]
        self._rows(tops[0], tops[1])
        self._moved()

    # Matching

    def _forced(self) -> None:
        """Enter what editors say with `was:`, in the edition that follows the other."""
        olds, news = (side.outline for side in self.sides)
        is_next = follows(news, olds)
        for step in self.every[is_next] if is_next or follows(olds, news) else ():
            found = called(step.step.was, olds if is_next else news)
            if step.step.was == NEW:
                self.made.barred.add(step)
            elif len(found) == 1:
                self._pair(*((found[0], step) if is_next else (step, found[0])))

    def _pair(self, one: StepEntry, other: StepEntry) -> bool:
        """Enter that two steps are one, if neither is another already."""
        free = self.made.is_open(one, other) and not {one, other} & self.made.barred
        if free:
            self.made.pair(one, other)
        return free

    def _rows(self, olds: Sequence[StepEntry], news: Sequence[StepEntry]) -> None:
        """Match the steps of one place: those of one title, then those whose titles are most alike."""
        waiting = _by_name(one for one in olds if one not in self.made.old)
        for other in news:
            if (same := waiting.get(name_of(other))) and self._pair(same[0], other):
                same.pop(0)
        left = self._left(olds, news)
        if max(map(len, left)) <= MOST_STEPS:
            pairs = [
                (-alike, at, to, one, other)
                for at, one in enumerate(left[0])
                for to, other in enumerate(left[1])
                if (alike := resemblance(one, other)) >= ALIKE
            ]
            for *_, one, other in sorted(pairs, key=lambda pair: pair[:3]):
                self._pair(one, other)
        for other in news:
            if was := self.made.new.get(other):
                self._rows(was.children, other.children)

    def _moved(self) -> None:
        """Match steps of one title and kind that are left in other places, where there is one of each."""
        by_name, news_by_name = map(_by_name, self._left(*self.every))
        for name, news in news_by_name.items():
            olds = by_name.get(name, [])
            if len(olds) == len(news) == 1 and self._pair(olds[0], news[0]):
                self._rows(olds[0].children, news[0].children)

    def _left(self, olds: Sequence[StepEntry], news: Sequence[StepEntry]) -> tuple[list[StepEntry], ...]:
        """Leave out the steps that are matched."""
        made = self.made
        return [one for one in olds if one not in made.old], [one for one in news if one not in made.new]

    # Changes

    def changes(self) -> list[StepChange]:
        """Every step of the new edition in the order of play, and behind the one before it what is gone."""
        order = {one: at for at, one in enumerate(self.every[0])}
        olds, news = self.every
        rows = [self.sides[1].outline.steps, *(step.children for step in news)]
        self.in_place = in_place(rows, self.made.new, order.__getitem__)
        rest = in_turn(
            olds, news, self.made.old, lambda one: lone(one, None, Kind.REMOVED, self.made.old), self._here
        )
        return [*self._whole(), *rest]

    def _whole(self) -> Iterator[StepChange]:
        """The sequence of play as a whole, its title and its text."""
        roots = [side.outline.root for side in self.sides]
        sequences = [side.outline.edition.sequence for side in self.sides]
        if all(roots) and sequences[0] and sequences[1]:
            parts = [
                *self.rules.differing("title", [sequences[0].title], [sequences[1].title]),
                *self.rules.differing("text", [sequences[0].text], [sequences[1].text]),
            ]
            yield Change(roots[0], roots[1], tuple(kinds_of(parts)), tuple(parts))

    def _here(self, other: StepEntry) -> StepChange:
        was = self.made.new.get(other)
        if was is None:
            return lone(None, other, Kind.ADDED, self.made.new)
        parts = list(self._parts(was, other))
        moved = [] if other in self.in_place else [Kind.MOVED]
        return Change(was, other, (*moved, *kinds_of(parts)), tuple(parts))

    def _parts(self, was: StepEntry, other: StepEntry) -> Iterator[WordDifference]:
        old, new = self.sides
        # Who acts is no change where it is another one only because it is so in the step around.
        a, b = was.parent, other.parent
        as_around = a and b and self.made.old.get(a) is b and was.by == a.by and other.by == b.by
        yield from _plainly("kind", str(was.step.kind), str(other.step.kind))
        yield from () if as_around else _plainly("by", _acting(was, old), _acting(other, new))
        yield from _plainly("order", *("any" if step.any_order else "strict" for step in (was, other)))
        for name in ("title", *SAID):
            before, after = (said(step, name) for step in (was, other))
            yield from self.rules.differing(name, before, after, ", ")


def resemblance(one: StepEntry, other: StepEntry) -> float:
    """How alike the titles of two steps are, without the words for their kinds: 1 where they are the same."""
    a, b = _bare(one), _bare(other)
    if not a or not b or one.difference != other.difference:
        return 0.0
    shared = len(set(a) & set(b))
    words = (shared / len(set(a) | set(b)) + shared / min(len(set(a)), len(set(b)))) / 2
    if one.step.kind == other.step.kind:
        words = max(words, SequenceMatcher(None, " ".join(a), " ".join(b), autojunk=False).ratio())
    return words


def _bare(step: StepEntry) -> list[str]:
    """The words of a step's title without those that every title of its kind has."""
    words = re.findall(r"\w+", plain(step.step.title).casefold())
    kinds = set(step.step.kind.casefold().split())
    return [word for word in words if word not in kinds and word != "and"] or words


def name_of(step: StepEntry) -> tuple[str, ...]:
    """Kind and title of a step, and how it differs in its turn: the same for steps of one name."""
    return str(step.step.kind), plain(step.step.title).casefold(), step.difference


def _by_name(steps: Iterable[StepEntry]) -> dict[tuple[str, ...], list[StepEntry]]:
    found: dict[tuple[str, ...], list[StepEntry]] = {}
    for step in steps:
        found.setdefault(name_of(step), []).append(step)
    return found


def _acting(step: StepEntry, side: Side) -> str:
    """Who acts in a step, by the names that the book has for them."""
    return " then ".join(actor(name, side.outline.edition.book).title for name in step.by)


def _plainly(name: str, old: str, new: str) -> Iterator[WordDifference]:
    """Difference of two values that are words of ours and not of the book."""
    if old != new:
        pieces = [Piece("-", words_of(old)), Piece("+", words_of(new))]
        yield WordDifference(name, tuple(piece for piece in pieces if piece.words))
