"""Changes: a rule, a step, a table or an aid of an edition, then and now."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from rulewright.book.outline import Entry
from rulewright.book.sequence import StepEntry
from rulewright.compare.words import Piece

T = TypeVar("T")


class Kind(StrEnum):
    """What happened to a part. Several may hold for one: it can be both moved and reworded."""

    ADDED = "added"
    REMOVED = "removed"
    ONLY = "only here"  # the other edition is known in part, so it need not be new or gone
    SPLIT = "split"
    MERGED = "merged"
    MOVED = "moved"
    RENUMBERED = "renumbered"  # in its place, under another number
    RETITLED = "retitled"
    REWORDED = "reworded"
    CHANGED = "changed"  # a step, a table or an aid, in something that it says
    UNREAD = "not compared"  # its text is not known in one of the editions


ALONE = (Kind.ADDED, Kind.REMOVED, Kind.ONLY)
"""What is told of a part that is in one edition only."""

QUIET = (Kind.UNREAD, Kind.ONLY)
"""What is no change, but something that cannot be known."""

WITH_OTHERS = {*ALONE, Kind.MOVED, Kind.RENUMBERED, Kind.UNREAD}
"""What need not be told of a part if it is so because of what it lies in."""


@dataclass(frozen=True, slots=True)
class Part:
    """What differs in one thing that a part says, word by word. `name`: title, text, cost, or a cell's."""

    name: str
    pieces: tuple[Piece, ...]

    @property
    def is_new(self) -> bool:
        return all(piece.sign == "+" for piece in self.pieces)

    @property
    def is_gone(self) -> bool:
        return all(piece.sign == "-" for piece in self.pieces)


@dataclass(frozen=True, slots=True, eq=False)
class Change(Generic[T]):
    """A rule, a step, a table or an aid in two editions: what it was, what it is, and what differs.

    `kinds` is empty where nothing does. `parts`: what differs in its words. `others`: what else it was split
    into, or made from. `along`: its number or place changed only because what it lies in has. `known`: it is
    known in both editions what it says. `inside`: how many parts of its own sort came or went with it.
    """

    old: T | None
    new: T | None
    kinds: tuple[Kind, ...] = ()
    parts: tuple[Part, ...] = ()
    others: tuple[T, ...] = ()
    along: bool = False
    known: bool = True
    inside: int = 0

    @property
    def here(self) -> T:
        """The part in the newer edition, or where it is gone in the older one."""
        found = self.old if self.new is None else self.new
        assert found is not None
        return found

    @property
    def is_told(self) -> bool:
        """Whether it is worth a line of its own: something changed, and not only what is around it."""
        quietly = WITH_OTHERS if self.along else (Kind.UNREAD,)
        return any(kind not in quietly for kind in self.kinds)

    @property
    def is_certain(self) -> bool:
        """Whether something is known to have changed."""
        return any(kind not in QUIET for kind in self.kinds)

    @property
    def kind(self) -> str:
        """What happened, in words: moved, reworded."""
        return ", ".join(self.kinds) or "unchanged"


RuleChange = Change[Entry]
StepChange = Change[StepEntry]
