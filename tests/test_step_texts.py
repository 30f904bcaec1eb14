"""Texts of a step: its facts as phrases, and references at the end of its title, which are its `see:`."""

import json

import pytest

from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.edit.change_proposal import propose_change
from rulewright.edit.edit_operations import record_former_numbers
from rulewright.edit.renumber_plan import plan_moves
from rulewright.files.content_reader import ContentFolder
from rulewright.sequence.sequence_step import SequenceStep
from rulewright.sequence.step_attributes import step_phrases
from tests.books import checked, folder_of_texts

BOOK = "title: Book\nnumbers: ['1.1']\nsides: {x: {title: X}, y: {title: Y}}\n"
TABLE = "number: '1.2'\ntitle: Combat Results Table\nroll: 1d6\ncolumns: [A]\nrows: [{roll: '1', A: x}]\n"


def checked_steps(*steps: dict[str, object]) -> CheckedProject:
    texts = {
        "rulebook.yml": BOOK,
        "1/edition.yml": "edition: '1'\n",
        "1/rules/1.yml": "chapter: '1'\ntitle: All\n\"1.1 One\": Words.\n",
        "1/tables/crt.yml": TABLE,
        "1/sequence.yml": json.dumps({"title": "Turn", "steps": steps}, ensure_ascii=False),
    }
    return checked({f"b/{name}": text for name, text in texts.items()})


def phrases(*steps: dict[str, object]) -> list[str]:
    *_, last = checked_steps(*steps).index.outlines["b/1"].sequence.iter_steps()
    return [one.text for one in step_phrases(last)]


@pytest.mark.parametrize(
    ("title", "key", "value", "expected"),
    [
        ("Pay for the attack", "cost", "1 EP", ["pay 1 EP"]),
        ("Move by rail", "moves", "their whole MA", ["moving their whole MA"]),
        ("Remove markers", "removes", ["Fuel markers", "DG markers"], ["remove Fuel markers and DG markers"]),
        ("Remove DG markers", "removes", "DG markers", []),
        ("Remove DG markers", "removes", "Fuel markers", ["remove Fuel markers"]),
        ("The Tide marker is not touched", "flips", "the Tide marker", ["flip the Tide marker"]),
        ("Only tanks may attack", "only", "tanks", []),
        ("Tanks may attack", "only", "tanks", ["only tanks"]),
        ("Roll on the Combat Results Table", "uses", "Combat Results Table", []),
    ],
)
def test_the_title_is_not_repeated(title, key, value, expected):
    step = {"do": title, key: value}
    assert phrases({"do": "Begin"}, step) == expected


def test_the_note_is_not_repeated_and_a_row_of_facts_is_one():
    note = {"do": "Attack", "note": "Each unit pays 1 EP. Tanks go first.", "cost": "1 EP"}
    assert phrases(note) == []
    both = {"do": "Rout", "optional": "yes", "must": "an enemy is near"}
    assert phrases(both) == ["optional", "but required if an enemy is near"]


@pytest.mark.parametrize(
    ("name", "severity", "message"),
    [
        ("Combat Results Table", "", ""),
        ("1.2", "", ""),
        ("[[b/1:1.2]]", "", ""),
        ("[[b/1:1.2|the CRT]]", "", ""),
        ("Combat Result Table", "ERROR", "did you mean Combat Results Table?"),
        ("1.7", "ERROR", "no table 1.7"),
        ("Weather Table", "WARNING", "no table of this book is called Weather Table"),
    ],
)
def test_a_table_that_a_step_uses_is_there(name, severity, message):
    problems = [
        one for one in checked_steps({"do": "Attack", "uses": name}).problems if one.code == "table-not-found"
    ]
    assert [one.severity.name for one in problems] == [severity] * bool(severity)
    assert all(message in one.message and one.subject == name for one in problems)


DECIMAL = ("numbers: ['1.1a(A)']\nchapters: ['1.0']", "1.0", ["1.1", "1.2", "1.10"])
LETTERS = ("numbers: [A1.1]\nchapters: [A, (1)]\nimplied: chapter", "A", ["A1", "A2", "A3"])
WORDS = ("numbers: [1.A.1]\nchapters: [Rule 1]\ncues: [rule]", "1", ["1.A", "1.A.1", "1.B"])
ZEROS = ("numbers: ['1.1']\nchapters: ['1.0']", "1.0", ["1.01", "1.02"])


def folder_of(book: tuple[str, str, list[str]], sequence: str) -> ContentFolder:
    form, chapter, numbers = book
    rules = "".join(f'"{one} | Rule": Words.\n' for one in numbers)
    texts = {
        "content/b/rulebook.yml": f"title: Book\n{form}\nsides: {{x: {{title: X}}, y: {{title: Y}}}}\n",
        "content/b/1/edition.yml": "edition: '1'\n",
        "content/b/1/rules/1.yml": f"chapter: {chapter!r}\ntitle: All\n{rules}",
        "content/b/1/sequence.yml": f"title: Turn\nsteps:\n{sequence}",
    }
    return folder_of_texts(texts)


def steps(book: tuple[str, str, list[str]], sequence: str) -> list[SequenceStep]:
    project = load_and_check_folder(folder_of(book, sequence))
    return [*project.index.outlines["b/1"].sequence.iter_steps()]


@pytest.mark.parametrize(
    ("book", "written", "title", "see"),
    [
        (DECIMAL, "Remove markers (1.10)", "Remove markers", ["1.10"]),
        (DECIMAL, "Remove markers ( see also 1.2 and 1.10 )", "Remove markers", ["see also 1.2 and 1.10"]),
        (DECIMAL, "All of it (1.1 to 1.2).", "All of it", ["1.1 to 1.2"]),
        (DECIMAL, "An item (1.1a(A))", "An item", ["1.1a(A)"]),
        (DECIMAL, "By name ([[1.2|Fuel]])", "By name", ["[[1.2|Fuel]]"]),
        (DECIMAL, "Twice (+3 MP) (1.2)", "Twice (+3 MP)", ["1.2"]),
        (DECIMAL, "Points (1.2 MP)", "Points (1.2 MP)", []),
        (DECIMAL, "Zones (see 1.2 for ZOCs)", "Zones (see 1.2 for ZOCs)", []),
        (DECIMAL, "Within (1.2) it goes on", "Within (1.2) it goes on", []),
        (DECIMAL, "(1.2)", "(1.2)", []),
        (LETTERS, "With its letter (A2)", "With its letter", ["A2"]),
        (LETTERS, "In its own chapter (1, 3)", "In its own chapter", ["1, 3"]),
        (WORDS, "By letter (1.A.1; 1.B)", "By letter", ["1.A.1; 1.B"]),
        (ZEROS, "With a zero (1.02)", "With a zero", ["1.02"]),
    ],
)
def test_numbers_in_brackets_at_the_end_of_a_title_are_its_rules(book, written, title, see):
    (step,) = steps(book, f'  - do: "{written}"\n')
    assert (step.step.title, list(map(str, step.step.see))) == (title, see)
    if see:
        file = step.step.title.file.text
        assert file[step.step.see[0].start : step.step.see[0].end] == see[0]
        assert step.step.title.place == step.step.title.file.location(file.index(title))


def test_references_of_see_are_added_and_nothing_is_repeated():
    found = steps(DECIMAL, "  - do: One (1.2)\n    see: '1.10'\n  - do: Two (1.2)\n    see: '1.2'\n")
    assert [list(map(str, one.step.see)) for one in found] == [["1.2", "1.10"], ["1.2"]]


TURN = """\
  - player turn: First Turn (see 1.2)
    id: first
    phasing: x
    steps:
      - phase: "Movement [1.2]."
        any order:
          - do: >-
              A long title in
              several lines (1.1 and
              1.2)
          - do: 'It''s one (1.1–1.2)'
  - player turn: Second Turn
    repeats: first
    phasing: y
    except:
      - {change: Movement, phase: Other Movement (1.1; 1.2)}
      - {add: {do: New (1.10)}, after: Movement}
"""


def test_a_number_in_a_title_is_renumbered_in_place():
    folder = folder_of(DECIMAL, TURN)
    book = load_and_check_folder(folder)
    assert not [one for one in book.problems if one.severity.name == "ERROR"]
    moves = plan_moves(book.index.outlines["b/1"], [("1.2", "1.30")])
    proposal = propose_change(folder, book, moves, lambda placing: record_former_numbers(placing, moves), {})
    renumbered = (proposal.files["content/b/1/sequence.yml"] or b"").decode()
    assert renumbered.partition("steps:\n")[2] == TURN.replace("1.2", "1.30")
