"""Facts of a step as phrases: none repeats the title or the note of its step."""

import json

import pytest

from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.files.content_reader import ContentFolder
from rulewright.sequence.step_attributes import step_phrases

BOOK = "title: Book\nnumbers: ['1.1']\nsides: {x: {title: X}, y: {title: Y}}\n"
TABLE = "number: '1.2'\ntitle: Combat Results Table\nroll: 1d6\ncolumns: [A]\nrows: [{roll: '1', A: x}]\n"


def made(*steps: dict[str, object]) -> CheckedProject:
    texts = {
        "rulebook.yml": BOOK,
        "1/edition.yml": "edition: '1'\n",
        "1/rules/1.yml": "chapter: '1'\ntitle: All\n\"1.1 One\": Words.\n",
        "1/tables/crt.yml": TABLE,
        "1/sequence.yml": json.dumps({"title": "Turn", "steps": steps}, ensure_ascii=False),
    }
    return load_and_check_folder(
        ContentFolder({f"content/b/{name}": text.encode() for name, text in texts.items()})
    )


def phrases(*steps: dict[str, object]) -> list[str]:
    *_, last = made(*steps).index.outlines["b/1"].sequence.iter_steps()
    return [one.text for one in step_phrases(last)]


@pytest.mark.parametrize(
    ("title", "key", "value", "said"),
    [
        ("Pay for the attack", "cost", "1 EP", ["pay 1 EP"]),
        ("Each player rolls", "rolls", "2d6", ["roll 2d6"]),
        ("Move by rail", "moves", "their whole MA", ["moving their whole MA"]),
        ("Movement Segment", "moves", "their whole MA", ["moving their whole MA"]),
        ("Remove markers", "removes", ["Fuel markers", "DG markers"], ["remove Fuel markers and DG markers"]),
        ("Remove DG markers", "removes", "DG markers", []),
        ("All DG markers are removed", "removes", "DG marker", []),
        ("Remove DG markers", "removes", "Fuel markers", ["remove Fuel markers"]),
        ("Flip the Tide marker", "flips", "Tide marker", []),
        ("The Tide marker is not touched", "flips", "the Tide marker", ["flip the Tide marker"]),
        ("Pay 1 EP each", "cost", "1 EP each", []),
        ("Roll 2d6", "rolls", "2d6", []),
        ("Only tanks may attack", "only", "tanks", []),
        ("Tanks may attack", "only", "tanks", ["only tanks"]),
        ("Move up to 2 units", "limit", "up to 2 units", []),
        ("Roll on the Combat Results Table", "uses", "Combat Results Table", []),
    ],
)
def test_what_the_title_says_is_not_said_again(title: str, key: str, value: object, said: list[str]) -> None:
    step = {"do": title, key: value}
    assert phrases({"do": "Begin"}, step) == said
    told = [one for one in made({"do": "Begin"}, step).problems if one.code == "fact-said-twice"]
    assert len(told) == (not said and key != "uses")
    for one in told:
        assert f"delete {key}" in one.message
        assert one.place.column > 1


def test_what_the_note_says_is_not_said_again_and_a_row_of_facts_is_one() -> None:
    note = {"do": "Attack", "note": "Each unit pays 1 EP. Tanks go first.", "cost": "1 EP"}
    assert phrases(note) == []
    both = {"do": "Rout", "optional": "yes", "must": "an enemy is near"}
    assert phrases(both) == ["optional", "but required if an enemy is near"]


@pytest.mark.parametrize(
    ("name", "severity", "message"),
    [
        ("Combat Results Table", "", ""),
        ("combat results", "", ""),
        ("1.2", "", ""),
        ("1.1", "", ""),
        ("[[1.1]]", "", ""),
        ("[[b/1:1.2]]", "", ""),
        ("[[b/1:1.2|the CRT]]", "", ""),
        ("Combat Result Table", "ERROR", "did you mean Combat Results Table?"),
        ("1.7", "ERROR", "no table 1.7"),
        ("Combat Table", "WARNING", "the nearest is Combat Results Table"),
        ("Weather Table", "WARNING", "no table of this book is called Weather Table"),
        ("CRT", "WARNING", "make one in tables/, or a note"),
    ],
)
def test_a_table_that_a_step_uses_is_there(name: str, severity: str, message: str) -> None:
    told = [one for one in made({"do": "Attack", "uses": name}).problems if one.code == "table-not-found"]
    assert [one.severity.name for one in told] == [severity] * bool(severity)
    assert all(message in one.message and one.subject == name for one in told)
