"""Sequences of play in plain text: what becomes of them, that nothing is lost, and that it is read again."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.files.problems import Problem, SourceFile
from rulewright.files.yaml_tree import load_yaml_tree
from rulewright.imports.sequence.outline_blocks import text_lines
from rulewright.imports.sequence.outline_file import import_sequence
from rulewright.imports.sequence.step_titles import label_of
from rulewright.imports.sequence.steps_builder import build_sequence
from rulewright.schema.model_reader import read_model
from rulewright.schema.step import PlaySequence, Step
from tests.casefiles import cases


def imported(text: str, name: str = "harbour.txt") -> tuple[str, list[Problem]]:
    result, problems = build_sequence(name, text_lines(SourceFile(name, text)))
    return result or "", problems


def document(path: Path, text: str) -> tuple[str, list[Problem]]:
    path.write_text(text)
    result, problems = import_sequence(str(path))
    return result or "", problems


def steps(text: str) -> PlaySequence:
    tree, problems = load_yaml_tree("sequence.yml", text.encode())
    assert tree
    assert not any(problem.is_failure for problem in problems)
    sequence, problems = read_model(tree, PlaySequence)
    assert sequence
    assert not problems
    return sequence


def every(sequence: PlaySequence) -> list[Step]:
    def walk(rows: tuple[Step, ...]) -> list[Step]:
        return [inner for step in rows for inner in (step, *walk(step.steps))]

    return walk(sequence.steps)


@pytest.mark.parametrize("case", cases("outlines"), ids=str)
def test_texts(case, tmp_path):
    text = case.text("text", "")
    result, problems = imported(text) if text else document(tmp_path / "harbour.md", case.text("markdown"))
    body = "".join(result.splitlines(keepends=True)[1:])  # the first line says where it is from
    case.agrees(body + "".join(f"{problem}\n" for problem in problems), case.text("expect"))
    if result:
        steps(result)


def words(text: str) -> set[str]:
    return {squashed(word) for word in re.findall(r"[^\W_]+", text)}


def squashed(text: str) -> str:
    return re.sub(r"[\W_]", "", text.casefold())


# Keys instead of words, and the marks of emphasis and lists.
KEY_WORDS = words("note only both players the two each phasing non active player side see rule rules")

LINES = st.lists(
    st.one_of(
        st.sampled_from([
            "A. Ships Phase", "B. Storm Phase: Roll dice.", "1. Cast off", "(a) Sail (see 3.2).", "  - nets",
            "4.1 MARKET PHASE (MkPh): Sell.", "> Rope Segment", "II. First Player Turn", "",
            "Sequence of Play", "Note: Docks are safe.", "both of them and", "## Nets", "|", "- ",
            "A long line that is wrapped by whoever typed it", "Sail Segment Storm Segment",
            "i) The phasing player moves.", "Phase 2: Rest",
        ]),
        st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Z"]), max_size=60),
    ),
    max_size=14,
)  # fmt: skip


@given(LINES)
@settings(max_examples=3 * settings().max_examples)
def test_no_word_is_lost_and_our_reader_reads_it(lines):
    text = "\n".join(re.sub(r"\s", " ", line) for line in lines)
    result, problems = imported(text)
    if not result:
        assert [problem.code for problem in problems] == ["outline-without-steps"]
        return
    steps(result)
    whole = squashed(result)  # where a line's end parted a word, it is one again
    assert {word for word in words(text) if word not in whole} <= KEY_WORDS


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("A. Ships", "A."),
        ("B.Hedges", "B."),
        ("(iv) Ships", "(iv)"),
        ("12) Ships", "12)"),
        ("[3.2] Ships", "[3.2]"),
        ("4.A.13. Ships", "4.A.13."),
        ("A3.1 Ships", "A3.1"),
        ("4.2b Ships", "4.2b"),
        ("Phase 2: Ships", "Phase 2"),
        ("Ships. Boats", None),
        ("1914. In that year", None),
        ("3.5 miles", "3.5"),
        ("U.S. ships", None),
        ("A ship", None),
        ("2d6 dice", None),
        ("Q&A. Words", None),
    ],
)
def test_labels(text, printed):
    found = label_of(text)
    assert (found[0].printed if found else None) == printed
