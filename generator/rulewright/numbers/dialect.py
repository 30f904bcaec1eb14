"""Rule numbers, and the dialects in which rulebooks write them.

A rulebook declares its numbering by example: in `"1.1a(A)"` a `1` stands for a number, `a` or `A` for
a letter, `i` or `I` for a roman numeral, and everything else for itself, words included (`"R1.1"`,
`"Appendix A.1"`, `"Rule 1 Case A"`). Several digits together (`"1.11"`) are nested, one level each and as
many as there are, as decimal books count: 12.1, 12.11, 12.2. A 1 with zeros (`"100.1a"`) counts by tens or
hundreds: rule 702 is the second of chapter 7. Two labels may stand side by side (`"1.1.Ia"`). Square
brackets are printed around a number and may be left out where it is cited.

A printed number is the rule's identity. Its labels put it in order and find its parent, and are
used for nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest

from rulewright.source.amounts import whole

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
_ROMAN = {"m": 1000, "cm": 900, "d": 500, "cd": 400, "c": 100, "xc": 90, "l": 50, "xl": 40, "x": 10}
_ROMAN |= {"ix": 9, "v": 5, "iv": 4, "i": 1}
_LETTER = r"[^\W\d_]"
_SIDE_BY_SIDE = re.compile("I[aA]|i[aA]|a[AIi]|A[aIi]")  # two labels with nothing between them: IIIb
_SORTS = {"1": "number", "a": "lower", "A": "upper", "i": "roman", "I": "Roman"}


@dataclass(frozen=True, slots=True)
class Number:
    """A rule number that a dialect has read.

    `key` is the printed number in its plainest form, the rule's identity: `12.0`, `12.5c(B)`, `A9.2`.
    `labels` are its levels as printed, `ordinals` what they count, so that siblings can be put in order.
    `shape` says which of the book's examples it is written after, `family` to which of the book's rows of
    chapters it belongs: 0 for the first, others stand behind it (appendices A, B behind chapters 1, 2).
    """

    key: str
    labels: tuple[str, ...] = field(compare=False)
    ordinals: tuple[int, ...] = field(compare=False)
    shape: int = field(compare=False, default=0)
    family: int = field(compare=False, default=0)

    @property
    def order(self) -> tuple[int, ...]:
        """Sort key that puts numbers of one level in order."""
        return (self.family, *self.ordinals)


@dataclass(frozen=True, slots=True)
class Part:
    """A label of an example: what stands before it, what sort it is, what stands behind.

    The sort `digits` is several levels in one: each digit is a label of its own. A sort of zeros is a number
    of so many digits, 00 in 700.
    """

    before: str
    sort: str  # number, digits, lower, upper, roman, Roman, 0, 00, 000
    after: str = ""
    bracket: bool = False  # a square bracket may close behind it


def example_fault(example: str) -> tuple[int, str] | None:
    """Where and why an example does not describe a numbering, or None where it does."""
    labelled = False
    for m in re.finditer(rf"\d+|{_LETTER}+", example):
        if set(m.group()) == {"1"} or m.group() in _SORTS or re.fullmatch("10{1,3}", m.group()):
            labelled = True
        elif labelled and (_SIDE_BY_SIDE.fullmatch(m.group()) or _is_word(example, *m.span())):
            continue
        elif labelled or m.group().isdigit():
            wanted = "write 1 for a number, a or A for a letter, i or I for roman"
            return m.start(), f"{m.group()} says nothing here: {wanted}{_as_example(example)}"
    return None if labelled else (0, 'write a number as it is printed, such as "1.1a" or "1.1(A)"')


def _is_word(example: str, start: int, end: int) -> bool:
    """Whether letters within an example are a word of it, Case in Rule 1 Case A."""
    return end - start > 1 and example[start - 1] == " " and example[end : end + 1] == " "


def _as_example(number: str) -> str:
    """A clause that shows a number of the book as an example: 12.5c(B) is 1.1a(A)."""

    def label(m: re.Match[str]) -> str:
        if m.group().isdigit():
            return "1"
        many = len(m.group()) > 1 and roman(m.group().lower()) is not None
        return ("I" if many else "A") if m.group().isupper() else "i" if many else "a"

    head = re.match(rf"(?:\W*{_LETTER}{{2,}}(?=\W*\d))?", number)
    start = head.end() if head else 0
    meant = number[:start] + re.sub(rf"\d+|{_LETTER}+", label, number[start:])
    return f"; did you mean {meant}?" if meant != number and example_fault(meant) is None else ""


def _parts(example: str) -> tuple[Part, ...]:
    """The labels of an example. A bracket that is opened before a label closes behind it."""
    parts: list[Part] = []
    before = ""
    for token in re.findall(rf"10{{1,3}}|1+|{_LETTER}+|.", example.removeprefix("[")):
        if token[-1] == "0" and token[0] == "1":
            parts += [Part(before, "number"), Part("", token[1:])]
            before = ""
        elif token[0] == "1" or token in _SORTS:
            parts.append(Part(before, "digits" if len(token) > 1 else _SORTS[token]))
            before = ""
        elif parts and _SIDE_BY_SIDE.fullmatch(token):
            parts += [Part(before, _SORTS[token[0]]), Part("", _SORTS[token[1]])]
            before = ""
        elif parts and token == "]":
            parts[-1] = replace(parts[-1], bracket=True)
        elif parts and token in ")}>":
            parts[-1] = replace(parts[-1], after=token)
        else:
            before += token
    return tuple(parts)


def _alike(one: Sequence[Part], other: Sequence[Part]) -> bool:
    """Whether two examples write the same numbers but for brackets or words: 1.1(a) or Rule 1 Case A."""

    def bare(part: Part) -> tuple[str, str]:
        return part.sort, part.before.rstrip("([{< ")

    if any(part.before.startswith(" ") for part in (*one[1:], *other[1:])):
        return [part.sort for part in one] == [part.sort for part in other]
    return all(bare(a) == bare(b) for a, b in zip(one, other, strict=False))


def _counts(part: Part) -> bool:
    """Whether the labels of a part are digits."""
    return part.sort in ("number", "digits") or part.sort[0] == "0"


def words_pattern(words: str) -> str:
    """A pattern for what stands around labels: any hyphen, and words in either case with any space."""
    if not re.search(r"[^\W\d_]{2}| ", words):
        return re.escape(words).replace(r"\-", "[-‐‑]")
    spaced = (re.escape(one) for one in re.split(r"\s+", words))
    return "(?i:" + r",?[ \xa0\n]+".join(spaced) + ")"


class Dialect:
    """How one rulebook writes its numbers.

    `numbers`: examples, the first being the book's usual form; one that differs from an earlier one only
    in brackets is another way to write the same numbers. `chapters`: the forms in which a whole
    chapter is cited (`12.0`, `12.`, `62`, `C`), its own printed form first; a form with another sort of label
    (`Appendix A` beside `12.0`) is that of a further row of chapters, which needs an example of its own
    (`A.1`). `(5)` and `(22-23)`: a bare chapter, or a pair, alone in parentheses is one. `implied`: a number
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
        self.alphabet = alphabet = "".join(filter(str.isalpha, alphabet.lower()))
        self.implied = implied
        self._parsed: dict[tuple[str, str], Number | None] = {}
        self.shapes = [_parts(example) for example in numbers]
        self.alike = [next(i for i, s in enumerate(self.shapes) if _alike(s, shape)) for shape in self.shapes]
        """For each example the first that writes the same numbers."""
        self.chapter_forms = [form.strip("[]") for form in chapters if not form.startswith("(")]
        bare = [form for form in chapters if form.startswith("(")]
        self.bare_alone = any(form[1:-1].isalnum() for form in bare)
        """Whether bare chapters in parentheses, `(5)` and `(5, 6)`, are references."""
        self.bare_pairs = bool(bare)
        """Whether a pair of bare chapters alone in parentheses, `(22-23)`, is a reference."""
        firsts = list(dict.fromkeys(shape[0].sort for shape in self.shapes if shape))
        self.families = [firsts.index(shape[0].sort) if shape else 0 for shape in self.shapes]
        """For each example the row of chapters that its numbers belong to."""
        lower, upper = f"[{alphabet}]", f"[{alphabet.upper()}]"
        # Limits keep a search of a hostile text linear. A letter may be doubled: z, aa, bb.
        self.labels_of_sort = {
            "number": "[0-9]{1,4}",
            "digits": "[0-9]{1,6}",
            "lower": rf"(?!ff(?!\w)){lower}{{1,2}}(?![a-z{alphabet}])",  # 12.5ff is 12.5 and what follows it
            "upper": f"{upper}{{1,2}}(?![a-zA-Z{alphabet}{alphabet.upper()}])",
            "roman": "[ivxlcdm]{1,12}",
            "Roman": "[IVXLCDM]{1,12}",
            **{"0" * count: f"[0-9]{{{count}}}" for count in (1, 2, 3)},
        }
        self._letters_side_by_side = {
            "lower": f"(?:{'|'.join(letter * 2 for letter in alphabet)}|{lower})",
            "upper": f"(?:{'|'.join(letter * 2 for letter in alphabet.upper())}|{upper})",
        }

    @cached_property
    def words(self) -> list[str]:
        """The words for its levels in an example that has one for each: Rule 1 Case A."""
        said = ([part.before.strip() for part in shape] for shape in self.shapes)
        return next((words for words in said if len(words) > 1 and all(map(str.isalpha, words))), [])

    @cached_property
    def _chapter_patterns(self) -> list[tuple[re.Pattern[str], int]]:
        forms = zip(self.chapter_regexes(), self._chapter_forms, strict=True)
        return [(re.compile(pattern), shape) for pattern, (_, _, shape) in forms]

    @cached_property
    def _whole_patterns(self) -> list[re.Pattern[str]]:
        return [re.compile(self.shape_regex(parts)) for parts in self.shapes]

    @cached_property
    def _implied_pattern(self) -> re.Pattern[str] | None:
        return re.compile(self.shape_regex(self.shapes[0][1:], least=1)) if self.implied else None

    @cached_property
    def _chapter_forms(self) -> list[tuple[str, str, int]]:
        """For each form of a whole chapter what stands around its label, and the example it goes with."""
        firsts = {shape[0].sort: at for at, shape in reversed(list(enumerate(self.shapes))) if shape}
        forms: list[tuple[str, str, int]] = []
        for form in self.chapter_forms:
            for sort, shape in sorted(firsts.items(), key=lambda one: one[1]):
                letters = "[IVXLCDM]+" if sort == "Roman" else "[ivxlcdm]+|" + _LETTER
                label = "[0-9]+" if sort == "number" else rf"(?<!\w)(?:{letters})(?!\w)"
                if m := re.search(label, form):
                    zeros = self._zeros_of(shape)
                    end = m.end() - (len(zeros) if zeros and m.group().endswith(zeros) else 0)
                    forms.append((form[: m.start()], form[max(end, m.start() + 1) :], shape))
                    break
        return forms

    def chapter_regexes(self) -> list[str]:
        """A pattern for each form of a whole chapter; its only group is the chapter's label."""
        return [
            f"{words_pattern(before)}({self._chapter_label(shape)}){words_pattern(after)}"
            for before, after, shape in self._chapter_forms
        ]

    def _chapter_label(self, shape: int) -> str:
        """A pattern for the label of a chapter; where 702 lies in chapter 7, a chapter has fewer digits."""
        if zeros := self._zeros_of(shape):
            return f"[0-9]{{1,{len(zeros)}}}"
        return self.labels_of_sort[self.shapes[shape][0].sort]

    def _zeros_of(self, shape: int) -> str:
        """The zeros of an example that counts by tens, hundreds or thousands, 00 of 100.1a."""
        second = self.shapes[shape][1:2]
        return second[0].sort if second and second[0].sort[0] == "0" else ""

    def shape_regex(self, parts: Sequence[Part], least: int = 2) -> str:
        """A pattern for a number of at least `least` parts, with a group for each."""
        pattern = ""
        for at in reversed(range(len(parts))):
            part = parts[at]
            before = words_pattern(part.before)
            if at == 0 and part.before[-1:] and not part.before[-1].isalnum() and " " not in part.before:
                before += r"[ \xa0]?"
            label = self._label_regex(parts, at)
            own = f"{before}({label}){words_pattern(part.after)}"
            own += r"\]?" if part.bracket else ""
            pattern = f"{own}{pattern}" if at < least else f"(?:{own}{pattern})?"
        return pattern

    def loose_regex(self, parts: Sequence[Part], between: str) -> str:
        """A pattern for just these parts whatever stands between them, with a group for each."""
        pattern = f"(?:{words_pattern(parts[0].before)}[ \\xa0]?)?" if parts[0].before else ""
        for at, part in enumerate(parts):
            digits = at and part.sort[0] != "0" and _counts(part) and _counts(parts[at - 1])
            apart = between if at and part.sort[0] != "0" else ""
            pattern += apart.replace("{0,", "{1,") if digits else apart
            pattern += f"({self._label_regex(parts, at)})"
        return pattern

    def _label_regex(self, parts: Sequence[Part], at: int) -> str:
        """A pattern for the label of a part; a letter behind which another label stands ends with it."""
        beside = at + 1 < len(parts) and not parts[at + 1].before and not _counts(parts[at + 1])
        label = self.labels_of_sort[parts[at].sort]
        return self._letters_side_by_side.get(parts[at].sort, label) if beside else label

    def parse(self, text: str, chapter: str = "") -> Number | None:
        """The number that `text` is, whole, or None. `chapter` (a label) is what an implied one means."""
        if (text, chapter) not in self._parsed:
            self._parsed[text, chapter] = self._parse(text, chapter)
        return self._parsed[text, chapter]

    def _parse(self, text: str, chapter: str) -> Number | None:
        text = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text.removeprefix("[")
        for pattern, shape in self._chapter_patterns:
            if m := pattern.fullmatch(text):
                return self.chapter(m.group(1), shape)
        for shape, pattern in enumerate(self._whole_patterns):
            if m := pattern.fullmatch(text):
                return self.number(self.levels(self.shapes[shape], m.groups()), self.alike[shape])
        if chapter and self._implied_pattern and (m := self._implied_pattern.fullmatch(text)):
            return self.number([chapter, *self.levels(self.shapes[0][1:], m.groups())])
        return None

    def levels(self, parts: Sequence[Part], groups: Sequence[str | None]) -> list[str]:
        """The labels in the groups that a pattern of `parts` has found."""
        labels: list[str] = []
        for part, group in zip(parts, groups, strict=False):
            labels += (list(group) if part.sort == "digits" else [group]) if group else ()
        return labels

    def chapter(self, label: str, shape: int = 0) -> Number | None:
        """The number of a whole chapter, of the row that an example's numbers belong to."""
        part, family = self.shapes[shape][0], self.families[shape]
        forms = [(before, after) for before, after, at in self._chapter_forms if self.families[at] == family]
        before, after = forms[0] if forms else (part.before, part.after)
        ordinal = self.ordinal(part.sort, label)
        shape = self.families.index(family)
        key = f"{before}{label}{after}"
        return None if ordinal is None else Number(key, (label,), (ordinal,), shape, family)

    def forms(self, number: Number) -> list[str]:
        """The other ways in which the book may write a number: a chapter's, and those of like examples."""
        if self.is_chapter(number):
            own = [form for form in self._chapter_forms if self.families[form[2]] == number.family]
            return [*(f"{before}{number.labels[0]}{after}" for before, after, _ in own), number.labels[0]]
        alike = (at for at, first in enumerate(self.alike) if first == number.shape)
        return [other.key for at in alike if (other := self.number(number.labels, at))]

    def is_chapter(self, number: Number) -> bool:
        """Whether a number is that of a whole chapter, of any row that has a form of its own."""
        return len(number.labels) == 1 and self._has_chapters(number.shape)

    def chapter_of(self, number: Number) -> Number | None:
        """The chapter that a number lies in, or None where its row has no form for whole chapters."""
        return self.chapter(number.labels[0], number.shape) if self._has_chapters(number.shape) else None

    def _has_chapters(self, shape: int) -> bool:
        family = self.families[shape]
        return shape == 0 or (
            family > 0 and any(self.families[at] == family for *_, at in self._chapter_forms)
        )

    def number(self, labels: Sequence[str], shape: int = 0) -> Number | None:
        """A number from its labels, or None where a label counts nothing (roman `iiv`, letter `th`)."""
        if len(labels) == 1 and self._has_chapters(shape):
            return self.chapter(labels[0], shape)
        key, ordinals, last = "", [], None
        parts = self.parts_of(labels, shape)
        for part, label in zip(parts, labels, strict=False):
            ordinal = self.ordinal(part.sort, label)
            if ordinal is None:
                return None
            key += f"{'' if part is last else part.before}{label}{part.after}"
            ordinals.append(ordinal)
            last = part
        if len(parts) != len(labels):
            return None
        return Number(key, tuple(labels), tuple(ordinals), shape, self.families[shape])

    def fitted(self, labels: Sequence[str], shape: int = 0) -> Number | None:
        """The number with these labels, each in the case that its level is printed in."""
        spread = zip_longest(labels, self.shapes[shape])
        labels = [
            one
            for label, part in spread
            if label
            for one in (label if part and part.sort == "digits" else [label])
        ]
        parts = self.parts_of(labels, shape)
        cases = {"lower": str.lower, "upper": str.upper, "roman": str.lower, "Roman": str.upper}
        cased = [cases.get(part.sort, str)(label) for part, label in zip(parts, labels, strict=False)]
        return self.number(cased, shape) if len(parts) == len(labels) else None

    def parts_of(self, labels: Sequence[str], shape: int = 0) -> list[Part]:
        """The part that each label of a number belongs to; fewer where the example has too few."""
        parts: list[Part] = []
        for part in self.shapes[shape]:
            if len(parts) < len(labels):
                parts.append(part)
            while part.sort == "digits" and len(parts) < len(labels) and labels[len(parts)].isdigit():
                parts.append(part)
        return parts

    def ordinal(self, sort: str, label: str) -> int | None:
        """Ordinal of a label, from 1 (a number may be 0); None where it is no label."""
        if sort in ("number", "digits") or sort[0] == "0":
            return whole(label) if label.isdecimal() and (sort != "digits" or len(label) == 1) else None
        if sort in ("lower", "upper"):
            place = self.alphabet.find(label[:1].lower()) if label == label[:1] * len(label) else -1
            return place + 1 + (len(label) - 1) * len(self.alphabet) if label and place >= 0 else None
        return roman(label.lower())

    def label(self, sort: str, ordinal: int) -> str:
        """The label that counts `ordinal`: 3, c, C, iii or III."""
        if sort in ("number", "digits") or sort[0] == "0":
            return str(ordinal).rjust(len(sort) if sort[0] == "0" else 1, "0")
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
        sort = self.parts_of(number.labels, number.shape)[-1].sort
        return self.number([*number.labels[:-1], self.label(sort, ordinal)], number.shape)

    def parent(self, number: Number) -> Number | None:
        """The number one level up, or None above a chapter. `10.0b` lies in chapter `10.0`."""
        if len(number.labels) < 2:
            return None
        above = self.number(number.labels[:-1], number.shape)
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
