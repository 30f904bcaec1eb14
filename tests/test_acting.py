"""Who acts in steps that do not say it, and the turns that a checklist shows."""

import re
from pathlib import Path

import pytest

from rulewright.app.cli import main
from rulewright.document.blocks.checklist_block import build_checklist
from rulewright.sequence.actors import actors_of_step
from tests.printing import RULEBOOK, book

SIDES = "sides: {rome: {title: Rome}, gaul: {title: Gaul}, egypt: {title: Egypt}}\n"
OUTSIDE = "steps:\n  - {phase: A, id: a, %s, steps: [{do: Fire}]}\n  - {phase: B, id: b, repeats: a%s}\n"
INSIDE = "steps:\n  - player turn: R\n    phasing: rome\n    " + OUTSIDE.replace("\n", "\n    ")
OTHER = INSIDE.replace(
    "      - {phase: B", "  - player turn: G\n    phasing: gaul\n    steps:\n      - {phase: B"
)
WITHIN = "steps:\n  - phase: A\n    steps:\n      - %s\n"


def acting(folder: Path, steps: str, rulebook: str = RULEBOOK + SIDES) -> dict[str, list[str]]:
    outline = book(folder, rulebook=rulebook, sequence=f"title: T\n{steps}").index.outlines["game/1"]
    return {
        str(step.step.title): [actor.name for actor in actors_of_step(step)]
        for step in outline.sequence.iter_steps()
    }


@pytest.mark.parametrize("steps", [OUTSIDE, INSIDE, OTHER])
@pytest.mark.parametrize(
    "by", ["both", "either", "non-phasing", "none", "unspecified", "rome", "[rome, gaul]"]
)
def test_a_repeated_phase_is_done_by_the_same_players(tmp_path, steps, by):
    found = acting(tmp_path, steps % (f"by: {by}", "") + "  - {phase: C, repeats: b}\n")
    assert found["A"] == found["B"] == found["C"] == by.strip("[]").split(", ")


def test_sides_change_places_in_a_phase_repeated_in_the_turn_of_the_other(tmp_path):
    rulebook = "title: A Game\nnumbers: '1.1'\nsides: {rome: {title: Rome}, gaul: {title: Gaul}}\n"
    found = acting(tmp_path, OTHER % ("by: non-phasing", ""), rulebook)
    assert (found["A"], found["B"]) == (["gaul"], ["rome"])


@pytest.mark.parametrize(
    ("inner", "names"),
    [
        ("{do: Fire, by: rome}", ["rome"]),
        ("{do: Fire, by: rome}\n      - {do: Move, by: rome}", ["rome"]),
        ("{do: Fire, by: rome}\n      - {do: Move, by: gaul}", []),
        ("{do: Fire, by: rome}\n      - {do: Wait}", []),
        ("{segment: S, steps: [{do: Fire, by: rome}]}", ["rome"]),
        ("{do: Fire, by: none}", ["none"]),
    ],
)
def test_a_phase_takes_its_players_from_its_steps(tmp_path, capsys, inner, names):
    found = acting(tmp_path, WITHIN % inner)
    assert found["A"] == names
    assert found.get("Wait", []) == []
    (tmp_path / "mkdocs.yml").write_text("docs_dir: content\nsite_name: S\nplugins: [rulewright]\n")
    assert main(["--project", str(tmp_path), "build", "--no-print"]) == 0
    for page in ("sequence", "play", "aids/card"):
        html = (tmp_path / f"site/game/1/{page}/index.html").read_text("utf-8")
        html = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
        assert ("No player" in html) == (names == ["none"])


TURNS = """steps:
  - {player turn: R, id: r, phasing: rome, steps: [{phase: Move}, {phase: Fight}]}
  - {player turn: G, id: g, repeats: r, phasing: gaul%s}
  - {player turn: E, id: e, repeats: g, phasing: egypt}
  - {player turn: R2, repeats: e, phasing: rome}
"""
ADDED = ", except: [{drop: Move}, {add: {phase: Rest}, after: Fight}]"


@pytest.mark.parametrize(
    ("exceptions", "lines"),
    [
        ("", {"Move": "R G E R2", "Fight": "R G E R2"}),
        (ADDED, {"Move": "R", "Fight": "R G E R2", "Rest": "G E R2"}),
    ],
)
def test_a_checklist_has_every_turn(tmp_path, exceptions, lines):
    sequence = f"title: T\n{TURNS % exceptions}"
    outline = book(tmp_path, rulebook=RULEBOOK + SIDES, sequence=sequence).index.outlines["game/1"]
    checklist = build_checklist(outline.sequence.steps, outline.edition.book, None)
    (group,) = checklist.groups
    assert [str(turn.step.title) for turn in group.turns] == ["R", "G", "E", "R2"]
    side_of = {"R": "rome", "G": "gaul", "E": "egypt", "R2": "rome"}
    boxes = {
        str(line.step.step.title): {
            one.name for one, box in zip(checklist.columns, line.boxes, strict=True) if box
        }
        for line in group.ticks
    }
    assert boxes == {title: {side_of[turn] for turn in turns.split()} for title, turns in lines.items()}
