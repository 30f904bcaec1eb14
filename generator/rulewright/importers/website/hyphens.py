"""The words of a book: how often each stands in it, and hyphens that line ends left inside of them.

A hyphen is taken out only where the book shows that it does not belong: the word stands elsewhere without
it and nowhere with it. Where the book shows neither, the hyphen stays and is told as a guess.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rulewright.importers.website.blocks import TextPiece

_LETTERS = r"[^\W\d_]+"
_AT_LINE_END = re.compile(rf"({_LETTERS})-[ \t]*\n[ \t]*({_LETTERS})")
_INSIDE = re.compile(rf"(?<![\w-])({_LETTERS})-({_LETTERS})(?![\w-])")
_COUNTED = re.compile(rf"{_LETTERS}(?:-{_LETTERS})*")
_SOFT = re.compile(rf"({_LETTERS})\xad[ \t]*\n?[ \t]*({_LETTERS})")
_TIGHT = re.compile(r"(?<=\w)([—/])[ \t]*\n[ \t]*(?=\w)")  # signs that have no space beside them in a line
_SPACE = re.compile(r"[ \t]*\n[ \t]*")
_MAY_PART = re.compile("[-\xad]|[—/][ \t]*\n")
_PREFIXES = frozenset([
    "non", "re", "un", "pre", "anti", "mid", "sub", "co", "self", "semi", "over", "under", "multi", "de",
    "ex", "inter", "counter", "pro", "post", "off", "on", "in", "out", "up", "by", "extra", "super",
    "cross",
])  # fmt: skip


@dataclass(frozen=True, slots=True)
class MendedWord:
    """A word that a line end had parted. `now`: the whole word; `sure`: the book itself shows that."""

    line: int
    was: str
    now: str
    sure: bool = True


@dataclass(slots=True)
class Vocabulary:
    """The words of a book, in small letters, and those with hyphens, each with how often it stands there."""

    words: Counter[str] = field(default_factory=Counter)
    hyphened: Counter[str] = field(default_factory=Counter)

    def learn(self, texts: Iterable[str]) -> None:
        """Count the words of texts; those that a line end parts are left out."""
        for text in texts:
            whole = _AT_LINE_END.sub(" ", _SOFT.sub(r"\1\2", text))
            for word in _COUNTED.findall(whole.lower()):
                if "-" in word:
                    self.hyphened[word] += 1
                    self.words.update(word.split("-"))
                else:
                    self.words[word] += 1

    def mend(self, pieces: Sequence[TextPiece]) -> tuple[list[TextPiece], list[MendedWord]]:
        """Join words that line ends have parted, and tell which are changed or doubtful."""
        made, mended = [], []
        for piece in pieces:
            if piece.picture:
                made.append(piece)
                continue
            text, changes = self._mend(piece.text, piece.line)
            is_changed = text != piece.text or "\n" in text
            made.append(piece.saying(_SPACE.sub(" ", text)) if is_changed else piece)
            mended += changes
        return made, mended

    def _mend(self, text: str, line: int) -> tuple[str, list[MendedWord]]:
        found: list[MendedWord] = []
        if not _MAY_PART.search(text):
            return text, found

        def soft(m: re.Match[str]) -> str:
            found.append(MendedWord(line + text.count("\n", 0, m.start()), f"{m[1]}-{m[2]}", m[1] + m[2]))
            return m[1] + m[2]

        def at_line_end(m: re.Match[str]) -> str:
            whole, joined, parted = text.count("\n", 0, m.start()), m[1] + m[2], f"{m[1]}-{m[2]}"
            with_it, without = self.hyphened[parted.lower()], self.words[joined.lower()]
            if m[2][0].isupper() or (with_it and not without):
                return parted
            now = joined if without and not with_it else parted
            found.append(MendedWord(line + whole, parted, now, now == joined))
            return now

        def inside(m: re.Match[str]) -> str:
            joined, parted = m[1] + m[2], m.group()
            if (
                self.words[joined.lower()]
                and self.hyphened[parted.lower()] == 1
                and self.words[m[2].lower()] == 1
                and m[1].lower() not in _PREFIXES
                and m[2].islower()
            ):
                found.append(MendedWord(line + text.count("\n", 0, m.start()), parted, joined))
                return joined
            return parted

        text = _SOFT.sub(soft, text)
        text = _INSIDE.sub(inside, text)
        return _TIGHT.sub(r"\1", _AT_LINE_END.sub(at_line_end, text)), found
