"""References at the end of a step's title are read as its `see:`, and renumbered where they stand."""

import pytest

from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.edit.change_proposal import propose_change
from rulewright.edit.edit_operations import record_former_numbers
from rulewright.edit.renumber_plan import plan_moves
from rulewright.files.content_reader import ContentFolder
from rulewright.sequence.sequence_step import SequenceStep

DECIMAL = ("numbers: ['1.1a(A)']\nchapters: ['1.0']", "1.0", ["1.1", "1.2", "1.10"])
LETTERS = ("numbers: [A1.1]\nchapters: [A, (1)]\nimplied: chapter", "A", ["A1", "A2", "A3"])
RULES = ("numbers: [1.A.1]\nchapters: [Rule 1]\ncues: [rule]", "1", ["1.A", "1.A.1", "1.B"])
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
    return ContentFolder({name: text.encode() for name, text in texts.items()})


def examined(book: tuple[str, str, list[str]], sequence: str) -> CheckedProject:
    return load_and_check_folder(folder_of(book, sequence))


def steps(made: CheckedProject) -> list[SequenceStep]:
    return [*made.index.outlines["b/1"].sequence.iter_steps()]


@pytest.mark.parametrize(
    ("book", "written", "title", "see"),
    [
        (DECIMAL, "Remove markers (1.10)", "Remove markers", ["1.10"]),
        (DECIMAL, "Remove markers (1.1a, 1.2b)", "Remove markers", ["1.1a, 1.2b"]),
        (DECIMAL, "Remove markers (see 1.2)", "Remove markers", ["see 1.2"]),
        (DECIMAL, "Remove markers ( see also 1.2 and 1.10 )", "Remove markers", ["see also 1.2 and 1.10"]),
        (DECIMAL, "All of it (1.1–1.2)", "All of it", ["1.1–1.2"]),
        (DECIMAL, "All of it (1.1 to 1.2).", "All of it", ["1.1 to 1.2"]),
        (DECIMAL, "A chapter (1.0)", "A chapter", ["1.0"]),
        (DECIMAL, "In square ones [1.2]", "In square ones", ["1.2"]),
        (DECIMAL, "An item (1.1a(A))", "An item", ["1.1a(A)"]),
        (DECIMAL, "By mark ([[b/1:1.2]])", "By mark", ["[[b/1:1.2]]"]),
        (DECIMAL, "By name ([[1.2|Fuel]])", "By name", ["[[1.2|Fuel]]"]),
        (DECIMAL, "Twice (+3 MP) (1.2)", "Twice (+3 MP)", ["1.2"]),
        (DECIMAL, "  Wide   (1.2)  ", "Wide", ["1.2"]),
        (DECIMAL, "Points (2 MP)", "Points (2 MP)", []),
        (DECIMAL, "Points (1.2 MP)", "Points (1.2 MP)", []),
        (DECIMAL, "A part (1/2)", "A part (1/2)", []),
        (DECIMAL, "A count (3)", "A count (3)", []),
        (DECIMAL, "Dice (2d6)", "Dice (2d6)", []),
        (DECIMAL, "Zones (see 1.2 for ZOCs)", "Zones (see 1.2 for ZOCs)", []),
        (DECIMAL, "Both (1.2; optional)", "Both (1.2; optional)", []),
        (DECIMAL, "Percent (1.2 %)", "Percent (1.2 %)", []),
        (DECIMAL, "More (+1.2)", "More (+1.2)", []),
        (DECIMAL, "Within (1.2) it goes on", "Within (1.2) it goes on", []),
        (DECIMAL, "(1.2)", "(1.2)", []),
        (DECIMAL, "A mark [[1.2]]", "A mark [[1.2]]", []),
        (DECIMAL, "Shift (1R)", "Shift (1R)", []),
        (DECIMAL, "Half (0.5)", "Half (0.5)", []),
        (LETTERS, "With its letter (A2)", "With its letter", ["A2"]),
        (LETTERS, "A range (A1-A3)", "A range", ["A1-A3"]),
        (LETTERS, "In its own chapter (1, 3)", "In its own chapter", ["1, 3"]),
        (LETTERS, "A pair (1-2)", "A pair", ["1-2"]),
        (RULES, "By word (Rule 1)", "By word", ["Rule 1"]),
        (RULES, "By letter (1.A.1; 1.B)", "By letter", ["1.A.1; 1.B"]),
        (RULES, "Version (V 1)", "Version (V 1)", []),
        (ZEROS, "With a zero (1.02)", "With a zero", ["1.02"]),
        (ZEROS, "No such rule (4.05)", "No such rule (4.05)", []),
    ],
)
@pytest.mark.parametrize("kind", ["phase", "segment", "do"])
def test_numbers_in_brackets_at_the_end_of_a_title_are_its_rules(book, written, title, see, kind) -> None:
    (step,) = steps(examined(book, f'  - {kind}: "{written}"\n'))
    assert (step.step.title, list(map(str, step.step.see))) == (title, see)
    if see:
        file = step.step.title.file.text
        assert file[step.step.see[0].start : step.step.see[0].end] == see[0]
        assert step.step.title.place == step.step.title.file.location(file.index(title))


def test_what_see_says_beside_it_is_added_and_nothing_stands_twice() -> None:
    made = examined(DECIMAL, "  - do: One (1.2)\n    see: '1.10'\n  - do: Two (1.2)\n    see: '1.2'\n")
    assert [list(map(str, one.step.see)) for one in steps(made)] == [["1.2", "1.10"], ["1.2"]]


@pytest.mark.parametrize(
    ("line", "column", "text"),
    [
        ("  - do: One (1.2, 1.77)\n", 19, "1.77"),
        ('  - do: "On\\u0065 (1.77)"\n', 20, "1.77"),
        ("  - do: 'It''s one (1.77)'\n", 21, "1.77"),
        ("  - do: >-\n      One\n      (1.1,\n      1.77)\n", 7, "1.77"),
    ],
)
def test_a_broken_number_is_told_where_it_is_written(line: str, column: int, text: str) -> None:
    (problem,) = [p for p in examined(DECIMAL, line).problems if p.code == "reference-not-found"]
    assert problem.place.column == column
    assert text in problem.message


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


def test_a_number_in_a_title_is_renumbered_where_it_stands() -> None:
    folder = folder_of(DECIMAL, TURN)
    made = load_and_check_folder(folder)
    assert not [one for one in made.problems if one.severity.name == "ERROR"]
    moves = plan_moves(made.index.outlines["b/1"], [("1.2", "1.30")])
    proposal = propose_change(folder, made, moves, lambda placing: record_former_numbers(placing, moves), {})
    renumbered = (proposal.files["content/b/1/sequence.yml"] or b"").decode()
    assert renumbered.partition("steps:\n")[2] == TURN.replace("1.2", "1.30")
