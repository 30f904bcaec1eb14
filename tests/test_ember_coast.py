"""Ember Coast, the game of our own, and Last Ember, which is played by its rules.

What is asked here is what only these books can show: that they are whole, in what their two editions differ,
and that the three weeks told in Appendix A follow from rules, sequence of play and tables as data.
"""

import re
from functools import cache

from rulewright.book.outline import Entry, Outline
from rulewright.citations.turn import Stop, walk
from rulewright.compare.edition_changes import Difference, compare
from tests.ours import library

FIRST, NOW, GAME = "ember-coast/1", "ember-coast/2.1", "last-ember/1"


def _outline(address: str = NOW) -> Outline:
    return library().shelf.outlines[address]


# The book.


def test_nothing_is_wrong_and_nothing_is_excused() -> None:
    own = ("content/ember-coast/", "content/last-ember/")
    assert [str(one) for one in library().problems if one.place.file.startswith(own)] == []
    assert not any(_outline(address).edition.file.excused for address in (FIRST, NOW, GAME))


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
def _difference() -> Difference:
    return compare(_outline(FIRST), _outline(NOW), library().shelf)


def _moves(entry: Entry | None, other: Entry | None) -> str:
    keys = [one.key for one in (entry, other) if one]
    return keys[0] if len(set(keys)) == 1 else ">".join(keys)


def test_the_rules_of_the_editions_differ_as_their_editors_say() -> None:
    found: dict[str, set[str]] = {}
    for change in _difference().rules:
        if change.is_told:
            old, new = change.origin, change.heir
            found.setdefault(change.kind, set()).add(_moves(old, new))
    assert found == {kind: set(re.split(r",\s+", keys)) for kind, keys in CHANGED_RULES.items()}


def test_the_steps_tables_and_aids_of_the_editions_differ_as_their_editors_say() -> None:
    told = _difference()
    steps = {f"{one.here.step.title}: {one.kind}" for one in told.steps if one.is_told}
    assert steps == CHANGED_STEPS
    tables = {
        f"{one.here.table.number}: {one.kind}": {part.name for part in one.parts}
        for one in told.tables
        if one.is_told
    }
    assert tables == CHANGED_TABLES
    assert {f"{one.here.title}: {one.kind}" for one in told.aids if one.is_told} == CHANGED_AIDS


def test_the_game_on_its_rules_replaces_adds_to_and_voids() -> None:
    rules = [entry.rule for entry in _outline(GAME).in_order if entry.rule]
    assert sum(bool(rule.replaces) for rule in rules) >= 5
    assert sum(bool(rule.adds_to) for rule in rules) >= 3
    assert [str(one) for rule in rules for one in rule.voids] == ["16.5", "2.6", "13.8", "9.1e"]
    played = walk(_outline(GAME))
    titles = [str(stop.step.title) for stop in played.every_stop()]
    assert played.is_whole
    assert {"Frost Segment", "Lantern Phase", "Feed the Light"} <= set(titles)
    assert not {"Council Phase", "Spring tide", "Riders retreat"} & set(titles)


# The turn, as the sequence of play has it.


def _stops(turn: str) -> list[Stop]:
    """All that is come to in a turn, in its order; those of `second` with the roles reversed."""
    return [stop for stop in walk(_outline()).every_stop() if stop.anchor.startswith(turn)]


def _stop(turn: str, end: str) -> Stop:
    return next(stop for stop in _stops(turn) if stop.anchor.endswith(end))


def test_the_turn_comes_to_every_step() -> None:
    walked = walk(_outline())
    missed = [one for one in _outline().every_step() if one not in walked.reached]
    assert [str(one.step.title) for one in missed if one.difference != "dropped"] == []
    assert _stop("dawn", "spring-tide").every == 4
    assert _stop("council", "council-phase").every == 4


# The ground of Scenario One (18.3c), and what it costs.

Hex = tuple[int, int]


def _hex(number: str) -> Hex:
    return int(number[:2]), int(number[2:])


TERRAIN = {_hex(n): t for n, t in {"0605": "Hill", "0606": "Town", "0507": "Wood", "0706": "Wood"}.items()}
TERRAIN |= {_hex("0806"): "Marsh", _hex("0907"): "City"}


# Dice, and tables as data.
