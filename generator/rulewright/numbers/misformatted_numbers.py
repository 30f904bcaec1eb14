"""Numbers that are cued, but not written as the book writes them: `see 12.5C`, `rule 12.5.c`, `Case39.37`.

Each is read in every way that its labels allow, whatever stands between them. Where one rule alone can be
meant, it is; else what was written is reported. Nothing that a word cues is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from rulewright.numbers.label_types import parse_roman
from rulewright.numbers.named_levels import NO_LEVEL, Have, NamedLevelFinder
from rulewright.numbers.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbers.reference_cues import CueWords, PrecedingWords, closes_parenthesis
from rulewright.numbers.suffixes import suffix_at
from rulewright.source.lazy_regex import Regex

Span = tuple[int, int]

_BETWEEN = r"(?:[.,:;()·-]{0,2}| \.)"
_DIGITS = re.compile("[0-9]+")
_GOES_ON = re.compile(rf"{_BETWEEN}\w|\(\w")
_PIECE = re.compile(r"[0-9]+|[^\W\d_]+")
_NO_NUMBER = re.compile(  # 12,000; 1st; 2d6; 12x
    r"\d{1,3}(?:,\d{3})+(?!\w)|\d+(?:st|nd|rd|th|s)(?!\w)|\d*[dDwW]\d+(?![\w.])|\d+[x×](?!\w)"
)
_SHIFT = Regex(r"\d{1,2}[^\W\d_]")  # (1R), (2L): of columns
_TIME = Regex(r"\d{1,2}:\d\d(?!\d)")
_SCORE = Regex(r"\d+(?:-\d+)+|.*\d{4}")  # 3-1, 8-0, 4-01, 1941-42: odds, scores, games, years
_AND = Regex(r",?\s*(?:and|or|&|/|,)\s*")
# Short words that lack their space: 10.0for, 12.5cfor. A longer one is taken for a word whatever it is.
_SHORT = "for|and|the|of|to|in|is|or|if|as|at|by|on|it|are|may|has|but|with"
_GLUED = Regex(rf"(?:{_SHORT}|(?!(?:bis|ter|quater)(?![a-z]))[^\W\d_A-Z¼-¾⅐-⅞]{{3,}})")
_LETTER_AND_WORD = Regex(rf"(?!(?:{_SHORT})\Z)([^\W\d_])({_SHORT})")
_TAIL = Regex(r"(?!.*[a-z]{5})[.]?(?:\w|[½+*'’-]){1,7}")
_DECIMAL = Regex(r"[0-9.]*")
_UNIT_CAPITALS = tuple("ACFGJKLMNTVWX")  # 1.5V, 2.5M
_LATIN_END = Regex("(?<=[^\\W\\d_])(?:bis|ter|quater)$")
_SPACED = Regex(r"\.[ ]{1,2}([0-9]\S{0,40})")
_MISREAD = str.maketrans("lIO", "110")  # letters that are taken for digits
_LIST_ITEM = Regex(r"\.[ \t]+[^\W\d_]")
_CITING = (PrecedingWords.NAMES, PrecedingWords.LISTS, PrecedingWords.POINTS)
_LOOK_BACK = 160
_LONGEST = 40
_MOST_PIECES = 8


class MisformattedNumber(NamedTuple):
    """A number that the dialect can't read as it stands, and the rules that can be meant.

    `numbers`: one if it is found, several if it can't be told which; none if the book has no such rule, and
    then `nearest` is what it comes nearest to, or what it is but for its suffix where it is `suffixed`.
    """

    start: int
    end: int
    numbers: tuple[RuleNumber, ...]
    nearest: RuleNumber | None
    suffixed: bool = False


class _Token(NamedTuple):
    """Text that looks like a number, with the evidence before it; `read_to`: how far it is read already."""

    text: str
    start: int
    end: int
    said: PrecedingWords
    level: int
    read_to: int

    @property
    def written(self) -> str:
        return self.text[self.start : self.end]

    @property
    def closes(self) -> bool:
        behind = self.text[self.end : self.end + 2]
        return behind[:1] in ("", ".", ",", ";", ")", "]") and not behind[1:].isalnum()


class TolerantReader:
    """Reads the cued numbers of a text that the finder of its dialect can't read."""

    def __init__(
        self, dialect: NumberingScheme, evidence: CueWords, levels: NamedLevelFinder, cues: Sequence[str]
    ) -> None:
        self.dialect = dialect
        self.levels = levels
        self.evidence = evidence
        signs = {shape[0].words for shape in dialect.shapes if shape[0].before}
        lead = f"(?:(?:{'|'.join(sorted(signs))})[ \xa0]?)?" if signs else ""
        rest = rf"(?:{_BETWEEN}(?:[0-9]+|[^\W\d_]+))*\)?"
        token = rf"{lead}(?:(?<!\w)[lIO])?[0-9][0-9lIO]*{rest}"
        if not dialect.digits_first:
            glued = "".join(rf"|(?<=\b{re.escape(cue)})" for cue in cues if cue.isalpha())
            letters = rf"(?:(?<![^\W_]){glued})(?:[^\W\d_]{{1,2}}|[ivxlcdmIVXLCDM]{{1,6}})"
            token = rf"{lead}{letters}(?:[.-](?=\w)|(?=[0-9])){rest}|{token}"
        self._token = re.compile(token)

    @cached_property
    def _ways(self) -> list[tuple[int, re.Pattern[str]]]:
        return self.dialect.tolerant_patterns(_BETWEEN)

    def find(self, text: str, found: Sequence[Span], have: Have) -> Iterator[MisformattedNumber]:
        """Yield each miswritten number in a text; `found`: the spans, in order, that are read already."""
        if self.dialect.digits_first and not _has_more(text, found):
            return
        ends = dict(found)
        at, last, cued = 0, 0, False
        for m in self._token.finditer(text):
            start, end = m.start(), _without_stray_bracket(m)
            while at < len(found) and found[at][1] <= start:
                at += 1
            read_to = ends.get(start, start)
            if (
                read_to >= end
                or (at < len(found) and found[at][0] < start)
                or not self._is_apart(text, start)
            ):
                continue
            back = text[max(0, start - _LOOK_BACK) : start]
            if back.endswith("\n") and text[start:end].isdigit() and _LIST_ITEM.match(text, end):
                continue
            token = _Token(
                text,
                start,
                min(end, start + _LONGEST),
                self.evidence.classify_preceding(back),
                self.levels.level_before(back),
                read_to,
            )
            if spaced := self._spaced(token, have):
                last = spaced.end
                yield spaced
                continue
            cued = token.said in _CITING or (cued and _AND.fullmatch(text, last, start) is not None)
            last = end
            sure = cued or read_to > start or token.said is PrecedingWords.COUNTS
            one = self._meant(token, have) or (self._lost(token, have) if sure else None)
            inside = any(start < first < end for first, _ in found[at : at + 2])
            if one and any(
                start < first and one.end < stop for first, stop in found[at : at + 2] if first < end
            ):
                continue  # Rule 1, of Rule 1 Case C
            whole = read_to > start and not text[start:read_to].isalnum()  # 1.1-2 is a range
            if inside and (whole or not one or not one.numbers or token.said is not PrecedingWords.NAMES):
                continue  # 12,13 are two
            if inside and one and (chapter := self._two_in_one(token.written)):
                one = one._replace(numbers=(*one.numbers, chapter))
            if not cued and self.evidence.is_excluded_phrase(text, start, end):
                continue
            parenthesised = closes_parenthesis(back, text, end) and _is_mixed(token.written)
            parenthesised = parenthesised and bool(one or not _SHIFT.fullmatch(token.written))
            if (one and (cued or read_to > start or token.said is PrecedingWords.COUNTS)) or (
                parenthesised and (one := one or self._lost(token, have)) and (one.numbers or one.nearest)
            ):
                found_suffix = suffix_at(text, one.start, one.end) if one.numbers else None
                if found_suffix:
                    one = MisformattedNumber(start, found_suffix.end(), (), one.numbers[0], suffixed=True)
                yield one

    def _spaced(self, token: _Token, have: Have) -> MisformattedNumber | None:
        """Return a chapter and what is behind its full stop, where the book has both as one: see 12. 4."""
        m = _SPACED.match(token.text, token.end) if token.written.isdigit() else None
        if not m or not self.evidence.has_cue_before(token.text, token.start):
            return None
        written = f"{token.written}.{m[1]}"
        for stop, number in self._read_loosely(written):
            end = m.end() - len(written) + stop
            above = self.dialect.parent(number)
            there = have(number) is not None
            there = there or (len(number.labels) > 2 and above is not None and have(above) is not None)
            if there and end > m.start(1) and self.evidence.clause_ends(token.text, end):
                return MisformattedNumber(token.start, end, (number,), None)
        return None

    def _two_in_one(self, written: str) -> RuleNumber | None:
        """Return the first of two numbers that 1,3.1 and 1-2 may be as well."""
        m = re.match(r"\w+(?=[,-])", written)
        return self.dialect.parse_number(m.group()) if m else None

    def _is_apart(self, text: str, start: int) -> bool:
        """Return whether a token begins a number: behind no letter but those of a cue, "Case39.37"."""
        before = text[start - 1 : start]
        if not before.isalnum() and before not in ("_", "@", "\\"):
            return not (before in (".", "-", "/", ",") and text[start - 2 : start - 1].isalnum())
        if text[start : start + 6].isdigit() or not any(sign in text[start : start + 6] for sign in ".,:(·"):
            return False  # the sign of a note: "a rule1"
        return (
            before.isalpha()
            and self.evidence.classify_preceding(text[max(0, start - _LOOK_BACK) : start]) in _CITING
        )

    def _meant(self, token: _Token, have: Have) -> MisformattedNumber | None:
        """Return the rules of the book that a token can mean, if it has any."""
        written, names = token.written, token.said in (PrecedingWords.NAMES, PrecedingWords.LISTS)
        pieces = _PIECE.findall(written)
        if _NO_NUMBER.match(written) or (":" in written and not names):
            return None
        if len(pieces) < 2 and (not names or token.level or token.text[token.end : token.end + 1] == ":"):
            return None
        amount = self.evidence.amount_after(token.text, token.end)
        if amount or (
            token.said is PrecedingWords.COUNTS and written.replace(",", "").replace(".", "").isdigit()
        ):
            return None
        if _SCORE.fullmatch(written) and not self._may_be_score_of_rule(token):
            return None
        ways = self._read_loosely(written) or self._read_loosely(written.translate(_MISREAD))
        there = [(stop, number) for stop, number in ways if have(number) is not None]
        for stop in dict.fromkeys(stop for stop, _ in there):
            end = token.start + stop
            if end > token.read_to and (stop == len(written) or _GLUED.fullmatch(written, stop)):
                numbers = tuple(dict.fromkeys(number for at, number in there if at == stop))
                exact = tuple(number for number in numbers if number.key == written[:stop])
                return MisformattedNumber(token.start, end, exact or numbers, None)
        return None

    def _may_be_score_of_rule(self, token: _Token) -> bool:
        """Return whether 12-5 may be rule 12.5: behind a cue that names one rule, with no noun behind it."""
        one = token.said is PrecedingWords.NAMES and self.evidence.list_may_end(token.text, token.end)
        pieces = _PIECE.findall(token.written)
        return one and len(pieces) == 2 and all(len(piece) < 4 for piece in pieces)

    def _lost(self, token: _Token, have: Have) -> MisformattedNumber | None:
        """Return a cued token that means no rule; None if it need be none."""
        written, text = token.written, token.text
        pieces = _PIECE.findall(written)[:_MOST_PIECES]
        score = _SCORE.fullmatch(written) and not self._may_be_score_of_rule(token)
        if _NO_NUMBER.match(written) or _TIME.match(written) or score:
            return None
        if (
            (token.said is PrecedingWords.COUNTS and "(" not in written)
            or not any(map(str.isdigit, written))
            or not all(map(_is_label, pieces))
        ):
            return self._with_tail(token, have) if token.read_to == token.start else None
        # Without its chapter’s letter 4-4-7s is a unit; Case J1, of a deeper level, is a name.
        if self.dialect.implied and written[0].isdigit() and "." not in written:
            return None
        if written[0].isalpha() and ("-" in written or token.level >= len(pieces)):
            return None
        amount_at = token.start + len((re.match(r"[\d.,]*\d|", written) or [""])[0])
        if amount_at > token.start and self.evidence.amount_after(text, amount_at):
            return None
        if token.read_to > token.start and text[token.read_to] != "(":
            return None
        if len(pieces) < 2:
            names = (
                token.said in (PrecedingWords.NAMES, PrecedingWords.LISTS)
                and text[token.end : token.end + 1] != ":"
            )
            if not names or not token.closes:
                return None
            if token.level == NO_LEVEL or (token.level and self.levels.elsewhere(text, token.end)):
                return None
            if token.level:
                return MisformattedNumber(token.start, token.end, (), None)  # "case 2", of what?
        ways = self._read_loosely(written)
        near = next((number for _, number in ways if have(number) is not None), None)
        whole = next((number for stop, number in ways if stop == len(written)), near)
        if near is None and token.said not in _CITING:
            return None
        return MisformattedNumber(token.start, token.end, (), whole)

    def _with_tail(self, token: _Token, have: Have) -> MisformattedNumber | None:
        """Return a rule of the book with something glued to it that is no label: 12.5cbis, 24.1BD,
        5.1(2)D.
        """
        ways = (
            (stop, number) for stop, number in self._read_loosely(token.written) if have(number) is not None
        )
        stop, near = next(ways, (0, None))
        rest = token.written[stop:]
        if near is None or len(near.labels) < 2 or not _TAIL.fullmatch(rest):
            return None
        amount = not rest.isupper() or rest in _UNIT_CAPITALS  # per 2.5km, per 24.1BD
        plain = token.said is PrecedingWords.COUNTS and amount and _DECIMAL.fullmatch(token.written, 0, stop)
        if plain or self.evidence.amount_after(token.text, token.start + stop):
            return None
        return MisformattedNumber(token.start, token.end, (), near)

    def _read_loosely(self, written: str) -> list[tuple[int, RuleNumber]]:
        """Return every number that what is written can begin with, and where it ends, the longest first."""
        whole = self.dialect.parse_number(written)
        read = [(len(written), whole)] if whole else []
        for shape, pattern in self._ways:
            m = pattern.match(written)
            number = (
                self.dialect.with_scheme_case([label for label in m.groups() if label], shape) if m else None
            )
            if m and number:
                closes = written[m.end() : m.end() + 1] == ")"
                opened = written.count("(", 0, m.end()) > written.count(")", 0, m.end())
                read.append((m.end() + (opened and closes), number))
                if glued := _LETTER_AND_WORD.fullmatch(written, m.end()):
                    deeper = self.dialect.with_scheme_case([*m.groups(), glued[1]], shape)
                    read += [(glued.end(1), deeper)] if deeper else []
        return sorted(read, key=lambda one: -one[0])


def _has_more(text: str, found: Sequence[Span]) -> bool:
    """Return whether a text has digits that no number found in it holds, or one of those may go on."""
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
    """Return whether a token has letters and digits: amounts have digits alone, words letters."""
    return any(map(str.isalpha, token)) and any(map(str.isdigit, token))


def _without_stray_bracket(token: re.Match[str]) -> int:
    """Return where a token ends, without a bracket that was opened in front of it."""
    words = token.group()
    return token.end() - (words[-1] == ")" and words.count("(") < words.count(")"))


def _is_label(piece: str) -> bool:
    if piece.isdigit():
        return len(piece) < 5
    piece = _LATIN_END.sub("", piece)
    return piece.isalpha() and (len(set(piece)) == 1 or parse_roman(piece.lower()) is not None)
