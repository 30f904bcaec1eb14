"""Numbering scheme of a book, derived from the labels of its rules.

Labels whose numbers have the same form become one example: 4.1a and 12.11b are 1.1a. The key of each label
shows what its parts are: a letter or a roman numeral, one level or one for each digit.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import normalize

from rulewright.numbering.label_types import ALPHABET, label_types, parse_roman
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.printed_labels import DIGITS, LABEL, NAMES, Key, readings
from rulewright.numbering.reference_cues import CUES

NAMED = re.compile(rf"\s*(?:{NAMES})\s+", re.IGNORECASE)
_LETTER = r"[^\W\d_]"
_PART = re.compile(
    rf"(?P<before>[.:/‑–(-]?|[ \xa0]{_LETTER}+\.?[ \xa0])"
    rf"(?P<value>\d+|[A-Z]+|[a-z]+|{_LETTER}+)(?P<after>\)?)"
)
_RANGE = re.compile(r"(?P<first>.+)[-‑–](?P<last>.+)", re.DOTALL)
_MOSTLY = 0.8
_FEW_LINKS = 5
_MAX_LETTERS = 64
_SAMPLES = {sign: sort.sample for sign, sort in label_types().items()} | {"100": "8"}


class Part(NamedTuple):
    """A part of a number with the text around it. `sort`: its type, as the key of the number shows it."""

    before: str
    value: str
    after: str
    sort: str

    @property
    def kind(self) -> str:
        if self.value.isdigit():
            return "1"
        return "A" if self.value.isupper() else "a"

    def example(self, sort: str) -> str:
        return f"{self.before}{sort}{self.after}"


class Form(NamedTuple):
    """Form of numbers: the sign before them, and their parts as an example."""

    sign: str
    parts: tuple[str, ...]

    @property
    def family(self) -> Form:
        """The form of its chapters."""
        return Form(self.sign, self.parts[:1])

    def stems(self) -> list[Form]:
        """Return the forms that this one extends."""
        return [Form(self.sign, self.parts[:end]) for end in range(1, len(self.parts))]

    def example(self, outside: int, *, has_bracket: bool) -> str:
        """Return an example. `outside`: the number of parts after the bracket."""
        end = len(self.parts) - outside
        inside = self.sign + "".join(self.parts[:end])
        return (f"[{inside}]" if has_bracket else inside) + "".join(self.parts[end:])


@dataclass(slots=True)
class PrintedLabel:
    """A printed label. `word`: the word before it; `sign`: the word and letters that are in every number."""

    word: str
    sign: str
    parts: Sequence[Part]
    is_heading: bool
    has_bracket: bool
    outside: int
    tail: str

    @property
    def is_chapter(self) -> bool:
        """Whether it is the label of a whole chapter: 12, 12.0, IV."""
        return self.parts[0].sort != "100" and [part.value for part in self.parts[1:]] in ([], ["0"])

    @property
    def is_printed_alone(self) -> bool:
        """Whether it is printed as a chapter: in a heading, or as 12.0."""
        return self.is_heading or len(self.parts) > 1

    def chapter_form(self, family: Form) -> str:
        """Return how a chapter is printed, as an example: 12.0."""
        zero = "".join(part.example(part.value) for part in self.parts[1:])
        return f"{self.sign}{_SAMPLES[family.parts[0]]}{zero or self.tail[:1].strip(':)]')}"

    @property
    def first_letter(self) -> str:
        """The capital letter directly before the first digit, R in R1.1, or ""."""
        first, *more = self.parts
        return (
            first.value if first.kind == "A" and more and more[0].example("1") == "1" == more[0].kind else ""
        )

    def paths(self) -> list[Form]:
        """Return the form up to each part, whose labels are only digits or letters."""
        kinds = tuple(part.example(part.kind) for part in self.parts)
        return [Form(self.sign, kinds[:end]) for end in range(1, len(kinds) + 1)]


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbering of a book: examples of its numbers, and the words in which it cites them."""

    description: str
    numbers: Sequence[str]
    chapters: Sequence[str]
    suffixes: Sequence[str] = ()
    cues: Sequence[str] = ()
    not_references: Sequence[str] = ()
    alphabet: str = ""
    declared_scheme: NumberingScheme | None = None
    """That of a book which exists, to which items add nothing."""

    def scheme(self) -> NumberingScheme:
        alphabet = self.alphabet or ALPHABET
        return self.declared_scheme or NumberingScheme(
            self.numbers, self.chapters, suffixes=self.suffixes, alphabet=alphabet
        )


def read_label(printed: str, key: Key = (), *, is_heading: bool = False) -> PrintedLabel | None:
    """Return the parts of a label; None if a text is no label. `key`: that of its number, if it is known."""
    match = LABEL.match(printed)
    keys = [key] if key else readings(match["number"]) if match else []
    if not match or not keys:
        return None
    levels = [*keys[0]]
    parts: list[Part] = []
    for text in (match["number"].rstrip("+*"), match["outside"] or ""):
        for part in _PART.finditer(text.replace("\xa0", " ")):
            sort = _sort(part["value"], levels, is_first=not parts)
            parts.append(Part(part["before"], part["value"], part["after"], sort))
            del levels[: {"100": 2, "11": len(part["value"])}.get(sort, 1)]
    word = match["word"].replace("\xa0", " ").strip()
    word = word[:1] if word.startswith("§") else f"{word} " * bool(word)
    outside = int(bool(match["outside"]))
    return PrintedLabel(word, word, parts, is_heading, match["open"] == "[", outside, match["close"])


def _sort(value: str, levels: Sequence[tuple[int, float]], *, is_first: bool) -> str:
    """Return the type of a part of a number, whose key goes on with levels."""
    if not value.isdigit():
        return "A" if value.isupper() else "a"
    if len(value) > 1 and [*levels[: len(value)]] == [(DIGITS, int(digit)) for digit in value]:
        return "11"
    is_hundred = is_first and [*levels[:2]] == [(DIGITS, int(value[0])), (DIGITS, int(value[1:] or 0))]
    return "100" if is_hundred else "1"


def detect_scheme(labels: Sequence[PrintedLabel], cited: Sequence[str]) -> Numbering | None:
    """Return the numbering scheme of the labels of a book, in their order; None if there are too few.

    `cited`: numbers in its texts, which show how deep numbers go.
    """
    links = list(filter(None, map(_read_citation, cited)))
    _set_signs(labels, links)
    sorts = _sorts(labels, links)
    pairs = [(label, _form(label, sorts)) for label in labels]
    numbers = [(label, form) for label, form in pairs if not label.is_chapter]
    chapters = [(label, form.family) for label, form in pairs if label.is_chapter and label.is_printed_alone]
    if not numbers and len(chapters) < 2:
        return None
    counts = Counter(form for _, form in numbers)
    cited_forms = Counter(_form(link, sorts) for link in links)
    forms = _longest_forms(counts, cited_forms, max(2, len(numbers) // 100))
    outside = {form: label.outside for label, form in numbers}
    brackets = [label.has_bracket for label in labels if len(label.parts) > 1]
    has_bracket = sum(brackets) * 2 > len(brackets)
    examples = [form.example(outside.get(form, 0), has_bracket=has_bracket) for form in forms]
    families = [*dict.fromkeys(form.family for form in forms)]
    chapter_families = Counter(family for _, family in chapters)
    families += [family for family, _ in chapter_families.most_common()]
    top = families[0]
    examples = examples or ["".join((top.sign, *top.parts, "(1)" if top.sign else ".1"))]
    printed = _chapter_forms(chapters, families)
    words = f"numbers like {', '.join(examples)}, chapters like {', '.join(printed)}"
    description = f"guessed: {words} (from {len(labels)} labels)"
    names = {label.word.strip().lower() for label in labels if label.is_heading and NAMED.match(label.word)}
    cues = sorted(names - {*CUES})
    return Numbering(description, examples, printed, cues=cues, alphabet=_alphabet(labels))


def _read_citation(text: str) -> PrintedLabel | None:
    """Return the number of a citation, which may have a word before it; for a range, its first number."""
    label = read_label(text)
    if label is None:
        text = text.partition(" ")[2]
        label = read_label(text)
    ends = _RANGE.fullmatch(text)
    first, last = (read_label(ends["first"]), read_label(ends["last"])) if ends else (None, None)
    if not (first and last) or len(first.parts) == 1:
        return label
    is_range = [part.kind for part in first.parts] == [part.kind for part in last.parts]
    return first if is_range else label


def _form(label: PrintedLabel, sorts: Mapping[Form, str]) -> Form:
    parts = [part.example(sorts[path]) for part, path in zip(label.parts, label.paths(), strict=True)]
    return Form(label.sign, tuple(parts))


def _chapter_forms(chapters: Sequence[tuple[PrintedLabel, Form]], families: Sequence[Form]) -> list[str]:
    """Return how chapters are printed: the two usual forms of the first family, and one of each other."""
    first, *more = dict.fromkeys(families)
    forms = Counter(label.chapter_form(family) for label, family in chapters if family == first)
    printed = [form for form, _ in forms.most_common(2)] or [f"{first.sign}{_SAMPLES[first.parts[0]]}"]
    # A chapter that is printed as 12. is cited as 12.
    printed += [form[:-1] for form in printed if form.endswith(".") and form[:-1] not in printed]
    for family in more:
        words = Counter(label.word for label, other in chapters if other == family and label.is_heading)
        word = max(words, key=lambda word: words[word], default=family.sign)
        printed.append(f"{word}{_SAMPLES[family.parts[0]]}")
    return printed


def _set_signs(labels: Sequence[PrintedLabel], links: Sequence[PrintedLabel]) -> None:
    """Set the signs of labels and links: the word or letter that belongs to all numbers of a book.

    Art. in Art. 1(1), but not Case in Case 12.5, unless references or the levels below have words; R in R1.1.
    """
    word, count = (Counter(label.sign for label in labels).most_common(1) or [("", 0)])[0]
    is_inside = any(" " in part.before for label in labels for part in label.parts)
    is_cited = any(link.sign == word for link in links)
    is_part = count >= len(labels) * _MOSTLY and (is_cited or is_inside or not NAMED.match(word))
    letters = {label.first_letter for label in (*labels, *links)} - {""}
    chapters = {label.parts[0].value for label in labels if len(label.parts) == 1}
    letter = letters.pop() if len(letters) == 1 and not letters & {"A", "I", *chapters} else ""
    for label in (*labels, *links):
        if not (label.sign == "§" or (is_part and label.sign == word)):
            label.sign = ""
        if letter and label.first_letter == letter:
            label.sign += letter
            label.parts = label.parts[1:]


def _sorts(labels: Iterable[PrintedLabel], links: Iterable[PrintedLabel]) -> dict[Form, str]:
    """Return the type of the last part of each path: that of labels, or of links if it has no label."""
    sorts: dict[Form, str] = {}
    for group in (links, labels):
        parts: defaultdict[Form, list[Part]] = defaultdict(list)
        for label in group:
            for path, part in zip(label.paths(), label.parts, strict=True):
                parts[path].append(part)
        sorts |= {path: _usual_sort(inner) for path, inner in parts.items()}
    return sorts


def _usual_sort(parts: Sequence[Part]) -> str:
    """Return the type of most labels at a place. Letters are roman numerals if most can be, and one must."""
    values = {part.value for part in parts}
    telling = [part.sort for part in parts if len(part.value) > 1] or [parts[0].sort]
    usual = Counter(telling).most_common(1)[0][0]
    numerals = [value for value in values if parse_roman(value.lower())]
    is_certain = any(len({*value}) > 1 or len(value) > 2 or value in "iI" for value in numerals)
    is_roman = is_certain and len(numerals) >= len(values) * _MOSTLY
    return {"A": "I", "a": "i"}.get(usual, usual) if is_roman else usual


def _longest_forms(counts: Counter[Form], links: Counter[Form], min_count: int) -> list[Form]:
    """Return the longest forms of each series, the most common first. Rare ones extend others.

    `links`: forms of cited numbers, of which rare ones may be mistyped.
    """
    support = Counter(counts)
    for form, count in counts.items():
        support.update(dict.fromkeys(form.stems(), count))
    min_links = 3 if links.total() > _FEW_LINKS else 1
    cited = [form for form, count in links.items() if count >= min_links]
    forms = {form for form, count in counts.items() if count >= min_count}
    forms |= {form for form in (*counts, *cited) if not counts.keys().isdisjoint(form.stems())}
    forms = forms or {*counts}
    stems = {stem for form in forms for stem in form.stems()}
    return sorted(forms - stems, key=lambda form: (-support[form], form))


def _alphabet(labels: Iterable[PrintedLabel]) -> str:
    """Return the letters of labels in order if some are not from a to z, with those between them.

    Accented letters are skipped unless a label has them.
    """
    letters = {*"".join(part.value.lower() for label in labels for part in label.parts)} - {*ALPHABET}
    foreign = sorted(filter(str.isalpha, letters))
    between = range(ord(foreign[0]), ord(foreign[-1]))[:_MAX_LETTERS] if foreign else ()
    plain = {letter for letter in map(chr, between) if len(normalize("NFD", letter)) == 1}
    return "".join(sorted({*foreign} | plain))
