"""Words of the content as nodes for Typst: none is lost, and none runs."""

import io
import json
import re
from typing import Any

import pypdfium2
import pytest
import typst

from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files.content_reader import ContentFolder
from rulewright.files.resources import TEMPLATES
from rulewright.print.node_writer import Json as Node
from rulewright.print.node_writer import NodeWriter
from rulewright.print.typographic_signs import set_words
from rulewright.references.edition_texts import edition_texts
from rulewright.render.render_context import RenderContext
from rulewright.schema.inline_images import inline_images
from rulewright.schema.text_document import plain_text
from tests.own_library import library


def words(content: dict[str, str], address: str) -> NodeWriter:
    index = load_and_check_folder(
        ContentFolder({name: text.encode() for name, text in content.items()})
    ).index
    return NodeWriter(RenderContext(index), index.outlines[address], lambda entry: {"to": entry.key})


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


BOOK = {
    "content/h/rulebook.yml": 'title: Harbour\nnumbers: "1.1a"\nchapters: "1.0"\n',
    "content/h/1/edition.yml": 'edition: "1"\n',
    "content/h/1/rules/1.yml": """
chapter: "1.0"
title: Ships
text: |
  A ship **floats (*see* 1.1)** by 1.1-1.3, says [[1.2|the pilot]].

  - Tugs:
    - pull;
    - push ![a tug](tug.png).
  - #set text(red) $x$ <b> \\*stars\\* // *

  1. #panic("run")
  2. `raw` @label
"1.1 Tugs": A tug pulls.
"1.2 Pilots": No ship.
"1.3 Locks": Water.
""",
    "content/h/1/rules/tug.png": "",
}


def nodes_of(content: dict[str, str], number: str) -> tuple[NodeWriter, list[Node]]:
    made = words(content, "h/1")
    rule = made.outline.entries[number].rule
    assert rule.text
    return made, made.blocks(rule.text)


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


@pytest.fixture
def fonts() -> Any:
    return typst.Fonts(False, True, [])


def test_typst_sets_them_and_runs_none(fonts: Any) -> None:
    _, nodes = nodes_of(
        {
            **BOOK,
            "content/h/1/rules/1.yml": BOOK["content/h/1/rules/1.yml"].replace("![a tug](tug.png)", "tug"),
        },
        "1.0",
    )
    main = '#import "words.typ": blocks\n#blocks(json("data.json").nodes)'
    house = "#let accent = black"
    pdf = typst.compile(
        {
            "main.typ": main.encode(),
            "house.typ": house.encode(),
            "words.typ": (TEMPLATES / "print/words.typ").read_bytes(),
            "data.json": json.dumps({"nodes": nodes, "pictures": {}}).encode(),
        },
        font_paths=fonts,
    )
    page = pypdfium2.PdfDocument(io.BytesIO(pdf))[0].get_textpage().get_text_range().replace("\xa0", " ")
    for line in (
        "A ship floats (see 1.1) by 1.1-1.3, says the pilot.",
        "#set text(red) $x$ <b> *stars* // *",
        "#panic(“run”)",
        "`raw` @label",
    ):
        assert line in page
