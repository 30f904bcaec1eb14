"""Numbers after a cue that are not written as the book writes them: `see 12.5C`, `rule 12.5.c`, `Case39.37`.

Each is parsed in every way that its labels allow, whatever is between them. If only one rule is possible, it
is the target; otherwise the number is reported. No number after a cue is ignored.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.numbering.found_reference import FoundReference
from rulewright.numbering.label_types import parse_roman
from rulewright.numbering.loose_numbers import MOST_LABELS, SHORT_WORD, LooseReader, Reading
from rulewright.numbering.named_levels import NO_LEVEL, NamedLevelFinder
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.numbering.reference_cues import (
    CITING,
    CUED,
    CueStrength,
    PrecedingWords,
    closes_parenthesis,
)
from rulewright.numbering.suffixes import suffix_at
from rulewright.numbering.written_number import Have

Span = tuple[int, int]

_BETWEEN = r"(?:[.,:;()·-]{0,2}| \.)"
_PIECE = re.compile(r"[0-9]+|[^\W\d_]+")
_NO_NUMBER = re.compile(  # 12,000; 1st; 2d6; 12x
    r"\d{1,3}(?:,\d{3})+(?!\w)|\d+(?:st|nd|rd|th|s)(?!\w)|\d*[dDwW]\d+(?![\w.])|\d+[x×](?!\w)"
)
_SHIFT = re.compile(r"\d{1,2}[^\W\d_]")  # (1R), (2L): of columns
_SCORE = re.compile(r"\d+(?:-\d+)+|.*\d{4}")  # 3-1, 8-0, 4-01, 1941-42: odds, scores, games, years
_AND = re.compile(r",?\s*(?:and|or|&|/|,)\s*")
# Words that lack their space: 10.0for, 12.5cfor. A longer one is taken for a word whatever it is.
_GLUED = re.compile(rf"(?:{SHORT_WORD.pattern}|(?!(?:bis|ter|quater)(?![a-z]))[^\W\d_A-Z¼-¾⅐-⅞]{{3,}})|")
_TAIL = re.compile(r"(?!.*[a-z]{5})[.]?(?:\w|[½+*'’-]){1,7}")
_AMOUNT = re.compile(r"[0-9.,]*[0-9]")
_MIXED = re.compile(r"[^\W\d_].*[0-9]|[0-9].*[^\W\d_]")  # amounts have digits alone, words letters
_CLOSES = re.compile(r"[.,;)\]](?!\w)|\Z")
_LIST_ITEM = re.compile(r"(?<=\n)[0-9]+\.[ \t]+[^\W\d_]")
_LOOK_BACK = 160
_LONGEST = 40


@dataclass(slots=True)
class _Token:
    """Text that looks like a number, with the type of the words before it."""

    text: str
    start: int
    end: int
    preceding: PrecedingWords
    level: int
    read_to: int
    """The end of what has been parsed already."""

    @property
    def words(self) -> str:
        return self.text[self.start : self.end]

    @property
    def names_rules(self) -> bool:
        return self.preceding in (PrecedingWords.NAMES, PrecedingWords.LISTS)


class TolerantReader:
    """Reads the numbers after cues that the scheme cannot parse."""

    def __init__(self, loose: LooseReader, levels: NamedLevelFinder, cues: Sequence[str]) -> None:
        self.loose, self.levels, self.evidence = loose, levels, loose.evidence
        dialect, lead = loose.dialect, loose.lead
        rest = rf"(?:{_BETWEEN}(?:[0-9]+|[^\W\d_]+))*\)?"
        token = rf"{lead}[0-9]+{rest}"
        if not dialect.digits_first:
            glued = "".join(rf"|(?<=\b{re.escape(cue)})" for cue in cues if cue.isalpha())
            letters = rf"(?:(?<![^\W_]){glued})(?:[^\W\d_]{{1,2}}|[ivxlcdmIVXLCDM]{{1,6}})"
            token = rf"{lead}{letters}(?:[.-](?=\w)|(?=[0-9])){rest}|{token}"
        self._token = re.compile(token)

    def find(self, text: str, found_spans: Sequence[Span], have: Have) -> Iterator[FoundReference]:
        """Yield each misformatted number in a text; `found_spans`: the spans already parsed, in order."""
        ends = dict(found_spans)
        last, is_cued = 0, False
        for m in self._token.finditer(text):
            start, end = m.start(), min(m.end(), m.start() + _LONGEST)
            end -= m.group().count("(") < m.group().count(")")
            read_to = ends.get(start, start)
            position = bisect_left(found_spans, (start, 0))
            is_inside = position > 0 and found_spans[position - 1][1] > start
            if read_to >= end or is_inside or _LIST_ITEM.match(text, start):
                continue
            back = text[max(0, start - _LOOK_BACK) : start]
            preceding = self.evidence.classify_preceding(back)
            token = _Token(text, start, end, preceding, self.levels.level_before(back), read_to)
            is_chapter = token.words.isdigit() and preceding in CUED
            if is_chapter and (spaced := self.loose.spaced(text, [token.words], end, have, is_cued=True)):
                last = spaced.end  # see 12. 4
                yield _rule_reference(start, last, [spaced.number])
                continue
            is_cued = preceding in CITING or (is_cued and _AND.fullmatch(text, last, start) is not None)
            last = end
            is_certain = is_cued or read_to > start or preceding is PrecedingWords.COUNTS
            if not is_certain and not (_MIXED.search(token.words) and closes_parenthesis(back, text, end)):
                continue
            reference = self._read(token, have, is_certain)
            # 1.1-2 is a range, and 12,13 are two; after "rule", 2,2 is one.
            has_others = any(start < first < end for first, _ in found_spans[position : position + 2])
            is_complete = read_to > start and not text[start:read_to].isalnum()
            is_several = has_others and (is_complete or preceding is not PrecedingWords.NAMES)
            if reference and not (is_several or (has_others and not reference.number)):
                if reference.number and (suffix := suffix_at(text, reference.start, reference.end)):
                    reference = _faulty(start, suffix.end(), reference.number)._replace(suffixed=True)
                yield reference

    def _read(self, token: _Token, have: Have, is_certain: bool) -> FoundReference | None:
        """Return what a token means: a rule, or a number that is no rule; None if it is something else."""
        words, text = token.words, token.text
        is_score = _SCORE.fullmatch(words) and token.preceding is not PrecedingWords.NAMES
        amount = _AMOUNT.match(words)
        if is_score or _NO_NUMBER.match(words) or (":" in words and not token.names_rules):
            return None
        if self.evidence.amount_after(text, token.end):
            return None
        pieces = _PIECE.findall(words)[:MOST_LABELS]
        readings = self.loose.readings(words)
        existing = [reading for reading in readings if have(reading[1])]
        if len(pieces) > 1 or (token.names_rules and not token.level):
            for stop, _ in existing:
                end = token.start + stop
                if end > token.read_to and _GLUED.fullmatch(words, stop):
                    numbers = [*dict.fromkeys(number for other, number in existing if other == stop)]
                    return _rule_reference(token.start, end, numbers)
        if not is_certain and (_SHIFT.fullmatch(words) or not existing):
            return None
        if amount and self.evidence.amount_after(text, token.start + amount.end()):
            return None
        return self._missing(token, pieces, readings, existing)

    def _missing(
        self, token: _Token, pieces: Sequence[str], readings: Sequence[Reading], existing: Sequence[Reading]
    ) -> FoundReference | None:
        """Return a token that must be a reference but is no rule; None if it may be something else."""
        words, counts = token.words, token.preceding is PrecedingWords.COUNTS
        is_read = token.read_to > token.start
        letters = [piece.lower() for piece in pieces if not piece.isdigit()]
        are_labels = all(len({*label}) == 1 or parse_roman(label) for label in letters)
        are_labels = are_labels and not any(len(piece) > 4 for piece in pieces if piece.isdigit())
        if counts or not are_labels:
            is_chapter = not existing or len(existing[0][1].labels) < 2
            if is_read or is_chapter or (counts and not words[existing[0][0] :].isupper()):
                return None  # per 2.5km
            is_tail = _TAIL.fullmatch(words, existing[0][0])  # 12.5cbis, 24.1BD, 5.1(2)D
            return _faulty(token.start, token.end, existing[0][1]) if is_tail else None
        if is_read and token.text[token.read_to] != "(":
            return None
        if len(pieces) < 2:
            is_elsewhere = token.level == NO_LEVEL or self.levels.elsewhere(token.text, token.end)
            if is_elsewhere or not _CLOSES.match(token.text, token.end):
                return None
            if token.level:
                return _faulty(token.start, token.end, None)  # "case 2", of what?
        nearest = existing[0][1] if existing else None
        whole = (number for stop, number in readings if stop == len(words))
        if nearest is None and token.preceding not in CITING:
            return None
        return _faulty(token.start, token.end, next(whole, nearest))


def _rule_reference(start: int, end: int, numbers: Sequence[RuleNumber]) -> FoundReference:
    """Return a reference to a rule, or to one of several if it is ambiguous."""
    first, *others = numbers
    return FoundReference(start, end, first, CueStrength.WORD, alternatives=tuple(others), miswritten=True)


def _faulty(start: int, end: int, nearest: RuleNumber | None) -> FoundReference:
    """Return a reference that leads to no rule, with the most similar number."""
    return FoundReference(start, end, None, CueStrength.WORD, miswritten=True, nearest=nearest)
