"""References: found where a careful reader would find them, resolved to the rule that is meant."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.book.library_reader import read_library
from rulewright.book.outline import Outline, build_outline
from rulewright.book.related_outlines import find_outline
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.numbering.named_levels import TextContext
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.reference_finder import ReferenceFinder
from rulewright.references.content_page import blank_non_prose
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.references.reference_types import FaultyReference, Reference, RuleReference
from tests.casefiles import Case, cases
from tests.dialects import DIALECTS, numbers, patient

PROJECT = Path(__file__).parent.parent
MARKED = re.compile(r"‹([^‹›]*?)(?: [=!] [^‹›]*)?›")
"""A reference in a case: ‹12.5›, ‹c = 12.5c› where it is shortened, ‹12.8g ! reference-not-found›."""


@pytest.mark.parametrize("case", cases("references"), ids=str)
def test_references_are_found_and_resolved(case):
    index, outline = book_of(case)
    chapter = chapter_of(case, outline)
    for info, expected in case.blocks:
        if info in ("text", "markdown", "plain", "see"):
            text = MARKED.sub(r"\1", expected)
            prose = (
                blank_non_prose(text, is_markdown=info == "markdown")
                if info in ("markdown", "plain")
                else text
            )
            resolved = index.resolver.resolve(prose, outline, chapter, is_cued=info == "see")
            case.agrees(marked(text, resolved), expected)
            if messages := case.text("expect", ""):
                case.agrees(
                    "\n".join(r.message for r in resolved if isinstance(r, FaultyReference)), messages
                )


def marked(text: str, resolved: list[Reference]) -> str:
    """The text with each reference marked as cases mark it."""
    pieces, end = [], 0
    for r in resolved:
        start, stop = r.span
        written = text[start:stop]
        meant = (
            f" ! {r.fault.code}"
            if isinstance(r, FaultyReference)
            else f" = {r.number.key}"
            if isinstance(r, RuleReference) and r.number.key != written
            else ""
        )
        pieces += [text[end:start], f"‹{written}{meant}›"]
        end = stop
    return "".join([*pieces, text[end:]])


def chapter_of(case: Case, outline: Outline | None) -> str:
    """The label of the chapter of a case's texts, or of its `rule`."""
    if outline and (rule := case.text("rule", "").strip()):
        number = outline.edition.dialect.parse_number(rule)
        assert number
        return TextContext.from_labels(number.labels)
    return case.text("chapter", outline.default_chapter if outline else "").strip()


def book_of(case: Case) -> tuple[ReferenceIndex, Outline | None]:
    """The book of a case: one in content/ that it names, or one with its own files."""
    if named := case.text("book", "").strip():
        index = content()
        return index, find_outline(named, index.outlines)
    files = {info.removeprefix("yaml "): text for info, text in case.blocks if info.startswith("yaml ")}
    if numbers := case.text("numbers", "").split():
        files["content/x/1/edition.yml"] = files.get("content/x/1/edition.yml", 'edition: "1"\n')
        files["content/x/1/known.yml"] = "known:\n" + "".join(f"  - {{number: '{n}'}}\n" for n in numbers)
    index = build_reference_index(outlines({name: text.encode() for name, text in files.items()}))
    return index, find_outline("x/1", index.outlines)


@cache
def content() -> ReferenceIndex:
    return build_reference_index(outlines(read_content_folder(PROJECT).texts))


def outlines(texts: Mapping[str, bytes]) -> dict[str, Outline]:
    return {
        address: build_outline(edition)
        for address, edition in read_library(ContentFolder(texts)).editions.items()
    }


# What must hold in any dialect, for any text

FINDERS = {
    name: ReferenceFinder(dialect, never=["Version 4.3", "turn # of"]) for name, dialect in DIALECTS.items()
}
any_finder = pytest.mark.parametrize("finder", FINDERS.values(), ids=FINDERS)
TOKENS = [
    *(
        "12.5", "c", "(A)", "4.A.1", "b", "B", "§4-b", "-iii", "iv", "A9.2", ".22", "22", "10.12A", "R1.1",
        "II.A", "4.1(b)",
    ),
    *(
        "1.1.1", " and ", ", ", "-", "–", " to ", "/", " & ", "see ", "per ", "rule ", "(", ")", "[", "]",
        "[[", "]]", "|",
    ),
    *(
        "\n", "\n\n", "- ", "**", "*", "_", "“", "”", ".", ":", " ", "x", "miles", "hex ", "I", "a", "é",
        "½", "\x00", "\x01",
    ),
]  # fmt: skip
some_text = st.text() | st.lists(st.sampled_from(TOKENS), max_size=25).map("".join)


@any_finder
@patient
@given(text=some_text, chapter=st.sampled_from(["", "A", "4"]), cued=st.booleans())
def test_a_span_quotes_its_own_number(finder, text, chapter, cued):
    end = 0
    for found in finder.find(text, chapter, cued):
        start, stop = found.mark_span or (found.start, found.end)
        assert end <= start <= found.start <= found.end <= stop <= len(text)
        end = stop
        written = text[found.start : found.end]
        # The full stop after the number of a chapter may end the sentence.
        if found.number not in (
            None,
            *(finder.dialect.parse_number(written + stop, chapter) for stop in ("", ".")),
        ):
            shortened = re.sub(r"[\W_]", "", written)
            assert shortened
            assert re.sub(r"[\W_]", "", found.number.key).endswith(shortened)


@any_finder
@patient
@given(data=st.data())
def test_a_number_in_a_text_is_found_whole(finder, data):
    number = data.draw(numbers(finder.dialect))
    # "See J" may be anything that is called J.
    cues = ["rule ", "Rule\n", "rules ["]
    cues += [] if number.key.isalpha() else ["see ", "(see **", "see “", "see §"]
    before = data.draw(st.sampled_from(cues))
    after = data.draw(
        st.sampled_from(["", ".", ". Then", ", which", ")", "’s", "; then", ":", "?", " (a rule)"])
    )
    text = f"{before}{number.key}{'**' if before.endswith('**') else ''}{after}"
    [found] = finder.find(text)
    assert found.number == number
    assert text[found.start : found.end] in (number.key, number.key.removesuffix("."))


@patient
@given(data=st.data())
def test_a_text_built_from_words_and_references_yields_exactly_those(data):
    index, outline = content(), content().outlines["ocs/4.3"]
    words = st.sampled_from(
        [
            "units",
            "that",
            "move",
            "are",
            "shown",
            "by",
            "in",
            "under",
            "Overrun",
            "supply;",
            "Then,",
            "no",
            "14",
            "2d6",
        ]
    )
    keys = st.sampled_from(list(outline.entries))
    wraps = st.sampled_from(
        ["{}", "({})", "(see {})", "**{}**", "“{}”", "see {},", "per {}.", "section\n{};", "*{}*:", "[{}]"]
    )
    text, spans = "Units", []
    for key, wrap in data.draw(st.lists(st.tuples(keys, wraps), max_size=8)):
        text += " " + " ".join(data.draw(st.lists(words, min_size=1, max_size=4))) + " "
        at = len(text) + wrap.index("{")
        text += wrap.format(key)
        spans.append((at, at + len(key), key))
    resolved = index.resolver.resolve(text + " and so on.", outline)
    assert [(r.match.start, r.match.end, r.target.key) for r in resolved] == spans


def test_every_reference_of_a_page_is_found_and_nothing_else():
    """A page of our own, with everything in it that pages have and that is no reference."""
    expected = (PROJECT / "tests/samples/references/airlift.md").read_text("utf-8")
    page = MARKED.sub(r"\1", expected)
    index, outline = content(), content().outlines["ocs/4.3"]
    found = marked(page, index.resolver.resolve(blank_non_prose(page), outline))
    assert [
        pair for pair in zip(found.splitlines(), expected.splitlines(), strict=True) if len(set(pair)) > 1
    ] == []


def test_words_that_a_book_declares_stand_beside_the_english_ones_or_in_their_place():
    dialect = NumberingScheme(["1.1a"], ["4.0"])

    def cues(text: str, **words: list[str]) -> list[str]:
        return [found.cue.name for found in ReferenceFinder(dialect, **words).find(text)]

    assert cues("siehe 4.1, see 4.1", cues=["siehe"]) == ["WORD", "WORD"]
    assert cues("siehe 4.1, per 4.1", cues=["siehe"], never=["per #"]) == ["WORD", "NEVER"]
    assert cues("see 4.1") == ["WORD"]
    assert cues("Abschnitte 4.1 und 4.2", cues=["Abschnitt"], joins=["und"]) == ["WORD", "WORD"]
    assert (
        cues("Kapitel 4.1, 4.1 Stiche, Stufe 4.1 von 5", never=["Kapitel #", "# Stiche", "Stufe # von"])
        == ["NEVER"] * 3
    )
    assert cues("4.1 and see 4.1", never=["4.1", "#", ""]) == ["NEVER", "WORD"]
