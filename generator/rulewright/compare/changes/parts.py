"""Rules that were split into several, and several that were merged into one: which is part of which.

Only what is certain is named: nearly all words of the part stand in the whole, in their order, and there in
words that its other parts leave.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.book.outline import Entry
from rulewright.compare.changes.side import Side
from rulewright.compare.changes.similarity import Index, likeness, shared

LEAST = 6
"""A part of fewer words proves nothing."""

CONTAINED, COVERED = 0.8, 0.8
"""What part of the words of a part has to stand in the whole, and of those of the whole in its parts."""


@dataclass(eq=False, slots=True)
class Matching:
    """`old`: what each old rule is now, `new`: what each new rule was.

    `parts`: new rules that are a further part of an old one; `merged`: old rules that went into a new one
    beside the one it was. `said`: rules that were matched by an editor, `barred`: those that he says are new.
    """

    old: dict[Entry, Entry] = field(default_factory=dict)
    new: dict[Entry, Entry] = field(default_factory=dict)
    parts: dict[Entry, Entry] = field(default_factory=dict)
    merged: dict[Entry, Entry] = field(default_factory=dict)
    said: set[Entry] = field(default_factory=set)
    barred: set[Entry] = field(default_factory=set)

    def pair(self, one: Entry, other: Entry) -> None:
        self.old[one], self.new[other] = other, one

    def is_open(self, one: Entry, other: Entry) -> bool:
        """Whether neither of two rules has been matched."""
        return one not in self.old and other not in self.new

    def turned(self) -> Matching:
        """The same, seen from the other edition."""
        return Matching(dict(self.new), dict(self.old), dict(self.merged), dict(self.parts))


def divide(made: Matching, olds: Side, news: Side) -> None:
    """Enter what is a part of what among rules that are still open, splits first."""
    _Divider(made, made.old, made.new, made.parts, olds, news).run()
    _Divider(made, made.new, made.old, made.merged, news, olds).run()


@dataclass(eq=False, slots=True)
class _Divider:
    """Finds the open `pieces` that are part of one of `wholes`, and enters them in `parts`.

    `heirs` has what each whole is in the edition of the pieces, `origins` the same turned round.
    """

    made: Matching
    heirs: dict[Entry, Entry]
    origins: dict[Entry, Entry]
    parts: dict[Entry, Entry]
    wholes: Side
    pieces: Side

    def run(self) -> None:
        """Enter all that is certain."""
        taken = (self.origins, self.parts, self.made.barred)
        says, words_of = self.pieces.sayings, self.wholes.sayings
        opened = [
            entry
            for entry in self.pieces.outline.in_order
            if not any(entry in one for one in taken) and len(says[entry].body) >= LEAST
        ]
        if not opened:
            return
        changed = {
            entry: words_of[entry].body
            for entry in self.wholes.outline.in_order
            if entry not in self.made.barred and not self._is_same(entry) and words_of[entry].body
        }
        index = Index(changed)
        found: dict[Entry, list[Entry]] = {}
        for piece in opened:
            body = says[piece].body
            for whole in index.like(body):
                words = changed[whole]
                if len(words) > len(body) and shared(body, words) >= CONTAINED * len(body):
                    found.setdefault(whole, []).append(piece)
                    break
        for whole, mine in found.items():
            self._enter(whole, mine)

    def _is_same(self, whole: Entry) -> bool:
        """Whether a rule says in the other edition what it says here, word for word."""
        heir = self.heirs.get(whole)
        if heir is None:
            return False
        written = self.wholes.written(whole)
        if written is not None and written == self.pieces.written(heir):
            return True
        return self.wholes.sayings[whole].body == self.pieces.sayings[heir].body

    def _enter(self, whole: Entry, mine: list[Entry]) -> None:
        """Enter the pieces of a whole that, with what it is already, make it up better than that alone.

        What it is itself is what an editor has said, the piece that kept its title, or else the first one.
        """
        words, heir = self.wholes.sayings[whole].body, self.heirs.get(whole)
        together = sorted([*mine, *([heir] if heir else [])], key=lambda entry: entry.position)
        joined = tuple(word for entry in together for word in self.pieces.sayings[entry].body)
        if heir and likeness(joined, words) <= likeness(self.pieces.sayings[heir].body, words):
            return
        if not heir and len(mine) > 1 and shared(joined, words) < COVERED * len(words):
            return
        title = self.wholes.sayings[whole].title
        titled = [entry for entry in together if title and self.pieces.sayings[entry].title == title]
        said = [entry for entry in together if entry in self.made.said]
        main = [*said, *titled, *together][0]
        if heir:
            del self.origins[heir]
        self.heirs[whole], self.origins[main] = main, whole
        self.parts.update({piece: whole for piece in together if piece is not main})
