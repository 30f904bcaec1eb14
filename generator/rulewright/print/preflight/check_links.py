"""Checks of a PDF as something to read: where its links lead, its bookmarks, title and language."""

from __future__ import annotations

from collections.abc import Iterator

from pikepdf import Dictionary, Name, Pdf, String

from rulewright.model import faults
from rulewright.print.preflight.check import Check, PdfDocument, collect
from rulewright.print.preflight.geometry import covered, rectangle
from rulewright.print.preflight.report import Finding
from rulewright.source.problems import did_you_mean, shown

CHECKS: list[Check] = []
check = collect(CHECKS)


def address_of(link: Dictionary) -> str | None:
    """The address that a link of a page leads to outside the PDF; None where it has none."""
    action = link.get("/A")
    uri = action.get("/URI") if isinstance(action, Dictionary) else None
    return str(uri) if isinstance(uri, String) else None


@check("links", of=lambda one: one.links, seen=lambda one: f"{len(one.links)}")
def links(document: PdfDocument) -> Iterator[Finding]:
    """Links that lead nowhere, and addresses that have to be linked and are not."""
    expected, places = document.expected, document.destinations
    linked: set[str] = set()
    for page, link in document.links:
        box = rectangle(link.get("/Rect"))
        at = covered(page.matrix, box)[:2] if box else None
        address = address_of(link)
        if address is not None:
            linked.add(address)
            if expected.targets is not None and address not in expected.targets:
                message = f"a link leads to {shown(address, 100)}, which is not there"
                message += did_you_mean(address, expected.targets) if len(expected.targets) > 8 else ""
                yield Finding(faults.LINK, message, page.number, at, address)
            continue
        action = link.get("/A")
        kind = str(action.get("/S")) if isinstance(action, Dictionary) else "/GoTo"
        goal = link.get("/Dest", action.get("/D") if isinstance(action, Dictionary) else None)
        if kind == "/GoTo" and not places.leads(goal):
            message = f"a link leads to {_goal(goal)}, which this PDF does not have"
            yield Finding(faults.LINK, message, page.number, at, _goal(goal))
        elif kind in ("/GoToR", "/Launch"):
            message = "a link opens another file, which readers do not have"
            yield Finding(faults.LINK, message, page.number, at, kind)
    for address in sorted(expected.linked - linked):
        yield Finding(faults.LINK_MISSING, f"nothing links to {shown(address, 100)}, which it refers to")


@check(
    "bookmarks", of=lambda document: document.bookmarks, seen=lambda document: f"{len(document.bookmarks)}"
)
def bookmarks(document: PdfDocument) -> Iterator[Finding]:
    """Bookmarks that are missing or lead nowhere."""
    items, places = document.bookmarks, document.destinations
    if document.expected.bookmarks and not items:
        yield Finding(faults.BOOKMARKS, "it has no bookmarks; give its headings some")
    for item in items:
        action = item.get("/A")
        if isinstance(action, Dictionary) and action.get("/S") != Name.GoTo:
            continue
        goal = item.get("/Dest", action.get("/D") if isinstance(action, Dictionary) else None)
        if goal is not None and not places.leads(goal):
            name = shown(str(item.get("/Title", "")))
            yield Finding(
                faults.LINK,
                f"the bookmark {name} leads to {_goal(goal)}, which this PDF does not have",
            )


def title_of(pdf: Pdf) -> str:
    """The title by the metadata, else by the older dictionary of information."""
    try:
        found = pdf.open_metadata(strict=True).get("dc:title")
    except Exception:  # whatever damaged metadata is read with
        found = None
    if not found:
        information = pdf.trailer.get("/Info")
        found = information.get("/Title") if isinstance(information, Dictionary) else None
    return str(found or "").strip()


def _identity_seen(document: PdfDocument) -> str:
    language = str(document.pdf.Root.get("/Lang", "")) or "no language"
    return f"{shown(title_of(document.pdf)) or 'no title'}, {language}"


@check("title and language", seen=_identity_seen)
def identity(document: PdfDocument) -> Iterator[Finding]:
    """A title or a language that is missing or not the right one."""
    pdf, expected = document.pdf, document.expected
    title, language = title_of(pdf), str(pdf.Root.get("/Lang", "")).strip()
    if expected.title is not None and title != expected.title:
        said = f"its title is {shown(title)}" if title else "it has no title"
        yield Finding(faults.TITLE, f"{said}, not {shown(expected.title)}")
    if expected.language is not None and language.lower() != expected.language.lower():
        said = f"its language is {shown(language)}" if language else "it does not say what language it is in"
        yield Finding(faults.LANGUAGE, f"{said}; it has to be {expected.language}")


def _goal(goal: object) -> str:
    return shown(str(goal).removeprefix("/")) if isinstance(goal, String | Name) else "a page"
