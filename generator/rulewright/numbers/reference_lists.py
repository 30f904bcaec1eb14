"""Numbers as a text writes them, and which of them belong together: lists, ranges, shortened ends.

"12.5c(A), (B) and 12.6" is one run of three numbers. What is said in front of a run or behind it holds for
all of it, which is why runs are made before anything is judged.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rulewright.numbers.named_levels import Have, NamedLevelFinder
from rulewright.numbers.numbering_scheme import NumberingScheme, RuleNumber
from rulewright.numbers.reference_cues import CueWords, PrecedingWords
from rulewright.numbers.suffixes import ends_emphasis, suffix_at
from rulewright.source.lazy_regex import Regex

Span = tuple[int, int]

_FOLLOWING = Regex(r"ff?(?![^\W_])")  # 12.5f. and 12.5ff: and what follows
_WORD_GOES_ON = Regex(  # c'est, b-type; not c's, z-aa, ii-xix
    r"['’](?!s\b)|-(?!([^\W\d_])\1(?!\w)|[ivxlcdm]+(?!\w)|[IVXLCDM]+(?!\w))[^\W\d]\w"
)  # c'est, b-type
_MARKS = "*_“”\"‘’'[]\x01"
_LABEL = Regex(r"\w{1,6}")
_DIGITS = Regex(r"[0-9]{1,4}(?!\w|\.\w)")
_APART_OF = (
    r"(?:[ ]{1,2}|\r?\n)(?:\((?P<bracket>\w{1,4}SUFFIX)\)|(?!ff)(?P<letter>[^\W\d_]{1,2}SUFFIX)(?![\w'’-]))"
    r"|(?:\.[ ]{1,2}|[ ]{1,2}\.[ ]{0,2})(?P<dotted>(?:[0-9]{1,3}|[^\W\d_])SUFFIX)(?![\w'’-])"
    r"|,?\s{1,2}(?P<word>(?i:WORDS))\.?\s{1,2}(?:\((?P<inner>\w{1,4}SUFFIX)\)"
    r"|(?P<label>(?:[0-9]{1,3}|[^\W\d_])SUFFIX)(?![\w'’-]))"
)
_DEEPER = (  # words for a level below, which mean one also where the book declares none
    "paragraph|subparagraph|para|subsection|item|case|clause|point|absatz|abs|nummer|nr|buchstabe|lit|alinéa"
)
_BIS = Regex(r"(?:bis|ter|quater)(?!\w)")
_MOST_LISTED = 30  # bare digits that are looked at ahead
_ARTICLES = ("a", "I")
_NOT_LETTERS = "¹²³⁰⁴⁵⁶⁷⁸⁹ªº½¼¾"  # signs of a note, which str.isalnum takes for letters
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
)  # in front of a point that is no full stop


@dataclass(slots=True)
class WrittenNumber:
    """A number in a text, before its evidence is weighed; `start` and `end` bound it.

    `join`: what joins it to the one before, empty if a run begins with it. `ends_range`: it ends a range.
    `is_bare_chapter`: a chapter without any sign but its label. `is_bare_digit`: shortened to a bare digit
    (12.1-4). `has_named_levels`: the words of its levels stand in front of its labels (section 6, case 2).
    `alternatives`: what it may as well mean. `suffixed`: it ends with what no number of the book has
    (5.1bis), so that it means no rule. `miswritten`: a space is missing behind it, or stands in it.
    """

    start: int
    end: int
    number: RuleNumber
    join: str = ""
    ends_range: bool = False
    is_bare_chapter: bool = False
    is_bare_digit: bool = False
    has_named_levels: bool = False
    suffixed: bool = False
    miswritten: bool = False
    alternatives: tuple[RuleNumber, ...] = ()


class ShortenedReading(NamedTuple):
    """A number that a shortened one may stand for, by how much it counts on from the last, where it ends."""

    number: RuleNumber
    step: float
    source_text: str
    end: int


class ReferenceListFinder:
    """Finds runs of numbers in texts of one dialect; `levels` finds those with named levels."""

    def __init__(self, dialect: NumberingScheme, evidence: CueWords, levels: NamedLevelFinder) -> None:
        self.dialect = dialect
        self.evidence = evidence
        self._number = re.compile(dialect.regex())
        self._apart = re.compile(
            _APART_OF.replace("SUFFIX", dialect.suffixes.regex).replace("WORDS", _DEEPER)
        )
        # Where a book has several forms, the longest that fits is meant.
        self._forms = [*dialect.patterns, self._number] if len(dialect.shapes) > 1 else []
        self._ends = [list(dialect.shortened_ends(shape)) for shape in range(len(dialect.shapes))]
        self._separators = {part.before for parts in dialect.shapes for part in parts[1:]} & {"-", ":", "/"}
        self.named = levels

    def find(
        self, text: str, chapter: str, marked: Sequence[Span], have: Have | None = None
    ) -> Iterator[list[WrittenNumber]]:
        """Yield the runs in a text, in order.

        `chapter` is the label of the chapter that an implied number means; `marked` are spans to leave out.
        `have` chooses among the readings of a shortened number.
        """
        left_out = list(reversed(marked))
        run: list[WrittenNumber] = []
        named_numbers = list(reversed(self.named.find(text, chapter, self._number, have)))
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
                # The end of a range lies in the chapter of its beginning: B23.71-23.711.
                context = run[-1].number.labels[0] if joined and joined["through"] else chapter
                number = self._written(text, start, end, context, joined)
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
            if not (named_numbers and named_numbers[-1].joined):  # else what is named goes on with the list
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
        """Take a number without its chapter for one of the chapter that the number in front of it names.

        D6.1, 9.2 in chapter A: D9.2 where there is no A9.2; where there are both, it can't be told.
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
        """Join between a number at `start` and the last of a run; None if there is none."""
        end = last.end + (last.is_bare_chapter and text[last.end : last.end + 1] == ".")
        return self.evidence.find_join(text, end, start)

    def _written(
        self, text: str, start: int, end: int, chapter: str, joined: re.Match[str] | None
    ) -> WrittenNumber | None:
        """Return the number between two spots, or None if letters or digits beside it make it something
        else.
        """
        before = text[start - 1 : start]
        if _is_letter(before) or before == "\\":
            return None
        is_longer = _goes_on(text, end) and not (_FOLLOWING.match(text, end) or suffix_at(text, start, end))
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
            return self._written(text, start, end, chapter, joined)
        label = words.removesuffix(".")
        is_bare = label.isdigit() or number.labels == (label,)
        if "]" in words:  # the bracket around a number is none of it, unless it goes on behind: [10.12]A
            start, end = (start, end - 1) if words[-1] == "]" else (start - (before == "["), end)
        # The full stop of "6." may as well end the sentence.
        written = WrittenNumber(
            start, end - (is_bare and words[-1] == "."), number, is_bare_chapter=is_bare, miswritten=is_longer
        )
        if joined:
            written.join, written.ends_range = joined.group(), joined["through"] is not None
        return written

    def _glued(self, text: str, end: int) -> bool:
        """Return whether the word that joins a number to the next touches it: 24.3and 24.4."""
        joined = self.evidence.find_join(text, end) if text[end].isalpha() else None
        if not joined or not joined.group()[0].isalpha():
            return False
        return self._number.match(text, joined.end()) is not None

    def _continue(self, text: str, run: list[WrittenNumber], have: Have | None) -> None:
        """Add to the run the shortened numbers behind its last, "and c", "(B)", "-.122", and its suffix.

        The end of its last may stand apart from it: 4.2 (a).
        """
        while True:
            last = run[-1]
            joined = self.evidence.find_join(text, last.end)
            if joined and joined.group().endswith("[["):  # a mark speaks for itself
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
        """Return whether the last of a run went on behind a space, to the next level: § 12 (3) (b), 4.2 a, 4.

        2.

        So does 4.2, paragraph (b), where the book has 4.2(b).
        """
        last = run[-1]
        if not joined and self._several_deeper(text, run, have):
            return True
        m = self._apart.match(text, last.end)
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
        """Add several levels after a space to the last number of a run: 12.1 b(B), 1 B.3, 5.1( 2a).

        The last of them touches the one before it, so that it belongs to the number even if no rule has it.
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
        pattern = self.dialect.apart[last.number.shape][level] if level < len(shape_parts) else None
        m = pattern.match(text, last.end) if pattern else None
        if not m or _goes_on(text, m.end()):
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
        """Return where the suffix of a number ends, if it has one that is no label of it and joins
        nothing to it.
        """
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
        """Return the shortened number behind a join: the last number with its end replaced.

        A reading that the book has and that goes forward is meant before any other, and of several the
        deepest: 1.3.2-.4 is 1.3.4 if there is one. A list may go back, a range may not.
        """
        last, start, through = run[-1], joined.end(), joined["through"] is not None
        readings = list(self._readings(run, text, joined, have))
        if not readings:
            return None

        def rank(reading: ShortenedReading) -> tuple[bool, bool, bool, float]:
            exists = have is not None and have(reading.number) is not None
            # Where the book tells nothing, the smaller step of a letter is meant: "ii and c".
            step = 0 if exists or not reading.source_text.isalpha() else abs(reading.step)
            return not exists or reading.step <= 0, not exists or through, reading.step <= 0, step

        longest = max(reading.end for reading in readings)
        best = min((reading for reading in readings if reading.end == longest), key=rank)
        if have and have(best.number) is None and not best.source_text.isdigit():
            whole_number = self.dialect.parse_number(text[start : best.end])  # R2 behind R8.A2
            if whole_number and have(whole_number) is not None:
                return None
        # A range between two rules of the book is none of amounts: 8.11-13.
        is_certain = have and (through or last.has_named_levels or joined.group() == "/")
        is_certain = is_certain and rank(best) == (False, through, False, 0)
        digit = best.source_text.isdigit() and not is_certain
        alternatives: tuple[RuleNumber, ...] = ()
        if digit and have and not last.has_named_levels and not through and len(last.number.labels) < 3:
            chapter = self.dialect.parse_number(best.source_text)  # sections 3.2 and 4
            alternatives = (chapter,) if chapter and have(chapter) is not None else ()
        stray = text[best.end - 1] == "]" and "[" not in text[start : best.end]
        end = best.end - stray
        return WrittenNumber(
            start,
            end,
            best.number,
            joined.group(),
            through,
            last.is_bare_chapter,
            digit,
            last.has_named_levels,
            alternatives=alternatives,
        )

    def _readings(
        self, run: list[WrittenNumber], text: str, joined: re.Match[str], have: Have | None
    ) -> Iterator[ShortenedReading]:
        """Yield the numbers that a shortened one behind a join may stand for, the deepest first."""
        last, start = run[-1], joined.end()
        parts = self.dialect.parts_of(last.number.labels, last.number.shape)
        whole_match = self._number.match(text, start)
        whole_end = (
            self._longest(text, start)
            if whole_match and self._forms
            else whole_match.end()
            if whole_match
            else start
        )
        read = self.dialect.parse_number(text[start:whole_end])
        if read and len(read.labels) == 1 and text[whole_end - 1 : whole_end] == ".":
            whole_end -= 1  # which may as well end the sentence
        whole_end = whole_end if read else start
        word = text[start:whole_end]
        is_bare = word.isdigit() or (word.isalnum() and read is not None and len(read.labels) == 1)
        if last.has_named_levels and len(last.number.labels) == 1 and (m := _LABEL.match(text, start)):
            number = self.dialect.chapter(m.group(), last.number.shape)
            through = joined["through"] is not None
            ends = not _goes_on(text, m.end()) and (through or self.evidence.list_may_end(text, m.end()))
            if number and ends and number.ordinals > last.number.ordinals:
                yield ShortenedReading(number, _step(last.number, number), m.group(), m.end())
        for part, pattern, below in self._ends[last.number.shape]:
            is_range = [indexes for indexes, index in enumerate(parts) if index is part]
            m = pattern.match(text, start) if is_range else None
            if not m or not m.group() or _goes_on(text, m.end()) or _WORD_GOES_ON.match(text, m.end()):
                continue
            above_letter = is_range[-1] < len(parts) - 1 and parts[-1].sort != part.sort
            if m.group()[0].isdigit() and is_range[0] > 0 and above_letter and not last.has_named_levels:
                continue  # 12.5e-7 ends no range that 12.5e began
            # 4-1–4-3 and 8.2-8.3 end with a whole number.
            if whole_end > m.end() or (whole_end == m.end() and not is_bare):
                continue
            labels = self.dialect.levels(below, m.groups())
            index_part = [is_range[0]]
            if part.sort.nested and m.group().rstrip("]").isdigit() and len(labels) < len(is_range):
                kept_levels = [
                    is_range[-1] + 1 - len(labels),
                    is_range[0],
                ]  # 12.11-13: as many digits as are written
            for level in kept_levels:
                number = self.dialect.number([*last.number.labels[:level], *labels], last.number.shape)
                step = _step(last.number, number) if number else 0
                exists = number is not None and have is not None and have(number) is not None
                signed = m.group()[0] in "-.‐‑:/"
                back = exists and signed and step < 0
                if number and (
                    is_range[0] == 0 or back or self._is_meant(run, text, step, m, joined, exists)
                ):
                    yield ShortenedReading(number, step, m.group(), m.end())

    def ends_list(self, text: str, end: int) -> bool:
        """Return whether a list of bare digits that goes on at `end` counts nothing: not "12.1, 2 and 3
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
        """Return whether a word says that a run holds several rules: sections 24.42, 43 and 44."""
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
        """Return whether a shortened number `step` behind the last is one: "9.14b and a unit" names no 9.14a.

        A label without a sign of its own must go up. Behind a comma, or a dash with space around it, it is
        a word if words follow, unless it comes next: "16.G, I think". A bare digit only ends a tight range,
        or a list of rules that the book has, but for the cases 2 and 3 of a section.
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
    """Return how far a number is past another at the first level where they differ; 1 for one inside it."""
    pairs = zip(number.ordinals, last.ordinals, strict=False)
    deeper = (len(number.ordinals) > len(last.ordinals)) - (len(number.ordinals) < len(last.ordinals))
    return next((new - old for new, old in pairs if new != old), deeper)


def _is_letter(sign: str) -> bool:
    """Return whether a sign is a letter or digit that a number beside it would belong to.

    Letters without a case are not: Japanese writes 12.5を参照 without a space.
    """
    return sign.isalnum() and sign not in _NOT_LETTERS and (sign.isdigit() or sign.lower() != sign.upper())


def _goes_on(text: str, end: int) -> bool:
    """Return whether what stands behind a number makes it longer: a letter, a digit, `.5`, `.x`.

    A full stop and a word with a capital are the end of a sentence that lacks its space.
    """
    sign, following = text[end : end + 1], text[end + 1 : end + 2]
    if sign == ".":
        word = following.isupper() and text[end + 2 : end + 3].islower() and not _BIS.match(text, end + 2)
        return following.isalnum() and not word
    return following.isalnum() if sign == "_" else _is_letter(sign)
