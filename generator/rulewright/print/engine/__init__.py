"""The only room that knows the PDF engine: HTML is laid out, measured, and printed as tagged PDF/UA-1.

    html ──lay_out──► PagedLayout ──measured by `copyfitting`; PagedLayout.print──► PrintedPdf

HTML names styles and pictures by addresses that begin with `print:/`: a face as `print:/fonts/NAME`, any
other file by its name among the `files` that come with the HTML. Nothing else can be fetched, from a disk or
a network, and no font of the machine is used, so that the same HTML gives the same bytes everywhere.

The engine falls back in silence or with a warning; here every warning is a fault that the caller reports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from rulewright.print.engine.boxes import LayoutBox, layout_boxes
from rulewright.print.engine.column_balance import balance_columns
from rulewright.print.engine.edges import Edges, crop_marks
from rulewright.print.engine.gradients import ink_gradients
from rulewright.print.engine.page_numbers import fill_page_numbers
from rulewright.print.engine.sandbox import (
    ADDRESS,
    Files,
    characters,
    complaints,
    engine,
    faces,
    fonts,
    read,
    style,
    without_garbage_collection,
)
from rulewright.print.engine.tags import fill_items, mark_margins

VARIANT = "pdf/ua-1"
PLAIN = Edges()

NEIGHBOUR = "beside:"
"""Prefix of the addresses of links that lead from the PDF to its neighbours on the site."""

INSTALL = "pip install 'rulewright[pdf]'"


@cache
def missing() -> str:
    """Name a thing missing for printing, with the command that installs it; empty where none is."""
    try:
        engine()
    except ImportError:
        return f"WeasyPrint, which prints sheets, is not installed; to install it: {INSTALL}"
    except OSError as error:
        library = str(error).split("'")[1] if "'" in str(error) else "pango"
        return (
            f"the library {library}, which WeasyPrint sets type with, is not installed; to install it: "
            "apt install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 (macOS: brew install pango)"
        )
    from weasyprint.text import ffi

    if ffi.harfbuzz_subset is None:  # fonts would be cut by other code, with another result every time
        return "HarfBuzz's subsetter is not installed; to install it: apt install libharfbuzz-subset0"
    return ""


@dataclass(frozen=True, slots=True)
class PrintedPdf:
    """A finished PDF: its bytes, how many pages it has, and what the engine complained of."""

    pdf: bytes
    pages: int
    faults: tuple[str, ...] = ()


@dataclass(slots=True)
class PagedLayout:
    """A layout of HTML on pages. `faults` are the engine's complaints so far."""

    document: Any
    edges: Edges
    faults: tuple[str, ...]

    @property
    def pages(self) -> int:
        return len(self.document.pages)

    @property
    def anchors(self) -> dict[str, int]:
        """Page, counted from 1, on which each element with an id begins."""
        found: dict[str, int] = {}
        for number, page in enumerate(self.document.pages, 1):
            for name in page.anchors:
                found.setdefault(name, number)
        return found

    def fill_page_numbers(self, pages: Mapping[str, str]) -> None:
        """Fill in page numbers where an element says by `data-at` whose page it names.

        What stands there has at least as many figures, all equally wide: no line breaks elsewhere for it.
        """
        for at, page in enumerate(self.document.pages):
            if fill_page_numbers(page._page_box, pages):
                self.document.pages[at] = type(page)(page._page_box)  # so that links lie on what they say

    def balance_columns(self) -> None:
        """Push blocks in columns apart until these end alike, and at the foot of the page if that is near."""
        for at, page in enumerate(self.document.pages):
            box = page._page_box
            if balance_columns(box):
                self.document.pages[at] = type(page)(box)  # which notes where its links lead from

    def boxes(self) -> Iterator[LayoutBox]:
        """Every box of every page, each behind those around it."""
        for number, page in enumerate(self.document.pages):
            yield from layout_boxes(page._page_box, number)

    def glyphs_missing(self) -> Iterator[tuple[str, LayoutBox]]:
        """The characters that the faces do not have, each with the run of text it first stands in."""
        known = characters()
        seen: set[str] = set()
        for box in self.boxes():
            for character in sorted(set(box.words) - known - seen):
                seen.add(character)
                yield character, box

    def print(self) -> PrintedPdf:
        """Write the layout as PDF."""
        with complaints() as said, without_garbage_collection():
            pdf = self.document.write_pdf(
                pdf_variant=VARIANT, finisher=self._finish, uncompressed_pdf=False, full_fonts=False
            )
        return PrintedPdf(pdf, self.pages, (*self.faults, *said))

    def _finish(self, document: Any, pdf: Any) -> None:
        """Set the bleed that the engine guesses, and draw crop marks, which it would draw in RGB."""
        pages = [one for one in pdf.objects if isinstance(one, dict) and one.get("Type") == "/Page"]
        mark_margins(pdf, pages)
        fill_items(pdf)
        ink_gradients(pdf, self.edges.black)
        for link in (one for one in pdf.objects if isinstance(one, dict) and one.get("Subtype") == "/Link"):
            action = link.get("A", {})
            if "URI" in action:
                action["URI"].string = str(action["URI"].string).removeprefix(NEIGHBOUR)
        for page in pages:
            trim = [float(edge) for edge in page["TrimBox"]]
            bleed = self.edges.bleed * 72 / 25.4
            left, bottom, right, top = trim[0] - bleed, trim[1] - bleed, trim[2] + bleed, trim[3] + bleed
            page["BleedBox"][:] = [left, bottom, right, top]
            if self.edges.marks:
                import pydyf

                marks = pydyf.Stream([crop_marks(trim, self.edges)], compress=True)
                pdf.add_object(marks)
                page["Contents"] = pydyf.Array([page["Contents"], marks.reference])


def lay_out(
    html: str, styles: tuple[str, ...] = (), files: Files | None = None, edges: Edges = PLAIN
) -> PagedLayout:
    """Lay HTML out with style sheets, which are texts. `missing()` has to be empty.

    `files`: the pictures, by the names that addresses end with. Reports by `PagedLayout.faults`.
    """
    with complaints() as said, without_garbage_collection():
        around = f"@page {{ bleed: {edges.around:.4f}mm }}"
        sheets = [style(text) for text in (faces(), *styles, around)]
        document = read(html, tuple(sorted((files or {}).items()))).render(
            stylesheets=sheets, font_config=fonts(), pdf_variant=VARIANT
        )
    return PagedLayout(document, edges, tuple(said))


def print_pdf(
    html: str,
    styles: tuple[str, ...] = (),
    files: Files | None = None,
    edges: Edges = PLAIN,
) -> PrintedPdf:
    """Print HTML as PDF, in one go. Its language, title and author stand in the HTML's head."""
    return lay_out(html, styles, files, edges).print()


__all__ = [
    "ADDRESS",
    "NEIGHBOUR",
    "PLAIN",
    "Edges",
    "Files",
    "LayoutBox",
    "PagedLayout",
    "PrintedPdf",
    "characters",
    "lay_out",
    "missing",
    "print_pdf",
]
