"""The PDF under preflight with all that its checks look at."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import pypdfium2
from pikepdf import NumberTree, Object, Pdf

from rulewright.print.page_geometry import pdf_pages
from rulewright.print.pdf_objects import array_items, dictionary_value
from rulewright.print.preflight.painted_objects import PaintedObject, PaintedPage
from rulewright.print.preflight.print_spec import PrintSpec


class PdfDocument:
    """A PDF that we printed: its promise, its pages, what each of them paints, and its tags."""

    def __init__(self, pdf: Pdf, drawn: pypdfium2.PdfDocument, promise: PrintSpec) -> None:
        self.pdf, self.promise = pdf, promise
        self.pages = list(pdf_pages(pdf))
        self.painted = [PaintedPage(page, drawn[at]) for at, page in enumerate(self.pages)]

    def objects_of_kind(self, *kinds: int) -> Iterator[PaintedObject]:
        """Painted things of some kinds of which something is seen."""
        every = (item for painted in self.painted for item in painted.items)
        return (item for item in every if item.kind in kinds and item.box is not None)

    @cached_property
    def owners(self) -> dict[int, list[Object]]:
        """The element of each tagged content, by the number of the page."""
        tree = dictionary_value(self.pdf.Root, "/StructTreeRoot", "/ParentTree")
        named = {} if tree is None else NumberTree(tree)
        return {
            page.number: array_items(named.get(int(page.source.get("/StructParents", -1))))
            for page in self.pages
        }
