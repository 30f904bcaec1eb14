"""What sheets look like: small grey pictures of some, and what has to be seen without any colour.

A picture that is to look different is made anew: `RENEW_SHEETS=1 python3 run.py test tests/test_sheets.py`.
Look at it, then commit it.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from pathlib import Path

import pikepdf
import pymupdf
import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageStat

from rulewright.model.paper import PAPERS
from rulewright.print.preflight import run as preflight
from tests.ours import library
from tests.printing import RULEBOOK as ROLES
from tests.printing import book, needs_printer, order, printed
from tests.projects import ROOT

pytestmark = needs_printer

PICTURES = Path(__file__).parent / "sheets"
DPI = 60
MOST_DIFFERENT = 3.0
"""By how many of 255 shades of grey pictures may differ on average: letters are smoothed differently."""

SHOWN = [
    ("ember-coast/2.1", "fold-out"),
    ("ember-coast/2.1", "cards"),
    ("ember-coast/2.1", "combat"),
    ("ember-coast/2.1", "counters"),
    ("ember-coast/2.1", "tracks"),
    ("last-ember/1", "turn"),
    ("ocs/4.3", "sequence"),
    ("ocs/4.3", "checklist"),
    ("ocs/4.3", "fold-out"),
    ("ocs/3.0", "charts"),
    ("killing-ground/1", "sequence"),
    ("eastern-front/2009-02-16", "sequence"),
]


def seen(pdf: bytes, dpi: int = DPI) -> list[Image.Image]:
    """The pages of a PDF as grey pictures."""
    return [page.render(scale=dpi / 72).to_pil().convert("L") for page in pypdfium2.PdfDocument(pdf)]


@pytest.mark.parametrize(("address", "name"), SHOWN)
def test_a_sheet_looks_as_it_did(address: str, name: str) -> None:
    for number, page in enumerate(seen(printed(order(library(), address, name, ROOT)).tobytes()), 1):
        file = PICTURES / f"{address.replace('/', '-')}-{name}-{number}.png"
        if os.environ.get("RENEW_SHEETS"):
            page.quantize(16).save(file, optimize=True)
        before = Image.open(file).convert("L")
        assert page.size == before.size
        by = ImageStat.Stat(ImageChops.difference(page, before)).mean[0]
        assert by < MOST_DIFFERENT, (
            f"{file.name} differs by {by:.1f}; look at it, and renew it if it is right"
        )


@dataclass(frozen=True)
class Bar:
    """The bar of a phase: its letter, the grey of its ground, and the dark lines of the rail below it."""

    mark: str
    ground: float
    rail: list[int]


TITLES = {
    "phasing": "Movement Phase", "non-phasing": "Reaction Phase", "both": "Supply Phase",
    "none": "Weather Phase",
}  # fmt: skip


def bars(sheet: pymupdf.Document) -> Iterator[tuple[str, Bar]]:
    """The bar of each role, seen at 600 dots to the inch; a rail as the widths of its dark lines."""
    page, scale = sheet[0], 600 / 72
    grey = seen(sheet.tobytes(), 600)[0]
    for role, title in TITLES.items():
        # The first is in the sequence; the legend above it names roles alone.
        words = page.search_for(title)[0]
        (letter,) = [
            word
            for word in page.get_text("words")
            if word[2] < words.x0 and abs(word[1] + word[3] - words.y0 - words.y1) < 6
        ]
        middle = (words.y0 + words.y1) / 2
        row = [grey.getpixel((round(x * scale), round(middle * scale))) for x in range(*_beside(words))]
        below = words.y1 + words.height * 0.9
        left, right = letter[0] - 0.9 * words.height, letter[0] - 0.05 * words.height
        line = [
            grey.getpixel((x, round(below * scale))) < 235
            for x in range(round(left * scale), round(right * scale))
        ]
        rail = [len(list(run)) for dark, run in groupby(line) if dark]
        yield role, Bar(letter[4], sum(row) / len(row), rail)


def _beside(words: pymupdf.Rect) -> tuple[int, int]:
    """From where to where the bar of a title is empty behind it, in points."""
    return round(words.x1) + 4, round(words.x1) + 40


@pytest.mark.parametrize("ink", ["colour", "black"])
def test_who_acts_is_seen_without_colour(tmp_path: Path, ink: str) -> None:
    """Four cues, in grey: the bar, the rail, the lettered mark, and the weight of combat actions."""
    sheet = printed(order(book(tmp_path), ink=ink))
    found = dict(bars(sheet))
    assert {role: bar.mark for role, bar in found.items()} == {
        "phasing": "P", "non-phasing": "N", "both": "B", "none": "·",
    }  # fmt: skip
    dark = {role: bar.ground for role, bar in found.items()}
    assert dark["phasing"] < 120, "the phasing player's bar is dark"
    assert dark["non-phasing"] > 240, "the other's is an outline"
    assert dark["phasing"] + 60 < dark["both"] < dark["non-phasing"] - 10, "that of both is grey"
    one, other = found["phasing"].rail, found["non-phasing"].rail
    assert (len(one), len(other)) == (1, 2), "one rail is one line, the other two"
    assert one[0] > sum(other)
    fights = {
        span["text"]: span["font"]
        for block in sheet[0].get_text("dict")["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        if span["text"].strip() in ("Overruns", "Barrage", "Move")
    }
    assert fights["Barrage"].endswith("Ital")
    assert "Ital" not in fights["Overruns"]
    assert all("Bold" in font for word, font in fights.items() if word != "Move"), fights
    assert "Bold" not in fights["Move"]


def inks(pdf: bytes) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Each colour that is set on the first page, by the operator that sets it."""
    with pikepdf.open(BytesIO(pdf)) as read:
        for operands, operator in pikepdf.parse_content_stream(read.pages[0]):
            if str(operator) in ("k", "K", "rg", "RG", "g", "G", "sc", "SC", "scn", "SCN"):
                yield str(operator), tuple(round(float(one), 2) for one in operands)


def test_a_black_sheet_uses_no_other_ink(tmp_path: Path) -> None:
    used = set(inks(printed(order(book(tmp_path), ink="black")).tobytes()))
    assert used
    assert all(operator not in ("rg", "RG") for operator, _ in used), "a colour of the screen"
    assert all(parts[:3] == (0, 0, 0) for _, parts in used if len(parts) == 4)
    assert all(len(parts) in (1, 4) for _, parts in used)


@pytest.mark.parametrize("paper", ["letter", "legal", "tabloid", "a3", "a4", "180 x 240 mm"])
@pytest.mark.parametrize("fold", ["none", "tri-fold"])
def test_any_paper_and_fold_is_printed_as_promised(tmp_path: Path, paper: str, fold: str) -> None:
    """With marks and bleed; read by other tools than the one that made it."""
    aid = f"title: A Card\npaper: {paper}\nfold: {fold}\nblocks:\n"
    aid += "  - panel: front\n" * (fold != "none") + "  - legend\n  - sequence\n"
    aid += "  - panel: inside middle\n" * (fold != "none") + "  - checklist: {turns: '2'}\n  - matrix\n"
    sheet = order(book(tmp_path, aid), marks=True, bleed=3.0)
    made = sheet.make()
    assert not made.problems
    assert made.pdf
    assert not preflight(made.pdf, sheet.place).problems


def test_a_folded_sheet_of_two_pages_is_printed_on_two_of_another_paper() -> None:
    folded = order(library(), "ocs/4.3", "fold-out", ROOT, paper=PAPERS["a4"])
    assert {(round(page.rect.width), round(page.rect.height)) for page in printed(folded)} == {(1191, 842)}
    assert order(library(), "ocs/4.3", "sequence", ROOT, paper=PAPERS["a4"]).plan.paper.width == 210


@pytest.mark.parametrize("ink", ["colour", "black"])
def test_players_have_the_colours_that_their_book_declares(tmp_path: Path, ink: str) -> None:
    """In inks, dark enough to be read on white; not on a black sheet."""
    examined = book(tmp_path, rulebook=ROLES.replace("mark: P}", "mark: P, colour: '#00ff00'}"))
    used = {parts for _, parts in inks(printed(order(examined, ink=ink)).tobytes()) if len(parts) == 4}
    greens = {one for one in used if one[0] == one[2] > 0 and not one[1]}
    assert bool(greens) == (ink == "colour")
    assert all(black > 0.3 for *_, black in greens), "a light green is darkened until it can be read"
