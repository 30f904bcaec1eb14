"""How the oracle writes numbers: an invented book, its numbering and the rules that it has.

Nothing here comes from the generator. A numbering is written down as a row of levels (`"1 .1 a (A)"`: a
number, a number after a point, a letter, a large letter in brackets), and a rule is its labels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import NamedTuple

LATIN = "abcdefghijklmnopqrstuvwxyz"
ROMAN = ["", *["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]]
NUMBERS = ((1, 2), (1, 2, 3, 4, 5), tuple(range(1, 14)), (2, 3, 8, 9, 10, 11, 12), (1, 2, 3, 4))
ONES = ((1, 2, 3), (1, 2, 4, 9), (1, 2), (1, 2, 3, 4, 5, 6))
LETTERS = ((1, 2, 3), (1, 2, 4, 5), tuple(range(1, 10)), (1, 2, 25, 26, 27, 28))
ROMANS = ((1, 2, 3, 4), (1, 2), (1, 2, 3, 4, 5, 6), (1, 2, 9, 10), (1, 2, 14, 19))
SIZES = {"1": NUMBERS, "#": ONES, "0": NUMBERS, "a": LETTERS, "A": LETTERS, "i": ROMANS, "I": ROMANS}
"""For each sort of label what siblings may count, gaps and all. `#`: a digit that is a level of its own, `0`:
two digits with that property."""


class Level(NamedTuple):
    """One level of a numbering: its type of label and the signs before and after."""

    before: str
    sort: str
    after: str


class Rule(NamedTuple):
    """A rule of an invented book: its form, labels, level and position."""

    form: int
    labels: tuple[str, ...]
    depth: int
    at: int
    key: str


@dataclass(eq=False, repr=False)
class Book:
    """A book and its numbering. `declared` is its rulebook.yml, `forms` says the same in the oracle's way.

    `again`: for each form which earlier one it only writes in another way. `chapters`: the signs before
    and after the label of a whole chapter, its own printed form first; `appendices`: the same for chapters
    of the second form. `top`: what its chapters count. `home`: the chapter that its texts stand in, where
    they leave that out. `chain`: words for its levels. `extra`: labels of rules besides those that grow.
    `pairs`: two bare chapters alone in parentheses are a range; `lone`: so is one. `tight`: the dashes of its
    ranges.
    """

    name: str
    declared: str
    forms: Sequence[str]
    chapters: Sequence[tuple[str, str]] = ()
    appendices: Sequence[tuple[str, str]] = ()
    top: Sequence[int] = (1, 2, 3, 4, 8, 9, 10, 12, 24)
    pairs: bool = False
    lone: bool = False
    again: Sequence[int] = ()
    alphabet: str = LATIN
    home: str = ""
    chain: Sequence[str] = ()
    extra: Sequence[tuple[int, tuple[str, ...]]] = ()
    cues: Sequence[str] = ("rule", "section", "case")
    several: Sequence[str] = ("rules", "sections", "cases")
    points: Sequence[str] = ("see", "see also", "per")
    joins: Sequence[str] = ("and", "or", "and/or", "as well as")
    through: Sequence[str] = ("to", "through", "thru")
    tight: Sequence[str] = ("-", "–", "—", "--", "‑", "-\n", "–\n")
    limit: int = 90
    levels: list[list[Level]] = field(init=False)

    def __post_init__(self) -> None:
        self.levels = [[*map(_level, form.split())] for form in self.forms]

    def same(self, form: int) -> int:
        """The form that a form is another way of writing."""
        return self.again[form] if self.again else form

    @cached_property
    def rules(self) -> list[Rule]:
        """The rules of the book in its order."""
        chance = Random(self.name)
        rows = [[(0, labels) for labels in self._grow(chance, n)] for n in self.top]
        for form, labels in self.extra:
            row = next((row for row in rows if row[0][1][0] == labels[0]), None)
            if row is None:
                rows.append([(form, labels)])
            elif (form, labels) not in row:
                row.append((form, labels))
        order = [sorted(row, key=lambda one: self._ordinals(*one)[1:]) for row in rows]
        have = {labels for row in order for _, labels in row}
        return [
            Rule(
                form,
                labels,
                sum(labels[:n] in have for n in range(1, len(labels))),
                at,
                self.printed(form, labels),
            )
            for at, (form, labels) in enumerate(one for row in order for one in row)
        ]

    def _grow(self, chance: Random, chapter: int) -> Iterator[tuple[str, ...]]:
        """The labels of the rules of a chapter, at most its share of the whole book."""
        top = self.label(self.levels[0][0].sort, chapter)
        row, share, levels = [(top,)], self.limit // len(self.top), self.levels[0]
        for above in row:
            if len(row) < share and len(above) < len(levels) and (len(row) < 4 or chance.random() < 0.6):
                sort = levels[len(above)].sort
                counts = [n for n in chance.choice(SIZES[sort]) if sort != "a" or n <= 2 * len(self.alphabet)]
                row += [(*above, self.label(sort, n)) for n in counts]
        return iter(row)

    def label(self, sort: str, n: int) -> str:
        """The label that counts `n`."""
        if sort in "1#":
            return str(n)
        if sort == "0":
            return f"{n - 1:02}"
        if sort in "iI":
            numeral = "x" * (n // 10) + ROMAN[n % 10]
            return numeral if sort == "i" else numeral.upper()
        again, place = divmod(n - 1, len(self.alphabet))
        letters = self.alphabet[place] * (again + 1)
        return letters if sort == "a" else letters.upper()

    def _ordinals(self, form: int, labels: Sequence[str]) -> list[tuple[int, int]]:
        """What labels count, found by trying; of two forms, A2 and A.2, the first goes first."""
        sorts = [level.sort for level in self.levels[form]]
        return [
            (next(n for n in range(2000 if sort == "1" else 60) if self._counts(sort, n, label)), form)
            for sort, label in zip(sorts, labels, strict=False)
        ]

    def _counts(self, sort: str, n: int, label: str) -> bool:
        if sort in "1#":
            return label == str(n)
        return n > 0 and self.label(sort, n) == label

    def printed(self, form: int, labels: Sequence[str]) -> str:
        """A number as the book prints it."""
        if len(labels) == 1 and (forms := self.chapter_forms(form)):
            before, after = forms[0]
            return f"{before}{labels[0]}{after}"
        return self.tail(form, labels, 0)

    def chapter_forms(self, form: int) -> Sequence[tuple[str, str]]:
        """The signs around the label of a whole chapter that belongs to a form."""
        return (self.chapters, self.appendices)[form] if form < 2 else ()

    def tail(self, form: int, labels: Sequence[str], first: int, signed: bool = True) -> str:
        """The end of a number from a level on, with or without the sign before its first label."""
        pieces = [
            f"{level.before}{label}{level.after}"
            for level, label in zip(self.levels[form][first:], labels[first:], strict=False)
        ]
        before = self.levels[form][first].before
        return "".join(pieces)[0 if signed else len(before) :].lstrip()


def _level(token: str) -> Level:
    """One token of a form: `(A)` is the sort A between brackets, `_` a space."""
    token = token.replace("_", " ")
    at = len(token) - 1 if token[-1] in SIZES else len(token) - 2
    return Level(token[:at], token[at], token[at + 1 :])
