"""From trees to the typed model, whatever is written."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.schema.model_reader import read_model, type_title
from rulewright.schema.rulebook import Chapter, EditionFile, KnownNumbers, Rulebook
from rulewright.schema.step import DO, PlaySequence
from rulewright.schema.step_kinds import KINDS
from rulewright.schema.table import Table
from rulewright.schema.yaml_fields import keys_with_types, reference_texts

MODELS = [Rulebook, EditionFile, KnownNumbers, Chapter, PlaySequence]
WORDS = sorted(
    {key for model in MODELS for key in keys_with_types(model)} | {DO, *KINDS} | {"x", "", "1.1", "<<"}
)


def reading(model: type, data: object) -> tuple[Any, list[Problem]]:
    """What data is read as. JSON is YAML."""
    tree, problems = load_yaml_tree("f", json.dumps(data).encode())
    if tree is None:
        return None, problems
    value, more = read_model(tree, model)
    return value, problems + more


VALUES = st.recursive(
    st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5),
    max_leaves=20,
)


@given(st.sampled_from(MODELS), VALUES)
@settings(max_examples=5 * settings().max_examples)
def test_anything_is_read_or_reported(model: type, data: object) -> None:
    value, problems = reading(model, data)
    assert problems or isinstance(value, model)
    assert len({(problem.place, problem.message) for problem in problems}) == len(problems)


def test_every_key_of_a_rule_and_a_step_is_read() -> None:
    chapter, problems = reading(
        Chapter,
        {
            "chapter": "1.0",
            "title": "Ships",
            "text": "See 1.1.",
            "shows": "game turn",
            "1.1": "",
            "notes": [{"kind": "play", "text": "Row."}],
            "figures": [{"file": "a.png", "alt": "A ship"}],
        },
    )
    assert problems == []
    assert (chapter.number, chapter.rules[0].number, chapter.notes[0].kind) == ("1.0", "1.1", "play")
    assert [str(text) for text, _ in reference_texts(chapter)] == ["Ships", "See 1.1.", "Row."]
    sequence, problems = reading(
        PlaySequence,
        {
            "title": "Sequence of Play",
            "steps": [{"phase": "Movement", "see": "1.1", "by": ["a", "b"], "any order": [{"do": "Row"}]}],
        },
    )
    step = sequence.steps[0]
    assert problems == []
    assert (step.kind, step.title, step.see, step.by) == ("phase", "Movement", ("1.1",), ("a", "b"))
    assert [(str(text), cites) for text, cites in reference_texts(step)] == [
        ("Movement", False),
        ("1.1", True),
    ]
    assert isinstance(step.any_order[0].title, LocatedText)


def test_a_faulty_part_is_left_out_and_the_rest_is_read() -> None:
    chapter, problems = reading(
        Chapter,
        {"chapter": "1.0", "title": [], "1.1": "", "rules": [{"number": "1.2"}], "1.3": ["x"], "1.4": ""},
    )
    assert [rule.number for rule in chapter.rules] == ["1.1", "1.3", "1.4"]
    assert chapter.title is None
    assert [problem.code for problem in problems] == ["wrong-type", "wrong-type", "unknown-key"]


@pytest.mark.parametrize("model", MODELS)
def test_keys_are_the_words_of_the_trade(model: type) -> None:
    assert type_title(model) == type_title(model).lower()
    for name, (field, _) in keys_with_types(model).items():
        assert "_" not in name
        assert field.metadata["meaning"].endswith(".")


@pytest.mark.parametrize(
    ("model", "data"),
    [
        (Chapter, {"chapter": "1", "restored": "a word is lost"}),
        (Chapter, {"chapter": "1", "1.1 Moving": {"restored": "a word is lost"}}),
        (Chapter, {"chapter": "1", "notes": [{"restored": "a word is lost"}]}),
        (Chapter, {"chapter": "1", "notes": [{"kind": "restored", "text": "a word is lost"}]}),
        (PlaySequence, {"title": "Turn", "steps": [{"do": "Move", "restored": "a word is lost"}]}),
        (
            Table,
            {"title": "A", "columns": ["B"], "rows": [["1"]], "notes": [{"text": "c", "kind": "restored"}]},
        ),
    ],
)
def test_a_key_that_is_no_more_says_what_to_write_instead(model: type, data: object) -> None:
    _, problems = reading(model, data)
    said = "restored is a note of the editor's; write it as a comment, behind a #"
    assert said in [problem.message for problem in problems]
