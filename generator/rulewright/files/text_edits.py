"""Edits of content files as replacements at offsets: everything else stays byte for byte.

Comments, order, layout, line endings and a byte order mark are preserved.
"""

from __future__ import annotations

import codecs
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rulewright.files.located_text import LocatedText


class Replacement(NamedTuple):
    """Words that replace the characters from `start` to `end` of a file's text."""

    start: int
    end: int
    words: str


class OverlappingEdits(ValueError):
    """Two edits change the same place."""


class FileEdits:
    """Edits of several files, by name. Identical edits count once."""

    def __init__(self) -> None:
        self._by_file: defaultdict[str, set[Replacement]] = defaultdict(set)

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_file)

    def for_file(self, name: str) -> list[Replacement]:
        return sorted(self._by_file.get(name, ()))

    def add(self, name: str, start: int, end: int, words: str) -> None:
        """Replace a span of a file's text; offsets do not count a byte order mark."""
        self._by_file[name].add(Replacement(start, end, words))

    def replace_in_scalar(self, text: LocatedText, start: int, end: int, words: str) -> None:
        """Replace the characters from `start` to `end` of a scalar, however it is written.

        Only the difference is replaced, so that a number wrapped over two lines stays wrapped. White space
        has no place of its own in the file, so the replaced span begins and ends with visible characters.
        """
        old = text[start:end]
        head = common_prefix_length(old, words)
        tail = common_prefix_length(old[head:][::-1], words[head:][::-1])
        if old == words:
            return
        start, end, words = start + head, end - tail, words[head : len(words) - tail]
        while start and (start == end or text[start].isspace()):
            start -= 1
            words = text[start] + words
        while end < len(text) and (start == end or text[end - 1].isspace()):
            words += text[end]
            end += 1
        self.add(text.file.name, *text.file_span(start, end), escape_for_style(words, text.style))


def common_prefix_length(first: Sequence[object], other: Sequence[object]) -> int:
    """Return how many elements two texts or lists have in common at their beginning."""
    pairs = enumerate(zip(first, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(first), len(other)))


def escape_for_style(words: str, style: str) -> str:
    """Return words escaped for a scalar of a style."""
    if style == '"':
        return re.sub(r'(["\\])', r"\\\1", words)
    return words.replace("'", "''") if style == "'" else words


def apply_edits(text: str, edits: Iterable[Replacement]) -> str:
    """Return a text with edits applied. Raises OverlappingEdits if two of them overlap."""
    pieces, offset = [], 0
    for last, edit in pairwise([Replacement(-1, -1, ""), *sorted(edits)]):
        if edit.start < offset or edit[:2] == last[:2]:
            raise OverlappingEdits(f"{last} and {edit}")
        pieces += [text[offset : edit.start], edit.words]
        offset = edit.end
    return "".join([*pieces, text[offset:]])


def apply_edits_to_bytes(data: bytes, edits: Iterable[Replacement]) -> bytes:
    """Return a file's bytes with edits applied; a byte order mark stays. Raises OverlappingEdits."""
    bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    return bom + apply_edits(data.removeprefix(bom).decode(), edits).encode()


def detect_line_ending(text: str) -> str:
    """Return the first line ending of a text, or LF."""
    line_end = re.search(r"\r\n|\n|\r", text)
    return line_end.group() if line_end else "\n"
