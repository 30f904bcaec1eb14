"""Errors of libyaml in plain words, at the place where an editor would look.

libyaml names the state of its parser ("did not find expected key"). Each state has a few typical causes; the
text around the error decides which one it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from rulewright.files.invisible_characters import first_invisible, unicode_name
from rulewright.files.problems import SourceFile

Mistake = tuple[int, str]
"""Offset of a mistake, and its message."""

QUOTES = ("'", '"')

_HEAD = re.compile(r"[^\n:：]*(?:[:：][^\n\"'\w]?)?")  # of a line, up to the character after its first colon
_ODD = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000\x85\u2028\u2029]")
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
        if "expected ':'" in words:
            return self._no_colon(self.opened)
        if "document start" in words:
            above = self._margin(before.start)
            is_aligned = self._column(above) == self._column(self.offset)
            return self._no_colon(above) if is_aligned else self._explain_alignment("keys", above)
        if "node content" in words:
            return self.offset, "a value is missing here, or a bracket above is not closed"
        return self._indent(character)

    def _odd_character(self, start: int) -> int | None:
        """Return the offset of an invisible or look-alike character in a line up to its first colon."""
        text, line = self.file.text, self._line_start(start)
        head = _HEAD.match(text, line)
        end = max(start, head.end()) if head else start
        if odd := _ODD.search(text, line, end):
            return odd.start()
        invisible = first_invisible(head.group()) if head else None
        return line + invisible[0] if invisible else None

    def _after_quotes(self, character: str) -> Mistake:
        """Explain words after a closing quote."""
        start, last, style = self.before.start, self.before.end - 1, self.before.style
        if not self._same_line(start, last):
            return start, f"this quote is closed only in line {self._line(last)}; one is missing in between"
        if self._same_line(last, self.offset):
            inner = "''" if style == "'" else '\\"'
            return (
                last,
                f"the text ends at this quote, but words follow; a quote in the text is written {inner}",
            )
        return self._indent(character)

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
        return self._margin(
            self.offset
        ), f"{message}; indent it like the key there, or put the text in quotes"

    def _no_colon(self, start: int) -> Mistake:
        """Explain a line that is no key and belongs to no text."""
        tight = _TIGHT_COLON.match(self.file.text, start)
        return (tight.end() - 1, _TIGHT) if tight else (start, _NO_COLON)

    def _indent(self, character: str) -> Mistake:
        """Explain a line whose indent fits no line above it."""
        if character == ":":
            return self.offset, "there is no key before this colon"
        if "'-'" in self.words and character != "-":
            return self.offset, "this line needs a - before it, or more indent to belong to the entry above"
        if "'-'" in self.words:
            return self._explain_alignment("list", self.opened)
        if character == "-":
            line = self._line(self.opened)
            return (
                self.offset,
                f"a list begins here, beside the keys of line {line}; it needs a key of its own",
            )
        if self.before.style in ("|", ">") and self._column(self.offset) > self._column(self.opened):
            return self.offset, "this line must begin in the same column as the text above it"
        return self._explain_alignment("keys", self.opened)

    def _explain_alignment(self, noun: str, above: int) -> Mistake:
        """Explain a line that begins in another column than the list or the keys above it."""
        column, line = self._column(self.offset), self._line(above)
        above_text = f"the {noun} of line {line} in column {self._column(above)}"
        return (
            self.offset,
            f"this line begins in column {column}, {above_text}; they must begin in the same column",
        )

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
