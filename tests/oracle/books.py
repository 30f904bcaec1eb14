"""Made-up books for the oracle: how each writes its numbers, and what numbers it has.

Nothing here comes from the generator. A numbering is written down as a row of levels (`"1 .1 a (A)"`: a
number, a number behind a point, a letter, a large letter in brackets), and a rule is its labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import NamedTuple

LATIN = "abcdefghijklmnopqrstuvwxyz"
ROMAN = (
    "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv xxv".split()
)
NUMBERS = ((1, 2), (1, 2, 3, 4, 5), tuple(range(1, 14)), (2, 3, 8, 9, 10, 11, 12), (1, 2, 3, 4))
ONES = ((1, 2, 3), (1, 2, 4, 9), (1, 2), (1, 2, 3, 4, 5, 6))
LETTERS = ((1, 2, 3), (1, 2, 4, 5), tuple(range(1, 10)), (1, 2, 25, 26, 27, 28))
ROMANS = ((1, 2, 3, 4), (1, 2), (1, 2, 3, 4, 5, 6), (1, 2, 9, 10))
SIZES = {"1": NUMBERS, "#": ONES, "a": LETTERS, "A": LETTERS, "i": ROMANS, "I": ROMANS}
"""For each sort of label (`#` is a digit that is a level of its own) what siblings may count, gaps and all."""


class Level(NamedTuple):
    """One level of a numbering: its sort of label and the signs before and behind."""

    before: str
    sort: str
    after: str


class Rule(NamedTuple):
    """A rule of a made-up book: after which form it is written, its labels, how deep it lies, its place."""

    form: int
    labels: tuple[str, ...]
    depth: int
    at: int
    key: str


@dataclass(eq=False)
class Book:
    """A book and its numbering. `declared` is its rulebook.yml, `forms` says the same in the oracle's way.

    `again`: for each form which earlier one it only writes in another way. `chapters`: the signs before
    and behind the label of a whole chapter, its own printed form first.
    `top`: what its chapters count. `home`: the chapter its texts stand in, where they leave that out. `chain`: the
    words for the levels of a number that is said in words. `extra`: labels of rules besides those that grow.
    """

    name: str
    declared: str
    forms: Sequence[str]
    chapters: Sequence[tuple[str, str]] = ()
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
    joins: Sequence[str] = ("and", "or")
    through: Sequence[str] = ("to", "through")
    tight: Sequence[str] = ("-", "–", "—", "--")
    marks: Sequence[str] = ("[", "]")
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
        order = [sorted(row, key=lambda one: self._ordinals(*one)) for row in rows]
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
        row, share = [(top,)], self.limit // len(self.top)
        for above in row:
            if (
                len(row) < share
                and len(above) < len(self.levels[0])
                and (len(row) < 4 or chance.random() < 0.6)
            ):
                sort = self.levels[0][len(above)].sort
                for n in chance.choice(SIZES[sort]):
                    if sort != "a" or n <= 2 * len(self.alphabet):
                        row.append((*above, self.label(sort, n)))
        return iter(row)

    def label(self, sort: str, n: int) -> str:
        """The label that counts `n`."""
        if sort in "1#":
            return str(n)
        if sort in "iI":
            return ROMAN[n - 1] if sort == "i" else ROMAN[n - 1].upper()
        again, place = divmod(n - 1, len(self.alphabet))
        letters = self.alphabet[place] * (again + 1)
        return letters if sort == "a" else letters.upper()

    def _ordinals(self, form: int, labels: Sequence[str]) -> list[int]:
        """What labels count, found by trying."""
        sorts = [level.sort for level in self.levels[form]]
        return [
            next(n for n in range(2000 if sort == "1" else 60) if self._counts(sort, n, label))
            for sort, label in zip(sorts, labels, strict=False)
        ]

    def _counts(self, sort: str, n: int, label: str) -> bool:
        if sort in "1#":
            return label == str(n)
        return n > 0 and (sort not in "iI" or n <= len(ROMAN)) and self.label(sort, n) == label

    def printed(self, form: int, labels: Sequence[str]) -> str:
        """A number as the book prints it."""
        if len(labels) == 1 and form == 0 and self.chapters:
            before, after = self.chapters[0]
            return f"{before}{labels[0]}{after}"
        return self.tail(form, labels, 0)

    def tail(self, form: int, labels: Sequence[str], first: int, signed: bool = True) -> str:
        """The end of a number from a level on, with or without the sign before its first label."""
        pieces = [
            f"{level.before}{label}{level.after}"
            for level, label in zip(self.levels[form][first:], labels[first:], strict=False)
        ]
        before = self.levels[form][first].before
        return "".join(pieces)[0 if signed else len(before) :]


def _level(token: str) -> Level:
    """One token of a form: `(A)` is the sort A between brackets, `_` a space."""
    token = token.replace("_", " ")
    at = len(token) - 1 if token[-1] in SIZES else len(token) - 2
    return Level(token[:at], token[at], token[at + 1 :])


BOOKS = [
    Book(
        "OCS",
        'numbers: "1.1a(A)"\nchapters: ["12.0", "12."]\ncues: [see, see also, per, rule, section, case]',
        ["1 .1 a (A)"],
        [("", ".0"), ("", ".")],
        extra=[(0, ("10", "0", "a")), (0, ("10", "0", "b")), (0, ("10", "0", "d"))],
    ),
    Book(
        "Eastern Front",
        'numbers: "1.A.1.a"\nchapters: ["62", "4."]\ncues: [see, see also, per, rule, section, case]',
        ["1 .A .1 .a"],
        [("", ""), ("", ".")],
        top=(1, 4, 14, 16, 20, 45, 47, 62),
    ),
    Book(
        "SPI",
        'numbers: "[1.11]"\nchapters: ["3.0"]\nlevels: [section, case]\ncues: [see, see also, per, rule, section, case]',
        ["1 .# # #"],
        [("", ".0")],
        top=(3, 5, 10, 12, 24, 39),
    ),
    Book(
        "SPI, lettered",
        'numbers: "[1.11]A"\nchapters: ["3.0"]\ncues: [see, see also, per, rule, section, case]',
        ["1 .# # A"],
        [("", ".0")],
        top=(3, 4, 6, 10, 12, 15),
    ),
    Book(
        "COIN",
        'numbers: "1.1.1"\nchapters: ["4.0", "4"]\ncues: [see, see also, per, rule, section, case]',
        ["1 .1 .1"],
        [("", ".0"), ("", "")],
        top=(1, 2, 3, 4, 5, 8),
        limit=110,
    ),
    Book(
        "Squad tactics",
        'numbers: ["A1.111", "A.1"]\nchapters: ["C", "(22-23)"]\nimplied: chapter\n'
        "cues: [see, see also, per, rule, section, case, chapter]",
        ["A 1 .# # #", "A .1"],
        [("", "")],
        top=(1, 2, 4),
        pairs=True,
        home="A",
        extra=[(1, ("A", "2")), (1, ("A", "7")), (1, ("D", "4"))],
        limit=90,
    ),
    Book(
        "Netrunner",
        'numbers: "1.1.1a"\nchapters: ["4", "4."]\ncues: [see, see also, per, rule, section, case]',
        ["1 .1 .1 a"],
        [("", ""), ("", ".")],
        top=(1, 2, 5, 9, 10),
    ),
    Book(
        "Paragraphs",
        'numbers: "§1-a-i"\nchapters: "§4"\ncues: [see, see also, per, rule, section, case]',
        ["§1 -a -i"],
        [("§", "")],
        tight=("–", "—"),
    ),
    Book(
        "Articles",
        'numbers: "§1.1(a)(i)"\nchapters: "§4"\ncues: [see, see also, per, rule, section, case]',
        ["§1 .1 (a) (i)"],
        [("§", "")],
    ),
    Book(
        "Rails",
        'numbers: "R1.1"\nchapters: "R1"\ncues: [see, see also, per, rule, section, case]',
        ["R1 .1"],
        [("R", "")],
    ),
    Book(
        "Hyphens",
        'numbers: "1-1"\nchapters: "4"\ncues: [see, see also, per, rule, section, case]',
        ["1 -1"],
        [("", "")],
        tight=("–", "—"),
    ),
    Book(
        "Legions",
        'numbers: "I.A.1"\nchapters: "IV"\ncues: [see, see also, per, rule, section, case]',
        ["I .A .1"],
        [("", "")],
        top=(1, 2, 4, 9, 10),
    ),
    Book(
        "Two hands",
        'numbers: ["1.1a", "1.1(a)"]\nchapters: "4.0"\ncues: [see, see also, per, rule, section, case]',
        ["1 .1 a", "1 .1 (a)"],
        [("", ".0")],
        again=(0, 0),
    ),
    Book(
        "Charts",
        'numbers: ["1.1a", "I.A.1"]\nchapters: "12.0"\ncues: [see, see also, per, rule, section, case]',
        ["1 .1 a", "I .A .1"],
        [("", ".0")],
        top=(4, 9, 10, 14),
        extra=[
            (1, labels)
            for labels in [
                ("I", "A"),
                ("I", "A", "1"),
                ("I", "A", "2"),
                ("I", "A", "3"),
                ("I", "B"),
                ("I", "B", "1"),
                ("II", "A"),
                ("II", "A", "9"),
                ("II", "A", "10"),
            ]
        ],
    ),
    Book(
        "Курская дуга",
        'numbers: "1.1a"\nchapters: "4.0"\nalphabet: абвгдежзиклмн\ncues: [см., правило, раздел]\n'
        "joins: [и, или]\nthrough: [до, по]",
        ["1 .1 a"],
        [("", ".0")],
        alphabet="абвгдежзиклмн",
        cues=("правило", "раздел"),
        several=("правило",),
        points=("см.",),
        joins=("и", "или"),
        through=("до", "по"),
    ),
    Book(
        "Σαλαμίνα",
        'numbers: "1.a.i"\nchapters: "4"\nalphabet: αβγδεζηθ\ncues: [βλέπε, κανόνας]\njoins: [και, ή]\nthrough: [έως]',
        ["1 .a .i"],
        [("", "")],
        alphabet="αβγδεζηθ",
        cues=("κανόνας",),
        several=("κανόνας",),
        points=("βλέπε",),
        joins=("και", "ή"),
        through=("έως",),
    ),
    Book(
        "Ostfront",
        'numbers: "1.1a"\nchapters: "4.0"\ncues: [siehe, vgl., Abschnitt, Regel]\njoins: [und, oder, sowie]\n'
        "through: [bis]",
        ["1 .1 a"],
        [("", ".0")],
        cues=("Abschnitt", "Regel"),
        several=("Abschnitte", "Regeln"),
        points=("siehe", "vgl."),
        joins=("und", "oder", "sowie"),
        through=("bis",),
    ),
]
