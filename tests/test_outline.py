"""The order of a book: transcribed and listed rules in one row, steps with an address each."""

import json
import re
from typing import Any

import pytest

from rulewright.book.library_reader import read_library
from rulewright.book.outline import Outline, RuleEntry, build_outline
from rulewright.files.content_reader import ContentFolder
from tests.plain_chapter import keyed

Tree = list[Any]
"""Numbers, each followed by the list of its inner numbers, if any: ["1.0", ["1.1", "1.2"]]."""


def outline(
    chapters: Tree | None = None, listed: list[str] | None = None, steps: list[Any] | None = None
) -> Outline:
    """The outline of an edition. JSON is YAML, so that no text has to be laid out."""
    files: dict[str, Any] = {
        "rulebook.yml": {"title": "Harbour", "numbers": "1.1a", "chapters": "1.0"},
        "1/edition.yml": {"edition": "1"},
    }
    for at, chapter in enumerate(rules(chapters or []), 1):
        files[f"1/rules/{at}.yml"] = {"chapter": chapter.pop("number"), **keyed(chapter)}
    if listed is not None:
        files["1/known.yml"] = {"known": [{"number": number} for number in listed]}
    if steps is not None:
        files["1/sequence.yml"] = {"title": "Sequence", "steps": steps}
    texts = {f"content/harbour/{name}": json.dumps(data).encode() for name, data in files.items()}
    return build_outline(read_library(ContentFolder(texts)).editions["harbour/1"])


def rules(tree: Tree) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = []
    for one in tree:
        if isinstance(one, list):
            result[-1]["rules"] = rules(one)
        else:
            is_twice = any(other["number"] == one for other in result)
            result.append({"number": one, **({"title": "Again" * len(result)} if is_twice else {})})
    return result


def tree(text: str) -> Tree:
    """`1.0 (1.1 1.2) 2.0` as a tree."""
    rows: list[Tree] = [[]]
    for word in re.findall(r"[()]|[^\s()]+", text):
        if word == "(":
            rows.append([])
        elif word == ")":
            rows[-2].append(rows.pop())
        else:
            rows[-1].append(word)
    return rows[0]


def shape(entries: list[RuleEntry]) -> str:
    return " ".join(f"{e.key} ({shape(e.children)})" if e.children else e.key for e in entries)


@pytest.mark.parametrize(
    ("transcribed", "listed", "order"),
    [
        # Either alone.
        ("1.0 (1.1 1.2) 2.0", "", "1.0 (1.1 1.2) 2.0"),
        ("", "1.0 1.1 1.1a 1.2 2.0", "1.0 (1.1 (1.1a) 1.2) 2.0"),
        # Listed ones come between and around transcribed ones.
        ("1.0 (1.2)", "1.0 1.1 1.2 1.3 2.0", "1.0 (1.1 1.2 1.3) 2.0"),
        ("1.0 (1.1 1.3)", "1.2", "1.0 (1.1 1.2 1.3)"),
        ("1.0 (1.1 (1.1b))", "1.1a 1.1c", "1.0 (1.1 (1.1a 1.1b 1.1c))"),
        # Transcribed ones that are not listed come before the first listed one with a higher number.
        ("1.0 (1.1 1.3 1.4)", "1.2 1.5", "1.0 (1.1 1.2 1.3 1.4 1.5)"),
        ("1.0 (1.1 1.3 1.4)", "1.2 1.4 1.5", "1.0 (1.1 1.2 1.3 1.4 1.5)"),
        ("2.0 10.0 1.0", "", "1.0 2.0 10.0"),
        ("3.0", "1.0 2.0", "1.0 2.0 3.0"),
        # A list may begin anywhere, and a listed rule goes where it belongs.
        ("1.0", "1.1a 1.1", "1.0 (1.1 (1.1a))"),
        ("", "1.1a 1.1 1.0", "1.0 (1.1 (1.1a))"),
        ("", "1.1a", "1.0 (1.1a)"),
        ("1.0 (1.1a)", "1.1", "1.0 (1.1 1.1a)"),
        # The order of the list holds for chapters, which are files in no order of their own.
        ("1.0", "2.0 1.0", "2.0 1.0"),
        ("1.0 3.0", "2.0 1.0", "2.0 1.0 3.0"),
        # The order that is written holds for the rules in a chapter.
        ("1.0 (1.3 1.1)", "1.1 1.2 1.3", "1.0 (1.3 1.1 1.2)"),
        # A number counts once, and one that cannot be read not at all.
        ("1.0", "1.1 1.1 x 1.2", "1.0 (1.1 1.2)"),
        ("1.0 (1.1 1.1 1.2)", "", "1.0 (1.1 1.2)"),
        # The content of a malformed or duplicate rule goes where it belongs.
        ("1.0 (1.1 x (1.2 (1.2a)) 1.3)", "", "1.0 (1.1 1.2 (1.2a) 1.3)"),
        ("1.0 (1.1) 1.0 (1.2) 1.0 (2.1)", "2.0", "1.0 (1.1 1.2) 2.0 (2.1)"),
        ("x (1.1 (1.1a) 1.0)", "", "1.0 (1.1 (1.1a))"),
        ("x (1.1 (1.0))", "", "1.1 (1.0)"),
        ("x (1.1 (2.0) 2.1 (1.0))", "", "1.1 (2.0) 2.1 (1.0)"),
    ],
)
def test_transcribed_and_listed_rules_make_one_order(transcribed, listed, order):
    assert shape(outline(tree(transcribed), listed.split() or None).chapters) == order


def test_a_range_is_a_slice_of_the_order():
    result = outline(tree("1.0 (1.1 (1.1a 1.1b) 1.2) 2.0 (2.1)"))
    first, last = result.entries["1.1a"], result.entries["2.0"]
    assert [entry.key for entry in result.rule_range(first, last)] == ["1.1a", "1.1b", "1.2", "2.0", "2.1"]
    assert result.rule_range(last, first) == []


def test_steps_have_an_address_each():
    result = outline(
        steps=[
            {"phase": "Movement Phase"},
            {"phase": "Movement Phase"},
            {"phase": "Movement Phase 2"},
            {"phase": "Anything (or nothing) that the captain's mate orders them to do at sea"},
            {"phase": "First", "id": "first"},
            {"phase": "Another", "id": "movement-phase"},
            {"phase": "???", "steps": [{"do": "Sail"}], "any order": [{"do": "Sail"}, {"do": "Row"}]},
        ]
    )
    assert [step.anchor for step in result.sequence.iter_steps()] == [
        "movement-phase-2",
        "movement-phase-3",
        "movement-phase-2-2",
        "anything-that-the-captains-mate-orders",
        "first",
        "movement-phase",
        "do",
        "do/sail",
        "do/sail-2",
        "do/row",
    ]
    assert [step.way for step in result.sequence.iter_steps()][-3:] == ["steps", "any order", "any order"]
    assert [step.path for step in result.sequence.iter_steps()][-1] == "??? › Row"
