"""Changes to content files as replacements at places: what is not replaced stays as it is, byte for byte.

Comments, order, layout, line ends and a byte order mark are no business of an edit, so none is lost.
"""

from __future__ import annotations

import codecs
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rulewright.source.located_text import LocatedText


class Replacement(NamedTuple):
    """Words that take the place of the characters from `start` to `end` of a file's text."""

    start: int
    end: int
    words: str


class OverlappingEdits(ValueError):
    """Two edits change one place, so that neither can be made without undoing the other."""


class FileEdits:
    """Edits of several files, by name. The same edit given twice is one edit."""

    def __init__(self) -> None:
        self._of_file: defaultdict[str, set[Replacement]] = defaultdict(set)

    def __iter__(self) -> Iterator[str]:
        return iter(self._of_file)

    def for_file(self, name: str) -> list[Replacement]:
        return sorted(self._of_file.get(name, ()))

    def add(self, name: str, start: int, end: int, words: str) -> None:
        """Replace a stretch of a file's text, counted without its byte order mark."""
        self._of_file[name].add(Replacement(start, end, words))

    def replace_in_scalar(self, text: LocatedText, start: int, end: int, words: str) -> None:
        """Replace the characters from `start` to `end` of a scalar, wherever and however it is written.

        Only what differs is touched, so that a number which is wrapped over two lines stays so.
        """
        old = text[start:end]
        head = _alike(old, words)
        tail = _alike(old[head:][::-1], words[head:][::-1])
        if head == len(old) == len(words):
            return
        if head + tail == len(old):  # nothing is taken away: widen to a character that is written somewhere
            head, tail = (head - 1, tail) if head else (head, tail - 1)
        first, last = text.file_span(start + head, end - tail)
        self.add(text.file.name, first, last, escape_for_style(words[head : len(words) - tail], text.style))


def _alike(first: str, other: str) -> int:
    pairs = enumerate(zip(first, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(first), len(other)))


def escape_for_style(words: str, style: str) -> str:
    """Return words as they stand inside a scalar of a style."""
    if style == '"':
        return re.sub(r'(["\\])', r"\\\1", words)
    return words.replace("'", "''") if style == "'" else words


def apply_edits(text: str, edits: Iterable[Replacement]) -> str:
    """Return a text with edits made. Raises OverlappingEdits if two of them meet in one place."""
    pieces, offset = [], 0
    last = Replacement(-1, -1, "")
    for edit in sorted(edits):
        if edit.start < offset or (edit.start, edit.end) == (last.start, last.end):
            raise OverlappingEdits(f"{last} and {edit}")
        pieces += [text[offset : edit.start], edit.words]
        offset, last = edit.end, edit
    return "".join([*pieces, text[offset:]])


def apply_edits_to_bytes(data: bytes, edits: Iterable[Replacement]) -> bytes:
    """Return a file's bytes with edits made to its text; its byte order mark stays.

    Raises OverlappingEdits.
    """
    mark = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    return mark + apply_edits(data.removeprefix(mark).decode(), edits).encode()


def detect_line_ending(text: str) -> str:
    """Return line ending of a text."""
    ended = re.search(r"\r\n|\n|\r", text)
    return ended.group() if ended else "\n"
