"""Formats of reports of changes: how words, deletions and insertions are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulewright.compare.item_change import WordDifference
from rulewright.compare.word_diff import DiffWord

MAX_CONTEXT = 6
"""Unchanged words that are shown on each side of a change."""


@dataclass(frozen=True, slots=True)
class OutputFormat:
    """Writer of words, and the form of deleted and of inserted words."""

    words: Callable[[str], str]
    deleted: str
    inserted: str

    def part(self, part: WordDifference) -> str:
        """Return the words of a part; of many unchanged words only the first and the last."""
        forms, last, text = {"": "{}", "-": self.deleted, "+": self.inserted}, len(part.pieces) - 1, ""
        for index, piece in enumerate(part.pieces):
            words = piece.text
            if not piece.change and len(piece.words) > 2 * MAX_CONTEXT + 2:
                start = _joined(piece.words[:MAX_CONTEXT]) + " " if index else ""
                end = " " + _joined(piece.words[-MAX_CONTEXT:]) if index < last else ""
                words = f"{start}…{end}"
            gap = self.words(piece.gap) if index else ""
            text += gap + forms[piece.change].format(self.words(words))
        return text


TEXT = OutputFormat(str, "[-{}-]", "{{+{}+}}")


def _joined(words: Sequence[DiffWord]) -> str:
    return "".join(word.gap * bool(position) + word.words for position, word in enumerate(words))
