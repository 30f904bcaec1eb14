"""Preflight of a printed PDF: each requirement that is violated alone is reported."""

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
from pikepdf import Dictionary, Name, Pdf
from PIL import Image

from rulewright.app.cli import main
from rulewright.files.problems import Problem, SourceLocation
from rulewright.print import typst_compiler
from rulewright.print.pdf_finishing import finish_pdf
from rulewright.print.pdf_preflight import CHECKS, run_preflight
from rulewright.print.print_spec import PrintSpec
from tests.printing import needs_printer

pytestmark = needs_printer

SPEC = PrintSpec(100.0, 80.0, 3.0, pages=1)
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
        fonts: Any = typst.Fonts(False, True, [typst_compiler.FONTS])
        return typst.compile(main, font_paths=fonts, pdf_standards=standard)


def printed(more: str = "", spec: PrintSpec = SPEC, **how: Any) -> bytes:
    """A card, finished, with its print spec."""
    body = how.pop("body", BODY)
    given = {key: how.pop(key) for key in ("head", "standard", "pixels", "mode") if key in how}
    wanted = {"bleed": spec.bleed, "spec": spec.to_json()}
    return finish_pdf(plain(body + more, **given), **(wanted | how))


def changed(pdf: bytes, change: Callable[[Pdf], object]) -> bytes:
    with pikepdf.open(BytesIO(pdf)) as opened:
        change(opened)
        opened.save(file := BytesIO())
    return file.getvalue()


def report(pdf: bytes) -> list[Problem]:
    return run_preflight(pdf, SourceLocation("card.pdf"))


def codes(pdf: bytes) -> set[str]:
    return {problem.code for problem in report(pdf)}


SPOT = '#text(fill: color.spot("PANTONE 291 C", cmyk(33%,3%,0%,0%)).tint(100%))[blue]'
SOUND: dict[str, Callable[[], bytes]] = {
    "black": printed,
    "colour": lambda: printed("#text(fill: cmyk(0%,90%,90%,0%))[red] #rect(fill: cmyk(90%,90%,90%,0%))"),
    "no bleed and no marks": lambda: printed(spec=replace(SPEC, bleed=0.0)),
    "any number of pages": lambda: printed("#pagebreak()\nmore", replace(SPEC, pages=0)),
    "small letters in a drawing": lambda: printed(DRAWN, replace(SPEC, smallest=4.0)),
    "a spot ink": lambda: printed(SPOT),
    "text in dark colours": lambda: printed(
        "#let parts = range(0, 180, step: 30)\n#block(width: 30mm, text(size: 7.5pt, for r in parts "
        '{ for g in parts { for b in parts { text(fill: rgb(r, g, b), "a ") } } }))',
        replace(SPEC, pages=0),
    ),
    "a picture": lambda: printed(PIXEL),
    "a ground into the bleed": lambda: printed(
        "#place(dx: -13mm)[#rect(width: 20mm, fill: cmyk(0%,0%,0%,20%))]"
    ),
    "a line of a quarter point": lambda: printed("#line(length: 20mm, stroke: 0.25pt + cmyk(0%,0%,0%,100%))"),
}


@pytest.mark.parametrize("name", SOUND)
def test_a_card_that_keeps_its_promise_passes(name):
    assert [problem.message for problem in report(SOUND[name]())] == []


def test_another_judge_agrees(tmp_path):
    (file := tmp_path / "card.pdf").write_bytes(printed())
    result = outloud.check(str(file), layers={"conformance"})
    assert [row["id"] for row in result.criteria["pdfua1"] if row["status"] == "fail"] == []


SET: dict[str, tuple[Callable[[], bytes], str]] = {
    "much ink": (lambda: printed("#rect(fill: cmyk(90%,90%,90%,90%))"), "pdf-ink-heavy"),
    "glass in a PDF/X-1a": (
        lambda: printed(DRAWN.replace("<text ", "<text opacity='0.5' "), replace(SPEC, x1a=True)),
        "pdf-transparent",
    ),
    "a gradient": (
        lambda: printed("#rect(fill: gradient.linear(cmyk(0%,0%,0%,10%), cmyk(0%,0%,0%,90%)))"), "pdf-rgb"
    ),
    "small type": (lambda: printed("#text(size: 7pt)[small]"), "pdf-type-small"),
    "type scaled down": (lambda: printed("#scale(50%, reflow: true)[small]"), "pdf-type-small"),
    "small letters in a drawing": (lambda: printed(DRAWN.replace("size='5'", "size='3'")), "pdf-type-small"),
    "a hairline": (
        lambda: printed("#line(length: 20mm, stroke: 0.1pt + cmyk(0%,0%,0%,100%))"), "pdf-hairline"
    ),
    "a thin ground": (
        lambda: printed("#rect(width: 20mm, height: 0.05mm, fill: cmyk(0%,0%,0%,100%))"), "pdf-hairline"
    ),
    "a coarse picture": (lambda: printed(PIXEL, pixels=100), "pdf-picture-coarse"),
    "a second page": (lambda: printed("#pagebreak()\nmore"), "pdf-pages"),
    "another size": (lambda: printed(head="#set page(width: 102mm)\n"), "pdf-size"),
    "lying the other way": (lambda: printed(head="#set page(width: 80mm, height: 100mm)\n"), "pdf-size"),
    "a narrow bleed": (lambda: printed(bleed=2.0), "pdf-bleed"),
}  # fmt: skip


@pytest.mark.parametrize("name", SET)
def test_a_wrongly_set_card_is_reported(name):
    make, code = SET[name]
    assert code in codes(make())


def page(pdf: Pdf) -> Any:
    return pdf.pages[0].obj


def unfonted(pdf: Pdf) -> None:
    for one in pdf.objects:
        if isinstance(one, Dictionary) and one.get("/Type") == Name.FontDescriptor:
            for key in filter(one.__contains__, ("/FontFile2", "/FontFile3")):
                del one[key]


EDITED: dict[str, tuple[Callable[[Pdf], object], str]] = {
    "no BleedBox": (lambda pdf: page(pdf).__delitem__("/BleedBox"), "pdf-bleed"),
    "a font that is not there": (unfonted, "pdf-font-not-embedded"),
    "content that is no page": (lambda pdf: page(pdf).__delitem__("/Contents"), "pdf-unreadable"),
}


@pytest.mark.parametrize("name", EDITED)
def test_a_later_damaged_card_is_reported(name):
    change, code = EDITED[name]
    assert code in codes(changed(printed(), change))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "pdf-unreadable"),
        (b"# A page", "pdf-unreadable"),
        (b"%PDF-1.7\n", "pdf-unreadable"),
        (finish_pdf(plain(BODY)), "pdf-foreign"),
    ]
    if not typst_compiler.missing()
    else [],
)
def test_a_file_that_we_did_not_print_is_not_looked_at(data, code, tmp_path, capsys):
    (file := tmp_path / "card.pdf").write_bytes(data)
    assert main(["preflight", str(file)]) == 1
    assert capsys.readouterr().out.splitlines()[0].endswith(f"[{code}]")


def test_the_command_says_what_it_looked_at(tmp_path, capsys):
    good, bad = tmp_path / "good.pdf", tmp_path / "bad.pdf"
    good.write_bytes(printed())
    bad.write_bytes(printed("#text(size: 7pt)[small]"))
    assert main(["preflight", str(good)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"{good}: fit for print", *(f"  ✓ {name}" for name, _ in CHECKS)]
    assert main(["preflight", str(good), str(bad)]) == 1
    out = capsys.readouterr().out
    assert "[pdf-type-small]" in out
    assert f"{bad}: not fit, 1 problem" in out
