"""The PDF under preflight with all that its checks look at, and the checks in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import cast

import pypdfium2
from pikepdf import Dictionary, NameTree, NumberTree, Object, Pdf, String

from rulewright.print.geometry import PdfPage, pages_of
from rulewright.print.pdf_objects import entry, listed, walked
from rulewright.print.preflight import Finding
from rulewright.print.preflight.content import Content, Contents
from rulewright.print.preflight.painted import Item, PaintedPage
from rulewright.print.preflight.promise import Promise


class PdfDocument:
    """A PDF that we printed: its promise, its pages, what each of them paints, and its tags."""

    def __init__(self, pdf: Pdf, drawn: pypdfium2.PdfDocument, promise: Promise) -> None:
        self.pdf, self.promise = pdf, promise
        self.pages = list(pages_of(pdf))
        self.painted = [PaintedPage(page, drawn[at]) for at, page in enumerate(self.pages)]

    def of(self, *kinds: int) -> Iterator[Item]:
        """Painted things of some kinds of which something is seen."""
        every = (item for painted in self.painted for item in painted.items)
        return (item for item in every if item.kind in kinds and item.box is not None)

    def folds(self, page: PdfPage) -> tuple[float, ...]:
        """How far the folds of a page are from its left edge, in mm."""
        folds = self.promise.folds
        return folds[(page.number - 1) % len(folds)] if folds else ()

    @cached_property
    def contents(self) -> list[tuple[PdfPage, Content]]:
        read = Contents(self.promise)
        return [(page, read.of_page(page.source)) for page in self.pages]

    @cached_property
    def notes(self) -> list[tuple[PdfPage, Dictionary]]:
        return [
            (page, cast(Dictionary, one)) for page in self.pages for one in listed(page.source.get("/Annots"))
        ]

    def metadata(self, key: str) -> str:
        return str(self.pdf.open_metadata().get(key) or "").strip()

    def leads(self, destination: Object | None) -> bool:
        """Whether a destination, or the name of one, is a page of this PDF."""
        if isinstance(destination, String):
            names = entry(self.pdf.Root, "/Names", "/Dests")
            destination = NameTree(names).get(str(destination)) if names is not None else None
        page = next(iter(listed(entry(destination, "/D") or destination)), None)
        return isinstance(page, Dictionary) and page.objgen in {one.source.objgen for one in self.pages}

    @cached_property
    def bookmarks(self) -> list[Dictionary]:
        return list(walked(entry(self.pdf.Root, "/Outlines", "/First"), "/First", "/Next"))

    @cached_property
    def elements(self) -> list[tuple[Dictionary, str]]:
        every = walked(entry(self.pdf.Root, "/StructTreeRoot", "/K"), "/K")
        return [(one, str(one.S)[1:]) for one in every if "/S" in one]

    def owner(self, of: Dictionary, key: str) -> Object | None:
        tree, number = entry(self.pdf.Root, "/StructTreeRoot", "/ParentTree"), of.get(key)
        return None if tree is None or number is None else NumberTree(tree).get(int(number))

    @cached_property
    def owners(self) -> dict[int, list[Object]]:
        return {page.number: listed(self.owner(page.source, "/StructParents")) for page in self.pages}


Find = Callable[[PdfDocument], Iterator[Finding]]
Seen = Callable[[PdfDocument], str]
CHECKS: list[tuple[str, Find, Seen]] = []
"""Every check: its name, the findings that it yields, and what it looked at in words."""


def check(name: str, seen: Seen = lambda document: "") -> Callable[[Find], Find]:
    """A decorator that adds a check."""

    def add(find: Find) -> Find:
        CHECKS.append((name, find, seen))
        return find

    return add
