"""Orders for the press: a sheet or a whole rulebook on a certain paper, and the material of its PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from rulewright.book.sheet import Plan, Sheet
from rulewright.citations.blocks import Panel, parts, pictures_of
from rulewright.model.paper import Paper
from rulewright.print import copyfitting, engine, sheet_html
from rulewright.print.preflight import Expected
from rulewright.print.press.plain_text import words_of
from rulewright.print.press.printed_sheets import mark_of
from rulewright.site.context import Desk
from rulewright.source.problems import Place, Problem, kind

RULEBOOK = "rulebook"
"""The name of an edition's whole book, among those of its aids."""

FAMILY = "Plex"
UNPRINTABLE = kind(
    "book-not-printable",
    "What makes PDFs complains of a rulebook: mostly of a character that the type does not have.",
)

ReadFile = Callable[[str], bytes]
"""Reads a file of the content by its name; raises OSError."""


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """Options for printing otherwise than a file says. `site`: where the site will stand."""

    paper: Paper | None = None
    ink: str = ""
    marks: bool = False
    bleed: float | None = None
    site: str = ""


@dataclass(frozen=True, slots=True)
class OrderResult:
    """Result of an order: a PDF, its promises and its problems; no PDF where one of these is an error."""

    pdf: bytes = b""
    expected: Expected = field(default_factory=Expected)
    problems: tuple[Problem, ...] = ()


class Order(Protocol):
    """Something to print. `address` is that of its files on the site, without their endings."""

    @property
    def address(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def place(self) -> Place: ...
    @property
    def words(self) -> tuple[str, ...]: ...
    @property
    def material(self) -> Iterator[bytes]: ...
    def make(self) -> OrderResult: ...


@dataclass(frozen=True)
class SheetOrder:
    """A player aid."""

    sheet: Sheet
    desk: Desk
    wishes: PrintOptions
    read: ReadFile

    @property
    def address(self) -> str:
        return self.sheet.address

    @property
    def title(self) -> str:
        return f"{self.sheet.edition.title}: {self.sheet}"

    @property
    def place(self) -> Place:
        return self.sheet.aid.title.place

    @cached_property
    def panels(self) -> list[Panel]:
        return parts(self.sheet, self.desk.shelf)

    @cached_property
    def plan(self) -> Plan:
        """The sheet's plan with the options applied."""
        plan = self.sheet.plan if self.wishes.paper is None else self.sheet.plan.on(self.wishes.paper)
        bleed = plan.bleed if self.wishes.bleed is None else self.wishes.bleed
        return replace(plan, ink=self.wishes.ink or plan.ink, bleed=bleed)

    @cached_property
    def at(self) -> sheet_html.SheetCompositor:
        return sheet_html.SheetCompositor(self.address, self.desk, site=self.wishes.site)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words of the sheet, whatever it is printed on."""
        at = sheet_html.SheetCompositor(self.address, self.desk)
        return words_of(
            sheet_html.html(sheet_html.SheetJob(self.sheet, tuple(self.panels), at, self.sheet.plan))
        )

    @cached_property
    def job(self) -> sheet_html.SheetJob:
        """The sheet as input for copyfitting."""
        site = self.wishes.site
        imprint = sheet_html.Imprint(mark_of(self.words), f"{site}{self.address}/" if site else "")
        edges = engine.Edges(self.plan.bleed, self.wishes.marks, self.plan.ink == "black")
        at = sheet_html.SheetCompositor(self.address, self.desk, site=site)
        pictures = {name: self.read(name) for name in pictures_of(self.panels) if at.src(name)}
        return sheet_html.SheetJob(self.sheet, tuple(self.panels), at, self.plan, edges, imprint, pictures)

    @property
    def material(self) -> Iterator[bytes]:
        """Everything that the PDF is made of, as bytes, for its hash."""
        yield sheet_html.html(self.job).encode()
        largest = [sheet_html.TypeSpec(self.plan.largest) for _ in sheet_html.type_areas(self.job)]
        yield "\n".join(sheet_html.styles(self.job, largest)).encode()
        yield repr((self.plan, self.job.edges)).encode()
        for name, data in sorted(self.job.files().items()):
            yield from (name.encode(), data)

    def make(self) -> OrderResult:
        """Print the PDF, with type as large as fits."""
        fitted, problems = copyfitting.fit(self.job)
        if fitted is None:
            return OrderResult(problems=tuple(problems))
        printed = fitted.laid.print()
        faults = [UNPRINTABLE.at(self.place, words, self.address) for words in printed.faults]
        expected = Expected(
            pages=self.plan.pages,
            trim=(self.plan.paper.width, self.plan.paper.height),
            bleed=self.plan.bleed or None,
            marks=self.wishes.marks,
            ink=self.plan.ink,
            smallest=self.plan.smallest,
            folds=self.plan.folds if self.plan.fold != "none" else (),
            families=frozenset({FAMILY}),
            language="en",
            bookmarks=True,
            tagged=True,
        )
        return OrderResult(b"" if faults else printed.pdf, expected, (*problems, *faults))
