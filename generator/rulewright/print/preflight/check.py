"""The registry of checks: a check is a function that yields the findings of a PDF, with what it saw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pikepdf import Dictionary, Pdf

from rulewright.print.preflight.destinations import Destinations, outline_items
from rulewright.print.preflight.expected import Expected
from rulewright.print.preflight.geometry import PdfPage, pages_of
from rulewright.print.preflight.paint import Painting, Picture, Text
from rulewright.print.preflight.painter import SharedResources, painted
from rulewright.print.preflight.report import Finding
from rulewright.print.preflight.streams import Effort


class PdfDocument:
    """A PDF under preflight: its pages, what each of them paints, and what is promised of it."""

    def __init__(self, pdf: Pdf, expected: Expected, effort: Effort) -> None:
        self.pdf, self.expected = pdf, expected
        self.pages = list(pages_of(pdf))
        shared = SharedResources(effort)
        self.paintings = [painted(page, shared) for page in self.pages]

    @property
    def painted(self) -> Iterator[tuple[PdfPage, Painting]]:
        """The pages with what they paint."""
        return zip(self.pages, self.paintings, strict=True)

    @cached_property
    def texts(self) -> list[Text]:
        """The texts of all pages that show a glyph."""
        return [text for painting in self.paintings for text in painting.texts if text.letters]

    @cached_property
    def pictures(self) -> list[Picture]:
        """The pictures of all pages."""
        return [picture for painting in self.paintings for picture in painting.pictures]

    @cached_property
    def links(self) -> list[tuple[PdfPage, Dictionary]]:
        """The links of all pages."""
        return [(page, link) for page in self.pages for link in page.annotations("/Link")]

    @cached_property
    def destinations(self) -> Destinations:
        """The places that links and bookmarks may lead to."""
        return Destinations(self.pdf)

    @cached_property
    def bookmarks(self) -> list[Dictionary]:
        """The bookmarks in order."""
        return list(outline_items(self.pdf))


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


def collect(into: list[Check]) -> Callable[..., Callable[[Find], Find]]:
    """A decorator that adds a check to a list: `@check("bleed", asked=lambda expected: expected.bleed)`."""

    def check(
        name: str,
        *,
        asked: Callable[[Expected], object] = lambda expected: True,
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
