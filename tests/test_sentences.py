"""Sentences made from the rules that they cite, in many books' numbers: each reference is linked or told.

A sentence is put together from its targets, so that what is right is known without the finder: which rules,
in which order, or that something is wrong with a number. A rule that is linked and not meant is wrong; one
that is meant and neither linked nor told is silent.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

import pytest

from rulewright.book.outline import Outline
from rulewright.citations.shelf import Shelf
from tests.test_references import outlines

COUNT = 200 * int(os.environ.get("TIMES", "1"))
TOLD = "told"
ZERO_WIDTH = "\u200b", "\u2060", "\xad", "\ufeff", "\u200e"
LEADS = "See ", "The owner loses it, see ", "A unit in supply moves as rule ", "(per ", "As section "
ENDS = ".", ";", ", which holds.", " (at sea).", ", and all move."
Labels = tuple[str, ...]


@dataclass(frozen=True)
class Book:
    """A way to number rules. `levels`: the labels of each below the chapter; `around` what stands about them.

    `whole`: how a chapter is printed; `word`: how whole chapters are cited in lists, where they are. `words`:
    those of levels. `shorts`: the levels whose labels may be shortened; `digits`: those that are digits.
    """

    name: str
    head: str
    chapters: Labels
    levels: tuple[Labels, ...]
    around: tuple[tuple[str, str], ...]
    whole: str = "{}"
    word: str = ""
    words: Labels = ()
    shorts: tuple[int, ...] = ()
    suffixes: Labels = ()
    wrong: Labels = ("†", "½", "/Q", "-Q")

    def __str__(self) -> str:
        return self.name

    def key(self, labels: Labels) -> str:
        if len(labels) == 1:
            return self.whole.format(labels[0])
        pairs = zip(self.around, labels, strict=False)
        return "".join(f"{before}{label}{behind}" for (before, behind), label in pairs)

    def short(self, level: int, label: str) -> str:
        before, behind = self.around[level]
        return f"{before if behind else ''}{label}{behind}"

    @property
    def rules(self) -> list[Labels]:
        found: list[Labels] = [(chapter,) for chapter in self.chapters]
        for row in found:
            if len(row) <= len(self.levels):
                found += [(*row, label) for label in self.levels[len(row) - 1]]
        return found


CUES = "cues: [see, per, rule, rules, section, sections, chapter, chapters]\n"
FOUR = ("4", "12", "24", "31")
BOOKS = [
    Book(
        "as in OCS",
        'numbers: "1.1a(A)"\nchapters: ["12.0", "12."]\nlevels: [chapter, section, case, item]\n' + CUES,
        FOUR,
        (("1", "2", "3", "4"), ("b", "c", "d", "e"), ("A", "B", "C")),
        (("", ""), (".", ""), ("", ""), ("(", ")")),
        "{}.0",
        "Chapters",
        ("chapter", "section", "case", "item"),
        (1, 2, 3),
    ),
    Book(
        "as in ASL",
        'numbers: ["A1.111", "A.1"]\nchapters: ["C", "(22-23)"]\nimplied: chapter\n'
        "levels: [chapter, section, case, subcase, item]\n" + CUES,
        ("A", "B", "C", "D"),
        (("3", "4", "12"), ("2", "3", "4")),
        (("", ""), ("", ""), (".", "")),
        "{}",
        "Chapters",
    ),
    Book(
        "as in the East",
        'numbers: "1.A.1.a"\nchapters: ["62", "4."]\nlevels: [chapter, section, case, item]\n' + CUES,
        FOUR,
        (("B", "C", "D", "E"), ("1", "2", "3", "4"), ("b", "c", "d")),
        (("", ""), (".", ""), (".", ""), (".", "")),
        "{}",
        "Rules",
        ("chapter", "section", "case", "item"),
        (1, 2, 3),
        wrong=("†", "½", "*", "bis"),
    ),
    Book(
        "as in Normandy",
        'numbers: "[1.11]A"\nchapters: ["3.0"]\nlevels: [chapter, section, case, item]\n' + CUES,
        FOUR,
        (("1", "2", "3", "4"),),
        (("", ""), (".", "")),
        "{}.0",
        "Chapters",
        ("chapter", "section"),
        (1,),
    ),
    Book(
        "decimal",
        'numbers: "1.1.1"\nchapters: "4"\n' + CUES,
        FOUR,
        (("41", "42", "43", "44"), ("1", "2", "3")),
        (("", ""), (".", ""), (".", "")),
        "{}",
        "Sections",
        (),
        (1, 2),
        wrong=("bis", " ter", "'", "*", "+", "++", "†", "½", "-A", "/A"),
    ),
    Book(
        "of a law",
        'numbers: "1.1(a)(1)"\nchapters: ["Part 1"]\nlevels: [part, section, "paragraph, para.", item]\n'
        + CUES,
        FOUR,
        (("30", "31", "32"), ("b", "c", "d", "e"), ("1", "2", "3")),
        (("", ""), (".", ""), ("(", ")"), ("(", ")")),
        "Part {}",
        "Parts",
        ("part", "section", "paragraph", "item"),
        (2, 3),
        wrong=("bis", "*", "+", "†", "½"),
    ),
    Book(
        "with appendices",
        'numbers: ["1.1.1", "A.1.1"]\nchapters: ["1", "Appendix A"]\n' + CUES,
        ("B", "C", "D", "E"),
        (("1", "2", "3"), ("1", "2", "3")),
        (("", ""), (".", ""), (".", "")),
        "Appendix {}",
        "Appendices",
        (),
        (1, 2),
        wrong=("bis", "*", "+", "†", "½"),
    ),
    Book(
        "with codes",
        'numbers: "AA.1.1"\nchapters: "GR"\n' + CUES,
        ("GR", "MOV", "AIR"),
        (("1", "2", "3", "4"), ("1", "2", "3")),
        (("", ""), (".", ""), (".", "")),
        "{}",
        "Chapters",
        wrong=("bis", "*", "+", "†", "½"),
    ),
    Book(
        "with letters put in",
        'numbers: "1.1(1)"\nchapters: "4.0"\nsuffixes: [A, bis, " ter"]\nlevels: [chapter, section, item]\n'
        + CUES,
        ("4", "4A", "12", "24"),
        (("1", "1A", "1B", "2", "2bis", "2 ter", "3"), ("1", "2", "2A", "3")),
        (("", ""), (".", ""), ("(", ")")),
        "{}.0",
        "Chapters",
        ("chapter", "section", "item"),
        (),
        ("C", " quater", "D"),
        wrong=("*", "+", "†", "½"),
    ),
    Book(
        "with plus signs",
        'numbers: "1a.1"\nchapters: "4"\nsuffixes: ["+", "++"]\n' + CUES,
        FOUR,
        (("b", "b+", "b++", "c", "d", "d+"), ("1", "1+", "2")),
        (("", ""), ("", ""), (".", "")),
        "{}",
        "Rules",
        wrong=("*", "+++", "†", "½"),
    ),
]
PAIRS = "{} and {}", "{} or {}", "{}, {}", "{}/{}", "{} & {}"
THREES = "{}, {} and {}", "{}, {}, and {}", "{}, {} or {}"
RANGES = "{}-{}", "{}–{}", "{} to {}", "{} through {}"


@cache
def shelf_of(book: Book) -> tuple[Shelf, Outline]:
    listed = "".join(f'  - {{number: "{book.key(labels)}"}}\n' for labels in book.rules)
    files = {
        "content/x/rulebook.yml": f"title: X\n{book.head}",
        "content/x/1/edition.yml": 'edition: "1"\n',
        "content/x/1/known.yml": f"known:\n{listed}",
    }
    shelf = Shelf(outlines({name: text.encode() for name, text in files.items()}))
    outline = shelf.outlines["x/1"]
    assert set(outline.entries) == {book.key(labels) for labels in book.rules}
    return shelf, outline


def read(book: Book, text: str) -> list[str]:
    shelf, outline = shelf_of(book)
    return [
        TOLD if one.fault or not one.target else one.target.key
        for one in shelf.resolve(text, outline, outline.chapters[-1].number.labels[0])
    ]


Made = tuple[str, list[str]]


class Sentences:
    """Makes the references of sentences of one book."""

    def __init__(self, book: Book, seed: str) -> None:
        self.book, self.chance = book, Random(f"{book} {seed}")
        self.keys = [book.key(labels) for labels in book.rules]

    def forms(self) -> list[Callable[[], Made]]:
        book = self.book
        found = [self.one, self.several, self.range, self.missing, self.suffix, self.hidden, self.glued]
        found += [self.spaced] * (len(book.around) > 1) + [self.short] * bool(book.shorts)
        found += [self.short_range] * bool(book.shorts) + [self.chapters] * bool(book.word)
        found += [self.in_words, self.behind] * bool(book.words)
        return found

    def rule(self, least: int = 2, most: int = 9) -> Labels:
        return self.chance.choice([one for one in self.book.rules if least <= len(one) <= most])

    def row(self, count: int, levels: Sequence[int] | None = None) -> tuple[Labels, Labels]:
        """Some neighbours: what they lie in, and their last labels."""
        levels = levels or range(1, len(self.book.levels) + 1)
        level = self.chance.choice([one for one in levels if len(self.book.levels[one - 1]) >= count])
        above = self.rule(level, level)
        every = self.book.levels[level - 1]
        start = self.chance.randrange(len(every) - count + 1)
        return above, every[start : start + count]

    def one(self) -> Made:
        key = self.book.key(self.rule())
        return key, [key]

    def several(self) -> Made:
        spread = self.chance.choice((*PAIRS[:3], *THREES))
        keys = [self.book.key(self.rule()) for _ in range(spread.count("{}"))]
        return spread.format(*keys), keys

    def range(self) -> Made:
        above, labels = self.row(2)
        keys = [self.book.key((*above, label)) for label in labels]
        return self.chance.choice(RANGES).format(*keys), keys

    def short(self) -> Made:
        spread = self.chance.choice((*PAIRS, *THREES))
        above, labels = self.row(spread.count("{}"), self.book.shorts)
        keys = [self.book.key((*above, label)) for label in labels]
        return spread.format(keys[0], *(self.book.short(len(above), one) for one in labels[1:])), keys

    def short_range(self) -> Made:
        above, labels = self.row(2, self.book.shorts)
        keys = [self.book.key((*above, label)) for label in labels]
        end = self.book.short(len(above), labels[1])
        if self.book.around[len(above)][0] == "." and self.chance.random() < 0.5:
            end = f".{end}"
        return self.chance.choice(RANGES).format(keys[0], end), keys

    def glued(self) -> Made:
        above, labels = self.row(2)
        keys = [self.book.key((*above, label)) for label in labels]
        return (f"{keys[0]}and {keys[1]}" if keys[0][-1].isdigit() else f"{keys[0]} and {keys[1]}"), keys

    def spaced(self) -> Made:
        *above, last = self.rule(3 if len(self.book.levels) > 1 else 2)
        before, behind = self.book.around[len(above)]
        key = self.book.key((*above, last))
        start = self.book.key(tuple(above)) if len(above) > 1 else above[0]
        if before and not behind:
            return f"{start}{self.chance.choice(('. ', ' .'))}{last}", [key]
        return f"{start} {before}{last}{behind}", [key]

    def chapters(self) -> Made:
        spread = self.chance.choice((*PAIRS[:3], *THREES, *RANGES))
        count = spread.count("{}")
        start = self.chance.randrange(len(self.book.chapters) - count + 1)
        labels = self.book.chapters[start : start + count]
        keys = [self.book.key((label,)) for label in labels]
        return f"{self.book.word} {spread.format(*labels)}", keys

    def in_words(self) -> Made:
        """Items b and c of 12.2."""
        spread = self.chance.choice(("{}", *PAIRS[:3], *THREES, *RANGES))
        above, labels = self.row(spread.count("{}"), range(1, len(self.book.words)))
        said = [self.book.short(len(above), one).strip() for one in labels]
        word = self.book.words[len(above)] + "s" * (len(labels) > 1)
        keys = [self.book.key((*above, label)) for label in labels]
        upper = self.book.key(above) if len(above) > 1 else f"{self.book.words[0]} {above[0]}"
        return f"{word} {spread.format(*said)} {self.chance.choice(('of', 'in'))} {upper}", keys

    def behind(self) -> Made:
        """12.2, items b and c."""
        spread = self.chance.choice(("{}", *PAIRS[:3], *THREES, *RANGES))
        above, labels = self.row(spread.count("{}"), range(1, len(self.book.words)))
        said = [self.book.short(len(above), one).strip() for one in labels]
        word = self.book.words[len(above)] + "s" * (len(labels) > 1)
        keys = [self.book.key((*above, label)) for label in labels]
        upper = self.book.key(above) if len(above) > 1 else f"{self.book.words[0]} {above[0]}"
        return f"{upper}, {word} {spread.format(*said)}", keys

    def missing(self) -> Made:
        """A rule that the book has not, whose neighbours it has."""
        *above, last = self.rule()
        other = "9" if last[0].isdigit() else "q" if last.islower() or last[0].islower() else "Q"
        key = self.book.key((*above, other))
        return key, [TOLD]

    def suffix(self) -> Made:
        """A number with a suffix that no rule has; one that stands behind the numbers of this book."""
        labels = self.chance.choice([one for one in self.book.rules if len(one) > 1 and one[-1].isalnum()])
        tail = self.chance.choice((*self.book.wrong, *self.book.suffixes))
        return f"{self.book.key(labels)}{tail}", [TOLD]

    def hidden(self) -> Made:
        """A number with a sign in it that cannot be seen."""
        key = self.book.key(self.rule())
        at = self.chance.randrange(1, len(key))
        return f"{key[:at]}{self.chance.choice(ZERO_WIDTH)}{key[at:]}", [key]


@pytest.mark.parametrize("book", BOOKS, ids=str)
def test_each_reference_of_a_sentence_is_linked_or_told(book: Book) -> None:
    making = Sentences(book, "sentences")
    forms = making.forms()
    wrong = []
    for at in range(COUNT):
        form = forms[at % len(forms)]
        said, means = form()
        lead = making.chance.choice(LEADS)
        if said[0].isalpha() and form in (making.chapters, making.in_words, making.behind):
            lead = making.chance.choice(LEADS[:2])
        elif form == making.spaced:
            lead = making.chance.choice(LEADS[:4])
        elif form == making.suffix:  # "per 24.1BD" may be an amount
            lead = making.chance.choice((*LEADS[:3], *LEADS[4:]))
        text = f"{lead}{said}{')' * lead.startswith('(')}{making.chance.choice(ENDS)}"
        if (there := read(book, text)) != means:
            wrong.append((form.__name__, text, means, there))
    assert not wrong[:12], f"{len(wrong)} of {COUNT} wrong"
