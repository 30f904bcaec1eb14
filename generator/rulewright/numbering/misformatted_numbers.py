"""Numbers after a cue that are not written as the book writes them: `see 12.5C`, `rule 12.5.c`, `Case39.37`.

Each is parsed in every way that its labels allow, whatever is between them. If only one rule is possible, it
is the target; otherwise the number is reported. No number after a cue is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from rulewright.numbering.label_types import parse_roman
from rulewright.numbering.named_levels import NO_LEVEL, Have, NamedLevelFinder
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbering.reference_cues import CueWords, PrecedingWords, closes_parenthesis
from rulewright.numbering.suffixes import suffix_at

Span = tuple[int, int]

_BETWEEN = r"(?:[.,:;()·-]{0,2}| \.)"
_DIGITS = re.compile("[0-9]+")
_GOES_ON = re.compile(rf"{_BETWEEN}\w|\(\w")
_PIECE = re.compile(r"[0-9]+|[^\W\d_]+")
_NO_NUMBER = re.compile(  # 12,000; 1st; 2d6; 12x
    r"\d{1,3}(?:,\d{3})+(?!\w)|\d+(?:st|nd|rd|th|s)(?!\w)|\d*[dDwW]\d+(?![\w.])|\d+[x×](?!\w)"
)
_SHIFT = re.compile(r"\d{1,2}[^\W\d_]")  # (1R), (2L): of columns
_TIME = re.compile(r"\d{1,2}:\d\d(?!\d)")
_SCORE = re.compile(r"\d+(?:-\d+)+|.*\d{4}")  # 3-1, 8-0, 4-01, 1941-42: odds, scores, games, years
_AND = re.compile(r",?\s*(?:and|or|&|/|,)\s*")
# Short words that lack their space: 10.0for, 12.5cfor. A longer one is taken for a word whatever it is.
_SHORT = "for|and|the|of|to|in|is|or|if|as|at|by|on|it|are|may|has|but|with"
_GLUED = re.compile(rf"(?:{_SHORT}|(?!(?:bis|ter|quater)(?![a-z]))[^\W\d_A-Z¼-¾⅐-⅞]{{3,}})")
_LETTER_AND_WORD = re.compile(rf"(?!(?:{_SHORT})\Z)([^\W\d_])({_SHORT})")
_TAIL = re.compile(r"(?!.*[a-z]{5})[.]?(?:\w|[½+*'’-]){1,7}")
_DECIMAL = re.compile(r"[0-9.]*")
_UNIT_CAPITALS = tuple("ACFGJKLMNTVWX")  # 1.5V, 2.5M
_LATIN_END = re.compile("(?<=[^\\W\\d_])(?:bis|ter|quater)$")
_SPACED = re.compile(r"\.[ ]{1,2}([0-9]\S{0,40})")
_MISREAD = str.maketrans("lIO", "110")  # letters that are taken for digits
_LIST_ITEM = re.compile(r"\.[ \t]+[^\W\d_]")
_CITING = (PrecedingWords.NAMES, PrecedingWords.LISTS, PrecedingWords.POINTS)
_LOOK_BACK = 160
_LONGEST = 40
_MOST_PIECES = 8


class MisformattedNumber(NamedTuple):
    """Number that the scheme cannot parse as written, with the rules that it may mean."""

    start: int
    end: int
    numbers: tuple[RuleNumber, ...]
    """The possible rules: several if ambiguous, none if the book has no such rule."""

    nearest: RuleNumber | None
    """The most similar number if there is no such rule."""

    suffixed: bool = False
    """Whether it is `nearest` with an unknown suffix."""


class _Token(NamedTuple):
    """Text that looks like a number, with the type of the words before it."""

    text: str
    start: int
    end: int
    preceding: PrecedingWords
    level: int
    read_to: int
    """The end of what has been parsed already."""

    @property
    def token_text(self) -> str:
        return self.text[self.start : self.end]

    @property
    def closes(self) -> bool:
        following = self.text[self.end : self.end + 2]
        return following[:1] in ("", ".", ",", ";", ")", "]") and not following[1:].isalnum()


class TolerantReader:
    """Reads the numbers after cues that the scheme cannot parse."""

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
    def _patterns(self) -> list[tuple[int, re.Pattern[str]]]:
        return self.dialect.tolerant_patterns(_BETWEEN)

    def find(self, text: str, found_spans: Sequence[Span], have: Have) -> Iterator[MisformattedNumber]:
        """Yield each misformatted number in a text; `found_spans`: the spans already parsed, in order."""
        if self.dialect.digits_first and not _has_more(text, found_spans):
            return
        ends = dict(found_spans)
        index, last, is_cued = 0, 0, False
        for m in self._token.finditer(text):
            start, end = m.start(), _without_stray_bracket(m)
            while index < len(found_spans) and found_spans[index][1] <= start:
                index += 1
            read_to = ends.get(start, start)
            if (
                read_to >= end
                or (index < len(found_spans) and found_spans[index][0] < start)
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
            is_cued = token.preceding in _CITING or (
                is_cued and _AND.fullmatch(text, last, start) is not None
            )
            last = end
            is_certain = is_cued or read_to > start or token.preceding is PrecedingWords.COUNTS
            misformatted = self._find_existing(token, have) or (
                self._find_missing(token, have) if is_certain else None
            )
            inside = any(start < first < end for first, _ in found_spans[index : index + 2])
            if misformatted and any(
                start < first and misformatted.end < stop
                for first, stop in found_spans[index : index + 2]
                if first < end
            ):
                continue  # Rule 1, of Rule 1 Case C
            is_complete = read_to > start and not text[start:read_to].isalnum()  # 1.1-2 is a range
            if inside and (
                is_complete
                or not misformatted
                or not misformatted.numbers
                or token.preceding is not PrecedingWords.NAMES
            ):
                continue  # 12,13 are two
            if inside and misformatted and (chapter := self._two_in_one(token.token_text)):
                misformatted = misformatted._replace(numbers=(*misformatted.numbers, chapter))
            if not is_cued and self.evidence.is_excluded_phrase(text, start, end):
                continue
            parenthesised = closes_parenthesis(back, text, end) and _is_mixed(token.token_text)
            parenthesised = parenthesised and bool(misformatted or not _SHIFT.fullmatch(token.token_text))
            if (
                misformatted and (is_cued or read_to > start or token.preceding is PrecedingWords.COUNTS)
            ) or (
                parenthesised
                and (misformatted := misformatted or self._find_missing(token, have))
                and (misformatted.numbers or misformatted.nearest)
            ):
                found_suffix = (
                    suffix_at(text, misformatted.start, misformatted.end) if misformatted.numbers else None
                )
                if found_suffix:
                    misformatted = MisformattedNumber(
                        start, found_suffix.end(), (), misformatted.numbers[0], suffixed=True
                    )
                yield misformatted

    def _spaced(self, token: _Token, have: Have) -> MisformattedNumber | None:
        """Return a chapter with the number after its full stop, if together they are a rule: see 12. 4."""
        m = _SPACED.match(token.text, token.end) if token.token_text.isdigit() else None
        if not m or not self.evidence.has_cue_before(token.text, token.start):
            return None
        compact = f"{token.token_text}.{m[1]}"
        for stop, number in self._read_loosely(compact):
            end = m.end() - len(compact) + stop
            above = self.dialect.parent(number)
            exists = have(number) is not None
            exists = exists or (len(number.labels) > 2 and above is not None and have(above) is not None)
            if exists and end > m.start(1) and self.evidence.clause_ends(token.text, end):
                return MisformattedNumber(token.start, end, (number,), None)
        return None

    def _two_in_one(self, token_text: str) -> RuleNumber | None:
        """Return the first of the two numbers that 1,3.1 and 1-2 may also be."""
        m = re.match(r"\w+(?=[,-])", token_text)
        return self.dialect.parse_number(m.group()) if m else None

    def _is_apart(self, text: str, start: int) -> bool:
        """Return whether a token may begin a number: not directly after letters, except a cue
        ("Case39.37").
        """
        before = text[start - 1 : start]
        if not before.isalnum() and before not in ("_", "@", "\\"):
            return not (before in (".", "-", "/", ",") and text[start - 2 : start - 1].isalnum())
        if text[start : start + 6].isdigit() or not any(sign in text[start : start + 6] for sign in ".,:(·"):
            return False  # a footnote mark: "a rule1"
        return (
            before.isalpha()
            and self.evidence.classify_preceding(text[max(0, start - _LOOK_BACK) : start]) in _CITING
        )

    def _find_existing(self, token: _Token, have: Have) -> MisformattedNumber | None:
        """Return the rules of the book that a token may mean, or None."""
        token_text, names = token.token_text, token.preceding in (PrecedingWords.NAMES, PrecedingWords.LISTS)
        pieces = _PIECE.findall(token_text)
        if _NO_NUMBER.match(token_text) or (":" in token_text and not names):
            return None
        if len(pieces) < 2 and (not names or token.level or token.text[token.end : token.end + 1] == ":"):
            return None
        amount = self.evidence.amount_after(token.text, token.end)
        if amount or (
            token.preceding is PrecedingWords.COUNTS
            and token_text.replace(",", "").replace(".", "").isdigit()
        ):
            return None
        if _SCORE.fullmatch(token_text) and not self._may_be_score_of_rule(token):
            return None
        readings = self._read_loosely(token_text) or self._read_loosely(token_text.translate(_MISREAD))
        existing = [(stop, number) for stop, number in readings if have(number) is not None]
        for stop in dict.fromkeys(stop for stop, _ in existing):
            end = token.start + stop
            if end > token.read_to and (stop == len(token_text) or _GLUED.fullmatch(token_text, stop)):
                numbers = tuple(
                    dict.fromkeys(number for number_end, number in existing if number_end == stop)
                )
                exact = tuple(number for number in numbers if number.key == token_text[:stop])
                return MisformattedNumber(token.start, end, exact or numbers, None)
        return None

    def _may_be_score_of_rule(self, token: _Token) -> bool:
        """Return whether 12-5 may be rule 12.5: after a cue for one rule, with no noun after it."""
        names_one = token.preceding is PrecedingWords.NAMES and self.evidence.list_may_end(
            token.text, token.end
        )
        pieces = _PIECE.findall(token.token_text)
        return names_one and len(pieces) == 2 and all(len(piece) < 4 for piece in pieces)

    def _find_missing(self, token: _Token, have: Have) -> MisformattedNumber | None:
        """Return a token that must be a reference but is no rule; None if it may be something else."""
        token_text, text = token.token_text, token.text
        pieces = _PIECE.findall(token_text)[:_MOST_PIECES]
        score = _SCORE.fullmatch(token_text) and not self._may_be_score_of_rule(token)
        if _NO_NUMBER.match(token_text) or _TIME.match(token_text) or score:
            return None
        if (
            (token.preceding is PrecedingWords.COUNTS and "(" not in token_text)
            or not any(map(str.isdigit, token_text))
            or not all(map(_is_label, pieces))
        ):
            return self._with_tail(token, have) if token.read_to == token.start else None
        # Without its chapter’s letter 4-4-7s is a unit; Case J1, of a deeper level, is a name.
        if self.dialect.implied and token_text[0].isdigit() and "." not in token_text:
            return None
        if token_text[0].isalpha() and ("-" in token_text or token.level >= len(pieces)):
            return None
        amount_at = token.start + len((re.match(r"[\d.,]*\d|", token_text) or [""])[0])
        if amount_at > token.start and self.evidence.amount_after(text, amount_at):
            return None
        if token.read_to > token.start and text[token.read_to] != "(":
            return None
        if len(pieces) < 2:
            names = (
                token.preceding in (PrecedingWords.NAMES, PrecedingWords.LISTS)
                and text[token.end : token.end + 1] != ":"
            )
            if not names or not token.closes:
                return None
            if token.level == NO_LEVEL or (token.level and self.levels.elsewhere(text, token.end)):
                return None
            if token.level:
                return MisformattedNumber(token.start, token.end, (), None)  # "case 2", of what?
        readings = self._read_loosely(token_text)
        nearest = next((number for _, number in readings if have(number) is not None), None)
        best = next((number for stop, number in readings if stop == len(token_text)), nearest)
        if nearest is None and token.preceding not in _CITING:
            return None
        return MisformattedNumber(token.start, token.end, (), best)

    def _with_tail(self, token: _Token, have: Have) -> MisformattedNumber | None:
        """Return a rule with something attached that is no label: 12.5cbis, 24.1BD, 5.1(2)D."""
        readings = (
            (stop, number)
            for stop, number in self._read_loosely(token.token_text)
            if have(number) is not None
        )
        stop, nearest = next(readings, (0, None))
        rest = token.token_text[stop:]
        if nearest is None or len(nearest.labels) < 2 or not _TAIL.fullmatch(rest):
            return None
        amount = not rest.isupper() or rest in _UNIT_CAPITALS  # per 2.5km, per 24.1BD
        plain = (
            token.preceding is PrecedingWords.COUNTS
            and amount
            and _DECIMAL.fullmatch(token.token_text, 0, stop)
        )
        if plain or self.evidence.amount_after(token.text, token.start + stop):
            return None
        return MisformattedNumber(token.start, token.end, (), nearest)

    def _read_loosely(self, token_text: str) -> list[tuple[int, RuleNumber]]:
        """Return every number that a text may begin with, and its end, the longest first."""
        whole = self.dialect.parse_number(token_text)
        read = [(len(token_text), whole)] if whole else []
        for shape, pattern in self._patterns:
            m = pattern.match(token_text)
            number = (
                self.dialect.with_scheme_case([label for label in m.groups() if label], shape) if m else None
            )
            if m and number:
                closes = token_text[m.end() : m.end() + 1] == ")"
                opened = token_text.count("(", 0, m.end()) > token_text.count(")", 0, m.end())
                read.append((m.end() + (opened and closes), number))
                if glued := _LETTER_AND_WORD.fullmatch(token_text, m.end()):
                    deeper = self.dialect.with_scheme_case([*m.groups(), glued[1]], shape)
                    read += [(glued.end(1), deeper)] if deeper else []
        return sorted(read, key=lambda pair: -pair[0])


def _has_more(text: str, found_spans: Sequence[Span]) -> bool:
    """Return whether a text has digits that no number found in it holds, or one of those may go on."""
    if any(_GOES_ON.match(text, end) for _, end in found_spans):
        return True
    index = 0
    for m in _DIGITS.finditer(text):
        while index < len(found_spans) and found_spans[index][1] <= m.start():
            index += 1
        if index == len(found_spans) or m.start() < found_spans[index][0]:
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
