"""Levels in words: sentences generated from a list of rules, with known meanings."""

from functools import cache
from random import Random
from typing import NamedTuple

import pytest

from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.reference_cues import CueStrength
from rulewright.numbering.reference_finder import ReferenceFinder

SPREADS = "{} and {}", "{} or {}", "{}, {} and {}", "{}, {}, and {}", "{}-{}", "{} to {}", "{}–{}", "{}, {}"
OF = " of ", " in ", ", of ", " under "
ENDS = ".", ";", ", which holds.", " hold at sea.", " (at sea)."


class Scheme(NamedTuple):
    """A numbering by the words for its levels and, for each, the text before and after a label.

    `labels`: what the levels below the chapter count with. `whole`: how a chapter is printed.
    """

    example: str
    chapter: str
    words: tuple[str, ...]
    around: tuple[tuple[str, str], ...]
    labels: tuple[str, ...]
    whole: str

    def key(self, labels: tuple[str, ...]) -> str:
        if len(labels) == 1:
            return self.whole.format(labels[0])
        return "".join(
            f"{before}{label}{after}" for (before, after), label in zip(self.around, labels, strict=False)
        )

    def phrase(self, level: int, label: str) -> str:
        return f"({label})" if self.around[level][1] else label

    @property
    def rules(self) -> list[tuple[str, ...]]:
        found = [(chapter,) for chapter in ("12", "13")]
        for row in found:
            if len(row) < len(self.around):
                found += [(*row, label) for label in self.labels[len(row) - 1]]
        return found


SCHEMES = [
    Scheme(
        *("1.1a(A)", "1.0", ("section", "case", "item", "part")),
        *((("", ""), (".", ""), ("", ""), ("(", ")")), ("1234", "abc", "AB"), "{}.0"),
    ),
    Scheme(
        *("1.1(a)(1)", "1", ("part", "section", "paragraph", "item")),
        *((("", ""), (".", ""), ("(", ")"), ("(", ")")), ("1234", "abcd", "12"), "{}"),
    ),
    Scheme(
        *("1.A.1", "1", ("chapter", "section", "case")),
        *((("", ""), (".", ""), (".", "")), ("ABCD", "1234"), "{}"),
    ),
]


class Sentence(NamedTuple):
    text: str
    means: list[str]


def listed(scheme: Scheme, level: int, chance: Random) -> tuple[str, list[str]]:
    """Labels of a level as a list or range with its word, and which they are; where it is one, that."""
    labels = scheme.labels[level - 1]
    spread = chance.choice(("{}", *SPREADS))
    many = spread.count("{}")
    if many > len(labels):
        many, spread = 2, "{} and {}"
    start = chance.randrange(len(labels) - many + 1)
    chosen = [*labels[start : start + many]]
    word = scheme.words[level] + ("s" if many > 1 else "")
    phrase = spread.format(*(scheme.phrase(level, label) for label in chosen))
    if many == 2 and chance.random() < 0.2:  # case 1 and case 2
        one, other = (f"{scheme.words[level]} {scheme.phrase(level, label)}" for label in chosen)
        return f"{one} {chance.choice(('and', 'or'))} {other}", chosen
    return f"{word} {phrase}", chosen


def path(scheme: Scheme, labels: tuple[str, ...], chance: Random) -> str:
    """A rule that contains others: as a number, with a word before it, or its levels in words."""
    level = len(labels) - 1
    key = scheme.key(labels)
    ways = [f"{scheme.words[0]} {labels[0]}"] if level == 0 else [key, f"{scheme.words[level]} {key}"]
    words = [f"{word} {scheme.phrase(at, labels[at])}" for at, word in enumerate(scheme.words[: level + 1])]
    ways.append(", ".join(words))
    ways.append(" of ".join(reversed(words)))
    return chance.choice(ways)


def sentences(scheme: Scheme, chance: Random, count: int) -> list[Sentence]:
    found = []
    for _ in range(count):
        level = chance.randrange(1, len(scheme.around))
        above = chance.choice([labels for labels in scheme.rules if len(labels) == level])
        members, labels = listed(scheme, level, chance)
        upper = path(scheme, above, chance)
        in_words = " of " not in upper
        form = chance.choice(("before", "bracket", *("after", "apart", "inside") * in_words))
        if form == "before":
            text = f"{members}{chance.choice(OF)}{upper}"
        elif form == "bracket":
            text = f"{members} (of {upper})"
        elif form == "after":
            text = f"{upper}, {members}"
        elif form == "apart":
            text = f"{upper} {members}"
        else:
            text = f"{upper} ({members})"
        lead = chance.choice(("See ", "As ", "By "))
        means = [scheme.key((*above, label)) for label in labels]
        found.append(Sentence(f"{lead}{text}{chance.choice(ENDS)}", means))
    return found


@cache
def finder_of(scheme: Scheme) -> ReferenceFinder:
    several = [f"{word}s" for word in scheme.words]
    dialect = NumberingScheme([scheme.example], [scheme.chapter])
    return ReferenceFinder(dialect, cues=[*scheme.words, *several], levels=scheme.words)


@cache
def places_of(scheme: Scheme) -> dict[str, int]:
    return {scheme.key(labels): at for at, labels in enumerate(scheme.rules)}


def read(scheme: Scheme, text: str) -> list[str]:
    """The rules that a text of chapter 13 cites, and what it cites that is none or can't be read."""
    places = places_of(scheme)
    found = finder_of(scheme).find(text, "13", have=lambda number: number.key in places)
    keys = [one.number.key if one.number else "unread" for one in found if one.cue is not CueStrength.NEVER]
    return [key if key in places else f"{key} missing" for key in keys]


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.example)
def test_levels_in_words_mean_their_source(scheme):
    pairs = sentences(scheme, Random(scheme.example), 800)
    wrong = [(text, means, there) for text, means in pairs if (there := read(scheme, text)) != means]
    assert not wrong[:5], f"{len(wrong)} wrong"


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("See cases 1 and 2.", "13.1 13.2"),
        ("Cases 1 and 2 hold; case 1 and 2 units do.", "13.1 13.2 13.1"),
        ("See case 2 of this section, and case 3 of the section.", "13.2 13.3"),
        ("See case 2 of the Desert scenario.", ""),
        ("See case 1 of the map and cases 1, 2 or 3 of another game.", ""),
        ("Case 9 of it, cases 1 and 9 of a box.", ""),
        ("See case 2 of 12.", ""),
        ("case 2 of sections 12 and 13", "12.2 13.2"),
        ("sections 12 and 13, case 2", "12.0 13.2"),
        ("cases 1 and 2, item b", "13.1 13.2b"),
        ("case 2 of section 12 and case 3 of section 13", "12.2 13.3"),
        ("case 2 of section 12, case 3 of section 13", "12.2 13.3"),
        ("section 12, case 1 and case 2", "12.1 12.2"),
        ("case 2 of section 12, item b", "12.2b"),
        ("section 12's case 2", "12.2"),
        ("section 12: case 2", "12.2"),
        ("See 12.2, item z.", "12.2z missing"),
        ("See 12.2, items a and z.", "12.2a 12.2z missing"),
        ("items b and z of 12.2", "12.2b 12.2z missing"),
        ("case 2 of section 99", "99.2 missing"),
        ("In 12.2, item costs are halved.", "12.2"),
        ("In 12.2 a case is one.", "12.2"),
        ("items a and the rest of 12.2", "12.2"),
        ("case 3 of 12.2", "12.2"),
    ],
)
def test_lists_in_words_and_what_is_none(text, means):
    assert " ".join(read(SCHEMES[0], text)) == means
