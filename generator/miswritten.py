"""Numbers that are cued, but not written as the book writes them: `see 12.5C`, `rule 12.5.c`, `Case39.37`.

Each is read in every way that its labels allow, whatever stands between them. Where one rule alone can be
meant, it is; else what was written is reported. Nothing that a word cues is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from generator.evidence import Before, Evidence, in_parentheses
from generator.levels import Have, LevelWords
from generator.numbers import Dialect, Number, Part, roman, words_pattern

Span = tuple[int, int]

_BETWEEN = r"[.,:;()\[\]·-]{0,2}"
_DIGITS = re.compile("[0-9]+")
_GOES_ON = re.compile(rf"{_BETWEEN}\w|\(\w")
_PIECE = re.compile(r"[0-9]+|[^\W\d_]+")
_NO_NUMBER = re.compile(  # 12,000; 1st; 2d6; 10:30; 12x
    r"\d{1,3}(?:,\d{3})+(?!\w)|\d+(?:st|nd|rd|th|s)(?!\w)|\d*[dDwW]\d+(?!\w)|\d{1,2}:\d\d(?!\d)|\d+[x×](?!\w)"
)
_AND = re.compile(r",?\s*(?:and|or|&|/|,)\s*")
_GLUED = re.compile(
    "(?:of|to|in|is|or|if|as|at|by|on|[^\\W\\d_A-Z]{3,})"
)  # a word that lacks its space: 10.0for
_MISREAD = str.maketrans("lIO", "110")  # letters that are taken for digits
_LIST_ITEM = re.compile(r"\.[ \t]+[^\W\d_]")
_CITING = (Before.NAMES, Before.LISTS, Before.POINTS)
_LOOK_BACK = 160
_LONGEST = 40
_MOST_PIECES = 8


class Miswritten(NamedTuple):
    """A number that the dialect can't read as it stands, and the rules that can be meant.

    `numbers`: one if it is found, several if it can't be told which; none if the book has no such rule, and
    then `nearest` is what it comes nearest to.
    """

    start: int
    end: int
    numbers: tuple[Number, ...]
    nearest: Number | None


class LooseReader:
    """Reads the cued numbers of a text that the finder of its dialect can't read."""

    def __init__(self, dialect: Dialect, evidence: Evidence, levels: LevelWords) -> None:
        self.dialect = dialect
        self.levels = levels
        self.evidence = evidence
        firsts = [shape[0] for shape in dialect.shapes]
        signs = {words_pattern(first.before) for first in firsts if first.before}
        lead = f"(?:(?:{'|'.join(sorted(signs))})[ \xa0]?)?" if signs else ""
        rest = rf"(?:{_BETWEEN}(?:[0-9]+|[^\W\d_]+))*[)\]]?"
        token = rf"{lead}(?:(?<!\w)[lIO])?[0-9][0-9lIO]*{rest}"
        self._digits_first = all(first.sort in ("number", "digits") for first in firsts)
        if not self._digits_first:
            letters = r"(?<![^\W_])(?:[^\W\d_]{1,2}|[ivxlcdmIVXLCDM]{1,6})"
            token += rf"|{lead}{letters}(?:[.-](?=\w)|(?=[0-9])){rest}"
        self._token = re.compile(token)

    @cached_property
    def _ways(self) -> list[tuple[int, Sequence[Part], re.Pattern[str]]]:
        """For each example and each number of its parts a pattern for labels with anything between them."""
        ways: list[tuple[int, Sequence[Part], re.Pattern[str]]] = []
        for shape, parts in enumerate(self.dialect.shapes):
            for count in range(len(parts), 0, -1):
                pattern = self.dialect.loose_regex(parts[:count], _BETWEEN)
                ways.append((shape, parts[:count], re.compile(pattern, re.IGNORECASE)))
        return ways

    def find(self, text: str, found: Sequence[Span], have: Have) -> Iterator[Miswritten]:
        """Each miswritten number in a text; `found`: the spans, in order, that are read already."""
        if self._digits_first and not _has_more(text, found):
            return
        ends = dict(found)
        at, last, cued = 0, 0, False
        for m in self._token.finditer(text):
            start, end = m.start(), _without_stray_bracket(m)
            while at < len(found) and found[at][1] <= start:
                at += 1
            if at < len(found) and found[at][0] != start and found[at][0] < end:
                continue  # it shares a part with a number
            read_to = ends.get(start, start)
            if read_to >= end or not self._is_apart(text, start):
                continue
            back = text[max(0, start - _LOOK_BACK) : start]
            said = self.evidence.before(back)
            if said is Before.COUNTS and any(map(str.isalpha, text[start:end])):
                said = Before.POINTS
            if back.endswith("\n") and text[start:end].isdigit() and _LIST_ITEM.match(text, end):
                continue
            cued = said in _CITING or (cued and _AND.fullmatch(text, last, start) is not None)
            last = end
            if read_to > start:
                if any(start < first < end for first, _ in found[at + 1 : at + 2]):
                    continue  # 12,13 are two
                one = self._read(text, start, end, have, read_to)
                if one and (one.numbers or text[read_to] == "("):
                    yield one
            elif cued or (in_parentheses(back, text, end) and _is_mixed(text[start:end])):
                one = self._read(text, start, end, have, 0, said)
                if one and (cued or one.numbers or one.nearest):
                    yield one

    def _is_apart(self, text: str, start: int) -> bool:
        """Whether a token begins a number: behind no letter but those of a cue, "Case39.37"."""
        before = text[start - 1 : start]
        if not before.isalnum() and before not in ("_", "@", "\\"):
            return not (before in (".", "-", "/", ",") and text[start - 2 : start - 1].isalnum())
        if text[start : start + 6].isdigit() or not any(sign in text[start : start + 6] for sign in ".,:(-·"):
            return False  # the sign of a note: "a rule1"
        return before.isalpha() and self.evidence.before(text[max(0, start - _LOOK_BACK) : start]) in _CITING

    def _read(
        self, text: str, start: int, end: int, have: Have, read_to: int, said: Before = Before.NOTHING
    ) -> Miswritten | None:
        """The rules that a token can mean; None where it is no number of a rule.

        `read_to`: where a number ends that its beginning has been read as.
        """
        end = min(end, start + _LONGEST)
        written = text[start:end]
        digits = re.match(r"[\d.,]*\d|", written)
        if (_NO_NUMBER.match(written) and ":" not in written) or (
            digits and digits.end() and self.evidence.amount_after(text, start + digits.end())
        ):
            return None
        pieces = _PIECE.findall(written)[:_MOST_PIECES]
        if len(pieces) < 2 and (said not in (Before.NAMES, Before.LISTS) or text[end : end + 1] == ":"):
            return None
        if len(pieces) < 2 and self.levels.level_before(text[max(0, start - _LOOK_BACK) : start]):
            return Miswritten(start, end, (), None) if _closes(text, end) else None  # "case 2", of what?
        ways = self._read_loosely(written)
        ways = ways or self._read_loosely(written.translate(_MISREAD))
        there = [(stop, number) for stop, number in ways if have(number) is not None]
        for stop in dict.fromkeys(stop for stop, _ in there):
            if stop == len(written) or _GLUED.fullmatch(written, stop):
                numbers = tuple(dict.fromkeys(number for at, number in there if at == stop))
                return Miswritten(start, start + stop, numbers, None) if start + stop > read_to else None
        if (
            _NO_NUMBER.match(written)
            or not all(map(_is_label, pieces))
            or (len(pieces) < 2 and not _closes(text, end))
        ):
            return None
        near = there[0][1] if there else None
        if (near is None and said not in _CITING) or not any(map(str.isdigit, written)):
            return None
        whole = next((number for stop, number in ways if stop == len(written)), near)
        return Miswritten(start, end, (), whole)

    def _read_loosely(self, written: str) -> list[tuple[int, Number]]:
        """Every number that what is written can begin with, and where it ends, the longest first."""
        whole = self.dialect.parse(written)
        read = [(len(written), whole)] if whole else []
        for shape, parts, pattern in self._ways:
            m = pattern.match(written)
            number = self.dialect.fitted(self.dialect.levels(parts, m.groups()), shape) if m else None
            if m and number:
                opened = written.count("(", 0, m.end()) + written.count("[", 0, m.end())
                closed = written.count(")", 0, m.end()) + written.count("]", 0, m.end())
                read.append(
                    (m.end() + (opened > closed and written[m.end() : m.end() + 1] in (")", "]")), number)
                )
        return sorted(read, key=lambda one: -one[0])


def _has_more(text: str, found: Sequence[Span]) -> bool:
    """Whether a text has digits that no number found in it holds, or one of those may go on."""
    if any(_GOES_ON.match(text, end) for _, end in found):
        return True
    at = 0
    for m in _DIGITS.finditer(text):
        while at < len(found) and found[at][1] <= m.start():
            at += 1
        if at == len(found) or m.start() < found[at][0]:
            return True
    return False


def _is_mixed(token: str) -> bool:
    """Whether a token has letters and digits: amounts have digits alone, words letters."""
    return any(map(str.isalpha, token)) and any(map(str.isdigit, token))


def _closes(text: str, end: int) -> bool:
    """Whether a clause ends behind a number."""
    return text[end : end + 1] in ("", ".", ",", ";", ")", "]") and not text[end + 1 : end + 2].isalnum()


def _without_stray_bracket(token: re.Match[str]) -> int:
    """Where a token ends, without a bracket that was opened in front of it."""
    words = token.group()
    stray = words[-1] in ")]" and words.count("(") + words.count("[") < words.count(")") + words.count("]")
    return token.end() - stray


def _is_label(piece: str) -> bool:
    if piece.isdigit():
        return len(piece) < 5
    return len(set(piece)) == 1 or roman(piece.lower()) is not None
