"""PDFs of a few kilobytes that ask for more than any machine has: they are told of, and cost little."""

import zlib
from collections.abc import Callable
from functools import cache

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String
from sheets import artifact, sheet, words

from rulewright.print.preflight import Expected, run
from rulewright.print.preflight.colour import shading_colours
from rulewright.print.preflight.geometry import rectangle
from rulewright.print.preflight.objects import number_of
from rulewright.print.preflight.streams import bounded, unpacked
from rulewright.source.problems import Place


def judged(pdf: bytes) -> list[str]:
    """The codes of what is found, and the words of what could not be read."""
    found = run(pdf, Expected(ink="colour", tagged=True), Place("a.pdf")).findings
    return [one.kind.code for one in found] + [one.message for one in found if "read" in one.message]


def page(pdf: Pdf) -> Object:
    return pdf.pages[0].obj


def resource(pdf: Pdf, kind: str, **things: object) -> None:
    page(pdf).Resources[f"/{kind}"] = Dictionary(**things)


@cache
def packed_again() -> bytes:
    """Content of 300 MB, packed."""
    packing = zlib.compressobj(1)
    return b"".join([*(packing.compress(b"q " * 500_000) for _ in range(300)), packing.flush()])


def bomb(pdf: Pdf) -> None:
    stream = Stream(pdf, b"")
    stream.write(packed_again(), filter=Name.FlateDecode)
    page(pdf).Contents = stream


def bomb_of_bombs(pdf: Pdf) -> None:
    stream = Stream(pdf, b"")
    stream.write(zlib.compress(packed_again()), filter=Array([Name.FlateDecode] * 2))
    page(pdf).Contents = stream


def same_again(pdf: Pdf) -> None:
    stream = pdf.make_indirect(Stream(pdf, b"0 0 1 1 re f " * 10_000))
    page(pdf).Contents = Array([stream] * 2_000)


def forms(pdf: Pdf) -> None:
    inner: object = pdf.make_indirect(
        Stream(pdf, b"0 0 1 1 re f", Subtype=Name.Form, BBox=Array([0, 0, 9, 9]))
    )
    for _ in range(8):
        own = Dictionary(XObject=Dictionary(X=inner))
        drawn = Stream(pdf, b"/X Do " * 30, Subtype=Name.Form, BBox=Array([0, 0, 9, 9]), Resources=own)
        inner = pdf.make_indirect(drawn)
    resource(pdf, "XObject", X=inner)


def glyph_streams(pdf: Pdf) -> None:
    """A Type 3 font whose glyphs show text in the font itself."""
    glyph = pdf.make_indirect(Stream(pdf, b"BT /T 1 Tf (" + b"A" * 200 + b") Tj ET"))
    fonts = page(pdf).Resources.Font
    fonts.T = pdf.make_indirect(
        Dictionary(
            Type=Name.Font, Subtype=Name.Type3, FontMatrix=Array([1, 0, 0, 1, 0, 0]),
            FontBBox=Array([0, 0, 1, 1]), FirstChar=65, LastChar=65, Widths=Array([1]),
            CharProcs=Dictionary(a=glyph), Encoding=Dictionary(Differences=Array([65, Name.a])),
            Resources=Dictionary(Font=fonts),
        )
    )  # fmt: skip


MORE = artifact("/X Do BT /T 9 Tf (AAAA) Tj ET\n")


def images(pdf: Pdf) -> None:
    """A hundred thousand pictures in the content itself."""
    page(pdf).Contents = Stream(pdf, b"BI /W 1 /H 1 /IM true ID 1 EI " * 100_000)


@pytest.mark.parametrize("change", [bomb, bomb_of_bombs, same_again, forms, glyph_streams, images])
def test_what_is_drawn_without_end_is_told(change: Callable[[Pdf], None]) -> None:
    told = judged(sheet(change, more=MORE))
    assert "pdf-damaged" in told
    assert not [one for one in told if "0x" in one]


def names(pdf: Pdf) -> None:
    kid = pdf.make_indirect(Dictionary(Names=Array([String("a"), Array([page(pdf)])])))
    for _ in range(60):
        kid = pdf.make_indirect(Dictionary(Kids=Array([kid, kid])))
    pdf.Root.Names = Dictionary(Dests=kid)


def structure_in_a_circle(pdf: Pdf) -> None:
    circle = pdf.make_indirect(Array([]))
    circle.extend([circle, circle])
    pdf.Root.StructTreeRoot.K = circle


def roles(pdf: Pdf) -> None:
    many = {f"/R{at}": Name(f"/R{at + 1}") for at in range(30_000)}
    pdf.Root.StructTreeRoot.RoleMap = Dictionary(many)


def functions(pdf: Pdf) -> None:
    part = pdf.make_indirect(Dictionary(FunctionType=3, Functions=Array([])))
    for _ in range(7):
        part = pdf.make_indirect(Dictionary(FunctionType=3, Functions=Array([part] * 99)))
    resource(pdf, "Shading", S=Dictionary(ShadingType=2, ColorSpace=Name.DeviceCMYK, Function=part))


@pytest.mark.parametrize("change", [names, structure_in_a_circle, roles, functions])
def test_what_leads_back_to_itself_is_gone_through_once(change: Callable[[Pdf], None]) -> None:
    assert not [one for one in judged(sheet(change, more=artifact("/S sh\n"))) if "damaged" in one]


@pytest.mark.parametrize(
    "number", ["1" + "0" * 18, "9" * 400 + ".0", "." + "9" * 500, "-" + "9" * 300 + ".5"]
)
def test_no_number_is_too_long(number: str) -> None:
    for content in (
        f"{number} w",
        f"{number} 0 0 1 0 0 cm",
        f"/F {number} Tf",
        f"{number} Tr (a) Tj",
        f"[{number}] TJ",
    ):
        assert not [one for one in judged(sheet(more=artifact(content + "\n"))) if "damaged to be" in one]
    value = Object.parse(number.encode())
    assert -1e10 <= number_of(value, 0.0) <= 1e10
    for key in ("UserUnit", "Rotate", "MediaBox", "F"):

        def change(pdf: Pdf, key: str = key) -> None:
            page(pdf)[f"/{key}"] = value
            page(pdf).Annots[0][f"/{key}"] = value
            page(pdf).CropBox = Array([0, 0, value, value])

        assert not [one for one in judged(sheet(change)) if "damaged to be" in one]
    assert rectangle(Array([0, 0, value, 1])) is None or "e" not in str(rectangle(Array([0, 0, value, 1])))


def test_a_shading_of_many_parts_is_known_by_the_first_of_them() -> None:
    part = Dictionary(FunctionType=2, C0=Array([0, 0, 0, 0]), C1=Array([0, 0, 0, 1]))
    many = Dictionary(
        ColorSpace=Name.DeviceCMYK, Function=Dictionary(FunctionType=3, Functions=Array([part] * 5_000))
    )
    assert len(shading_colours(many, None)) < 3_000


def test_a_stream_unpacks_to_no_more_than_its_bound() -> None:
    with Pdf.new() as pdf, bounded():
        stream = Stream(pdf, b"")
        stream.write(packed_again(), filter=Name.FlateDecode)
        with pytest.raises(ValueError, match="unpacks to more"):
            unpacked(stream)
        stream.write(b"\x80" * 300_000, filter=Name.LZWDecode)
        with pytest.raises(ValueError, match="unpacks to more"):
            unpacked(stream)
    assert pikepdf.settings.get_qpdf_limits()["flate_max_memory"] == 0


def test_many_letters_that_lack_a_glyph_are_told_in_one_look() -> None:
    lacking = artifact(words("A", 10, 40).replace("0002", "FFFE" * 20_000))
    assert "pdf-glyph-missing" in judged(sheet(more=lacking))


def test_the_bounds_are_put_back() -> None:
    before = pikepdf.settings.get_qpdf_limits()
    judged(sheet())
    assert pikepdf.settings.get_qpdf_limits() == before
