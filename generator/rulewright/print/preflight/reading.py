"""What is checked of a PDF as something to read: where its links lead, its bookmarks, title and language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pikepdf import Array, Dictionary, Name, Object, Pdf, String

from rulewright.model import faults
from rulewright.print.preflight.expected import Expected
from rulewright.print.preflight.findings import Finding
from rulewright.print.preflight.geometry import Page, covered, rectangle
from rulewright.source.problems import did_you_mean, shown

MOST_BOOKMARKS = 100_000


class Destinations:
    """The named places of a PDF and its pages, which links lead to."""

    def __init__(self, pdf: Pdf) -> None:
        self.pages = {page.obj.objgen for page in pdf.pages}
        self.count = len(pdf.pages)
        self.named: dict[bytes, Object] = {}
        names = pdf.Root.get("/Names")
        tree = names.get("/Dests") if isinstance(names, Dictionary) else None
        if isinstance(tree, Dictionary):
            self._collect(tree)
        old = pdf.Root.get("/Dests")
        if isinstance(old, Dictionary):
            self.named |= {str(key)[1:].encode(): value for key, value in old.items()}

    def _collect(self, tree: Dictionary) -> None:
        todo: list[Object] = [tree]
        known: set[tuple[int, int]] = set()
        while todo:
            node = todo.pop()
            if not isinstance(node, Dictionary) or (node.is_indirect and node.objgen in known):
                continue
            known.add(node.objgen)
            names, kids = node.get("/Names"), node.get("/Kids")
            if isinstance(names, Array):
                for at in range(0, len(names) - 1, 2):
                    if isinstance(names[at], String):
                        self.named[bytes(names[at])] = names[at + 1]
            todo += list(kids) if isinstance(kids, Array) else []

    def leads(self, destination: Object | None) -> bool:
        """Whether a destination is a page of this PDF."""
        for _ in range(3):  # a name, a dictionary with the place in it, the place
            if isinstance(destination, String):
                destination = self.named.get(bytes(destination))
            elif isinstance(destination, Name):
                destination = self.named.get(str(destination)[1:].encode())
            elif isinstance(destination, Dictionary):
                destination = destination.get("/D")
        if not isinstance(destination, Array) or not len(destination):
            return False
        page = destination[0]
        if isinstance(page, Dictionary):
            return page.objgen in self.pages
        return isinstance(page, int) and 0 <= page < self.count


def annotated(page: Page, subtype: str | None = None) -> Iterator[Dictionary]:
    """The annotations of a page, or those of one sort."""
    listed = page.source.get("/Annots")
    for annotation in listed if isinstance(listed, Array) else ():
        if isinstance(annotation, Dictionary) and subtype in (None, str(annotation.get("/Subtype"))):
            yield annotation


def address_of(link: Dictionary) -> str | None:
    """The address that a link of a page leads to outside the PDF; None where it has none."""
    action = link.get("/A")
    uri = action.get("/URI") if isinstance(action, Dictionary) else None
    return str(uri) if isinstance(uri, String) else None


def links(pages: Sequence[Page], places: Destinations, expected: Expected) -> Iterator[Finding]:
    """Links that lead nowhere, and addresses that have to be linked and are not."""
    linked: set[str] = set()
    for page in pages:
        for link in annotated(page, "/Link"):
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


def outline_items(pdf: Pdf) -> Iterator[Dictionary]:
    """The bookmarks of a PDF in order."""
    outlines = pdf.Root.get("/Outlines")
    todo = [outlines.get("/First")] if isinstance(outlines, Dictionary) else []
    known: set[tuple[int, int]] = set()
    while todo and len(known) < MOST_BOOKMARKS:
        item = todo.pop()
        if not isinstance(item, Dictionary) or item.objgen in known:
            continue
        known.add(item.objgen)
        yield item
        todo += [item.get("/Next"), item.get("/First")]


def bookmarks(pdf: Pdf, places: Destinations, expected: Expected) -> Iterator[Finding]:
    items = list(outline_items(pdf))
    if expected.bookmarks and not items:
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


def identity(pdf: Pdf, expected: Expected) -> Iterator[Finding]:
    """A title or a language that is missing or not the right one."""
    title, language = title_of(pdf), str(pdf.Root.get("/Lang", "")).strip()
    if expected.title is not None and title != expected.title:
        said = f"its title is {shown(title)}" if title else "it has no title"
        yield Finding(faults.TITLE, f"{said}, not {shown(expected.title)}")
    if expected.language is not None and language.lower() != expected.language.lower():
        said = f"its language is {shown(language)}" if language else "it does not say what language it is in"
        yield Finding(faults.LANGUAGE, f"{said}; it has to be {expected.language}")


def _goal(goal: object) -> str:
    return shown(str(goal).removeprefix("/")) if isinstance(goal, String | Name) else "a page"
