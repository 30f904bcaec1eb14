"""The style that a number is written in, and other numbers written in the same style.

12.5(a), [10.12]A, a chapter as `12.` or `62`, A9.2 with its chapter left out, the end of a run (9.14b and c):
what an editor has written in one way is written in that way again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rulewright.numbers.dialect import Dialect, Number


class Style(NamedTuple):
    """One way to write whole numbers.

    `example`: after which of the book's examples; or `form`: what stands before and behind a chapter's label.
    `bracket`: the book's square bracket is there. `implied`: the chapter is left out.
    """

    example: int = 0
    form: tuple[str, str] | None = None
    bracket: bool = False
    implied: bool = False


USUAL = Style()


class Speller:
    """Writes the numbers of a dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect

    def style(self, written: str, number: Number, chapter: str) -> Style | None:
        """The style of a number, None where it is shortened. `chapter`: that of the text around it."""
        whole = len(number.labels) == 1
        bare = written.strip("[]") if whole else written
        readings = [one for one in self.dialect.readings(bare, chapter) if one.labels == number.labels]
        if whole and (bare == number.labels[0] or any(one.chapter for one in readings)):
            before, _, after = written.partition(number.labels[0])
            return Style(form=(before, after))
        for one in readings:
            return Style(one.example, bracket="]" in written, implied=one.implied)
        return None

    def write(self, number: Number, style: Style = USUAL, chapter: str = "") -> str:
        """A number in a style, as far as it can be written so. `chapter` is that of the text."""
        if len(number.labels) == 1:
            before, after = style.form or ("", "")
            return f"{before}{number.labels[0]}{after}" if style.form else number.key
        implied = style.implied and chapter == number.labels[0] and number.shape == 0
        return self.dialect.write(number, style.example, style.bracket, implied)

    def rewritten(self, written: str, old: Number, new: Number, chapter: str, other: str) -> str | None:
        """Write `new` the way that `old` is written, or None where it is shortened.

        The text stands in `chapter`, and will stand in the chapter `other`.
        """
        if (style := self.style(written, old, chapter)) is None:
            return None
        if self.write(old, style, chapter) == written:
            return self.write(new, style, other)
        bare = self._substituted(written, old.labels, new.labels) if old.shape == new.shape else None
        return self.write(new, style, other) if bare is None or style.implied else bare

    def renamed(self, written: str, old: Number, new: Number, chapter: str, other: str = "") -> str:
        """Write `new` the way that `old` is written, or as usual where that is shortened."""
        return self.rewritten(written, old, new, chapter, other) or self.write(new)

    def shortened(self, written: str, old: Number, new: Number, before: Number | None) -> str | None:
        """Write the end of a new number behind a run's last one, which is now `before`.

        None where it cannot be shortened so any more.
        """
        for count in range(1, len(old.labels)):
            kept = len(new.labels) - count
            words = self._substituted(written, old.labels[-count:], new.labels[-count:])
            if words is not None:
                same = before is not None and len(new.labels) == len(old.labels) and new.shape == old.shape
                return words if same and before and new.labels[:kept] == before.labels[:kept] else None
        return None

    @staticmethod
    def _substituted(written: str, old: Sequence[str], new: Sequence[str]) -> str | None:
        """Words in which labels are replaced one by one; None where they hold other labels."""
        m = re.fullmatch(r"([\W_]*)" + r"([\W_]*)".join(map(re.escape, old)) + r"([\W_]*)", written)
        if not m or len(old) != len(new):
            return None
        return "".join(f"{sign}{label}" for sign, label in zip(m.groups(), [*new, ""], strict=True))
