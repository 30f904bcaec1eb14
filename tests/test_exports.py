"""The outline in its formats: as the case files say, and the same in all formats."""

import re

import pytest

from rulewright.book.library_reader import read_library
from rulewright.book.outline import Outline, build_outline
from rulewright.files.content_reader import ContentFolder
from rulewright.references import site_paths
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.render.exports.outline_markdown import FORMATS
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
def test_formats(case):
    outline, index = in_case(case)
    shown = [info for info, _ in case.blocks if info in FORMATS]
    assert shown, f"{case} expects nothing"
    for name in shown:
        case.agrees(FORMATS[name](outline, index, case.text("base", "").strip()), case.text(name))


@pytest.fixture(scope="module")
def real():
    index = library().index
    return index.outlines["ocs/4.3"], index


@pytest.mark.parametrize("name", ["html", "markdown"])
def test_links_lead_to_rules_that_are_there(real, name):
    outline, index = real
    base = "https://example.org/rules"
    page = FORMATS[name](outline, index, base)
    found = re.findall(r'href="([^"]+)"' if name == "html" else r"\]\(([^)]+)\)", page)
    entries = (entry for one in index.outlines.values() for entry in one.entries.values())
    there = {
        f"{base}/{site_paths.relative_link('', *site_paths.path_and_anchor(entry))}" for entry in entries
    }
    assert len(found) > 40
    assert {link.replace("%28", "(").replace("%29", ")") for link in found} <= there
