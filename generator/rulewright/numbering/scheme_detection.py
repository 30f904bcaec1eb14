"""Numbering scheme of a book, detected from the labels in its texts.

A label is the beginning of a heading or of a bold text: `12.0`, `12.1a`, `4.A.1`, `[3.2]`, `§4-b`, `Rule 9
Case C`. The values at the same position of all labels determine the label type: letters, roman numerals,
nested digits. Shapes that extend each other become one example of the scheme.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
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


_MIN_LABELS = 8
_MIN_FAULTS = 4
_LABELS_PER_FAULT = 20
"""A numbering scheme is wrong if more than four numbers, and more than one in 20, are unreadable."""


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
_MAX_CHAPTERS = 200
_FEW_LINKS = 5
_MOSTLY = 0.8
_SAME = 3
"""Minimum number of labels with a common letter that is part of all numbers and no chapter."""

_MAX_BY_ONES = 4
"""Maximum number of three-digit chapters in a book that does not count by hundreds."""

_COUNTS = {sign: sort.sample for sign, sort in label_types().items()} | {"100": "8"}
_LONGEST = 40
"""Maximum length of a number; parsing time grows with its depth."""

_MAX_LETTERS = 64
Signs = tuple[str, str, str]  # text before, label type or value, text after
Path = tuple[str, tuple[Signs, ...]]


class HeadingLabel(NamedTuple):
    """Label of a heading: the word or symbol before it, then its parts.

    `outside`: number of parts after the closing bracket; `is_whole_text`: whether nothing follows in the
    text.
    """

    word: str
    sign: str
    parts: tuple[Signs, ...]
    bracket: bool
    outside: int
    tail: str
    is_whole_text: bool

    @property
    def values(self) -> list[str]:
        return [value for _, value, _ in self.parts]

    def chapter(self, hundreds: bool) -> bool:
        """Return whether a label is a whole chapter's: 12, 12.0, IV."""
        if len(self.parts) == 1:
            count = parse_int(self.values[0])
            return not self.values[0].isdigit() or (
                count is not None and count <= (99 if hundreds else _MAX_CHAPTERS)
            )
        return len(self.parts) == 2 and self.parts[1][1] == "0"

    def form(self, sort: str) -> str:
        """Return how a chapter is printed, as a canonical example: 12.0."""
        zero = "".join(self.parts[1]) if len(self.parts) > 1 else ""
        return f"{self.sign}{_COUNTS[sort]}{zero}{'.' if self.tail.startswith('.') and not zero else ''}"


class LabelShape(NamedTuple):
    """Common form of labels: the symbol before them and the type of each part."""

    sign: str
    parts: tuple[Signs, ...]

    def stems(self) -> list[LabelShape]:
        """Return the shapes that this one extends, shortest first."""
        return [LabelShape(self.sign, self.parts[:end]) for end in range(1, len(self.parts))]

    @property
    def family(self) -> tuple[str, str]:
        return self.sign, self.parts[0][1]

    @property
    def has_digits(self) -> bool:
        return any(sort[0] == "1" for _, sort, _ in self.parts)

    def joins(self) -> set[str]:
        """Return the separators in it that may also join two numbers."""
        return {before for before, _, _ in self.parts} & {"–", "/", "‑", "-"}

    def example(self, outside: int | None) -> str:
        """Return an example of such numbers; `outside`: number of parts after a bracket, None without one."""
        pieces = [self.sign, *("".join(part) for part in self.parts)]
        end = len(pieces) - (outside or 0)
        bracket = outside is not None
        return f"{'[' * bracket}{''.join(pieces[:end])}{']' * bracket}{''.join(pieces[end:])}"


@dataclass(slots=True)
class DetectedScheme:
    """Examples of a book's numbers and chapters.

    `labels`: number of labels they were detected from. `names`: words before numbers in headings: chapter,
    rule. `alphabet`: the letters of its numbers, if not a to z.
    """

    numbers: list[str] = field(default_factory=list)
    chapters: list[str] = field(default_factory=list)
    labels: int = 0
    names: list[str] = field(default_factory=list)
    alphabet: str = ""

    def dialect(self) -> NumberingScheme:
        return NumberingScheme(self.numbers, self.chapters, alphabet=self.alphabet or ALPHABET)

    def __str__(self) -> str:
        examples = ", ".join(self.numbers)
        chapters = f", chapters like {', '.join(self.chapters)}" if self.chapters else ""
        return f"numbers like {examples}{chapters} (from {self.labels} labels)"


def detect_scheme(
    texts: Iterable[tuple[str, bool]], cited: Iterable[str] = (), *, are_numbers: bool = False
) -> DetectedScheme | None:
    """Return the numbering scheme of the labels of a book, or None if there is none.

    `texts`: texts that may begin with a label, in the order of the book, and whether each is a heading.
    `cited`: texts of links, which show how deep numbers go. `are_numbers`: every text is known to be a
    number.
    """
    texts = [*texts]
    links = [label for text in cited if (label := _label(text)) and label.is_whole_text]
    opened = [
        (label, is_heading)
        for text, is_heading in texts
        if (label := _label(text)) and (is_heading or are_numbers or len(label.parts) > 1 or text[:1] != "(")
    ]  # (1) at the beginning of a line is a list item or note
    opened = opened if are_numbers else _in_place(opened)
    word = _word([label for label, _ in opened], links)
    labelled = [(worded, is_heading) for label, is_heading in opened if (worded := _worded(label, word))]
    links = [_worded(label, word) or label._replace(word="") for label in links]
    sign = _letter([label for label, _ in labelled], links)
    labelled = [(_lettered(label, sign), is_heading) for label, is_heading in labelled]
    links = [_lettered(label, sign) for label in links]
    name_matches = (_NAMED_LABEL.match(text) for text, is_heading in texts if is_heading)
    names = {m[1].strip().lower() for m in name_matches if m}
    sorts = _PartTypes([label for label, _ in labelled], links)
    counts: Counter[LabelShape] = Counter()
    chapters: Counter[tuple[tuple[str, str], str]] = Counter()
    singles = {parse_int(label.values[0]) for label, _ in labelled if len(label.parts) == 1}
    for label, is_heading in labelled:
        shape, count = sorts.shape(label), parse_int(label.values[0])
        if label.chapter(sorts.hundreds):
            if is_heading or label.values[1:] == ["0"]:
                chapters[shape.family, label.form(shape.parts[0][1])] += 1
        elif (
            are_numbers or count is None or len(label.parts) > 1 or {count - 1, count + 1} & singles
        ):  # no year
            counts[shape] += 1
    clear = {shape: n for shape, n in counts.items() if shape.parts[0][1] == "I" or shape.has_digits}
    counts = Counter(clear or (counts if counts.total() >= _SAME else {}))  # A.b may be no number
    labels = counts.total()
    counts.update(_deeper(counts, map(sorts.shape, links)))
    shapes = _chosen(counts, labels, sorts)
    first = shapes[0].family if shapes else ("", "1")
    if not shapes and chapters and first not in {family for family, _ in chapters}:
        (first, _), _ = chapters.most_common(1)[0]
        first = first if first[0] else ("", "1")  # with a symbol before it, a letter or numeral is a number
    own_forms = Counter({form: n for (family, form), n in chapters.items() if family == first})
    if not own_forms and not shapes:  # letters or roman numerals with a full stop are chapters
        dotted = {(family, form): n for (family, form), n in chapters.items() if form.endswith(".")}
        numeral = any(sort == "I" for (_, sort), _ in dotted)  # then a single I or V is a numeral
        own_forms.update({form: n for ((_, sort), form), n in dotted.items() if not numeral or sort == "I"})
    if not counts and own_forms.total() < 2:
        return None
    brackets = [label.bracket for label, _ in labelled if len(label.parts) > 1]
    bracket = sum(brackets) * 2 > len(brackets)
    numbers = [shape.example(sorts.outside[shape] if bracket else None) for shape in shapes]
    if not numbers:  # a book that numbers its chapters only
        chapter = next(iter(own_forms))
        label_of = "I" if chapter.startswith("IV") else "1" if any(map(str.isdigit, chapter)) else "A"
        numbers = [f"{first[0]}{label_of}(1)" if first[0] else f"{label_of}.1"]
    printed = [form for form, _ in own_forms.most_common(2)] or [
        shapes[0].sign + _COUNTS[shapes[0].parts[0][1]]
    ]
    # A chapter that is printed as 12. is cited as 12.
    printed += [undotted for form in printed if form.endswith(".") and (undotted := form[:-1]) not in printed]
    for family in dict.fromkeys(shape.family for shape in shapes):
        if family != first:
            inside = {label.values[0] for label, _ in labelled if len(label.parts) > 1}
            headings = [
                label for label, is_heading in opened if is_heading and sorts.is_chapter_of(label, family)
            ]
            words = Counter(head.word for head in headings if head.values[0] in inside)
            name = next((word for word, _ in words.most_common(1)), "")
            printed.append(f"{name}{'B' if sorts.mixed else _COUNTS[family[1]]}")  # C counts a hundred there
    alphabet = _alphabet(label for label, _ in labelled if sorts.shape(label) in counts)
    return DetectedScheme(numbers, printed, labels + own_forms.total(), sorted(names), alphabet)


def _label(text: str) -> HeadingLabel | None:
    m = _LABEL.match(text.strip())
    # `1)` needs no opening bracket; `[1` needs a closing one.
    if not m or (bool(m["open"]) != bool(m["close"]) and m["close"] != ")") or len(m["body"]) > _LONGEST:
        return None
    parts = [(t["before"].replace("\xa0", " "), t["value"], t["after"]) for t in _TOKEN.finditer(m["body"])]
    parts += [("", m["after"], "")] if m["after"] else []
    word = f"{m['word'].strip()} " if m["word"] else ""
    is_whole_text = m.end() == len(text.strip())
    sign = (m["sign"] or "")[:1]
    return HeadingLabel(
        word, sign, tuple(parts), m["open"] == "[", int(bool(m["after"])), m["tail"], is_whole_text
    )


def _in_place(opened: list[tuple[HeadingLabel, bool]]) -> list[tuple[HeadingLabel, bool]]:
    """Return the labels within two places of a label of the same or the next chapter; all if none is a rule.

    A die roll, a date or an aircraft at the beginning of a line is among labels of any chapter.
    """
    neighbours = set[int]()
    for way in [(index, index + distance) for distance in (1, 2) for index in range(len(opened) - distance)]:
        first_value, two = (opened[index][0].values[0] for index in way)
        count = parse_int(first_value)
        if first_value == two or (count is not None and parse_int(two) in (count + 1, count * 100)):
            neighbours.update(way)
    neighbours |= {index for index, (label, _) in enumerate(opened) if label.values[1:] == ["0"]}
    in_place = [opened[index] for index in sorted(neighbours)]
    return in_place if any(len(label.parts) > 1 for label, _ in in_place) else opened


def _word(opened: Sequence[HeadingLabel], links: Sequence[HeadingLabel]) -> str:
    """Return the word that belongs to a book's numbers: Art. in Art. 1(1), but not Case in Case 12.5.

    A common word for rules only precedes a number, unless all references include it.
    """
    for word, count in Counter(label.word for label in opened if label.word).most_common(1):
        matching = [label for label in opened if label.word == word and len(label.parts) > 1]
        cited = [label.word == word for label in links]
        mostly = sum(cited) * 2 >= len(cited)
        known = NAMED.match(word) and not word.endswith(". ")
        inside = any(
            before.strip(" ") and " " in before for label in matching for before, _, _ in label.parts
        )
        if matching and count >= len(opened) * _MOSTLY and mostly and (cited or inside or not known):
            return word
    return ""


def _worded(label: HeadingLabel, word: str) -> HeadingLabel | None:
    """Return a label with the word of the book's numbers as its symbol, or without a preceding word."""
    if label.word and label.word == word:
        return label._replace(word="", sign=word + label.sign)
    return label._replace(word="") if not label.word or NAMED.match(label.word) else None


def _letter(labels: Sequence[HeadingLabel], links: Sequence[HeadingLabel]) -> str:
    """Return the letter that all numbers of a book begin with, R in R1.1, unless it is a chapter's."""
    letters = [label.values[0] for label in (*labels, *links) if _opens_with_letter(label)]
    single_values = {label.values[0] for label in labels if len(label.parts) == 1}
    only = {*letters} - {"A", "I"}
    is_one = len({*letters}) == len(only) == 1 and len(letters) >= _SAME
    return letters[0] if is_one and not only & single_values else ""


def _opens_with_letter(label: HeadingLabel) -> bool:
    first, *following = label.parts
    return first[1].isupper() and bool(following) and not following[0][0] and following[0][1].isdigit()


def _lettered(label: HeadingLabel, sign: str) -> HeadingLabel:
    if sign and _opens_with_letter(label) and label.values[0] == sign:
        return label._replace(sign=label.sign + sign, parts=label.parts[1:])
    return label


class _PartTypes:
    """Types of the parts of labels, determined from the values at the same position of all labels.

    `outside`: for each shape the number of parts after a closing bracket.
    """

    def __init__(self, labels: Sequence[HeadingLabel], links: Sequence[HeadingLabel]) -> None:
        chapter_values = [label.values[0] for label in labels if label.values[0].isdigit()]
        hundreds = [top for top in chapter_values if len(top) == 3]
        small_values = [
            top
            for top in chapter_values
            if len(top) < 3 and not any(hundred[:-2] == top for hundred in hundreds)
        ]
        threshold = (len(hundreds) + len(small_values)) * _MOSTLY
        self.hundreds = len({*hundreds}) > _MAX_BY_ONES and len(hundreds) >= threshold
        self.values: defaultdict[Path, dict[str, None]] = defaultdict(dict)
        for label in (*labels, *links):
            for path, value in zip(_paths(label), label.values, strict=True):
                self.values[path][value] = None
        nested = _nested(labels)
        self.sorts = {path: _sort(path, values, nested) for path, values in self.values.items()}
        self.mixed = {path for path, values in self.values.items() if len(path[1]) == 1 and _is_mixed(values)}
        self.outside: Counter[LabelShape] = Counter()
        for label in labels:
            shape = self.shape(label)
            self.outside[shape] = max(self.outside[shape], label.outside)

    def shape(self, label: HeadingLabel) -> LabelShape:
        paths = [*_paths(label)]
        sorts = [self.sorts[path] for path in paths]
        if paths[0] in self.mixed:
            sorts[0] = "I" if _is_numeral(label.values[0]) else "A"
        if self.hundreds and sorts[0] == "1":
            sorts[0] = "100"
        parts = zip(label.parts, sorts, strict=True)
        return LabelShape(label.sign, tuple((before, sort, after) for (before, _, after), sort in parts))

    def is_chapter_of(self, label: HeadingLabel, family: tuple[str, str]) -> bool:
        is_known = all(path in self.sorts for path in _paths(label))  # Art. 1 is not, where Art. is a sign
        return len(label.parts) == 1 and is_known and self.shape(label).family == family

    def has_first_chapter(self, family: tuple[str, str]) -> bool:
        """Return whether a series of chapters has its first possible one: A, I or 1."""
        sign, sort = family
        firsts = (
            path
            for path, path_sort in self.sorts.items()
            if path[0] == sign and len(path[1]) == 1 and (path_sort == sort or path in self.mixed)
        )
        return sort == "100" or any({"1", "A", "a", "I", "i"} & self.values[path].keys() for path in firsts)


def _is_numeral(value: str) -> bool:
    return (len(value) > 1 or value in "IVX") and parse_roman(value.lower()) is not None


def _is_mixed(values: Collection[str]) -> bool:
    """Return whether chapters have roman numerals and letters, such as appendices: I, II, III, A, B."""
    return {"I", "II", "A"} <= {*values} and all(len(value) == 1 or _is_numeral(value) for value in values)


def _paths(label: HeadingLabel) -> Iterator[Path]:
    """Return the position of each part of a label: the symbol and the kinds of parts up to it."""
    kinds = tuple((before, _kind(value), after) for before, value, after in label.parts)
    return ((label.sign, kinds[:end]) for end in range(1, len(kinds) + 1))


def _kind(value: str) -> str:
    return "1" if value.isdigit() else "A" if value.isupper() else "a"


def _sort(path: Path, values: Collection[str], nested: Collection[Path]) -> str:
    """Return the type of labels at a position: letters are roman numerals if most can be, and one must."""
    kind = path[1][-1][1]
    if kind == "1":
        return "11" if path in nested else "1"
    numerals = [value for value in values if parse_roman(value.lower())]
    long = any(len(value) > 2 or len({*value}) > 1 for value in numerals)
    likely = (long or {"i", "I"} & {*numerals}) and len(numerals) >= len(values) * _MOSTLY
    return {"A": "I", "a": "i"}[kind] if likely else kind


def _nested(labels: Sequence[HeadingLabel]) -> set[Path]:
    """Return the positions whose digits are separate levels: 10.11 comes before 10.2 in the book."""
    votes: Counter[Path] = Counter()
    last: dict[Path, tuple[list[str], str]] = {}
    for label in labels:
        for depth, path in enumerate(_paths(label)):
            above, two = label.values[:depth], label.values[depth]
            before, previous = last.get(path, ([], ""))
            last[path] = above, two
            if depth and above == before and two.isdigit() and len(previous) != len(two):
                count, current_count = int(previous), int(two)
                skips = two.startswith(previous) and current_count - count > 1 and not two.endswith("0")
                votes[path] += (count > current_count and previous[0] <= two[0]) or skips
                votes[path] -= count < current_count and previous > two
    return {path for path, count in votes.items() if count > 0}


def _deeper(known: Collection[LabelShape], cited: Iterable[LabelShape]) -> Mapping[LabelShape, int]:
    """Return the shapes of links that extend those of labels, with their counts.

    Rare links may be mistyped, and a range is no number.
    """
    links = Counter(cited)
    min_count = 3 if links.total() > _FEW_LINKS else 1
    joins = {sign for shape in known for sign in shape.joins()}
    often = {shape: n for shape, n in links.items() if n >= min_count and shape.joins() <= joins}
    return {shape: n for shape, n in often.items() if any(stem in known for stem in shape.stems())}


def _chosen(counts: Counter[LabelShape], total: int, sorts: _PartTypes) -> list[LabelShape]:
    """Return the shapes of a book's labels: the longest of each series, the most common series first."""
    if not counts:
        return []
    families: Counter[tuple[str, str]] = Counter()
    support = Counter(counts)
    for shape, count in counts.items():
        families[shape.family] += count
        support.update(dict.fromkeys(shape.stems(), count))
    large = [
        family
        for family, n in families.items()
        if n > 2 and n * 4 >= families.total() and sorts.has_first_chapter(family)
    ]
    first = (large or [families.most_common(1)[0][0]])[0]  # in the order of the book
    chosen_families = {first, *large}
    chosen_families |= {
        family
        for family, n in families.items()
        if n >= max(2, total // 50) and family[1] != "1" and sorts.has_first_chapter(family)
    }
    chosen_shapes = [
        shape
        for shape in counts
        if shape.family in chosen_families
        and (counts[shape] >= max(2, total // 100) or any(stem in counts for stem in shape.stems()[1:]))
    ] or [counts.most_common(1)[0][0]]
    stems = {stem for shape in chosen_shapes for stem in shape.stems()}
    ends = [shape for shape in chosen_shapes if shape not in stems]
    return sorted(ends, key=lambda shape: (shape.family != first, -support[shape], shape))


def _alphabet(labels: Iterable[HeadingLabel]) -> str:
    """Return the letters of labels in order if some are not from a to z, with those between them.

    Accented letters and final forms are skipped unless a label has them.
    """
    letters = {letter for label in labels for value in label.values for letter in value.lower()}
    foreign_letters = {c for c in letters if c.isalpha() and c.upper() != c and len(c.upper()) == 1} - {
        *ALPHABET
    }
    first, last = (ord(min(foreign_letters)), ord(max(foreign_letters))) if foreign_letters else (0, -1)
    between = map(chr, range(first, last + 1)) if last - first < _MAX_LETTERS else sorted(foreign_letters)
    plain = (c for c in between if c in foreign_letters or (c.isalpha() and len(normalize("NFD", c)) == 1))
    return "".join(c for c in plain if c in foreign_letters or c.upper().lower() == c)


def detect_better_scheme(
    labels: Sequence[str], cited: Sequence[str], declared: NumberingScheme
) -> tuple[DetectedScheme, int] | None:
    """Detect a scheme that reads most of the numbers that the declared one does not; return how many.

    `labels` are the numbers of a book in its order, `cited` unreadable numbers after a cue. Forms of chapters
    and an alphabet are proposed only if the declared ones do not fit.
    """
    faults = _count_faults(labels, declared) + len(cited)
    if len(labels) < _MIN_LABELS or faults <= max(_MIN_FAULTS, len(labels) // _LABELS_PER_FAULT):
        return None
    guessed = detect_scheme(
        [(label, True) for label in labels], [*labels, *cited, *cited, *cited], are_numbers=True
    )
    if guessed is None:
        return None
    dialect = guessed.dialect()
    left = _count_faults(labels, dialect) + sum(dialect.parse_number(number) is None for number in cited)
    if left * 5 >= faults:
        return None
    plain = NumberingScheme(guessed.numbers, declared.chapter_forms, alphabet=declared.alphabet)
    plain_labels = [number and number.labels for number in map(plain.parse_number, labels)]
    if plain_labels == [number and number.labels for number in map(dialect.parse_number, labels)]:
        return replace(guessed, chapters=[], alphabet=""), faults - left
    other = dialect.alphabet if dialect.alphabet != declared.alphabet else ""
    return replace(guessed, alphabet=other), faults - left


def _count_faults(labels: Iterable[str], dialect: NumberingScheme) -> int:
    """Count the labels that a scheme cannot parse or finds out of order."""
    numbers = [dialect.parse_number(label) for label in labels]
    out_of_order = (number and other and other.order < number.order for number, other in pairwise(numbers))
    return sum(map(bool, out_of_order)) + numbers.count(None)
