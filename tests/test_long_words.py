"""Words that are longer than their column: broken at their joiners, on any paper, or told at their place."""

import io

import pypdfium2
import pytest

from rulewright.print.line_break_points import BREAK, with_break_points
from rulewright.print.preflight import run_preflight
from rulewright.source.problems import SourceLocation
from tests.printing import needs_printer
from tests.test_volume import FAR, made

pytestmark = needs_printer

HEXES = [str(1201 + at) for at in range(24)]
JOINERS = {
    "stroke": "/",
    "backslash": "\\",
    "bar": "|",
    "comma": ",",
    "semicolon": ";",
    "hyphen": "-",
    "hyphen that breaks no line": "\u2011",
    "underscore": "_",
    "plus": "+",
    "tilde": "~",
    "arrow": "→",
    "dot": ".",
    "colon": ":",
    "blank that breaks no line": "\u00a0",
    "narrow blank": "\u202f",
    "word joiner": "\u2060",
    "mark of a break": BREAK,
    "en dash": "–",
}
SHORT = ["1/2", "13.7.2.4a", "12.4a-12.4c", "2025-06-15", "1,000,000", "and/or", "A1/D1", "10\u00a0km", "≥13"]


@pytest.mark.parametrize("word", SHORT)
def test_what_is_short_stays_whole(word: str) -> None:
    assert with_break_points(f"See {word} there.") == f"See {word} there."


@pytest.mark.parametrize(
    ("word", "parted"),
    [
        ("1201/1202/1203", "1201/|1202/|1203"),
        ("12.4(a)/12.4(b)/12.5", "12.4(a)/|12.4(b)/|12.5"),
        ("[1201/1202]/[1203]", "[1201/|1202]/|[1203]"),
        ("1-1201/2-1202/3-1203", "1-1201/|2-1202/|3-1203"),
        ("-1201/-1202/-1203", "-1201/|-1202/|-1203"),
        ("https://example.org/a", "https://example.|org/a"),
        ("player-turns/sides", "player-turns/sides"),
        ("......" * 3, "|".join("......" * 3)),
    ],
)
def test_a_chain_is_parted_where_it_is_joined_least(word: str, parted: str) -> None:
    assert with_break_points(word) == parted.replace("|", BREAK)


def in_gutter(pdf: bytes) -> str:
    """The letters between the columns of a book of two on Letter, and beyond the last one."""
    found = ""
    for at, page in enumerate(list(pypdfium2.PdfDocument(pdf))[1:], 2):
        text = page.get_textpage()
        left = 17 if at % 2 == 0 else 19
        width = (215.9 - 36 - 7) / 2
        for index in range(text.count_chars()):
            x0, bottom, x1, top = (edge * 25.4 / 72 for edge in text.get_charbox(index, loose=False))
            inside = top < 279.4 - 18 and bottom > 14 and x1 > x0
            if inside and (left + width + 1 < (x0 + x1) / 2 < left + width + 6 or x1 > 215.9 - 36 + left + 1):
                found += text.get_text_range(index, 1)
    return found


def told(pdf: bytes) -> list[str]:
    return [one.message for one in run_preflight(pdf, SourceLocation("a.pdf", 1, 1)).problems]


PLACES = {
    "prose": "  See {} there.\n",
    "bold": "  See **{}** there.\n",
    "italic in a list": "  - See *{}*.\n  - No more.\n",
    "code of Markdown": "",
    "paragraph of Markdown": "",
    "cell of Markdown": "",
}
FILL = "\n".join(f"  Words that fill the columns, line by line, up to the last, {at}.\n" for at in range(60))
TABLE = """id: hexes
title: Entry Hexes
roll: 1d6
columns: [North, East, South, West]
rows:
  - {{roll: "1-6", North: "{0}", East: "{0}", South: "{0}", West: "1501"}}
"""


@pytest.mark.parametrize("joiner", JOINERS.values(), ids=JOINERS)
def test_a_book_breaks_what_is_long_at_its_joiners(joiner: str) -> None:
    """In prose, bold, italic, in lists, in code and cells of Markdown, in tables: with words all around."""
    word = joiner.join(HEXES)
    said = "\n".join(text.format(word) for text in PLACES.values())
    rules = f"chapter: '1.0'\ntitle: Hexes\ntext: |\n{said}\n{FILL}"
    cells = word.replace("|", r"\|")
    page = (
        f"# House\n\nSee `{word}` and {word}.\n\n    {word}\n\n| a | b |\n|---|---|\n| {cells} | {cells} |\n"
    )
    table = TABLE.format(word.replace("\\", r"\\"))
    _, result = made({**FAR, "h/1/rules/1.yml": rules, "h/1/house.md": page, "h/1/tables/hexes.yml": table})
    assert result.problems == ()
    assert not in_gutter(result.pdf)
    assert not told(result.pdf)
    found = "".join(
        "".join(page.get_textpage().get_text_range().split()) for page in pypdfium2.PdfDocument(result.pdf)
    )
    assert found.count("1224") >= 8


WHOLE = "".join(chr(97 + at % 26) + str(at % 10) for at in range(60))


@pytest.mark.parametrize(
    ("name", "said", "line"),
    [
        ("rules/1.yml", f"chapter: '1.0'\ntitle: Hexes\ntext: |\n  See\n  {WHOLE} there.\n", 5),
        ("tables/hexes.yml", TABLE.format(WHOLE[:40]), 6),
        ("house.md", f"# House\n\nSee {WHOLE}.\n", 3),
    ],
)
def test_what_a_book_cannot_part_is_told_at_its_word(name: str, said: str, line: int) -> None:
    _, result = made({**FAR, f"h/1/{name}": said})
    assert [(one.code, one.place.file, one.place.line) for one in result.problems] == [
        ("aid-too-wide", f"content/h/1/{name}", line)
    ]
    assert not result.pdf
    _, result = made({**FAR, f"h/1/{name}": said}, proof=True)
    assert io.BytesIO(result.pdf).read(4) == b"%PDF"
