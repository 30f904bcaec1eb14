"""Rule numbers, and the dialects in which rulebooks write them.

A rulebook declares its numbering by example: in `"1.1a(A)"` a `1` stands for a number, `a` or `A` for
a letter, `i` or `I` for a roman numeral, and everything else for itself. Several digits together
(`"1.11"`) are nested, one level each, as decimal books count: 12.1, 12.11, 12.2. Square brackets are
printed around a number and may be left out where it is cited.

A printed number is the rule's identity. Its labels put it in order and find its parent, and are
used for nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_ROMAN = {"m": 1000, "cm": 900, "d": 500, "cd": 400, "c": 100, "xc": 90, "l": 50, "xl": 40, "x": 10}
_ROMAN |= {"ix": 9, "v": 5, "iv": 4, "i": 1}


@dataclass(frozen=True, slots=True)
class Number:
    """A rule number that a dialect has read.

    `key` is the printed number in its plainest form, the rule's identity: `12.0`, `12.5c(B)`, `A9.2`.
    `labels` are its levels as printed, `ordinals` what they count, so that siblings can be put in order.
    """

    key: str
    labels: tuple[str, ...] = field(compare=False)
    ordinals: tuple[int, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class Part:
    """One level of a number: what stands before its label, what sort of label, what stands behind."""

    before: str
    sort: str  # number, digit, lower, upper, roman, Roman
    after: str = ""
    bracket: bool = False  # a square bracket may close behind it

    def printed(self, label: str) -> str:
        return f"{self.before}{label}{self.after}"


_SORTS = {"1": "number", "a": "lower", "A": "upper", "i": "roman", "I": "Roman"}


def example_fault(example: str) -> tuple[int, str] | None:
    """Where and why an example does not describe a numbering, or None where it does."""
    for m in re.finditer(r"\d+|[^\W\d_]+", example):
        if m.group().strip("1") and m.group() not in _SORTS:
            message = f"{m.group()} says nothing here: write 1 for a number, a or A for a letter, i or I for roman"
            return m.start(), message
    return None if re.search("[1aAiI]", example) else (0, "an example needs a 1, a, A, i or I in it")


def _parts(example: str) -> tuple[Part, ...]:
    """The levels of an example. A bracket that is opened before a label closes behind it."""
    parts: list[Part] = []
    before = ""
    for token in re.findall(r"1+|[aAiI]|[^1aAiI]", example.removeprefix("[")):
        if token[0] == "1" and len(token) > 1:
            parts += [Part(before if at == 0 else "", "digit") for at in range(len(token))]
            before = ""
        elif token in _SORTS:
            parts.append(Part(before, _SORTS[token]))
            before = ""
        elif parts and token == "]":
            parts[-1] = replace(parts[-1], bracket=True)
        elif parts and token in ")}>":
            parts[-1] = replace(parts[-1], after=token)
        else:
            before += token
    return tuple(parts)


class Dialect:
    """How one rulebook writes its numbers, and which words around a number make it a reference.

    `numbers`: examples, the first being the book's usual form. `chapters`: the forms in which a whole
    chapter is cited (`12.0`, `12.`, `62`, `C`), its own printed form first. `implied`: a number
    may leave its chapter out inside that chapter. `alphabet`: the letters, in their order.
    """

    def __init__(
        self,
        numbers: Sequence[str],
        chapters: Sequence[str] = (),
        *,
        alphabet: str = ALPHABET,
        implied: bool = False,
    ) -> None:
        self.alphabet = alphabet
        self.implied = implied
        self._parsed: dict[tuple[str, str], Number | None] = {}
        self.shapes = [_parts(example) for example in numbers]
        self.chapter_forms = [form for form in chapters if not form.startswith("(")]
        self.bare_pairs = len(self.chapter_forms) < len(chapters)
        """Whether a pair of bare chapters alone in parentheses, `(22-23)`, is a reference."""
        self.labels_of_sort = {
            "number": "[0-9]+",
            "digit": "[0-9]",
            "lower": f"[{alphabet}]{{1,2}}(?![{alphabet}])",
            "upper": f"[{alphabet.upper()}]{{1,2}}(?![{alphabet}{alphabet.upper()}])",
            "roman": "[ivxlcdm]+",
            "Roman": "[IVXLCDM]+",
        }

    @cached_property
    def _chapter_patterns(self) -> list[re.Pattern[str]]:
        return [re.compile(pattern) for pattern in self.chapter_regexes()]

    @cached_property
    def _whole_patterns(self) -> list[re.Pattern[str]]:
        return [re.compile(self.shape_regex(parts)) for parts in self.shapes]

    @cached_property
    def _implied_pattern(self) -> re.Pattern[str] | None:
        return re.compile(self.shape_regex(self.shapes[0][1:], "i", least=1)) if self.implied else None

    def chapter_regexes(self) -> list[str]:
        """A pattern for each form of a whole chapter; its only group is the chapter's label."""
        label = self.labels_of_sort[self.shapes[0][0].sort]
        return [
            f"{re.escape(form[: m.start()])}({label}){re.escape(form[m.end() :])}"
            for form in self.chapter_forms
            if (m := re.search(r"[0-9]+|[^\W\d_](?![^\W\d_])", form))
        ]

    def shape_regex(self, parts: Sequence[Part], prefix: str = "p", least: int = 2) -> str:
        """A pattern for a number of at least `least` levels, with a group for each (`p0`, `p1` …)."""
        pattern = ""
        for at in reversed(range(len(parts))):
            part = parts[at]
            label = f"(?P<{prefix}{at}>{self.labels_of_sort[part.sort]})"
            own = re.escape(part.before) + label + re.escape(part.after)
            own += r"\]?" if part.bracket else ""
            pattern = f"{own}{pattern}" if at < least else f"(?:{own}{pattern})?"
        return pattern

    def parse(self, text: str, chapter: str = "") -> Number | None:
        """The number that `text` is, whole, or None. `chapter` (a label) is what an implied one means."""
        if (text, chapter) not in self._parsed:
            self._parsed[text, chapter] = self._parse(text, chapter)
        return self._parsed[text, chapter]

    def _parse(self, text: str, chapter: str) -> Number | None:
        text = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text.removeprefix("[")
        for form, pattern in zip(self.chapter_forms, self._chapter_patterns, strict=True):
            if m := pattern.fullmatch(text):
                return self.chapter(m.group(1))
        for index, pattern in enumerate(self._whole_patterns):
            if m := pattern.fullmatch(text):
                return self.number([g for g in m.groups() if g is not None], index)
        if chapter and self._implied_pattern and (m := self._implied_pattern.fullmatch(text)):
            return self.number([chapter, *(g for g in m.groups() if g is not None)])
        return None

    def chapter(self, label: str) -> Number | None:
        """The number of a whole chapter."""
        part = self.shapes[0][0]
        form = self.chapter_forms[0] if self.chapter_forms else part.printed("1")
        ordinal = self.ordinal(part.sort, label)
        key = re.sub(r"[0-9]+|[^\W\d_](?![^\W\d_])", lambda _: label, form, count=1)
        return None if ordinal is None else Number(key, (label,), (ordinal,))

    def number(self, labels: Sequence[str], shape: int = 0) -> Number | None:
        """A number from its labels, or None where a label counts nothing (roman `iiv`, letter `th`)."""
        if len(labels) == 1:
            return self.chapter(labels[0])
        parts = self.shapes[shape]
        ordinals = [self.ordinal(part.sort, label) for part, label in zip(parts, labels, strict=False)]
        if None in ordinals:
            return None
        key = "".join(part.printed(label) for part, label in zip(parts, labels, strict=False))
        return Number(key, tuple(labels), tuple(o for o in ordinals if o is not None))

    def ordinal(self, sort: str, label: str) -> int | None:
        """What a label counts, from 1 (a number may be 0), or None where it is no label."""
        if sort in ("number", "digit"):
            return int(label)
        if sort in ("lower", "upper"):
            place = self.alphabet.find(label[0].lower())
            whole = label == label[0] * len(label) and place >= 0
            return place + 1 + (len(label) - 1) * len(self.alphabet) if whole else None
        return roman(label.lower())

    def label(self, sort: str, ordinal: int) -> str:
        """The label that counts `ordinal`: 3, c, C, iii or III."""
        if sort in ("number", "digit"):
            return str(ordinal)
        if sort in ("lower", "upper"):
            again, place = divmod(ordinal - 1, len(self.alphabet))
            letters = self.alphabet[place] * (again + 1)
            return letters.upper() if sort == "upper" else letters
        numeral = ""
        for sign, value in sorted(_ROMAN.items(), key=lambda pair: -pair[1]):
            numeral += sign * (ordinal // value)
            ordinal %= value
        return numeral.upper() if sort == "Roman" else numeral

    def sibling(self, number: Number, ordinal: int) -> Number | None:
        """The number that counts `ordinal` where `number` stands: 12.5d beside 12.5c."""
        shape = self._shape_of(number)
        label = self.label(self.shapes[shape][len(number.labels) - 1].sort, ordinal)
        return self.number([*number.labels[:-1], label], shape)

    def _shape_of(self, number: Number) -> int:
        """Which example a number is written after."""
        whole = (i for i, pattern in enumerate(self._whole_patterns) if pattern.fullmatch(number.key))
        return next(whole, 0)

    def parent(self, number: Number) -> Number | None:
        """The number one level up, or None above a chapter. `10.0b` lies in chapter `10.0`."""
        if len(number.labels) < 2:
            return None
        above = self.number(number.labels[:-1], self._shape_of(number))
        return above and (self.parse(above.key) or above)

    def ancestors(self, number: Number) -> Iterator[Number]:
        """The numbers above, nearest first."""
        above = self.parent(number)
        while above:
            yield above
            above = self.parent(above)


def roman(label: str) -> int | None:
    """The value of a lower-case roman numeral in its usual form, or None."""
    form = re.fullmatch("(m*)(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})", label)
    if not label or not form:
        return None
    return sum(_ROMAN[t] for t in re.findall("c[md]|x[cl]|i[xv]|.", label))
