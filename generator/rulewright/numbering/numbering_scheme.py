"""Rule numbers and the numbering schemes of rulebooks.

A scheme is declared by examples (examples.py) with labels of several types (label_types.py). From them this
module derives how to parse a number, write it and find it in a text, in full, shortened or misformatted.

The printed number is the identity of a rule. Its labels only determine its order and parent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple

from rulewright.numbering.examples import (
    ExampleLabel,
    are_equivalent_examples,
    parse_example,
    words_pattern,
    write_example,
)
from rulewright.numbering.label_types import ALPHABET, LabelType, label_types
from rulewright.numbering.suffixes import STEP, Suffixes

_BARE = re.compile(r"\(.*|\[[0-9]+\]")
_WORD = re.compile(r"[^\W\d_]+\.?|§")
_SPACE = r"[ \xa0]?"


@dataclass(frozen=True, slots=True)
class RuleNumber:
    """Rule number parsed by a numbering scheme."""

    key: str
    """The printed number in its plainest form, the rule's identity: `12.0`, `12.5c(B)`, `A9.2`."""

    labels: tuple[str, ...] = field(compare=False)
    """Its levels as printed."""

    ordinals: tuple[float, ...] = field(compare=False)
    """The position of each label among its siblings; a suffix adds a fraction (5.1bis: between 1 and 2)."""

    shape: int = field(compare=False, default=0)
    """Index of the example that it is written after."""

    family: int = field(compare=False, default=0)
    """The series of chapters that it belongs to: 0 for the main one, then others such as appendices."""

    @property
    def order(self) -> tuple[float, ...]:
        return (self.family, *self.ordinals)


class NumberReading(NamedTuple):
    """One way to parse a number."""

    labels: tuple[str, ...]
    example: int
    """Index of the example that it is written after."""

    chapter: bool = False
    """Whether it is written as a whole chapter."""

    has_implied_chapter: bool = False
    """Whether it leaves its chapter out."""


class ChapterForm(NamedTuple):
    """Form of a whole chapter: the text around its label, its series, and a pattern with the label."""

    before: str
    after: str
    family: int
    pattern: re.Pattern[str]


class ShortenedEnd(NamedTuple):
    """End of a number that may be written alone: its first label, a pattern for it, and its labels."""

    part: ExampleLabel
    pattern: re.Pattern[str]
    parts: Sequence[ExampleLabel]


class NumberingScheme:
    """Numbering scheme of one rulebook.

    `numbers`: examples, the usual form first. An example that differs from an earlier one only in brackets is
    another form of the same numbers. `chapters`: forms in which a whole chapter is cited (`12.0`, `12.`,
    `62`, `C`), the printed form first. A form with another type of label (`Appendix A` beside `12.0`)
    declares another series of chapters, which needs an example of its own (`A.1`). `(5)`, `[5]` and
    `(22-23)`: a bare chapter, or a range, alone in brackets is a reference. `implied`: numbers may leave out
    their chapter inside that chapter. `alphabet`: the letters in order. `suffixes`: suffixes of inserted
    rules, in order (bis, +, `A` for any letter).
    """

    def __init__(
        self,
        numbers: Sequence[str],
        chapters: Sequence[str] = (),
        *,
        alphabet: str = ALPHABET,
        implied: bool = False,
        suffixes: Sequence[str] = (),
    ) -> None:
        self.alphabet = alphabet = "".join(filter(str.isalpha, alphabet.lower()))
        self.implied = implied
        self._parsed: dict[tuple[str, str], RuleNumber | None] = {}
        self.suffixes = Suffixes(suffixes, alphabet)
        kinds = label_types(alphabet, self.suffixes)
        self.shapes = [parse_example(example, kinds) for example in numbers]
        self.equivalents: list[int] = []
        """For each example the first that writes the same numbers."""
        for shape in self.shapes:
            equivalences = [are_equivalent_examples(other, shape) for other in self.shapes]
            self.equivalents.append(equivalences.index(True))
        bare_forms = [form for form in chapters if _BARE.fullmatch(form)]
        self.bare_opened = tuple(sorted({form[0] for form in bare_forms}))
        """The brackets in which a pair of bare chapters alone, `(22-23)`, is a reference; none by default."""
        self.bare_alone = any(form[1:-1].isalnum() for form in bare_forms)
        """Whether chapters alone in brackets, `(5)` and `(5, 6)`, are references."""
        forms = (form.strip("[]") for form in chapters if not form.startswith("("))
        self.chapter_forms = [form for form in forms if not self.is_rule(form)]
        chapter_heads = [self._head(self.shapes[shape]) for shape in self.equivalents]
        self._series = list(dict.fromkeys(chapter_heads))
        """For each series of chapters the type of their labels and the letters before them."""
        self.families = [self._series.index(head) for head in chapter_heads]
        """For each example the series of chapters that its numbers belong to."""
        self.digits_first = all(shape[0].sort.digits for shape in self.shapes if shape)
        """Whether each number begins with a digit, ignoring symbols."""

    def is_rule(self, form: str) -> bool:
        """Return whether the form of a chapter is a rule inside a chapter: 1A if numbers are like 1A.1."""
        for shape, pattern in enumerate(self.patterns):
            if m := pattern.fullmatch(form):
                labels = self.levels(self.shapes[shape], m.groups())
                return len(labels) > 1 and labels[-1] != "0" and any(map(str.isalpha, labels))
        return False

    def _head(self, parts: Sequence[ExampleLabel]) -> tuple[LabelType | None, str]:
        """Return the label type of an example's chapters and the letters before it: S of S1.1."""
        if not parts:
            return None, ""
        word = parts[0].before.strip()
        is_named = any(map(str.isalpha, word)) and any(form.startswith(word) for form in self.chapter_forms)
        return parts[0].sort, word if is_named else ""

    def chapter_name(self, number: RuleNumber) -> str:
        """Return the name of a number's chapter for files and paths: 12, a, or s1 if there is also a 1."""
        label = number.labels[0].lower()
        sort, word = self._series[number.family]
        if not word or [other for other, _ in self._series].count(sort) < 2:
            return label
        return f"{word.lower()}-{label}" if len(word) > 1 else f"{word.lower()}{label}"

    @cached_property
    def words(self) -> list[str]:
        """Words for all levels, if an example has one for each: Rule 1 Case A, § 1 Abs. 1."""
        for shape in self.shapes:
            words = [part.before.strip() for part in shape]
            if len(words) > 1 and all(map(_WORD.fullmatch, words)):
                return words
        return []

    @property
    def chapter_words(self) -> list[str]:
        """Words before the labels of whole chapters: Appendix."""
        words = (form.before.strip() for form in self._chapters)
        return [word for word in words if len(word) > 1 and word.isalpha()]

    @cached_property
    def patterns(self) -> list[re.Pattern[str]]:
        return [re.compile(self._shape_regex(parts)) for parts in self.shapes]

    @cached_property
    def _implied_pattern(self) -> re.Pattern[str] | None:
        return re.compile(self._shape_regex(self.shapes[0][1:], required=1)) if self.implied else None

    @cached_property
    def _chapters(self) -> list[ChapterForm]:
        forms: list[ChapterForm] = []
        for form in self.chapter_forms:
            families = range(len(self._series))
            with_words = [family for family in families if self._series[family][1]]
            matching = [family for family in with_words if form.startswith(self._series[family][1])]
            for family in matching or [family for family in families if family not in with_words] or families:
                shape = self.families.index(family)
                sort, zeros = self._series[family][0], self.zeros_of(shape)
                if sort and (m := re.search(sort.in_form, form)):
                    start, label = m.start(), m.group().removesuffix(zeros)
                    before, after = form[:start], form[start + max(len(label), 1) :]
                    space = _SPACE if _allows_space(before) else ""
                    digits = f"[0-9]{{1,{len(zeros)}}}"  # 702 is in chapter 7
                    label = f"({digits if zeros else sort.regex})"
                    pattern = f"{words_pattern(before)}{space}{label}{words_pattern(after)}"
                    forms.append(ChapterForm(before, after, family, re.compile(pattern)))
                    break
        return forms

    @property
    def rows(self) -> list[int]:
        """For each form of a whole chapter the series that its chapters belong to."""
        return [form.family for form in self._chapters]

    def chapter_regexes(self) -> list[str]:
        """Return a pattern for each form of a whole chapter; its only group is the chapter's label."""
        return [form.pattern.pattern for form in self._chapters]

    def zeros_of(self, shape: int) -> str:
        """Return the zeros of an example that counts by tens, hundreds or thousands, 00 of 100.1a."""
        second = self.shapes[shape][1:2]
        return second[0].sort.sign if second and second[0].sort.padded else ""

    def _shape_regex(self, parts: Sequence[ExampleLabel], required: int = 2) -> str:
        pattern = ""
        following: ExampleLabel | None = None
        for index in reversed(range(len(parts))):
            part = parts[index]
            space = _SPACE if index == 0 and _allows_space(part.before) else ""
            touches = following and not following.before and not following.sort.digits
            label_regex = part.sort.touching if touches else part.sort.regex
            label_pattern = f"{part.words}{space}({label_regex}){part.end}"
            pattern = f"{label_pattern}{pattern}" if index < required else f"(?:{label_pattern}{pattern})?"
            following = part
        return pattern

    def regex(self) -> str:
        """Return a pattern for any number.

        If every form begins with a digit, that digit is moved out of the alternatives, so that the engine can
        skip to the next digit: most texts have few.
        """
        number_patterns = [pattern.pattern for pattern in self.patterns]
        implied = [self._implied_pattern.pattern] if self._implied_pattern else []
        forms = [*number_patterns, *self.chapter_regexes(), *implied]
        digits = "([0-9]{1,4})"
        if all(form.startswith(digits) for form in forms):
            return "[0-9](?:" + "|".join(f"[0-9]{{0,3}}{form[len(digits) :]}" for form in forms) + ")"
        return "|".join(forms)

    def shortened_ends(self, shape: int) -> Iterator[ShortenedEnd]:
        """Yield the ends that a number of this shape may be shortened to, deepest first.

        The separator may be left out ("4.A.1-3"), a closing bracket may not. A symbol or word before the
        first number applies to the whole list ("§§4-b and 5-c").
        """
        own_parts = self.shapes[shape]
        for other, parts in enumerate(self.shapes):
            for level in reversed(range(min(len(parts), len(own_parts)))):
                part = parts[level]
                if self.equivalents[other] != shape or not (part.before or (level and not part.sort.nested)):
                    continue
                before = words_pattern(part.before.lstrip())
                before = before if part.after else f"(?:{before})?"
                rest = [replace(part, before=""), *parts[level + 1 :]]
                pattern = before + self._shape_regex(rest, required=1 if level else 2)
                yield ShortenedEnd(own_parts[level], re.compile(pattern), own_parts[level:])

    @cached_property
    def brackets(self) -> bool:
        return any(part.bracket for part in self.shapes[0])

    @property
    def bare_chapter(self) -> str:
        """Example of a whole chapter if no form is declared: 12, C, IV."""
        return self.shapes[0][0].sort.sample

    @property
    def drops_letters(self) -> bool:
        """Whether a number may leave out its first letters: 9.2 in chapter A, 1.1 for R1.1."""
        return self.implied or any(map(str.isalpha, self.shapes[0][0].before))

    def parse_number(self, text: str, chapter: str = "") -> RuleNumber | None:
        """Return the number that the whole text is, or None.

        `chapter`: the label of the chapter for numbers that leave it out.
        """
        cache_key = text, chapter if self.implied else ""
        if cache_key not in self._parsed:
            reading = next(self.readings(*cache_key), None)
            shape = self.equivalents[reading.example] if reading else 0
            self._parsed[cache_key] = reading and self.number(reading.labels, shape)
        return self._parsed[cache_key]

    def readings(self, text: str, chapter: str = "") -> Iterator[NumberReading]:
        """Yield every way to parse a whole number, the most likely first."""
        text = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text.removeprefix("[")
        for form in self._chapters:
            if m := form.pattern.fullmatch(text):
                yield NumberReading((m.group(1),), self.families.index(form.family), chapter=True)
        for shape, pattern in enumerate(self.patterns):
            if m := pattern.fullmatch(text):
                yield NumberReading((*self.levels(self.shapes[shape], m.groups()),), shape)
        if chapter and self._implied_pattern and (m := self._implied_pattern.fullmatch(text)):
            yield NumberReading(
                (chapter, *self.levels(self.shapes[0][1:], m.groups())), 0, has_implied_chapter=True
            )

    def levels(self, parts: Sequence[ExampleLabel], groups: Sequence[str | None]) -> list[str]:
        pairs = zip(parts, groups, strict=False)
        return [label for part, group in pairs if group for label in part.sort.split(group)]

    def chapter(self, label: str, shape: int = 0) -> RuleNumber | None:
        """Return the number of a whole chapter in the series of an example."""
        part, family = self.shapes[shape][0], self.families[shape]
        forms = [(form.before, form.after) for form in self._chapters if form.family == family]
        before, after = (*forms, (part.before, part.after))[0]
        ordinal = part.sort.ordinal(label)
        if ordinal is None:
            return None
        key = f"{before}{label}{after}"
        return RuleNumber(key, (label,), (ordinal,), self.families.index(family), family)

    def chapter_of(self, number: RuleNumber) -> RuleNumber | None:
        return self.number(number.labels[:1], number.shape) if self._has_chapters(number.shape) else None

    def _has_chapters(self, shape: int) -> bool:
        return self.families[shape] in (0, *self.rows)

    def number(self, labels: Sequence[str], shape: int = 0) -> RuleNumber | None:
        """Return a number from its labels, or None if a label has no ordinal (roman `iiv`, letter `th`)."""
        if len(labels) == 1 and self._has_chapters(shape):
            return self.chapter(labels[0], shape)
        parts = self.parts_of(labels, shape)
        counts = [part.sort.ordinal(label) for part, label in zip(parts, labels, strict=False)]
        ordinals = tuple(count for count in counts if count is not None)
        if len(ordinals) != len(labels):
            return None
        key = _join_labels(parts, labels)
        return RuleNumber(key, tuple(labels), ordinals, shape, self.families[shape])

    def write(self, number: RuleNumber, example: int, bracket: bool = False, implied: bool = False) -> str:
        """Return a number written after an example, or after its own if that example writes other numbers.

        `implied`: leave out its chapter.
        """
        example = example if self.equivalents[example] == number.shape else number.shape
        return _join_labels(self.parts_of(number.labels, example), number.labels, bracket, implied)

    def example(self, number: RuleNumber) -> str:
        """Return the example that a number is written after."""
        return write_example(self.parts_of(number.labels, number.shape))

    def is_item(self, number: RuleNumber) -> bool:
        """Return whether a number has all levels and its last label is in brackets: 12.5c(B)."""
        last = self.parts_of(number.labels, number.shape)[-1]
        return last is self.shapes[number.shape][-1] and bool(last.after)

    def with_scheme_case(self, labels: Sequence[str], shape: int = 0) -> RuleNumber | None:
        """Return the number with these labels, in the case that each level is printed in."""
        split_labels: list[str] = []
        for label, part in zip_longest(labels, self.shapes[shape]):
            if label:
                split_labels += part.sort.split(label) if part else [label]
        labels = split_labels
        parts = self.parts_of(labels, shape)
        cased = [part.sort.cased(label) for part, label in zip(parts, labels, strict=False)]
        return self.number(cased, shape) if len(parts) == len(labels) else None

    def parts_of(self, labels: Sequence[str], shape: int = 0) -> list[ExampleLabel]:
        """Return the part of the example for each label; fewer if the example has too few."""
        parts: list[ExampleLabel] = []
        left = iter(self.shapes[shape])
        for label in labels:
            last = parts[-1] if parts else None
            is_nested = last and last.sort.nested and label[:1].isdigit()
            if last and is_nested and not (last.max_levels and parts.count(last) >= last.max_levels):
                parts.append(last)
            elif part := next(left, None):
                parts.append(part)
        return parts

    def sibling(self, number: RuleNumber, ordinal: float) -> RuleNumber | None:
        """Return the sibling of a number with an ordinal: 12.5d for 12.5c."""
        sort = self.parts_of(number.labels, number.shape)[-1].sort
        return self.number([*number.labels[:-1], sort.label(ordinal)], number.shape)

    def distance_to_next(self, number: RuleNumber) -> float:
        """Return the difference of ordinals to the next number with or without a suffix, as this one has."""
        return STEP if self.suffixes.all and number.ordinals[-1] % 1 else 1

    def parent(self, number: RuleNumber) -> RuleNumber | None:
        """Return the number one level up, or None for a chapter. The parent of `10.0b` is `10.0`."""
        if len(number.labels) < 2:
            return None
        above = self.number(number.labels[:-1], number.shape)
        read = above and self.parse_number(above.key)
        # The chapter of ("701", "1") is written 70100, which is read as ("701", "00").
        return read if read and len(read.labels) < len(number.labels) else above

    def ancestors(self, number: RuleNumber) -> Iterator[RuleNumber]:
        above = self.parent(number)
        while above:
            yield above
            above = self.parent(above)


def _join_labels(
    parts: Sequence[ExampleLabel], labels: Sequence[str], bracket: bool = False, implied: bool = False
) -> str:
    """Return labels with the text around each; `bracket` and `implied` as in `NumberingScheme.write`."""
    pieces = [
        part.write(label, last) for part, label, last in zip(parts, labels, (None, *parts), strict=False)
    ]
    if implied:
        pieces[0] = ""
    if bracket:  # the level after which it closes may be missing
        closes = [index for index, part in enumerate(parts, 1) if part.bracket]
        pieces.insert((closes or [len(parts)])[-1], "]")
    return "".join(["[" * bracket, *pieces])


def _allows_space(before: str) -> bool:
    """Return whether a space may follow the text before a number, such as § or Art."""
    return bool(before) and not before[-1].isalnum() and " " not in before
