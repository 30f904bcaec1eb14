"""The five books: their references against counts taken by hand from the seeds, and the seeds' own faults.

How often a seed cites a rule was counted by hand, without any of our code. Each citation is in our
rules, in our steps or in both, exactly as often as in the seed unless a line here says otherwise.
"""

from collections import Counter

import pytest

from rulewright.book.outline import RuleEntry
from rulewright.sequence.sequence_step import SequenceStep
from tests.own_library import library

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


def _cited(address: str, source: type) -> Counter[str]:
    """How often each number is cited by the rules, or by the steps, of an edition."""
    citations = library().index.editions[address].citations
    found = (one.match.number for c in citations if isinstance(c.source, source) for one in c.resolved)
    return Counter(number.key for number in found if number)


@pytest.mark.parametrize("address", [EASTERN, KILLING, ASL, CHARTS])
def test_references_are_those_of_the_seed(address):
    assert _cited(address, RuleEntry) == Counter(IN_RULES[address])
    assert _cited(address, SequenceStep) == Counter(IN_STEPS[address]) + OURS[address]


@pytest.mark.parametrize("address", [EASTERN, KILLING, ASL, CHARTS])
def test_every_cited_rule_says_by_what(address):
    outline = library().index.outlines[address]
    for number in {*IN_RULES[address], *IN_STEPS[address]}:
        entry = outline.find(number)
        assert entry
        assert library().index.cited_by.get(entry) or number == ITSELF, number


def test_the_books_have_no_problems_but_those_that_are_excused():
    assert [str(problem) for problem in library().problems] == []


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


def test_the_outline_of_4_3_cites_what_the_seed_does():
    cited: Counter[str] = Counter()
    for citation in library().index.editions["ocs/4.3"].citations:
        if isinstance(citation.source, SequenceStep) and citation.text is not citation.source.step.narrative:
            cited.update(one.match.number.key for one in citation.resolved if one.match.number)
    assert sum(OUTLINE_4_3.values()) == 59
    assert cited == Counter(OUTLINE_4_3)
