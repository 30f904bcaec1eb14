"""Errors of libyaml in plain words, at the place where an editor would look.

libyaml names the state of its parser ("did not find expected key"). Each state has a few typical causes; the
text around the error decides which one it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from rulewright.files.invisible_characters import unicode_name
from rulewright.files.problems import SourceFile

Mistake = tuple[int, str]
"""Offset of a mistake, and its message."""

QUOTES = ("'", '"')

_HEAD = re.compile(r"[^\n:：]*(?:[:：][^\n\"'\w]?)?")  # of a line, up to the character after its first colon
_ODD = re.compile("[\xa0\u1680\u2000-\u200b\u202f\u205f\u3000\x85\u2028\u2029\uff1a]")
_CONFLICT = re.compile(r"^[ \t]*(?:(?:<{7}|>{7})(?:[ \t]|\r?$)|(?P<row>={7})[ \t]*\r?$)", re.MULTILINE)
_TIGHT_COLON = re.compile(
    r"""(?:-[ \t]+)?(?:"[^"\n]*"|'[^'\n]*'|[^\s:"'{}\[\]#][^:"'{}\[\]#\n]*):(?=[^\s:/])"""
)
_SPECIAL = "*&!%@`|>?,[]{}"

CONFLICT = "a merge conflict was left here; keep one side and delete these lines"
_COLON = "unquoted text contains a colon; put the text in quotes"
_TIGHT = "a space is missing after this colon"
_NO_COLON = "this line has no colon after a key; write one, or indent the line like the text above it"
_QUOTED = "text that begins with {} must be in quotes"
_STATES = (
    ("quoted scalar.*: .*(?:end of stream|document)", True, "this quote is never closed"),
    (
        "quoted scalar.*: ",
        False,
        r"a backslash in double quotes begins an escape; write \\, or use single quotes",
    ),
    ("block scalar.*: ", True, f"{_QUOTED}; text in several lines begins below it"),
    ("directive|incompatible", True, _QUOTED),
    ("sequence entries", False, f"{_QUOTED}; a list begins in a line of its own"),
)
"""Patterns of libyaml's words; whether the mistake is where the part begins; and its message."""


@dataclass(frozen=True, slots=True)
class PrecedingToken:
    """Last token before an error: a scalar in its style, or a closed collection in brackets."""

    start: int = 0
    end: int = 0
    style: str = ""


def merge_conflict_markers(text: str, *, is_page: bool = False) -> Iterator[int]:
    """Yield the offsets of merge conflict markers; in a page, `=` below words underlines a heading."""
    for m in _CONFLICT.finditer(text):
        above = text[: m.start()].rpartition("\n")[0].rpartition("\n")[2]
        if not (is_page and m["row"] and above.strip()):
            yield m.end() - len(m[0].lstrip())


def explain_yaml_error(file: SourceFile, error: yaml.MarkedYAMLError, before: PrecedingToken) -> Mistake:
    """Return the mistake that caused an error of libyaml."""
    mark = error.problem_mark or error.context_mark
    offset = min(mark.index, len(file.text)) if mark else 0
    opened = min(error.context_mark.index, len(file.text)) if error.context_mark else offset
    for conflict in merge_conflict_markers(file.text[: file.text.find("\n", offset) + 1 or None]):
        return conflict, CONFLICT
    return _Error(file, f"{error.context}: {error.problem}", offset, opened, before).explain()


@dataclass(frozen=True, slots=True)
class _Error:
    """Error of libyaml in its words: at `offset`, while reading the part that was `opened` before."""

    file: SourceFile
    words: str
    offset: int
    opened: int
    before: PrecedingToken

    def explain(self) -> Mistake:
        text, words, before = self.file.text, self.words, self.before
        character = text[self.offset : self.offset + 1]
        for start in (self.opened, self.offset, before.start):
            if (odd := self._odd_character(start)) is not None:
                return odd, f"YAML cannot read {unicode_name(text[odd])} here; write the usual character"
        if "tab character" in words or (character == "\t" and "cannot start any token" in words):
            return text.find("\t", self.offset), "a tab is used where YAML needs spaces; write spaces"
        for state, is_opened, message in _STATES:
            if re.search(state, words):
                offset = self.opened if is_opened else self.offset
                return offset, message.format(text[offset : offset + 1])
        if "',' or" in words:
            return self._in_brackets(character)
        if before.style in QUOTES and "did not find expected" in words:
            return self._after_quotes(character)
        if character in ("]", "}"):
            return self.offset, f"there is one {character} too many"
        if before.style in ("[", "{") and self._same_line(before.end, self.offset):
            return before.start, _QUOTED.format(before.style)
        if "values are not allowed" in words:
            return self._colon()
        start = self.opened if re.search("anchor|alias|tag|node.*:", words) else self.offset
        first = text[start : start + 1]
        if first in ("[", "{") and self._margin(start) == start:
            return start, f"there is no key before this {first}; an entry of a list begins with a -"
        if first and first in _SPECIAL:
            return start, _QUOTED.format(first)
        if "expected ':'" in words or "document start" in words:
            start = self.opened if "expected" in words else self._margin(before.start)
            tight = _TIGHT_COLON.match(text, start)
            return (tight.end() - 1, _TIGHT) if tight else (start, _NO_COLON)
        if "node content" in words:
            return self.offset, "a value is missing here, or a bracket above is not closed"
        return self._indent(character)

    def _odd_character(self, start: int) -> int | None:
        """Return the offset of an invisible or look-alike character in a line up to its first colon."""
        text, line = self.file.text, self._line_start(start)
        head = _HEAD.match(text, line)
        odd = _ODD.search(text, line, max(start, head.end()) if head else start)
        return odd.start() if odd else None

    def _after_quotes(self, character: str) -> Mistake:
        """Explain words after a closing quote."""
        start, last = self.before.start, self.before.end - 1
        if not self._same_line(start, last):
            return start, f"this quote is closed only in line {self._line(last)}; one is missing in between"
        if not self._same_line(last, self.offset):
            return self._indent(character)
        inner = "''" if self.before.style == "'" else '\\"'
        message = "the text ends at this quote, but words follow; a quote in the text is written"
        return last, f"{message} {inner}"

    def _in_brackets(self, character: str) -> Mistake:
        """Explain a missing comma or end in `[…]` or `{…}`."""
        if character == ":":
            return self.offset, _COLON
        bracket = f"the {self.file.text[self.opened : self.opened + 1]} of line {self._line(self.opened)}"
        offset = self.offset if self._same_line(self.opened, self.offset) else self.opened
        return offset, f"{bracket} is not closed, or a comma is missing"

    def _colon(self) -> Mistake:
        """Explain a colon where no key is possible."""
        start = self.before.start
        if self._same_line(start, self.offset):
            return self.offset, _COLON
        if tight := _TIGHT_COLON.match(self.file.text, start):
            return tight.end() - 1, _TIGHT
        if self._margin(start) == start:
            return start, _NO_COLON
        message = f"this line goes on with the text of line {self._line(start)}, so it can hold no key"
        cure = "indent it like the key there, or put the text in quotes"
        return self._margin(self.offset), f"{message}; {cure}"

    def _indent(self, character: str) -> Mistake:
        """Explain a line whose indent fits no line above it."""
        if character == ":":
            return self.offset, "there is no key before this colon"
        column, above, line = self._column(self.offset), self._column(self.opened), self._line(self.opened)
        is_in_list = "'-'" in self.words
        if is_in_list and character != "-":
            message = "this line needs a - before it, or more indent to belong to the entry above"
        elif character == "-" and not is_in_list:
            message = f"a list begins here, beside the keys of line {line}; it needs a key of its own"
        elif self.before.style in ("|", ">") and column > above:
            message = "this line must begin in the same column as the text above it"
        else:
            columns = f"this line begins in column {column}, that of line {line} in column {above}"
            message = f"{columns}; they must begin in the same column"
        return self.offset, message

    def _line(self, offset: int) -> int:
        return self.file.location(offset).line

    def _column(self, offset: int) -> int:
        return self.file.location(offset).column

    def _same_line(self, start: int, end: int) -> bool:
        return self._line(start) == self._line(end)

    def _line_start(self, offset: int) -> int:
        return offset - self._column(offset) + 1

    def _margin(self, offset: int) -> int:
        """Return the offset of the first word of a line, at most the offset itself."""
        line = self.file.text[self._line_start(offset) : offset]
        return offset - len(line.lstrip(" "))
