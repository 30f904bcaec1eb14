"""Facts of a step as phrases: English that a wargamer would print, whatever the value begins with."""

import json

import pytest

from rulewright.checks.examine import Examined, examine_folder
from rulewright.citations.facts import facts
from rulewright.source.folder import Folder

BOOK = "title: Book\nnumbers: ['1.1']\nsides: {x: {title: X}, y: {title: Y}}\n"
TABLE = "number: '1.2'\ntitle: Combat Results Table\nroll: 1d6\ncolumns: [A]\nrows: [{roll: '1', A: x}]\n"


def made(*steps: dict[str, object]) -> Examined:
    texts = {
        "rulebook.yml": BOOK,
        "1/edition.yml": "edition: '1'\n",
        "1/rules/1.yml": "chapter: '1'\ntitle: All\n\"1.1 One\": Words.\n",
        "1/tables/crt.yml": TABLE,
        "1/sequence.yml": json.dumps({"title": "Turn", "steps": steps}, ensure_ascii=False),
    }
    return examine_folder(Folder({f"content/b/{name}": text.encode() for name, text in texts.items()}))


def phrases(*steps: dict[str, object]) -> list[str]:
    *_, last = made(*steps).shelf.outlines["b/1"].every_step()
    return [one.plain for one in facts(last)]


@pytest.mark.parametrize(
    ("key", "value", "phrase"),
    [
        ("may occur", "yes", "may occur"),
        ("may occur", "both sides agree", "may occur if both sides agree"),
        ("may occur", "in winter", "may occur in winter"),
        ("may occur", "if it rains", "may occur if it rains"),
        ("optional", "yes", "optional"),
        ("optional", "an HQ is near", "optional if an HQ is near"),
        ("optional", "if an HQ is near", "optional if an HQ is near"),
        ("optional", "unless it snows", "optional unless it snows"),
        ("optional", "not in winter", "optional if not in winter"),
        ("optional", "wenn Schnee liegt", "optional wenn Schnee liegt"),
        ("optional", "The HQ is in supply.", "optional: The HQ is in supply."),
        ("must", "yes", "required"),
        ("must", "possible", "required if possible"),
        ("must", "before any other step", "required before any other step"),
        ("every", "4 game turns", "every 4 game turns"),
        ("every", "each winter turn", "each winter turn"),
        ("every", "second turn", "every second turn"),
        ("every", "jede dritte Runde", "jede dritte Runde"),
        ("when", "the result has an X", "when the result has an X"),
        ("when", "at noon", "at noon"),
        ("when", "Until the storm ends", "Until the storm ends"),
        ("when", "nach dem Kampf", "nach dem Kampf"),
        ("when", "once per turn", "once per turn"),
        ("during", "night", "during night"),
        ("during", "during the night", "during the night"),
        ("during", "Supply Phase", "during the Supply Phase"),
        ("during", "at any time", "at any time"),
        ("skip when", "nobody is near", "skipped if nobody is near"),
        ("skip when", "in the first game turn", "skipped in the first game turn"),
        ("skip when", "unless a tug is near", "skipped unless a tug is near"),
        ("second time when", "the box is red", "only the second time if the box is red"),
        ("second time when", "when the box is red", "only the second time when the box is red"),
        ("only", "tanks", "only tanks"),
        ("only", "only tanks", "only tanks"),
        ("only", "no tanks", "no tanks"),
        ("only", "nur Panzer", "nur Panzer"),
        ("only", "in clear weather", "only in clear weather"),
        ("not for", "tanks", "not for tanks"),
        ("not for", ["tanks", "guns", "HQs"], "not for tanks, guns or HQs"),
        ("not for", "not tanks", "not tanks"),
        ("not for", "in winter", "not in winter"),
        ("exempt", "elite units", "except elite units"),
        ("exempt", "except elite units", "except elite units"),
        ("exempt", ["tanks", "guns"], "except tanks and guns"),
        ("limit", "the sea lift", "up to the sea lift"),
        ("limit", "2 units a hex", "2 units a hex"),
        ("limit", "+1 level", "+1 level"),
        ("limit", "½ of its strength", "½ of its strength"),
        ("limit", "any number", "any number"),
        ("limit", "one unit", "one unit"),
        ("limit", "a quarter of the units", "a quarter of the units"),
        ("limit", "up to 3 units", "up to 3 units"),
        ("limit", "at most 3 units", "at most 3 units"),
        ("limit", "by terrain and supply", "limited by terrain and supply"),
        ("limit", "by one level", "by one level"),
        ("limit", "to 3 hexes", "limited to 3 hexes"),
        ("limit", "no more than 3", "no more than 3"),
        ("limit", "höchstens drei Einheiten", "höchstens drei Einheiten"),
        ("limit", "per HQ one unit", "per HQ one unit"),
        ("moves", "1/4 MA", "1/4 MA"),
        ("moves", "×2 MA", "×2 MA"),
        ("moves", "half of its MA", "half of its MA"),
        ("moves", "one hex", "one hex"),
        ("moves", "up to its MA", "up to its MA"),
        ("moves", "by rail", "moving by rail"),
        ("moves", "their whole MA", "moving their whole MA"),
        ("cost", "1 EP each", "pay 1 EP each"),
        ("cost", "+3 MP", "+3 MP"),
        ("cost", "−1 VP", "−1 VP"),
        ("cost", "free", "free"),
        ("cost", "pay 2 MP", "pay 2 MP"),
        ("cost", "half of its MA", "pay half of its MA"),
        ("cost", "no supply", "no supply"),
        ("rolls", "2d6", "roll 2d6"),
        ("rolls", "roll 2d6", "roll 2d6"),
        ("rolls", "no dice", "no dice"),
        ("uses", "Combat Results Table", "Combat Results Table"),
        ("uses", ["Combat Results Table", "[[1.1]]"], "Combat Results Table and 1.1"),
        ("kinds", ["air", "naval"], "air and naval"),
        ("kinds", "all of them", "all of them"),
        ("sets", ["In Supply", "Out of Supply"], "mark as In Supply or Out of Supply"),
        ("sets", "as Low", "mark as Low"),
        ("sets", "becomes Low", "becomes Low"),
        ("lasts", "the game turn", "for the game turn"),
        ("lasts", "until the next Supply Phase", "until the next Supply Phase"),
        ("lasts", "for two turns", "for two turns"),
        ("lasts", "2 turns", "for 2 turns"),
        ("lasts", "rest of the turn", "for the rest of the turn"),
        ("lasts", "permanently", "permanently"),
        ("lasts", "bis Rundenende", "bis Rundenende"),
        ("places", "Fuel markers", "place Fuel markers"),
        ("places", ["a Fuel marker", "a Tired marker"], "place a Fuel marker and a Tired marker"),
        ("places", "place a Fuel marker", "place a Fuel marker"),
        ("removes", "those that are not flipped", "remove those that are not flipped"),
        ("removes", "remove all", "remove all"),
        ("flips", "the others to their back", "flip the others to their back"),
        ("flips", "turn them over", "turn them over"),
        ("allows", ["rail transport", "sea transport"], "also rail transport and sea transport"),
        ("allows", "also rail transport", "also rail transport"),
        ("never", ["attack", "construction"], "no attack or construction"),
        ("never", "no attack", "no attack"),
        ("never", "any attack", "not any attack"),
        ("never", "in winter", "not in winter"),
        ("never", "kein Angriff", "kein Angriff"),
    ],
)
def test_a_fact_is_a_phrase(key: str, value: object, phrase: str) -> None:
    assert phrases({"do": "Begin"}, {"do": "Do it", key: value}) == [phrase]


@pytest.mark.parametrize(
    ("title", "key", "value", "said"),
    [
        ("Pay for the attack", "cost", "1 EP", ["1 EP"]),
        ("Each player rolls", "rolls", "2d6", ["2d6"]),
        ("Move by rail", "moves", "their whole MA", ["their whole MA"]),
        ("Movement Segment", "moves", "their whole MA", ["their whole MA"]),
        ("Remove markers", "removes", ["Fuel markers", "DG markers"], ["Fuel markers and DG markers"]),
        ("Remove DG markers", "removes", "DG markers", []),
        ("All DG markers are removed", "removes", "DG marker", []),
        ("Remove DG markers", "removes", "Fuel markers", ["remove Fuel markers"]),
        ("Flip the Tide marker", "flips", "Tide marker", []),
        ("Turn the Tide marker over", "flips", "the Tide marker", []),
        ("The Tide marker is not touched", "flips", "the Tide marker", ["flip the Tide marker"]),
        ("Pay 1 EP each", "cost", "1 EP each", []),
        ("Roll 2d6", "rolls", "2d6", []),
        ("Only tanks may attack", "only", "tanks", []),
        ("Tanks may attack", "only", "tanks", ["only tanks"]),
        ("Move up to 2 units", "limit", "up to 2 units", []),
        ("Air and naval barrage", "kinds", ["naval", "air"], []),
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
    assert all(message in one.message and one.about == name for one in told)
