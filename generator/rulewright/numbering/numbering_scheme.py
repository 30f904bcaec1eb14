"""Rule numbers and the numbering schemes of rulebooks.

A scheme is declared by examples (examples.py) with labels of several types (label_types.py). From them this
module derives how to parse a number, write it and find it in a text, in full, shortened or misformatted.

The printed number is the identity of a rule. Its labels only determine its order and parent.
"""

from __future__ import annotations

import re
from collections import Counter
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
from rulewright.numbering.label_types import ALPHABET, LabelType, SuffixedLabels, label_types
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
        kinds = label_types(alphabet)
        self.suffixes = Suffixes(suffixes, alphabet)
        if suffixes:
            kinds = {sign: SuffixedLabels(sort, self.suffixes) for sign, sort in kinds.items()}
        self.shapes = [parse_example(example, kinds) for example in numbers]
        self.equivalents = [self._first_equivalent(shape) for shape in self.shapes]
        """For each example the first that writes the same numbers."""
        bare_forms = [form for form in chapters if _BARE.fullmatch(form)]
        forms = (form.strip("[]") for form in chapters if not form.startswith("("))
        self.chapter_forms = [form for form in forms if not self.is_rule(form)]
        self.bare_alone = any(form[1:-1].isalnum() for form in bare_forms)
        """Whether chapters alone in brackets, `(5)` and `(5, 6)`, are references."""
        self.bare_opened = tuple(sorted({form[0] for form in bare_forms}))
        """The opening brackets around such chapters."""
        self.bare_pairs = bool(bare_forms)
        """Whether a pair of bare chapters alone in brackets, `(22-23)`, is a reference."""
        chapter_heads = [self._head(self.shapes[shape]) for shape in self.equivalents]
        self.families = [list(dict.fromkeys(chapter_heads)).index(head) for head in chapter_heads]
        """For each example the row of chapters that its numbers belong to."""
        self.digits_first = all(shape[0].sort.digits for shape in self.shapes if shape)
        """Whether each number begins with a digit, ignoring symbols."""

    def _first_equivalent(self, shape: Sequence[ExampleLabel]) -> int:
        return next(index for index, other in enumerate(self.shapes) if are_equivalent_examples(other, shape))

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

    @cached_property
    def _chapter_names(self) -> dict[int, str]:
        """Lower-case letters that distinguish each series of chapters from others with the same labels."""
        chapter_heads = {family: self._head(self.shapes[shape]) for shape, family in enumerate(self.families)}
        counts = Counter(sort for sort, _ in chapter_heads.values())
        return {
            family: word.lower()
            for family, (sort, word) in chapter_heads.items()
            if word and counts[sort] > 1
        }

    def chapter_name(self, number: RuleNumber) -> str:
        """Return the name of a number's chapter for files and paths: 12, a, or s1 if there is also a 1."""
        label = number.labels[0].lower()
        word = self._chapter_names.get(number.family, "")
        return f"{word}-{label}" if len(word) > 1 else f"{word}{label}"

    @cached_property
    def words(self) -> list[str]:
        """Words for all levels, if an example has one for each: Rule 1 Case A, § 1 Abs. 1."""
        for shape in self.shapes:
            words = [part.before.strip() for part in shape]
            if len(words) > 1 and all(map(_WORD.fullmatch, words)):
                return words
        return []

    @cached_property
    def chapter_words(self) -> list[str]:
        """Words before the labels of whole chapters: Appendix."""
        return [
            word for before, *_ in self._chapter_forms if len(word := before.strip()) > 1 and word.isalpha()
        ]

    @cached_property
    def _chapter_patterns(self) -> list[tuple[re.Pattern[str], int]]:
        forms = zip(self.chapter_regexes(), self._chapter_forms, strict=True)
        return [(re.compile(pattern), shape) for pattern, (_, _, shape) in forms]

    @cached_property
    def patterns(self) -> list[re.Pattern[str]]:
        return [re.compile(self._shape_regex(parts)) for parts in self.shapes]

    @cached_property
    def _implied_pattern(self) -> re.Pattern[str] | None:
        return re.compile(self._shape_regex(self.shapes[0][1:], required=1)) if self.implied else None

    @cached_property
    def _chapter_forms(self) -> list[tuple[str, str, int]]:
        """For each form of a whole chapter the text around its label, and the index of its example."""
        firsts = {self._head(shape): index for index, shape in reversed([*enumerate(self.shapes)]) if shape}
        forms: list[tuple[str, str, int]] = []
        for form in self.chapter_forms:
            matching = {head: index for head, index in firsts.items() if head[1] and form.startswith(head[1])}
            candidates = matching or {head: index for head, index in firsts.items() if not head[1]}
            for (sort, _), shape in sorted((candidates or firsts).items(), key=lambda pair: pair[1]):
                if sort and (m := re.search(sort.in_form, form)):
                    zeros = self.zeros_of(shape)
                    end = m.end() - (len(zeros) if zeros and m.group().endswith(zeros) else 0)
                    forms.append((form[: m.start()], form[max(end, m.start() + 1) :], shape))
                    break
        return forms

    @property
    def rows(self) -> list[int]:
        """For each form of a whole chapter the series that its chapters belong to."""
        return [self.families[shape] for *_, shape in self._chapter_forms]

    def chapter_regexes(self) -> list[str]:
        """Return a pattern for each form of a whole chapter; its only group is the chapter's label."""
        patterns = []
        for before, after, shape in self._chapter_forms:
            space = _SPACE if _allows_space(before) else ""
            label = f"({self._chapter_label(shape)})"
            patterns.append(f"{words_pattern(before)}{space}{label}{words_pattern(after)}")
        return patterns

    def _chapter_label(self, shape: int) -> str:
        """Return a pattern for the label of a chapter; if 702 is in chapter 7, it has fewer digits."""
        if zeros := self.zeros_of(shape):
            return f"[0-9]{{1,{len(zeros)}}}"
        return self.shapes[shape][0].sort.regex

    def zeros_of(self, shape: int) -> str:
        """Return the zeros of an example that counts by tens, hundreds or thousands, 00 of 100.1a."""
        second = self.shapes[shape][1:2]
        return second[0].sort.sign if second and second[0].sort.padded else ""

    def _shape_regex(self, parts: Sequence[ExampleLabel], required: int = 2) -> str:
        pattern = ""
        for index in reversed(range(len(parts))):
            part = parts[index]
            space = _SPACE if index == 0 and _allows_space(part.before) else ""
            label_pattern = f"{part.words}{space}({_label_regex(parts, index)}){part.end}"
            pattern = f"{label_pattern}{pattern}" if index < required else f"(?:{label_pattern}{pattern})?"
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
    def spaced_ends(self) -> list[list[re.Pattern[str] | None]]:
        """For each example and level a pattern for the rest of a number after a space.

        It is None for the first level and for a level with a word.
        """
        patterns: list[list[re.Pattern[str] | None]] = []
        for parts in self.shapes:
            spaced: list[re.Pattern[str] | None] = [None] if parts else []
            for level, part in enumerate(parts[1:], 1):
                spaced.append(_spaced_regex(part, self._shape_regex(parts[level:], required=1)))
            patterns.append(spaced)
        return patterns

    def tolerant_patterns(self, between: str) -> list[tuple[int, re.Pattern[str]]]:
        """Return for each example and number of labels a pattern with anything between the labels."""
        return [
            (shape, re.compile(_loose_regex(parts[:count], between), re.IGNORECASE))
            for shape, parts in enumerate(self.shapes)
            for count in range(1, len(parts) + 1)
        ]

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
        cache_key = text, chapter if self._implied_pattern else ""
        if cache_key not in self._parsed:
            self._parsed[cache_key] = self._parse(*cache_key)
        return self._parsed[cache_key]

    def _parse(self, text: str, chapter: str) -> RuleNumber | None:
        for reading in self.readings(text, chapter):
            if reading.chapter:
                return self.chapter(reading.labels[0], reading.example)
            return self.number(reading.labels, self.equivalents[reading.example])
        return None

    def readings(self, text: str, chapter: str = "") -> Iterator[NumberReading]:
        """Yield every way to parse a whole number, the most likely first."""
        text = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text.removeprefix("[")
        for pattern, shape in self._chapter_patterns:
            if m := pattern.fullmatch(text):
                yield NumberReading((m.group(1),), shape, chapter=True)
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
        forms = [
            (before, after) for before, after, shape in self._chapter_forms if self.families[shape] == family
        ]
        before, after = forms[0] if forms else (part.before, part.after)
        ordinal = part.sort.ordinal(label)
        shape = self.families.index(family)
        key = f"{before}{label}{after}"
        return None if ordinal is None else RuleNumber(key, (label,), (ordinal,), shape, family)

    def alternative_forms(self, number: RuleNumber) -> list[str]:
        """Return the other forms of a number: those of a chapter, or those of equivalent examples."""
        if self.is_chapter(number):
            own_forms = [form for form in self._chapter_forms if self.families[form[2]] == number.family]
            return [
                *(f"{before}{number.labels[0]}{after}" for before, after, _ in own_forms),
                number.labels[0],
            ]
        alike_shapes = (
            shape for shape, first in enumerate(self.equivalents) if first == number.shape != shape
        )
        return [other.key for shape in alike_shapes if (other := self.number(number.labels, shape))]

    def is_chapter(self, number: RuleNumber) -> bool:
        return len(number.labels) == 1 and self._has_chapters(number.shape)

    def chapter_of(self, number: RuleNumber) -> RuleNumber | None:
        return self.chapter(number.labels[0], number.shape) if self._has_chapters(number.shape) else None

    def _has_chapters(self, shape: int) -> bool:
        family = self.families[shape]
        return shape == 0 or (
            family > 0 and any(self.families[shape] == family for *_, shape in self._chapter_forms)
        )

    def number(self, labels: Sequence[str], shape: int = 0) -> RuleNumber | None:
        """Return a number from its labels, or None if a label has no ordinal (roman `iiv`, letter `th`)."""
        if len(labels) == 1 and self._has_chapters(shape):
            return self.chapter(labels[0], shape)
        parts = self.parts_of(labels, shape)
        if len(parts) != len(labels):
            return None
        ordinals: list[float] = []
        for part, label in zip(parts, labels, strict=True):
            ordinal = part.sort.ordinal(label)
            if ordinal is None:
                return None
            ordinals.append(ordinal)
        return RuleNumber(
            _join_labels(parts, labels), tuple(labels), tuple(ordinals), shape, self.families[shape]
        )

    def write(self, number: RuleNumber, example: int, bracket: bool = False, implied: bool = False) -> str:
        """Return a number written after an example, or after its own if that example writes other numbers.

        `implied`: leave out its chapter.
        """
        example = example if self.equivalents[example] == number.shape else number.shape
        return _join_labels(self.parts_of(number.labels, example), number.labels, bracket, implied)

    def bracketed(self, number: RuleNumber) -> str:
        """Return a number in the square brackets that are printed around it or its beginning, or ""."""
        if not any(part.bracket for part in self.parts_of(number.labels, number.shape)):
            return ""
        is_chapter = self.is_chapter(number)
        return f"[{number.key}]" if is_chapter else self.write(number, number.shape, bracket=True)

    def example(self, number: RuleNumber, *, levels: int = 0) -> str:
        """Return the example that a number is written after, or the first levels of the first example."""
        return write_example(self.shapes[0][:levels] or self.parts_of(number.labels, number.shape))

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
        for part in self.shapes[shape]:
            if len(parts) < len(labels):
                parts.append(part)
            used = 1
            while (
                part.sort.nested
                and used != part.max_levels
                and len(parts) < len(labels)
                and labels[len(parts)][:1].isdigit()
            ):
                parts.append(part)
                used += 1
        return parts

    def sibling(self, number: RuleNumber, ordinal: float) -> RuleNumber | None:
        """Return the sibling of a number with an ordinal: 12.5d for 12.5c."""
        sort = self.parts_of(number.labels, number.shape)[-1].sort
        return self.number([*number.labels[:-1], sort.label(ordinal)], number.shape)

    def distance_to_next(self, number: RuleNumber, *, with_suffix: bool = False) -> float:
        """Return the difference of ordinals to the next number with or without a suffix, as this one has.

        `with_suffix`: to the next number with a suffix; 0 if the book has no suffixes.
        """
        if self.suffixes.all and (with_suffix or number.ordinals[-1] % 1):
            return STEP
        return 0 if with_suffix else 1

    def parent(self, number: RuleNumber) -> RuleNumber | None:
        """Return the number one level up, or None for a chapter. The parent of `10.0b` is `10.0`."""
        if len(number.labels) < 2:
            return None
        above = self.number(number.labels[:-1], number.shape)
        return above and (self.parse_number(above.key) or above)

    def ancestors(self, number: RuleNumber) -> Iterator[RuleNumber]:
        above = self.parent(number)
        while above:
            yield above
            above = self.parent(above)


def _label_regex(parts: Sequence[ExampleLabel], index: int) -> str:
    """Return a pattern for the label of a part, depending on whether another label touches it."""
    touches_next = index + 1 < len(parts) and not parts[index + 1].before and not parts[index + 1].sort.digits
    return parts[index].sort.touching if touches_next else parts[index].sort.regex


def _loose_regex(parts: Sequence[ExampleLabel], between: str) -> str:
    """Return a pattern for exactly these parts with anything between them, and a group for each."""
    pattern = f"(?:{parts[0].words}[ \\xa0]?)?" if parts[0].before else ""
    for index, part in enumerate(parts):
        if index and not part.sort.padded:
            digits = part.sort.digits and parts[index - 1].sort.digits
            pattern += between.replace("{0,", "{1,") if digits else between
        pattern += f"({_label_regex(parts, index)})"
    return pattern


def _join_labels(
    parts: Sequence[ExampleLabel], labels: Sequence[str], bracket: bool = False, implied: bool = False
) -> str:
    """Return labels with the text around each; `bracket` and `implied` as in `NumberingScheme.write`."""
    words, last, closed = "", None, not bracket
    for index, (part, label) in enumerate(zip(parts, labels, strict=True)):
        closes = bracket and part.bracket and (index + 1 == len(parts) or parts[index + 1] is not part)
        words += "" if implied and index == 0 else part.write(label, last, closes)
        last, closed = part, closed or closes
    # The level after which the bracket closes may be missing.
    return f"[{words}{'' if closed else ']'}" if bracket else words


def _spaced_regex(part: ExampleLabel, rest: str) -> re.Pattern[str] | None:
    """Return a pattern for the rest of a number after a space or a line end, or None."""
    sign = part.before
    if any(character.isalnum() or character.isspace() for character in sign):
        return None
    gap, remainder = r"(?:[ ]{1,2}|\r?\n)", rest.removeprefix(part.words).replace(r"\)", r"[ ]{0,2}\)")
    if not sign:
        return re.compile(gap + remainder)
    return re.compile(rf"(?:{gap}{part.words}[ ]{{0,2}}|{part.words}{gap}){remainder}")


def _allows_space(before: str) -> bool:
    """Return whether a space may follow the text before a number, such as § or Art."""
    return bool(before) and not before[-1].isalnum() and " " not in before
