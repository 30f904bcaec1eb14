"""Sheets as our own maker of PDFs sets them are judged as those that are built by hand."""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import outloud
import pikepdf
import pytest
import sheets
import typst
from sheets import letters

from rulewright.app.cli import main
from rulewright.print.finishing import Finish, finish
from rulewright.print.preflight import run
from rulewright.source.problems import Place

PROMISE = replace(sheets.PROMISE, marks=None, targets=None, linked=frozenset())
HEAD = """
#set document(title: "A card", date: datetime(year: 2024, month: 1, day: 1))
#set page(width: 100mm, height: 80mm, bleed: 3mm, margin: 10mm)
#set text(font: "Boxes Sans", lang: "en", fill: cmyk(0%,0%,0%,100%), size: 10pt, fallback: false)
"""
BODY = '= Sequence\n#block(width: 30mm)[see #link("https://rules.example/")[12.5]]\n'


@pytest.fixture(scope="session")
def fonts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fonts")
    (folder / "boxes.ttf").write_bytes(letters())
    return folder


def made(fonts: Path, more: str = "", head: str = "", *, body: str = BODY, ink: str = "black") -> bytes:
    """A sheet as Typst sets it, finished."""
    (fonts / "sheet.typ").write_text(HEAD + head + body + more, "utf-8")
    standards = "ua-1" if "ua: no" not in more else "1.7"
    plain = typst.compile(
        fonts / "sheet.typ", font_paths=[fonts], ignore_system_fonts=True, pdf_standards=standards
    )
    return finish(plain, Finish(3, ink=ink)) if ink else plain


def codes(pdf: bytes) -> set[str]:
    return {finding.kind.code for finding in run(pdf, PROMISE, Place("card.pdf")).findings}


def test_a_sheet_that_is_set_well_passes_and_the_other_judge_agrees(fonts: Path, tmp_path: Path) -> None:
    report = run(made(fonts), PROMISE, Place("card.pdf"))
    assert report.findings == []
    assert {check.name: check.seen for check in report.checks}["fonts embedded"] == "Boxes-Sans"
    file = tmp_path / "card.pdf"
    file.write_bytes(made(fonts))
    result = outloud.check(str(file), layers={"conformance"})
    assert [row["id"] for row in result.criteria["pdfua1"] if row["status"] == "fail"] == []


def retagged(pdf: bytes, kind: str, other: str) -> bytes:
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        for one in opened.objects:
            if isinstance(one, pikepdf.Dictionary) and one.get("/S") == f"/{kind}":
                one.S = pikepdf.Name(f"/{other}")
        file = io.BytesIO()
        opened.save(file)
    return file.getvalue()


BREAKS: dict[str, tuple[Callable[[Path], bytes], set[str]]] = {
    "colour of the web": (
        lambda fonts: made(fonts, '#text(fill: rgb("#c00"))[red]', ink=""),
        {"pdf-rgb", "pdf-boxes"},
    ),
    "colour in black": (
        lambda fonts: made(fonts, '#text(fill: rgb("#c00"))[red]', ink="colour"),
        {"pdf-colour-in-black"},
    ),
    "rich black": (
        lambda fonts: made(fonts, "#text(fill: cmyk(60%,40%,40%,100%))[rich]", ink="colour"),
        {"pdf-text-not-pure-black", "pdf-colour-in-black"},
    ),
    "small type": (lambda fonts: made(fonts, "#text(size: 7pt)[small]"), {"pdf-type-small"}),
    "another family": (
        lambda fonts: made(fonts, '#text(font: "Libertinus Serif")[serif]'),
        {"pdf-font-substituted"},
    ),
    "a character that no font has": (
        lambda fonts: made(fonts, "#text[\U000f1234] // ua: no"),
        {"pdf-glyph-missing"},
    ),
    "text at the trim": (lambda fonts: made(fonts, "#place(dx: -9mm)[edge]"), {"pdf-text-near-edge"}),
    "text at the fold": (lambda fonts: made(fonts, "#place(dx: 37mm)[fold]"), {"pdf-text-near-fold"}),
    "text on text": (lambda fonts: made(fonts, "#place[over]under"), {"pdf-text-on-text"}),
    "text half on text": (
        lambda fonts: made(fonts, "#place(dx: 2mm, dy: 1mm)[over]under"),
        {"pdf-text-on-text"},
    ),
    "text off the page": (lambda fonts: made(fonts, "#place(dx: 120mm)[lost]"), {"pdf-off-page"}),
    "a drawing off the page": (
        lambda fonts: made(fonts, "#place(dx: 70mm)[#circle(radius: 30mm, fill: cmyk(0%,0%,0%,20%))]"),
        {"pdf-off-page"},
    ),
    "a hairline": (
        lambda fonts: made(fonts, "#line(length: 20mm, stroke: 0.1pt + cmyk(0%,0%,0%,100%))"),
        {"pdf-hairline"},
    ),
    "much ink": (
        lambda fonts: made(fonts, "#rect(fill: cmyk(90%,90%,90%,90%))", ink="colour"),
        {"pdf-ink-heavy"},
    ),
    "a second page": (lambda fonts: made(fonts, "#pagebreak()\nmore"), {"pdf-pages"}),
    "a heading too deep": (lambda fonts: retagged(made(fonts), "H1", "H2"), {"pdf-ua"}),
    "a ground that ends at the trim": (
        lambda fonts: made(fonts, "#place(dx: -10mm)[#rect(width: 20mm, fill: cmyk(0%,0%,0%,20%))]"),
        {"pdf-bleed-short"},
    ),
    "no heading": (lambda fonts: made(fonts, body="text"), {"pdf-bookmarks"}),
    "another title": (lambda fonts: made(fonts, head='#set document(title: "Another")\n'), {"pdf-title"}),
    "another language": (lambda fonts: made(fonts, head='#set text(lang: "de")\n'), {"pdf-language"}),
    "another size": (
        lambda fonts: made(fonts, head="#set page(width: 102mm)\n"),
        {"pdf-size"},
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_sheet_that_is_set_amiss_is_told_so(name: str, fonts: Path) -> None:
    make, expected = BREAKS[name]
    assert expected <= codes(make(fonts))


APART = {
    "lines set tight": "#set par(leading: 0em)\n#set text(bottom-edge: -0.2em)\nunder\\ under that",
    "a raised sign": "under#super[12]#sub[3]",
    "a ground and words on it": "#box(fill: cmyk(0%,0%,0%,20%))[under]",
    "the same words twice, for weight": "#place(dx: 0.1mm)[under]under",
    "a stamp across the page": "#pdf.artifact(place(rotate(-20deg, text(size: 30pt)[STAMP])))under",
    "turned words beside others": "#box(rotate(90deg, reflow: true)[turned]) under",
    "letters that touch": "#text(tracking: -0.5pt)[under]#h(-0.4pt)#strong[neath]",
}


@pytest.mark.parametrize("name", APART)
def test_what_only_touches_is_no_text_on_text(name: str, fonts: Path) -> None:
    assert "pdf-text-on-text" not in codes(made(fonts, APART[name]))


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "pdf-unreadable"), (b"%PDF-1.7\n", "pdf-unreadable"), (sheets.sheet(), "pdf-foreign")],
)
def test_a_file_that_we_did_not_print_is_not_looked_at(
    data: bytes, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "card.pdf").write_bytes(data)
    assert main(["preflight", str(file)]) == 1
    assert capsys.readouterr().out.splitlines()[0].endswith(f"[{code}]")
