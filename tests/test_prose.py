"""Prose: what an editor may write becomes HTML, everything else stays the words it is."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.book.library_reader import read_library
from rulewright.book.outline import Outline, build_outline
from rulewright.files.content_reader import read_content_folder
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import SourceFile
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.references.reference_types import Reference, parse_document
from rulewright.render.page_renderer import PageRenderer
from rulewright.render.render_context import RenderContext
from rulewright.schema.text_document import Document, MarkupToken, plain_text
from tests.casefiles import cases
from tests.dialects import patient

TAGS = {"p", "ul", "ol", "li", "strong", "em", "a"}
PIECES = [
    *(
        "words ", "12.5", " 14.7d", "[[14.7d|Hip]]", "[[12.5", "]]", "*", "**", "***", "\\", "\\*", "\n",
        "\n\n", "  ", "- ",
    ),
    *(
        "\n- ", "\n  - ", "1. ", "\n1. ", "\n2. ", "\n  3. ", ":", "<b>", "</p>", "&amp;", "&", "<!--", "é",
        "“", "#", "`", "1986. ", "![a 12.5](b-12.6.png)", "![", "](", ")",
    ),
]  # fmt: skip
some_text = st.text() | st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@cache
def book() -> tuple[ReferenceIndex, Outline]:
    folder = read_content_folder(Path(__file__).parent.parent)
    pictures = (f"content/ocs/4.3/pictures/{name}.png" for name in ("depot", "depot-12.5", "tank"))
    folder = replace(folder, other_files=(*folder.other_files, *pictures))
    outline = build_outline(read_library(folder).editions["ocs/4.3"])
    return build_reference_index({"ocs/4.3": outline}), outline


def references(text: str) -> Sequence[Reference]:
    index, outline = book()
    return index.resolver.resolve(text, outline)


@cache
def page() -> PageRenderer:
    return PageRenderer("ocs/4.3/12-supply", RenderContext(book()[0]))


def _bare(html: str) -> str:
    html = re.sub('<svg[^>]*aria-label="([^"]*)".*?</svg>', r"\1", html, flags=re.DOTALL)
    return re.sub("<a [^>]*>", "<a>", html)


def blocks(read: Document) -> str:
    return _bare(page().writer.blocks(page().builder.document_blocks(read, None)))


def inline(read: Document) -> str:
    return _bare(page().writer.inline(page().builder.document_inline(read.inline(), None)))


@pytest.mark.parametrize("case", cases("prose"), ids=str)
def test_texts_become_html(case):
    text = case.text("text")
    read = parse_document(text, references(text))
    located = LocatedText.from_source(text, SourceFile("content/ocs/4.3/rules/1.yml", text), 0, len(text))
    case.agrees(_bare(page().writer.blocks(page().builder.document_blocks(read, located))), case.text("html"))


@patient
@given(text=some_text)
def test_no_markup_but_our_own(text):
    read = parse_document(text, references(text))
    for html in (blocks(read), inline(read)):
        page = Page(html)
        assert page.tags <= TAGS
        assert page.unclosed == []
        # Nothing is added and nothing changes places; what is left out are signs, and the numbers of marks.
        assert is_part(page.words, text)
        left_out = set(re.sub(r"\[\[[^\]\n]*\]\]", "", text)) - set(page.words) - set(text) & set(
            "*\\-.0123456789"
        )
        assert not {c for c in left_out if not c.isspace() and c.isprintable()} - set("*\\-.0123456789")


@patient
@given(text=some_text)
def test_a_text_without_references_has_all_its_words(text):
    text = re.sub(r"[-*\\\[\]]|\d", "", text)
    html = blocks(Document(text))
    assert "".join(Page(html).words.split()) == "".join(text.split())
    assert "".join(plain_text(text).split()) == "".join(text.split())


@patient
@given(text=some_text)
def test_a_text_is_read_without_a_gap(text):
    """Every character of a run belongs to one piece, and tags close in the order in which they open."""
    read = parse_document(text, references(text))
    at, opened = 0, []
    for one in read.inline():
        assert one.start == at < one.end
        at = one.end
        if isinstance(one, MarkupToken) and one.tag:
            opened += [one.tag] if one.tag[0] != "/" else []
            assert one.tag[0] != "/" or opened.pop() == one.tag[1:]
    assert at == len(text)
    assert opened == []
    assert hash(read) == hash(parse_document(text, references(text)))


def test_every_reference_is_linked_once_and_in_order():
    text = "12.5 and **12.6**:\n- 12.7 (12.8)\n\n[[14.7d|Hip]] 12.5"
    html = blocks(parse_document(text, references(text)))
    assert re.findall("<a>(.*?)</a>", html) == ["12.5", "12.6", "12.7", "12.8", "Hip", "12.5"]


def is_part(words: str, text: str) -> bool:
    """Whether the letters of `words` stand in `text` in the same order."""
    rest = iter(text)
    return all(letter in rest for letter in words if not letter.isspace())


class Page(HTMLParser):
    """HTML parsed back: its words, its tags, and those that are not closed or not in their place."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.words = ""
        self.tags: set[str] = set()
        self.unclosed: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert attrs in ([], [("data-signed", "")])
        self.tags.add(tag)
        self.unclosed.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.unclosed.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data}")
