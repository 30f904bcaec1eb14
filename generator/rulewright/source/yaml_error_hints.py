"""Errors of libyaml in plain words, at the place where an editor would look.

libyaml names the state that its parser was in ("did not find expected key"). Behind each of those
stand a few slips that editors make; the text around the error tells which one it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from rulewright.source.invisible_characters import first_invisible, is_hidden, unicode_name
from rulewright.source.lazy_regex import Regex
from rulewright.source.problems import SourceFile

Slip = tuple[int, str]
"""Where a slip is, counted in characters, and what it is and what mends it in one sentence."""

MOST_KEY = 1_024
QUOTES = ("'", '"')
CLOSED_BY = {"[": "]", "{": "}"}

_INVISIBLE_END = Regex("[\x85\u2028\u2029]")
_HEAD = Regex(r"[^\n:：]*(?:[:：][^\n\"'\w]?)?")  # of a line, up to what stands behind its first colon
_ODD_SPACE = Regex("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_CONFLICT = Regex(r"^[ \t]*(?:(?:<{7}|>{7})(?:[ \t]|\r?$)|(?P<row>={7})[ \t]*\r?$)", re.MULTILINE)
_TIGHT_QUOTED = Regex(r"""(?:"[^"\n]*"|'[^'\n]*'):(?=\S)""")
_VALUE = Regex(r":[ \t]+(\S)")
_TIGHT_COLON = Regex(r"(?:-[ \t]+)?[^\s:\"'{}\[\]#]+(?:[ \t]+[^\s:\"'{}\[\]#]+)*:(?=[^\s:/])")
_NEXT_ITEM = Regex(r"""["'\[{]|[\w -]+:|\s|\Z""")
_ENDED = Regex(r"^\.\.\.\s*$", re.MULTILINE)
_FIRST_WORD = Regex(r"(?:[ \t]*(?:#.*)?\r?\n)*[ ]*")
_BELOW_HEADER = Regex(r".*\n\s*")

CONFLICT = "a merge conflict was left here; keep one side and delete these lines"
_COLON = "a colon stands in text without quotes; put the text in quotes"
_TIGHT = "a space is missing behind this colon"
_TIGHT_DASH = "a space is missing behind this -"
_LONG = f"a key has {MOST_KEY} letters at most"
_PERCENT = "a line that begins with % is an instruction to YAML; delete it, or put it in quotes"
_ALIKE = "they must begin in the same column"


@dataclass(frozen=True, slots=True)
class PrecedingToken:
    """Last thing read before an error: a scalar in its style, or a list or keys in brackets."""

    start: int = 0
    end: int = 0
    style: str = ""


def merge_conflict_markers(text: str, *, is_page: bool = False) -> Iterator[int]:
    """Yield where the marks of an unfinished merge stand; below words a row of = makes a heading of a
    page.
    """
    if "<<<<<<<" in text or ">>>>>>>" in text or "=======" in text:
        for m in _CONFLICT.finditer(text):
            above = text[: m.start()].rpartition("\n")[0].rpartition("\n")[2]
            if not (is_page and m["row"] and above.strip()):
                yield m.end() - len(m[0].lstrip())


def explain_yaml_error(file: SourceFile, error: yaml.MarkedYAMLError, before: PrecedingToken) -> Slip:
    """Return the slip that an error of libyaml comes from."""
    mark = error.problem_mark or error.context_mark
    offset = min(mark.index, len(file.text)) if mark else 0
    opened = min(error.context_mark.index, len(file.text)) if error.context_mark else offset
    for conflict in merge_conflict_markers(file.text[: file.text.find("\n", offset) + 1 or None]):
        return conflict, CONFLICT
    return _Error(file, str(error.context or ""), str(error.problem or ""), offset, opened, before).slip()


@dataclass(frozen=True, slots=True)
class _Error:
    """Error of libyaml: `at` which character, and where the part that it was reading was `opened`."""

    file: SourceFile
    context: str
    problem: str
    at: int
    opened: int
    before: PrecedingToken

    def slip(self) -> Slip:
        problem, character = self.problem, self._sign(self.at)
        for spot in (self.opened, self.at):
            line = spot - self._column(spot) + 1
            if invisible := _INVISIBLE_END.search(self.file.text, line, spot):
                sign = f"U+{ord(invisible.group()):04X}"
                return invisible.start(), f"an invisible line end ({sign}) stands here; write a space"
        for spot in (self.opened, self.at, self.before.start):
            if odd := self._odd(spot - self._column(spot) + 1):
                return odd
        if "tab character" in problem or (character == "\t" and "cannot start any token" in problem):
            return self.file.text.find("\t", self.at), "a tab stands where YAML wants spaces; write spaces"
        if "quoted scalar" in self.context:
            return self._in_quotes()
        if "block scalar" in self.context:
            sign = self._sign(self.opened)
            message = f"text that begins with {sign} must be in quotes; text in several lines begins below it"
            return self.opened, message
        if "',' or" in problem and not self._runs_on():
            return self._in_brackets(character)
        if self.before.style in QUOTES and "did not find expected" in problem:
            return self._behind_quotes(character)
        if self.before.style in CLOSED_BY and self._same_line(self.before.end, self.at):
            return self._behind_brackets(character)
        if "values are not allowed" in problem:
            return self._colon()
        if "expected ':'" in problem:
            return self._no_colon()
        if "document start" in problem:
            return self._no_document()
        if "directive" in self.context or "directive" in problem or "incompatible" in problem:
            return self.opened, _PERCENT
        if "sequence entries" in problem:
            return self.at, "text that begins with - must be in quotes; a list begins in a line of its own"
        start = self.opened if re.search("anchor|alias|tag|node", self.context) else self.at
        if self._is_tight_dash(start):
            return start - 1, _TIGHT_DASH
        if self._sign(start) in ("{", "[") and self._margin(start) == start:
            return start, f"nothing leads up to this {self._sign(start)}; an entry of a list begins with a -"
        if self._sign(start) in set("*&!%@`|>?,[]{}"):
            return start, f"text that begins with {self._sign(start)} must be in quotes"
        if "node content" in problem:
            return self.at, "a value is missing here, or a bracket above is not closed"
        if "block" in self.context:
            return self._indent(character)
        return self.at, f"this is not YAML ({problem})"

    def _odd(self, line: int) -> Slip | None:
        """Return a sign at the head of a line that looks like nothing, or like a space or a colon, and is
        none.
        """
        text = self.file.text
        head = _HEAD.match(text, line)
        end = head.end() if head else line
        if space := _ODD_SPACE.search(text, line, end):
            return space.start(), f"the space here is {unicode_name(space.group())}; write a usual one"
        if (invisible := first_invisible(text[line:end])) and (
            is_hidden(invisible[1]) or invisible[1] == "："
        ):
            cure = (
                "which cannot be seen; delete it"
                if is_hidden(invisible[1])
                else "which is no colon; write a usual one"
            )
            return line + invisible[0], f"{unicode_name(invisible[1])} stands here, {cure}"
        return None

    def _in_quotes(self) -> Slip:
        if "end of stream" in self.problem or "document" in self.problem:
            return self.opened, "this quote is never closed"
        return self.at, r"a backslash in double quotes begins an escape; write \\, or use single quotes"

    def _runs_on(self) -> bool:
        """Return whether what stands behind a closing quote is the rest of a text, not the next item or
        key.
        """
        if self.before.style not in QUOTES:
            return False
        one_line = self._same_line(self.before.start, self.before.end)
        next_item = _NEXT_ITEM.match(self.file.text, self.at)
        return not one_line or (self._same_line(self.before.end, self.at) and not next_item)

    def _behind_quotes(self, character: str) -> Slip:
        """Something stands behind a closing quote."""
        start, last = self.before.start, self.before.end - 1
        if not self._same_line(start, last):
            return start, f"this quote is closed only in line {self._line(last)}; one is missing in between"
        if not self._same_line(last, self.at):
            return self._indent(character)
        if (value := _VALUE.match(self.file.text, last + 1)) and value[1] in "*&!":
            return value.start(1), f"text that begins with {value[1]} must be in quotes"
        inner = "''" if self.before.style == "'" else '\\"'
        return last, f"the text ends at this quote, but words follow; a quote in the text is written {inner}"

    def _in_brackets(self, character: str) -> Slip:
        """Something in `[…]` or `{…}` is neither parted by a comma nor the end."""
        sign, close = self._sign(self.opened), CLOSED_BY.get(self._sign(self.opened), "")
        if character == ":":
            return self.at, _COLON
        if character and self._same_line(self.opened, self.at):
            return self.at, f"a comma is missing before this, or a {close}"
        if close in self.file.text[self.at :] and self._sign(self._margin(self.at)) != "-":
            line = self._line(self.at)
            return self.opened, f"this {sign} is not closed, or a comma is missing before line {line}"
        return self.opened, f"this {sign} is not closed by a {close}"

    def _behind_brackets(self, character: str) -> Slip:
        """Something stands behind a bracket that closed a list or keys."""
        if character and character in "]}":
            return self.at, f"there is one {character} too many"
        if self._is_tight_dash(self.before.start):
            return self.before.start - 1, _TIGHT_DASH
        return self.before.start, f"text that begins with {self.before.style} must be in quotes"

    def _colon(self) -> Slip:
        """Return a colon stands where no key can be."""
        start = self.before.start
        if self._same_line(start, self.at):
            return (start, _LONG) if self.at - start > MOST_KEY else (self.at, _COLON)
        if self.before.style:
            return start, "a key stands in one line"
        if tight := _TIGHT_COLON.match(self.file.text, start):
            return tight.end() - 1, _TIGHT
        if self._margin(start) == start:
            return start, "this line has no colon behind its key"
        location = f"this line goes on with the text of line {self._line(start)}, so it can hold no key"
        cure = f"begin it in column {self._key_column(start)}, or put the text in quotes"
        return self._margin(self.at), f"{location}; {cure}"

    def _no_colon(self) -> Slip:
        """Return a line is no key and belongs to no text."""
        if tight := _TIGHT_COLON.match(self.file.text, self.opened) or _TIGHT_QUOTED.match(
            self.file.text, self.opened
        ):
            return tight.end() - 1, _TIGHT
        if self.at - self.opened > MOST_KEY and self._same_line(self.opened, self.at - 1):
            return self.opened, _LONG
        return (
            self.opened,
            "this line has no colon behind a key; write one, or indent the line like the text above it",
        )

    def _no_document(self) -> Slip:
        """Return the text goes on where YAML takes it to have ended, or not to have begun."""
        above = self.file.text[: self.at]
        if _ENDED.search(above):
            return self.at, "the file has ended above with `...`; delete that line"
        if above.lstrip().startswith("%"):
            return above.find("%"), _PERCENT
        first = _FIRST_WORD.match(self.file.text)
        first_column = self._column(first.end() if first else 0)
        column = self._column(self.at)
        if column == first_column:
            return self.before.start, "this line has no colon behind its key"
        return self.at, f"this line begins in column {column}, the first in column {first_column}; {_ALIKE}"

    def _indent(self, character: str) -> Slip:
        """Return a line stands neither beside nor inside what is above it."""
        column, opened_column, line = (
            self._column(self.at),
            self._column(self.opened),
            self._line(self.opened),
        )
        in_list = "'-'" in self.problem
        if character == ":":
            return self.at, "there is no key before this colon"
        if character == "-" and not in_list:
            return self.at, f"a list begins here, beside the keys of line {line}; it needs a key of its own"
        if self.before.style in ("|", ">") and column > opened_column:
            text = self._column(self._below_header(self.before.start))
            if text == column:
                return self.at, "an empty line above holds more spaces than this line's indent; delete them"
            return self.at, f"this line begins in column {column}, the text above in column {text}; {_ALIKE}"
        if in_list and character != "-":
            cure = f"to go on with the entry above, begin it in column {opened_column + 2}"
            return self.at, f"this line of a list has no -; {cure}"
        sibling_list = f"the {'list' if in_list else 'keys'} of line {line} in column {opened_column}"
        return self.at, f"this line begins in column {column}, {sibling_list}; {_ALIKE}"

    def _is_tight_dash(self, offset: int) -> bool:
        return self._sign(offset - 1) == "-" and self._margin(offset) == offset - 1

    def _sign(self, offset: int) -> str:
        return self.file.text[offset : offset + 1]

    def _line(self, offset: int) -> int:
        return self.file.location(offset).line

    def _column(self, offset: int) -> int:
        return self.file.location(offset).column

    def _same_line(self, start: int, end: int) -> bool:
        return self._line(start) == self._line(end)

    def _margin(self, offset: int) -> int:
        """Return where the first word of a line stands."""
        start = offset - self._column(offset) + 1
        return start + len(self.file.text[start:offset]) - len(self.file.text[start:offset].lstrip(" "))

    def _key_column(self, offset: int) -> int:
        """Return the column of the key whose value stands at a place: behind the dashes of its line."""
        margin = self._margin(offset)
        dashes = re.match(r"(?:-[ ]+)*", self.file.text[margin:offset])
        return self._column(margin + (dashes.end() if dashes else 0))

    def _below_header(self, header: int) -> int:
        """Return where the text of a `|` begins whose header stands at a place."""
        below = _BELOW_HEADER.match(self.file.text, header)
        return below.end() if below else header
