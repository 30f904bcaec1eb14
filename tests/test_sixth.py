"""A sixth book, made up for the tests and added with data alone: `tests/sixth/` holds nothing else.

It numbers its rules as no other does (`§4-b-iii`), has kinds of step and colours of its own, and uses
everything that a sequence of play and a table can say.
"""

import json
import re
from functools import cache
from html import unescape
from pathlib import Path

import pytest

from rulewright.app.build import build
from rulewright.book.outline import Outline
from rulewright.book.sequence import StepEntry
from rulewright.checks.examine import Examined, examine
from rulewright.site import diagram
from rulewright.site.artifacts import Artifacts
from rulewright.site.exports import FORMATS, tables

SIXTH = Path(__file__).parent / "sixth"
ADDRESS = "salt-road/2"


@cache
def _examined() -> Examined:
    return examine(SIXTH)


@cache
def _made() -> Artifacts:
    return build(SIXTH)


def _outline() -> Outline:
    return _examined().shelf.outlines[ADDRESS]


def _page(path: str) -> str:
    """A page as one line without its tags' line ends."""
    html = next(page.html for page in _made().pages if page.path == f"{ADDRESS}/{path}".strip("/"))
    return re.sub(r"\s+", " ", html)


def _words(path: str) -> str:
    """The words of a page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", _page(path))).split())


def test_it_is_data_alone_and_clean() -> None:
    assert {path.suffix for path in SIXTH.rglob("*") if path.is_file()} == {".yml"}
    assert [str(problem) for problem in _examined().problems] == []
    assert _examined().excused == ()


def test_its_numbers_are_found_in_prose_in_runs_and_ranges() -> None:
    cites = {}
    for citation in _examined().shelf.citations[ADDRESS]:
        for one in citation.resolved:
            cites.setdefault(str(citation.source), []).append(one.target.key)
    assert cites["§2-a Water Points"] == ["§3-b-i", "§3-b-iii"]
    assert cites["§3-a-ii"] == ["§4-a", "§4-b"]
    assert cites["§3-b-iii"] == ["§2-a-i", "§2-a-ii"]
    assert cites["§4-b-iii"] == ["§2-a-ii"]
    between = _outline().find("§3-b-ii")
    assert between
    assert [str(source) for source in _examined().shelf.cited_by[between]] == ["§2-a Water Points"]


def test_its_pages_show_titles_marks_levels_and_anchors() -> None:
    night = _page("4-night")
    assert '<section class="rule level-2 untitled" id="§4-b-iii">' in night
    assert 'href="../2-water/#%C2%A72-a-ii"' in night
    assert "Dated 2024-02-11" in _words("4-night")
    assert f"r/{ADDRESS}/§4/index.html" in _made().files
    assert "part 5 · clause 8 · line 13" in _words("numbers")


def test_its_colours_are_on_its_pages() -> None:
    for path in ("sequence", "4-night", ""):
        style = re.search(r'<div class="rw [^"]*" style="([^"]*)"', _page(path))
        own = dict(part.split(":") for part in style[1].split(";"))
        assert own["--own-phasing"] == "#7a3b00"
        assert own["--own-side-3"] == "#8a1253"
        assert own["--own-phasing-dark"] > own["--own-phasing"]
        assert set(own) == {
            f"--own-{cue}{dark}"
            for cue in ("phasing", "non-phasing", "both", "side-3")
            for dark in ("", "-dark")
        }


SAID = [
    "Leader's March",
    "As the Leader's March with the roles reversed, without Light a fire ; ≠ marks what is different.",
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
    "skipped if nobody marched",
    "every 4 days",
    "G › A › T ω. Market (Guild of wells, then Azalai caravan, then Desert tribes)",
    "α. Dawn (Leader and Follower)",
    "Count the camels (No player)",
    "Follow the tracks (Follower)",
    "Buy water (Guild of wells)",
    "Raid , combat action (Desert tribes)",
]
"""What the page of the sequence says, of everything that a step can say."""


@pytest.mark.parametrize("words", SAID)
def test_its_sequence_says(words: str) -> None:
    assert words.replace(" · ", " ") in _words("sequence").replace(" · ", " ")


def test_what_is_forbidden_is_no_table_of_that_name() -> None:
    assert '<span class="fact">no raid</span>' in _page("sequence")
    assert re.search(r'<a class="to-table" href="../tables/#raid">Raid Table</a>', _page("sequence"))


def test_its_steps_in_strict_and_in_free_order() -> None:
    loading = _step("first/loading")
    assert all(step.any_order for step in loading.children)
    assert not any(step.any_order for step in _step("first/march").children)
    html = _page("sequence")
    free = html[html.index("Load salt") - 600 : html.index("Load salt")]
    assert '<div class="any-order">' in free
    assert "<ul>" in free


def _step(end: str) -> StepEntry:
    return next(step for step in _outline().every_step() if step.anchor == f"day/{end}")


OUTLINED = [
    "[LF] α. Dawn",
    "- Drink – pay 1 WP for ten camels (§2-a); remove Thirst markers [§2-a-i, §2-a-ii]",
    "- [-] Count the camels",
    "[L] Loading – in any order",
    "- [G] Buy water – optional if the caravan stands at a well [§2-a-iii]",
    "[L] March (Mch) – no raid",
    "- Storm – when the sky is red; roll d66; Storm Table [§3-c]",
    "- [F] Follow the tracks – only scouts",
    "[L] Camp – skipped if nobody marched",
    "- Light a fire – optional; place Fire markers and Smoke markers",
    "- [T]* Raid – roll 2d6; Raid Table [§4-b]",
    "Follower's March – as the Leader's March with the roles reversed, without Light a fire; ≠ marks",
    "≠ [T] Council",
    "As in the Leader's March: Loading",
    "≠ [L] Ride (Mch) – pay 1 WP a rider; no raid or trade",
    "[G][A][T] ω. Market – every 4 days",
]


def test_its_outline_says_the_same_as_text() -> None:
    text = " ".join(FORMATS["text"](_outline(), _examined().shelf, "").split())
    assert [line for line in OUTLINED if line not in text] == []


def test_its_outline_leads_to_its_tables() -> None:
    shelf, base = _examined().shelf, "https://salt.example/"
    assert f"[Raid Table]({base}{ADDRESS}/tables/#raid)" in FORMATS["markdown"](_outline(), shelf, base)
    assert f'<a href="{base}{ADDRESS}/3-marching/#%C2%A73-c"' in FORMATS["html"](_outline(), shelf, base)
    made = json.loads(FORMATS["json"](_outline(), shelf, base))
    assert made["roles"]["phasing"] == {"title": "Leader", "mark": "L", "colour": "#7a3b00"}
    raid = made["steps"][0]["steps"][1]["steps"][2]["steps"][1]
    assert raid["tables"] == [{"key": "raid", "title": "Raid Table", "href": f"{base}{ADDRESS}/tables/#raid"}]


def test_its_picture_shows_turns_side_by_side_and_what_holds_in_each_box() -> None:
    drawn = diagram.draw(_outline())
    boxes = {(str(box.step.step.title), box.x > 100): box for box in drawn.boxes}
    assert [title for title, _ in boxes] == [
        "Dawn",
        "Leader's March",
        "Loading",
        "March",
        "Camp",
        "Follower's March",
        "Council",
        "Loading",
        "Ride",
        "Camp",
        "Market",
    ]
    assert boxes["Leader's March", False].y == boxes["Follower's March", True].y
    assert boxes["March", False].said == "no raid"
    assert boxes["Camp", False].said == "skipped if nobody marched"
    assert boxes["Council", True].labels[0].words == "≠ Council"
    assert boxes["Ride", True].labels[0].words == "≠ Ride (Mch)"
    assert boxes["Ride", True].said == "pay 1 WP a rider; no raid or trade"
    assert boxes["Market", False].said == "every 4 days"
    assert [actor.mark for actor in boxes["Market", False].actors] == ["G", "A", "T"]


def test_its_tables_have_groups_spans_notes_modifiers_and_dice() -> None:
    html = _page("3-marching")
    assert '<th scope="colgroup" colspan="2">Hours lost</th>' in html
    assert re.search(r'<th[^>]* rowspan="3"[^>]*>Gravel', html)
    words = _words("3-marching")
    assert "with a guide of the guild" in words
    assert "A camp at a well loses nothing, see §2-a-i" in words
    assert "Where the lost are found" in words
    used = "1 rule cites §3-c · used in 1 step §3-a The Day's March March › Storm"
    assert used in words, "the table lists the steps that use it"
    storm, raid = _examined().shelf.tables[ADDRESS][::-1]
    data = json.loads(tables.json(storm))
    assert data["dice"] == {"count": 2, "sides": 6, "digits": True, "plus": 0, "low": 11, "high": 66}
    assert data["holds"][1] == {"Wind": [[31, 46]]}
    assert tables.csv(storm).split("\r\n")[:3] == [
        "Ground,Wind,Open,Camp",
        "Gravel,≤26,0,0",
        "Gravel,31–46,2,1",
    ]
    assert tables.csv(storm).split("\r\n")[6:8] == ["", "Where the lost are found"]
    assert [str(source) for source in _examined().shelf.cited_by[raid]]


def test_its_errata_are_applied_and_told() -> None:
    """References in its own way of numbering, a cell, a modifier, the sequence as a whole."""
    assert [str(one.number) for one in _outline().edition.applied] == ["E1", "E3", "E4", "E5"]
    assert "A full well gives 6 WP, [printed: a poor one gives 2 ] [now: a poor one gives 3, but" in _words(
        "2-water"
    )
    poisoned = _outline().find("§4-b-iii")
    assert poisoned
    assert "§2-a-i" in [getattr(one, "key", "") for one in _examined().shelf.cited_by[poisoned]]
    assert "or of the tribes" in _words("3-marching")
    assert "no hours in it [printed: is talked through ] [now: is passed over ( §4-a )" in _words("sequence")
    assert "Question Does a raid by night meet a camp with two fires (§4-b-i)?" in _words("4-night")
    told = _words("errata")
    for words in ("Erratum E6: Tafilet", "Map Clarifications Erratum E7", "withdrawn", "draft", "§4-b-ii"):
        assert words in told
