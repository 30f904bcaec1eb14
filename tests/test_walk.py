"""The turn as it is played, and the rules along it: in real and invented books, and in nested repeats."""

import re
from functools import cache
from pathlib import Path

import pytest

from rulewright.checks.load_and_check import CheckedProject, load_and_check
from rulewright.references.rules_in_play_order import rules_in_play_order
from rulewright.render import pages
from rulewright.render.render_context import RenderContext
from rulewright.sequence.turn_playthrough import PlayedStep, TurnPlaythrough, play_through
from tests.commands.duel import write
from tests.projects import ROOT

SIXTH = ROOT / "tests/sixth"

ADDRESSES = ["ocs/4.3", "ocs/3.0", "asl/a3", "killing-ground/1", "eastern-front/2009-02-16"]
ADDRESSES += ["ember-coast/2.1", "last-ember/1", "salt-road/2"]


@cache
def _examined(root: Path) -> CheckedProject:
    return load_and_check(root)


@cache
def _pages(root: Path) -> dict[str, str]:
    examined = _examined(root)
    return {
        page.path: page.html
        for page in pages.render_site(RenderContext(examined.shelf), examined.library).pages
    }


def _root(address: str) -> Path:
    return SIXTH if address.startswith("salt") else ROOT


def _walk(address: str) -> TurnPlaythrough:
    return play_through(_examined(_root(address)).shelf.outlines[address].sequence)


def _stop(address: str, anchor: str) -> PlayedStep:
    return next(stop for stop in _walk(address).every_stop() if stop.anchor == anchor)


def _titles(row: tuple[PlayedStep, ...]) -> list[str]:
    return [str(stop.step.title) for stop in row]


@pytest.mark.parametrize("address", ADDRESSES)
def test_the_walk_comes_to_every_step_but_those_that_are_dropped(address: str) -> None:
    walked = _walk(address)
    outline = _examined(_root(address)).shelf.outlines[address]
    missed = [step for step in outline.sequence.iter_steps() if step not in walked.reached]
    assert all(step.difference == "dropped" for step in missed)
    assert walked.is_whole
    anchors = [stop.anchor for stop in walked.every_stop()]
    assert len(anchors) == len(set(anchors))


def test_a_second_player_turn_goes_through_the_first_with_the_roles_reversed() -> None:
    first, second = (_stop("ocs/4.3", turn) for turn in ("first", "second-player-turn"))
    assert _titles(first.inner) == _titles(second.inner)
    overruns = _stop("ocs/4.3", "second-player-turn/movement-phase/movement-segment/overruns")
    assert [(one.actor.name, one.side and one.side.name) for one in overruns.players] == [
        ("phasing", "second")
    ]
    reaction = _stop("ocs/4.3", "second-player-turn/reaction-phase")
    assert [(one.actor.name, one.side and one.side.name) for one in reaction.players] == [
        ("non-phasing", "first")
    ]


def test_differences_are_in_their_places() -> None:
    german = _stop("killing-ground/1", "german")
    assert [f"{stop.step.label} {stop.step.title}" for stop in german.inner] == [
        "1. Replacement Phase",
        "2. Air Interdiction Determination Phase",
        "3. Movement Phase",
        "4. Combat Phase",
        "5. Engineering Phase",
        "5. Disorganization/Regroup Phase",
    ]
    engineering = german.inner[4]
    assert _titles(engineering.inner)[-1] == "Build Entrenchments"
    assert _titles(engineering.inner)[0] == "Complete what construction markers stand for"


def test_a_changed_step_keeps_what_is_not_changed() -> None:
    ride = _stop("salt-road/2", "day/second/march")
    assert ride.step.title == "Ride"
    assert ride.step.abbreviation == "Mch"
    assert ride.step.cost == "1 WP a rider"
    assert _titles(ride.inner) == ["Set out", "Storm", "Follow the tracks"]


def test_several_who_act_have_a_round_each_of_all_that_they_do() -> None:
    rout = _stop("asl/a3", "first/rtph")
    assert [(stop.is_player_round, stop.players[0].actor.title) for stop in rout.inner] == [
        (True, "ATTACKER"),
        (True, "DEFENDER"),
    ]
    assert [_titles(each.inner) for each in rout.inner] == [["Rout broken units"]] * 2
    last = [stop for stop in rout.walk() if not stop.inner]
    assert [stop.players[0].actor.title for stop in last] == ["ATTACKER", "DEFENDER"]


def test_who_acts_by_turns_in_a_step_whose_parts_are_others_does_so_in_each_part() -> None:
    """In the Operation Segment the Allied player declares first; what only one of them does is his alone."""
    segment = _stop("killing-ground/1", "support/operations")
    assert not any(stop.is_player_round for stop in segment.inner)
    declare, named, flip = segment.inner[:3]
    assert [stop.players[0].actor.title for stop in declare.inner] == ["Allied player", "German player"]
    assert [stop.players[0].actor.name for stop in (named, flip)] == ["both", "allied"]


NEST = """title: Tides
steps:
  - player turn: High Water
    id: high
    steps:
      - phase: Sailing
        id: sailing
        steps: [{do: Tack}, {do: Jibe}]
      - phase: Racing
        repeats: sailing
        except: [{add: {do: Cheer}, after: Jibe}]
  - player turn: Low Water
    repeats: high
    except: [{drop: Tack}]
"""


SWAPS = """title: Day
steps:
  - phase: Dice
    steps:
      - {{do: First, optional: "yes", swaps: [{0}]}}
      - {{do: Both, by: [red, blue], swaps: [red, blue]}}
  - player turn: Red
    id: red
    phasing: red
    steps:
      - {{phase: Move, steps: [{{do: Turn, swaps: [Move, Fire]}}]}}
      - phase: Fire
  - player turn: Blue
    id: blue
    phasing: blue
    repeats: red
  - phase: Night
"""


@pytest.mark.parametrize(
    ("named", "exchanged"),
    [
        ("red, blue", ("red", "blue")),
        ("Blue, Red", ("blue", "red")),
        ("red, Night", ("red", "night")),
        ("Dice, blue", ("dice", "blue")),
        ("red, Fire", None),
        ("red, red", None),
        ("red, nobody", None),
        ("red", None),
        ("red, blue, Night", None),
    ],
)
def test_swapped_steps_change_places_where_they_stand(
    named: str, exchanged: tuple[str, str] | None, tmp_path: Path
) -> None:
    files = {
        "rulebook.yml": "title: H\nnumbers: '1.1'\nsides: {red: {title: Red}, blue: {title: Blue}}\n",
        "1/edition.yml": 'edition: "1"\n',
        "1/sequence.yml": SWAPS.format(named),
    }
    write(tmp_path / "content/h", files)
    outline = load_and_check(tmp_path).shelf.outlines["h/1"]
    swaps = play_through(outline.sequence).swapped_turns(outline.sequence)
    found = {stop.anchor: tuple(one.anchor for one in pair) for stop, pair in swaps.items()}
    assert found.pop("dice/first", None) == exchanged
    assert found == {
        "dice/both": ("red", "blue"),
        "red/move/turn": ("red/move", "red/fire"),
        "blue/move/turn": ("blue/move", "blue/fire"),
    }


def test_repeats_within_repeats_are_gone_through(tmp_path: Path) -> None:
    files = {
        "rulebook.yml": 'title: H\nnumbers: "1.1"\n',
        "1/edition.yml": 'edition: "1"\n',
        "1/sequence.yml": NEST,
    }
    write(tmp_path / "content/h", files)
    high, low = play_through(load_and_check(tmp_path).shelf.outlines["h/1"].sequence).stops
    assert [_titles(phase.inner) for phase in high.inner] == [["Tack", "Jibe"], ["Tack", "Jibe", "Cheer"]]
    assert [_titles(phase.inner) for phase in low.inner] == [["Jibe"], ["Jibe", "Cheer"]]


@pytest.mark.parametrize("address", ADDRESSES)
def test_each_rule_stands_once_in_order_of_play(address: str) -> None:
    examined = _examined(_root(address))
    outline = examined.shelf.outlines[address]
    laid = rules_in_play_order(outline, examined.shelf)
    rows = [*laid.rules_by_step.values(), laid.unplaced]
    placed = [entry for row in rows for one in row for entry in one.walk()]
    assert sorted(entry.key for entry in placed) == sorted(outline.entries)
    html = _pages(_root(address))[f"{address}/in-order"]
    linked = re.findall(r'class="ref[^"]*" href="[^"]*" data-ref="([^"]*)"', html)
    assert sorted(linked) == sorted(f"{address}:{key}" for key in outline.entries)


def test_what_is_played_in_a_step_follows_its_new_title_in_a_game(tmp_path: Path) -> None:
    files = {
        "quay/rulebook.yml": 'title: Quay\nnumbers: "1.1"\nsides: {tide: {title: T}, moon: {title: M}}\n',
        "quay/1/edition.yml": 'edition: "1"\n',
        "quay/1/sequence.yml": """title: Tides
steps:
  - player turn: High
    phasing: tide
    steps:
      - {phase: Towing, steps: [{segment: Pull}, {segment: Rest}, {do: Fly, during: Pull}]}
      - {phase: Draw, swaps: [High, Low]}
  - {player turn: Low, phasing: moon, steps: [{phase: Sleep}]}
""",
        "storm/rulebook.yml": 'title: Storm\nnumbers: "1.1"\n',
        "storm/1/edition.yml": 'edition: "1"\nextends: quay/1\n',
        "storm/1/sequence.yml": """title: Tides
except:
  - {change: Pull, segment: Haul}
  - {change: Low, player turn: Ebb}
""",
    }
    write(tmp_path / "content", files)
    examined = load_and_check(tmp_path)
    assert [str(problem) for problem in examined.problems if problem.is_failure] == []
    outline = examined.shelf.outlines["storm/1"]
    high = play_through(outline.sequence).stops[0]
    assert [_titles(stop.inner) for stop in high.inner[0].walk()][:2] == [["Haul", "Rest"], ["Fly"]]
    draw = outline.sequence.steps_named("Draw")[0]
    assert [str(name) for name in draw.step.swaps] == ["High", "Ebb"]
