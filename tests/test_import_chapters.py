"""Texts that number their chapters with whole numbers, by themselves or around rules and items."""

from itertools import product
from textwrap import fill

import pytest

from tests.test_import_documents import imported, numbers

WORDS = "units that stand in the open move as far as their allowance lets them, and no farther than that. "
TITLES = (
    "Movement",
    "Combat between Units.",
    "Supply",
    "THE END OF A GAME.",
    "Terms of this Book.",
    "Weather",
)
ITEMS = {"(a)": "({})", "a)": "{})", "a.": "{}."}


def text_of(titled: bool, inside: str, form: str, width: int) -> tuple[str, list[str]]:
    """A text of six chapters and the numbers of its rules. `inside`: what stands in each chapter."""
    lines, made = ["A Game of Marches", "", f"Preface: {WORDS}", ""], list[str]()
    for chapter, title in enumerate(TITLES, 1):
        made.append(f"{chapter}.")
        lines += [f"{chapter}. {title}" if titled else fill(f"{chapter}. {title} {WORDS * 2}", width), ""]
        lines += [fill(WORDS * 3, width), ""] if titled else []
        if inside == "rules":
            for rule in (1, 2):
                made.append(f"{chapter}.{rule}")
                lines += [fill(f"    {chapter}.{rule} The {WORDS * 2}", width), ""]
        elif inside == "items":
            for letter in "abc":
                made.append(f"{chapter}({letter})")
                lines += [fill(f"    {form.format(letter)} The {WORDS}", width), ""]
    return "\n".join([*lines, "See chapter 2 and chapter 4.", "", "x" * (width + 40)]), made


@pytest.mark.parametrize(
    ("titled", "inside", "item", "width"),
    [
        *product((True, False), ("", "rules"), ("(a)",), (62, 76)),
        *product((True, False), ("items",), ITEMS, (76,)),
    ],
)
def test_chapters_of_a_text_are_rules_with_what_lies_in_them(
    titled: bool, inside: str, item: str, width: int
) -> None:
    text, wanted = text_of(titled, inside, ITEMS[item], width)
    made = imported(text, "book.txt")
    assert not made.refused
    assert sorted(numbers(made)) == sorted(wanted)


@pytest.mark.parametrize("item", ITEMS)
def test_items_of_chapters_in_markdown_are_rules(item: str) -> None:
    body = "".join(
        f"# {n}. {title}\n\n{WORDS}\n\n" + "".join(f"{ITEMS[item].format(c)} The {WORDS}\n\n" for c in "abc")
        for n, title in enumerate(TITLES, 1)
    )
    made = imported(body)
    assert sorted(numbers(made)) == sorted(f"{n}{c}" for n in range(1, 7) for c in (".", "(a)", "(b)", "(c)"))


def test_steps_that_are_counted_once_are_no_chapters() -> None:
    rules = "".join(f"{n}.{m} The {WORDS}\n\n" for n in (1, 2, 3) for m in (1, 2, 3))
    steps = "".join(f"{n}. Do {WORDS}\n\n" for n in range(1, 7))
    made = imported(f"{rules}{steps}4.1 The {WORDS}\n\n4.2 The {WORDS}\n", "book.txt")
    assert [one for one in numbers(made) if "." in one.strip(".")] == [
        f"{n}.{m}" for n in (1, 2, 3) for m in (1, 2, 3)
    ] + ["4.1", "4.2"]


@pytest.mark.parametrize("form", ["\x1b[1m{}\x1b[0m", "\x01{}\x7f", "U\bUnits\b\b{}", "{}\f"])
def test_what_a_terminal_does_with_words_is_no_part_of_them(form: str) -> None:
    text = "".join(f"1.{n} Roads {n}\n\nUnits move {form.format('fast')}.\n\n" for n in range(1, 7))
    made = imported(text, "book.txt")
    said = str(made.files)
    assert len(numbers(made)) == 7
    assert "fast" in said
    assert not {sign for data in made.files.values() for sign in data.decode() if sign < " "} - {"\n"}


@pytest.mark.parametrize("leader", [" .......... {}", " . . . . . {}", " ------ {}"])
def test_a_list_of_contents_behind_a_text_is_left_out(leader: str) -> None:
    heads = [
        f"{chapter}.{rule} {title}" for chapter in (1, 2, 3) for rule, title in enumerate(TITLES[::2], 1)
    ]
    body = "".join(f"{head.rstrip('.')}\n\n{fill('The ' + WORDS, 60)}\n\n" for head in heads)
    listed = "\n".join(head + leader.format(at) for at, head in enumerate(heads, 3))
    made = imported(f"{body}Table of Contents\n\n{listed}\n", "book.txt")
    assert [one for one in numbers(made) if len(one) > 1] == [head.split()[0] for head in heads]
    assert sum(map(len, made.receipt.unread.values())) == len(heads)


def test_a_few_numbered_paragraphs_are_no_book_and_are_named() -> None:
    (why,) = imported("".join(f"{n}. The {WORDS}\n\n" for n in range(1, 5)), "book.txt").refused
    assert "paragraphs with a number (“1. The units" in why.message


def test_the_second_line_of_a_question_is_no_rule_though_it_begins_with_a_number() -> None:
    rules = [
        f"2.{n} Why does a cart complain about roads on a map\n\t7.1 or above?\n\n\tThe {WORDS}"
        for n in (1, 2, 3)
    ]
    text = "\n\n".join([*rules, *(f"{c}.{n} Who moves?\n\n\tThe {WORDS}" for c in (3, 4) for n in (1, 2, 3))])
    made = imported(text, "book.txt")
    assert [one for one in numbers(made) if "." in one] == [f"{c}.{n}" for c in (2, 3, 4) for n in (1, 2, 3)]
