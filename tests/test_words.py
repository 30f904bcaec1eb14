"""Words of the content as nodes for Typst: none is lost, and none runs."""

import io
import json
from typing import Any

import pypdfium2
import pytest
import typst

from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files.content_reader import ContentFolder
from rulewright.files.resources import TEMPLATES
from rulewright.print.text_nodes import Node, TextNodes
from rulewright.references.edition_texts import edition_texts
from rulewright.render.render_context import RenderContext
from rulewright.schema.inline_images import inline_images
from rulewright.schema.text_document import plain_text
from tests.ours import library


def words(content: dict[str, str], address: str) -> TextNodes:
    shelf = load_and_check_folder(
        ContentFolder({name: text.encode() for name, text in content.items()})
    ).shelf
    return TextNodes(RenderContext(shelf), shelf.outlines[address], lambda entry: {"to": entry.key})


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
    shelf = library().shelf
    desk = RenderContext(shelf)
    count = 0
    for address, outline in shelf.outlines.items():
        made = TextNodes(desk, outline, lambda entry: {})
        for _, texts, _ in edition_texts(outline, shelf.editions[address].tables):
            for text, cites in texts:
                if cites or any(inline_images(text)) or any(one.match.book for one in shelf.references(text)):
                    continue
                count += 1
                assert " ".join(said(made.inline(text)).split()) == plain_text(text)
                assert "".join(said(made.title(text)).split()) == "".join(plain_text(text).split())
    assert count > 800


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


def nodes_of(content: dict[str, str], number: str) -> tuple[TextNodes, list[Node]]:
    made = words(content, "h/1")
    rule = made.outline.entries[number].rule
    assert rule.text
    return made, made.blocks(rule.text)


ERRATA = """
errata:
  - {erratum: "7", date: 2024-01-01, rule: "1.1", replace: pulls, with: pulls or pushes}
"""


def test_a_sign_that_the_type_lacks_is_told_at_its_place() -> None:
    """Also within an erratum's own words, and composed from a letter and an accent as the type has it."""
    content = {name: text.replace("No ship.", "Ne\u0301e ⛴ and ⛴.") for name, text in BOOK.items()}
    made, _ = nodes_of(content, "1.2")
    rules = content["content/h/1/rules/1.yml"].splitlines()
    line = next(at for at, text in enumerate(rules, 1) if "⛴" in text)
    ascii_and_more = {chr(code) for code in range(32, 127)} | {"é"}
    [(sign, place)] = made.missing_glyphs(ascii_and_more).items()
    assert (sign, place.line, place.column) == ("⛴", line, rules[line - 1].index("⛴") + 1)
    made, nodes = nodes_of({**BOOK, "content/h/1/errata.yml": ERRATA.replace("pushes", "→")}, "1.1")
    assert [place.file for place in made.missing_glyphs(ascii_and_more).values()] == [
        "content/h/1/errata.yml"
    ]
    assert said(nodes) == " A tug pulls or →."


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
    main = '#import "words.typ": blocks, plain\n#blocks(json("data.json").nodes, plain)'
    pdf = typst.compile(
        {
            "main.typ": main.encode(),
            "words.typ": (TEMPLATES / "print/words.typ").read_bytes(),
            "data.json": json.dumps({"nodes": nodes}).encode(),
        },
        font_paths=fonts,
    )
    page = pypdfium2.PdfDocument(io.BytesIO(pdf))[0].get_textpage().get_text_range()
    for line in (
        "A ship floats (see 1.1) by 1.1-1.3, says the pilot.",
        "#set text(red) $x$ <b> *stars* // *",
        '#panic("run")',
        "`raw` @label",
    ):
        assert line in page
