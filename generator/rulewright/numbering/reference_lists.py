"""Numbers as written in a text, grouped into lists and ranges, with shortened ends.

"12.5c(A), (B) and 12.6" is one list of three numbers. Words before or after a list apply to all of it, so
lists are found before any evidence is weighed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.numbering.loose_numbers import LooseReader
from rulewright.numbering.named_levels import NamedLevelFinder
from rulewright.numbering.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbering.reference_cues import CueWords, PrecedingWords
from rulewright.numbering.suffixes import ends_emphasis, suffix_at
from rulewright.numbering.written_number import INSIDE, LETTER, Have, WrittenNumber

Span = tuple[int, int]

_FOLLOWING = re.compile(r"ff?(?![^\W_])")  # 12.5f. and 12.5ff: and what follows
_WORD_GOES_ON = re.compile(  # c'est, b-type; not c's, z-aa, ii-xix
    r"['’](?!s\b)|-(?!([^\W\d_])\1(?!\w)|[ivxlcdm]+(?!\w)|[IVXLCDM]+(?!\w))[^\W\d]\w"
)  # c'est, b-type
_TOUCHED = re.compile(rf"(?:{LETTER}|\\)\Z")
# A full stop and a capitalized word are the end of a sentence without a space.
_WORD = r"[A-ZÀ-ÞΆ-ΫЀ-Я](?!(?:bis|ter|quater)(?!\w))[a-zß-ÿά-ώа-џ]"
_CONTINUES = re.compile(rf"{LETTER}|_[^\W_]|\.(?!{_WORD})[^\W_]")
_GOES_ON = re.compile(f"{_CONTINUES.pattern}|{_WORD_GOES_ON.pattern}")
_TIGHT = re.compile(r"[*_“”\"‘’'\[\]\x01]*[^\s*_“”\"‘’'\[\]\x01][*_“”\"‘’'\[\]\x01]*")
_HEX = re.compile(r"[0-9]+[-–][^\W\d_]")  # 57-G9 on a map board
_CLOSED_BEFORE = re.compile(r".*\].*[^\[]", re.DOTALL)  # [EXC: E4.21], 1 MP
_LOOK_BACK = 160


class ShortenedReading(NamedTuple):
    """Possible meaning of a shortened number, with its distance from the last number."""

    number: RuleNumber
    step: float
    words: str
    end: int
    exists: bool

    def rank(self, is_range: bool) -> tuple[bool, bool, bool]:
        """Return the rank among the readings: a rule that increases first. A range may not decrease."""
        decreases = self.step <= 0
        return not self.exists or decreases, not self.exists or is_range, decreases


class ReferenceListFinder:
    """Finds lists of numbers in texts of one scheme; `levels` finds those with named levels."""

    def __init__(
        self, dialect: NumberingScheme, evidence: CueWords, levels: NamedLevelFinder, loose: LooseReader
    ) -> None:
        self.dialect, self.loose = dialect, loose
        self.evidence = evidence
        self._number = re.compile(dialect.regex())
        # If a book has several forms, the longest match wins.
        self._forms = [*dialect.patterns, self._number] if len(dialect.shapes) > 1 else []
        self._ends = [list(dialect.shortened_ends(shape)) for shape in range(len(dialect.shapes))]
        separators = {part.before for parts in dialect.shapes for part in parts[1:]} & {"-", ":", "/"}
        self._separated = re.compile(rf"(?:{'|'.join(sorted(separators)) or '(?!)'})\d")
        self.named_levels = levels

    def find(
        self, text: str, chapter: str, marked: Sequence[Span], have: Have
    ) -> Iterator[list[WrittenNumber]]:
        """Yield the lists of numbers in a text, in order.

        `chapter`: the label of the chapter for numbers that leave it out; `marked`: spans to skip. `have`
        selects among the readings of a shortened number.
        """
        marks = dict(marked)
        ends = {m.start(): m.end() for m in self._number.finditer(text)}
        named = {n.start: n for n in self.named_levels.find(text, chapter, self._number, have)}
        named_starts = [*named]
        run: list[WrittenNumber] = []
        taken = 0
        for start in sorted({*ends, *named, *marks}):
            if start < taken:
                continue
            if start in marks:
                taken = marks[start]
                continue
            number = named.get(start)
            number = number or self._plain_number(text, start, ends[start], chapter, run, have)
            if number is None:
                continue
            if run and not number.join:
                yield run
                run = []
            run.append(number)
            following = bisect_left(named_starts, number.end)
            if not (following < len(named_starts) and named[named_starts[following]].join):
                self._continue(text, run, have)  # else a named number continues the list
            taken = run[-1].end
        if run:
            yield run

    def _plain_number(
        self, text: str, start: int, end: int, chapter: str, run: Sequence[WrittenNumber], have: Have
    ) -> WrittenNumber | None:
        """Return the number at a match of the scheme, with its join to the list before it."""
        end = self._longest(text, start) or end
        last = run[-1] if run else None
        # The full stop of a chapter does not end its list: sections 3. and 4.
        last_end = last.end + (last.is_bare_chapter and text[last.end] == ".") if last else 0
        joined = self.evidence.find_join(text, last_end, start) if last else None
        if last is None or joined is None:
            return self._parse_span(text, start, end, chapter, None)
        # The end of a range is in the chapter of its start: B23.71-23.711.
        last_chapter = last.number.labels[0]
        chapter = last_chapter if joined["through"] else chapter
        number = self._parse_span(text, start, end, chapter, joined)
        if number is None or (number.is_bare_chapter and _CLOSED_BEFORE.fullmatch(joined.group())):
            return number
        number.with_join(joined)
        if not number.is_bare_chapter and _HEX.fullmatch(text, last.start, start + 1):
            return None
        if self.dialect.implied and chapter != last_chapter:
            # D6.1, 9.2 in chapter A: D9.2 if there is no A9.2; ambiguous if there are both.
            other = self.dialect.parse_number(text[start:end], last_chapter)
            if other and have(other):
                same_section = last.number.labels[:2] == other.labels[:2]  # E7.51 & 7.52
                if same_section or not have(number.number):
                    number.number = other
                elif other != number.number:
                    number.alternatives = (other,)
        return number

    def _parse_span(
        self, text: str, start: int, end: int, chapter: str, joined: re.Match[str] | None
    ) -> WrittenNumber | None:
        """Return the number in a span, or None if adjacent letters or digits make it something else."""
        if (_TOUCHED if joined else INSIDE).search(text, max(0, start - 2), start):
            return None
        is_longer = _CONTINUES.match(text, end) is not None
        is_longer = is_longer and not (_FOLLOWING.match(text, end) or suffix_at(text, start, end))
        if is_longer:  # unless the word that joins it to the next touches it: 24.3and 24.4
            next_join = self.evidence.find_join(text, end) if text[end].isalpha() else None
            if not next_join or not self._number.match(text, next_join.end()):
                return None
        if not joined and self._separated.match(text, end):
            return None  # 4-6-7 where numbers are written 4-6
        words = text[start:end]
        if (number := self.dialect.parse_number(words, chapter)) is None:
            return None
        sign = number.labels[-1][-1]
        if not sign.isalnum() and words[-1] == sign and ends_emphasis(text, start, sign):
            # *5.1* where 5.1* is a number, too
            return self._parse_span(text, start, end - 1, chapter, joined)
        label = words.removesuffix(".")
        is_bare = label.isdigit() or number.labels == (label,)
        if words[-1] == "]" or (is_bare and words[-1] == "."):
            end -= 1  # the bracket around a number, and a full stop that may end the sentence
        elif "]" in words:
            start -= text[start - 1 : start] == "["  # [10.12]A
        return WrittenNumber(start, end, number, is_bare_chapter=is_bare, miswritten=is_longer)

    def _continue(self, text: str, run: list[WrittenNumber], have: Have) -> None:
        """Add to a list the shortened numbers after its last, "and c", "(B)", "-.122", and its suffix.

        The end of the last number may be separate: 4.2 (a).
        """
        has_cue = self.evidence.has_cue_before(text, run[0].start)
        while True:
            last = run[-1]
            labels, is_cued = last.number.labels, has_cue or last.has_named_levels
            joined = self.evidence.find_join(text, last.end)
            if joined and (shortened := self._shortened(run, text, joined, have)):
                run.append(shortened)
            elif last.suffixed:
                return
            elif suffix := self._suffix(text, last, have):
                last.end, last.suffixed = suffix.end(), True
            elif spaced := self.loose.spaced(text, labels, last.end, have, is_cued, bool(joined)):
                last.extend(spaced.number, spaced.end, spaced.is_dotted)
            else:
                return

    def _suffix(self, text: str, last: WrittenNumber, have: Have) -> re.Match[str] | None:
        """Return the suffix of a number; a letter that could be its next label is none."""
        match = suffix_at(text, last.start, last.end)
        if match and match["letter"]:
            labels = [*last.number.labels, match["letter"]]
            deeper = self.dialect.with_scheme_case(labels, last.number.shape)
            if deeper and have(deeper):
                return None
        return match

    def _shortened(
        self, run: list[WrittenNumber], text: str, joined: re.Match[str], have: Have
    ) -> WrittenNumber | None:
        """Return the shortened number after a join: the last number with its end replaced.

        A reading that is a rule and increases is preferred, and of several the deepest: 1.3.2-.4 is 1.3.4 if
        there is one. A list may decrease, a range may not.
        """
        last, start, is_range = run[-1], joined.end(), joined["through"] is not None
        readings = sorted(self._readings(run, text, joined, have), key=lambda r: (-r.end, *r.rank(is_range)))
        if not readings:
            return None
        best = readings[0]
        # A range between two rules is no range of amounts: 8.11-13.
        is_certain = is_range or last.has_named_levels
        is_bare_digit = best.words.isdigit() and not (is_certain and best.exists and best.step > 0)
        alternatives: tuple[RuleNumber, ...] = ()
        if is_bare_digit and not is_certain and len(last.number.labels) < 3:
            chapter = self.dialect.parse_number(best.words)  # sections 3.2 and 4
            alternatives = (chapter,) if chapter and have(chapter) else ()
        return WrittenNumber(
            start,
            best.end - (best.words[-1] == "]" and "[" not in best.words),
            best.number,
            is_bare_chapter=last.is_bare_chapter,
            is_bare_digit=is_bare_digit,
            has_named_levels=last.has_named_levels,
            alternatives=alternatives,
        ).with_join(joined)

    def _readings(
        self, run: list[WrittenNumber], text: str, joined: re.Match[str], have: Have
    ) -> Iterator[ShortenedReading]:
        """Yield the possible meanings of a shortened number after a join, deepest first."""
        last, start = run[-1], joined.end()
        shape = last.number.shape
        least_end = self._least_end(text, start)
        parts = self.dialect.parts_of(last.number.labels, shape)
        for part, pattern, below in self._ends[shape]:
            levels = [level for level, own_part in enumerate(parts) if own_part is part]
            m = pattern.match(text, start) if levels else None
            if not m or m.end() < least_end or _GOES_ON.match(text, m.end()):
                continue
            words = m.group()
            is_above_letter = levels[0] > 0 and parts[-1].sort != part.sort
            if words[0].isdigit() and is_above_letter and not last.has_named_levels:
                continue  # 12.5e-7 ends no range that 12.5e began
            labels = self.dialect.levels(below, m.groups())
            depths = [levels[0]]
            if part.sort.nested and words.rstrip("]").isdigit():
                depths.insert(0, levels[-1] + 1 - len(labels))  # 12.11-13: as many digits as are written
            for depth in depths:
                number = self.dialect.number([*last.number.labels[:depth], *labels], shape)
                if number is None:
                    continue
                step = _step(last.number, number)
                reading = ShortenedReading(number, step, words, m.end(), have(number))
                if levels[0] == 0 or self._is_meant(run, text, joined, reading):
                    yield reading

    def _longest(self, text: str, start: int) -> int:
        """Return the end of the longest form that matches, or 0 if the book has one form."""
        return max((m.end() for form in self._forms if (m := form.match(text, start))), default=0)

    def _least_end(self, text: str, start: int) -> int:
        """Return the least end of a shortened number: 4-1–4-3 and 8.2-8.3 end with a whole number."""
        m = self._number.match(text, start)
        if not m:
            return start + 1
        end = max(m.end(), self._longest(text, start))
        words = text[start:end]
        read = self.dialect.parse_number(words)
        if not read:
            return start + 1
        is_chapter = len(read.labels) == 1
        if is_chapter and words[-1] == ".":
            words = words[:-1]  # may end the sentence
        is_bare = words.isdigit() or (is_chapter and words.isalnum())
        return start + len(words) + (not is_bare)

    def ends_list(self, text: str, end: int) -> bool:
        """Return whether the bare digits of a list that continues at `end` count nothing, unlike "2 and 3
        hexes".
        """
        end = self.evidence.digits_end(text, end)
        return self.evidence.list_may_end(text, end) and not self.evidence.amount_after(text, end)

    def _is_meant(
        self, run: Sequence[WrittenNumber], text: str, joined: re.Match[str], reading: ShortenedReading
    ) -> bool:
        """Return whether a shortened number is a reference: "9.14b and a unit" has no 9.14a.

        A label without a separator must increase, and I is a word unless it is the next label. Bare digits
        only end a tight range or a list of existing rules, except for named levels.
        """
        label, step = reading.words, reading.step
        is_tight = joined["through"] is not None and _TIGHT.fullmatch(joined.group()) is not None
        may_end = self.evidence.list_may_end(text, reading.end)
        if label[0].isdigit():
            back = text[max(0, run[0].start - _LOOK_BACK) : run[0].start]
            in_list = self.evidence.classify_preceding(back) is PrecedingWords.LISTS
            in_list = reading.exists and (in_list or self.ends_list(text, reading.end))
            return step > 0 and (is_tight or in_list or (run[-1].has_named_levels and may_end))
        if not label[0].isalpha():
            return True
        if may_end:
            return step > 0 or is_tight
        return step == 1 or (step > 1 and label != "I")


def _step(last: RuleNumber, number: RuleNumber) -> float:
    """Return the distance between two numbers at the first level that differs; 1 for a number inside the
    other.
    """
    pairs = zip(number.ordinals, last.ordinals, strict=False)
    is_inside = len(number.ordinals) > len(last.ordinals)
    return next((new - old for new, old in pairs if new != old), is_inside)
