"""Drawings: sound as SVG, small, bounded whatever a book says, and set by Typst as they are."""

import gzip
import re
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.book import drawing_shapes
from rulewright.book.hex_grid import MOST_HEXES, HexArea, hex_range, parse_hex, parse_hex_range
from rulewright.book.library import Edition
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.files.content_reader import ContentFolder
from rulewright.files.sanitizer import sanitize_svg
from rulewright.print.node_writer import NodeWriter
from rulewright.render import drawings, pages
from rulewright.render.render_context import RenderContext
from rulewright.schema.diagram_model import DiagramSpec

BOOK = """
title: Harbour
numbers: "1.1a"
chapters: "1.0"
cues: [see]
sides: {reds: {title: Reds}, blues: {title: Blues, colour: "#0d4a80"}, greens: {title: Greens}}
symbols:
  coal: {letters: C}
  sail: {path: M2 20h20z}
  bad: {means: '"><script>alert(1)</script>', letters: "<b>"}
counters:
  red: {side: reds, top: 1/R, unit: infantry, size: X, left: "4", right: "5", values: 6-7, back: {left: "1"}}
  blue: {side: blues, unit: coal, values: "3"}
  green: {side: greens, words: Two words, colour: "#101010"}
  odd: {means: '"><script>alert(1)</script>', words: "<script>", top: "&", values: "]]>"}
"""
RULES = """
chapter: "1.0"
title: Ships
text: |
  Roll :die: for :coal:, :red: and :odd:.

  :green:
diagrams:
  - area: 0101-0605
    terrain: {forest: [0101-0202], "tidal flat": ["0303"]}
    hexsides: {river: [0101/0102], cliff: [0202/0302]}
    ways: {road: "0101 0102 0103", railway: "0104 0203"}
    labels: {"<i>Bay</i>": [0101-0102]}
    units: {"0102": [red, blue, green, odd], "0304": red}
    arrows: {attack: "0102 0103", fire: "0304 0404", supply: "0101 0201 0302"}
    areas: {"<u>Zone</u>": ["0505", "0605"]}
  - area: "0101"
"""


def examined(rules: str = RULES, book: str = BOOK) -> CheckedProject:
    texts = {"rulebook.yml": book, "1/edition.yml": 'edition: "1"\n', "1/rules/1.yml": rules}
    return load_and_check_folder(
        ContentFolder({f"content/h/{name}": text.encode() for name, text in texts.items()})
    )


def drawn(found: CheckedProject) -> tuple[Edition, tuple[DiagramSpec, ...]]:
    outline = found.index.outlines["h/1"]
    rule = outline.entries["1.0"].rule
    return outline.edition, rule.diagrams


def signs(edition: Edition) -> list[drawings.Drawing | None]:
    """All that texts can show."""
    return [drawings.symbol_drawing(name, edition) for name in drawing_shapes.symbol_names(edition.book)]


def test_every_drawing_is_a_sound_picture():
    """Nothing of it would be taken away from a drawing of strangers, and it weighs little."""
    edition, diagrams = drawn(examined())
    result = [drawings.diagram_drawing_of(one, edition) for one in diagrams]
    result += signs(edition)
    for one in result:
        root = Xml.fromstring(one.data)
        cleaned = sanitize_svg(one.data)
        assert cleaned
        assert len(list(Xml.fromstring(cleaned).iter())) == len(list(root.iter())), one.name
        assert root.get("aria-label") == one.words
        assert one.words
        assert len(gzip.compress(one.data)) < 6_000
    assert len({one.name for one in result if one}) == len(result)


def test_the_page_says_everything_and_runs_nothing():
    found = examined()
    result = pages.render_site(RenderContext(found.index), found.library).pages
    html = next(page.html for page in result if page.path == "h/1/1-ships")
    assert "<script>" not in html
    for tag in ("<i>", "<u>"):
        assert tag not in html
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#(1-[^"]+)"', html)) <= set(ids)
    assert html.count('class="sign"') == 5


def test_typst_sets_drawings_as_they_are():
    import typst

    desk = RenderContext(examined().index)
    words = NodeWriter(desk, desk.index.outlines["h/1"], lambda entry: {})
    rule = words.builder.rule(desk.index.outlines["h/1"].entries["1.0"])
    words.block_nodes((*rule.blocks, *rule.attachments))
    assert [one for one in words.drawings_by_name if "sign" in one]
    assert len(words.drawings_by_name) == 5 + len(rule.attachments)
    lines = [f'#image("/{name}", alt: "a")' for name in words.drawings_by_name]
    main = "\n".join(["#set document(title: [A])", *lines]).encode()
    fonts = typst.Fonts(False, False, [])
    result, warnings = typst.compile_with_warnings(
        {**words.drawings_by_name, "main.typ": main}, font_paths=fonts
    )
    assert result.startswith(b"%PDF")
    assert not warnings


@pytest.mark.parametrize(
    "more",
    [
        "area: 0000-9999",
        "area: A1-ZZ99",
        f"area: 0101-3030\n    terrain: {{forest: [{', '.join(['0101-3030'] * 4000)}]}}",
        f"area: 0101-3030\n    units: {{'0101': [{', '.join(['red'] * 4900)}]}}",
        f"area: 0101-3030\n    ways: {{road: ['{' '.join(['0101 0102'] * 20000)}']}}",
    ],
)
def test_a_diagram_stays_within_its_bounds(more):
    found = examined(f'chapter: "1.0"\ndiagrams:\n  - {more}\n')
    edition, diagrams = drawn(found)
    result = [drawings.diagram_drawing_of(one, edition) for one in diagrams]
    assert all(one is None or len(one.data) < 3_000_000 for one in result)


@given(st.text(alphabet="0123456789.-/ ABZabz–", max_size=14))
def test_any_place_is_read_or_not(written):
    edition, _ = drawn(_FOUND)
    parse_hex_range(written)
    area = HexArea.parse(written, edition.book)
    if area and area.count <= MOST_HEXES:
        for one in hex_range(area.first, area.last):
            assert parse_hex(area.number(one)) == one


_FOUND = examined()
