"""The finish of a PDF for the press: what is read from the finished file by tools that did not write it."""

import struct
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path

import pikepdf
import pymupdf
import pytest
import typst
from pikepdf import Name, Pdf, Stream
from PIL import Image

from rulewright.print.pdf_finishing import FinishOptions, finish_pdf
from tests.commands.duel import write

SPOT = "PANTONE 291 C"
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


@cache
def press(description: str = "Coated FOGRA39") -> bytes:
    """A small profile of a press: tables of two steps, its black the darkness of a colour."""

    def table(inputs: int, outputs: int, nodes: list[tuple[int, ...]]) -> bytes:
        head = struct.pack(">4s4xBBBx", b"mft1", inputs, outputs, 2)
        matrix = struct.pack(">9i", *(65536 * (at % 4 == 0) for at in range(9)))
        grid = bytes(part for node in nodes for part in node)
        return head + matrix + bytes(range(256)) * inputs + grid + bytes(range(256)) * outputs

    corners = [(a, b, c) for a in (0, 255) for b in (0, 255) for c in (0, 255)]
    to_inks = table(3, 4, [(255 - b, b, c, 255 - light) for light, b, c in corners])
    inks = [(*corner, key) for corner in corners for key in (0, 255)]
    from_inks = table(4, 3, [(255 - max(*one), 128, 128) for one in inks])
    words = description.encode("ascii") + b"\0"
    desc = struct.pack(">4s4xI", b"desc", len(words)) + words + bytes(78)
    text = b"text" + bytes(4) + b"made for a test\0"
    white = b"XYZ " + bytes(4) + struct.pack(">3i", 63190, 65536, 54061)
    tags = {b"desc": desc, b"cprt": text, b"wtpt": white, b"A2B0": from_inks, b"B2A0": to_inks}
    body, index, at = b"", b"", 132 + 12 * len(tags)
    for name, data in tags.items():
        data += bytes(-len(data) % 4)
        index += struct.pack(">4sII", name, at + len(body), len(data))
        body += data
    size = 132 + len(index) + len(body)
    head = struct.pack(">I4sI4s4s4s", size, bytes(4), 0x02400000, b"prtr", b"CMYK", b"Lab ")
    head += struct.pack(">6H4s", 2024, 1, 1, 0, 0, 0, b"acsp") + bytes(28)
    head += struct.pack(">3i", 63190, 65536, 54061)
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + index + body


def opened(how: FinishOptions, body: str = BODY) -> Pdf:
    return pikepdf.open(BytesIO(finish_pdf(set_card(body), how)))


def content(pdf: Pdf) -> str:
    """The content of all pages and of all forms that they draw."""
    streams = [
        one
        for one in pdf.objects
        if isinstance(one, Stream) and (one.get("/Subtype") == Name.Form or "/Type" not in one)
    ]
    return "\n".join(one.read_bytes().decode("latin-1") for one in streams if b"\nq" in one.read_bytes())


def pictures(pdf: Pdf) -> list[Stream]:
    found = [one for one in pdf.objects if isinstance(one, Stream) and one.get("/Subtype") == Name.Image]
    masks = {one.SMask.objgen for one in found if "/SMask" in one}
    return [one for one in found if one.objgen not in masks]


def test_every_colour_is_an_ink() -> None:
    with opened(FinishOptions(3, inks=frozenset({SPOT}))) as pdf:
        words = content(pdf).split()
        assert not {"g", "G", "rg", "RG"} & set(words)
        assert "0 0.833 0.75 0.247 k" in content(pdf)
        assert "0 0 0 0.4667 k" in content(pdf)
        assert {str(one.ColorSpace) for one in pictures(pdf)} == {"/DeviceCMYK"}
        assert [one.SMask.ColorSpace for one in pictures(pdf) if "/SMask" in one] == [Name.DeviceGray]
        groups = [one.Group.CS for one in pdf.objects if isinstance(one, Stream) and "/Group" in one]
        assert {str(one) for one in groups} == {"/DeviceCMYK"}
        assert "PANTONE" in str(pdf.pages[0].Resources.ColorSpace.c0[1])
        assert "/c0 cs 1 scn" in content(pdf)


def test_black_alone_is_black_alone() -> None:
    with opened(FinishOptions(3, ink="black", inks=frozenset({SPOT}))) as pdf:
        text = content(pdf)
        inks = {tuple(line.split()[:3]) for line in text.splitlines() if line.endswith((" k", " K"))}
        assert inks == {("0", "0", "0")}
        assert "scn" not in text.replace("/p0 scn", "")
        assert {str(one.ColorSpace) for one in pictures(pdf)} == {"/DeviceGray"}


def test_black_text_is_printed_over_what_lies_below_it_and_nothing_else_is() -> None:
    body = "#text(fill: cmyk(0%,100%,0%,0%))[red] black #text(fill: cmyk(0%,0%,0%,50%))[grey]"
    with opened(FinishOptions(), body + "#rect(fill: cmyk(0%,0%,0%,100%))") as pdf:
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


WAYS = {
    "plain": FinishOptions(3),
    "black": FinishOptions(3, True, "black"),
    "PDF/X-4": FinishOptions(3, True, pdfx=4, profile=press(), inks=frozenset({SPOT})),
}


def test_a_pdf_for_exchange_says_what_it_is_to_be_printed_with() -> None:
    made = finish_pdf(set_card(), WAYS["PDF/X-4"])
    with pymupdf.open(stream=made) as pdf:
        facts = pdf.get_xml_metadata()
        assert "PDF/X-4" in facts
        assert "Trapped>False<" in facts
        assert "uuid:" in facts
        assert not any(list(page.get_links()) for page in pdf)
        root = pdf.pdf_catalog()
        assert pdf.xref_get_key(root, "OutputIntents")[0] == "array"
        intent = int(pdf.xref_get_key(root, "OutputIntents")[1].strip("[] ").split()[0])
        assert pdf.xref_get_key(intent, "S") == ("name", "/GTS_PDFX")
        assert pdf.xref_get_key(intent, "OutputConditionIdentifier") == ("string", "FOGRA39")
        assert pdf.xref_get_key(intent, "RegistryName") == ("string", "http://www.color.org")
        profile = int(pdf.xref_get_key(intent, "DestOutputProfile")[1].split()[0])
        assert pdf.xref_stream(profile) == press()
        information = int(pdf.xref_get_key(-1, "Info")[1].split()[0])
        assert pdf.xref_get_key(information, "Trapped") == ("name", "/False")
        assert pdf.xref_get_key(information, "GTS_PDFXVersion") == ("string", "PDF/X-4")
    custom = finish_pdf(set_card(), FinishOptions(3, pdfx=4, profile=press("Our own press")))
    with pikepdf.open(BytesIO(custom)) as opened_again:
        intent = opened_again.Root.OutputIntents[0]
        assert (str(intent.OutputConditionIdentifier), str(intent.Info)) == ("Custom", "Our own press")
        assert "/RegistryName" not in intent


DUEL = {
    "rulebook.yml": 'title: Duel\nnumbers: "1.1"\nchapters: ["1.0"]\n'
    "roles: {phasing: {title: Phasing player, mark: P}}\n",
    "1/edition.yml": 'edition: "1"\n',
    "1/sequence.yml": "title: Order\nsteps: [{phase: Bow, by: phasing, steps: [{do: Nod}]}]\n",
    "1/aids/card.yml": 'title: Card\npaper: a5\npdfx: "4"\nprofile: coated.icc\n'
    "inks: {phasing: {name: PANTONE 291 C, cmyk: [33, 3, 0, 0]}}\nblocks: [legend, sequence]\n",
}


@pytest.mark.parametrize("profile", [press(), b"no profile"])
def test_a_sheet_is_printed_with_the_inks_and_for_the_press_that_its_file_names(profile, tmp_path):
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.print.press import all_print_jobs, print_one
    from rulewright.print.press.print_job import PrintOptions

    write(tmp_path / "content/duel", DUEL)
    (tmp_path / "content/duel/1/aids/coated.icc").write_bytes(profile)
    shelf = load_and_check(tmp_path).shelf
    card = next(
        one for one in all_print_jobs(tmp_path, shelf, PrintOptions()) if one.address.endswith("card")
    )
    copy, problems, _ = print_one(card)
    if profile == press():
        assert copy, problems
        with pikepdf.open(BytesIO(copy.pdf)) as pdf:
            assert str(pdf.docinfo["/GTS_PDFXVersion"]) == "PDF/X-4"
            spaces = pdf.pages[0].Resources.ColorSpace
            assert Name("/PANTONE 291 C") in [one[1] for _, one in spaces.items() if one[0] == "/Separation"]
    else:
        assert copy is None
        assert [(one.code, "no ICC profile" in one.message) for one in problems if one.is_failure] == [
            ("aid-not-printable", True)
        ]
        assert "aids/card.yml" in problems[-1].place.file
