"""What sheets look like: small grey pictures of some, their inks and papers.

To renew pictures that should look different: `RENEW_SHEETS=1 python3 run.py test tests/test_sheets.py`.
Look at it, then commit it.
"""

import os
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageStat

from rulewright.print.pdf_preflight import run_preflight as preflight
from tests.own_library import library
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
def test_a_sheet_looks_as_it_did(address, name):
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


def inks(pdf: bytes) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Each colour that is set on the first page, by the operator that sets it."""
    with pikepdf.open(BytesIO(pdf)) as read:
        for operands, operator in pikepdf.parse_content_stream(read.pages[0]):
            if str(operator) in ("k", "K", "rg", "RG", "g", "G", "sc", "SC", "scn", "SCN"):
                yield str(operator), tuple(round(float(one), 2) for one in operands)


def test_a_black_sheet_uses_no_other_ink(tmp_path):
    used = set(inks(printed(order(book(tmp_path), ink="black")).tobytes()))
    assert used
    assert all(operator not in ("rg", "RG") for operator, _ in used), "a colour of the screen"
    assert all(parts[:3] == (0, 0, 0) for _, parts in used if len(parts) == 4)
    assert all(len(parts) in (1, 4) for _, parts in used)


@pytest.mark.parametrize("paper", ["letter", "legal", "tabloid", "a3", "a4", "180 x 240 mm"])
@pytest.mark.parametrize("fold", ["none", "tri-fold"])
def test_any_paper_and_fold_is_printed_as_promised(tmp_path, paper, fold):
    """With marks and bleed; read by other tools than its writer."""
    aid = f"title: A Card\npaper: {paper}\nfold: {fold}\nblocks:\n"
    aid += "  - panel: front\n" * (fold != "none") + "  - legend\n  - sequence\n"
    aid += "  - panel: inside middle\n" * (fold != "none") + "  - checklist: {turns: '2'}\n  - matrix\n"
    sheet = order(book(tmp_path, aid), marks=True, bleed=3.0)
    result = sheet.make()
    assert not result.problems
    assert result.pdf
    assert not preflight(result.pdf, sheet.place)


@pytest.mark.parametrize("ink", ["colour", "black"])
def test_players_have_the_colours_that_their_book_declares(tmp_path, ink):
    """In inks, dark enough to be read on white; not on a black sheet."""
    examined = book(tmp_path, rulebook=ROLES.replace("mark: P}", "mark: P, colour: '#00ff00'}"))
    used = {parts for _, parts in inks(printed(order(examined, ink=ink)).tobytes()) if len(parts) == 4}
    greens = {one for one in used if one[0] == one[2] > 0 and not one[1]}
    assert bool(greens) == (ink == "colour")
    assert all(black > 0.3 for *_, black in greens), "a light green is darkened until it can be read"
