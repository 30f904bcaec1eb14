"""The printer: what a PDF is like whatever is on it. What it promises is judged in test_preflight."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

from rulewright.print import colour_separation, engine
from rulewright.print.engine import Edges
from tests.printing import needs_printer

pytestmark = needs_printer

ROOT = Path(__file__).parent.parent
PAGE = (
    '<html lang="en"><head><title>T</title><style>@page {{ size: 100mm 80mm; margin: 10mm }}'
    "body {{ color: device-cmyk(0 0 0 1) }}</style></head><body><p>{}</p></body></html>"
)


def boxes(pdf: bytes) -> dict[str, list[float]]:
    import pikepdf

    with pikepdf.open(BytesIO(pdf)) as read:
        page = read.pages[0]
        return {
            name: [round(float(edge), 1) for edge in page[f"/{name}"]]
            for name in ("MediaBox", "TrimBox", "BleedBox")
        }


def test_the_bleed_is_as_wide_as_was_asked_for() -> None:
    found = boxes(engine.print_pdf(PAGE.format("x"), edges=Edges(bleed=3)).pdf)
    assert found["TrimBox"] == [0, 0, 283.5, 226.8]
    assert found["BleedBox"] == found["MediaBox"] == [-8.5, -8.5, 292.0, 235.3]


def test_crop_marks_stand_outside_the_bleed_in_ink() -> None:
    import pikepdf

    pdf = engine.print_pdf(PAGE.format("x"), edges=Edges(bleed=3, marks=True)).pdf
    found = boxes(pdf)
    assert found["BleedBox"] == [-8.5, -8.5, 292.0, 235.3]
    assert found["MediaBox"][0] == pytest.approx(-(3 + engine.edges.SLUG) * 72 / 25.4, abs=0.1)
    with pikepdf.open(BytesIO(pdf)) as read:
        marks = read.pages[0].Contents[1].read_bytes().decode()
    assert "1 1 1 1 K" in marks
    numbers = [float(word) for word in marks.split() if word.lstrip("-").replace(".", "").isdigit()][5:]
    strokes = list(zip(*[iter(numbers)] * 4, strict=False))
    assert len(strokes) == 8
    for x1, y1, x2, y2 in strokes:
        assert not (-8.4 < x1 < 291.9 and -8.4 < y1 < 235.2), "a mark begins inside the bleed"
        assert x1 == x2 or y1 == y2


def test_marks_of_a_black_sheet_are_black_alone() -> None:
    marks = engine.edges.crop_marks([0, 0, 100, 100], Edges(3, marks=True, black=True))
    assert b"0 0 0 1 K" in marks


def test_no_font_of_the_machine_is_seen_and_a_missing_glyph_is_named() -> None:
    laid = engine.lay_out(PAGE.format("a ☃ and ≤ ≥ → ‡ ½ ⅓ ×"))
    assert [character for character, _ in laid.glyphs_missing()] == ["☃"]
    assert any("☃" in fault for fault in laid.print().faults)


@pytest.mark.parametrize(
    "tag", ['<img src="https://example.org/a.png" alt="a">', '<img src="file:///etc/hostname" alt="a">']
)
def test_nothing_but_the_files_of_the_sheet_is_fetched(tag: str) -> None:
    assert any("Failed to load image" in fault for fault in engine.lay_out(PAGE.format(tag)).faults)


def test_an_unknown_property_is_a_fault() -> None:
    assert engine.lay_out(PAGE.format("x"), ("p { colour: red }",)).faults


def test_the_same_input_gives_the_same_bytes_anywhere(tmp_path: Path) -> None:
    script = (
        "import sys; from rulewright.print import engine;"
        "sys.stdout.buffer.write(engine.print_pdf(sys.argv[1]).pdf)"
    )
    made = []
    for more in ({}, {"SOURCE_DATE_EPOCH": "1", "HOME": str(tmp_path), "TZ": "Asia/Tokyo"}):
        run = subprocess.run(
            [sys.executable, "-c", script, PAGE.format("Some ½ <i>words</i>")],
            cwd=ROOT, env=os.environ | more, capture_output=True, check=True,
        )  # fmt: skip
        made.append(hashlib.sha256(run.stdout).hexdigest())
    assert made[0] == made[1]


def picture(mode: str = "RGB") -> bytes:
    from PIL import Image

    made = BytesIO()
    image = Image.new(mode, (60, 40), "white")
    image.paste((0, 0, 0), (0, 0, 20, 20))
    image.paste((200, 20, 20), (20, 20, 60, 40))
    image.save(made, "PNG")
    return made.getvalue()


@pytest.mark.parametrize("black", [False, True])
def test_a_picture_is_printed_in_the_inks_of_its_sheet(black: bool) -> None:
    from PIL import Image

    made = Image.open(BytesIO(colour_separation.printable("a.png", picture(), black=black)))
    assert made.mode == ("L" if black else "CMYK")
    if not black:
        c, m, y, k = made.getpixel((5, 5))  # type: ignore[misc]
        assert max(c, m, y) < 8, "black is black ink alone"
        assert k > 247


@pytest.mark.parametrize("black", [False, True])
def test_a_drawing_keeps_no_colour_of_the_screen(black: bool) -> None:
    drawing = (
        b'<svg xmlns="http://www.w3.org/2000/svg"><rect fill="#c00" style="stroke:rgb(0, 0, 200);opacity:1"/>'
        b'<path fill="none" stroke="red"/></svg>'
    )
    made = colour_separation.printable("a.svg", drawing, black=black).decode()
    assert "#c00" not in made
    assert "rgb" not in made
    assert 'fill="none"' in made
    inks = [part.split(")")[0].split() for part in made.split("device-cmyk(")[1:]]
    assert len(inks) == 4
    assert not black or all(ink[:3] == ["0", "0", "0"] for ink in inks)


@pytest.mark.parametrize("black", [False, True])
def test_gradients_and_styles_of_a_drawing_are_printed_in_ink(black: bool) -> None:
    import pikepdf

    from rulewright.print.preflight import Expected
    from rulewright.print.preflight import run as preflight
    from rulewright.source.problems import Place

    drawing = (
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
        b"<style>.a{fill:#c00} .b{fill:url(#g)}</style>"
        b'<linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="#00f"/>'
        b'</linearGradient><rect class="a" width="4" height="4"/>'
        b'<rect class="b" y="5" width="4" height="4"/></svg>'
    )
    made = colour_separation.printable("a.svg", drawing, black=black)
    tag = '<img src="print:/a.svg" alt="a" style="width: 50mm">'
    done = engine.print_pdf(PAGE.format(tag), (), {"a.svg": made}, Edges(black=black))
    assert not done.faults
    report = preflight(done.pdf, Expected(ink="black" if black else "colour"), Place("a.pdf"))
    assert not [one for one in report.problems if "colour" in one.code or "ink" in one.code]
    with pikepdf.open(BytesIO(done.pdf)) as read:
        shadings = [one for one in read.objects if isinstance(one, pikepdf.Dictionary) and "/Shading" in one]
        spaces = {str(shading.ColorSpace) for held in shadings for shading in held.Shading.values()}
    assert spaces == {"/DeviceCMYK"}
