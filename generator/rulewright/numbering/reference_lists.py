"""Numbers as written in a text, grouped into lists and ranges, with shortened ends.

"12.5c(A), (B) and 12.6" is one list of three numbers. Words before or after a list apply to all of it, so
lists are found before any evidence is weighed.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rulewright.numbering.named_levels import Have, NamedLevelFinder
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbering.reference_cues import CueWords, PrecedingWords
from rulewright.numbering.suffixes import ends_emphasis, suffix_at

Span = tuple[int, int]

_FOLLOWING = re.compile(r"ff?(?![^\W_])")  # 12.5f. and 12.5ff: and what follows
_WORD_GOES_ON = re.compile(  # c'est, b-type; not c's, z-aa, ii-xix
    r"['’](?!s\b)|-(?!([^\W\d_])\1(?!\w)|[ivxlcdm]+(?!\w)|[IVXLCDM]+(?!\w))[^\W\d]\w"
)  # c'est, b-type
_MARKS = "*_“”\"‘’'[]\x01"
_LABEL = re.compile(r"\w{1,6}")
_DIGITS = re.compile(r"[0-9]{1,4}(?!\w|\.\w)")
_APART_OF = (
    r"(?:[ ]{1,2}|\r?\n)(?:\((?P<bracket>\w{1,4}SUFFIX)\)|(?!ff)(?P<letter>[^\W\d_]{1,2}SUFFIX)(?![\w'’-]))"
    r"|(?:\.[ ]{1,2}|[ ]{1,2}\.[ ]{0,2})(?P<dotted>(?:[0-9]{1,3}|[^\W\d_])SUFFIX)(?![\w'’-])"
    r"|,?\s{1,2}(?P<word>(?i:WORDS))\.?\s{1,2}(?:\((?P<inner>\w{1,4}SUFFIX)\)"
    r"|(?P<label>(?:[0-9]{1,3}|[^\W\d_])SUFFIX)(?![\w'’-]))"
)
_DEEPER = (  # words for a level below, which mean one also where the book declares none
    "paragraph|subparagraph|para|subsection|item|case|clause|point|absatz|abs|nummer|nr|buchstabe|lit|alinéa"
)
_BIS = re.compile(r"(?:bis|ter|quater)(?!\w)")
_MOST_LISTED = 30  # maximum number of bare digits to look ahead
_ARTICLES = ("a", "I")
_NOT_LETTERS = "¹²³⁰⁴⁵⁶⁷⁸⁹ªº½¼¾"  # footnote marks that str.isalnum takes for letters
_NO_SENTENCE = (
    "",
    " ",
    "\xa0",
    "\n",
    "(",
    "[",
    "-",
    "–",
    ",",
    ";",
)  # before a point that is no full stop


@dataclass(slots=True)
class WrittenNumber:
    """Number in a text before its evidence is weighed."""

    start: int
    end: int
    number: RuleNumber
    join: str = ""
    """The join with the number before it; empty for the first of a list."""

    ends_range: bool = False
    is_bare_chapter: bool = False
    """Whether it is only the label of a chapter."""

    is_bare_digit: bool = False
    """Whether it is shortened to digits (12.1-4)."""

    has_named_levels: bool = False
    """Whether words name its levels (section 6, case 2)."""

    suffixed: bool = False
    """Whether it has a suffix that the book does not declare (5.1bis), so that it is no rule."""

    miswritten: bool = False
    """Whether a space is missing after it, or is inside it."""

    alternatives: tuple[RuleNumber, ...] = ()
    """Other possible meanings."""


class ShortenedReading(NamedTuple):
    """Possible meaning of a shortened number, with its distance from the last number."""

    number: RuleNumber
    step: float
    source_text: str
    end: int


class ReferenceListFinder:
    """Finds lists of numbers in texts of one scheme; `levels` finds those with named levels."""

    def __init__(self, dialect: NumberingScheme, evidence: CueWords, levels: NamedLevelFinder) -> None:
        self.dialect = dialect
        self.evidence = evidence
        self._number = re.compile(dialect.regex())
        self._spaced = re.compile(
            _APART_OF.replace("SUFFIX", dialect.suffixes.regex).replace("WORDS", _DEEPER)
        )
        # If a book has several forms, the longest match wins.
        self._forms = [*dialect.patterns, self._number] if len(dialect.shapes) > 1 else []
        self._ends = [list(dialect.shortened_ends(shape)) for shape in range(len(dialect.shapes))]
        self._separators = {part.before for parts in dialect.shapes for part in parts[1:]} & {"-", ":", "/"}
        self.named_levels = levels

    def find(
        self, text: str, chapter: str, marked: Sequence[Span], have: Have | None = None
    ) -> Iterator[list[WrittenNumber]]:
        """Yield the lists of numbers in a text, in order.

        `chapter`: the label of the chapter for numbers that leave it out; `marked`: spans to skip. `have`
        selects among the readings of a shortened number.
        """
        left_out = list(reversed(marked))
        run: list[WrittenNumber] = []
        named_numbers = list(reversed(self.named_levels.find(text, chapter, self._number, have)))
        spots = ((m.start(), m.end()) for m in self._number.finditer(text))
        more = [(named_number.start, named_number.end) for named_number in reversed(named_numbers)]
        for start, end in heapq.merge(spots, more) if more else spots:
            while left_out and left_out[-1][1] <= start:
                left_out.pop()
            if (run and start < run[-1].end) or (left_out and left_out[-1][0] <= start):
                continue
            while named_numbers and named_numbers[-1].start < start:
                named_numbers.pop()
            if named_numbers and start < named_numbers[-1].start < end < named_numbers[-1].end:
                continue  # Rule 9, case b
            joined = self._joined(text, run[-1], start) if run else None
            if named_numbers and named_numbers[-1].start == start:
                named_number = named_numbers.pop()
                number: WrittenNumber | None = WrittenNumber(
                    start,
                    named_number.end,
                    named_number.number,
                    has_named_levels=True,
                    alternatives=named_number.alternatives,
                )
                joined = named_number.joined
                if number and joined:
                    number.join, number.ends_range = joined.group(), joined["through"] is not None
            else:
                end = self._longest(text, start) if self._forms else end
                # The end of a range is in the chapter of its start: B23.71-23.711.
                context = run[-1].number.labels[0] if joined and joined["through"] else chapter
                number = self._parse_span(text, start, end, context, joined)
                if (
                    number
                    and joined
                    and number.is_bare_chapter
                    and "]" in joined.group()
                    and joined.group()[-1] != "["
                ):
                    joined, number.join, number.ends_range = None, "", False  # [EXC: E4.21], 1 MP
                if number and joined and self._is_hex(text, run[-1], number):
                    continue
                if number and joined and have and context != run[-1].number.labels[0]:
                    self._carry(number, text[start:end], run[-1], have)
            if number is None:
                continue
            if run and not joined:
                yield run
                run = []
            run.append(number)
            while named_numbers and named_numbers[-1].start < number.end:
                named_numbers.pop()
            if not (named_numbers and named_numbers[-1].joined):  # else the named number continues the list
                self._continue(text, run, have)
        if run:
            yield run

    def _is_hex(self, text: str, last: WrittenNumber, number: WrittenNumber) -> bool:
        """Return whether two numbers joined by a dash are a hex of a map board: 57-G9."""
        digits = text[last.start : last.end].isdigit() and number.start - last.end == 1
        return (
            digits and not number.is_bare_chapter and text[last.end] in "-–" and text[number.start].isalpha()
        )

    def _carry(self, number: WrittenNumber, words: str, last: WrittenNumber, have: Have) -> None:
        """Move a number without chapter to the chapter of the number before it.

        D6.1, 9.2 in chapter A: D9.2 if there is no A9.2; ambiguous if there are both.
        """
        other = self.dialect.parse_number(words, last.number.labels[0]) if self.dialect.implied else None
        if other and other != number.number and have(other) is not None:
            same_section = last.number.labels[:2] == other.labels[:2]  # E7.51 & 7.52
            if same_section or have(number.number) is None:
                number.number = other
            else:
                number.alternatives = (other,)

    def _longest(self, text: str, start: int) -> int:
        return max(m.end() for form in self._forms if (m := form.match(text, start)))

    def _joined(self, text: str, last: WrittenNumber, start: int) -> re.Match[str] | None:
        """Return the join between the last number of a list and a number at `start`, or None."""
        end = last.end + (last.is_bare_chapter and text[last.end : last.end + 1] == ".")
        return self.evidence.find_join(text, end, start)

    def _parse_span(
        self, text: str, start: int, end: int, chapter: str, joined: re.Match[str] | None
    ) -> WrittenNumber | None:
        """Return the number in a span, or None if adjacent letters or digits make it something else."""
        before = text[start - 1 : start]
        if _is_letter(before) or before == "\\":
            return None
        is_longer = _continues(text, end) and not (_FOLLOWING.match(text, end) or suffix_at(text, start, end))
        if is_longer and not self._glued(text, end):
            return None
        if before and before in "._/@-" and not joined and text[start - 2 : start - 1].isalnum():
            return None
        if before == "." and not joined and text[start - 2 : start - 1] in _NO_SENTENCE:
            return None  # the end of .2.2
        words = text[start:end]
        if text[end : end + 1] in self._separators and text[end + 1 : end + 2].isdigit() and not joined:
            return None  # 4-6-7 where numbers are written 4-6
        if (number := self.dialect.parse_number(words, chapter)) is None:
            return None
        sign = number.labels[-1][-1]
        if not sign.isalnum() and words[-1] == sign and ends_emphasis(text, start, sign):
            end -= 1  # *5.1* where 5.1* is a number, too
            return self._parse_span(text, start, end, chapter, joined)
        label = words.removesuffix(".")
        is_bare = label.isdigit() or number.labels == (label,)
        if "]" in words:  # a bracket around a number is excluded, unless it continues after: [10.12]A
            start, end = (start, end - 1) if words[-1] == "]" else (start - (before == "["), end)
        # The full stop of "6." may end the sentence.
        written_number = WrittenNumber(
            start, end - (is_bare and words[-1] == "."), number, is_bare_chapter=is_bare, miswritten=is_longer
        )
        if joined:
            written_number.join, written_number.ends_range = joined.group(), joined["through"] is not None
        return written_number

    def _glued(self, text: str, end: int) -> bool:
        """Return whether the word that joins a number to the next touches it: 24.3and 24.4."""
        joined = self.evidence.find_join(text, end) if text[end].isalpha() else None
        if not joined or not joined.group()[0].isalpha():
            return False
        return self._number.match(text, joined.end()) is not None

    def _continue(self, text: str, run: list[WrittenNumber], have: Have | None) -> None:
        """Add to a list the shortened numbers after its last, "and c", "(B)", "-.122", and its suffix.

        The end of the last number may be separate: 4.2 (a).
        """
        while True:
            last = run[-1]
            joined = self.evidence.find_join(text, last.end)
            if joined and joined.group().endswith("[["):  # an explicit mark
                return
            if joined and (shortened := self._shortened(run, text, joined, have)):
                run.append(shortened)
            elif not last.suffixed and (end := self._suffixed(text, last, joined, have)):
                last.end, last.suffixed = end, True
            elif not (have and not last.suffixed and self._deepened(text, run, have, joined)):
                return

    def _deepened(
        self, text: str, run: list[WrittenNumber], have: Have, joined: re.Match[str] | None
    ) -> bool:
        """Extend the last number of a list by a level after a space; return whether that was possible.

        § 12 (3) (b), 4.2 a, 4. 2, and 4.2, paragraph (b), if the book has 4.2(b).
        """
        last = run[-1]
        if not joined and self._several_deeper(text, run, have):
            return True
        m = self._spaced.match(text, last.end)
        if not m or (joined and not m["word"]):
            return False
        label = m["bracket"] or m["letter"] or m["dotted"] or m["inner"] or m["label"]
        deeper = self.dialect.with_scheme_case([*last.number.labels, label], last.number.shape)
        if deeper and m["word"] and have(deeper) is not None:
            if last.is_bare_chapter and not self.evidence.has_cue_before(text, run[0].start):
                return False
            last.number, last.end, last.is_bare_chapter = deeper, m.end(), False
            return True
        if not deeper or m["word"] or not self.evidence.list_may_end(text, m.end()):
            return False
        if not m["bracket"] and deeper.labels[-1] != label:
            return False  # see 4.a. B is a word
        if have(deeper) is None or m["dotted"] or m["letter"] in _ARTICLES:
            is_certain = self.evidence.clause_ends(text, m.end()) and self.evidence.has_cue_before(
                text, run[0].start
            )
            if not is_certain or (have(deeper) is None and (m["dotted"] or m["letter"] in ("I", "f"))):
                return False
        last.number, last.end, last.is_bare_chapter = deeper, m.end(), False
        last.miswritten = last.miswritten or m["dotted"] is not None
        return True

    def _several_deeper(self, text: str, run: list[WrittenNumber], have: Have) -> bool:
        """Extend the last number of a list by several levels after a space: 12.1 b(B), 1 B.3, 5.1( 2a).

        The last level touches the one before it, so it belongs to the number even if there is no such rule.
        """
        last = run[-1]
        shape_parts = self.dialect.shapes[last.number.shape]
        used = self.dialect.parts_of(last.number.labels, last.number.shape)
        level = next(
            (
                index
                for index, part in enumerate(shape_parts)
                if not any(part is used_part for used_part in used)
            ),
            len(shape_parts),
        )
        pattern = self.dialect.spaced_ends[last.number.shape][level] if level < len(shape_parts) else None
        m = pattern.match(text, last.end) if pattern else None
        if not m or _continues(text, m.end()):
            return False
        more = self.dialect.levels(shape_parts[level:], m.groups())
        number = self.dialect.number([*last.number.labels, *more], last.number.shape)
        if number is None or (len(more) < 2 and "( " not in m.group()):
            return False
        above = self.dialect.parent(number)
        if have(number) is None and (len(more) < 2 or above is None or have(above) is None):
            return False
        dotted = "." in shape_parts[level].before
        if (dotted or last.is_bare_chapter) and not self.evidence.has_cue_before(text, run[0].start):
            return False
        if dotted and not self.evidence.clause_ends(text, m.end()):
            return False
        last.number, last.end, last.is_bare_chapter = number, m.end(), False
        last.miswritten = last.miswritten or dotted
        return True

    def _suffixed(
        self, text: str, number: WrittenNumber, joined: re.Match[str] | None, have: Have | None
    ) -> int | None:
        """Return the end of a number's suffix, if it has one that is no label and no join."""
        match = suffix_at(text, number.start, number.end)
        if not match or (joined and match.group()[0].isspace()):  # 12.5 bis zum Ende
            return None
        if match["letter"] and have:
            read = self.dialect.with_scheme_case(
                [*number.number.labels, match["letter"]], number.number.shape
            )
            return None if read and have(read) is not None else match.end()
        return match.end()

    def _shortened(
        self, run: list[WrittenNumber], text: str, joined: re.Match[str], have: Have | None
    ) -> WrittenNumber | None:
        """Return the shortened number after a join: the last number with its end replaced.

        A reading that is a rule and increases is preferred, and of several the deepest: 1.3.2-.4 is 1.3.4 if
        there is one. A list may decrease, a range may not.
        """
        last, start, is_range = run[-1], joined.end(), joined["through"] is not None
        readings = list(self._readings(run, text, joined, have))
        if not readings:
            return None

        def rank(reading: ShortenedReading) -> tuple[bool, bool, bool, float]:
            exists = have is not None and have(reading.number) is not None
            # If neither is a rule, the smaller step of a letter is meant: "ii and c".
            step = 0 if exists or not reading.source_text.isalpha() else abs(reading.step)
            return not exists or reading.step <= 0, not exists or is_range, reading.step <= 0, step

        longest = max(reading.end for reading in readings)
        best = min((reading for reading in readings if reading.end == longest), key=rank)
        if have and have(best.number) is None and not best.source_text.isdigit():
            whole_number = self.dialect.parse_number(text[start : best.end])  # R2 behind R8.A2
            if whole_number and have(whole_number) is not None:
                return None
        # A range between two rules is no range of amounts: 8.11-13.
        is_certain = have and (is_range or last.has_named_levels or joined.group() == "/")
        is_certain = is_certain and rank(best) == (False, is_range, False, 0)
        digit = best.source_text.isdigit() and not is_certain
        alternatives: tuple[RuleNumber, ...] = ()
        if digit and have and not last.has_named_levels and not is_range and len(last.number.labels) < 3:
            chapter = self.dialect.parse_number(best.source_text)  # sections 3.2 and 4
            alternatives = (chapter,) if chapter and have(chapter) is not None else ()
        stray = text[best.end - 1] == "]" and "[" not in text[start : best.end]
        end = best.end - stray
        return WrittenNumber(
            start,
            end,
            best.number,
            joined.group(),
            is_range,
            last.is_bare_chapter,
            digit,
            last.has_named_levels,
            alternatives=alternatives,
        )

    def _readings(
        self, run: list[WrittenNumber], text: str, joined: re.Match[str], have: Have | None
    ) -> Iterator[ShortenedReading]:
        """Yield the possible meanings of a shortened number after a join, deepest first."""
        last, start = run[-1], joined.end()
        parts = self.dialect.parts_of(last.number.labels, last.number.shape)
        whole_match = self._number.match(text, start)
        whole_end = start
        if whole_match:
            whole_end = self._longest(text, start) if self._forms else whole_match.end()
        read = self.dialect.parse_number(text[start:whole_end])
        if read and len(read.labels) == 1 and text[whole_end - 1 : whole_end] == ".":
            whole_end -= 1  # may end the sentence
        whole_end = whole_end if read else start
        word = text[start:whole_end]
        is_bare = word.isdigit() or (word.isalnum() and read is not None and len(read.labels) == 1)
        if last.has_named_levels and len(last.number.labels) == 1 and (m := _LABEL.match(text, start)):
            number = self.dialect.chapter(m.group(), last.number.shape)
            is_range = joined["through"] is not None
            ends = not _continues(text, m.end()) and (is_range or self.evidence.list_may_end(text, m.end()))
            if number and ends and number.ordinals > last.number.ordinals:
                yield ShortenedReading(number, _step(last.number, number), m.group(), m.end())
        for part, pattern, below in self._ends[last.number.shape]:
            levels = [level for level, own_part in enumerate(parts) if own_part is part]
            m = pattern.match(text, start) if levels else None
            if not m or not m.group() or _continues(text, m.end()) or _WORD_GOES_ON.match(text, m.end()):
                continue
            above_letter = levels[-1] < len(parts) - 1 and parts[-1].sort != part.sort
            if m.group()[0].isdigit() and levels[0] > 0 and above_letter and not last.has_named_levels:
                continue  # 12.5e-7 ends no range that 12.5e began
            # 4-1–4-3 and 8.2-8.3 end with a whole number.
            if whole_end > m.end() or (whole_end == m.end() and not is_bare):
                continue
            labels = self.dialect.levels(below, m.groups())
            kept_levels = [levels[0]]
            if part.sort.nested and m.group().rstrip("]").isdigit() and len(labels) < len(levels):
                # 12.11-13: as many digits as are written
                kept_levels = [levels[-1] + 1 - len(labels), levels[0]]
            for level in kept_levels:
                number = self.dialect.number([*last.number.labels[:level], *labels], last.number.shape)
                step = _step(last.number, number) if number else 0
                exists = number is not None and have is not None and have(number) is not None
                signed = m.group()[0] in "-.‐‑:/"
                back = exists and signed and step < 0
                if number and (levels[0] == 0 or back or self._is_meant(run, text, step, m, joined, exists)):
                    yield ShortenedReading(number, step, m.group(), m.end())

    def ends_list(self, text: str, end: int) -> bool:
        """Return whether the bare digits of a list that continues at `end` count nothing, unlike "2 and 3
        hexes".
        """
        for _ in range(_MOST_LISTED):
            joined = self.evidence.find_join(text, end)
            digits = _DIGITS.match(text, joined.end()) if joined else None
            if not digits:
                break
            end = digits.end()
        return self.evidence.list_may_end(text, end) and not self.evidence.amount_after(text, end)

    def _lists(self, text: str, run: list[WrittenNumber]) -> bool:
        """Return whether a word announces several rules: sections 24.42, 43 and 44."""
        return (
            self.evidence.classify_preceding(text[max(0, run[0].start - 160) : run[0].start])
            is PrecedingWords.LISTS
        )

    def _is_meant(
        self,
        run: list[WrittenNumber],
        text: str,
        step: float,
        m: re.Match[str],
        joined: re.Match[str],
        exists: bool,
    ) -> bool:
        """Return whether a shortened number is a reference: "9.14b and a unit" has no 9.14a.

        A label without a separator must increase. After a comma or a spaced dash it is a word if words
        follow, unless it is the next one: "16.G, I think". Bare digits only end a tight range or a list of
        existing rules, except for named levels.
        """
        join, label = joined.group(), m.group()
        tight = joined["through"] is not None and len(join.strip(_MARKS)) == 1 and not re.search(r"\s", join)
        if label[0].isdigit():
            in_list = run[-1].has_named_levels and self.evidence.list_may_end(text, m.end())
            in_list = in_list or (exists and (self._lists(text, run) or self.ends_list(text, m.end())))
            return (tight or in_list) and step > 0
        if not label[0].isalpha():
            is_followed = step != 0 and self.evidence.list_may_end(text, m.end())
            return step > 0 or joined["through"] is not None or is_followed
        if self.evidence.list_may_end(text, m.end()):
            return step > 0 or tight
        is_word = (not join.strip(" \t\r\n,;-–—") and not tight) or label == "I"
        return step == 1 or (step > 1 and not is_word)


def _step(last: RuleNumber, number: RuleNumber) -> float:
    """Return the distance between two numbers at the first level that differs; 1 for a number inside the
    other.
    """
    pairs = zip(number.ordinals, last.ordinals, strict=False)
    deeper = (len(number.ordinals) > len(last.ordinals)) - (len(number.ordinals) < len(last.ordinals))
    return next((new - old for new, old in pairs if new != old), deeper)


def _is_letter(character: str) -> bool:
    """Return whether a character is a letter or digit that an adjacent number would belong to.

    Letters without case are not: Japanese writes 12.5を参照 without a space.
    """
    has_case = character.lower() != character.upper()
    return character.isalnum() and character not in _NOT_LETTERS and (character.isdigit() or has_case)


def _continues(text: str, end: int) -> bool:
    """Return whether the text after a number makes it longer: a letter, a digit, `.5`, `.x`.

    A full stop and a capitalized word are the end of a sentence without a space.
    """
    sign, following = text[end : end + 1], text[end + 1 : end + 2]
    if sign == ".":
        word = following.isupper() and text[end + 2 : end + 3].islower() and not _BIS.match(text, end + 2)
        return following.isalnum() and not word
    return following.isalnum() if sign == "_" else _is_letter(sign)
