"""Usual kinds of step, and their properties.

To add a kind that imports recognize, add a line here. Any other word is a kind of step, too.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class StepKind(NamedTuple):
    """A kind that every book may use, with the words by which imports recognize it."""

    name: str
    title_words: str
    is_turn: bool = False
    is_players: bool = False

    def names(self, title: str) -> re.Match[str] | None:
        return re.search(self.title_words, title, re.IGNORECASE)


STEP_KINDS = {
    kind.name: kind
    for kind in (
        StepKind("game turn", r"(?:^the |^)game[- ]turn$|^spielrunde$", is_turn=True),
        StepKind(
            "player turn",
            r"(?<!end of )(?:player|spieler)[- ]?(?:turn|zug|runde)s?\b",
            is_turn=True,
            is_players=True,
        ),
        StepKind("phase", r"phases?$|^phases?\b"),
        StepKind("segment", r"segments?$|^segment\b"),
    )
}
"""The kinds of step, outermost first; `do` is inside all."""

KINDS = tuple(STEP_KINDS)
TURNS = tuple(name for name, kind in STEP_KINDS.items() if kind.is_turn)
PLAYERS = tuple(name for name, kind in STEP_KINDS.items() if kind.is_players)
USUAL = next(name for name in KINDS if name not in TURNS)
"""The kind of a step of a turn whose title does not say it."""
