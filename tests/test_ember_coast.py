"""Ember Coast, the game of our own, and Last Ember, which is played by its rules.

Checked: no problems, the differences of two editions, and a game that changes the rules of its series.
"""

import re
from functools import cache

from rulewright.book.outline import Outline, RuleEntry
from rulewright.compare.edition_diff import EditionDiff, diff_editions
from tests.own_library import library

FIRST, NOW, GAME = "ember-coast/1", "ember-coast/2.1", "last-ember/1"


def _outline(address: str = NOW) -> Outline:
    return library().index.outlines[address]


# The book.


def test_nothing_is_wrong_and_nothing_is_excused() -> None:
    own = ("content/ember-coast/", "content/last-ember/")
    assert [str(one) for one in library().problems if one.place.file.startswith(own)] == []
    assert not any(_outline(address).edition.edition_file.excused for address in (FIRST, NOW, GAME))


# Its editions.

CHANGED_RULES = {
    "reworded": """1.5, 2.2, 2.3b, 5.5a, 6.4, 7.1a, 7.3, 8.0, 8.3, 9.3a, 9.4, 9.4b, 9.5c,
        12.4a, 12.8, 13.4a, 13.5, 14.4, 14.7b, 15.1b, 16.3, 18.4d""",
    "reworded, retired": "8.4",
    "added": "7.6, 12.6d, 14.9, 15.6, 16.5, Appendix A",
    "removed": "17.6",
    "retitled": "15.4",
    "moved, reworded": "3.6>13.6",
    "renumbered": "12.7c>12.7b, 12.7d>12.7c, 13.6>13.7, 13.7>13.8, 13.8>13.9, 15.6>15.7, 16.5>16.6",
    "split": "9.4c, 9.4c>9.4d",
    "merged": "12.7a, 12.7b>12.7a",
}
"""What became of the rules between the editions, as amended: listed by hand from the two books."""

CHANGED_STEPS = {
    "Turn the Tide marker over: changed", "Spring tide: added", "Refit air units: changed",
    "Arrival Phase: retitled", "Flak: changed", "Supply Phase: moved", "Eat what there is: added",
    "Attrition: changed", "Reaction Phase: changed", "Overruns of Reserves: removed", "Fall back: added",
    "Move them: changed",
}  # fmt: skip
GROUNDS = (
    "Open", "Beach", "Heath", "Marsh", "Tidal flat", "Wood", "Hill", "Ridge", "Town", "City", "Fortress",
)  # fmt: skip
CHANGED_TABLES = {
    "6.9: changed": {"Hex › Marsh, Track", "note"},
    "4.6: changed": {
        "column",
        "note",
        "Sea, Hex",
        *(f"{ground}, {column}" for ground in GROUNDS for column in ("Hex", "Odds")),
    },
    "9.9: changed": {
        "text",
        "heads",
        "column_groups",
        *(f"heads {ground}" for ground in ("Open", "Wood, hill", "Town, ridge", "Fortress")),
        "7, 1:1",
        "8, 1:1",
        "9, 2:1",
        "13.., 1:4",
        "modifier",
        "note",
    },
    "12.9: changed": {"modifier"},
    "12.10: changed": {
        "text", "10-11, First week", "10-11, Later", "12.., First week", "12.., Later", "12.., Result",
    },
    "13.7: renumbered": set(),
    "13.8: renumbered": set(),
    "13.9: renumbered": set(),
    "14.9: added": set(),
    "15.7: renumbered": set(),
    "16.6: renumbered": set(),
}  # fmt: skip
CHANGED_AIDS = {
    "Sequence of Play: changed", "Charts: added", "Terrain: added", "Turn Checklist: added",
    "Reference Cards: added", "Ground Combat: added", "Counters: added", "Tracks: added",
    "Player Aid: added",
}  # fmt: skip


@cache
def _difference() -> EditionDiff:
    return diff_editions(_outline(FIRST), _outline(NOW), library().index)


def _moves(entry: RuleEntry | None, other: RuleEntry | None) -> str:
    keys = [one.key for one in (entry, other) if one]
    return keys[0] if len(set(keys)) == 1 else ">".join(keys)


def test_the_rules_of_the_editions_differ_as_their_editors_say() -> None:
    found: dict[str, set[str]] = {}
    for change in _difference().rules:
        if change.is_reported:
            old, new = change.predecessor, change.successor
            found.setdefault(change.kind, set()).add(_moves(old, new))
    assert found == {kind: set(re.split(r",\s+", keys)) for kind, keys in CHANGED_RULES.items()}


def test_the_steps_tables_and_aids_of_the_editions_differ_as_their_editors_say() -> None:
    told = _difference()
    steps = {f"{one.present_item.step.title}: {one.kind}" for one in told.steps if one.is_reported}
    assert steps == CHANGED_STEPS
    tables = {
        f"{one.present_item.table.number}: {one.kind}": {part.name for part in one.parts}
        for one in told.tables
        if one.is_reported
    }
    assert tables == CHANGED_TABLES
    assert {f"{one.present_item.title}: {one.kind}" for one in told.aids if one.is_reported} == CHANGED_AIDS


def test_the_game_on_its_rules_replaces_adds_to_and_voids() -> None:
    rules = [entry.rule for entry in _outline(GAME).ordered_entries if entry.rule]
    assert sum(bool(rule.replaces) for rule in rules) >= 5
    assert sum(bool(rule.adds_to) for rule in rules) >= 3
    assert [str(one) for rule in rules for one in rule.voids] == ["16.5", "2.6", "13.8", "9.1e"]
    sequence = _outline(GAME).sequence
    titles = [str(step.step.title) for step in sequence.iter_played()]
    assert sequence.is_whole
    assert {"Frost Segment", "Lantern Phase", "Feed the Light"} <= set(titles)
    assert not {"Council Phase", "Spring tide", "Riders retreat"} & set(titles)
