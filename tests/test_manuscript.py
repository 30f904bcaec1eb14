"""Pages and other texts that are not ours: what is prose in them, and the links that they are given."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.book.library import BookLibrary
from rulewright.book.library_reader import read_library
from rulewright.book.outline import build_outline
from rulewright.files import markdown_complexity
from rulewright.files.content_reader import read_content_folder
from rulewright.files.problems import SourceFile
from rulewright.references import content_page
from rulewright.references.content_page import MARKED, blank_non_prose, link_references
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.references.reference_types import FaultyReference
from tests.dialects import patient

WITHOUT_END = [
    "[", "[a](", "![a](", "[a][", "[a](<", "<a ", "<p\n", "<p a='\n", "<![CDATA[", "# a\n", "a\n=\n",
    "[a]:\n",
]  # fmt: skip
"""What Markdown would hold against all that follows."""

PIECES = [
    *(
        "12.5", " 14.7d ", "see ", "\n", "\n\n", "\r\n", "\r\n\r\n", "---\n", "+++\n", "    ", "\t", "# ",
        "```", "~~~", "`", "``",
    ),
    *(
        "<!--", "-->", "<pre>", "</pre>", "<a href='12.5'>", "</a>", "{{<", ">}}", "{{", "}}", "![", "[",
        "]", "](", "(", ")", "[^1]",
    ),
    *(
        "]: ", "|", "| 1 |", "**", "_", "* ", "1. ", "> ", "&nbsp;", "&times;", "&#10;", "https://", "www.",
        "===", "Title", "\x00", "é",
    ),
]  # fmt: skip
some_text = st.text() | st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@patient
@given(text=some_text, markdown=st.booleans())
def test_what_is_no_prose_is_blanked_out_in_place(text, markdown):
    prose = blank_non_prose(text, is_markdown=markdown)
    assert len(prose) == len(text)
    assert [at for at, c in enumerate(prose) if c == "\n"] == [at for at, c in enumerate(text) if c == "\n"]
    changed = [now for was, now in zip(text, prose, strict=True) if was != now and now not in "\x00\x01"]
    # Spaces of other widths become spaces, and an entity its character.
    assert not [now for now in changed if now != " "] or "&" in text


# Pages


@cache
def index() -> tuple[BookLibrary, ReferenceIndex]:
    library = read_library(read_content_folder(Path(__file__).parent.parent))
    return library, build_reference_index(
        {address: build_outline(edition) for address, edition in library.editions.items()}
    )


def page(text: str, name: str = "content/ocs/4.3/errata.md") -> content_page.ContentPage:
    return content_page.read_content_page(name, text.encode(), index()[1])


def test_a_page_is_of_the_book_that_it_lies_in_or_names():
    assert page("See 12.5.").resolved[0].target
    assert page("See 12.5.", "content/errata.md").resolved == ()
    named = page("---\r\nbook: ocs/4.3\r\n---\r\nSee 12.5.\r\n", "content/errata.md")
    assert named.edition.address == "ocs/4.3"
    [problem] = page("---\nbook: ocs/4.4\n---\n", "content/errata.md").problems
    assert (problem.code, problem.place.line) == ("book-not-found", 2)


def test_a_problem_of_a_page_is_reported_at_its_place():
    read = page("Fuel.\n\nAs shown\nin *rule* **12.99**, no.\n")
    [fault] = faults(read)
    place = read.text.location_of(fault.match.start)
    assert (fault.fault.code, place.line, place.column) == ("reference-not-found", 4, 13)


def faults(read: content_page.ContentPage) -> list[FaultyReference]:
    return [reference for reference in read.resolved if isinstance(reference, FaultyReference)]


def test_references_become_links_and_links_stay():
    text = (
        "See **12.5c(A)**, [12.6](x.md), <a href='#y'>12.7</a>, [[14.7d|Hip & Run]], `12.8` and 12.99 miles."
    )
    linked = link_references(page(text))
    html = MARKED.sub(lambda mark: linked.html(int(mark[1])), linked.text)
    assert html.count('<a class="ref"') == 2
    assert "**<a class" in html
    assert ">12.5c(A)</a>**, [12.6](x.md), <a href='#y'>12.7</a>, <a class" in html
    assert "Hip &#38; Run</a>, `12.8` and 12.99 miles." in html


@pytest.mark.parametrize("sign", [*WITHOUT_END, "[^1]"])
def test_what_has_no_end_is_a_problem_before_markdown_sees_it(sign):
    [problem] = markdown_complexity.check_complexity(SourceFile("a.md", sign * 5_000))
    assert problem.code == "page-too-intricate"
    assert not markdown_complexity.check_complexity(SourceFile("a.md", sign * 100))
