"""Errors of libyaml in plain words, at the place where an editor would look.

libyaml names the state of its parser ("did not find expected key"). Each state has a few typical causes; the
text around the error decides which one it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from rulewright.files.invisible_characters import first_invisible, is_hidden, unicode_name
from rulewright.files.problems import SourceFile

Mistake = tuple[int, str]
"""Offset of a mistake, and its message."""

MAX_KEY_LENGTH = 1_024
QUOTES = ("'", '"')
CLOSED_BY = {"[": "]", "{": "}"}

_INVISIBLE_END = re.compile("[\x85\u2028\u2029]")
_HEAD = re.compile(r"[^\n:：]*(?:[:：][^\n\"'\w]?)?")  # of a line, up to the character after its first colon
_ODD_SPACE = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_CONFLICT = re.compile(r"^[ \t]*(?:(?:<{7}|>{7})(?:[ \t]|\r?$)|(?P<row>={7})[ \t]*\r?$)", re.MULTILINE)
_TIGHT_QUOTED = re.compile(r"""(?:"[^"\n]*"|'[^'\n]*'):(?=\S)""")
_VALUE = re.compile(r":[ \t]+(\S)")
_TIGHT_COLON = re.compile(r"(?:-[ \t]+)?[^\s:\"'{}\[\]#]+(?:[ \t]+[^\s:\"'{}\[\]#]+)*:(?=[^\s:/])")
_NEXT_ITEM = re.compile(r"""["'\[{]|[\w -]+:|\s|\Z""")
_ENDED = re.compile(r"^\.\.\.\s*$", re.MULTILINE)
_FIRST_WORD = re.compile(r"(?:[ \t]*(?:#.*)?\r?\n)*[ ]*")
_DASHES = re.compile(r"[ ]*(?:-[ ]+)*")
_BELOW_HEADER = re.compile(r".*\n\s*")

CONFLICT = "a merge conflict was left here; keep one side and delete these lines"
_COLON = "unquoted text contains a colon; put the text in quotes"
_TIGHT = "a space is missing after this colon"
_TIGHT_DASH = "a space is missing after this -"
_LONG = f"a key has {MAX_KEY_LENGTH} letters at most"
_NO_COLON = "this line has no colon after its key"
_PERCENT = "a line that begins with % is an instruction to YAML; delete it, or put it in quotes"
_LIST = "text that begins with - must be in quotes; a list begins in a line of its own"
_QUOTE = "text that begins with {} must be in quotes"
_ALIKE = "they must begin in the same column"
_STATES = (
    ("quoted scalar.*: .*(?:end of stream|document)", True, "this quote is never closed"),
    (
        "quoted scalar.*: ",
        False,
        r"a backslash in double quotes begins an escape; write \\, or use single quotes",
    ),
    ("block scalar.*: ", True, f"{_QUOTE}; text in several lines begins below it"),
    ("directive|incompatible", True, _PERCENT),
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
    if "<<<<<<<" in text or ">>>>>>>" in text or "=======" in text:
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
    return _Error(file, str(error.context or ""), str(error.problem or ""), offset, opened, before).explain()


@dataclass(frozen=True, slots=True)
class _Error:
    """Error of libyaml: at `offset`, while reading the part that was `opened` before."""

    file: SourceFile
    context: str
    problem: str
    offset: int
    opened: int
    before: PrecedingToken

    def explain(self) -> Mistake:
        text, problem, before = self.file.text, self.problem, self.before
        for offset in (self.opened, self.offset):
            if invisible := _INVISIBLE_END.search(text, self._line_start(offset), offset):
                code_point = f"U+{ord(invisible.group()):04X}"
                return invisible.start(), f"an invisible line end ({code_point}); write a space"
        for offset in (self.opened, self.offset, before.start):
            if mistake := self._odd_character(self._line_start(offset)):
                return mistake
        character = text[self.offset : self.offset + 1]
        if "tab character" in problem or (character == "\t" and "cannot start any token" in problem):
            return text.find("\t", self.offset), "a tab is used where YAML needs spaces; write spaces"
        for state, is_opened, message in _STATES:
            if re.search(state, f"{self.context}: {problem}"):
                offset = self.opened if is_opened else self.offset
                return offset, message.format(text[offset : offset + 1])
        if "',' or" in problem and not self._text_continues():
            return self._in_brackets(character)
        if before.style in QUOTES and "did not find expected" in problem:
            return self._after_quotes(character)
        if before.style in CLOSED_BY and self._same_line(before.end, self.offset):
            return self._after_brackets(character)
        if "values are not allowed" in problem:
            return self._colon()
        if "expected ':'" in problem:
            return self._no_colon()
        if "document start" in problem:
            return self._no_document()
        if "sequence entries" in problem:
            return self.offset, _LIST
        start = self.opened if re.search("anchor|alias|tag|node", self.context) else self.offset
        first = text[start : start + 1]
        if self._is_tight_dash(start):
            return start - 1, _TIGHT_DASH
        if first in CLOSED_BY and self._margin(start) == start:
            return start, f"there is no key before this {first}; an entry of a list begins with a -"
        if first and first in "*&!%@`|>?,[]{}":
            return start, _QUOTE.format(first)
        if "node content" in problem:
            return self.offset, "a value is missing here, or a bracket above is not closed"
        if "block" in self.context:
            return self._indent(character)
        return self.offset, f"this is not YAML ({problem})"

    def _odd_character(self, line: int) -> Mistake | None:
        """Return an invisible character, or one that looks like a space or a colon, at the head of a line."""
        text = self.file.text
        head = _HEAD.match(text, line)
        end = head.end() if head else line
        if space := _ODD_SPACE.search(text, line, end):
            return space.start(), f"the space here is {unicode_name(space.group())}; write a usual one"
        if invisible := first_invisible(text[line:end]):
            index, character = invisible
            if is_hidden(character):
                return line + index, f"invisible character {unicode_name(character)}; delete it"
            if character == "：":
                return line + index, f"{unicode_name(character)} is no colon; write a usual one"
        return None

    def _text_continues(self) -> bool:
        """Return whether the words after a closing quote continue its text and are no next item or key."""
        before = self.before
        if before.style not in QUOTES:
            return False
        continues = self._same_line(before.end, self.offset) and not _NEXT_ITEM.match(
            self.file.text, self.offset
        )
        return continues or not self._same_line(before.start, before.end)

    def _after_quotes(self, character: str) -> Mistake:
        """Explain words after a closing quote."""
        start, last = self.before.start, self.before.end - 1
        if not self._same_line(start, last):
            return start, f"this quote is closed only in line {self._line(last)}; one is missing in between"
        if not self._same_line(last, self.offset):
            return self._indent(character)
        if (value := _VALUE.match(self.file.text, last + 1)) and value[1] in "*&!":
            return value.start(1), _QUOTE.format(value[1])
        inner = "''" if self.before.style == "'" else '\\"'
        return last, f"the text ends at this quote, but words follow; a quote in the text is written {inner}"

    def _in_brackets(self, character: str) -> Mistake:
        """Explain a missing comma or end in `[…]` or `{…}`."""
        text = self.file.text
        bracket = text[self.opened : self.opened + 1]
        close = CLOSED_BY.get(bracket, "")
        if character == ":":
            return self.offset, _COLON
        if character and self._same_line(self.opened, self.offset):
            return self.offset, f"a comma is missing before this, or a {close}"
        if close in text[self.offset :] and not text.startswith("-", self._margin(self.offset)):
            line = self._line(self.offset)
            return self.opened, f"this {bracket} is not closed, or a comma is missing before line {line}"
        return self.opened, f"this {bracket} is not closed by a {close}"

    def _after_brackets(self, character: str) -> Mistake:
        """Explain words after a closing bracket."""
        if character and character in "]}":
            return self.offset, f"there is one {character} too many"
        if self._is_tight_dash(self.before.start):
            return self.before.start - 1, _TIGHT_DASH
        return self.before.start, _QUOTE.format(self.before.style)

    def _colon(self) -> Mistake:
        """Explain a colon where no key is possible."""
        start = self.before.start
        if self._same_line(start, self.offset):
            return (start, _LONG) if self.offset - start > MAX_KEY_LENGTH else (self.offset, _COLON)
        if self.before.style:
            return start, "a key must be in one line"
        if tight := _TIGHT_COLON.match(self.file.text, start):
            return tight.end() - 1, _TIGHT
        if self._margin(start) == start:
            return start, _NO_COLON
        key = _DASHES.match(self.file.text, self._line_start(start), start)
        column = self._column(key.end()) if key else 1
        message = f"this line goes on with the text of line {self._line(start)}, so it can hold no key"
        return self._margin(self.offset), f"{message}; begin it in column {column}, or put the text in quotes"

    def _no_colon(self) -> Mistake:
        """Explain a line that is no key and belongs to no text."""
        for pattern in (_TIGHT_COLON, _TIGHT_QUOTED):
            if tight := pattern.match(self.file.text, self.opened):
                return tight.end() - 1, _TIGHT
        if self.offset - self.opened > MAX_KEY_LENGTH and self._same_line(self.opened, self.offset - 1):
            return self.opened, _LONG
        message = "this line has no colon after a key; write one, or indent the line like the text above it"
        return self.opened, message

    def _no_document(self) -> Mistake:
        """Explain text before the start or after the end of the document."""
        above = self.file.text[: self.offset]
        if _ENDED.search(above):
            return self.offset, "the file has ended above with `...`; delete that line"
        if above.lstrip().startswith("%"):
            return above.find("%"), _PERCENT
        first = _FIRST_WORD.match(self.file.text)
        column, first_column = self._column(self.offset), self._column(first.end() if first else 0)
        if column == first_column:
            return self.before.start, _NO_COLON
        message = f"this line begins in column {column}, the first in column {first_column}; {_ALIKE}"
        return self.offset, message

    def _indent(self, character: str) -> Mistake:
        """Explain a line whose indent fits no line above it."""
        column, opened_column = self._column(self.offset), self._column(self.opened)
        line, in_list = self._line(self.opened), "'-'" in self.problem
        list_or_keys = f"the {'list' if in_list else 'keys'} of line {line} in column {opened_column}"
        message = f"this line begins in column {column}, {list_or_keys}; {_ALIKE}"
        if character == ":":
            message = "there is no key before this colon"
        elif character == "-" and not in_list:
            message = f"a list begins here, beside the keys of line {line}; it needs a key of its own"
        elif self.before.style in ("|", ">") and column > opened_column:
            below_header = _BELOW_HEADER.match(self.file.text, self.before.start)
            text_column = self._column(below_header.end() if below_header else self.before.start)
            message = f"this line begins in column {column}, the text above in column {text_column}; {_ALIKE}"
            if text_column == column:
                message = "an empty line above holds more spaces than this line's indent; delete them"
        elif in_list and character != "-":
            cure = f"to go on with the entry above, begin it in column {opened_column + 2}"
            message = f"this line of a list has no -; {cure}"
        return self.offset, message

    def _is_tight_dash(self, offset: int) -> bool:
        return self.file.text[offset - 1 : offset] == "-" and self._margin(offset) == offset - 1

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
