"""PDF/UA-1: what breaks a condition is told by its number, and a judge who knows nothing of ours agrees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import outloud
import pytest
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String
from sheets import PROMISE, artifact, font_of, program_of, sheet, tagged, words

from rulewright.print.preflight import run
from rulewright.print.preflight.conditions import HUMAN
from rulewright.print.preflight.report import ABSENT, FAILED, PASSED, PERSON
from rulewright.print.preflight.ua import CONDITIONS
from rulewright.source.problems import Place

LENIENT = replace(PROMISE, title=None, language=None, bookmarks=False, linked=frozenset(), targets=None)


def outcomes(pdf: bytes) -> dict[str, str]:
    report = run(pdf, LENIENT, Place("card.pdf"), second=False)
    return {point.number: point.outcome for point in report.checkpoints}


def failed(pdf: bytes) -> list[str]:
    return [number for number, outcome in outcomes(pdf).items() if outcome == FAILED]


def judged(pdf: bytes, folder: Path) -> set[str]:
    """The checkpoints of the protocol that the other judge sees failed, by the rules of conformance."""
    file = folder / "card.pdf"
    file.write_bytes(pdf)
    result = outloud.check(str(file), layers={"conformance"})
    return {row["id"] for row in result.criteria["pdfua1"] if row["status"] == "fail"}


def test_every_condition_is_listed_once_with_how_it_fared() -> None:
    found = outcomes(sheet())
    # All of the protocol; 23-001 and 27-001 are there but ask for nothing.
    assert len(CONDITIONS) == 87
    assert not CONDITIONS.keys() & HUMAN.keys()
    assert list(found) == sorted({*CONDITIONS, *HUMAN})
    assert {found[number] for number in HUMAN} == {PERSON}
    assert {found[number] for number in CONDITIONS} == {PASSED, ABSENT}


def elements(pdf: Pdf, kind: str) -> list[Object]:
    return [o for o in pdf.objects if isinstance(o, Dictionary) and o.get("/S") == Name(f"/{kind}")]


def become(kind: str, other: str) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        elements(pdf, kind)[0].S = Name(f"/{other}")

    return change


def roles(**mapped: str) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        pdf.Root.StructTreeRoot.RoleMap = Dictionary({f"/{k}": Name(f"/{v}") for k, v in mapped.items()})
        become("H1", next(iter(mapped)))(pdf)

    return change


def put(path: str, value: object) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        *way, key = path.split("/")
        place = pdf.Root
        for step in way:
            place = place[f"/{step}"]
        place[f"/{key}"] = value

    return change


def drop(key: str) -> Callable[[Pdf], None]:
    return lambda pdf: pdf.Root.__delitem__(key)


def page(key: str, value: object = None) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        own = pdf.pages[0].obj
        if value is None:
            del own[key]
        else:
            own[key] = value

    return change


def link(key: str) -> Callable[[Pdf], None]:
    return lambda pdf: pdf.pages[0].obj.Annots[0].__delitem__(key)


def tree(kind: str, *kids: tuple[str, ...]) -> Callable[[Pdf], None]:
    """Add an element with children, and children of these."""

    def change(pdf: Pdf) -> None:
        document = elements(pdf, "Document")[0]

        def made(name: str, parent: Object) -> Dictionary:
            one = pdf.make_indirect(
                Dictionary(Type=Name.StructElem, S=Name(f"/{name}"), P=parent, K=Array([]))
            )
            parent.K.append(one)
            return one

        top = made(kind, document)
        for first, *others in kids:
            child = made(first, top)
            for other in others:
                made(other, child)

    return change


def metadata(pdf: Pdf, key: str) -> None:
    with pdf.open_metadata() as found:
        del found[key]


BREAKS: dict[str, tuple[Callable[[Pdf], object], str]] = {
    "01-007": (put("MarkInfo/Suspects", True), "01"),
    "02-001": (become("H1", "Shout"), "02"),
    "02-003": (roles(Shout="Cry", Cry="Shout"), "02"),
    "02-004": (roles(H2="P"), "02"),
    "06-001": (drop("/Metadata"), "06"),
    "06-002": (lambda pdf: metadata(pdf, "{http://www.aiim.org/pdfua/ns/id/}part"), "06"),
    "07-001": (put("ViewerPreferences", Dictionary()), "07"),
    "07-002": (put("ViewerPreferences/DisplayDocTitle", False), "07"),
    "09-004": (tree("Table", ("P",)), "15"),
    "09-005": (tree("L", ("P",)), "16"),
    "10-001": (lambda pdf: font_of(pdf).__delitem__("/ToUnicode"), "10"),
    "11-001": (drop("/Lang"), "11"),
    "13-004": (become("P", "Figure"), "13"),
    "14-002": (become("H1", "H2"), "14"),
    "14-003": (tree("H3"), "14"),
    "14-007": (tree("H"), "14"),
    "15-003": (tree("Table", ("TR", "TH", "TH"), ("TR", "TD", "TD")), "15"),
    "17-002": (become("P", "Formula"), "17"),
    "19-003": (become("P", "Note"), "19"),
    "20-002": (
        put("OCProperties", Dictionary(D=Dictionary(), OCGs=Array([]), Configs=Array([Dictionary()]))),
        "20",
    ),
    "20-003": (
        put("OCProperties", Dictionary(D=Dictionary(Name=String("a"), AS=Array([])), OCGs=Array([]))),
        "20",
    ),
    "28-008": (page("/Tabs"), "28"),
    "28-009": (page("/Tabs", Name.R), "28"),
    "28-011": (become("Link", "Span"), "28"),
    "28-012": (link("/Contents"), "28"),
    "31-005": (lambda pdf: font_of(pdf).DescendantFonts[0].__delitem__("/CIDToGIDMap"), "31"),
    "31-009": (lambda pdf: program_of(pdf).__delitem__("/FontFile2"), "31"),
    "31-016": (lambda pdf: font_of(pdf).DescendantFonts[0].__setitem__("/DW", 600), ""),
    "31-027": (lambda pdf: font_of(pdf).__delitem__("/ToUnicode"), "10"),
}


@pytest.mark.parametrize("number", BREAKS)
def test_what_breaks_a_condition_is_told_by_its_number(number: str, tmp_path: Path) -> None:
    change, checkpoint = BREAKS[number]
    pdf = sheet(change)
    assert number in failed(pdf)
    if checkpoint:  # an empty one is a condition that the other judge does not try
        assert checkpoint in judged(pdf, tmp_path)


CONTENT = {
    "01-003": tagged("P", 1, artifact(words("see", 10, 20))),
    "01-004": artifact(tagged("P", 1, words("see", 10, 20))),
    "01-005": words("see", 10, 20),
}


@pytest.mark.parametrize("number", CONTENT)
def test_what_is_painted_is_tagged_or_an_artifact(number: str, tmp_path: Path) -> None:
    pdf = sheet(text=CONTENT[number])
    assert number in failed(pdf)
    assert "01" in judged(pdf, tmp_path)


@pytest.mark.parametrize(("row", "told"), [(True, False), (False, True)])
def test_content_belongs_to_an_element_by_the_tree_or_by_the_tree_of_parents(row: bool, told: bool) -> None:
    def change(pdf: Pdf) -> None:
        del elements(pdf, "Document")[0].K[1]
        if not row:
            pdf.Root.StructTreeRoot.ParentTree.Nums[1] = Array([])

    assert ("01-005" in failed(sheet(change))) == told


def test_a_form_with_tagged_content_is_drawn_once() -> None:
    def change(pdf: Pdf) -> None:
        form = Stream(
            pdf, b"/P <</MCID 1>> BDC 0 0 9 9 re f EMC", Subtype=Name.Form, BBox=Array([0, 0, 9, 9])
        )
        pdf.pages[0].obj.Resources.XObject = Dictionary(X=form)

    assert "30-002" in failed(sheet(change, text="/X Do /X Do\n"))
    assert "30-002" not in failed(sheet(change, text="/X Do\n"))


def test_a_glyph_that_stands_for_missing_ones_is_told(tmp_path: Path) -> None:
    pdf = sheet(text=tagged("P", 1, "BT /F 10 Tf 40 100 Td <0000> Tj ET\n"))
    assert "31-030" in failed(pdf)
    assert "31" in judged(pdf, tmp_path)


def test_the_other_judge_finds_nothing_on_a_good_sheet(tmp_path: Path) -> None:
    assert judged(sheet(), tmp_path) == set()


def test_a_condition_that_is_failed_is_a_problem_where_pdf_ua_was_promised() -> None:
    broken = sheet(BREAKS["28-012"][0])
    found = run(broken, LENIENT, Place("card.pdf"), second=False)
    assert [(f.kind.code, f.subject) for f in found.findings] == [("pdf-ua", "28-012")]
    found = run(broken, replace(LENIENT, tagged=False), Place("card.pdf"), second=False)
    assert found.findings == []
