"""Ember Coast, the game of our own, and Last Ember, which is played by its rules.

What is asked here is what only these books can show: that they are whole, in what their two editions differ,
and that the three weeks told in Appendix A follow from rules, sequence of play and tables as data.
"""

import heapq
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest

from rulewright.book.outline import Entry, Outline
from rulewright.citations import addresses
from rulewright.citations.turn import Stop, walk
from rulewright.compare.edition_changes import Difference, compare
from rulewright.model.dice import ranges
from rulewright.model.table import Table
from rulewright.source.text import Text
from tests.ours import library, rendered
from tests.projects import ROOT

FIRST, NOW, GAME = "ember-coast/1", "ember-coast/2.1", "last-ember/1"


def _outline(address: str = NOW) -> Outline:
    return library().shelf.outlines[address]


def _table(number: str, address: str = NOW) -> Table:
    return next(one.table for one in library().shelf.tables[address] if one.table.number == number)


def _said(number: str) -> str:
    """The text of a rule as one line."""
    entry = _outline().find(number)
    return " ".join(entry.rule.text.split())


# The book.


def test_nothing_is_wrong_and_nothing_is_excused() -> None:
    own = ("content/ember-coast/", "content/last-ember/")
    assert [str(one) for one in library().problems if one.place.file.startswith(own)] == []
    assert not any(_outline(address).edition.file.excused for address in (FIRST, NOW, GAME))


def test_every_rule_has_words_or_rules_or_a_table() -> None:
    tables = {str(one.table.number) for one in library().shelf.tables[NOW]}
    for entry in _outline().in_order:
        rule = entry.rule
        assert rule, entry
        assert rule.text or rule.rules or rule.retired or str(rule.number) in tables, entry


def test_every_diagram_stands_on_its_page() -> None:
    rules = [entry.rule for entry in _outline().in_order if entry.rule]
    own = sum(len(rule.diagrams) for rule in rules)
    noted = sum(1 for rule in rules for note in rule.notes if note.diagram)
    assert own
    assert noted
    made, _, _ = rendered()
    chapters = {addresses.chapter_path(chapter) for chapter in _outline().chapters}
    shown = sum(page.html.count('<figure class="drawn"') for page in made if page.path in chapters)
    assert shown == own + noted


def test_it_is_as_long_as_a_rulebook() -> None:
    levels = Counter(len(entry.number.labels) for entry in _outline().in_order)
    assert levels[1] >= 12, "chapters"
    assert levels[1] + levels[2] >= 130, "chapters and sections"
    assert levels[3] >= 150, "lettered cases"
    assert levels[4] >= 15, "items"
    tables = [one.table for one in library().shelf.tables[NOW]]
    assert len(tables) >= 10
    assert sum(table.roll is not None for table in tables) >= 8


def _references(address: str) -> Iterator[str]:
    """What the rules, tables and steps of an edition cite; errata, questions and aids are left out."""
    for citation in library().shelf.citations[address]:
        name = getattr(getattr(citation.text, "file", None), "name", "")
        if re.search(r"/(?:rules/.*|tables/.*|sequence)\.yml$", name):
            for one in citation.resolved:
                yield one.target.key


def test_it_has_the_references_of_a_rulebook_and_hardly_one_is_marked() -> None:
    assert len(list(_references(NOW))) >= 450
    written = "".join(path.read_text() for path in (ROOT / "content" / NOW).rglob("*.yml"))
    marked = re.findall(r"\[\[.*?\]\]", written)
    assert sorted(marked) == ["[[2.1|list below]]", "[[ember-coast/1:5.5]]"], (
        "words of its own, and another edition: what no prose can say"
    )


WAYS = [
    ("2.2", "12.4 to 12.6", ["12.4", "12.6"]),
    ("2.6a", "18.2c", ["18.2c"]),
    ("1.5", "chapter 12, section 5, case c, item (A)", ["12.5c(A)"]),
    ("12.5b", "section 5, case a", ["12.5a"]),
    ("11.3", "as 9.0 has it", ["9.0"]),
    ("1.5", "scenario (18.0)", ["18.0"]),
    ("7.1a", "12.5a or b", ["12.5a", "12.5b"]),
    ("6.2b", "16.2c and d", ["16.2c", "16.2d"]),
    ("9.4a", "9.2c, 9.5e and 5.5a", ["9.2c", "9.5e", "5.5a"]),
    ("7.4", "10.1–10.5", ["10.1", "10.5"]),
    ("11.2", "see 12.5c(A) and (B)", ["12.5c(A)", "12.5c(B)"]),
    ("16.1a", "16.2a–d", ["16.2a", "16.2d"]),
    ("18.3d", "Tables 13.7 and .8", ["13.7", "13.8"]),
    ("9.6", "the Combat Results Table (9.9)", ["9.9"]),
    ("9.1e", "as 3.2a(B) says", ["3.2a(B)"]),
]
"""Ways to write a reference: the rule, its words, and what they mean."""


@pytest.mark.parametrize(("number", "words", "keys"), WAYS)
def test_references_are_written_as_people_write_them(number: str, words: str, keys: list[str]) -> None:
    text = _said(number)
    assert words in text
    entry = _outline().find(number)
    cited = [
        one.target.key
        for citation in library().shelf.citations[NOW]
        if citation.source is entry
        for one in citation.resolved
        if one.target
    ]
    at = [place for place in range(len(cited)) if cited[place : place + len(keys)] == keys]
    assert at


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
    "Turn the Tide marker over: changed",
    "Spring tide: added",
    "Refit air units: changed",
    "Arrival Phase: retitled",
    "Flak: changed",
    "Supply Phase: moved",
    "Eat what there is: added",
    "Attrition: changed",
    "Reaction Phase: changed",
    "Overruns of Reserves: removed",
    "Fall back: added",
    "Move them: changed",  # by an erratum
}
GROUNDS = (
    "Open",
    "Beach",
    "Heath",
    "Marsh",
    "Tidal flat",
    "Wood",
    "Hill",
    "Ridge",
    "Town",
    "City",
    "Fortress",
)
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
        "text",
        "10-11, First week",
        "10-11, Later",
        "12.., First week",
        "12.., Later",
        "12.., Result",
    },
    "13.7: renumbered": set(),
    "13.8: renumbered": set(),
    "13.9: renumbered": set(),
    "14.9: added": set(),
    "15.7: renumbered": set(),
    "16.6: renumbered": set(),
}
CHANGED_AIDS = {
    "Sequence of Play: changed",
    "Charts: added",
    "Terrain: added",
    "Turn Checklist: added",
    "Reference Cards: added",
    "Ground Combat: added",
    "Counters: added",
    "Tracks: added",
    "Player Aid: added",
}


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


def test_every_unit_that_comes_has_its_values() -> None:
    known = " ".join(row["Unit"] for row in _table("13.9").rows)
    for row in _table("13.7").rows:
        for named in re.split(r", | and ", row["Units"]):
            unit = re.sub(r" \(.*|^in .*", "", named)
            assert not unit or unit in known or unit.split()[-1] in ("train", "trains"), unit


UNITS = {
    "HQ": ("headquarters", r"reach (?P<a>\d+), rating (?P<b>\d+), wheel \d+"),
    "infantry": ("infantry", COMBAT := r"(?P<halved>\d+)-(?P<a>\d+), morale (?P<left>\d+)"),
    "riders": ("cavalry", COMBAT),
    "tanks": ("armour", COMBAT),
    "engineers": ("engineers", COMBAT),
    "battery": ("artillery", r"barrage strength (?P<halved>\d+), range (?P<a>\d+), wheel (?P<b>\d+)"),
    "fighters": ("fighter", r"air rating (?P<a>\d+), range (?P<b>\d+)"),
    "bombers": ("bomber", r"air rating (?P<a>\d+), strike strength (?P<b>\d+), range (?P<c>\d+)"),
}
"""The symbol of each sort of unit in the Order of Battle, and its values, in the order of a counter."""


@pytest.mark.parametrize(("address", "number"), [(NOW, "13.9"), (FIRST, "13.8")])
def test_every_counter_has_the_values_of_the_order_of_battle(address: str, number: str) -> None:
    book = _outline(address).edition.book
    said, shown = {}, {}
    for row in _table(number, address).rows:
        symbol, pattern = UNITS.get(str(row["Sort"]), ("", ""))
        m = re.fullmatch(pattern, row["Values"])
        for name in row["Unit"].split(", ") if m else ():
            left, full = m.groupdict().get("left", ""), m.groupdict().get("halved", "")
            rest = [value for key, value in m.groupdict().items() if key in "abc"]
            front = "-".join(filter(None, [full, *rest]))
            back = "-".join([str((int(full) + 1) // 2), *rest]) if full else ""
            said[name] = str(row["Side"]), symbol, left, front, back
    for counter in book.counters.values():
        if counter.unit and counter.side:
            face = counter.back.values if counter.back else None
            side = book.sides[counter.side].title.removeprefix("Lantern ")
            shown[str(counter.means)] = (
                str(side), str(counter.unit), str(counter.left or ""), str(counter.values), str(face or ""),
            )  # fmt: skip
    assert shown == said


def test_its_errata_are_of_every_sort_and_those_that_hold_are_applied() -> None:
    errata = _outline().edition.errata
    assert {one.weight for one in errata.errata} == {"typo", "correction", "clarification", "change"}
    assert {one.kind for one in errata.errata} == {"rules", "table", "aid", "counter", "map"}
    assert [str(one.number) for one in _outline().edition.applied] == ["1", "2", "3", "4", "5", "6"]
    assert "go aboard even" in _said("15.6")


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


def _titles(stop: Stop) -> set[str]:
    return {str(one.step.title) for one in stop.walk()}


def test_the_turn_comes_to_every_step() -> None:
    walked = walk(_outline())
    missed = [one for one in _outline().every_step() if one not in walked.reached]
    assert [str(one.step.title) for one in missed if one.difference != "dropped"] == []
    assert _stop("dawn", "spring-tide").every == 4
    assert _stop("council", "council-phase").every == 4


ALLOWED = {
    "movement-phase": {"Overruns": True, "Strikes": True, "Barrages": False, "Declare the attack": False},
    "reaction-phase": {"Overruns": False, "Reaction barrages": True, "Declare the attack": False},
    "combat-phase": {"Overruns": False, "Barrages": True, "Declare the attack": True},
    "exploitation-phase": {"Barrages": False, "Attack again": True, "Move and overrun": True},
}


@pytest.mark.parametrize("phase", ALLOWED)
def test_each_phase_has_what_the_rules_allow_in_it(phase: str) -> None:
    for turn in ("first", "second"):
        titles = _titles(_stop(turn, f"/{phase}"))
        assert {title: title in titles for title in ALLOWED[phase]} == ALLOWED[phase]


def test_no_step_of_the_reaction_is_what_the_rules_rule_out() -> None:
    """7.3 and the sequence of play say the same."""
    assert set(_stop("first", "/reaction-phase").step.never) == {"overrun", "attack", "construction"}
    assert _said("7.3") == (
        "Nobody overruns (8.0), attacks (9.0), builds or blows (13.3) in the Reaction Phase."
    )


def test_every_table_is_rolled_in_a_step() -> None:
    used = {str(name) for entry in _outline().every_step() for name in entry.step.uses}
    rolled = {str(one.table.title) for one in library().shelf.tables[NOW] if one.table.roll}
    assert rolled <= used


PLAYED = {
    "first week, Tidewardens": (
        "second",
        [
            ("arrival-phase/ember-points-arrive", "wardens"),
            ("move-segment/fuel-wheels-and-tracks", "wardens"),
            ("move-segment/move-ground-units", "wardens"),
            ("strike-segment/strikes", "wardens"),
            ("supply-phase/trace-supply-paths", "wardens"),
            ("reaction-phase/release-reserves", "league"),
            ("barrage-segment/barrages", "wardens"),
            ("assault-segment/declare-the-attack", "wardens"),
            ("assault-segment/pay", "wardens"),
            ("assault-segment/pay-for-the-defence", "league"),
            ("assault-segment/roll-for-surprise", "wardens"),
            ("assault-segment/roll-and-modify", "wardens"),
            ("assault-segment/retreat", "league"),
            ("assault-segment/advance", "wardens"),
        ],
    ),
    "second week, League": (
        "first",
        [
            ("refit-phase/refit-air-units", "league"),
            ("arrival-phase/ember-points-arrive", "league"),
            ("move-ground-units/dig-in", "league"),
            ("fire-and-fly/reaction-barrages", "wardens"),
        ],
    ),
    "third week, League": (
        "first",
        [
            ("arrival-phase/reinforcements-arrive", "league"),
            ("move-segment/fuel-wheels-and-tracks", "league"),
            ("move-ground-units/change-modes", "league"),
            ("supply-phase/trace-supply-paths", "league"),
            ("fire-and-fly/reaction-barrages", "wardens"),
        ],
    ),
    "third week, Tidewardens": (
        "second",
        [
            ("move-segment/overruns", "wardens"),
            ("supply-phase/trace-supply-paths", "wardens"),
            ("supply-phase/mark-those-that-are-not", "wardens"),
            ("supply-phase/attrition", "wardens"),
            ("assault-segment/declare-the-attack", "wardens"),
        ],
    ),
}
"""What was done in the weeks of Appendix A, in its order: the turn of whom, the steps, and who acted."""


@pytest.mark.parametrize("turn", PLAYED)
def test_what_was_played_is_in_the_order_of_the_turn_and_done_by_who_may(turn: str) -> None:
    name, played = PLAYED[turn]
    stops = _stops(name)
    places = []
    for end, side in played:
        place, stop = next((n, one) for n, one in enumerate(stops) if one.anchor.endswith(end))
        assert [player.side and player.side.name for player in stop.players] == [side], end
        places.append(place)
    if turn != "second week, League":  # who digs in has finished before others move: one free group
        assert all(here < there for here, there in pairwise(places))


# The ground of Scenario One (18.3c), and what it costs.

Hex = tuple[int, int]


def _hex(number: str) -> Hex:
    return int(number[:2]), int(number[2:])


def _beside(one: Hex) -> Iterator[Hex]:
    column, row = one
    up = row - 1 if column % 2 else row  # even columns stand half a hex lower
    yield from ((column, row - 1), (column, row + 1))
    yield from ((c, r) for c in (column - 1, column + 1) for r in (up, up + 1))


TERRAIN = {_hex(n): t for n, t in {"0605": "Hill", "0606": "Town", "0507": "Wood", "0706": "Wood"}.items()}
TERRAIN |= {_hex("0806"): "Marsh", _hex("0907"): "City"}
ROAD = [_hex(number) for number in ("0305", "0405", "0506", "0606", "0707", "0807", "0907")]
MAP = [(column, row) for column in range(3, 10) for row in range(1, 11)]


def test_the_road_leads_from_hex_to_adjacent_hex() -> None:
    for here, there in pairwise(ROAD):
        assert there in _beside(here)
        assert here in _beside(there)
    said = " ".join(_said(number) for number in ("18.3b", "18.3c"))
    for number in ("0305", "0405", "0506", "0606", "0707", "0807", "0605", "0507", "0706", "0806"):
        assert number in said


ROADS = [
    "0103 0203 0304 0305",
    "0203 0303 0402 0502 0602 0703 0802 0903 1002",
    "1002 1003 1004 1005 0906 0907 0908 0909 1009 1010",
    "1010 1110 1210 1310",
]
"""Roads of Scenario Two, and the flats that lead to Last Ember (18.4e)."""


@pytest.mark.parametrize("road", ROADS)
def test_the_roads_of_the_season_lead_from_hex_to_adjacent_hex(road: str) -> None:
    said = _said("18.4e")
    for here, there in pairwise(road.split()):
        assert _hex(there) in _beside(_hex(here)), (here, there)
        assert there in said


def _cost(terrain: str, column: str) -> Fraction | None:
    """A cell of the Movement Cost Table; None where it says no."""
    row = next(row for row in _table("6.9").rows if row["Terrain"] == terrain)
    return None if row[column] == "no" else Fraction(row[column].lstrip("+"))


def _step_cost(here: Hex, there: Hex, column: str) -> Fraction | None:
    """What it costs to go from a hex to the next, by road (6.3), else by hex and hexside (6.2a)."""
    if {here, there} in [{*pair} for pair in pairwise(ROAD)]:
        return _cost("Road or bridge", column)
    cost = _cost(TERRAIN.get(there, "Open"), column)
    if {here[0], there[0]} == {5, 6}:  # the Varn
        river = _cost("River", column)
        return None if cost is None or river is None else cost + river
    return cost


def _zone(units: Collection[Hex]) -> set[Hex]:
    """The hexes in the ZOC of combat units: those around them, but not across a river without a bridge."""
    bridge = {_hex("0506"), _hex("0606")}
    return {
        there
        for here in units
        for there in _beside(here)
        if {here[0], there[0]} != {5, 6} or {here, there} == bridge
    }


def _path(source: str, unit: str, friends: Collection[Hex], enemies: Collection[Hex]) -> Fraction | None:
    """The cheapest supply path (12.4a and b) for wheels, or None where all are cut."""
    start, end = _hex(source), _hex(unit)
    cut = {*enemies, *(_zone(enemies) - {*friends, start, end})}
    costs: dict[Hex, Fraction] = {start: Fraction(0)}
    heap = [(Fraction(0), start)]
    while heap:
        spent, here = heapq.heappop(heap)
        if here == end:
            return spent
        for there in _beside(here):
            more = None if there in cut or there not in MAP else _step_cost(here, there, "Wheel")
            if more is not None and spent + more < costs.get(there, Fraction(10**6)):
                costs[there] = spent + more
                heapq.heappush(heap, (costs[there], there))
    return None


def _distance(one: str, other: str) -> int:
    reached, edge, far = {_hex(one)}, {_hex(one)}, 0
    while _hex(other) not in reached:
        edge = {there for here in edge for there in _beside(here)} - reached
        reached |= edge
        far += 1
    return far


PATH_MOST = 8
"""MPs that a supply path may cost at most (12.4a)."""


def test_supply_in_the_example_of_the_rules() -> None:
    assert f"At most {PATH_MOST} MP for wheels" in _said("12.4a")
    friends, enemies = {_hex("0405"), _hex("0506")}, {_hex("0606")}
    assert _path("0405", "0506", friends, enemies) == Fraction(1, 2)


def test_in_the_third_week_the_riders_are_lit_by_a_way_round() -> None:
    """A.3: 7 of the 8 MP, by 0906, 0805, 0705 and the hill of 0605."""
    friends, enemies = {_hex("0606"), _hex("0807"), _hex("0907")}, {_hex("0707")}
    cost = _path("0907", "0606", friends, enemies)
    assert cost == 7 <= PATH_MOST
    assert f"{cost} of the {PATH_MOST} MP of 12.4a" in _said("A.3")
    way = [_hex(number) for number in ("0907", "0906", "0805", "0705", "0605", "0606")]
    assert [_step_cost(here, there, "Wheel") for here, there in pairwise(way)] == [1, 1, 1, 3, 1]
    assert not {*way[1:-1]} & _zone(enemies)
    assert _hex("0706") in _zone(enemies)


def test_in_the_third_week_the_brigades_across_the_river_go_dark() -> None:
    friends, enemies = {_hex("0707"), _hex("0405"), _hex("0406")}, {_hex("0606"), _hex("0807"), _hex("0907")}
    assert _path("0405", "0707", friends, enemies) is None
    assert _path("0405", "0707", friends, enemies - {_hex("0606")}) == Fraction(3, 2), (
        "had they left somebody"
    )
    supply, combat = (_stop("second", end) for end in ("/supply-phase", "/combat-phase"))
    order = [stop.anchor for stop in _stops("second")]
    assert order.index(supply.anchor) < order.index(combat.anchor)
    assert _stop("second", "/declare-the-attack").step.only == "combat units that are not Dark"
    assert "are not Dark" in _said("9.1a")


def test_the_tanks_reach_the_bridge_and_cannot_clear_it() -> None:
    """The first move of A.1, and in A.3 the overrun that two rules rule out."""
    mill_watch = _zone({_hex("0606")})
    way = [_hex(number) for number in ("0305", "0405", "0506")]
    steps = [_step_cost(here, there, "Track") for here, there in pairwise(way)]
    assert steps == [Fraction(1, 2)] * 2
    assert [there in mill_watch for there in way[1:]] == [False, True]
    assert "Tanks pay 2 MP more" in _said("6.4")
    assert "pays what it costs to enter the hex, and 3 MP more" in _said("8.1a")
    road = _step_cost(_hex("0707"), _hex("0606"), "Foot")
    assert road is not None
    leaving, overrun, allowance = 1, 3, 4
    assert leaving + road + overrun > allowance
    assert Fraction(8, 5) < 2 <= Fraction(11, 5), (
        "alone the tanks lack the odds, together the infantry the MPs"
    )


# Dice, and tables as data.


def _cell(number: str, column: str, roll: int, by: str = "roll") -> str:
    """The result of a roll on a table; a roll is looked up in the column `by`."""
    for row in _table(number).rows:
        if any(roll in one for one in ranges(row[by]) or ()):
            return str(row[column])
    raise AssertionError((number, roll))


def _of(number: str, *conditions: str) -> int:
    """What these modifiers of a table add to the roll, or how many columns they shift it, left negative."""
    modifiers = {str(one.when): str(one.value) for one in _table(number).modifiers if one.when}
    values = [modifiers[condition] for condition in conditions]
    return sum(int(v[:-1]) * (-1 if v[-1] == "L" else 1) if v[-1] in "LR" else int(v) for v in values)


def _odds(terrain: str, attack: Fraction, defence: Fraction, *shifts: str) -> str:
    """The column of the Combat Results Table (9.4), by what it is called in the open."""
    table = _table("9.9")
    odds = [str(one) for one in table.head_rows[Text(terrain)] if one != "–"]
    values = [Fraction(*map(int, one.split(":"))) for one in odds]
    assert values == sorted(values)
    ratio = Fraction(int(attack), int(defence))
    at = max((n for n, value in enumerate(values) if value <= ratio), default=0)
    return str(table.columns[at + _of("9.9", *shifts)])


def _morale(attack: int, defence: int) -> int:
    return max(-3, min(3, attack - defence))  # 9.5a


WEATHER = {8: 7, 9: 8, 7: 6}
"""What was rolled for the weather in the three weeks, and what became of it."""


def test_the_weather_of_the_three_weeks() -> None:
    lingers = _of("16.6", "the weather was Clear before")
    assert {roll: roll + lingers for roll in WEATHER} == WEATHER
    assert {_cell("16.6", "Reapmonth", roll) for roll in WEATHER.values()} == {"Clear"}


@pytest.mark.parametrize(
    ("side", "rolls", "brings", "in_rule"),
    [
        ("Tidewardens", [7, 5, 6], [4, 2, 4], ["A.1", "A.2", "A.3"]),
        ("League", [6, 10, 7], [2, 3, 2], ["A.1", "A.2", "A.3"]),
    ],
)
def test_the_ember_points_that_came(side, rolls, brings, in_rule):
    for roll, brought, number in zip(rolls, brings, in_rule, strict=True):
        assert _cell("12.9", side, roll + _of("12.9", "in Scenario One")) == str(brought)
        assert f"{brought} EP" in _said(number)


def test_the_fights_in_the_air() -> None:
    """Heron, a bomber with an air rating of 1, meets Gull with 2."""
    bomber = _of("14.8", "the attacker is a bomber")
    first, second = (_cell("14.8", "Result", roll + 1 - 2 + bomber) for roll in (8, 10))
    assert (first, second) == ("Both turned back", "No effect")
    assert "a 6, and both turn back" in _said("A.1")
    row = next(row for row in _table("14.9").rows if row["Flak of"] == "HQ")
    assert any(4 in one for one in ranges(row["Through"]) or ())
    assert _distance("0907", "0606") <= 6, "Gull's range"
    assert _distance("0304", "0707") <= 8, "Heron's range"


ADJACENT = "with a combat unit adjacent to the target, but not for Strikes"
ROUGH, DUG = "against a wood, a hill or a town", "against units that are Dug In"
BARRAGES: list[tuple[str, str, str, str, int, list[str], str]] = [
    ("A.1", "0406", "0606", "6-9", 9, [ADJACENT, ROUGH, DUG], "All S"),
    ("A.2", "0406", "0707", "6-9", 6, [ADJACENT, DUG], "S"),
    ("A.2", "", "0707", "3-5", 10, [DUG], "S"),
    ("A.3", "0406", "0606", "6-9", 7, [ADJACENT, ROUGH], "S"),
]
"""The barrages of the example: its rule, from where (a strike from nowhere), at what, with which dice."""


@pytest.mark.parametrize(("number", "battery", "target", "column", "roll", "modified", "result"), BARRAGES)
def test_the_barrages(number, battery, target, column, roll, modified, result):
    assert _cell("10.6", column, roll + _of("10.6", *modified)) == result
    assert result in _said(number)
    if battery:
        assert _distance(battery, target) <= 3, "the range of Weir Battery"


def test_the_first_attack() -> None:
    """10 to 2 against a town, across the river."""
    attack, defence = 6 + Fraction(8, 2), Fraction(4, 2)
    row = next(row for row in _table("4.6").rows if row["Terrain"] == "Town")
    column = _odds(row["Odds"], attack, defence)
    roll = 9 + _morale(7, 6) + _of("9.9", "all across a river")
    result = _cell("9.9", column, roll)
    assert f"the column of {column} in the open" in _said("A.1")
    assert f"An {roll} at {column} is {result}." in _said("A.1")
    assert result == "A1 / D1 R1"


def test_the_second_attack() -> None:
    """11 to 3 with surprise, against units that are Dug In in the open."""
    attack, defence = Fraction(3 + 8), 2 + Fraction(3, 2)
    surprise = 9 + 7 - 6
    assert surprise >= 10
    assert "At 10 or more the attacker has surprise" in _said("9.3a")
    column = _odds("Open", attack, defence, "against units that are Dug In", "with surprise for the attacker")
    roll = 8 + _morale(7, 6) + _of("9.9", "with tanks against none")
    result = _cell("9.9", column, roll)
    assert f"{roll} at {column} is {result}." in _said("A.2")
    assert result == "D1 R2"


def test_the_attrition_of_the_third_week() -> None:
    assert _cell("12.10", "Result", 9, by="First week") == "Disordered"
    assert _cell("12.10", "Result", 6, by="First week") == "No effect"


def test_the_fourth_week_begins_with_the_attackers_on_opposite_sides() -> None:
    """0606 and 0807 are three hexes of the ring around 0707 apart."""
    ring = [_hex(number) for number in ("0706", "0806", "0807", "0708", "0607", "0606")]
    assert {*ring} == {*_beside(_hex("0707"))}
    assert all(there in _beside(here) for here, there in pairwise(ring))
    assert abs(ring.index(_hex("0606")) - ring.index(_hex("0807"))) == 3


STORES: Mapping[str, tuple[int, list[int]]] = {
    "0405, Tidewardens": (8, [-2, -1, -1, -1, -2, -1]),
    "0707, League": (3, [-1, -1]),
}
"""Depots of the scenario: what they begin with, and all that was drawn up to the end of the second week."""


def test_the_depots_end_as_the_example_says() -> None:
    left = {name: had + sum(drawn) for name, (had, drawn) in STORES.items()}
    assert left == {"0405, Tidewardens": 0, "0707, League": 1}
    assert "the depot has 1 EP left: half of that, rounded down, is nothing" in _said("A.2")
    for name, (had, _) in STORES.items():
        assert f"a depot of {had} EP" in _said("18.3a" if "League" in name else "18.3b")
