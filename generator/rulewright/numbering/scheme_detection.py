"""Numbering scheme of a book, detected from the labels in its texts.

A label is the beginning of a heading or of a bold text: `12.0`, `12.1a`, `4.A.1`, `[3.2]`, `§4-b`, `Rule 9
Case C`. The values at the same position of all labels determine the label type: letters, roman numerals,
nested digits. Shapes that extend each other become one example of the scheme.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import normalize

from rulewright.files.safe_integers import parse_int
from rulewright.numbering.label_types import ALPHABET, label_types, parse_roman
from rulewright.numbering.numbering_scheme import NumberingScheme

NAMES = (
    "art\\.|rule|rules|section|chapter|case|part|article|clause|regulation|appendix|regel|abschnitt|kapitel|teil|"
    "artikel|règle|"
    "chapitre|"
    "regla|capítulo|sección|regola|capitolo|hoofdstuk"
)
NAMED = re.compile(rf"\A\s*(?:{NAMES})\s+", re.IGNORECASE)
_NAMED_LABEL = re.compile(rf"\s*({NAMES})\s+[\[(§]?\w{{1,4}}\b", re.IGNORECASE)
_LETTER = r"[^\W\d_]"
_SINGLE = rf"\d+(?!\d)|[IVXLC]{{2,7}}(?!{_LETTER})|[ivxlc]{{2,7}}(?!{_LETTER})"
_BESIDE = rf"[IVXLC]{{1,7}}(?=[a-z](?!{_LETTER}))|[ivxlc]{{1,7}}(?=[A-Z](?!{_LETTER}))"


def _doubled(name: str) -> str:
    return rf"(?P<{name}>{_LETTER})(?P={name})?(?!{_LETTER})"


_LABEL = re.compile(
    rf"(?P<word>{_LETTER}{{2,12}}\.?[ \xa0]+)?(?P<open>[\[(])?(?P<sign>§{{1,2}}[ \xa0]?)?"
    rf"(?P<body>(?:{_SINGLE}|{_doubled('a')})(?:"
    # Digits never follow digits: otherwise long numbers would have exponentially many matches.
    rf"(?:[.:/‑–-]|(?!(?<=\d)\d)|(?<=\w)[ \xa0](?:(?i:{NAMES}))[ \xa0])"
    rf"(?:{_BESIDE}|{_SINGLE}|{_doubled('b')})"
    rf"|\((?:{_SINGLE}|{_doubled('c')})\)){{0,11}})"
    rf"(?P<close>[\])])?(?P<after>{_doubled('d')})?(?P<tail>[.:)]{{0,2}})(?=\s|$)"
)
_TOKEN = re.compile(
    rf"(?P<before>[.:/‑–(-]?|[ \xa0]{_LETTER}+\.?[ \xa0])(?P<value>\d+|[A-Z]+|[a-z]+|{_LETTER}+)"
    r"(?P<after>\)?)"
)
_MOSTLY = 0.8
_FEW_LINKS = 5
_SAME = 3
"""Minimum number of labels with a common letter that is part of all numbers and no chapter."""

_MAX_CHAPTERS, _MAX_TENS = 200, 99
"""Maximum number of a chapter, alone and in a book that counts by hundreds."""

_FEW_HUNDREDS = 4
"""Maximum number of three-digit chapters in a book that does not count by hundreds."""

_SAMPLES = {sign: sort.sample for sign, sort in label_types().items()} | {"100": "8"}
_LONGEST = 40
"""Maximum length of a number; parsing time grows with its depth."""

_MAX_LETTERS = 64
Part = tuple[str, str, str]  # text before, label or its type, text after
Path = tuple[str, tuple[Part, ...]]  # the symbol and the parts up to one, with 1, A or a for their labels


class HeadingLabel(NamedTuple):
    """Label of a text: the word or symbol before it, then its parts."""

    is_heading: bool
    word: str
    sign: str
    parts: tuple[Part, ...]
    has_bracket: bool
    outside: int
    """Number of parts after the closing bracket."""

    tail: str
    is_whole_text: bool

    @property
    def values(self) -> list[str]:
        return [value for _, value, _ in self.parts]

    @property
    def first_letter(self) -> str:
        """The capital letter directly before the first digit, R in R1.1, or ""."""
        first, second = (*self.parts, ("", "", ""), ("", "", ""))[:2]
        return first[1] if first[1].isupper() and not second[0] and second[1].isdigit() else ""

    def is_chapter(self, max_chapter: int) -> bool:
        """Return whether it is the label of a whole chapter: 12, 12.0, IV."""
        first, *more = self.values
        return more == ["0"] or (not more and (not first.isdigit() or (parse_int(first) or 0) <= max_chapter))

    def chapter_form(self, sort: str) -> str:
        """Return how a chapter is printed, as a canonical example: 12.0."""
        zero = "".join("".join(part) for part in self.parts[1:])
        return f"{self.sign}{_SAMPLES[sort]}{zero or self.tail[: self.tail.startswith('.')]}"

    def paths(self) -> list[Path]:
        kinds: list[Part] = []
        for before, value, after in self.parts:
            kinds.append((before, "1" if value.isdigit() else "A" if value.isupper() else "a", after))
        return [(self.sign, tuple(kinds[:end])) for end in range(1, len(kinds) + 1)]


class LabelShape(NamedTuple):
    """Common form of labels: the symbol before them and the type of each part."""

    sign: str
    parts: tuple[Part, ...]

    def stems(self) -> list[LabelShape]:
        """Return the shapes that this one extends, shortest first."""
        return [LabelShape(self.sign, self.parts[:end]) for end in range(1, len(self.parts))]

    @property
    def family(self) -> tuple[str, str]:
        return self.sign, self.parts[0][1]

    @property
    def joins(self) -> set[str]:
        """The separators in it that may also join two numbers."""
        return {before for before, _, _ in self.parts} & {"–", "/", "‑", "-"}

    def example(self, bracket: bool, outside: int) -> str:
        """Return an example of such numbers; `outside`: number of parts after the bracket."""
        pieces = [self.sign, *map("".join, self.parts)]
        end = len(pieces) - outside
        inside = "".join(pieces[:end])
        return "".join([f"[{inside}]" if bracket else inside, *pieces[end:]])


@dataclass(slots=True)
class DetectedScheme:
    """Examples of a book's numbers and chapters."""

    numbers: list[str]
    chapters: list[str]
    labels: int
    """Number of labels they were detected from."""

    names: list[str]
    """Words before numbers in headings: chapter, rule."""

    alphabet: str
    """The letters of its numbers, if not a to z."""

    def dialect(self) -> NumberingScheme:
        return NumberingScheme(self.numbers, self.chapters, alphabet=self.alphabet or ALPHABET)

    def __str__(self) -> str:
        chapters = f", chapters like {', '.join(self.chapters)}" if self.chapters else ""
        return f"numbers like {', '.join(self.numbers)}{chapters} (from {self.labels} labels)"


def detect_scheme(
    texts: Iterable[tuple[str, bool]], cited: Iterable[str] = (), *, are_numbers: bool = False
) -> DetectedScheme | None:
    """Return the numbering scheme of the labels of a book, or None if there is none.

    `texts`: texts that may begin with a label, in the order of the book, and whether each is a heading.
    `cited`: texts of links, which show how deep numbers go. `are_numbers`: every text is known to be a
    number.
    """
    texts = [*texts]
    labels = [label for text, is_heading in texts if (label := _label(text, is_heading))]
    links = [label for text in cited if (label := _label(text)) and label.is_whole_text]
    word = _common_word(labels, links)
    labels = [label for label in labels if label.word in ("", word) or NAMED.match(label.word)]
    letter = _common_letter(labels, links)
    labels = [_with_prefix(label, word, letter) for label in labels]
    links = [_with_prefix(label, word, letter) for label in links]
    types = _PartTypes(labels, links)
    name_matches = [_NAMED_LABEL.match(text) for text, is_heading in texts if is_heading]
    counts: Counter[LabelShape] = Counter()
    chapters: Counter[tuple[tuple[str, str], str]] = Counter()
    for label in labels:
        shape = types.shape(label)
        if not label.is_chapter(types.max_chapter):
            counts[shape] += are_numbers or len(label.parts) > 1
        elif label.is_heading or label.values[1:]:
            chapters[shape.family, label.chapter_form(shape.parts[0][1])] += 1

    total = counts.total()
    counts.update(_deeper_shapes(counts, map(types.shape, links)))
    shapes = _chosen_shapes(counts, total, types)
    if not shapes and not chapters:
        return None
    first = shapes[0].family if shapes else chapters.most_common(1)[0][0][0]
    forms = Counter({form: n for (family, form), n in chapters.items() if family == first})
    if not counts and forms.total() < 2:
        return None
    sign, sort = first
    brackets = [label.has_bracket for label in labels if len(label.parts) > 1]
    bracket = sum(brackets) * 2 > len(brackets)
    numbers = [shape.example(bracket, types.outside[shape]) for shape in shapes]
    printed = [form for form, _ in forms.most_common(2)] or [sign + _SAMPLES[sort]]
    # A chapter that is printed as 12. is cited as 12.
    printed += [form[:-1] for form in printed if form.endswith(".") and form[:-1] not in printed]
    printed += _other_chapters(labels, types, [shape.family for shape in shapes])
    return DetectedScheme(
        numbers or [f"{sign}{sort}(1)" if sign else f"{sort}.1"],
        printed,
        total + forms.total(),
        sorted({match[1].strip().lower() for match in name_matches if match}),
        _alphabet(label for label in labels if types.shape(label) in counts),
    )


def _label(text: str, is_heading: bool = False) -> HeadingLabel | None:
    m = _LABEL.match(text.strip())
    # `1)` needs no opening bracket; `[1` needs a closing one.
    if not m or (bool(m["open"]) != bool(m["close"]) and m["close"] != ")") or len(m["body"]) > _LONGEST:
        return None
    parts = [(t["before"].replace("\xa0", " "), t["value"], t["after"]) for t in _TOKEN.finditer(m["body"])]
    parts += [("", m["after"], "")] if m["after"] else []
    word = f"{m['word'].strip()} " if m["word"] else ""
    is_whole_text = m.end() == len(text.strip())
    sign = (m["sign"] or "")[:1]
    outside = int(bool(m["after"]))
    return HeadingLabel(
        is_heading, word, sign, tuple(parts), m["open"] == "[", outside, m["tail"], is_whole_text
    )


def _common_word(labels: Sequence[HeadingLabel], links: Sequence[HeadingLabel]) -> str:
    """Return the word that belongs to a book's numbers: Art. in Art. 1(1), but not Case in Case 12.5.

    A common word for rules only precedes a number, unless references or the levels below have words.
    """
    words = Counter(label.word for label in labels if label.word).most_common(1)
    if not words or words[0][1] < len(labels) * _MOSTLY:
        return ""
    word = words[0][0]
    is_inside = any(" " in before for label in labels if label.word == word for before, _, _ in label.parts)
    is_cited = any(label.word == word for label in links)
    return word if is_cited or is_inside or not NAMED.match(word) else ""


def _common_letter(labels: Sequence[HeadingLabel], links: Sequence[HeadingLabel]) -> str:
    """Return the letter that all numbers of a book begin with, R in R1.1, unless it is a chapter's."""
    letters = {label.first_letter for label in (*labels, *links) if label.first_letter}
    single_values = {label.values[0] for label in labels if len(label.parts) == 1}
    return letters.pop() if len(letters) == 1 and not letters & {"A", "I", *single_values} else ""


def _with_prefix(label: HeadingLabel, word: str, letter: str) -> HeadingLabel:
    """Return a label with the common word and letter of the book in its symbol."""
    if word and label.word == word:
        label = label._replace(word="", sign=word + label.sign)
    if letter and label.first_letter == letter:
        label = label._replace(sign=label.sign + letter, parts=label.parts[1:])
    return label


class _PartTypes:
    """Types of the parts of labels, determined from the values at the same position of all labels."""

    def __init__(self, labels: Sequence[HeadingLabel], links: Sequence[HeadingLabel]) -> None:
        chapter_counts = Counter(label.values[0] for label in labels if label.values[0].isdigit())
        hundreds = {top for top in chapter_counts if len(top) == 3}
        chapters = {hundred[:-2] for hundred in hundreds}
        small_count = sum(
            count for top, count in chapter_counts.items() if len(top) < 3 and top not in chapters
        )
        count = sum(chapter_counts[top] for top in hundreds)
        self.hundreds = len(hundreds) > _FEW_HUNDREDS and count >= (count + small_count) * _MOSTLY
        self.max_chapter = _MAX_TENS if self.hundreds else _MAX_CHAPTERS
        self.values: defaultdict[Path, dict[str, None]] = defaultdict(dict)
        for label in (*labels, *links):
            for path, value in zip(label.paths(), label.values, strict=True):
                self.values[path][value] = None
        nested = _nested_paths(labels)
        self.sorts = {path: self._sort(path, path in nested) for path in self.values}
        self.outside: Counter[LabelShape] = Counter()
        """For each shape the number of parts after a closing bracket."""
        for label in labels:
            self.outside[self.shape(label)] |= label.outside

    def _sort(self, path: Path, is_nested: bool) -> str:
        """Return the type of labels at a position: letters are roman numerals if most can be, one must."""
        kind = path[1][-1][1]
        if kind == "1":
            return "100" if len(path[1]) == 1 and self.hundreds else "11" if is_nested else "1"
        values = self.values[path]
        numerals = [value for value in values if parse_roman(value.lower())]
        is_certain = any(len({*value}) > 1 or len(value) > 2 or value in "iI" for value in numerals)
        likely = is_certain and len(numerals) >= len(values) * _MOSTLY
        return {"A": "I", "a": "i"}[kind] if likely else kind

    def shape(self, label: HeadingLabel) -> LabelShape:
        sorts = [self.sorts[path] for path in label.paths()]
        parts = zip(label.parts, sorts, strict=True)
        return LabelShape(label.sign, tuple((before, sort, after) for (before, _, after), sort in parts))

    def has_first_chapter(self, family: tuple[str, str]) -> bool:
        """Return whether a series of chapters has its first possible one: A, I or 1."""
        sign, sort = family
        values = [
            self.values[path].keys()
            for path, path_sort in self.sorts.items()
            if path[0] == sign and len(path[1]) == 1 and path_sort == sort
        ]
        return sort == "100" or any({"1", "A", "a", "I", "i"} & labels for labels in values)


def _nested_paths(labels: Sequence[HeadingLabel]) -> set[Path]:
    """Return the positions whose digits are separate levels: 10.11 comes before 10.2 in the book."""
    votes: Counter[Path] = Counter()
    last: dict[Path, list[str]] = {}
    for label in labels:
        for depth, path in enumerate(label.paths()[1:], 1):
            *above, value = label.values[: depth + 1]
            *above_last, previous = last.get(path, [""])
            last[path] = [*above, value]
            if value.isdigit() and previous and above == above_last and len(previous) != len(value):
                difference = int(value) - int(previous)
                skips = value.startswith(previous) and difference > 1 and not value.endswith("0")
                votes[path] += (difference < 0 and previous[0] <= value[0]) or skips
                votes[path] -= difference > 0 and previous > value
    return {path for path, count in votes.items() if count > 0}


def _deeper_shapes(known: Collection[LabelShape], cited: Iterable[LabelShape]) -> Mapping[LabelShape, int]:
    """Return the shapes of links that extend those of labels, with their counts.

    Rare links may be mistyped, and a range is no number.
    """
    links = Counter(cited)
    min_count = 3 if links.total() > _FEW_LINKS else 1
    joins = {sign for shape in known for sign in shape.joins}
    known = {*known}
    return {
        shape: n
        for shape, n in links.items()
        if n >= min_count and shape.joins <= joins and not known.isdisjoint(shape.stems())
    }


def _chosen_shapes(counts: Counter[LabelShape], total: int, types: _PartTypes) -> list[LabelShape]:
    """Return the shapes of a book's labels: the longest of each series, the most common series first."""
    families: Counter[tuple[str, str]] = Counter()
    support = Counter(counts)
    for shape, count in counts.items():
        families[shape.family] += count
        support.update(dict.fromkeys(shape.stems(), count))
    if not families:
        return []
    complete = {family: n for family, n in families.items() if types.has_first_chapter(family)}
    large = [family for family, n in complete.items() if n > 2 and n * 4 >= families.total()]
    first = (large or [families.most_common(1)[0][0]])[0]  # in the order of the book
    few = max(2, total // 50)
    chosen = {first, *large, *(family for family, n in complete.items() if n >= few and family[1] != "1")}
    min_count = max(2, total // 100)
    shapes = {
        shape
        for shape, n in counts.items()
        if shape.family in chosen and (n >= min_count or not counts.keys().isdisjoint(shape.stems()[1:]))
    } or {counts.most_common(1)[0][0]}
    stems = {stem for shape in shapes for stem in shape.stems()}
    return sorted(shapes - stems, key=lambda shape: (shape.family != first, -support[shape], shape))


def _other_chapters(
    labels: Sequence[HeadingLabel], types: _PartTypes, families: Sequence[tuple[str, str]]
) -> Iterator[str]:
    """Yield how a chapter of each further series is printed, with the usual word of its headings."""
    inside = {label.values[0] for label in labels if len(label.parts) > 1}
    for family in dict.fromkeys(families):
        if family == families[0]:
            continue
        words = Counter(
            label.word
            for label in labels
            if label.is_heading
            and len(label.parts) == 1
            and label.values[0] in inside
            and types.shape(label).family == family
        )
        word = next((word for word, _ in words.most_common(1)), "")
        yield f"{word}{_SAMPLES[family[1]]}"


def _alphabet(labels: Iterable[HeadingLabel]) -> str:
    """Return the letters of labels in order if some are not from a to z, with those between them.

    Accented letters and final forms are skipped unless a label has them.
    """
    letters = {*"".join(value.lower() for label in labels for value in label.values)} - {*ALPHABET}
    foreign = sorted(filter(str.isalpha, letters))
    if not foreign or ord(foreign[-1]) - ord(foreign[0]) >= _MAX_LETTERS:
        return "".join(foreign)
    between = map(chr, range(ord(foreign[0]), ord(foreign[-1]) + 1))
    return "".join(
        c for c in between if c in letters or len(normalize("NFD", c.upper().lower())) == 1 == len(c)
    )
