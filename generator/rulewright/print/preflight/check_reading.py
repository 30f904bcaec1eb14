"""Checks of what is read: fonts, sizes and places of texts; links, bookmarks, title, language and tags."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pikepdf import Name, String

from rulewright.model import faults
from rulewright.print.geometry import PdfPage, shared
from rulewright.print.pdf_objects import each, entry
from rulewright.print.preflight import Finding
from rulewright.print.preflight.document import PdfDocument, check
from rulewright.print.preflight.painted import TEXT, Item
from rulewright.source.problems import shown

PDFUA = "{http://www.aiim.org/pdfua/ns/id/}part"
ROUNDING = 0.02
"""Tolerance for sizes of type in points, and for places of text in mm: they are written with few digits."""

SOME, HALF = 0.02, 0.5
"""How much of a text may lie on another before their letters are looked at, and how much of a letter."""

MARGIN, OFF_FOLD = 3.0, 5.0
"""How far text stays inside the trim and off folds, in mm."""


@check("fonts", lambda d: ", ".join(d.promise.families))
def fonts(document: PdfDocument) -> Iterator[Finding]:
    """Fonts that are not embedded, or are of no family of ours."""
    wanted = tuple(document.promise.families)
    for item in (item for painted in document.painted for item in painted.items if item.kind == TEXT):
        name, embedded = item.font
        if not embedded:
            yield item.fault(faults.FONT_ABSENT, f"the font {shown(name)} is not embedded", name)
        if not name.replace("-", " ").startswith(wanted):
            message = f"{shown(item.words)} is set in {shown(name)}, not in {' or '.join(wanted)}"
            yield item.fault(faults.FONT_OTHER, message, name)


@check("smallest type", lambda d: f"{d.promise.smallest:.3g} pt, in drawings {d.promise.drawn:.3g} pt")
def small(document: PdfDocument) -> Iterator[Finding]:
    """Text that is smaller than the smallest size that was promised."""
    for item in document.of(TEXT):
        least = document.promise.smallest
        if item.size < least - ROUNDING and _drawn(document, item):
            least = document.promise.drawn
        if item.size < least - ROUNDING and item.on_sheet:
            message = (
                f"{shown(item.words)} is set in {item.size:.2f} pt; the smallest allowed is {least:g} pt"
            )
            yield item.fault(faults.SMALL, message, f"{item.size:.1f}")


def _drawn(document: PdfDocument, item: Item) -> bool:
    owners, tag = document.owners[item.page.of.number], item.tag
    return 0 <= tag < len(owners) and entry(owners[tag], "/S") == Name.Figure


@check("text off trim and folds", lambda d: f"{MARGIN:g} mm and {OFF_FOLD:g} mm")
def edges(document: PdfDocument) -> Iterator[Finding]:
    """Text nearer to the trim or to a fold than it may be."""
    for item in document.of(TEXT):
        if not (box := item.box) or not item.on_sheet:
            continue
        wide, high = item.page.of.size
        inset = min(box[0], box[1], wide - box[2], high - box[3])
        if inset < MARGIN - ROUNDING:
            message = f"{shown(item.words)} stands {inset:.2f} mm inside the trim; it has to be {MARGIN:g}"
            yield item.fault(faults.EDGE, message, item.words)
        for fold in document.folds(item.page.of):
            if (away := max(box[0] - fold, fold - box[2])) < OFF_FOLD - ROUNDING:
                message = f"{shown(item.words)} stands {max(away, 0.0):.2f} mm off the fold at {fold:g} mm"
                yield item.fault(faults.FOLD, f"{message}; it has to be {OFF_FOLD:g}", f"{fold} {item.words}")


@check("no text on text")
def overlapping(document: PdfDocument) -> Iterator[Finding]:
    """Texts of which some letters lie on those of another. A stamp across the page is an artifact."""
    for painted in document.painted:
        lines: list[Item] = []
        texts = [(item.box[1], item) for item in painted.items if item.kind == TEXT and item.box]
        for top, item in sorted(texts, key=lambda one: one[0]):
            if item.tag < 0 or not item.on_sheet:
                continue
            lines = [one for one in lines if one.box and one.box[3] > top]
            for one in (one for one in lines if shared(one.box, item.box) > SOME):
                if one.words not in ("", item.words) and item.words and _hides(one, item):
                    message = f"{shown(item.words)} lies on {shown(one.words)}; part or shorten one of them"
                    yield item.fault(faults.OVERLAP, message, item.words)
            lines.append(item)


def _hides(one: Item, other: Item) -> bool:
    pairs = ((a, b) for a in one.letters() for b in other.letters() if shared(a, b) > HALF)
    return sum(1 for _ in islice(pairs, 2)) == 2


@check("links and bookmarks", lambda d: f"{len(d.notes)}, {len(d.bookmarks)}")
def links(document: PdfDocument) -> Iterator[Finding]:
    """Links and bookmarks that lead nowhere, and a file that has no bookmarks."""
    for page, link in document.notes:
        action = link.get("/A")
        goal = link.get("/Dest", entry(action, "/D"))
        if not isinstance(entry(action, "/URI"), String) and not document.leads(goal):
            yield Finding(faults.LINK, "a link leads to a place that this PDF does not have", page.number)
    for item in document.bookmarks:
        if not document.leads(item.get("/Dest", entry(item, "/A", "/D"))):
            yield Finding(faults.LINK, f"the bookmark {shown(str(item.Title))} leads nowhere")
    if not document.bookmarks:
        yield Finding(faults.BOOKMARKS, "it has no bookmarks")


@check("title and language", lambda d: f"{shown(d.metadata('dc:title'))}, {d.pdf.Root.get('/Lang')}")
def named(document: PdfDocument) -> Iterator[Finding]:
    """A title or a language that is missing."""
    if not document.metadata("dc:title"):
        yield Finding(faults.TITLE, "it has no title (dc:title)")
    if not entry(document.pdf.Root, "/ViewerPreferences", "/DisplayDocTitle"):
        yield Finding(faults.TITLE, "its title is not shown (DisplayDocTitle)")
    if not str(document.pdf.Root.get("/Lang", "")):
        yield Finding(faults.LANGUAGE, "it does not say what language it is in (Lang)")


@check("tags", lambda d: f"{len(d.elements)} elements")
def tagged(document: PdfDocument) -> Iterator[Finding]:
    """Something that readers with other programs need: tags for all, words for pictures, order."""
    for page, message in _untagged(document):
        yield Finding(faults.TAGGED, message, page.number if page else None, subject=message)


def _untagged(document: PdfDocument) -> Iterator[tuple[PdfPage | None, str]]:
    if not document.elements:
        yield None, "it has no tags"
    if not entry(document.pdf.Root, "/MarkInfo", "/Marked"):
        yield None, "it does not say that it is tagged (MarkInfo)"
    if document.metadata(PDFUA) != "1":
        yield None, "it does not say that it is PDF/UA-1 (pdfuaid:part)"
    for page, content in document.contents:
        if content.loose:
            yield page, "something is neither tagged nor an artifact"
        if max(content.tags, default=-1) >= len(document.owners[page.number]):
            yield page, "the tag of something leads to no element"
    last = 0
    for element, kind in document.elements:
        if kind in ("Figure", "Formula") and not str(element.get("/Alt", "")).strip():
            yield None, f"a {kind} has no words for those who do not see it (Alt)"
        if kind == "TH" and not any(entry(one, "/Scope") for one in each(element.get("/A"))):
            yield None, "a header cell does not say what it heads (Scope)"
        if kind in ("H1", "H2", "H3", "H4", "H5", "H6"):
            if int(kind[1]) > last + 1:
                yield None, f"{kind} follows H{last}" if last else f"{kind} comes first"
            last = int(kind[1])
    for page, note in document.notes:
        if not str(note.get("/Contents", "")).strip():
            yield page, "a link says nothing in words (Contents)"
        if entry(document.owner(note, "/StructParent"), "/S") != Name.Link:
            yield page, "a link has no tag (StructParent)"
        if page.source.get("/Tabs") != Name.S:
            yield page, "links are not in the order of tags (Tabs)"
