"""The registry of checks: a check is a function that yields the findings of a PDF, with what it saw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import pypdfium2
from pikepdf import Dictionary, Pdf

from rulewright.model.paper import MM
from rulewright.print.preflight.destinations import Destinations, outline_items
from rulewright.print.preflight.expected import Expected
from rulewright.print.preflight.fonts import PdfFont
from rulewright.print.preflight.geometry import PdfPage
from rulewright.print.preflight.pdfium import TEXT, Item, PaintedPage
from rulewright.print.preflight.report import Finding


class PdfDocument:
    """A PDF under preflight: its pages, what each of them paints, and what is promised of it."""

    def __init__(
        self, pdf: Pdf, expected: Expected, pages: list[PaintedPage], fonts: list[PdfFont], data: bytes
    ) -> None:
        self.pdf, self.expected, self.data = pdf, expected, data
        self.painted, self.fonts = pages, fonts
        self.elements: list[tuple[Dictionary, str]] | None = None

    @property
    def pages(self) -> list[PdfPage]:
        return [painted.of for painted in self.painted]

    def items(self, *kinds: int) -> Iterator[tuple[PdfPage, Item]]:
        """What is painted and seen, page by page; only some kinds of it where these are named."""
        for painted in self.painted:
            for item in painted.items:
                if item.visible and item.box is not None and (not kinds or item.kind in kinds):
                    yield painted.of, item

    @cached_property
    def texts(self) -> list[tuple[PdfPage, Item]]:
        """The texts of which something is seen."""
        return list(self.items(TEXT))

    @cached_property
    def links(self) -> list[tuple[PdfPage, Dictionary]]:
        """The links of all pages."""
        return [(page, link) for page in self.pages for link in page.annotations("/Link")]

    def tinged(self, page: PdfPage) -> tuple[float, float] | None:
        """A place where PDFium draws something that is not grey, in mm; None where there is none."""
        from PIL import ImageChops

        with pypdfium2.PdfDocument(self.data) as drawn:
            picture = drawn[page.number - 1].render(scale=DRAWN_AT / 72).to_pil().convert("RGB")
        red, green, blue = picture.split()
        most = ImageChops.lighter(red, ImageChops.lighter(green, blue))
        spread = ImageChops.subtract(most, ImageChops.darker(red, ImageChops.darker(green, blue)))
        found = spread.point(lambda value: 255 * (value > TINGED)).getbbox()
        unit = MM["in"] / DRAWN_AT
        return (found[0] * unit + page.crop[0], found[1] * unit + page.crop[1]) if found else None

    @cached_property
    def destinations(self) -> Destinations:
        """The places that links and bookmarks may lead to."""
        return Destinations(self.pdf)

    @cached_property
    def bookmarks(self) -> list[Dictionary]:
        """The bookmarks in order."""
        return list(outline_items(self.pdf))


DRAWN_AT, TINGED = 50, 24
"""Dots per inch at which a page is drawn; how far the parts of a colour that passes for grey may differ."""

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


def collect(
    into: list[Check], asked: Callable[[Expected], object] = lambda expected: True
) -> Callable[..., Callable[[Find], Find]]:
    """A decorator that adds a check to a list: `@check("bleed", asked=lambda expected: expected.bleed)`.

    `asked`: when the checks of this list are asked for that do not say so themselves.
    """

    def check(
        name: str,
        *,
        asked: Callable[[Expected], object] = asked,
        of: Callable[[PdfDocument], object] = lambda document: True,
        seen: Callable[[PdfDocument], str] = lambda document: "",
    ) -> Callable[[Find], Find]:
        def add(find: Find) -> Find:
            into.append(Check(name, find, asked, of, seen))
            return find

        return add

    return check


def few(names: Sequence[str], most: int = 4) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
