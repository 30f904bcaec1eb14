"""Texts that are none of the content: program code, cards, posts, in whatever encoding they have."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulewright.citations.manuscript import without_addresses
from rulewright.source import bounds
from rulewright.source.folder import TOO_LARGE, UNREADABLE
from rulewright.source.problems import File, Place, Problem

STDIN = "-"

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CODECS = ("utf-8", "cp1252", "latin-1")
"""Encodings of a file without a mark: the first that gives its bytes back, which the last always does."""


@dataclass(frozen=True)
class Foreign:
    """A text with the bytes that it was read from, the mark that they begin with and their encoding."""

    file: File
    data: bytes
    mark: bytes
    codec: str

    @property
    def prose(self) -> str:
        """The text with addresses, and what the language of a program takes for a number, blanked out."""
        text, made, end = without_addresses(self.file.text), list[str](), 0
        for start, stop in _figures(self.file.name, text):
            made += [text[end:start], "\0" * (stop - start)]
            end = stop
        return "".join([*made, text[end:]])

    def bytes_of(self, text: str) -> bytes:
        """Another text as this one is written. Raises UnicodeEncodeError."""
        return self.mark + text.encode(self.codec)


def foreign(name: str, data: bytes) -> Foreign | Problem:
    """A file as a text, or why it is none."""
    mark, codec = next((pair for pair in _MARKS if data.startswith(pair[0])), (b"", ""))
    bare = data.removeprefix(mark)
    for one in (codec,) if codec else _CODECS if b"\0" not in bare else ():
        try:
            text = bare.decode(one)
        except UnicodeDecodeError:
            continue
        if text.encode(one) == bare:
            return Foreign(File(name, text), data, mark, one)
    return UNREADABLE.at(Place(name), "is no text", name)


def read(name: str) -> tuple[bytes, Problem | None]:
    """The bytes of a file, or why it has none to offer."""
    try:
        if name == STDIN:
            data = sys.stdin.buffer.read(bounds.FILE.most + 1)
        else:
            with open(name, "rb") as file:  # which may be a pipe: its size is known when it has been read
                data = file.read(bounds.FILE.most + 1)
    except OSError as error:
        return b"", UNREADABLE.at(Place(name), f"cannot be opened: {error.strerror}", name)
    if len(data) > bounds.FILE.most:
        return b"", TOO_LARGE.at(
            Place(name), f"more than {bounds.FILE.most // 1_000_000} MB are too many to be a text", name
        )
    return data, None


def _figures(name: str, text: str) -> Iterator[tuple[int, int]]:
    """Numbers that a program computes with, which cite nothing; those in its comments and strings may."""
    from pygments.lexers import find_lexer_class_for_filename  # late: only outside texts need it
    from pygments.token import Number

    if lexer := find_lexer_class_for_filename(Path(name).name):
        for at, kind, words in lexer().get_tokens_unprocessed(f"{text}\n"):
            if kind in Number:
                yield at, at + len(words)
