"""Numbers after a cue that are not written as the book writes them: `see 12.5C`, `rule 12.5.c`, `Case39.37`.

Each is parsed in every way that its labels allow, whatever is between them. If only one rule is possible, it
is the target; otherwise the number is reported. No number after a cue is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.numbering.found_reference import FoundReference
from rulewright.numbering.label_types import parse_roman
from rulewright.numbering.named_levels import NO_LEVEL, NamedLevelFinder
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbering.reference_cues import (
    CITING,
    CUED,
    CueStrength,
    CueWords,
    PrecedingWords,
    closes_parenthesis,
)
from rulewright.numbering.suffixes import suffix_at
from rulewright.numbering.written_number import Have

Span = tuple[int, int]

_BETWEEN = r"(?:[.,:;()·-]{0,2}| \.)"
_DIGITS = re.compile("[0-9]")
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
_TAIL = re.compile(r"(?!.*[a-z]{5})[.]?(?:\w|[½+*'’-]){1,7}")
_SHORT_END = re.compile(rf"(?<=\w)(?:{_SHORT}|ff)\Z")
_PLAIN_AMOUNT = re.compile(r"[0-9.,]*")
_AMOUNT = re.compile(r"[0-9.,]*[0-9]")
_MIXED = re.compile(r"[^\W\d_].*[0-9]|[0-9].*[^\W\d_]")  # amounts have digits alone, words letters
_SHORT_SCORE = re.compile(r"\d{1,3}-\d{1,3}")
_TWO_IN_ONE = re.compile(r"\w+(?=[,-])")
_TOUCHES = re.compile(r"[\w@\\]\Z|\w[.,/-]\Z")
_CLOSES = re.compile(r"[.,;)\]](?!\w)|\Z")
_UNIT_CAPITALS = tuple("ACFGJKLMNTVWX")  # 1.5V, 2.5M
_LATIN_END = re.compile("(?<=[^\\W\\d_])(?:bis|ter|quater)$")
_SPACED = re.compile(r"\.[ ]{1,2}([0-9]\S{0,40})")
_LIST_ITEM = re.compile(r"(?<=\n)[0-9]+\.[ \t]+[^\W\d_]")
_MISREAD = str.maketrans("lIO", "110")  # letters that are taken for digits
_LOOK_BACK = 160
_LONGEST = 40
_MOST_PIECES = 8


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
    def words(self) -> str:
        return self.text[self.start : self.end]

    @property
    def pieces(self) -> list[str]:
        return _PIECE.findall(self.words)[:_MOST_PIECES]

    @property
    def names_rules(self) -> bool:
        return self.preceding in (PrecedingWords.NAMES, PrecedingWords.LISTS)


class TolerantReader:
    """Reads the numbers after cues that the scheme cannot parse."""

    def __init__(
        self, dialect: NumberingScheme, evidence: CueWords, levels: NamedLevelFinder, cues: Sequence[str]
    ) -> None:
        self.dialect = dialect
        self.levels = levels
        self.evidence = evidence
        signs = sorted({shape[0].words for shape in dialect.shapes if shape[0].before})
        lead = f"(?:(?:{'|'.join(signs)})[ \xa0]?)?" if signs else ""
        self._lead = re.compile(lead, re.IGNORECASE)
        suffix = dialect.suffixes.regex
        zeros = len(dialect.zeros_of(0))  # 702 is rule 2 of chapter 7
        chapter = rf"(?<![.0-9])[0-9]+(?=[0-9]{{{zeros}}}(?![0-9]))|" if zeros else ""
        self._label = re.compile(rf"{chapter}[0-9]+{suffix}|[IVX]+(?=[a-z])|[^\W\d_]+")
        rest = rf"(?:{_BETWEEN}(?:[0-9]+|[^\W\d_]+))*\)?"
        token = rf"{lead}(?:(?<!\w)[lIO])?[0-9][0-9lIO]*{rest}"
        if not dialect.digits_first:
            glued = "".join(rf"|(?<=\b{re.escape(cue)})" for cue in cues if cue.isalpha())
            letters = rf"(?:(?<![^\W_]){glued})(?:[^\W\d_]{{1,2}}|[ivxlcdmIVXLCDM]{{1,6}})"
            token = rf"{lead}{letters}(?:[.-](?=\w)|(?=[0-9])){rest}|{token}"
        self._token = re.compile(token)

    def find(self, text: str, found_spans: Sequence[Span], have: Have) -> Iterator[FoundReference]:
        """Yield each misformatted number in a text; `found_spans`: the spans already parsed, in order."""
        ends = dict(found_spans)
        index, last, is_cued = 0, 0, False
        for m in self._token.finditer(text):
            start, end = m.start(), m.end()
            end -= m.group()[-1] == ")" and m.group().count("(") < m.group().count(")")
            while index < len(found_spans) and found_spans[index][1] <= start:
                index += 1
            read_to = ends.get(start, start)
            is_inside = index < len(found_spans) and found_spans[index][0] < start
            if (
                read_to >= end
                or is_inside
                or _LIST_ITEM.match(text, start)
                or not self._is_apart(text, start)
            ):
                continue
            back = text[max(0, start - _LOOK_BACK) : start]
            preceding = self.evidence.classify_preceding(back)
            end = min(end, start + _LONGEST)
            token = _Token(text, start, end, preceding, self.levels.level_before(back), read_to)
            if spaced := self._spaced(token, have):
                last = spaced.end
                yield spaced
                continue
            is_cued = preceding in CITING or (is_cued and _AND.fullmatch(text, last, start) is not None)
            last = end
            is_certain = is_cued or read_to > start or preceding is PrecedingWords.COUNTS
            if not is_certain and not (_MIXED.search(token.words) and closes_parenthesis(back, text, end)):
                continue
            reference = self._find_existing(token, have)
            if not reference and (is_certain or not _SHIFT.fullmatch(token.words)):
                reference = self._find_missing(token, have)
            if not reference or not (is_certain or reference.number or reference.nearest):
                continue
            if any(start < first < end for first, _ in found_spans[index : index + 2]):
                # 1.1-2 is a range, and 12,13 are two.
                is_complete = read_to > start and not text[start:read_to].isalnum()
                if is_complete or not reference.number or preceding is not PrecedingWords.NAMES:
                    continue
                parts = _TWO_IN_ONE.match(token.words)
                if parts and (chapter := self.dialect.parse_number(parts.group())):  # 1,3.1 or 1-2
                    reference = reference._replace(alternatives=(*reference.alternatives, chapter))
            if reference.number and (suffix := suffix_at(text, reference.start, reference.end)):
                reference = _faulty(start, suffix.end(), reference.number)._replace(suffixed=True)
            yield reference

    def _spaced(self, token: _Token, have: Have) -> FoundReference | None:
        """Return a chapter with the number after its full stop, if together they are a rule: see 12. 4."""
        m = _SPACED.match(token.text, token.end) if token.words.isdigit() else None
        if not m or token.preceding not in CUED:
            return None
        compact = f"{token.words}.{m[1]}"
        for stop, number in self._read_loosely(compact):
            end = m.end() - len(compact) + stop
            above = self.dialect.parent(number)
            exists = have(number) is not None
            exists = exists or (len(number.labels) > 2 and above is not None and have(above) is not None)
            if exists and end > m.start(1) and self.evidence.clause_ends(token.text, end):
                return _rule_reference(token.start, end, [number])
        return None

    def _is_apart(self, text: str, start: int) -> bool:
        """Return whether a token may begin a number: not directly after letters, except a cue
        ("Case39.37").
        """
        if not _TOUCHES.search(text, max(0, start - 2), start):
            return True
        back = text[max(0, start - _LOOK_BACK) : start]
        return back[-1].isalpha() and self.evidence.classify_preceding(back) in CITING

    def _find_existing(self, token: _Token, have: Have) -> FoundReference | None:
        """Return the rules of the book that a token may mean, or None."""
        words = token.words
        is_plain = len(token.pieces) < 2
        if is_plain and (
            not token.names_rules or token.level or token.text[token.end : token.end + 1] == ":"
        ):
            return None
        if self._is_something_else(token) or (":" in words and not token.names_rules):
            return None
        if self.evidence.amount_after(token.text, token.end):
            return None
        if token.preceding is PrecedingWords.COUNTS and _PLAIN_AMOUNT.fullmatch(words):
            return None
        readings = self._read_loosely(words) or self._read_loosely(words.translate(_MISREAD))
        existing = [(stop, number) for stop, number in readings if have(number) is not None]
        for stop, _ in existing:
            end = token.start + stop
            if end > token.read_to and (stop == len(words) or _GLUED.fullmatch(words, stop)):
                numbers = [*dict.fromkeys(number for other, number in existing if other == stop)]
                exact = [number for number in numbers if number.key == words[:stop]]
                return _rule_reference(token.start, end, exact or numbers)
        return None

    def _is_something_else(self, token: _Token) -> bool:
        """Return whether a token is a score, a year or an amount. 12-5 is 12.5 after a cue for one rule."""
        if not _SCORE.fullmatch(token.words):
            return _NO_NUMBER.match(token.words) is not None
        is_short = _SHORT_SCORE.fullmatch(token.words)
        names_one = token.preceding is PrecedingWords.NAMES
        return not (is_short and names_one and self.evidence.list_may_end(token.text, token.end))

    def _find_missing(self, token: _Token, have: Have) -> FoundReference | None:
        """Return a token that must be a reference but is no rule; None if it may be something else."""
        words, text = token.words, token.text
        if self._is_something_else(token) or _TIME.match(words):
            return None
        counts = token.preceding is PrecedingWords.COUNTS and "(" not in words
        if counts or not _DIGITS.search(words) or not all(map(_is_label, token.pieces)):
            return self._with_tail(token, have) if token.read_to == token.start else None
        # Case J1, of a deeper level, is a name.
        if words[0].isalpha() and ("-" in words or token.level >= len(token.pieces)):
            return None
        amount = _AMOUNT.match(words)
        if amount and self.evidence.amount_after(text, token.start + amount.end()):
            return None
        if token.read_to > token.start and text[token.read_to] != "(":
            return None
        if len(token.pieces) < 2:
            if not token.names_rules or not _CLOSES.match(text, token.end):
                return None
            if token.level == NO_LEVEL or (token.level and self.levels.elsewhere(text, token.end)):
                return None
            if token.level:
                return _faulty(token.start, token.end, None)  # "case 2", of what?
        readings = self._read_loosely(words)
        nearest = next((number for _, number in readings if have(number) is not None), None)
        best = next((number for stop, number in readings if stop == len(words)), nearest)
        if nearest is None and token.preceding not in CITING:
            return None
        return _faulty(token.start, token.end, best)

    def _with_tail(self, token: _Token, have: Have) -> FoundReference | None:
        """Return a rule with something attached that is no label: 12.5cbis, 24.1BD, 5.1(2)D."""
        words = token.words
        readings = [(stop, number) for stop, number in self._read_loosely(words) if have(number) is not None]
        stop, nearest = readings[0] if readings else (0, None)
        rest = words[stop:]
        if nearest is None or len(nearest.labels) < 2 or not _TAIL.fullmatch(rest):
            return None
        amount = not rest.isupper() or rest in _UNIT_CAPITALS  # per 2.5km, per 24.1BD
        is_decimal = _PLAIN_AMOUNT.fullmatch(words, 0, stop) and token.preceding is PrecedingWords.COUNTS
        if (is_decimal and amount) or self.evidence.amount_after(token.text, token.start + stop):
            return None
        return _faulty(token.start, token.end, nearest)

    def _read_loosely(self, words: str) -> list[tuple[int, RuleNumber]]:
        """Return every number that a text may begin with, and its end, the longest first."""
        whole_number = self.dialect.parse_number(words)
        readings = [(len(words), whole_number)] if whole_number else []
        lead = self._lead.match(words)
        labels = [*self._label.finditer(_SHORT_END.sub("", words), lead.end() if lead else 0)][:_MOST_PIECES]
        for shape in range(len(self.dialect.shapes)):
            for count, last in enumerate(labels, 1):
                number = self.dialect.with_scheme_case([label.group() for label in labels[:count]], shape)
                opened = words.count("(", 0, last.end()) > words.count(")", 0, last.end())
                if number:
                    readings.append((last.end() + (opened and words[last.end() :][:1] == ")"), number))
        return sorted(readings, key=lambda reading: -reading[0])


def _rule_reference(start: int, end: int, numbers: Sequence[RuleNumber]) -> FoundReference:
    """Return a reference to a rule, or to one of several if it is ambiguous."""
    first, *alternatives = numbers
    return FoundReference(
        start, end, first, CueStrength.WORD, alternatives=tuple(alternatives), miswritten=True
    )


def _faulty(start: int, end: int, nearest: RuleNumber | None) -> FoundReference:
    """Return a reference that leads to no rule, with the most similar number."""
    return FoundReference(start, end, None, CueStrength.WORD, miswritten=True, nearest=nearest)


def _is_label(piece: str) -> bool:
    if piece.isdigit():
        return len(piece) < 5
    piece = _LATIN_END.sub("", piece)
    return piece.isalpha() and (len({*piece}) == 1 or parse_roman(piece.lower()) is not None)
