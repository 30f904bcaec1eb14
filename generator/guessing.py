"""How a book numbers its rules, guessed from the labels in its texts.

A label is what a heading or a bold beginning opens with: `12.0`, `12.1a`, `4.A.1`, `[3.2]`, `§4-b`. Labels
of one shape are counted, and shapes that go on where another ends become one example of the book's dialect.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from generator.amounts import whole
from generator.numbers import Dialect

NAMES = (
    "art\\.|rule|rules|section|chapter|case|part|article|appendix|regel|abschnitt|kapitel|teil|artikel|règle|"
    "chapitre|"
    "regla|capítulo|sección|regola|capitolo|hoofdstuk"
)
NAMED = re.compile(rf"\A\s*(?:{NAMES})\s+", re.IGNORECASE)
_NAMED_LABEL = re.compile(rf"\s*({NAMES})\s+[\[(§]?\w{{1,4}}\b", re.IGNORECASE)
_GROUP = r"(?:\d{1,3}|[IVXLC]{2,6}|[ivx]{2,5}|[A-Za-z](?![A-Za-z]))"
_LABEL = re.compile(
    rf"(?P<open>[\[(])?(?P<sign>§{{1,2}}[ \xa0]?)?"
    rf"(?P<body>{_GROUP}(?:[.:/‑–-]?{_GROUP}|\((?:\d{{1,2}}|[A-Za-z])\))*)"
    r"(?P<close>[\])])?(?P<after>[A-Za-z](?![A-Za-z]))?(?P<tail>[.:)]{0,2})(?=\s|$)"
)
_TOKEN = re.compile(r"(?P<before>[.:/‑–(-]?)(?:(?P<digits>\d+)|(?P<letters>[A-Za-z]+))(?P<after>\)?)")
_MOST_CHAPTERS = 200
_FEW_LINKS = 5


class Shape(NamedTuple):
    """What labels have in common: the sign in front, whether brackets stand around, and the sort of each
    part."""

    sign: str
    bracket: bool
    parts: tuple[tuple[str, str, str], ...]  # before, sort, after
    outside: int = 0  # how many parts stand behind the closing bracket

    def begins(self, other: Shape) -> bool:
        """Whether the other shape goes on where this one ends."""
        same = self[:2] == other[:2]
        return same and self != other and other.parts[: len(self.parts)] == self.parts

    def is_range(self) -> bool:
        """Whether its last part stands behind a sign that joins two numbers."""
        return self.parts[-1][0] in ("–", "/", "‑", "-")

    def example(self) -> str:
        inside = len(self.parts) - self.outside
        written = ["".join(part) for part in self.parts]
        words = (
            f"{''.join(written[:inside])}]{''.join(written[inside:])}" if self.bracket else "".join(written)
        )
        return f"{'[' if self.bracket else ''}{self.sign}{words}"


@dataclass(slots=True)
class Guess:
    """The examples of a book's numbers and of how it prints a chapter's, and how many labels say so.

    `names`: the words that stand in front of numbers in headings: chapter, rule.
    """

    numbers: list[str] = field(default_factory=list)
    chapters: list[str] = field(default_factory=list)
    labels: int = 0
    names: list[str] = field(default_factory=list)

    def dialect(self) -> Dialect:
        return Dialect(self.numbers, self.chapters)

    def __str__(self) -> str:
        shown = ", ".join(self.numbers)
        chapters = f", chapters like {', '.join(self.chapters)}" if self.chapters else ""
        return f"numbers like {shown}{chapters} (from {self.labels} labels)"


def guess(texts: Iterable[tuple[str, bool]], cited: Iterable[str] = ()) -> Guess | None:
    """The dialect that the labels of a book speak, or None where it has none.

    `texts`: what may open with a label, in the order of the book, and whether it is a heading; `cited`: words
    of links, which show how deep the book's numbers go.
    """
    found = [(m, is_heading) for text, is_heading in texts if (m := _label(text))]
    named = (_NAMED_LABEL.match(text) for text, is_heading in texts if is_heading)
    names = {m[1].strip().lower() for m in named if m}
    counts: Counter[Shape] = Counter()
    chapters: Counter[tuple[str, str]] = Counter()
    in_order: list[list[str]] = []
    for m, is_heading in found:
        shape, values = _shape(m)
        if _is_chapter(shape, values):
            if is_heading:
                chapters[_chapter_form(m, values), _sort(values[0])] += 1
        elif any(value.isdigit() for value in values) or shape.parts[0][1] == "I":
            counts[shape] += 1
            in_order.append(values)
    labels = sum(counts.values())
    links = Counter(_shape(m)[0] for text in cited if (m := _label(text)) and m.end() == len(text.strip()))
    # A link or two among many may be mistyped, and a range is no number.
    least = 3 if links.total() > _FEW_LINKS else 1
    deeper = {shape: count for shape, count in links.items() if count >= least and not shape.is_range()}
    known = [*counts]
    counts.update({shape: n for shape, n in deeper.items() if any(one.begins(shape) for one in known)})
    counts = _romans(counts)
    shapes = _chosen(counts)
    first = shapes[0].parts[0][1] if shapes else "1"
    # A capital letter that opens a heading is a chapter only where deeper labels begin with one.
    # A single V among roman numerals is one of them.
    own = {form: n for (form, sort), n in chapters.items() if sort == first}
    if not own and not shapes:  # chapters by letters or Roman numerals that a full stop shows to be such
        dotted = {(form, sort): n for (form, sort), n in chapters.items() if form.endswith(".")}
        roman = any(sort == "I" for _, sort in dotted)  # a single I or V is one of them then
        own = {form: sum(dotted.values()) for form, sort in dotted if not roman or sort == "I"}
    forms = Counter(own or {form: n for (form, sort), n in chapters.items() if {sort, first} == {"I", "A"}})
    if not counts and sum(forms.values()) < 2:
        return None
    nested = _is_nested(in_order)
    numbers = [_nested(shape).example() if nested else shape.example() for shape in shapes]
    numbers = numbers or [_bare_example(next(iter(forms)))]
    printed = [form for form, _ in forms.most_common(2)] or [_own_form(numbers[0])]
    # A chapter that is printed as 12. is cited as 12.
    printed += [bare for form in printed if form.endswith(".") and (bare := form[:-1]) not in printed]
    return Guess(numbers, printed, labels + sum(forms.values()), sorted(names))


def _label(text: str) -> re.Match[str] | None:
    m = _LABEL.match(NAMED.sub("", text.strip(), count=1))
    # `1)` needs no bracket in front, as `[1` needs one behind.
    return m if m and (bool(m["open"]) == bool(m["close"]) or m["close"] == ")") else None


def _shape(m: re.Match[str]) -> tuple[Shape, list[str]]:
    """The shape of a label and its parts."""
    parts, values = [], []
    for token in _TOKEN.finditer(m["body"]):
        value = token["digits"] or token["letters"]
        parts.append((token["before"], _sort(value), token["after"]))
        values.append(value)
    if m["after"]:
        parts.append(("", _sort(m["after"]), ""))
        values.append(m["after"])
    return Shape((m["sign"] or "").strip()[:1], m["open"] == "[", tuple(parts), int(bool(m["after"]))), values


def _sort(value: str) -> str:
    if value.isdigit():
        return "1"
    if len(value) > 1:
        return "I" if value.isupper() else "i"
    return "A" if value.isupper() else "a"


def _is_chapter(shape: Shape, values: Sequence[str]) -> bool:
    """Whether a label is a whole chapter's: 12, 12.0, IV."""
    if len(values) == 1:
        count = whole(values[0])
        return not values[0].isdigit() or (count is not None and count <= _MOST_CHAPTERS)
    return len(values) == 2 and values[1] == "0" and shape.parts[1][1] == "1"


def _chapter_form(m: re.Match[str], values: Sequence[str]) -> str:
    """How a chapter is printed, by an example that does not depend on which comes first: 12.0, 12., §4."""
    count = {"1": "12", "A": "C", "a": "c", "I": "IV", "i": "iv"}[_sort(values[0])]
    zero = m["body"][len(values[0]) :]
    tail = "." if m["tail"].startswith(".") and not zero else ""
    return f"{(m['sign'] or '').strip()[:1]}{count}{zero}{tail}"


def _own_form(example: str) -> str:
    """The form of a chapter that no page prints: its label alone."""
    m = re.match(r"\[?([^\w\[]*)(1|I|i|A|a)", example)
    sign, label = (m[1], m[2]) if m else ("", "1")
    return sign + {"1": "12", "I": "IV", "i": "iv", "A": "C", "a": "c"}[label]


def _bare_example(chapter: str) -> str:
    """An example of numbers for a book that numbers its chapters only."""
    label = "I" if chapter.startswith("IV") else "1" if any(map(str.isdigit, chapter)) else "A"
    return f"{label}.1"


def _romans(counts: Counter[Shape]) -> Counter[Shape]:
    """Shapes where a single I, V or X counts as a roman numeral, where longer ones stand in its place."""
    roman = {(at, part[1]) for shape in counts for at, part in enumerate(shape.parts) if part[1] in "Ii"}
    made: Counter[Shape] = Counter()
    for shape, count in counts.items():
        parts = tuple(
            (before, {"A": "I", "a": "i"}.get(sort, sort), after)
            if (at, {"A": "I", "a": "i"}.get(sort, sort)) in roman
            else (before, sort, after)
            for at, (before, sort, after) in enumerate(shape.parts)
        )
        made[shape._replace(parts=parts)] += count
    return made


def _chosen(counts: Counter[Shape]) -> list[Shape]:
    """The shapes that labels of the book have: the longest of each row, the commonest row first."""
    if not counts:
        return []
    support = {
        shape: sum(count for other, count in counts.items() if other == shape or other.begins(shape))
        for shape in counts
    }
    whole = sum(counts.values())
    first = max(counts, key=lambda shape: counts[shape]).parts[0][1]
    kept = [
        shape
        for shape in counts
        if shape.parts[0][1] == first
        and (counts[shape] >= max(2, whole // 100) or any(s.begins(shape) for s in counts))
    ] or [counts.most_common(1)[0][0]]
    ends = [shape for shape in kept if not any(shape.begins(other) for other in kept)]
    return sorted(ends, key=lambda shape: (-support[shape], shape))


def _is_nested(labels: Sequence[Sequence[str]]) -> bool:
    """Whether 10.11 comes before 10.2 in the book: digits behind the point are then a level each."""
    nested = plain = 0
    pairs = [(values[0], values[1]) for values in labels if len(values) > 1 and values[1].isdigit()]
    for (chapter, one), (other, two) in pairwise(dict.fromkeys(pairs)):
        if chapter == other and len(one) != len(two):
            count, then = whole(one) or 0, whole(two) or 0
            nested += count > then and one[0] <= two[0]
            plain += count < then and one > two
    return nested > plain


def _nested(shape: Shape) -> Shape:
    parts = list(shape.parts)
    if len(parts) > 1 and parts[1][1] == "1":
        parts[1] = (parts[1][0], "11", parts[1][2])
    return shape._replace(parts=tuple(parts))
