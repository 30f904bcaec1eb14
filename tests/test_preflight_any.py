"""PDFs of any maker, sound or not: the preflight judges them, and never ends in a traceback."""

import io
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String
from sheets import PROMISE, PT, artifact, box, sheet, words

from rulewright.app.cli import main
from rulewright.print.preflight import Expected, run
from rulewright.source.problems import Place

FILE = Place("any.pdf")
STRICT = Expected(pages=1, bleed=3, marks=True, ink="black", smallest=7.5, folds=((50.0,),), tagged=True)


def codes(pdf: bytes, promise: Expected = STRICT) -> list[str]:
    return [finding.kind.code for finding in run(pdf, promise, FILE).findings]


@pytest.mark.parametrize("pdf", [b"", b"no PDF", b"%PDF-1.7\n", b"%PDF-1.7\n%%EOF\n", b"\0" * 5000])
def test_what_is_no_pdf_is_told_so(pdf: bytes) -> None:
    assert codes(pdf) == ["pdf-unreadable"]


def saved(pdf: Pdf, **options: object) -> bytes:
    file = io.BytesIO()
    pdf.save(file, **options)  # type: ignore[arg-type]
    return file.getvalue()


def test_a_pdf_without_pages_is_told_so() -> None:
    assert codes(saved(Pdf.new()), Expected()) == ["pdf-pages"]


@pytest.mark.parametrize(("user", "code"), [("", "pdf-encrypted"), ("secret", "pdf-unreadable")])
def test_an_encrypted_pdf_is_judged_as_far_as_it_opens(user: str, code: str) -> None:
    locked = saved(pikepdf.open(io.BytesIO(sheet())), encryption=pikepdf.Encryption(owner="own", user=user))
    assert codes(locked, PROMISE) == [code]


def damaged() -> Iterator[bytes]:
    """A good sheet, not compressed, with some of its bytes changed, left out or doubled."""
    whole = saved(
        pikepdf.open(io.BytesIO(sheet())),
        stream_decode_level=pikepdf.StreamDecodeLevel.all,
        compress_streams=False,
    )
    chance = random.Random(4)
    for _ in range(120):
        part = bytearray(whole)
        for _ in range(chance.choice((1, 5, 40))):
            at = chance.randrange(len(part))
            what = chance.randrange(4)
            if what == 0:
                part[at] = chance.randrange(256)
            elif what == 1:
                del part[at : at + chance.randrange(1, 30)]
            elif what == 2:
                part[at:at] = part[at : at + chance.randrange(1, 30)]
            else:
                part[at : at + 1] = chance.choice(
                    (b"/", b"<<", b"]", b"99999999999", b"-1", b"null", b"(", b"true")
                )
        yield bytes(part)
    yield from (whole[: len(whole) * part // 12] for part in range(1, 12))


def test_a_damaged_pdf_ends_in_findings_and_in_nobody_elses_words(capfd, caplog):
    told = [codes(pdf, PROMISE) for pdf in damaged()]
    assert sum(map(bool, told)) > len(told) / 2
    assert capfd.readouterr() == ("", "")
    assert caplog.records == []


ODD: dict[str, object] = {
    "MediaBox": [Array([0, 0, 0, 0]), String("no"), Array([0, 1]), Array([100, 100, 0, 0]), None],
    "Rotate": [45, String("no"), -90, 10**12],
    "UserUnit": [0, -1, String("no")],
    "Resources": [
        String("no"),
        None,
        Dictionary(Font=7, XObject=Array([]), ColorSpace=Dictionary(C=Array([]))),
    ],
    "Annots": [7, Array([7, Dictionary(), Dictionary(Subtype=Name.Link, A=7, Rect=7, F=String("no"))])],
    "Contents": [7, None, Array([])],
    "Group": [7, Dictionary(CS=7)],
}


@pytest.mark.parametrize(("key", "value"), [(key, v) for key, values in ODD.items() for v in values])  # type: ignore[attr-defined]
def test_a_page_with_an_odd_entry_is_judged(key: str, value: object) -> None:
    def change(pdf: Pdf) -> None:
        if value is None:
            del pdf.pages[0].obj[f"/{key}"]
        else:
            pdf.pages[0].obj[f"/{key}"] = value

    assert isinstance(codes(sheet(change), PROMISE), list)


@pytest.mark.parametrize(
    "content",
    [
        "Q Q Q",
        "BT Tj ET",
        "/None Do /None gs /None cs",
        "1 2 3 scn 1 k (a) rg",
        "[1 2 3] TJ",
        "q " * 3000,
        "/F 0 Tf (abc) Tj",
        "0 0 0 0 0 0 cm 1 1 1 1 re f",
        "BT /F 1e30 Tf (aaaa) Tj ET",
        "BMC BDC EMC EMC EMC",
        "BI ID EI",
        "/X sh /X scn",
    ],
)
def test_content_that_makes_no_sense_is_judged(content: str) -> None:
    assert isinstance(codes(sheet(more=content)), list)


def test_forms_that_draw_one_another_without_end_are_told() -> None:
    def change(pdf: Pdf) -> None:
        form = pdf.make_indirect(Stream(pdf, b"/X Do /X Do", Subtype=Name.Form, BBox=Array([0, 0, 9, 9])))
        form.Resources = Dictionary(XObject=Dictionary(X=form))
        pdf.pages[0].obj.Resources.XObject = Dictionary(X=form)

    assert "pdf-damaged" in codes(sheet(change, more="/X Do"))


def test_boxes_are_inherited_from_the_tree_of_pages() -> None:
    def change(pdf: Pdf) -> None:
        pdf.Root.Pages.MediaBox = pdf.pages[0].obj.MediaBox
        pdf.Root.Pages.Rotate = 0
        pdf.Root.Pages.Resources = pdf.pages[0].obj.Resources
        del pdf.pages[0].obj["/MediaBox"], pdf.pages[0].obj["/Resources"]

    assert codes(sheet(change), PROMISE) == []


def test_a_unit_of_its_own_makes_everything_larger() -> None:
    def change(pdf: Pdf) -> None:
        pdf.pages[0].obj.UserUnit = 2

    found = run(sheet(change, more=artifact(words("EDGE", 1, 40))), Expected(trim=(200, 160)), FILE)
    assert [f.kind.code for f in found.findings] == ["pdf-text-near-edge"]
    assert "2.00 mm inside the trim" in found.findings[0].message


def test_a_printed_annotation_is_looked_at_too() -> None:
    def change(pdf: Pdf) -> None:
        stamp = Stream(pdf, b"1 0 0 rg 0 0 10 10 re f", Subtype=Name.Form, BBox=Array([0, 0, 10, 10]))
        place = Array([20 * PT, 20 * PT, 30 * PT, 40 * PT])
        for flags in (4, 0, 6):  # printed, not printed, printed but hidden
            one = Dictionary(
                Subtype=Name.Stamp, Rect=place, F=flags, AP=Dictionary(N=stamp), Contents=String("a")
            )
            pdf.pages[0].obj.Annots.append(pdf.make_indirect(one))

    found = run(sheet(change), Expected(ink="black"), FILE).findings
    assert [(f.kind.code, f.at) for f in found] == [("pdf-rgb", pytest.approx((20, 40), abs=0.02))]


def test_a_bitmap_font_is_measured_by_the_pictures_of_its_glyphs() -> None:
    def change(pdf: Pdf) -> None:
        glyph = Stream(
            pdf, b"10 0 0 0 10 10 d1 q 10 0 0 10 0 0 cm BI /W 5 /H 5 /IM true /BPC 1 ID 12345 EI Q"
        )
        pdf.pages[0].obj.Resources.Font.T = Dictionary(
            Type=Name.Font,
            Subtype=Name.Type3,
            FontMatrix=Array([0.1, 0, 0, 0.1, 0, 0]),
            FirstChar=65,
            LastChar=65,
            FontBBox=Array([0, 0, 10, 10]),
            Widths=Array([10]),
            CharProcs=Dictionary(square=glyph),
            Encoding=Dictionary(Differences=Array([65, Name.square])),
        )

    shown = artifact(f"BT /T 10 Tf {10 * PT} {40 * PT} Td (A) Tj ET\n")
    found = run(sheet(change, more=shown), Expected(), FILE).findings
    assert [(f.kind.code, f.at) for f in found] == [
        ("pdf-picture-coarse", pytest.approx((10, 40 - 10 / PT), abs=0.1))
    ]
    missing = artifact(f"BT /T 10 Tf {10 * PT} {40 * PT} Td (B) Tj ET\n")
    assert codes(sheet(change, more=missing), Expected()) == ["pdf-glyph-missing"]


# The command.


@pytest.fixture
def card(tmp_path: Path) -> str:
    file = tmp_path / "card.pdf"
    file.write_bytes(sheet(more=artifact(box(20, 40, 9, 9) + words("SMALL", 10, 60, 6))))
    return str(file)


def test_the_command_says_what_is_wrong_and_all_that_was_looked_at(card, capsys):
    options = [
        "--trim",
        "100x80mm",
        "--bleed",
        "3mm",
        "--ink",
        "black",
        "--min-type",
        "7.5",
        "--fold",
        "50mm",
    ]
    assert main(["preflight", card, *options]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0] == (
        f"{card}: page 1, 10.0 mm from the left and 58.5 mm from the top: error: "
        "SMALL is set in 6.00 pt; the smallest allowed is 7.5 pt [pdf-type-small]"
    )
    assert f"{card}: not fit, 1 problem" in said
    assert "  ✗ smallest type: 6.00 pt" in said
    assert "  ✓ size of the trim: 100 x 80 mm" in said


def test_the_command_says_what_readers_need(card: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preflight", card, "--ua"]) == 0
    said = capsys.readouterr().out
    assert "  ✓ tagged: 4 elements\n" in said
    assert "  ✓ annotations tagged\n" in said


def test_the_command_answers_in_json(card: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preflight", card, card, "--min-type", "7.5", "--format", "json"]) == 1
    first, second = json.loads(capsys.readouterr().out)
    assert first == second
    assert first["fit"] is False
    assert [(f["code"], f["page"], f["at"]) for f in first["findings"]] == [
        ("pdf-type-small", 1, [10.0, 58.5])
    ]
    assert {"name": "number of pages", "outcome": "pass", "seen": "1"} in first["checks"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--trim", "a9"], "there is no paper a9"),
        (["--bleed", "3"], "3 is no length; write 3mm or 1/8in"),
        (["--ink", "blak"], "there is no blak; did you mean black?"),
        (["--fold", "50mm,x"], "x is no length"),
    ],
)
def test_a_wrong_option_is_answered_with_the_right_ones(card, capsys, options, said):
    assert main(["preflight", card, *options]) == 2
    assert said in capsys.readouterr().err
