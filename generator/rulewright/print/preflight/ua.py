"""Facts that readers with other programs depend on: tags, their order and words, language, names of links.

They are those of PDF/UA-1 that a program can read from any PDF without doubt, and no verdict on all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pikepdf import Array, Dictionary, Name, NumberTree, Object, String

from rulewright.model import faults
from rulewright.print.preflight.check import Check, PdfDocument, collect, few
from rulewright.print.preflight.geometry import corner
from rulewright.print.preflight.report import Finding
from rulewright.source.problems import shown

CHECKS: list[Check] = []
check = collect(CHECKS, asked=lambda expected: expected.tagged)

PDFUA = "{http://www.aiim.org/pdfua/ns/id/}part"
MOST_ELEMENTS = 1_000_000
_LEVEL = re.compile(r"H([1-6])")
STANDARD = frozenset((
    "Document", "Part", "Art", "Sect", "Div", "BlockQuote", "Caption", "TOC", "TOCI", "Index", "NonStruct",
    "Private", "P", "H", "H1", "H2", "H3", "H4", "H5", "H6", "L", "LI", "Lbl", "LBody", "Table", "TR", "TH",
    "TD", "THead", "TBody", "TFoot", "Span", "Quote", "Note", "Reference", "BibEntry", "Code", "Link",
    "Annot", "Ruby", "RB", "RT", "RP", "Warichu", "WT", "WP", "Figure", "Formula", "Form",
))  # fmt: skip
"""The types of elements of ISO 32000-1, 14.8.4."""


def _fault(message: str, page: int | None = None, at: tuple[float, float] | None = None) -> Finding:
    return Finding(faults.TAGGED, message, page, at, message)


def _tree(document: PdfDocument) -> Dictionary | None:
    found = document.pdf.Root.get("/StructTreeRoot")
    return found if isinstance(found, Dictionary) else None


def _elements(document: PdfDocument) -> list[tuple[Dictionary, str]]:
    """The elements of the structure in order, each with its type after the role map; gone through once."""
    if document.elements is None:
        document.elements = list(_found(document))
    return document.elements


def _found(document: PdfDocument) -> Iterator[tuple[Dictionary, str]]:
    tree = _tree(document)
    if tree is None:
        return
    mapped = tree.get("/RoleMap")
    roles = (
        {str(key)[1:]: str(one)[1:] for key, one in mapped.items()} if isinstance(mapped, Dictionary) else {}
    )
    todo, known = [tree.get("/K")], set[tuple[int, int]]()
    for _ in range(MOST_ELEMENTS):
        if not todo:
            return
        one = todo.pop()
        if not isinstance(one, Array | Dictionary) or (one.is_indirect and one.objgen in known):
            continue
        known.add(one.objgen)
        if isinstance(one, Array):
            todo += list(one)[::-1]
            continue
        kind = str(one.get("/S", "/"))[1:]
        for _ in range(8):
            if kind in STANDARD or kind not in roles:
                break
            kind = roles[kind]
        if "/S" in one:
            yield one, kind
        todo.append(one.get("/K"))


@check("tagged", seen=lambda document: f"{len(_elements(document))} elements")
def tagged(document: PdfDocument) -> Iterator[Finding]:
    """Tags that are missing or that nobody can find, and a file that does not say that it has them."""
    root = document.pdf.Root
    marks = root.get("/MarkInfo")
    tree = _tree(document)
    if tree is None or "/K" not in tree:
        yield _fault("it has no tags")
        return
    if not isinstance(marks, Dictionary) or not marks.get("/Marked"):
        yield _fault("it does not say that it is tagged (MarkInfo)")
    elif marks.get("/Suspects"):
        yield _fault("it says that its tags may be wrong (Suspects)")
    if not isinstance(tree.get("/ParentTree"), Dictionary):
        yield _fault("nothing leads from the content to its tags (ParentTree)")
    unknown = sorted({kind for _, kind in _elements(document)} - STANDARD)
    if unknown:
        yield _fault(f"types of tags are not standard ones, nor mapped to any: {shown(few(unknown))}")
    try:
        claimed = document.pdf.open_metadata(strict=True).get(PDFUA)
    except Exception:  # whatever damaged metadata is read with
        claimed = None
    if str(claimed) != "1":
        yield _fault("its metadata does not say that it is PDF/UA-1 (pdfuaid:part)")


@check("title shown, language told")
def named(document: PdfDocument) -> Iterator[Finding]:
    """A title or a language that programs do not get to know."""
    root = document.pdf.Root
    preferences = root.get("/ViewerPreferences")
    if not isinstance(preferences, Dictionary) or not preferences.get("/DisplayDocTitle"):
        yield _fault("its title is not shown (DisplayDocTitle)")
    try:
        title = document.pdf.open_metadata(strict=True).get("dc:title")
    except Exception:  # whatever damaged metadata is read with
        title = None
    if not str(title or "").strip():
        yield _fault("its metadata has no title (dc:title)")
    if not str(root.get("/Lang", "")).strip():
        yield _fault("it does not say what language it is in (Lang)")


@check("everything tagged or an artifact", of=_elements)
def marked(document: PdfDocument) -> Iterator[Finding]:
    """Things that are painted outside of any tag, or under one that leads to no element."""
    parents = _parents(document)
    for painted in document.painted if _elements(document) else ():
        number = painted.of.source.get("/StructParents")
        own = parents.get(int(number)) if isinstance(number, int) else None
        elements: list[Object] = list(own) if isinstance(own, Array) else []
        inside = (item for item in painted.items if not item.use.tag.artifact)
        for item in inside:
            content = item.use.tag.content
            if content is None:
                message = "something is neither tagged nor an artifact"
            elif not item.nested and not isinstance(_at(elements, content), Dictionary):
                message = "the tag of something leads to no element (StructParents)"
            else:
                continue
            yield _fault(message, painted.of.number, corner(item.box))


def figures(document: PdfDocument) -> set[tuple[int, int]]:
    """The marked content that is tagged as a figure: number of its page, and its own."""
    parents: dict[int, Object] = _parents(document)
    found: set[tuple[int, int]] = set()
    for painted in document.painted:
        number = painted.of.source.get("/StructParents")
        own = parents.get(int(number)) if isinstance(number, int) else None
        elements: list[Object] = list(own) if isinstance(own, Array) else []
        for at, element in enumerate(elements):
            if isinstance(element, Dictionary) and str(element.get("/S")) == "/Figure":
                found.add((painted.of.number, at))
    return found


def _at(elements: list[Object], content: int) -> Object | None:
    return elements[content] if 0 <= content < len(elements) else None


def _parents(document: PdfDocument) -> dict[int, Object]:
    tree = _tree(document)
    found = tree.get("/ParentTree") if tree is not None else None
    return dict(NumberTree(found).items()) if isinstance(found, Dictionary) else {}


@check("pictures described", of=lambda one: [kind for _, kind in _elements(one) if kind == "Figure"])
def described(document: PdfDocument) -> Iterator[Finding]:
    """Figures and formulas that say nothing in words."""
    for element, kind in _elements(document):
        words = str(element.get("/Alt", "")).strip() or isinstance(element.get("/ActualText"), String)
        if kind in ("Figure", "Formula") and not words:
            yield _fault(f"a {kind} has no words for those who do not see it (Alt)")


@check("headings in order", of=lambda one: [kind for _, kind in _elements(one) if _LEVEL.fullmatch(kind)])
def headings(document: PdfDocument) -> Iterator[Finding]:
    """Levels of headings that are left out."""
    last = 0
    for _, kind in _elements(document):
        if found := _LEVEL.fullmatch(kind):
            level = int(found[1])
            if level > last + 1:
                yield _fault(f"{kind} follows H{last}" if last else f"the first heading is {kind}, not H1")
            last = level


@check("cells headed", of=lambda one: [kind for _, kind in _elements(one) if kind == "TH"])
def cells(document: PdfDocument) -> Iterator[Finding]:
    """Header cells that do not say what they head, where no cell names them."""
    elements = list(_elements(document))
    if any(kind == "TD" and _attribute(element, "/Headers") is not None for element, kind in elements):
        return
    for element, kind in elements:
        if kind == "TH" and _attribute(element, "/Scope") is None:
            yield _fault("a header cell does not say whether it heads a row or a column (Scope)")


def _attribute(element: Dictionary, key: str) -> Object | None:
    listed = element.get("/A")
    for one in listed if isinstance(listed, Array) else [listed]:
        if isinstance(one, Dictionary) and key in one:
            return one[key]
    return None


@check("annotations tagged", of=lambda one: [a for page in one.pages for a in page.annotations()])
def noted(document: PdfDocument) -> Iterator[Finding]:
    """Links and other annotations without words or a tag, and pages that do not order them by these."""
    parents = _parents(document)
    for page in document.pages:
        for one in page.annotations():
            if one.get("/Subtype") == Name.Popup:
                continue
            kind = "a link" if one.get("/Subtype") == Name.Link else "an annotation"
            if not str(one.get("/Contents", one.get("/TU", ""))).strip():
                yield _fault(f"{kind} says nothing in words (Contents)", page.number)
            number = one.get("/StructParent")
            held = parents.get(int(number)) if isinstance(number, int) else None
            if not isinstance(held, Dictionary):
                yield _fault(f"{kind} has no tag (StructParent)", page.number)
            elif kind == "a link" and held.get("/S") != Name.Link:
                yield _fault("a link does not stand in a Link", page.number)
        if any(page.annotations()) and page.source.get("/Tabs") != Name.S:
            yield _fault("annotations are not reached in the order of the tags (Tabs)", page.number)


@check("text can be read out", of=lambda document: document.fonts)
def readable(document: PdfDocument) -> Iterator[Finding]:
    """Fonts from which no text can be told, or that are not embedded."""
    for font in document.fonts:
        if not font.readable:
            yield _fault(f"nothing tells the text of the font {shown(font.name)} (ToUnicode)")
        if not font.embedded:
            yield _fault(f"the font {shown(font.name)} is not embedded")
