"""Numbers that are cued, but not written as the book writes them: `see 12.5C`, `rule 12.5.c`, `Case39.37`.

Each is read in every way that its labels allow, whatever stands between them. Where one rule alone can be
meant, it is; else what was written is reported. Nothing that a word cues is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.evidence import Before, Evidence, in_parentheses
from generator.levels import Have
from generator.numbers import Dialect, Number, roman

Span = tuple[int, int]
Piece = re.Match[str]

_DIGITS = re.compile("[0-9]+")
_PIECE = re.compile(r"[0-9]+|[^\W\d_]+")
_NO_NUMBER = re.compile(  # 12,000; 1st; 2d6; 10:30; 12x
    r"\d{1,3}(?:,\d{3})+(?!\w)|\d+(?:st|nd|rd|th|s)(?!\w)|\d*[dDwW]\d+(?!\w)|\d{1,2}:\d\d(?!\d)|\d+[x×](?!\w)"
)
_AND = re.compile(r",?\s*(?:and|or|&|/|,)\s*")
_CITING = (Before.NAMES, Before.LISTS, Before.POINTS)
_LOOK_BACK = 160
_LONGEST = 40
_MOST_PIECES = 8


class Miswritten(NamedTuple):
    """A number that the dialect can't read as it stands, and the rules that can be meant.

    `numbers`: one if it is found, several if it can't be told which; none if the book has no such rule, and
    then `nearest` is what it comes nearest to. `joined`: it stands in a list behind another one.
    """

    start: int
    end: int
    numbers: tuple[Number, ...]
    nearest: Number | None


class LooseReader:
    """Reads the cued numbers of a text that the finder of its dialect can't read."""

    def __init__(self, dialect: Dialect, evidence: Evidence) -> None:
        self.dialect = dialect
        self.evidence = evidence
        lead = "(?:[A-Z]{1,2}[.-]?)?" if dialect.shapes[0][0].sort in ("upper", "Roman") else ""
        self._token = re.compile(rf"{lead}[0-9]+(?:[.,:;()\[\]-]{{0,2}}(?:[0-9]+|[^\W\d_]+))*[)\]]?")

    def find(self, text: str, found: Sequence[Span], have: Have) -> Iterator[Miswritten]:
        """Each miswritten number in a text; `found`: the spans, in order, that are read already."""
        ends = dict(found)
        at, last, cued = 0, 0, False
        for m in self._token.finditer(text):
            start, end = m.start(), _without_stray_bracket(m)
            while at < len(found) and found[at][1] <= start:
                at += 1
            if at < len(found) and found[at][0] < start:  # the token begins inside a number
                continue
            read_to = ends.get(start, start)
            if read_to >= end or not self._is_apart(text, start):
                continue
            back = text[max(0, start - _LOOK_BACK) : start]
            said = self.evidence.before(back)
            cued = said in _CITING or (cued and _AND.fullmatch(text, last, start) is not None)
            last = end
            if read_to > start:
                if text[read_to] in "([" and (one := self._read(text, start, end, have, read_to)):
                    yield one
            elif cued or (in_parentheses(back, text, end) and any(map(str.isalpha, text[start:end]))):
                one = self._read(text, start, end, have, 0, said)
                if one and (cued or one.numbers or one.nearest):
                    yield one

    def _is_apart(self, text: str, start: int) -> bool:
        """Whether a token begins a number: behind no letter but those of a cue, "Case39.37"."""
        before = text[start - 1 : start]
        if not before.isalnum() and before not in ("_", "@", "\\"):
            return not (before in (".", "-", "/", ",") and text[start - 2 : start - 1].isalnum())
        return before.isalpha() and self.evidence.before(text[max(0, start - _LOOK_BACK) : start]) in _CITING

    def _read(
        self, text: str, start: int, end: int, have: Have, read_to: int, said: Before = Before.NOTHING
    ) -> Miswritten | None:
        """The rules that a token can mean; None where it is no number of a rule.

        `read_to`: where a number ends that its beginning has been read as.
        """
        written = text[start : min(end, start + _LONGEST)]
        digits = re.match(r"[\d.,]*\d|", written)
        if _NO_NUMBER.match(written) or (digits and self.evidence.amount_after(text, start + digits.end())):
            return None
        pieces = list(_PIECE.finditer(written))[:_MOST_PIECES]
        if len(pieces) < 2 and (said not in (Before.NAMES, Before.LISTS) or text[end : end + 1] == ":"):
            return None
        ways = list(self._ways(pieces))
        there = [(count, number) for count, number in ways if have(number) is not None]
        for count in (len(pieces), len(pieces) - 1):
            numbers = tuple(dict.fromkeys(number for at, number in there if at == count))
            if numbers and (count == len(pieces) or _is_glued(pieces)):
                stop = start + _end(written, pieces[count - 1])
                return Miswritten(start, stop, numbers, None) if stop > read_to else None
        labels = all(_is_label(piece.group()) for piece in pieces)
        if not labels or (len(pieces) < 2 and not self._closes(text, end)):
            return None
        near = max(there, key=lambda one: one[0])[1] if there else None
        deeper = next((number for count, number in ways if count == len(pieces)), near)
        if (near or said in _CITING) and (near is None or not read_to or text[read_to] in "(["):
            return Miswritten(start, start + _end(written, pieces[-1]), (), deeper)
        return None

    def _ways(self, pieces: Sequence[Piece]) -> Iterator[tuple[int, Number]]:
        """Every number that the first of the pieces can be, with how many they are."""
        for shape, parts in enumerate(self.dialect.shapes):
            takes_digits = [part.sort in ("number", "digits") or part.sort[0] == "0" for part in parts]
            for count in range(min(len(pieces), len(parts)), 0, -1):
                labels = [piece.group() for piece in pieces[:count]]
                if [label.isdigit() for label in labels] == takes_digits[:count]:
                    number = self.dialect.fitted(self.dialect.levels(parts, labels), shape)
                    if number:
                        yield count, number

    def _closes(self, text: str, end: int) -> bool:
        return text[end : end + 1] in ("", ".", ",", ";", ")", "]") and not text[end + 1 : end + 2].isalnum()


def _without_stray_bracket(token: re.Match[str]) -> int:
    """Where a token ends, without a bracket that was opened in front of it."""
    words = token.group()
    stray = words[-1] in ")]" and words.count("(") + words.count("[") < words.count(")") + words.count("]")
    return token.end() - stray


def _end(written: str, piece: Piece) -> int:
    """Where a piece ends, with a bracket that closes behind it and is opened in front."""
    opened = written[max(0, piece.start() - 1) : piece.start()] in ("(", "[")
    return piece.end() + (opened and written[piece.end() : piece.end() + 1] in (")", "]"))


def _is_glued(pieces: Sequence[Piece]) -> bool:
    """Whether the last of the pieces is a word that lacks its space: 10.0for."""
    last = pieces[-1]
    return last.group().isalpha() and len(last.group()) > 1 and last.start() == pieces[-2].end()


def _is_label(piece: str) -> bool:
    if piece.isdigit():
        return len(piece) < 5
    return len(set(piece)) == 1 or roman(piece.lower()) is not None
