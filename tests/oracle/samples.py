"""Texts for the oracle: a sentence around a run of numbers, and a Markdown page around a sentence."""

import re
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from tests.oracle.numbering import Book, Rule
from tests.oracle.reading import Spelt

LEADS = (
    "",
    "Units move as ordered; ",
    "It is so in every turn.\n\n",
    "He who waits, may: ",
    "Of 12 units, 4 × 2 hexes apart, ",
    "On 2d6 a roll of 5 or 6 hits. ",
    "In turn 6 all 4 units, 3 miles apart, ",
)
ENDS = (".", ", which holds.", "; then go on.", ". Then go on.", "!", ": and so on.", "’s limits.", "?")
UNCUED = (
    ("So with ", ", as was shown."),
    ("Under ", ", units may."),
    ("", " applies."),
    ("They follow ", "."),
)
PAGES = (
    ("---\ntitle: 99.9\n---\n# Supply\n\nUnits move. ", "\n"),
    ("# On supply: ", "\n\nUnits move.\n"),
    ("Units move.\n\n### Supply and more: ", "\n"),
    ("On supply: ", "\n------\n\nUnits move.\n"),
    ("- Units move.\n- Supply: ", "\n"),
    ("1. Supply: ", "\n2. Units move.\n"),
    ("> Supply: ", "\n"),
    ("| Rule | Supply |\n|---|---|\n| 3 | Units: ", " |\n"),
    ("`see 99.9` and [supply](rules/99.9.html): ", "\n"),
)


class Written(NamedTuple):
    """A number in a text: its position, the intended rule, whether it ends a range."""

    start: int
    end: int
    rule: Rule | None
    through: bool


class Sample(NamedTuple):
    """A text with the numbers in it; `run` bounds them.

    `sort`: list, range, missing (no such rule), loose (not as the book writes), chain (levels in words) …
    `page`: it is Markdown. `home`: its chapter, if that matters.
    """

    text: str
    run: tuple[int, int]
    numbers: tuple[Written, ...]
    sort: str
    page: bool = False
    home: str = ""


class Member(NamedTuple):
    """A number of a run that is being written: what joins it to the one before, and how it is spelt."""

    join: str
    text: str
    spelt: Spelt
    through: bool = False


def written(book: Book, chance: Random, members: Sequence[Member], sort: str, cued: bool = False) -> Sample:
    """A sentence around a run of numbers."""
    one = len(members) == 1
    bare = any(member.spelt.bare for member in members)
    sign = members[0].text[:1]
    # A word for a level below names no chapter: case 3.
    below = book.chain[1:] if bare else ()
    ways = [f"{cue} " for cue in (book.cues if one else book.several) if not cue.startswith(tuple(below))]
    if (book.lone and one) or (book.pairs and len(members) == 2 and members[1].through):
        ways.append("(")
    if not bare and "," not in members[0].text:  # (12,1) and per 12,1 may be two amounts
        ways += [f"{cue} " for cue in book.points] + ["(see "]
        # Letters alone in parentheses need not be a number: (M.D.).
        ways += ["("] if not cued or any(map(str.isdigit, members[-1].text)) else []
        # Without a cue a shortened end is a word or an amount, and C13 a hex on the map.
        alone = members[1:] or [m for m in members if re.fullmatch("[A-Z]+[0-9]+", m.text)]
        ways += [] if cued or any(member.text.isalnum() for member in alone) else [""]
        ways += ["§"] if sign.isdigit() else []
    ways = [way if chance.random() < 0.7 else way[:1].upper() + way[1:] for way in ways]
    before = chance.choice(ways)
    before = before.replace("see", book.points[0])
    after = chance.choice(ENDS)
    cued = bool(before.strip())
    if "(" in before:
        after = ")" + after
    elif not cued:
        before, after = chance.choice(UNCUED)
    elif before != "§" and chance.random() < 0.3:
        numbered = before[:-1] in book.cues and book.cues != ("see",)
        before = before[:-1] + chance.choice(("\n", "\xa0", " no. " if numbered else "  "))
    text = chance.choice(LEADS) + before
    mark = chance.choice(("",) * 12 + ("**", "*", "“")) if sign != "[" else ""
    close = "”" if mark == "“" else mark
    text, numbers, start = text + mark, [], len(text)
    for member in members:
        around = ("", "")
        if not mark and member.spelt.level == 0 and member.spelt.signed and not bare and sort != "loose":
            around = chance.choice((*[("", "")] * 20, ("**", "**"), ("“", "”"), ("[", "]")))
            around = around if around[0] != "[" or '"[' in book.declared else ("", "")
        text += member.join + around[0]
        numbers.append(Written(len(text), len(text) + len(member.text), member.spelt.rule, member.through))
        text += member.text + around[1]
    stop = len(text)
    if text.endswith(".") and after.startswith("."):
        after = after[1:]
    elif one and not bare and sort == "single" and text[-1:].isdigit() and chance.random() < 0.1:
        after = chance.choice(("ff", " ff")) + after.removeprefix("’s limits")
    return Sample(text + close + after, (start + len(mark), stop), tuple(numbers), sort)


def on_page(sample: Sample, chance: Random) -> Sample:
    """A sample somewhere in a Markdown page, if it is on one line."""
    if "\n" in sample.text:
        return sample
    text, after = chance.choice(PAGES)
    at, numbers = 0, []
    linked = (
        sample.sort != "chain" and chance.random() < 0.3 and not any(sign in sample.text for sign in "[]\n")
    )
    for one in sample.numbers:
        text += sample.text[at : one.start]
        is_link = linked and sample.text[one.start].isdigit() and one.rule is not None
        text += "[" if is_link else ""
        numbers.append(one._replace(start=len(text), end=len(text) + one.end - one.start))
        text += sample.text[one.start : one.end] + ("](../rules/99.9.md#99-9)" if is_link else "")
        at = one.end
    return sample._replace(text=text + sample.text[at:] + after, numbers=tuple(numbers), page=True)
