"""Content as written: text that knows its source location.

A YAML parser turns `12.10` into 12.1, `+1` into 1 and `no` into false. Here every scalar stays the text that
the editor wrote, and every key and value knows its line and column. `yaml_tree` makes these from a file.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

from rulewright.files.invisible_characters import cleaned, is_hidden
from rulewright.files.problems import (
    Problem,
    ProblemType,
    SourceFile,
    SourceLocation,
    did_you_mean,
    problem_type,
)

NOT_UTF8 = problem_type("file-not-utf8", "A content file is not UTF-8 text. Save it as UTF-8.")
CONTROL = problem_type("control-character", "A file contains a control character. Delete it.")

CONFLICT = problem_type(
    "merge-conflict",
    "A file contains merge conflict markers. Keep one side, and delete the lines with the markers.",
)

UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BREAK = "\r\n|[\n\r\x85\u2028\u2029]"  # what libyaml takes for the end of a line
_BLOCK_HEADER = re.compile(f".*?(?:{_BREAK}|\\Z)", re.DOTALL)
_WRITTEN = {
    '"': re.compile(rf"\\(?:x..|u.{{4}}|U.{{8}}|{_BREAK}|.)|\S", re.DOTALL),
    "'": re.compile(r"''|\S"),
}
_AS_IS = re.compile(r"\S")
TextKey = tuple[str, int, int, str]
_BLANK_ESCAPES = set("tnrvf _NLP\n\r\t\x85\u2028\u2029")


class LocatedText(str):
    """String that knows its source: `start` and `end` bound the scalar with its quotes or block header."""

    __slots__ = ("_spans", "end", "file", "start", "style")

    file: SourceFile
    start: int
    end: int
    style: str
    _spans: list[tuple[int, int]]

    @classmethod
    def from_source(cls, value: str, file: SourceFile, start: int, end: int, style: str = "") -> Self:
        """`value` as written in `file.text[start:end]`; `style` is YAML's: `'`, `"`, `|`, `>` or none."""
        text = cls(value)
        text.file, text.start, text.end, text.style = file, start, end, style
        return text

    @property
    def key(self) -> TextKey:
        """Identity of a text: its location, and its words, which errata may change."""
        return self.file.name, self.start, self.end, self

    @property
    def printed(self) -> LocatedText:
        """The text before any erratum, the source of names and URLs."""
        return self

    @property
    def place(self) -> SourceLocation:
        return self.file.location(self.start)

    def location_of(self, offset: int) -> SourceLocation:
        return self.file.location(self.file_offset(offset))

    def unknown_name_problem(
        self, kind: ProblemType, message: str, options: Iterable[str], about: str = ""
    ) -> Problem:
        """Return a problem of an unknown name, with the most similar option."""
        return kind.problem(self.place, f"{message}{did_you_mean(self, options)}", about)

    def file_offset(self, offset: int) -> int:
        """Return the offset in the file of the character at `offset` of this string."""
        return self._character_spans()[min(offset, len(self))][0]

    def file_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the file of the characters from `start` to `end`, whose first and last are
        visible.
        """
        spans = self._character_spans()
        return spans[start][0], spans[end - 1][1]

    def _character_spans(self) -> list[tuple[int, int]]:
        """Return the span in the file of each character and of the end.

        The n-th visible character of the string is the n-th in the file. White space, which folding and
        indenting change, is located directly after the last visible character.
        """
        if not hasattr(self, "_spans"):
            visible, end = self._visible(), self.start
            self._spans = []
            for character in (*self, " "):
                span = (end, end) if character.isspace() else next(visible, (end, end))
                end = span[1]
                self._spans.append(span)
        return self._spans

    def _inside(self) -> tuple[int, int]:
        """Return the span of the text in the file, without quotes and block header."""
        if self.style in ("|", ">"):
            header = _BLOCK_HEADER.match(self.file.text, self.start, self.end)
            return header.end() if header else self.end, self.end
        return (self.start + 1, self.end - 1) if self.style else (self.start, self.end)

    def without_invisible(self) -> LocatedText:
        """Return the text without invisible characters."""
        return CleanedText.from_source(cleaned(self).strip(), self.file, self.start, self.end, self.style)

    def _visible(self) -> Iterator[tuple[int, int]]:
        """Yield the span in the file of each visible character."""
        start, end = self._inside()
        for m in _WRITTEN.get(self.style, _AS_IS).finditer(self.file.text, start, end):
            token = m.group()
            is_blank = False
            if token[0] == "\\" and self.style == '"':
                is_number = token[1] in "xuU"
                is_blank = chr(int(token[2:], 16)).isspace() if is_number else token[1] in _BLANK_ESCAPES
            if not is_blank:
                yield m.span()


class CleanedText(LocatedText):
    """Scalar without the invisible characters in its file."""

    __slots__ = ()

    def _visible(self) -> Iterator[tuple[int, int]]:
        return (span for span in super()._visible() if not is_hidden(self.file.text[slice(*span)]))


class TextSlice(LocatedText):
    """Part of a scalar; `start` and `end` bound its words only."""

    __slots__ = ()

    @classmethod
    def slice_of(cls, text: LocatedText, start: int, end: int) -> TextSlice:
        """Return the characters from `start` to `end` of a scalar, whose first and last are visible."""
        return cls.from_source(text[start:end], text.file, *text.file_span(start, end), text.style)

    def _inside(self) -> tuple[int, int]:  # plain: ok
        return self.start, self.end


@dataclass(eq=False, slots=True)
class _Branch:
    """List or mapping, from `start` to the end of its last character. `flow`: in brackets."""

    file: SourceFile
    start: int
    end: int = 0
    flow: bool = False

    @property
    def place(self) -> SourceLocation:
        return self.file.location(self.start)


@dataclass(eq=False, slots=True)
class YamlMapping(_Branch):
    """Mapping with its entries in the order written."""

    entries: dict[LocatedText, Node | None] = field(default_factory=dict)
    """A value is None if it is invalid, which has been reported."""

    shorthand_key: LocatedText | None = None
    """The key of the mapping itself, if it contains some of the entries."""

    value: Node | None = None
    """The value of the shorthand key as written."""

    duplicates: Sequence[LocatedText] = ()
    """Keys that repeat what the shorthand key contains."""


@dataclass(eq=False, slots=True)
class YamlSequence(_Branch):
    """List with its items in the order written."""

    items: list[Node] = field(default_factory=list)


Node = LocatedText | YamlMapping | YamlSequence


def get_value(node: Node | None, name: str) -> Node | None:
    """Return the value of a key, or None if the node is no mapping or has no such key."""
    return node.entries.get(LocatedText(name)) if isinstance(node, YamlMapping) else None


def decode_utf8(name: str, data: bytes) -> tuple[SourceFile, list[Problem]]:
    """Return a file's bytes as text; the first invalid byte is reported."""
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        file = SourceFile(name, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        file = SourceFile(name, data.decode("utf-8", "replace"))
        place = file.location(len(data[: error.start].decode("utf-8")))
        message = f"the byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        return file, [NOT_UTF8.problem(place, message, name)]
    if bad := UNPRINTABLE.search(file.text):
        message = f"a control character (U+{ord(bad.group()):04X}); delete it"
        return file, [CONTROL.problem(file.location(bad.start()), message, name)]
    return file, []
