"""Checks of a PDF as something to read: where its links lead, its bookmarks, title, language and tags.

Of PDF/UA-1 a program sees these facts in any PDF; Typst refuses to make ours without them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from pikepdf import Dictionary, Name, String

from rulewright.model import faults
from rulewright.print.preflight.examined_pdf import PdfDocument, check, few
from rulewright.print.preflight.geometry import covered, rectangle
from rulewright.print.preflight.objects import each, entry
from rulewright.print.preflight.preflight_report import Finding
from rulewright.source.problems import did_you_mean, shown

PDFUA = "{http://www.aiim.org/pdfua/ns/id/}part"
_LEVEL = re.compile(r"H([1-6])")
STANDARD = frozenset((
    "Document", "Part", "Art", "Sect", "Div", "BlockQuote", "Caption", "TOC", "TOCI", "Index", "NonStruct",
    "Private", "P", "H", "H1", "H2", "H3", "H4", "H5", "H6", "L", "LI", "Lbl", "LBody", "Table", "TR", "TH",
    "TD", "THead", "TBody", "TFoot", "Span", "Quote", "Note", "Reference", "BibEntry", "Code", "Link",
    "Annot", "Ruby", "RB", "RT", "RP", "Warichu", "WT", "WP", "Figure", "Formula", "Form",
))  # fmt: skip
"""The types of elements of ISO 32000-1, 14.8.4."""


def _links(document: PdfDocument) -> int:
    return sum(note.get("/Subtype") == Name.Link for _, note in document.notes)


@check("links", of=_links, seen=lambda document: f"{_links(document)}")
def links(document: PdfDocument) -> Iterator[Finding]:
    """Links that lead nowhere, and addresses that have to be linked and are not."""
    expected, linked = document.expected, set[str]()
    for page, link in document.notes:
        if link.get("/Subtype") != Name.Link:
            continue
        box, action = rectangle(link.get("/Rect")), link.get("/A")
        told = partial(Finding, page=page.number, at=covered(page.matrix, box)[:2] if box else None)
        if isinstance(uri := entry(action, "/URI"), String):
            linked.add(address := str(uri))
            if expected.targets is not None and address not in expected.targets:
                message = f"a link leads to {shown(address, 100)}, which is not there"
                message += did_you_mean(address, expected.targets) if len(expected.targets) > 8 else ""
                yield told(faults.LINK, message, subject=address)
            continue
        kind = str(action.get("/S")) if isinstance(action, Dictionary) else "/GoTo"
        goal = link.get("/Dest", entry(action, "/D"))
        if kind == "/GoTo" and not document.leads(goal):
            message = f"a link leads to {_goal(goal)}, which this PDF does not have"
            yield told(faults.LINK, message, subject=_goal(goal))
        elif kind in ("/GoToR", "/Launch"):
            yield told(faults.LINK, "a link opens another file, which readers do not have", subject=kind)
    for address in sorted(expected.linked - linked):
        yield Finding(faults.LINK_MISSING, f"nothing links to {shown(address, 100)}, which it refers to")


@check(
    "bookmarks", of=lambda document: document.bookmarks, seen=lambda document: f"{len(document.bookmarks)}"
)
def bookmarks(document: PdfDocument) -> Iterator[Finding]:
    """Bookmarks that are missing or lead nowhere."""
    if document.expected.bookmarks and not document.bookmarks:
        yield Finding(faults.BOOKMARKS, "it has no bookmarks; give its headings some")
    for item in document.bookmarks:
        goal = item.get("/Dest", entry(item, "/A", "/D"))
        elsewhere = entry(item, "/A", "/S") not in (None, Name.GoTo)
        if goal is not None and not elsewhere and not document.leads(goal):
            name = shown(str(item.get("/Title", "")))
            message = f"the bookmark {name} leads to {_goal(goal)}, which this PDF does not have"
            yield Finding(faults.LINK, message)


def _goal(goal: object) -> str:
    return shown(str(goal).removeprefix("/")) if isinstance(goal, String | Name) else "a page"


def _named(document: PdfDocument) -> tuple[str, str]:
    """The title by the metadata, else by the older dictionary of information; and the language."""
    title = document.metadata("dc:title") or document.information("/Title")
    return title, str(document.pdf.Root.get("/Lang", "")).strip()


def _identity_seen(document: PdfDocument) -> str:
    title, language = _named(document)
    return f"{shown(title) or 'no title'}, {language or 'no language'}"


@check("title and language", seen=_identity_seen)
def identity(document: PdfDocument) -> Iterator[Finding]:
    """A title or a language that is missing or not the right one."""
    expected, (title, language) = document.expected, _named(document)
    if expected.title is not None and title != expected.title:
        said = f"its title is {shown(title)}" if title else "it has no title"
        yield Finding(faults.TITLE, f"{said}, not {shown(expected.title)}")
    if expected.language is not None and language.lower() != expected.language.lower():
        said = f"its language is {shown(language)}" if language else "it does not say what language it is in"
        yield Finding(faults.LANGUAGE, f"{said}; it has to be {expected.language}")


# What readers with other programs need.

_ua = partial(check, asked=lambda expected: expected.tagged)


def _fault(message: str, page: int | None = None) -> Finding:
    return Finding(faults.TAGGED, message, page, subject=message)


@_ua("tagged", seen=lambda document: f"{len(document.elements)} elements")
def tagged(document: PdfDocument) -> Iterator[Finding]:
    """Tags that are missing or that nobody can find, and a file that does not say that it has them."""
    tree, marks = entry(document.pdf.Root, "/StructTreeRoot"), entry(document.pdf.Root, "/MarkInfo")
    if entry(tree, "/K") is None:
        yield _fault("it has no tags")
        return
    unknown = shown(few(sorted({kind for _, kind in document.elements} - STANDARD)))
    for wrong, message in (
        (not entry(marks, "/Marked"), "it does not say that it is tagged (MarkInfo)"),
        (entry(marks, "/Suspects"), "it says that its tags may be wrong (Suspects)"),
        (not entry(tree, "/ParentTree"), "nothing leads from the content to its tags (ParentTree)"),
        (unknown, f"types of tags are not standard ones, nor mapped to any: {unknown}"),
        (document.metadata(PDFUA) != "1", "its metadata does not say that it is PDF/UA-1 (pdfuaid:part)"),
    ):
        if wrong:
            yield _fault(message)


@_ua("title shown, language told")
def named(document: PdfDocument) -> Iterator[Finding]:
    """A title or a language that programs do not get to know."""
    preferences = entry(document.pdf.Root, "/ViewerPreferences")
    for there, message in (
        (entry(preferences, "/DisplayDocTitle"), "its title is not shown (DisplayDocTitle)"),
        (document.metadata("dc:title"), "its metadata has no title (dc:title)"),
        (_named(document)[1], "it does not say what language it is in (Lang)"),
    ):
        if not there:
            yield _fault(message)


@_ua("everything tagged or an artifact", of=lambda document: document.elements)
def marked(document: PdfDocument) -> Iterator[Finding]:
    """Things that are painted outside of any tag, or under one that leads to no element."""
    for painted in document.painted if document.elements else ():
        elements = document.contents[painted.of.number]
        for item in painted.items:
            artifact, content = item.use.tag
            if not artifact and content is None:
                message = "something is neither tagged nor an artifact"
                yield item.fault(faults.TAGGED, message, message)
            elif not artifact and not item.nested and not isinstance(_at(elements, content), Dictionary):
                message = "the tag of something leads to no element (StructParents)"
                yield item.fault(faults.TAGGED, message, message)


def _at(elements: Sequence[object], content: int | None) -> object:
    return elements[content] if content is not None and content < len(elements) else None


def _some(*kinds: str) -> Callable[[PdfDocument], bool]:
    return lambda document: any(kind in kinds for _, kind in document.elements)


@_ua("pictures described", of=_some("Figure"))
def described(document: PdfDocument) -> Iterator[Finding]:
    """Figures and formulas that say nothing in words."""
    for element, kind in document.elements:
        if kind in ("Figure", "Formula"):
            words = str(element.get("/Alt", "")).strip() or isinstance(element.get("/ActualText"), String)
            if not words:
                yield _fault(f"a {kind} has no words for those who do not see it (Alt)")


@_ua("headings in order", of=_some("H1", "H2", "H3", "H4", "H5", "H6"))
def headings(document: PdfDocument) -> Iterator[Finding]:
    """Levels of headings that are left out."""
    last = 0
    for level in (int(found[1]) for _, kind in document.elements if (found := _LEVEL.fullmatch(kind))):
        if level > last + 1:
            yield _fault(f"H{level} follows H{last}" if last else f"the first heading is H{level}, not H1")
        last = level


@_ua("cells headed", of=_some("TH"))
def cells(document: PdfDocument) -> Iterator[Finding]:
    """Header cells that do not say what they head, where no cell names them."""
    heads = [_has(element, "/Scope") for element, kind in document.elements if kind == "TH"]
    if not all(heads) and not any(kind == "TD" and _has(one, "/Headers") for one, kind in document.elements):
        yield _fault("a header cell does not say whether it heads a row or a column (Scope)")


def _has(element: Dictionary, key: str) -> bool:
    return any(entry(one, key) is not None for one in each(element.get("/A")))


@_ua("annotations tagged", of=lambda document: document.notes)
def noted(document: PdfDocument) -> Iterator[Finding]:
    """Links and other annotations without words or a tag, and pages that do not order them by these."""
    for page, one in document.notes:
        is_link, held = one.get("/Subtype") == Name.Link, document.owner(one, "/StructParent")
        kind = "a link" if is_link else "an annotation"
        for wrong, message in (
            (
                not str(one.get("/Contents", one.get("/TU", ""))).strip(),
                f"{kind} says nothing in words (Contents)",
            ),
            (not isinstance(held, Dictionary), f"{kind} has no tag (StructParent)"),
            (is_link and held and entry(held, "/S") != Name.Link, "a link does not stand in a Link"),
        ):
            if wrong and one.get("/Subtype") != Name.Popup:
                yield _fault(message, page.number)
    for page in document.pages:
        if any(page.annotations()) and page.source.get("/Tabs") != Name.S:
            yield _fault("annotations are not reached in the order of the tags (Tabs)", page.number)


@_ua("text can be read out", of=lambda document: document.fonts)
def readable(document: PdfDocument) -> Iterator[Finding]:
    """Fonts from which no text can be told, or that are not embedded."""
    for font in document.fonts:
        if not font.readable:
            yield _fault(f"nothing tells the text of the font {shown(font.name)} (ToUnicode)")
        if not font.embedded:
            yield _fault(f"the font {shown(font.name)} is not embedded")


def figures(document: PdfDocument) -> set[tuple[int, int]]:
    """The marked content that is tagged as a figure: number of its page, and its own."""
    return {
        (number, at)
        for number, elements in document.contents.items()
        for at, element in enumerate(elements)
        if entry(element, "/S") == Name.Figure
    }
