"""The finish of a PDF for the press: what is read from the finished file by tools that did not write it."""

from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
import typst
from pikepdf import Name, Pdf, Stream
from PIL import Image

from rulewright.print.pdf_finishing import finish_pdf
from rulewright.print.press_pictures import press_picture

HEAD = """
#set document(title: "A card", date: datetime(year: 2024, month: 1, day: 1))
#set page(width: 100mm, height: 80mm, bleed: 3mm, margin: 8mm)
#set text(lang: "en", fill: cmyk(0%,0%,0%,100%), size: 10pt)
= Sequence
"""
BODY = """
see #link("https://rules.example/r/12.5/")[12.5]
#text(fill: color.spot("PANTONE 291 C", cmyk(33%,3%,0%,0%)).tint(100%))[blue]
#text(fill: rgb("#c02030"))[red] #text(fill: luma(50%))[grey]
#table(columns: 3, table.header[Roll][A][B], table.cell(rowspan: 2)[1],[x],[y],[u],[v],[2],[z],[w])
#image("colour.png", alt: "a", width: 8mm) #image("glass.png", alt: "b", width: 8mm)
#pagebreak()
#image("drawing.svg", alt: "c", width: 10mm) #image("photograph.jpg", alt: "d", width: 8mm)
"""
DRAWING = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
    b'<rect width="20" height="20" fill="#888"/><circle cx="20" cy="30" r="8" fill="#0f0"/>'
    b'<rect x="20" width="20" height="20" fill="#c02030" opacity=".5"/></svg>'
)


def picture(mode: str, colour: tuple[int, ...], sort: str) -> bytes:
    """A picture of one colour, with a corner in grey."""
    file, made = BytesIO(), Image.new(mode, (60, 60), colour)
    made.paste((100, 100, 100, 255)[: len(mode)], (50, 50, 60, 60))
    made.save(file, sort)
    return file.getvalue()


@cache
def set_card(body: str = BODY) -> bytes:
    """A card as Typst sets it, before it is finished."""
    import tempfile

    files: Mapping[str, bytes] = {
        "main.typ": (HEAD + body).encode(),
        "colour.png": picture("RGB", (200, 20, 30), "PNG"),
        "glass.png": picture("RGBA", (20, 20, 200, 128), "PNG"),
        "photograph.jpg": picture("RGB", (20, 120, 30), "JPEG"),
        "drawing.svg": DRAWING,
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        return typst.compile(Path(folder) / "main.typ", pdf_standards="ua-1")


def opened(body: str = BODY, **how: Any) -> Pdf:
    return pikepdf.open(BytesIO(finish_pdf(set_card(body), **how)))


def content(pdf: Pdf) -> str:
    """The content of all pages and of all forms that they draw."""
    streams = [
        one
        for one in pdf.objects
        if isinstance(one, Stream) and (one.get("/Subtype") == Name.Form or "/Type" not in one)
    ]
    return "\n".join(one.read_bytes().decode("latin-1") for one in streams if b"\nq" in one.read_bytes())


def test_every_colour_is_an_ink():
    with opened(bleed=3) as pdf:
        words = content(pdf).split()
        assert not {"g", "G", "rg", "RG"} & set(words)
        assert "0 0.833 0.75 0.247 k" in content(pdf)
        assert "0 0 0 0.467 k" in content(pdf)
        groups = [one.Group.CS for one in pdf.objects if isinstance(one, Stream) and "/Group" in one]
        assert {str(one) for one in groups} == {"/DeviceCMYK"}
        assert "PANTONE" in str(pdf.pages[0].Resources.ColorSpace.c0[1])
        assert "/c0 cs 1 scn" in content(pdf)


@pytest.mark.parametrize(
    ("sort", "mode", "colour", "black", "made"),
    [
        ("PNG", "RGB", (200, 20, 30), False, "CMYK"),
        ("PNG", "RGBA", (20, 20, 200, 128), False, "CMYK"),
        ("JPEG", "RGB", (20, 120, 30), False, "CMYK"),
        ("JPEG", "CMYK", (20, 120, 30, 9), False, "CMYK"),
        ("PNG", "RGB", (100, 100, 100), False, "L"),
        ("PNG", "RGB", (200, 20, 30), True, "L"),
    ],
)
def test_a_picture_has_the_inks_of_the_press(sort, mode, colour, black, made):
    name, data = press_picture(f"a.{sort}", picture(mode, colour, sort), is_black=black)
    with Image.open(BytesIO(data)) as image:
        assert (image.mode, image.size) == (made, (60, 60))
        assert name.endswith(".jpg" if made == "CMYK" else ".png")


def test_pdf_x1a_has_its_mark_its_condition_and_neither_links_nor_groups():
    body = '#link("https://rules.example/")[black] #image("photograph.jpg", alt: "d", width: 8mm)'
    with opened(body, bleed=3, x1a=True) as pdf:
        assert str(pdf.docinfo["/GTS_PDFXVersion"]) == "PDF/X-1a:2003"
        assert pdf.docinfo["/Trapped"] == Name("/False")
        assert pdf.Root.OutputIntents[0].S == Name.GTS_PDFX
        assert pdf.pdf_version == "1.4"
        assert "/Annots" not in pdf.pages[0]
        assert {"/CreationDate", "/ModDate", "/Title"} <= {*pdf.docinfo.keys()}


def test_black_text_is_printed_over_what_lies_below_it_and_nothing_else_is():
    body = "#text(fill: cmyk(0%,100%,0%,0%))[red] black #text(fill: cmyk(0%,0%,0%,50%))[grey]"
    with opened(body + "#rect(fill: cmyk(0%,0%,0%,100%))") as pdf:
        over, seen = False, []
        for one in pikepdf.parse_content_stream(pdf.pages[0]):
            word, stack = str(one.operator), []
            if word in ("q", "Q"):
                over = False  # Typst sets each run of text in a state of its own
            if word == "gs":
                over = bool(pdf.pages[0].Resources.ExtGState[str(one.operands[0])].op)
            if word in ("k", "K"):
                stack = [float(value) for value in one.operands]
                ink = stack
            if word in ("Tj", "TJ", "f"):
                seen.append((ink == [0, 0, 0, 1] and word != "f", over))
        assert {True, False} == {black for black, _ in seen}
        assert all(black == over for black, over in seen)
        state = pdf.pages[0].Resources.ExtGState.RwOverprint
        assert (state.op, state.OPM) == (True, 1)


DUEL = {
    "rulebook.yml": 'title: Duel\nnumbers: "1.1"\nchapters: ["1.0"]\n'
    "roles: {phasing: {title: Phasing player, mark: P}}\n",
    "1/edition.yml": 'edition: "1"\n',
    "1/sequence.yml": "title: Order\nsteps: [{phase: Bow, by: phasing, steps: [{do: Nod}]}]\n",
    "1/aids/card.yml": "title: Card\npaper: a5\n"
    "inks: {phasing: {name: PANTONE 291 C, cmyk: [33, 3, 0, 0]}}\nblocks: [legend, sequence]\n",
}
