"""The conditions of PDF/UA-1 on annotations: links, fields of forms, and the others."""

from __future__ import annotations

from collections.abc import Iterator

from pikepdf import Dictionary, Name, Stream

from rulewright.print.preflight.conditions import Condition, collect
from rulewright.print.preflight.streams import unpacked
from rulewright.print.preflight.structure import Structure

CONDITIONS: list[Condition] = []
condition = collect(CONDITIONS)

KNOWN = frozenset(
    [
        "Text",
        "Link",
        "FreeText",
        "Line",
        "Square",
        "Circle",
        "Polygon",
        "PolyLine",
        "Highlight",
        "Underline",
        "Squiggly",
        "StrikeOut",
        "Stamp",
        "Caret",
        "Ink",
        "Popup",
        "FileAttachment",
        "Sound",
        "Movie",
        "Widget",
        "Screen",
        "PrinterMark",
        "TrapNet",
        "Watermark",
        "3D",
        "Redact",
    ]
)
"""The types of annotations of ISO 32000-1, 12.5.6."""


def _others(structure: Structure) -> list[tuple[int, Dictionary]]:
    own = (Name.Widget, Name.Link, Name.PrinterMark)
    return [(page.number, one) for page, one in structure.annotations if one.get("/Subtype") not in own]


@condition("28-002", "an annotation does not stand in an Annot element", _others)
def outside_annot(structure: Structure) -> Iterator[str]:
    for number, one in _others(structure):
        holder = structure.holders.get(one.objgen)
        if holder is None or holder.kind != "Annot":
            yield f"a {str(one.get('/Subtype'))[1:]} on page {number}"


@condition("28-004", "an annotation says nothing in words", _others)
def wordless(structure: Structure) -> Iterator[str]:
    for number, one in _others(structure):
        holder = structure.holders.get(one.objgen)
        if not str(one.get("/Contents", "")).strip() and not (holder and holder.text("/Alt")):
            yield f"a {str(one.get('/Subtype'))[1:]} on page {number}"


@condition("28-005", "a field has no description", lambda s: list(s.fields()))
def undescribed(structure: Structure) -> Iterator[str]:
    for page, one in structure.fields():
        parent = one.get("/Parent")
        described = "/TU" in one or (isinstance(parent, Dictionary) and "/TU" in parent)
        holder = structure.holders.get(one.objgen)
        if not described and not (holder and holder.text("/Alt")):
            yield f"a field on page {page.number}"


@condition("28-006", "an annotation is of a type that nobody knows", _others)
def unknown(structure: Structure) -> Iterator[str]:
    for number, one in _others(structure):
        if str(one.get("/Subtype"))[1:] not in KNOWN:
            yield f"a {str(one.get('/Subtype'))[1:]} on page {number}"


@condition("28-007", "there is an annotation of type TrapNet", lambda s: s.annotations)
def trapped(structure: Structure) -> Iterator[str]:
    for page, one in structure.annotations:
        if one.get("/Subtype") == Name.TrapNet:
            yield f"on page {page.number}"


@condition("28-008", "a page with annotations does not say in which order they come", lambda s: s.annotations)
def tabless(structure: Structure) -> Iterator[str]:
    for page, _ in structure.annotations:
        if "/Tabs" not in page.source:
            yield f"page {page.number} has no Tabs entry"


@condition("28-009", "a page with annotations does not order them by its structure", lambda s: s.annotations)
def tabs_otherwise(structure: Structure) -> Iterator[str]:
    for page, _ in structure.annotations:
        if page.source.get("/Tabs", Name.S) != Name.S:
            yield f"the Tabs of page {page.number} are not S"


@condition("28-010", "a field does not stand in a Form element", lambda s: list(s.fields()))
def outside_form(structure: Structure) -> Iterator[str]:
    for page, one in structure.fields():
        holder = structure.holders.get(one.objgen)
        if holder is None or not holder.within("Form"):
            yield f"a field on page {page.number}"


def _links(structure: Structure) -> list[tuple[int, Dictionary]]:
    return [(page.number, one) for page, one in structure.annotations if one.get("/Subtype") == Name.Link]


@condition("28-011", "a link does not stand in a Link element", _links)
def outside_link(structure: Structure) -> Iterator[str]:
    for number, one in _links(structure):
        holder = structure.holders.get(one.objgen)
        if holder is None or not holder.within("Link"):
            yield f"a link on page {number}"


@condition("28-012", "a link has no description of its own", _links)
def link_wordless(structure: Structure) -> Iterator[str]:
    for number, one in _links(structure):
        if not str(one.get("/Contents", "")).strip():
            yield f"a link on page {number} has no Contents"


def _media(structure: Structure) -> list[Dictionary]:
    return [o for o in structure.pdf.objects if isinstance(o, Dictionary) and o.get("/S") == Name.MCD]


@condition("28-014", "a clip of media does not say what it is", _media)
def untyped_media(structure: Structure) -> Iterator[str]:
    if any("/CT" not in one for one in _media(structure)):
        yield "a clip has no CT entry"


@condition("28-015", "a clip of media has no alternative", _media)
def media_wordless(structure: Structure) -> Iterator[str]:
    if any("/Alt" not in one for one in _media(structure)):
        yield "a clip has no Alt entry"


def _attached(structure: Structure) -> list[tuple[int, Dictionary]]:
    return [(p.number, one) for p, one in structure.annotations if one.get("/Subtype") == Name.FileAttachment]


@condition("28-016", "an attached file has no name", _attached)
def nameless_attachment(structure: Structure) -> Iterator[str]:
    for number, one in _attached(structure):
        file = one.get("/FS")
        if not isinstance(file, Dictionary) or not {"/F", "/UF"} <= set(file.keys()):
            yield f"on page {number}"


def _printer_marks(structure: Structure) -> list[tuple[int, Dictionary]]:
    return [(p.number, one) for p, one in structure.annotations if one.get("/Subtype") == Name.PrinterMark]


@condition("28-017", "a printer's mark belongs to the structure", _printer_marks)
def mark_tagged(structure: Structure) -> Iterator[str]:
    for number, one in _printer_marks(structure):
        if one.objgen in structure.holders:
            yield f"on page {number}"


@condition("28-018", "what a printer's mark paints is not marked as an artifact", _printer_marks)
def mark_plain(structure: Structure) -> Iterator[str]:
    for number, one in _printer_marks(structure):
        appearances = one.get("/AP")
        normal = appearances.get("/N") if isinstance(appearances, Dictionary) else None
        if isinstance(normal, Stream) and b"/Artifact" not in unpacked(normal):
            yield f"on page {number}"
