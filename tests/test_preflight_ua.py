"""PDF/UA-1: what keeps a PDF from readers is told, and a judge who knows nothing of ours agrees."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import outloud
import pytest
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream
from sheets import PROMISE, artifact, font_of, program_of, sheet, tagged, words

from rulewright.print.preflight import run
from rulewright.source.problems import Place

LENIENT = replace(PROMISE, title=None, language=None, bookmarks=False, linked=frozenset(), targets=None)


def told(pdf: bytes) -> list[str]:
    """What is said of the tags, words and names of a PDF."""
    return [f.message for f in run(pdf, LENIENT, Place("card.pdf")).findings if f.kind.code == "pdf-ua"]


def judged(pdf: bytes, folder: Path) -> set[str]:
    """The checkpoints of the protocol that the other judge sees failed, by the rules of conformance."""
    file = folder / "card.pdf"
    file.write_bytes(pdf)
    result = outloud.check(str(file), layers={"conformance"})
    return {row["id"] for row in result.criteria["pdfua1"] if row["status"] == "fail"}


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


def changed(place: Any, key: str, value: object) -> None:
    """A key given a value, or taken away where there is none."""
    if value is None:
        del place[key]
    else:
        place[key] = value


def put(path: str, value: object) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        *way, key = path.split("/")
        place = pdf.Root
        for step in way:
            place = place[f"/{step}"]
        changed(place, f"/{key}", value)

    return change


def drop(path: str) -> Callable[[Pdf], None]:
    return put(path, None)


def page(key: str, value: object = None) -> Callable[[Pdf], None]:
    return lambda pdf: changed(pdf.pages[0].obj, key, value)


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


def metadata(key: str) -> Callable[[Pdf], None]:
    def change(pdf: Pdf) -> None:
        with pdf.open_metadata() as found:
            del found[key]

    return change


BREAKS: dict[str, tuple[Callable[[Pdf], object], str, str]] = {
    "no tags": (drop("StructTreeRoot"), "it has no tags", "01"),
    "not said to be tagged": (drop("MarkInfo"), "(MarkInfo)", ""),
    "tags that may be wrong": (put("MarkInfo/Suspects", True), "(Suspects)", "01"),
    "no way to the tags": (drop("StructTreeRoot/ParentTree"), "(ParentTree)", ""),
    "a type that nobody knows": (become("H1", "Shout"), "not standard ones", "02"),
    "types in a circle": (roles(Shout="Cry", Cry="Shout"), "not standard ones", "02"),
    "no claim": (metadata("{http://www.aiim.org/pdfua/ns/id/}part"), "(pdfuaid:part)", "06"),
    "no metadata": (drop("Metadata"), "(dc:title)", "06"),
    "no title in the metadata": (metadata("dc:title"), "(dc:title)", "06"),
    "the title not shown": (put("ViewerPreferences/DisplayDocTitle", False), "(DisplayDocTitle)", "07"),
    "nothing said of the title": (put("ViewerPreferences", Dictionary()), "(DisplayDocTitle)", "07"),
    "no language": (drop("Lang"), "(Lang)", "11"),
    "a figure without words": (become("P", "Figure"), "(Alt)", "13"),
    "a formula without words": (become("P", "Formula"), "(Alt)", "17"),
    "a first heading that is none": (become("H1", "H2"), "the first heading is H2", "14"),
    "a level left out": (tree("H3"), "H3 follows H1", "14"),
    "a header of nothing": (tree("Table", ("TR", "TH"), ("TR", "TD")), "(Scope)", "15"),
    "no order of the links": (page("/Tabs"), "(Tabs)", "28"),
    "another order of the links": (page("/Tabs", Name.R), "(Tabs)", "28"),
    "a link that is none": (become("Link", "Span"), "does not stand in a Link", "28"),
    "a link without a tag": (link("/StructParent"), "(StructParent)", ""),
    "a link without words": (link("/Contents"), "(Contents)", "28"),
    "text that nobody can tell": (lambda pdf: font_of(pdf).__delitem__("/ToUnicode"), "(ToUnicode)", "10"),
    "a font that is not there": (
        lambda pdf: program_of(pdf).__delitem__("/FontFile2"),
        "is not embedded",
        "31",
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_what_keeps_a_pdf_from_readers_is_told(name: str, tmp_path: Path) -> None:
    change, message, checkpoint = BREAKS[name]
    pdf = sheet(change)
    assert [one for one in told(pdf) if message in one]
    if checkpoint:  # an empty one is what the other judge does not try
        assert checkpoint in judged(pdf, tmp_path)


def test_what_is_painted_is_tagged_or_an_artifact(tmp_path: Path) -> None:
    pdf = sheet(text=words("see", 10, 20))
    assert told(pdf) == ["something is neither tagged nor an artifact"]
    assert "01" in judged(pdf, tmp_path)


@pytest.mark.parametrize("inside", [True, False])
def test_content_in_a_form_is_tagged_where_the_form_is(inside: bool) -> None:
    def change(pdf: Pdf) -> None:
        form = Stream(pdf, b"20 50 9 9 re f", Subtype=Name.Form, BBox=Array([0, 0, 99, 99]))
        pdf.pages[0].obj.Resources.XObject = Dictionary(X=form)

    content = tagged("P", 1, "/X Do\n") if inside else "/X Do\n"
    assert bool(told(sheet(change, text=content))) != inside


def test_content_whose_tag_leads_nowhere_is_told() -> None:
    def change(pdf: Pdf) -> None:
        pdf.Root.StructTreeRoot.ParentTree.Nums[1] = Array([])

    assert told(sheet(change)) == [
        "the tag of something leads to no element (StructParents) (and 2 more like it on this page)"
    ]


def test_the_other_judge_finds_nothing_on_a_good_sheet(tmp_path: Path) -> None:
    assert told(sheet(more=artifact(words("SLUG", 40, -5)))) == []
    assert judged(sheet(), tmp_path) == set()


def test_nothing_is_said_of_tags_where_none_were_promised() -> None:
    broken = sheet(drop("StructTreeRoot"))
    assert run(broken, replace(LENIENT, tagged=False), Place("card.pdf")).findings == []
