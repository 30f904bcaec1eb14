"""Rules that were split into several, and several that were merged into one: which is part of which.

Only what is certain is named: nearly all words of the part stand in the whole, in their order, and there in
words that its other parts leave.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from generator.changes.side import Saying
from generator.changes.similarity import Index, likeness, shared
from generator.outline import Entry

LEAST = 6
"""A part of fewer words proves nothing."""

CONTAINED, COVERED = 0.8, 0.8
"""What part of the words of a part has to stand in the whole, and of those of the whole in its parts."""

Sayings = Mapping[Entry, Saying]


@dataclass(eq=False, slots=True)
class Matching:
    """`old`: what each old rule is now, `new`: what each new rule was.

    `parts`: new rules that are a further part of an old one; `merged`: old rules that went into a new one
    beside the one it was. `barred`: new rules that an editor has said to be new.
    """

    old: dict[Entry, Entry] = field(default_factory=dict)
    new: dict[Entry, Entry] = field(default_factory=dict)
    parts: dict[Entry, Entry] = field(default_factory=dict)
    merged: dict[Entry, Entry] = field(default_factory=dict)
    barred: set[Entry] = field(default_factory=set)

    def pair(self, one: Entry, other: Entry) -> None:
        self.old[one], self.new[other] = other, one

    def is_open(self, one: Entry, other: Entry) -> bool:
        """Whether neither of two rules has been matched."""
        return one not in self.old and other not in self.new

    def turned(self) -> Matching:
        """The same, seen from the other edition."""
        return Matching(dict(self.new), dict(self.old), dict(self.merged), dict(self.parts))


def divide(made: Matching, olds: Sayings, news: Sayings) -> None:
    """Enter what is a part of what among rules that are still open, splits first."""
    _split(made.old, made.new, made.parts, olds, news, made.barred)
    _split(made.new, made.old, made.merged, news, olds, set())


def _split(
    heirs: dict[Entry, Entry],
    taken: dict[Entry, Entry],
    parts: dict[Entry, Entry],
    wholes: Sayings,
    pieces: Sayings,
    barred: set[Entry],
) -> None:
    """Find the open `pieces` that are part of one of `wholes`; `heirs` has what each whole is already."""
    opened = [
        entry
        for entry, saying in pieces.items()
        if not (entry in taken or entry in barred or entry in parts) and len(saying.body) >= LEAST
    ]
    changed = {
        entry: saying.body
        for entry, saying in wholes.items()
        if saying.body and not (entry in heirs and pieces[heirs[entry]].body == saying.body)
    }
    if not opened or not changed:
        return
    index = Index(changed)
    found: dict[Entry, list[Entry]] = {}
    for piece in opened:
        body = pieces[piece].body
        for whole in index.like(body):
            if shared(body, changed[whole]) >= CONTAINED * len(body) and len(changed[whole]) > len(body):
                found.setdefault(whole, []).append(piece)
                break
    for whole, mine in found.items():
        _enter(whole, mine, changed[whole], heirs, taken, parts, pieces)


def _enter(
    whole: Entry,
    mine: list[Entry],
    words: tuple[str, ...],
    heirs: dict[Entry, Entry],
    taken: dict[Entry, Entry],
    parts: dict[Entry, Entry],
    pieces: Sayings,
) -> None:
    """Enter the pieces of a whole that together with what it is already make it up better than that alone."""
    heir = heirs.get(whole)
    together = sorted([*mine, *([heir] if heir else [])], key=lambda entry: entry.position)
    joined = tuple(word for entry in together for word in pieces[entry].body)
    if heir:
        if likeness(joined, words) <= likeness(pieces[heir].body, words):
            return
    else:
        if len(mine) > 1 and shared(joined, words) < COVERED * len(words):
            return
        heir = max(mine, key=lambda entry: len(pieces[entry].body))
        heirs[whole], taken[heir] = heir, whole
    parts.update({piece: whole for piece in mine if piece is not heir})
