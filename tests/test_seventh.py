"""An invented series and a game on it, added with data alone: `tests/seventh/`.

Lantern 2 is the series. Fogbound 1 extends it: it has no numbering of its own, replaces, adds to and voids
rules, takes over the sequence of play with differences, and has an aid that shows both.
"""

import re
from functools import cache
from html import unescape
from pathlib import Path

import pytest

from rulewright.app.build_pipeline import build
from rulewright.book.outline import Outline
from rulewright.checks.load_and_check import CheckedProject, load_and_check
from rulewright.render.build_artifacts import Artifacts
from rulewright.sequence import actors

SEVENTH = Path(__file__).parent / "seventh"
SERIES, GAME = "lantern/2", "fogbound/1"


@cache
def _examined() -> CheckedProject:
    return load_and_check(SEVENTH)


@cache
def _built() -> Artifacts:
    return build(SEVENTH)


def _outline(address: str = GAME) -> Outline:
    return _examined().index.outlines[address]


def _page(path: str) -> str:
    """A page as one line without its tags' line ends."""
    return re.sub(r"\s+", " ", next(page.html for page in _built().pages if page.path == path))


def _words(html: str) -> str:
    """The words of some HTML, a space between its parts."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def _rule(page: str, key: str) -> str:
    """The words of a rule on its page, up to the next one."""
    html = _page(page)
    start = html.index(f'id="{key}"')
    end = html.find("<section", start)
    return _words("<" + html[start : end if end > 0 else len(html)])


OVERRIDDEN = [
    ("1-night", "1.1", "Replaced by 1.1 Thick fog (Fogbound)"),
    ("1-night", "1.1a", "Replaced by 1.1a Thick fog (Fogbound)"),
    ("1-night", "1.2", "Voided by 1.2 No moon (Fogbound)"),
    ("2-oil", "2.1", "Extended by 4.2 Barrels (Fogbound)"),
    ("3-moving", "3.3", "Extended by 1.3 Fog horns (Fogbound)"),
]


@pytest.mark.parametrize(("page", "key", "text"), OVERRIDDEN)
def test_a_rule_of_the_series_shows_what_the_game_does_to_it(page, key, text):
    assert text in _rule(f"{SERIES}/{page}", key)


def test_its_sequence_is_that_of_the_series_with_its_differences():
    steps = [(step.level, str(step.step.title)) for step in _outline().sequence.iter_steps()]
    assert steps == [
        (0, "First Turn"),
        (1, "Supply Phase"),
        (2, "Collect oil"),
        (2, "Pay for lanterns"),
        (1, "Boat Phase"),
        (2, "Row"),
        (2, "Load barrels"),
        (1, "Movement Phase"),
        (2, "Walk"),
        (2, "Stumble"),
        (2, "Ring"),
        (1, "Fog Watch Phase"),
        (2, "Look round"),
        (0, "Second Turn"),
    ]
    stumble = next(step for step in _outline().sequence.iter_steps() if step.step.title == "Stumble")
    assert (stumble.step.rolls, stumble.step.uses) == ("1d6", ("Stumble Table",)), "what is not changed stays"
    assert [str(step.step.title) for step in _outline(SERIES).sequence.steps] == [
        "Moon Phase",
        "First Turn",
        "Second Turn",
    ]
    watch = next(step for step in _outline().sequence.iter_steps() if step.step.title == "Look round")
    assert [actor.title for actor in actors.actors_of_step(watch)] == ["Stranger"]
