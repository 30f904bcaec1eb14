"""The five books: their references against counts taken by hand from the seeds, and the seeds' own faults.

How often a seed cites a rule was counted by hand, without any of our code. Each citation stands in our
rules, in our steps or in both, exactly as often as in the seed unless a line here says otherwise.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

from rulewright.book.outline import RuleEntry
from rulewright.checks.load_and_check import load_and_check
from rulewright.references.reference_types import RuleReference
from rulewright.sequence.sequence_step import TOP, SequenceStep
from tests.commands.duel import write
from tests.own_library import library
from tests.projects import ROOT

SEED = ROOT.parent / "shared" / "seeds" / "000_44f003e784dd13d8.txt"

ITSELF = "9.15e"
"""A table of OCS 3.0 that cites its own second part."""

EASTERN, KILLING, ASL, CHARTS = "eastern-front/2009-02-16", "killing-ground/1", "asl/a3", "ocs/3.0"

EASTERN_CITES = {
    **dict.fromkeys(("16.G", "47", "51", "52", "45.B.1.d", "20.B.1", "17.B"), 1),
    "14.C": 2,
    "62": 1,  # in what holds for the whole sequence
}
ASL_CITES = dict.fromkeys(
    ("A9.2", "C.4", "A22", "A23", "A7.25", "A10.5", "D6.1", "A4.7", "A12.12", "A12.122"), 1
)
IN_RULES = {
    EASTERN: EASTERN_CITES,
    KILLING: {},
    ASL: {**ASL_CITES, "D": 1, "A3.1": 1, "A3.8": 2},  # "Step 3.8" and the end of 3.1-3.8
    CHARTS: {"14.6d": 1, "21.4": 1, "9.12c": 1, ITSELF: 1},
}
"""What the seeds cite and our rules do. One seed is all sequence of play, and one cites in tables only."""

IN_STEPS = {
    EASTERN: EASTERN_CITES,
    # Each once as data and once in the narrative.
    KILLING: {"10.12A": 2, "10.43": 2, "12.24": 2, "10.11B": 2, "10.12": 2, "12.4": 2, "15.4": 4},
    ASL: ASL_CITES,
    CHARTS: {},
}
"""What the seeds cite and our steps do."""

OURS = {
    EASTERN: Counter({f"4.A.{n}": 1 for n in range(1, 14)}) + Counter({"4.A": 2, "4.B": 2}),
    KILLING: Counter(),
    ASL: Counter({f"A3.{n}": 1 for n in range(1, 9)}) + Counter({"A3.9": 2}),
    CHARTS: Counter(),
}
"""What our steps cite besides: the rule that each of them comes from."""

NUMBERS = {EASTERN: 18, KILLING: 1, ASL: 10, CHARTS: 3}
"""How many numbers with a text of their own a seed prints, tables and bare chapter headings left out."""


def _cited(address: str, source: type) -> Counter[str]:
    """How often each number is cited by the rules, or by the steps, of an edition."""
    citations = library().index.editions[address].citations
    found = (one.match.number for c in citations if isinstance(c.source, source) for one in c.resolved)
    return Counter(number.key for number in found if number)


@pytest.mark.parametrize("address", [EASTERN, KILLING, ASL, CHARTS])
def test_references_are_those_of_the_seed(address: str) -> None:
    assert _cited(address, RuleEntry) == Counter(IN_RULES[address])
    assert _cited(address, SequenceStep) == Counter(IN_STEPS[address]) + OURS[address]


@pytest.mark.parametrize("address", [EASTERN, KILLING, ASL, CHARTS])
def test_every_cited_rule_says_by_what(address: str) -> None:
    outline = library().index.outlines[address]
    for number in {*IN_RULES[address], *IN_STEPS[address]}:
        entry = outline.find(number)
        assert entry
        assert library().index.cited_by.get(entry) or number == ITSELF, number


@pytest.mark.parametrize("address", [EASTERN, ASL])
def test_every_printed_number_is_transcribed(address: str) -> None:
    entries = library().index.outlines[address].entries.values()
    own = [entry for entry in entries if entry.is_transcribed and entry.key != "A"]
    assert len(own) == NUMBERS[address]


def test_the_books_have_no_problems_but_those_that_are_excused() -> None:
    assert [str(problem) for problem in library().problems] == []


def test_the_second_phase_5_of_the_german_turn() -> None:
    """The Killing Ground prints two phases 5 in the German turn. Both are kept, and one is excused."""
    outline = library().index.outlines[KILLING]
    german = next(step for step in outline.sequence.steps if step.step.id == "german")
    labels = [(str(step.step.label), str(step.step.title)) for step in german.inner]
    assert labels == [
        ("1.", "Replacement Phase"),
        ("2.", "Air Interdiction Determination Phase"),
        ("3.", "Movement Phase"),
        ("4.", "Combat Phase"),
        ("5.", "Engineering Phase"),
        ("5.", "Disorganization/Regroup Phase"),
    ]
    assert ("label-repeated", "german/regroup") in _excused(KILLING)


def test_the_letters_that_begin_again_where_a_heading_is_lost() -> None:
    """The end of The Killing Ground's turn begins again with A., since the heading above it is lost."""
    steps = library().index.outlines[KILLING].sequence.steps
    assert [str(step.step.label or "") for step in steps] == ["A.", "B.", "", "", "", "A.", "B."]
    assert ("label-out-of-order", "victory-points") in _excused(KILLING)


def _excused(address: str) -> set[tuple[str, str]]:
    folder = f"content/{address}/"
    return {(p.code, p.subject) for p, _ in library().suppressed if p.place.file.startswith(folder)}


def test_a_reference_in_what_holds_for_the_whole_sequence_is_cited() -> None:
    outline = library().index.outlines[EASTERN]
    whole = outline.find("62")
    assert whole
    sources = library().index.cited_by[whole]
    assert [source.anchor for source in sources if isinstance(source, SequenceStep)] == [TOP]


def test_the_date_stamp_of_a_rule_is_data() -> None:
    chapter = library().index.outlines[EASTERN].find("4")
    assert chapter.rule.dated == "2009-02-16"


def test_a_number_may_leave_out_its_chapter_where_no_chapter_has_text(tmp_path: Path) -> None:
    files = {
        "content/reef/rulebook.yml": 'title: Reef\nnumbers: "A1.1"\nchapters: "B"\nimplied: chapter\n',
        "content/reef/1/edition.yml": 'edition: "1"\n',
        "content/reef/1/known.yml": 'known:\n  - {number: "B"}\n  - {number: "B2.1"}\n',
        "content/reef/1/sequence.yml": 'title: Turn\nsteps:\n  - {phase: Swim, see: "2.1"}\n',
    }
    write(tmp_path, files)
    examined = load_and_check(tmp_path)
    assert not [problem for problem in examined.problems if problem.is_failure]
    outline = examined.index.outlines["reef/1"]
    assert [source.anchor for source in examined.index.cited_by[outline.entries["B2.1"]]] == ["swim"]


OUTLINE_4_3 = {
    "2.3": 5,
    "12.4": 4,
    **dict.fromkeys(["6.0", "12.5", "8.0", "14.6", "14.7d", "14.9"], 3),
    **dict.fromkeys(["14.2", "10.0", "9.0"], 2),
    **dict.fromkeys(["15.1", "13.6", "13.5", "13.9", "4.5", "12.8e", "5.0", "5.7", "5.8", "13.8d"], 1),
    **dict.fromkeys(["16.0", "15.3", "10.2", "10.3", "14.10", "14.3", "14.4", "12.0", "12.10"], 1),
    **dict.fromkeys(["12.6", "12.8", "7.0", "10.1", "11.0", "5.10", "14.8"], 1),
}
"""What the outline of OCS 4.3 cites, by hand: 59 references. Its narrative, which cites more, is our own."""

CHART = "14.6c"
"""A table that stands in OCS 3.0 alone, to which a page of 4.3 has a mark."""


def test_the_outline_of_4_3_cites_what_the_seed_does() -> None:
    cited: Counter[str] = Counter()
    for citation in library().index.editions["ocs/4.3"].citations:
        if isinstance(citation.source, SequenceStep) and citation.text is not citation.source.step.narrative:
            cited.update(one.match.number.key for one in citation.resolved if one.match.number)
    assert sum(OUTLINE_4_3.values()) == 59
    assert cited == Counter(OUTLINE_4_3)


def test_the_broken_link_of_the_seed_leads_to_its_rule() -> None:
    """In the seed, the link of 15.3 leads nowhere: it leaves out the page. Here no link can be mistyped."""
    outline = library().index.outlines["ocs/4.3"]
    bases = outline.find("15.3")
    assert bases
    assert [
        str(source.path) for source in library().index.cited_by[bases] if isinstance(source, SequenceStep)
    ] == ["Movement Phase › Movement Segment › Construction and de-construction › Air bases"]
    if SEED.exists():
        links = re.findall(r"\[15\.3\]\(([^()]*)\)", SEED.read_text("utf-8"))
        assert links == ["../#153-building-air-bases"], "the page between the two is what is missing"


def test_a_table_of_one_edition_is_cited_by_a_page_of_another() -> None:
    charts = library().index.outlines["ocs/3.0"]
    table = charts.find(CHART)
    assert table
    pages = [
        page.name
        for page in library().manuscripts
        if any(isinstance(one, RuleReference) and one.target is table for one in page.resolved)
    ]
    assert pages == ["content/ocs/4.3/faq.md"]
