"""References found in ordinary prose: "see 12.5 and 14.7d" refers to two rules.

Three steps are separate: finding (here: offset and evidence of each number), resolving (`citations`: the
target or what is wrong), rendering (`text`).

The finder returns every number that the scheme can parse, with its evidence, and the resolver decides: a
number that is a rule is a reference; another number is an error after a cue, and otherwise just a number. The
rules of the book matter only if a spelling is ambiguous (1.3.2-.4, "case 2") or misformatted after a cue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from rulewright.files.invisible_characters import CleanedView, clean_text
from rulewright.numbering.found_reference import FoundReference as FoundReference
from rulewright.numbering.loose_numbers import LooseReader
from rulewright.numbering.misformatted_numbers import TolerantReader
from rulewright.numbering.named_levels import NO_LEVEL, NamedLevelFinder
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.reference_cues import (
    CITING,
    CUED,
    QUIET,
    CueStrength,
    CueWords,
    PrecedingWords,
    closes_parenthesis,
    phrase_pattern,
    with_book_cues,
)
from rulewright.numbering.reference_lists import ReferenceListFinder
from rulewright.numbering.written_number import Have, WrittenNumber
from rulewright.schema import inline_images

JOINS = ("and", "or", "and/or", "as well as")
THROUGH = ("to", "through", "thru")

_OPENED = re.compile(r"(?<!\[)\[\[(?!\[)[^\s\[\]|]+")
_MARK = re.compile(r"(?<!\[)\[\[([^\[\]|\n]+?)(?:\|([^\[\]]*))?\]\](?!\])")
_EMPTY_LINE = re.compile(r"\n[ \t\r]*\n")
_AMOUNT = re.compile(r"[A-Z]?[0-9]+(?:[.:-][0-9]+)?")  # a number that may count something
_DATE = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}\.(?:19|20)[0-9]{2}(?![0-9])")
_UNLIKELY = re.compile(r"0|[0-9]+\.0[0-9]")  # 0.5, 12.05: an amount or a hex if the book has no such rule
_YEAR_OR_SHIFT = re.compile("[0-9]{4}|[0-9]{1,2}[RLH]")  # (1944), (1R): if the book has no such rule
_LEAST_OF_RULE = 3  # number of levels that no map or card has
_LOOK_BACK = 160  # maximum distance from an opening parenthesis to its number
SPACES = dict.fromkeys(map(ord, "\xa0\u2002\u2003\u2007\u2009\u202f"), " ")
"""Spaces of other widths, replaced by ordinary ones."""
_CAPITAL_AFTER = re.compile(r"\][ \t]*(?:\n[ \t]*)?(?=[A-Z“\"]|\Z)")
_EMPHASIS = "*_“”\"‘’'[]\x01"
_CLOSED = re.compile(rf"\.?[{re.escape(_EMPHASIS)}]*[)\]]")
_IN_WORDS = re.compile(  # "three (3) cards"
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|\d+|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\s*[(\[]\Z",
    re.IGNORECASE,
)
_UNIT_LETTERS = "kmstx"  # 4.5m, 1.5x


class ReferenceFinder:
    """Finds references in texts of one numbering scheme.

    `cues`, `joins`, `range_words`, `never`: words that a rulebook declares. Cues and `never` add to the
    English ones; joins and range words replace them. `names`: names of other books, allowed in lists of
    references. `levels`: words for the levels of a number.
    """

    def __init__(
        self,
        dialect: NumberingScheme,
        *,
        cues: Sequence[str] = (),
        joins: Sequence[str] = (),
        range_words: Sequence[str] = (),
        never: Sequence[str] = (),
        names: Sequence[str] = (),
        levels: Sequence[str] = (),
    ) -> None:
        joins, range_words, cues = joins or JOINS, range_words or THROUGH, with_book_cues(cues)
        self.dialect = dialect
        own_words = (*levels, *dialect.words, *dialect.chapter_words)
        self._evidence = CueWords(cues, joins, range_words, never, own_words)
        self._levels = NamedLevelFinder(dialect, levels, self._evidence, cues)
        loose = LooseReader(dialect, self._evidence)
        self._runs = ReferenceListFinder(dialect, self._evidence, self._levels, loose)
        self._loose = TolerantReader(loose, self._levels, cues)
        leading = [word.rstrip(".") for word in " ".join(cues).lower().split()]
        words = " ".join((*joins, *range_words)).lower().replace("/", " ").split()
        words += [*leading, *(f"{word}s" for word in leading)]
        words += " ".join(names).lower().split()
        self._cues = cues
        self._between = {word.rstrip(".") for word in words}
        self._quiet = "".join(sign for sign in _EMPHASIS if sign not in dialect.bare_opened)

    @property
    def evidence(self) -> CueWords:
        """Cue words of the book."""
        return self._evidence

    def find(
        self, text: str, chapter: str = "", is_cited: bool = False, have: Have | None = None
    ) -> Sequence[FoundReference]:
        """Return every number of the scheme in `text`, in order, with its evidence.

        `chapter`: the label of the chapter of the text, for numbers that leave it out. `is_cited`: the text
        is a list of references and nothing else. `have`: returns whether the book has a rule;
        without it no misformatted numbers are found.
        """
        text = inline_images.blank_images(text)
        if text.isascii():
            return self._find(text, chapter, is_cited, have)
        cleaned = clean_text(text := text.translate(SPACES))
        references = self._find(cleaned.text if cleaned else text, chapter, is_cited, have)
        return [_with_source_span(match, text, cleaned) for match in references] if cleaned else references

    def _find(self, text: str, chapter: str, is_cited: bool, have: Have | None) -> Sequence[FoundReference]:
        references = explicit_marks(text, self.dialect, chapter) if "[[" in text else []
        marked = [mark.mark_span for mark in references if mark.mark_span]
        for run in self._runs.find(text, chapter, marked, have or (lambda number: False)):
            weighed = [_cited(number, CueStrength.MARK) for number in run] if is_cited else None
            references += weighed or self._weigh(text, run)
        if have and not is_cited:
            # What a misformatted number means replaces the references found in it.
            spans = [reference.mark_span or reference[:2] for reference in sorted(references)]
            misformatted = [*self._loose.find(text, spans, have)]
            starts = {start for other in misformatted for start in range(other.start, other.end)}
            references = [reference for reference in references if reference.start not in starts]
            references += misformatted
        return sorted(references, key=lambda reference: reference.start)

    def uncited_list_rest(self, text: str, references: Sequence[FoundReference]) -> re.Match[str] | None:
        """Return the first word in a list of references that is no reference, join or cue."""
        taken = [match.mark_span or (match.start, match.end) for match in reversed(references)]
        for word in re.finditer(r"[\w.]*\w", text):
            while taken and taken[-1][1] <= word.start():
                taken.pop()
            if word.group().lower() not in self._between and not (taken and taken[-1][0] <= word.start()):
                return word
        return None

    @cached_property
    def _lead(self) -> re.Pattern[str]:
        """Pattern for one or more cues before a number."""
        either = "|".join(sorted(map(phrase_pattern, self._cues), key=len, reverse=True))
        number = r"(?:(?:nos?\.?|number|#|§)\s*)?"
        cue = rf"(?:{either})(?:s|n|en|e|es)?[{re.escape(QUIET)}]*{number}"
        return re.compile(rf"(?<![\w-])(?:{cue})+\Z", re.IGNORECASE)

    def cue_start(self, text: str, start: int) -> int:
        """Return the start of the cues before a number, or `start` if there are none."""
        first = max(0, start - _LOOK_BACK)
        match = self._lead.search(text[first:start])
        return first + match.start() if match else start

    def _weigh(self, text: str, run: list[WrittenNumber]) -> list[FoundReference]:
        """Return the references of a list with their evidence; words before or after it apply to each."""
        start, end, first = run[0].start, run[-1].end, run[0]
        back = _EMPTY_LINE.split(text[max(0, start - _LOOK_BACK) : start])[-1]
        preceding = self._evidence.classify_preceding(back)
        depth = len(first.number.labels)
        level = self._levels.level_before(back) if preceding in CITING else -1
        if first.is_bare_chapter and not first.has_named_levels and level >= depth:
            # "Case 2" is no whole chapter and does not name its chapter.
            is_separate = level != NO_LEVEL and len(run) == 1 and text[start:end].isdigit()
            is_separate = is_separate and self._evidence.list_may_end(text, end)
            is_separate = is_separate and not self._levels.elsewhere(text, end)
            fault = FoundReference(start, end, None, CueStrength.WORD, miswritten=True)
            return [fault] if is_separate else []
        is_label = self.dialect.brackets and _CAPITAL_AFTER.match(text, first.end)  # [24.12] If
        is_closed = closes_parenthesis(back, text, end)
        # A letter or number may be something other than a chapter: hex B6, see J.
        is_capital = self.dialect.shapes[0][0].sort.capital
        is_counter = is_capital and all(text[number.start : number.end].isalnum() for number in run)
        if is_label or (preceding not in CUED and not is_closed and is_counter):
            return []
        cue = CueStrength.NONE
        if first.has_named_levels or preceding in CUED:
            cue = CueStrength.WORD
        elif is_closed and any(map(str.isdigit, text[start:end])):
            cue = CueStrength.PARENTHESES
        is_address = preceding is PrecedingWords.ADDRESS
        is_address = is_address or (preceding is PrecedingWords.THING and depth < _LEAST_OF_RULE)
        if cue is not CueStrength.WORD:
            is_address = is_address or self._evidence.is_excluded_phrase(text, start)
        are_amounts = cue < CueStrength.PARENTHESES and _AMOUNT.fullmatch(text, start, first.end)
        amounts = len(run) - self._amounts(text, back, preceding, run)
        references: list[FoundReference] = []
        is_found = False
        for index, number in enumerate(run):
            number.ends_range = number.ends_range and is_found
            is_found = number.has_named_levels or (
                not (number.is_bare_digit and are_amounts)
                and (not number.is_bare_chapter or self._is_chapter(text, run, index, preceding))
            )
            if number.suffixed:
                is_found = False
                references += [_cited(number, cue)] if cue >= CueStrength.PARENTHESES else []
            elif is_found:
                own_cue = self._own_cue(text, number, cue, may_be_amount=index >= amounts)
                references.append(_cited(number, CueStrength.NEVER if is_address else own_cue))
        return references

    def _own_cue(
        self, text: str, number: WrittenNumber, cue: CueStrength, may_be_amount: bool
    ) -> CueStrength:
        """Return the evidence of a number of a list with a cue."""
        is_amount = not number.has_named_levels and (
            number.is_bare_digit or _AMOUNT.fullmatch(text, number.start, number.end) is not None
        )
        if is_amount and may_be_amount:
            return CueStrength.NEVER
        if cue is not CueStrength.WORD and _DATE.match(text, number.start):
            return CueStrength.NEVER
        labels = number.number.labels
        # 14.7d, not 4.5m, not M.D.
        is_lettered = any(map(str.isalpha, labels[1:])) and any(map(str.isdigit, labels))
        is_lettered = is_lettered and labels[-1][0] not in _UNIT_LETTERS
        if cue is CueStrength.NONE and not is_amount and is_lettered:
            return CueStrength.SHAPE
        is_unlikely = cue is CueStrength.PARENTHESES and _UNLIKELY.match(text, number.start)
        is_unlikely = is_unlikely or _YEAR_OR_SHIFT.fullmatch(text, number.start, number.end)
        return CueStrength.NONE if is_unlikely and cue is not CueStrength.WORD else cue

    def _amounts(self, text: str, back: str, evidence: PrecedingWords, run: list[WrittenNumber]) -> int:
        """Return how many numbers at the end of a list are amounts, if they may be."""
        cited = evidence in CITING
        if evidence is PrecedingWords.AMOUNT or (not cited and self._evidence.amount_before(back)):
            return len(run)
        if self._evidence.amount_after(text, run[-1].end):
            # "2.4, 4.5 and 9.5 miles" are three distances, "12.5, 4.5 miles on" is one.
            return 1 if run[-1].join.strip() == "," else 0 if cited else len(run)
        return 0

    def _is_chapter(self, text: str, run: list[WrittenNumber], index: int, evidence: PrecedingWords) -> bool:
        """Return whether a bare number of a list is a chapter: it needs a cue, and no noun after it."""
        number, is_last = run[index], index == len(run) - 1
        if evidence in CITING:
            if is_last and self._evidence.amount_after(text, number.end):
                return False  # the rule 8 times
            is_named = evidence is PrecedingWords.LISTS and run[0].is_bare_chapter
            is_named = is_named or (evidence is not PrecedingWords.POINTS and index == 0)
            is_named = is_named or (evidence is PrecedingWords.NAMES and number.ends_range)
            return is_named or self._runs.ends_list(text, number.end)
        before = text[max(0, run[0].start - 16) : run[0].start].rstrip(self._quiet)
        end = run[-1].end
        closed = _CLOSED.match(text, end, end + 80)
        opened = before.endswith(self.dialect.bare_opened) and not _IN_WORDS.search(before)
        if not opened or not closed or any(other.join == "/" for other in run):
            return False
        if is_last and text[end] == ".":
            number.end += 1  # (22.)
        pair = len(run) == 2 and run[0].number.ordinals < run[1].number.ordinals
        return pair or self.dialect.bare_alone


def unclosed_marks(text: str) -> Iterator[tuple[int, str]]:
    """Yield the start and the first word of each mark that is never closed."""
    closed = {m.start() for m in _MARK.finditer(text)}
    for m in _OPENED.finditer(text):
        if m.start() not in closed:
            yield m.start(), m.group().rstrip(".,;:)")


def explicit_marks(
    text: str, dialect: NumberingScheme | None = None, chapter: str = ""
) -> list[FoundReference]:
    """Return the explicit marks in a text: `[[14.7d]]`, `[[ocs/3.0:14.6c]]`, `[[14.7d|Hip Shoots]]`."""
    references = []
    for m in _MARK.finditer(text):
        book, colon, label = m.group(1).rpartition(":")
        number = dialect.parse_number(label.strip(), chapter) if dialect and not book else None
        start = m.start(1) + len(book) + len(colon) + len(label) - len(label.lstrip())
        end = start + len(label.strip())
        references.append(
            FoundReference(
                start, end, number, CueStrength.MARK, mark_span=m.span(), book=book.strip(), label=m.group(2)
            )
        )
    return references


def _with_source_span(reference: FoundReference, text: str, cleaned: CleanedView) -> FoundReference:
    """Return a reference found in the cleaned text with its span in the source text."""
    start, end = cleaned.to_source_span(reference.start, reference.end)
    if not reference.mark_span:
        return reference._replace(start=start, end=end)
    mark = cleaned.to_source_span(*reference.mark_span)
    label = text[mark[0] : mark[1]][:-2].partition("|")[2] if reference.label is not None else None
    return reference._replace(start=start, end=end, mark_span=mark, label=label)


def _cited(number: WrittenNumber, cue: CueStrength) -> FoundReference:
    return FoundReference(
        number.start,
        number.end,
        None if number.suffixed else number.number,
        cue,
        number.ends_range,
        alternatives=number.alternatives,
        miswritten=number.miswritten or number.suffixed,
        nearest=number.number if number.suffixed else None,
        suffixed=number.suffixed,
    )
