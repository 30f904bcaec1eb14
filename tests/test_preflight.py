"""A finished PDF is held against what it promises: each promise broken alone is told, with its place."""

import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String
from sheets import (
    ADDRESS,
    BLEED,
    HEIGHT,
    PROMISE,
    PT,
    WIDTH,
    artifact,
    beyond,
    box,
    font_of,
    marks,
    program_of,
    sheet,
    words,
)

from rulewright.print.preflight import Expected, Report, run
from rulewright.print.preflight.preflight_report import ABSENT, PASSED, Finding
from rulewright.source.problems import Place

FILE = Place("card.pdf")


def report(pdf: bytes, promise: Expected = PROMISE) -> Report:
    return run(pdf, promise, FILE)


def codes(pdf: bytes, promise: Expected = PROMISE) -> list[str]:
    return [finding.kind.code for finding in report(pdf, promise).findings]


def only(pdf: bytes, promise: Expected = PROMISE) -> Finding:
    findings = report(pdf, promise).findings
    assert len(findings) == 1, [f"{finding.where} {finding.message}" for finding in findings]
    return findings[0]


def test_a_sheet_that_keeps_every_promise_passes_every_check() -> None:
    found = report(sheet())
    assert found.findings == []
    assert {check.outcome for check in found.checks} == {PASSED, ABSENT}
    assert not found.fails
    absent = [check.name for check in found.checks if check.outcome == ABSENT]
    assert absent == ["pictures", "PDF/X", "nothing transparent", "pictures described", "cells headed"]


def put(key: str, value: object) -> Callable[[Pdf], None]:
    """A change of an entry of the page."""
    return lambda pdf: pdf.pages[0].obj.__setitem__(key, value)


def without(key: str) -> Callable[[Pdf], None]:
    return lambda pdf: pdf.pages[0].obj.__delitem__(key)


def in_colour(colour: str, content: str) -> str:
    return artifact(f"q {colour} {content} Q\n")


def up_to(colour: list[float]) -> Dictionary:
    """A function from no ink to a colour."""
    return Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([0] * 4), C1=Array(colour), N=1)


GROUND = box(20, 40, 10, 10)

CHANGES: dict[str, tuple[Callable[[Pdf], object], str, int | None, str]] = {
    "a second page": (lambda pdf: pdf.pages.append(pdf.pages[0]), "pdf-pages", None, "2 pages"),
    "turned round": (
        put("/Rotate", 90),
        "pdf-size",
        1,
        "80 x 100 mm, not 100 x 80 mm; it lies the other way",
    ),
    "a larger unit": (put("/UserUnit", 2), "pdf-size", 1, "200 x 160 mm"),
    "no TrimBox": (without("/TrimBox"), "pdf-boxes", 1, "no TrimBox"),
    "no BleedBox": (without("/BleedBox"), "pdf-boxes", 1, "no BleedBox"),
    "a bleed beyond the paper": (
        put("/MediaBox", beyond(2)),
        "pdf-boxes",
        1,
        "BleedBox reaches beyond its MediaBox",
    ),
    "a bleed that is narrow": (
        put("/BleedBox", beyond(2)),
        "pdf-bleed",
        1,
        "2.00 mm beyond the trim on the left",
    ),
    "a font that is not there": (
        lambda pdf: program_of(pdf).__delitem__("/FontFile2"),
        "pdf-font-not-embedded",
        1,
        "Boxes-Sans is not embedded",
    ),
    "a font that is no font": (
        lambda pdf: program_of(pdf).FontFile2.write(b"no font"),
        "pdf-damaged",
        1,
        "embedded but cannot be read",
    ),
    "another family": (
        lambda pdf: (
            program_of(pdf).__setitem__("/FontFamily", String("Serif")),
            font_of(pdf).__setitem__("/BaseFont", Name("/ABCDEF+Serif")),
        ),
        "pdf-font-substituted",
        1,
        "Sequence is set in Serif, not in Boxes Sans",
    ),
    "another title": (
        lambda pdf: title(pdf, "Another"),
        "pdf-title",
        None,
        "its title is Another, not A card",
    ),
    "another language": (
        lambda pdf: pdf.Root.__setitem__("/Lang", String("de")),
        "pdf-language",
        None,
        "is de",
    ),
    "no bookmarks": (lambda pdf: pdf.Root.__delitem__("/Outlines"), "pdf-bookmarks", None, "no bookmarks"),
    "a bookmark into nothing": (
        lambda pdf: pdf.Root.Outlines.First.__setitem__("/Dest", String("gone")),
        "pdf-link-broken",
        None,
        "the bookmark Sequence leads to gone",
    ),
}


def title(pdf: Pdf, words: str) -> None:
    with pdf.open_metadata() as metadata:
        metadata["dc:title"] = words


@pytest.mark.parametrize("name", CHANGES)
def test_a_sheet_that_breaks_a_promise_is_told_so(name: str) -> None:
    change, code, page, message = CHANGES[name]
    found = [finding for finding in report(sheet(change)).findings if finding.kind.code == code]
    assert found, codes(sheet(change))
    assert found[0].page == page
    assert message in found[0].message


PAINTED: dict[str, tuple[str, str, tuple[float, float], str]] = {
    "small type": (
        words("SMALL", 10, 40, 7),
        "pdf-type-small",
        (10, 38.27),
        "7.00 pt; the smallest allowed is 7.5",
    ),
    "type made small by a matrix": (
        f"q 0.5 0 0 0.5 0 0 cm {words('HALF', 40, 40, 12)} Q\n",
        "pdf-type-small",
        (20, 58.52),
        "6.00 pt",
    ),
    "text at the trim": (words("EDGE", 2, 40), "pdf-text-near-edge", (2, 37.53), "2.00 mm inside the trim"),
    "text across the trim": (
        words("EDGE", 97, 40),
        "pdf-text-near-edge",
        (97, 37.53),
        "1.24 mm inside the trim",
    ),
    "text at the fold": (
        words("FOLD", 38.5, 60),
        "pdf-text-near-fold",
        (43.79, 57.53),
        "4.44 mm off the fold",
    ),
    "text across the fold": (words("FOLDED", 42, 60), "pdf-text-near-fold", (43.76, 57.53), "4.47 mm"),
    "a ground in RGB": (in_colour("1 0 0 rg", GROUND), "pdf-rgb", (20, 40), "RGB"),
    "a line in RGB": (in_colour("0 0 0 RG 0 w", box(20, 40, 10, 10, "S")), "pdf-rgb", (19.82, 39.82), "RGB"),
    "colour in black": (
        in_colour("0 1 1 0 k", GROUND),
        "pdf-colour-in-black",
        (20, 40),
        "C 0 M 100 Y 100 K 0",
    ),
    "rich black": (
        f"q 0.5 0 0 1 k {words('RICH', 10, 40)} Q 0 0 0 1 k\n",
        "pdf-text-not-pure-black",
        (10, 37.53),
        "C 50 M 0 Y 0 K 100",
    ),
    "a ground that ends at the trim": (
        artifact(box(0, 40, 20, 10)),
        "pdf-bleed-short",
        (0, 40),
        "a ground reaches the trim on the left but not the bleed",
    ),
    "a glyph that is not there": (
        f"BT /F 10 Tf {10 * PT} {40 * PT} Td <0000> Tj ET\n",
        "pdf-glyph-missing",
        (10, 37.53),
        "no glyph in Boxes-Sans",
    ),
}


@pytest.mark.parametrize("name", PAINTED)
def test_what_is_painted_amiss_is_told_with_its_place(name: str) -> None:
    content, code, at, message = PAINTED[name]
    content = content if content.startswith("/Artifact") else artifact(content)
    found = [finding for finding in report(sheet(more=content)).findings if finding.kind.code == code]
    assert found, codes(sheet(more=content))
    assert found[0].page == 1
    assert found[0].at == pytest.approx(at, abs=0.05)
    assert message in found[0].message


ALLOWED = {
    "text just inside the margin": artifact(words("EDGE", 3, 40)),
    "text just off the fold": artifact(words("FOLD", 55, 60)),
    "a blank that stands at the trim": artifact(words(" EDGE", 1.5, 40)),
    "white": in_colour("0 0 0 0 k", GROUND),
    "grey": in_colour("0.5 g", GROUND),
    "a separation of black": in_colour("/Black cs 1 scn", GROUND),
    "text that cannot be seen": artifact(f"3 Tr {words('HIDDEN', 1, 40, 5)} 0 Tr\n"),
    "text that is clipped away": artifact(f"q {box(20, 20, 5, 5, 'W n')} {words('CLIPPED', 1, 40, 5)} Q\n"),
    "colour that is wholly transparent": in_colour("/Clear gs 0 1 1 0 k", GROUND),
    "what the printer writes beside the sheet": artifact(words("SLUG", 40, -5, 5)),
    "a ground that goes on into the bleed": artifact(box(-BLEED, 40, 20, 10)),
    "a ground that ends inside": artifact(box(1, 50, 20, 10)),
}


def resources(pdf: Pdf) -> None:
    """A separation of black and a state of no opacity, for those that ask for them."""
    function = up_to([0, 0, 0, 1])
    own = pdf.pages[0].obj.Resources
    own.ColorSpace = Dictionary(Black=Array([Name.Separation, Name.Black, Name.DeviceCMYK, function]))
    own.ExtGState = Dictionary(Clear=Dictionary(ca=0))


@pytest.mark.parametrize("name", ALLOWED)
def test_what_keeps_the_promises_is_let_through(name: str) -> None:
    assert codes(sheet(resources, more=ALLOWED[name])) == []


def test_marks_are_wanted_at_every_corner() -> None:
    some = artifact("0 0 0 1 k\n" + "".join(marks().splitlines(keepends=True)[1:]))
    found = only(sheet(marks=some))
    assert (found.kind.code, found.page) == ("pdf-marks", 1)
    assert found.message == "no pair of crop marks at the upper left"


def test_marks_begin_outside_the_bleed() -> None:
    found = report(sheet(marks=artifact("0 0 0 1 k\n" + marks(gap=1.0)))).findings
    assert {finding.kind.code for finding in found} == {"pdf-marks-inside"}
    assert len(found) == 4


def test_marks_are_not_wanted_where_none_were_asked_for() -> None:
    assert codes(sheet(), replace(PROMISE, marks=False)) == ["pdf-marks"]  # alike at four corners, told once
    assert codes(sheet(marks=""), replace(PROMISE, marks=False)) == []


# Colours, by the inks that print them.

SPACES: dict[str, tuple[object, str, str | None]] = {
    "RGB by a profile": ([Name.ICCBased, "profile 3"], "1 0 0", "pdf-rgb"),
    "CMYK by a profile": ([Name.ICCBased, "profile 4"], "0 0 0 1", None),
    "grey by a profile": ([Name.ICCBased, "profile 1"], "0", None),
    "calibrated RGB": ([Name.CalRGB, Dictionary(WhitePoint=Array([1, 1, 1]))], "0 0 0", "pdf-rgb"),
    "Lab": ([Name.Lab, Dictionary(WhitePoint=Array([1, 1, 1]))], "0 0 0", "pdf-rgb"),
    "a palette of RGB": ([Name.Indexed, Name.DeviceRGB, 1, String(b"\0\0\0\xff\0\0")], "1", "pdf-rgb"),
    "a palette of CMYK, its black": (
        [Name.Indexed, Name.DeviceCMYK, 1, String(b"\0\0\0\xff\0\xff\0\0")],
        "0",
        None,
    ),
    "a palette of CMYK, its red": (
        [Name.Indexed, Name.DeviceCMYK, 1, String(b"\0\0\0\xff\0\xff\0\0")],
        "1",
        "pdf-colour-in-black",
    ),
    "a spot ink": ([Name.Separation, Name("/PANTONE 185 C"), Name.DeviceCMYK, "function"], "1", "pdf-spot"),
    "a spot ink of which nothing is used": (
        [Name.Separation, Name.Gold, Name.DeviceCMYK, "function"],
        "0",
        None,
    ),
    "the ink of all plates": (
        [Name.Separation, Name.All, Name.DeviceCMYK, "function"],
        "0.7",
        "pdf-colour-in-black",
    ),
    "several inks, black alone": (
        [Name.DeviceN, Array([Name.Cyan, Name.Black]), Name.DeviceCMYK, "function"],
        "0 1",
        None,
    ),
    "several inks, cyan too": (
        [Name.DeviceN, Array([Name.Cyan, Name.Black]), Name.DeviceCMYK, "function"],
        "1 0",
        "pdf-colour-in-black",
    ),
}


@pytest.mark.parametrize("name", SPACES)
def test_a_colour_is_judged_by_its_inks(name: str) -> None:
    parts, values, code = SPACES[name]

    def add(pdf: Pdf) -> None:
        made = []
        for part in parts:
            if part == "function":
                part = up_to([0, 1, 1, 0])
            elif isinstance(part, str) and part.startswith("profile"):
                part = Stream(pdf, b"a profile", N=int(part[-1]))
            made.append(part)
        pdf.pages[0].obj.Resources.ColorSpace = Dictionary(Own=Array(made))

    found = codes(sheet(add, more=in_colour(f"/Own cs {values} scn", GROUND)))
    assert found == ([code] if code else [])


def test_a_shading_is_judged_by_its_ends() -> None:
    def add(pdf: Pdf) -> None:
        function = up_to([0, 1, 0, 0])
        shading = Dictionary(
            ShadingType=2, ColorSpace=Name.DeviceCMYK, Coords=Array([0, 0, 9, 9]), Function=function
        )
        own = pdf.pages[0].obj.Resources
        own.Shading = Dictionary(S=shading)
        own.Pattern = Dictionary(P=Dictionary(PatternType=2, Shading=shading))

    direct = artifact(f"q {box(20, 40, 10, 10, 'W n')} /S sh Q\n")
    assert codes(sheet(add, more=direct)) == ["pdf-colour-in-black"]
    assert codes(sheet(add, more=in_colour("/Pattern cs /P scn", GROUND))) == ["pdf-colour-in-black"]


def test_a_pattern_is_judged_by_what_its_cell_paints() -> None:
    def add(pdf: Pdf) -> None:
        cell = Stream(
            pdf,
            b"1 0 0 rg 0 0 5 5 re f",
            PatternType=1,
            PaintType=1,
            TilingType=1,
            BBox=Array([0, 0, 9, 9]),
            XStep=9,
            YStep=9,
            Resources=Dictionary(),
        )
        pdf.pages[0].obj.Resources.Pattern = Dictionary(P=cell)

    assert codes(sheet(add, more=in_colour("/Pattern cs /P scn", GROUND))) == ["pdf-rgb"]


def test_what_is_blended_in_rgb_is_told() -> None:
    def add(pdf: Pdf) -> None:
        group = Dictionary(S=Name.Transparency, CS=Name.DeviceRGB)
        form = Stream(
            pdf, b"0 0 0 1 k 60 60 9 9 re f", Subtype=Name.Form, BBox=Array([0, 0, 99, 99]), Group=group
        )
        pdf.pages[0].obj.Resources.XObject = Dictionary(X=form)

    found = only(sheet(add, more=artifact("/X Do\n")))
    assert (found.kind.code, found.page) == ("pdf-rgb", 1)
    assert "blended in RGB" in found.message


# Pictures and forms.


def image(
    width: int, height: int, space: object = Name.DeviceGray, channels: int = 1
) -> Callable[[Pdf], None]:
    def add(pdf: Pdf) -> None:
        made = Stream(
            pdf,
            bytes([64]) * (width * height * channels),
            Subtype=Name.Image,
            Width=width,
            Height=height,
            ColorSpace=space,
            BitsPerComponent=8,
        )
        pdf.pages[0].obj.Resources.XObject = Dictionary(I=made)

    return add


PICTURE = artifact(f"q {20 * PT} 0 0 {20 * PT} {20 * PT} {20 * PT} cm /I Do Q\n")
"""A picture 20 mm wide, for which 237 pixels are 300 dpi."""


@pytest.mark.parametrize(("pixels", "fit"), [(237, True), (200, False)])
def test_a_picture_has_pixels_enough(pixels: int, fit: bool) -> None:
    found = report(sheet(image(pixels, pixels), more=PICTURE))
    assert [f.kind.code for f in found.findings] == ([] if fit else ["pdf-picture-coarse"])
    if not fit:
        assert found.findings[0].at == pytest.approx((20, 40), abs=0.05)
        assert "200 x 200 pixels is printed at 254 dpi; it needs 300" in found.findings[0].message


def test_a_picture_is_measured_after_all_matrices_and_by_its_worse_side() -> None:
    twice = artifact(f"q 2 0 0 2 0 0 cm 0 {10 * PT} {-10 * PT} 0 {20 * PT} {10 * PT} cm /I Do Q\n")
    assert "printed at 254 dpi" in only(sheet(image(200, 400), more=twice)).message


def test_a_picture_inside_of_the_content_is_measured_too() -> None:
    inline = artifact(
        f"q {20 * PT} 0 0 {20 * PT} {20 * PT} {20 * PT} cm BI /W 2 /H 2 /BPC 8 /CS /G ID abcd EI Q\n"
    )
    assert "2 x 2 pixels is printed at 3 dpi" in only(sheet(more=inline)).message


@pytest.mark.parametrize(
    ("space", "channels", "code"),
    [(Name.DeviceRGB, 3, "pdf-rgb"), (Name.DeviceCMYK, 4, "pdf-colour-in-black")],
)
def test_a_picture_is_judged_by_its_inks(space: Name, channels: int, code: str) -> None:
    assert codes(sheet(image(240, 240, space, channels), more=PICTURE)) == [code]


def test_what_a_form_in_a_form_paints_is_found_where_it_stands() -> None:
    def add(pdf: Pdf) -> None:
        inner = Stream(
            pdf,
            words("INNER", 0, HEIGHT, 10).encode(),
            Subtype=Name.Form,
            BBox=Array([-9, -9, 99, 99]),
            Matrix=Array([1, 0, 0, 1, 1 * PT, 0]),
            Resources=pdf.pages[0].obj.Resources.Font and Dictionary(Font=pdf.pages[0].obj.Resources.Font),
        )
        outer = Stream(
            pdf,
            b"0.5 0 0 0.5 0 0 cm /In Do",
            Subtype=Name.Form,
            BBox=Array([-9, -9, 99, 99]),
            Resources=Dictionary(XObject=Dictionary(In=inner)),
        )
        pdf.pages[0].obj.Resources.XObject = Dictionary(Out=outer)

    content = artifact(f"q 1 0 0 1 {10 * PT} {40 * PT} cm /Out Do Q\n")
    found = only(sheet(add, more=content))
    assert found.message.startswith("INNER is set in 5.00 pt")
    assert found.at == pytest.approx((10.5, 40 - 5 * 0.7 / PT), abs=0.05)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_places_are_told_as_the_page_is_read(turn: int) -> None:
    width, height = (WIDTH, HEIGHT) if turn in (0, 180) else (HEIGHT, WIDTH)
    promise = replace(PROMISE, trim=(width, height), folds=())
    found = only(sheet(put("/Rotate", turn), more=artifact(words("EDGE", 2, 40))), promise)
    high, wide = 10 * 0.7 / PT, 10 * 2.0 / PT
    upper = {
        0: (2, 40 - high),
        90: (HEIGHT - 40, 2),
        180: (WIDTH - 2 - wide, HEIGHT - 40),
        270: (40 - high, WIDTH - 2 - wide),
    }
    if turn in (0, 90):  # where the first letter is the one that is told
        assert found.at == pytest.approx(upper[turn], abs=0.05)
    assert found.kind.code == "pdf-text-near-edge"


# What was not seen before: what runs off the page, thin lines, much ink, white that overprints.

NEW: dict[str, tuple[str, str, tuple[float, float], str]] = {
    "a picture that runs off the foot": (
        f"q {60 * PT} 0 0 {190 * PT} {20 * PT} {-135 * PT} cm /I Do Q\n",
        "pdf-off-page",
        (20, 25),
        "a picture runs off the page: 125.0 mm of it are lost at the bottom",
    ),
    "a picture within the clip of the page": (
        f"q {box(-10, -10, 120, 100, 'W n')} {60 * PT} 0 0 {190 * PT} {20 * PT} {-135 * PT} cm /I Do Q\n",
        "pdf-off-page",
        (20, 25),
        "125.0 mm of it are lost at the bottom",
    ),
    "a drawing that runs off": (
        f"{20 * PT} {20 * PT} m {90 * PT} {20 * PT} l {140 * PT} {30 * PT} l {140 * PT} {60 * PT} l "
        f"{40 * PT} {50 * PT} l {30 * PT} {40 * PT} l {25 * PT} {30 * PT} l f\n",
        "pdf-off-page",
        (20, 20),
        "30.0 mm of it are lost on the right",
    ),
    "text beyond the paper": (words("LOST", 130, 40), "pdf-off-page", (130, 37.5), "the text LOST runs off"),
    "a hairline": (
        f"0.1 w {20 * PT} {20 * PT} m {60 * PT} {20 * PT} l S\n",
        "pdf-hairline",
        (20, 60),
        "a line is 0.10 pt thick; 0.25 pt is the least",
    ),
    "a line made thin by a matrix": (
        f"q 0.5 0 0 0.5 0 0 cm 0.4 w {40 * PT} {40 * PT} m {120 * PT} {40 * PT} l S Q\n",
        "pdf-hairline",
        (20, 60),
        "0.20 pt thick",
    ),
    "a thin rectangle": (box(20, 40, 30, 0.05), "pdf-hairline", (20, 40), "0.14 pt thick"),
    "much ink": (f"q 0.8 0.7 0.9 0.9 k {GROUND} Q\n", "pdf-ink-heavy", (20, 40), "takes 330 % of ink"),
    "white that overprints": (
        f"q /Over gs 0 0 0 0 k {words('WHITE', 10, 40)} Q\n",
        "pdf-white-overprint",
        (10, 37.5),
        "the text WHITE is white and set to overprint",
    ),
    "a picture with much ink": (
        f"q {20 * PT} 0 0 {20 * PT} {20 * PT} {20 * PT} cm /Heavy Do Q\n",
        "pdf-ink-heavy",
        (20, 40),
        "a picture takes 400 % of ink",
    ),
}


def supplied(pdf: Pdf) -> None:
    own = pdf.pages[0].obj.Resources
    fine = {"Subtype": Name.Image, "BitsPerComponent": 8}
    grey = Stream(pdf, bytes(2400 * 2400), Width=2400, Height=2400, ColorSpace=Name.DeviceGray, **fine)
    full = b"\xff" * (300 * 300 * 4)
    dark = Stream(pdf, full, Width=300, Height=300, ColorSpace=Name.DeviceCMYK, **fine)
    own.XObject = Dictionary(I=grey, Heavy=dark)
    own.ExtGState = Dictionary(Over=Dictionary(op=True, OP=True, OPM=1))


@pytest.mark.parametrize("name", NEW)
def test_what_a_printer_would_send_back_is_told_with_its_place(name: str) -> None:
    content, code, at, message = NEW[name]
    promise = replace(PROMISE, ink="colour", folds=())
    found = report(sheet(supplied, more=artifact(content)), promise).findings
    assert [one.kind.code for one in found] == [code], [one.message for one in found]
    assert found[0].at == pytest.approx(at, abs=0.1)
    assert message in found[0].message


FINE = {
    "a ground beyond the paper": box(-50, -50, 300, 300),
    "a picture that is clipped by its frame": (
        f"q {box(20, 20, 40, 40, 'W n')} {60 * PT} 0 0 {190 * PT} {20 * PT} {-135 * PT} cm /I Do Q\n"
    ),
    "a picture that is cropped by a frame up to three edges of the paper": (
        f"q {box(-10, -10, 120, 50, 'W n')} {200 * PT} 0 0 {190 * PT} {-40 * PT} {-135 * PT} cm /I Do Q\n"
    ),
    "a line of a quarter point": f"0.25 w {20 * PT} {20 * PT} m {60 * PT} {20 * PT} l S\n",
    "black that overprints": f"q /Over gs 0 0 0 1 k {words('BLACK', 10, 40)} Q\n",
    "three inks": f"q 1 1 1 0 k {GROUND} Q\n",
    "what the printer writes": words("SLUG", 40, -4, 3) + words("SLUG", -9, 90, 3),
    "a colour bar beside the sheet": f"q 1 1 1 1 k {box(-9, 20, 4, 30)} Q\n",
}


@pytest.mark.parametrize("name", FINE)
def test_what_a_printer_takes_is_let_through(name: str) -> None:
    promise = replace(PROMISE, ink="colour", folds=(), marks=None)
    assert codes(sheet(supplied, more=artifact(FINE[name])), promise) == []


def test_pages_of_unlike_size_are_told_where_no_size_is_promised() -> None:
    def add(pdf: Pdf) -> None:
        pdf.pages.append(pdf.pages[0])
        pdf.pages.append(pdf.pages[0])
        pdf.pages[2].obj.TrimBox = beyond(-1)

    found = only(sheet(add), Expected(ink="black"))
    assert (found.kind.code, found.page) == ("pdf-sizes-unlike", 3)
    assert found.message == "trimmed it is 98 x 78 mm, and the first page is 100 x 80 mm"


def test_a_spot_ink_that_is_promised_is_let_through() -> None:
    def add(pdf: Pdf) -> None:
        function = up_to([0.3, 0, 0, 0])
        spot = Array([Name.Separation, Name("/PANTONE 291 C"), Name.DeviceCMYK, function])
        pdf.pages[0].obj.Resources.ColorSpace = Dictionary(Own=spot)

    content = in_colour("/Own cs 1 scn", GROUND)
    assert codes(sheet(add, more=content), replace(PROMISE, inks=frozenset({"PANTONE 291 C"}))) == []
    assert "or Gold" in only(sheet(add, more=content), replace(PROMISE, inks=frozenset({"Gold"}))).message


def exchange(version: str, **intent: object) -> Callable[[Pdf], None]:
    def add(pdf: Pdf) -> None:
        pdf.docinfo["/GTS_PDFXVersion"] = String(version)
        pdf.docinfo["/Trapped"] = Name("/False")
        profile = Stream(pdf, b"a profile", N=4)
        made = Dictionary(S=Name.GTS_PDFX, OutputConditionIdentifier=String("FOGRA39"))
        for key, value in {"DestOutputProfile": profile, **intent}.items():
            if value is not None:
                made[f"/{key}"] = value
        pdf.Root.OutputIntents = Array([made])
        del pdf.pages[0].obj["/Annots"]
        resources(pdf)
        pdf.pages[0].obj.Resources.ExtGState.Glass = Dictionary(ca=0.5)

    return add


@pytest.mark.parametrize(
    ("version", "intent", "told"),
    [
        ("PDF/X-4", {}, []),
        ("PDF/X-4", {"DestOutputProfile": None}, ["pdf-exchange"]),
        ("PDF/X-4", {"S": Name.GTS_PDFA1}, ["pdf-exchange"]),
        ("PDF/X-1a:2003", {"DestOutputProfile": None}, ["pdf-transparent"]),
        ("PDF/X-3:2003", {}, ["pdf-transparent"]),
    ],
)
def test_a_file_for_exchange_keeps_what_it_says(version, intent, told):
    content = in_colour("/Glass gs 0 0 0 1 k", GROUND)
    assert codes(sheet(exchange(version, **intent), more=content), Expected(ink="black")) == told


def test_a_part_of_pdfx_is_held_to_where_it_is_asked_for() -> None:
    found = report(sheet(), Expected(ink="black", pdfx=4)).findings
    assert {one.kind.code for one in found} == {"pdf-exchange"}
    assert {"GTS_PDFXVersion", "OutputIntents", "Trapped"} <= {
        one.message.rpartition("(")[2].rstrip(")") for one in found
    }
    assert any("a link or a note lies on the sheet" in one.message for one in found)


# Links, and what is read.


def test_a_link_leads_to_what_is_there() -> None:
    found = only(
        sheet(), replace(PROMISE, targets=frozenset({"https://rules.example/r/12.6/"}), linked=frozenset())
    )
    assert (found.kind.code, found.page) == ("pdf-link-broken", 1)
    assert found.at == pytest.approx((24, 17), abs=0.05)
    assert ADDRESS in found.message


def test_a_rule_that_is_not_linked_is_told() -> None:
    found = only(sheet(), replace(PROMISE, linked=frozenset({ADDRESS, "https://rules.example/r/9.9/"})))
    assert found.kind.code == "pdf-link-missing"
    assert "https://rules.example/r/9.9/" in found.message


@pytest.mark.parametrize(("goal", "found"), [("here", []), ("gone", ["pdf-link-missing", "pdf-link-broken"])])
def test_a_link_inside_the_pdf_leads_to_a_place_that_there_is(goal: str, found: list[str]) -> None:
    def add(pdf: Pdf) -> None:
        page = pdf.pages[0].obj
        pdf.Root.Names = Dictionary(Dests=Dictionary(Names=Array([String("here"), Array([page, Name.Fit])])))
        page.Annots[0].A = Dictionary(S=Name.GoTo, D=String(goal))

    promise = replace(PROMISE, linked=PROMISE.linked if found else frozenset())
    assert codes(sheet(add), promise) == found


def test_what_is_alike_is_told_once_a_page() -> None:
    lines = "".join(words("SMALL", 10, 40 + 4 * line, 6) for line in range(5))
    assert only(sheet(more=artifact(lines))).message.endswith("(and 4 more like it on this page)")


def test_nothing_is_demanded_that_was_not_promised() -> None:
    bare = Pdf.new()
    bare.add_blank_page()
    file = io.BytesIO()
    bare.save(file)
    assert codes(file.getvalue(), Expected()) == []


def test_colour_that_no_reading_tells_is_seen_where_it_is_drawn() -> None:
    def add(pdf: Pdf, tint: str = "dup 0 exch 0") -> None:
        calculated = Stream(
            pdf, f"{{ {tint} }}".encode(), FunctionType=4, Domain=Array([0, 1]), Range=Array([0, 1] * 4)
        )
        shading = Dictionary(
            ShadingType=2, ColorSpace=Name.DeviceCMYK, Coords=Array([60, 60, 99, 99]), Function=calculated
        )
        pdf.pages[0].obj.Resources.Shading = Dictionary(S=shading)

    content = artifact(f"q {box(20, 40, 10, 10, 'W n')} /S sh Q\n")
    found = only(sheet(add, more=content))
    assert (found.kind.code, found.page) == ("pdf-colour-in-black", 1)
    assert found.at == pytest.approx((20, 40), abs=0.6)
    assert codes(sheet(lambda pdf: add(pdf, "0 exch 0 exch 0 exch"), more=content)) == []
