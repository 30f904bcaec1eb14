"""The PDF under preflight, and the registry of checks: functions that yield the findings of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pikepdf import Dictionary, Name, NumberTree, Object, Pdf, String

from rulewright.print.preflight import Expected
from rulewright.print.preflight.fonts import PdfFont
from rulewright.print.preflight.geometry import PdfPage
from rulewright.print.preflight.objects import PDFX, entry, listed, walked
from rulewright.print.preflight.pdfium import TEXT, Item, PaintedPage
from rulewright.print.preflight.preflight_report import Finding

MOST_ROLES = 8
"""Most roles that are followed to a standard one: they may lead in a circle."""


class PdfDocument:
    """A PDF under preflight: its pages, what each of them paints, and what is promised of it."""

    def __init__(
        self, pdf: Pdf, expected: Expected, pages: list[PaintedPage], fonts: list[PdfFont], data: bytes
    ) -> None:
        self.pdf, self.expected, self.data = pdf, expected, data
        self.painted, self.fonts = pages, fonts
        self.pages = [painted.of for painted in pages]
        self._roles: dict[str, str] = {}

    @cached_property
    def seen(self) -> list[Item]:
        """All that is painted and of which something is seen."""
        every = (item for painted in self.painted for item in painted.items)
        return [item for item in every if item.visible and item.box is not None]

    def of(self, *kinds: int) -> list[Item]:
        """Painted things of some kinds, as far as they are seen."""
        return [item for item in self.seen if item.kind in kinds]

    @cached_property
    def texts(self) -> list[Item]:
        """The texts of which something is seen."""
        return self.of(TEXT)

    @cached_property
    def notes(self) -> list[tuple[PdfPage, Dictionary]]:
        """The annotations of all pages."""
        return [(page, note) for page in self.pages for note in page.annotations()]

    def metadata(self, key: str) -> str:
        """Property in the XMP metadata; empty where these are damaged."""
        try:
            return str(self.pdf.open_metadata(strict=True).get(key) or "").strip()
        except Exception:  # whatever damaged metadata is read with
            return ""

    def information(self, key: str) -> str:
        """Entry of the information dictionary, which is older than the metadata."""
        return str(entry(self.pdf.trailer, "/Info", key) or "").strip()

    @cached_property
    def pdfx(self) -> str:
        """The part of PDF/X that it says it keeps, in its own words; empty where it says nothing."""
        return self.information("/GTS_PDFXVersion") or self.metadata(PDFX)

    @cached_property
    def named(self) -> dict[bytes, Object]:
        """The places that have names."""
        found: dict[bytes, Object] = {}
        for node in walked(entry(self.pdf.Root, "/Names", "/Dests"), "/Kids"):
            names = listed(node.get("/Names"))
            found |= {
                bytes(a): b for a, b in zip(names[::2], names[1::2], strict=False) if isinstance(a, String)
            }
        if isinstance(old := self.pdf.Root.get("/Dests"), Dictionary):
            found |= {key[1:].encode(): value for key, value in old.items()}
        return found

    def leads(self, destination: Object | None) -> bool:
        """Whether a destination is a page of this PDF."""
        for _ in range(3):  # a name, a dictionary with the place in it, the place
            if isinstance(destination, String):
                destination = self.named.get(bytes(destination))
            elif isinstance(destination, Name):
                destination = self.named.get(str(destination)[1:].encode())
            else:
                destination = entry(destination, "/D") or destination
        page = next(iter(listed(destination)), None)
        if isinstance(page, Dictionary):
            return page.objgen in self._numbers
        return isinstance(page, int) and 0 <= page < len(self.pages)

    @cached_property
    def _numbers(self) -> set[tuple[int, int]]:
        return {page.source.objgen for page in self.pages}

    @cached_property
    def bookmarks(self) -> list[Dictionary]:
        """The bookmarks in order."""
        return list(walked(entry(self.pdf.Root, "/Outlines", "/First"), "/First", "/Next"))

    @cached_property
    def elements(self) -> list[tuple[Dictionary, str]]:
        """The elements of the structure in order, each with its type after the role map."""
        every = walked(entry(self.pdf.Root, "/StructTreeRoot", "/K"), "/K")
        named = ((one, str(kind)) for one in every if (kind := one.get("/S")) is not None)
        return [(one, self._role(name)) for one, name in named]

    def _role(self, name: str) -> str:
        """The standard type that a type of elements stands for."""
        if name not in self._roles:
            roles, kind = entry(self.pdf.Root, "/StructTreeRoot", "/RoleMap"), name
            for _ in range(MOST_ROLES):
                kind = str(entry(roles, kind) or kind)
            self._roles[name] = kind[1:]
        return self._roles[name]

    @cached_property
    def parents(self) -> NumberTree | None:
        """The elements of pages and annotations, by the numbers that these have."""
        found = entry(self.pdf.Root, "/StructTreeRoot", "/ParentTree")
        return NumberTree(found) if isinstance(found, Dictionary) else None

    def owner(self, of: Dictionary, key: str) -> Object | None:
        """The element of an annotation, or those of a page."""
        number = of.get(key)
        if not isinstance(number, int) or self.parents is None or int(number) not in self.parents:
            return None
        return self.parents[int(number)]

    @cached_property
    def contents(self) -> dict[int, list[Object]]:
        """The elements of the tagged content of each page, by the number of the page."""
        return {page.number: listed(self.owner(page.source, "/StructParents")) for page in self.pages}


Find = Callable[[PdfDocument], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a PDF.

    `asked`: whether what is promised asks for it. `of`: the things it looks at; without any there is nothing
    to check. `seen`: what it saw, in words.
    """

    name: str
    find: Find
    asked: Callable[[Expected], object]
    of: Callable[[PdfDocument], object]
    seen: Callable[[PdfDocument], str]


CHECKS: list[Check] = []
"""Every check, in the order in which they are made."""


def check(
    name: str,
    *,
    asked: Callable[[Expected], object] = lambda expected: True,
    of: Callable[[PdfDocument], object] = lambda document: True,
    seen: Callable[[PdfDocument], str] = lambda document: "",
) -> Callable[[Find], Find]:
    """A decorator that adds a check: `@check("bleed", asked=lambda expected: expected.bleed)`."""

    def add(find: Find) -> Find:
        CHECKS.append(Check(name, find, asked, of, seen))
        return find

    return add


def few(names: Sequence[str], most: int = 4) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
