"""Names in texts: steps by their titles and abbreviations, terms of the glossary, and what is none."""

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.book.library_reader import read_library
from rulewright.book.outline import RuleEntry, build_outline
from rulewright.document import nodes
from rulewright.files.content_reader import ContentFolder
from rulewright.references.name_finder import NameFinder, NameSpelling
from rulewright.references.reference_index import build_reference_index
from rulewright.render.page_renderer import PageRenderer
from rulewright.render.render_context import RenderContext
from tests.casefiles import cases
from tests.dialects import patient
from tests.test_prose import references

CASES = cases("names")
TITLES = ["Clean Up Phase", "Movement Phase", "Reaction Phase", "Player's Turn"]
SHORT = ["MP", "T", "c/m", "C#", "quay", "RPh", "A&B", "Tpt"]
NAMES = NameFinder(
    [
        *(NameSpelling(title, title, True, title.split()[-1]) for title in TITLES),
        *(NameSpelling(one, one) for one in SHORT),
    ],
    never=["MP Table", "hex # MP"],
)
PIECES = [
    *TITLES,
    *SHORT,
    "Movement",
    " and the ",
    ", ",
    " ",
    "\n",
    "\n\n",
    "- ",
    "*",
    "**",
    "12",
    "½",
    "12.5",
]
PIECES += [
    "[[14.7d|MP]]",
    "(",
    ")",
    "-",
    "’s",
    "s",
    ".",
    "The",
    "German ",
    "1. ",
    "\\",
    "&",
    "<",
    "é",
    "MP Table",
]
some_text = st.text() | st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_names_in_texts(case):
    texts = {info.removeprefix("yaml "): text for info, text in case.blocks if info.startswith("yaml ")}
    library = read_library(ContentFolder({path: text.encode() for path, text in texts.items()}))
    assert not [problem for problem in library.problems if problem.is_failure]
    desk = RenderContext(
        build_reference_index(
            {address: build_outline(edition) for address, edition in library.editions.items()}
        )
    )
    at = PageRenderer("harbour/1", desk)
    lines = []
    glossary = desk.glossaries["harbour/1"]
    for source, text in glossary.searched_texts():
        called = source.key if isinstance(source, RuleEntry) else desk.name(source)
        for name in glossary.find(glossary.index.document(text), source):
            words = " ".join(text[name.start : name.end].split())
            link = at.writer.words([nodes.NameNode(at.builder.target_id(name.target), words)])
            href = re.search('href="([^"]*)"', link)
            lines.append(f"{called}: {words} → {href[1]}")
    case.agrees("\n".join(lines), case.text("expect"))


def first(bearers: Sequence[str]) -> str:
    return bearers[0]


@patient
@given(text=some_text)
def test_a_name_is_whole_and_meets_nothing_else(text):
    taken = [r.match.mark_span or (r.match.start, r.match.end) for r in references(text)]
    found = NAMES.find(text, taken, first)
    spans = sorted([*taken, *((one.start, one.end) for one in found)])
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert len({one.target for one in found}) == len(found)
    for one in found:
        words = " ".join(text[one.start : one.end].split()).replace("’", "'")
        whole = words.removesuffix("s").lstrip("0123456789½/.,").casefold()
        assert one.target.casefold().startswith(whole) or one.target == words
        assert "\n\n" not in text[one.start : one.end]
