"""A PDF that we printed is held against its promise: each promise that is broken alone is told."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import outloud
import pikepdf
import pytest
import typst
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String
from PIL import Image

from rulewright.app.cli import main
from rulewright.print import typesetting
from rulewright.print.finishing import Finish, finish
from rulewright.print.preflight import Promise, Report, run
from rulewright.source.problems import Place
from tests.printing import needs_printer
from tests.test_finishing import press

pytestmark = needs_printer

PROMISE = Promise(
    trim=(100.0, 80.0), families=("Rulewright Sans",), smallest=7.5, drawn=4.0, hairline=0.25, bleed=3.0,
    marks=True, ink="black", pages=1, folds=((50.0,),),
)  # fmt: skip
COLOUR = replace(PROMISE, ink="colour")
HEAD = """
#set document(title: "A card", date: datetime(year: 2024, month: 1, day: 1))
#set page(width: 100mm, height: 80mm, bleed: 3mm, margin: 10mm)
#set text(font: "Rulewright Sans", lang: "en", fill: cmyk(0%,0%,0%,100%), size: 10pt, fallback: false)
"""
BODY = '= Sequence <top>\n#block(width: 30mm)[see #link("https://rules.example/")[12.5], #link(<top>)[top]]\n'
PIXEL = '#image(read("picture.png", encoding: none), alt: "a", width: 20mm)'
DRAWN = """#image(bytes("<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20'><text x='5' y='15' \
font-family='Rulewright Sans' font-size='5'>4-4</text></svg>"), alt: "a counter", width: 40pt)"""


@cache
def plain(body: str, head: str = "", standard: str = "ua-1", pixels: int = 300, mode: str = "L") -> bytes:
    """A card as Typst sets it."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        main = Path(folder) / "main.typ"
        main.write_text(HEAD + head + body, "utf-8")
        Image.new(mode, (pixels, pixels)).save(Path(folder) / "picture.png")
        fonts: Any = typst.Fonts(False, True, [typesetting.FACES])
        return typst.compile(main, font_paths=fonts, pdf_standards=standard)


def printed(more: str = "", promise: Promise = PROMISE, **how: Any) -> bytes:
    """A card, finished, with its promise."""
    body = how.pop("body", BODY)
    given = {key: how.pop(key) for key in ("head", "standard", "pixels", "mode") if key in how}
    wanted = {"bleed": promise.bleed, "marks": promise.marks, "ink": promise.ink, "folds": promise.folds}
    wanted |= {"inks": frozenset(promise.inks), "promise": promise.written(), "pdfx": promise.pdfx}
    wanted |= {"profile": press() if promise.pdfx else None}
    return finish(plain(body + more, **given), Finish(**(wanted | how)))


def changed(pdf: bytes, change: Callable[[Pdf], object]) -> bytes:
    with pikepdf.open(BytesIO(pdf)) as opened:
        change(opened)
        opened.save(file := BytesIO())
    return file.getvalue()


def report(pdf: bytes) -> Report:
    return run(pdf, Place("card.pdf"))


def codes(pdf: bytes) -> set[str]:
    return {finding.kind.code for finding in report(pdf).findings}


SOUND: dict[str, tuple[str, Promise]] = {
    "black": ("", PROMISE),
    "colour": ("#text(fill: cmyk(0%,90%,90%,0%))[red] #rect(fill: cmyk(90%,90%,90%,0%))", COLOUR),
    "no bleed and no marks": ("", replace(PROMISE, bleed=0.0, marks=False)),
    "for exchange": ("", replace(COLOUR, pdfx=4)),
    "any number of pages": ("#pagebreak()\nmore", replace(PROMISE, pages=None)),
    "small letters in a drawing": (DRAWN, PROMISE),
    "small letters in a translucent drawing": (DRAWN.replace("<text ", "<text opacity='0.5' "), PROMISE),
    "text in dark colours": (
        "#let parts = range(0, 180, step: 30)\n#block(width: 30mm, text(size: 7.5pt, for r in parts "
        '{ for g in parts { for b in parts { text(fill: rgb(r, g, b), "a ") } } }))',
        replace(COLOUR, pages=None),
    ),
    "a spot ink": (
        '#text(fill: color.spot("PANTONE 291 C", cmyk(33%,3%,0%,0%)).tint(100%))[blue]',
        replace(COLOUR, inks=("PANTONE 291 C",)),
    ),
    "a picture": (PIXEL, PROMISE),
    "lines set tight": ("#set par(leading: 0em)\n#set text(bottom-edge: -0.2em)\nunder\\ that", PROMISE),
    "a raised sign": ("under#text(size: 8pt)[#super(size: 8pt)[12]]", PROMISE),
    "a ground and words on it": ("#box(fill: cmyk(0%,0%,0%,20%))[under]", PROMISE),
    "the same words twice, for weight": ("#place(dx: 0.1mm)[under]under", PROMISE),
    "a stamp across the page": ("#pdf.artifact(place(rotate(-20deg, text(size: 30pt)[STAMP])))a", PROMISE),
    "turned words": ("#box(rotate(90deg, reflow: true)[turned]) under", PROMISE),
    "a gradient": (
        "#rect(fill: gradient.linear(cmyk(0%,0%,0%,10%), cmyk(0%,0%,0%,90%)), width: 9mm)", PROMISE
    ),
    "a ground into the bleed": ("#place(dx: -13mm)[#rect(width: 20mm, fill: cmyk(0%,0%,0%,20%))]", PROMISE),
    "white at the trim": ("#place(dx: -10mm)[#rect(width: 20mm, fill: cmyk(0%,0%,0%,0%))]", PROMISE),
    "a line of a quarter point": ("#line(length: 20mm, stroke: 0.25pt + cmyk(0%,0%,0%,100%))", PROMISE),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_a_card_that_keeps_its_promise_passes(name: str) -> None:
    more, promise = SOUND[name]
    assert [problem.message for problem in report(printed(more, promise)).problems] == []


def test_another_judge_agrees(tmp_path: Path) -> None:
    (file := tmp_path / "card.pdf").write_bytes(printed())
    result = outloud.check(str(file), layers={"conformance"})
    assert [row["id"] for row in result.criteria["pdfua1"] if row["status"] == "fail"] == []


SET: dict[str, tuple[Callable[[], bytes], str]] = {
    "colour in black": (lambda: printed("#text(fill: red)[red]", ink="colour"), "pdf-colour-in-black"),
    "rich black": (
        lambda: printed("#text(fill: cmyk(60%,40%,40%,100%))[rich]", COLOUR), "pdf-text-not-pure-black"
    ),
    "much ink": (lambda: printed("#rect(fill: cmyk(90%,90%,90%,90%))", COLOUR), "pdf-ink-heavy"),
    "a spot ink that is not promised": (
        lambda: printed(SOUND["a spot ink"][0], COLOUR, inks=frozenset({"PANTONE 291 C"})), "pdf-spot"
    ),
    "small type": (lambda: printed("#text(size: 7pt)[small]"), "pdf-type-small"),
    "type made small": (lambda: printed("#scale(50%, reflow: true)[small]"), "pdf-type-small"),
    "small letters in a drawing": (lambda: printed(DRAWN.replace("size='5'", "size='3'")), "pdf-type-small"),
    "another family": (lambda: printed('#text(font: "Libertinus Serif")[serif]'), "pdf-font-substituted"),
    "text at the trim": (lambda: printed("#place(dx: -9mm)[edge]"), "pdf-text-near-edge"),
    "text across the trim": (lambda: printed("#place(dx: 84mm)[edge]"), "pdf-text-near-edge"),
    "text at the fold": (lambda: printed("#place(dx: 37mm)[fold]"), "pdf-text-near-fold"),
    "text across the fold": (lambda: printed("across and across and across the fold"), "pdf-text-near-fold"),
    "text on text": (lambda: printed("#place[over]under"), "pdf-text-on-text"),
    "text half on text": (lambda: printed("#place(dx: 0.4mm, dy: 0.4mm)[nnnn]uuuuu"), "pdf-text-on-text"),
    "text off the page": (lambda: printed("#place(dx: 120mm)[lost]"), "pdf-off-page"),
    "a drawing off the page": (
        lambda: printed("#place(dx: 70mm)[#circle(radius: 30mm, fill: cmyk(0%,0%,0%,20%))]"), "pdf-off-page"
    ),
    "a picture off the page": (
        lambda: printed(f"#place(dx: 75mm)[{PIXEL.replace('20mm', '40mm')}]", pixels=600), "pdf-off-page"
    ),
    "a hairline": (
        lambda: printed("#line(length: 20mm, stroke: 0.1pt + cmyk(0%,0%,0%,100%))"), "pdf-hairline"
    ),
    "a thin ground": (
        lambda: printed("#rect(width: 20mm, height: 0.05mm, fill: cmyk(0%,0%,0%,100%))"), "pdf-hairline"
    ),
    "a coarse picture": (lambda: printed(PIXEL, pixels=200), "pdf-picture-coarse"),
    "a ground that ends at the trim": (
        lambda: printed("#place(dx: -10mm)[#rect(width: 20mm, fill: cmyk(0%,0%,0%,20%))]"), "pdf-bleed-short"
    ),
    "a picture that ends at the trim": (lambda: printed(f"#place(dx: -10mm)[{PIXEL}]"), "pdf-bleed-short"),
    "a second page": (lambda: printed("#pagebreak()\nmore"), "pdf-pages"),
    "another size": (lambda: printed(head="#set page(width: 102mm)\n"), "pdf-size"),
    "lying the other way": (lambda: printed(head="#set page(width: 80mm, height: 100mm)\n"), "pdf-size"),
    "a narrow bleed": (lambda: printed(bleed=2.0), "pdf-bleed"),
    "no marks": (lambda: printed(marks=False), "pdf-marks"),
    "no marks of folds": (lambda: printed(folds=()), "pdf-marks"),
    "no heading": (lambda: printed(body="text"), "pdf-bookmarks"),
    "no PDF/X": (lambda: printed(promise=replace(COLOUR, pdfx=4), pdfx=0), "pdf-exchange"),
}  # fmt: skip


@pytest.mark.parametrize("name", SET)
def test_a_card_that_is_set_amiss_is_told_so(name: str) -> None:
    make, code = SET[name]
    assert code in codes(make())


def page(pdf: Pdf) -> Any:
    return pdf.pages[0].obj


def paint(content: str, **states: Dictionary) -> Callable[[Pdf], object]:
    """More content at the end of the page, an artifact."""

    def change(pdf: Pdf) -> None:
        for name, state in states.items():
            page(pdf).Resources.ExtGState = page(pdf).Resources.get("/ExtGState", Dictionary())
            page(pdf).Resources.ExtGState[f"/{name}"] = state
        pdf.pages[0].contents_add(Stream(pdf, f"/Artifact BMC q {content} Q EMC".encode()))

    return change


def elements(pdf: Pdf, kind: str) -> list[Any]:
    return [one for one in pdf.objects if isinstance(one, Dictionary) and one.get("/S") == Name(f"/{kind}")]


def gone(*path: str) -> Callable[[Pdf], object]:
    def change(pdf: Pdf) -> None:
        place: Any = pdf.Root
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]

    return change


def no_title(pdf: Pdf) -> None:
    with pdf.open_metadata() as found:
        del found["dc:title"]


def no_claim(pdf: Pdf) -> None:
    with pdf.open_metadata() as found:
        del found["{http://www.aiim.org/pdfua/ns/id/}part"]


def unfonted(pdf: Pdf) -> None:
    for one in pdf.objects:
        if isinstance(one, Dictionary) and one.get("/Type") == Name.FontDescriptor:
            for key in filter(one.__contains__, ("/FontFile2", "/FontFile3")):
                del one[key]


def links(pdf: Pdf) -> list[Any]:
    return [one for one in page(pdf).Annots if one.get("/Subtype") == Name.Link]


def astray(pdf: Pdf) -> None:
    inner = next(one for one in links(pdf) if "/URI" not in one.get("/A", Dictionary()))
    if "/A" in inner:
        del inner["/A"]
    inner.Dest = String("gone")


EDITED: dict[str, tuple[Callable[[Pdf], object], str]] = {
    "no TrimBox": (lambda pdf: page(pdf).__delitem__("/TrimBox"), "pdf-boxes"),
    "no BleedBox": (lambda pdf: page(pdf).__delitem__("/BleedBox"), "pdf-boxes"),
    "a bleed beyond the paper": (
        lambda pdf: page(pdf).__setitem__("/BleedBox", Array([-99, -99, 999, 999])), "pdf-boxes"
    ),
    "a font that is not there": (unfonted, "pdf-font-not-embedded"),
    "a ground in RGB": (paint("1 0 0 rg 90 90 9 9 re f"), "pdf-rgb"),
    "blended in RGB": (
        lambda pdf: page(pdf).__setitem__("/Group", Dictionary(CS=Name.DeviceRGB)), "pdf-rgb"
    ),
    "a line in colour": (paint("0 1 0 0 K 2 w 90 90 m 99 99 l S"), "pdf-colour-in-black"),
    "white that overprints": (
        paint("/Over gs 0 0 0 0 k 90 90 9 9 re f", Over=Dictionary(op=True, OP=True)), "pdf-white-overprint"
    ),
    "something beside the tags": (
        lambda pdf: pdf.pages[0].contents_add(Stream(pdf, b"0 0 0 1 k 90 90 9 9 re f")), "pdf-ua"
    ),
    "no language": (gone("/Lang"), "pdf-language"),
    "no title": (no_title, "pdf-title"),
    "a title that is not shown": (gone("/ViewerPreferences"), "pdf-title"),
    "no bookmarks": (gone("/Outlines"), "pdf-bookmarks"),
    "a bookmark into nothing": (
        lambda pdf: pdf.Root.Outlines.First.__setitem__("/Dest", String("gone")), "pdf-link-broken"
    ),
    "a link into nothing": (astray, "pdf-link-broken"),
    "no tags": (gone("/StructTreeRoot"), "pdf-ua"),
    "not said to be tagged": (gone("/MarkInfo"), "pdf-ua"),
    "no claim": (no_claim, "pdf-ua"),
    "no way to the tags": (gone("/StructTreeRoot", "/ParentTree"), "pdf-ua"),
    "a figure without words": (lambda pdf: elements(pdf, "Span")[0].__setitem__("/S", Name.Figure), "pdf-ua"),
    "a heading too deep": (lambda pdf: elements(pdf, "H1")[0].__setitem__("/S", Name.H2), "pdf-ua"),
    "a header of nothing": (lambda pdf: elements(pdf, "Span")[0].__setitem__("/S", Name.TH), "pdf-ua"),
    "a link that is none": (lambda pdf: elements(pdf, "Link")[0].__setitem__("/S", Name.Span), "pdf-ua"),
    "a link without words": (lambda pdf: links(pdf)[0].__delitem__("/Contents"), "pdf-ua"),
    "a link without a tag": (lambda pdf: links(pdf)[0].__delitem__("/StructParent"), "pdf-ua"),
    "no order of the links": (lambda pdf: page(pdf).__delitem__("/Tabs"), "pdf-ua"),
    "content that ends too early": (
        lambda pdf: page(pdf).__setitem__("/Contents", Stream(pdf, b"Q Q Q")), "pdf-unreadable"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EDITED)
def test_a_card_that_is_broken_later_is_told_so(name: str) -> None:
    change, code = EDITED[name]
    assert code in codes(changed(printed(), change))


def test_a_fault_is_told_with_its_place_and_once_a_page() -> None:
    told = report(printed("#text(size: 7pt)[small\\ small\\ small]")).findings
    assert [one.kind.code for one in told] == ["pdf-type-small"]
    assert told[0].message == (
        "small is set in 7.00 pt; the smallest allowed is 7.5 pt (and 2 more like it on this page)"
    )
    assert told[0].where.startswith("page 1, 10.")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "pdf-unreadable"),
        (b"# A page", "pdf-unreadable"),
        (b"%PDF-1.7\n", "pdf-unreadable"),
        (finish(plain(BODY), Finish()), "pdf-foreign"),
    ]
    if not typesetting.missing()
    else [],
)
def test_a_file_that_we_did_not_print_is_not_looked_at(
    data: bytes, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "card.pdf").write_bytes(data)
    assert main(["preflight", str(file)]) == 1
    assert capsys.readouterr().out.splitlines()[0].endswith(f"[{code}]")


def test_the_command_says_what_it_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.pdf", tmp_path / "bad.pdf"
    good.write_bytes(printed())
    bad.write_bytes(printed("#text(size: 7pt)[small]"))
    assert main(["preflight", str(good)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{good}: it keeps its promise"
    assert "  ✓ pages and their size: 1, 100 x 80 mm" in lines
    assert len(lines) > 11
    assert main(["preflight", str(good), str(bad)]) == 1
    out = capsys.readouterr().out
    assert "[pdf-type-small]" in out
    assert f"{bad}: not fit, 1 problem" in out
