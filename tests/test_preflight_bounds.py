"""PDFs of a few kilobytes that ask for more than any machine has: they are told of, and cost little."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache

import pikepdf
import pytest
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.misc import eexec
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String
from sheets import artifact, sheet, words

from rulewright.print.preflight import Expected, run
from rulewright.print.preflight.cmaps import cmap_of
from rulewright.print.preflight.colour import shading_colours
from rulewright.print.preflight.geometry import number_of, rectangle
from rulewright.print.preflight.programs import Type1
from rulewright.print.preflight.streams import Effort, TooMuch, bounded, unpacked
from rulewright.source.problems import Place


def judged(pdf: bytes) -> list[str]:
    """The codes of what is found, and the words of what could not be read."""
    found = run(pdf, Expected(ink="colour", tagged=True), Place("a.pdf"), second=False).findings
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


@pytest.mark.parametrize("change", [bomb, bomb_of_bombs, same_again, forms, glyph_streams])
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


def cmap(text: bytes) -> object:
    with Pdf.new() as pdf:
        return cmap_of(Stream(pdf, text), Effort(10**6))


def test_a_cmap_has_no_more_codes_than_there_are() -> None:
    ranges = b"".join(b"<%08X> <%08X> 1\n" % (at << 20, (at << 20) + 0xFFFFF) for at in range(1, 400))
    made = cmap(b"begincidrange\n" + ranges + b"endcidrange\n")
    assert len(made.numbers) == 70_000  # type: ignore[attr-defined]
    wide = b"".join(b"<%08X> <%08X> <%s>\n" % (at << 20, (at << 20) + 99, b"41" * 9_000) for at in range(9))
    made = cmap(b"beginbfrange\n" + wide + b"endbfrange\n")
    assert max(map(len, made.texts.values())) == 256  # type: ignore[attr-defined]


def test_a_text_falls_into_codes_whatever_a_cmap_says() -> None:
    for space in (b"<> <>", b"<> <FF>", b"<00> <>", b"<0000000000> <FFFFFFFFFF>", b"<41> <42>"):
        made = cmap(b"begincodespacerange\n" + space + b"\nendcodespacerange\n")
        assert sum(length for _, length in made.split(b"AXA")) >= 3  # type: ignore[attr-defined]


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


def type1(strings: dict[str, list[int]], subrs: list[list[int]]) -> bytes:
    """A Type 1 program with glyphs and the parts that they call, as bytes of charstrings."""

    def hidden(codes: list[int]) -> bytes:
        return bytes(eexec.encrypt(b"0000" + bytes(codes), 4330)[0])

    body = b"dup /Private 8 dict dup begin\n/lenIV 4 def\n/Subrs %d array\n" % len(subrs)
    for at, codes in enumerate(subrs):
        body += b"dup %d %d RD " % (at, len(codes) + 4) + hidden(codes) + b" NP\n"
    body += b"2 index /CharStrings %d dict dup begin\n" % len(strings)
    for name, codes in strings.items():
        body += b"/%s %d RD " % (name.encode(), len(codes) + 4) + hidden(codes) + b" ND\n"
    plain = b"%!PS-AdobeFont-1.0: A\n"
    plain += b"/FontMatrix [0.001 0 0 0.001 0 0] readonly def\n/Encoding StandardEncoding def\n"
    secret = bytes(eexec.encrypt(b"0000" + body + b"end\nmark currentfile closefile\n", 55665)[0])
    return plain + b"currentfile eexec\n" + secret + b"\n" + (b"0" * 64 + b"\n") * 8 + b"cleartomark\n"


SQUARE = [139, 139, 13, 139, 139, 21, 239, 6, 239, 7, 39, 6, 9, 14]
"""0 0 hsbw, 0 0 rmoveto, 100 hlineto, 100 vlineto, -100 hlineto, closepath, endchar."""


def test_a_type_1_program_is_read_without_being_run() -> None:
    font = Type1(type1({".notdef": [139, 139, 13, 14], "A": SQUARE}, []), Effort(0))
    assert font.box("A") == (0, 0, 100, 100)
    assert font.box("B") is None
    assert font.encoding == StandardEncoding
    endless = b"/FontName /A def 0 0 1 {} for 999999999 array\n" + type1({"A": SQUARE}, [])
    assert Type1(endless, Effort(0)).box("A") == (0, 0, 100, 100)


def test_a_glyph_whose_parts_call_one_another_has_an_end() -> None:
    calls = [[139 + at + 1, 10] * 20 + [11] for at in range(9)]  # part 0 calls part 1 twenty times, and so on
    with pytest.raises(TooMuch):
        Type1(type1({"A": [139, 139, 13, 139, 10, 14]}, [*calls, [11]]), Effort(0)).box("A")


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
