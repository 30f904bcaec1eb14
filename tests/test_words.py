"""Words of the content as nodes for Typst: none is lost, and none runs."""

import re

import pytest

from rulewright.print.node_writer import Json as Node
from rulewright.print.node_writer import NodeWriter
from rulewright.print.typographic_signs import set_words
from rulewright.references.edition_texts import edition_texts
from rulewright.render.render_context import RenderContext
from rulewright.schema.inline_images import inline_images
from rulewright.schema.text_document import plain_text
from tests.own_library import library


def said(nodes: list[Node]) -> str:
    """The words of nodes, in one line."""
    made = ""
    for node in nodes:
        match node:
            case str():
                made += node
            case {"b": inner} | {"i": inner} | {"ref": inner}:
                made += said(inner)
            case {"p": inner}:
                made += " " + said(inner)
            case {"list": items}:
                made += " " + "".join(said(item) for item in items)
            case {"figures": figures}:
                made += " " + said(figures)
    return made


def test_no_word_of_the_content_is_lost() -> None:
    """Word for word as in plain text, whatever stands in them: lists in lists, marks, emphasis, errata."""
    index = library().index
    desk = RenderContext(index)
    count = 0
    for address, outline in index.outlines.items():
        made = NodeWriter(desk, outline, lambda entry: {})
        for _, texts, _ in edition_texts(outline, index.editions[address].tables):
            for text, cites in texts:
                if cites or any(inline_images(text)) or any(one.match.book for one in index.references(text)):
                    continue
                count += 1
                expected = set_words(plain_text(text), outline.edition.language)
                assert _bare(said(made.inline(text))) == _bare(expected)
                assert _bare(said(made.title(text))) == _bare(expected)
    assert count > 800


def _bare(words: str) -> str:
    """Words without blanks and breaks, and with plain signs: those beside markup depend on it."""
    return re.sub(r"[\s\u200b]", "", words).translate(str.maketrans("“”‘’–−", 4 * "'" + "--"))


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ('a "wet" dock\'s 1/2 of 2-4, -1', "a “wet” dock’s ½ of 2–4, −1"),
        ("2026-11-28, D6-1 and 11/2", "2026-11-28, D6-1 and 11/2"),
        ("('twas) 4-6-8", "(‘twas) 4-6-8"),
    ],
)
def test_signs_are_typographic(written: str, printed: str) -> None:
    assert set_words(written, "en") == printed
