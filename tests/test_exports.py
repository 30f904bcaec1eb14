"""The outline: as the case files say, with links that lead somewhere."""

import re

import pytest

from rulewright.book.library_reader import read_library
from rulewright.book.outline import Outline, build_outline
from rulewright.files.content_reader import ContentFolder
from rulewright.references import site_paths
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.render.exports.outline_markdown import outline_as_markdown
from tests.casefiles import Case, cases
from tests.own_library import library


def in_case(case: Case) -> tuple[Outline, ReferenceIndex]:
    """The outline of a case, and the shelf it is on."""
    files = {info.removeprefix("yaml "): text for info, text in case.blocks if info.startswith("yaml ")}
    library = read_library(ContentFolder({name: text.encode() for name, text in files.items()}))
    assert not [problem for problem in library.problems if problem.is_failure]
    index = build_reference_index(
        {address: build_outline(edition) for address, edition in library.editions.items()}
    )
    return index.outlines["bridge/2"], index


@pytest.mark.parametrize("case", cases("outline"), ids=str)
def test_an_outline_as_markdown(case):
    case.agrees(outline_as_markdown(*in_case(case)), case.text("markdown"))


@pytest.fixture(scope="module")
def real():
    index = library().index
    return index.outlines["ocs/4.3"], index


def test_links_lead_to_rules_that_are_there(real):
    outline, index = real
    base = "https://example.org/rules"
    found = re.findall(r"\]\(([^)]+)\)", outline_as_markdown(outline, index, base))
    entries = (entry for one in index.outlines.values() for entry in one.entries.values())
    there = {
        f"{base}/{site_paths.relative_link('', *site_paths.path_and_anchor(entry))}" for entry in entries
    }
    assert len(found) > 40
    assert {link.replace("%28", "(").replace("%29", ")") for link in found} <= there
