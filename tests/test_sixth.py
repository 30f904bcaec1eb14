"""A sixth book, invented and added with data alone: `tests/sixth/` has nothing else.

It numbers its rules as no other does (`§4-b-iii`), has kinds of step and colours of its own, and uses
everything that a sequence of play and a table can say.
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

SIXTH = Path(__file__).parent / "sixth"
ADDRESS = "salt-road/2"


@cache
def _examined() -> CheckedProject:
    return load_and_check(SIXTH)


@cache
def _built() -> Artifacts:
    return build(SIXTH)


def _outline() -> Outline:
    return _examined().index.outlines[ADDRESS]


def _page(path: str) -> str:
    """A page as one line without its tags' line ends."""
    html = next(page.html for page in _built().pages if page.path == f"{ADDRESS}/{path}".strip("/"))
    return re.sub(r"\s+", " ", html)


def _words(path: str) -> str:
    """The words of a page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", _page(path))).split())


def test_it_is_data_alone_and_clean():
    assert {path.suffix for path in SIXTH.rglob("*") if path.is_file()} == {".yml"}
    assert [str(problem) for problem in _examined().problems] == []
    assert _examined().suppressed == ()


def test_its_numbers_are_found_in_prose_in_runs_and_ranges():
    cites = {}
    for citation in _examined().index.editions[ADDRESS].citations:
        for one in citation.resolved:
            cites.setdefault(str(citation.source), []).append(one.target.key)
    assert cites["§2-a Water Points"] == ["§3-b-i", "§3-b-iii"]
    assert cites["§3-a-ii"] == ["§4-a", "§4-b"]
    assert cites["§3-b-iii"] == ["§2-a-i", "§2-a-ii"]
    assert cites["§4-b-iii"] == ["§2-a-ii"]
    between = _outline().find("§3-b-ii")
    assert between
    assert [str(source) for source in _examined().index.cited_by[between]] == ["§2-a Water Points"]


EXPECTED = [
    "Leader's March",
    "As the Leader's March , without Light a fire ; ≠ marks what is different.",
    "T ≠ different here: Council (Desert tribes)",
    "L ≠ different here: Ride (Mch) (Leader) pay 1 WP a rider ; no raid or trade",
    "L Loading (Leader) as in the Leader's March",
    "In any order",
    "4 bars a camel",
    "optional if the caravan stands at a well",
    "Light a fire ( optional ; place Fire markers and Smoke markers )",
    "no raid",
    "no raid or trade",
    "when the sky is red ; roll d66 ; Storm Table",
    "pay 1 WP for ten camels §2-a ; remove Thirst markers",
    "only scouts",
    "unless nobody marched",
    "every 4 game turns",
    "G › A › T ω. Market (Guild of wells, then Azalai caravan, then Desert tribes)",
    "α. Dawn (Leader and Follower)",
    "Count the camels (No player)",
    "Follow the tracks (Follower)",
    "Buy water (Guild of wells)",
    "Raid , combat action (Desert tribes)",
]
"""What the page of the sequence says, of everything that a step can say."""


@pytest.mark.parametrize("words", EXPECTED)
def test_its_sequence_says(words):
    assert words.replace(" · ", " ") in _words("sequence").replace(" · ", " ")


def test_its_errata_are_applied_and_listed():
    """References in its own way of numbering, a cell, a modifier, the sequence as a whole."""
    assert [str(one.number) for one in _outline().edition.applied_errata] == ["E1", "E3", "E4", "E5"]
    assert "A full well gives 6 WP, [printed: a poor one gives 2 ] [now: a poor one gives 3, but" in _words(
        "2-water"
    )
    poisoned = _outline().find("§4-b-iii")
    assert poisoned
    assert "§2-a-i" in [getattr(one, "key", "") for one in _examined().index.cited_by[poisoned]]
    assert "or of the tribes" in _words("3-marching")
    assert "no hours in it [printed: is talked through ] [now: is passed over ( §4-a )" in _words("sequence")
    assert "Question Does a raid by night meet a camp with two fires (§4-b-i)?" in _words("4-night")
    text = _words("errata")
    for words in ("Erratum E6: Tafilet", "Map Clarifications Erratum E7", "withdrawn", "draft", "§4-b-ii"):
        assert words in text
