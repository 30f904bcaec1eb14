"""Orders for the press: a sheet or a whole rulebook on a certain paper, and the material of its PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from rulewright.model.paper import Paper
from rulewright.print import typesetting
from rulewright.print.preflight import Expected
from rulewright.print.words import Words
from rulewright.source.problems import Place, Problem, Severity, kind, shown

RULEBOOK = "rulebook"
"""The name of an edition's whole book, among those of its aids."""

FAMILIES = frozenset({"Rulewright Sans", "Rulewright Serif"})
"""The typefaces of print."""

SMALLEST_DRAWN = 2.5
"""The smallest letters in drawings, in points: those of a hex, or on the edge of a counter."""

THINNEST = 0.19
"""The thinnest line, in points: that of a symbol which stands as small as words do."""

# All kinds stand here, where nothing is loaded that prints: they are documented on machines without it too.
NO_GLYPH = kind(
    "no-glyph", "A text that is printed has a sign that the type lacks. Write it in words, or as a picture."
)
UNPRINTABLE = kind("book-not-printable", "What makes PDFs complains of a rulebook, so it was not printed.")
OVERFLOWS = kind(
    "aid-does-not-fit",
    "A block of a player aid runs over the pages or the panel that the aid has, even with the smallest type.",
)
TOO_WIDE = kind(
    "aid-too-wide", "A word or a table of a player aid is wider than its column, even with the smallest type."
)
UNFILLED = kind(
    "aid-does-not-fill",
    "A player aid fills fewer pages than it declares, even with the largest type.",
    Severity.WARNING,
)
COARSE = kind(
    "picture-too-coarse", "A picture of a player aid has fewer than 300 dots to the inch at its printed size."
)
FAULT = kind("aid-not-printable", "What makes PDFs complains of a player aid, so it was not printed.")

ReadFile = Callable[[str], bytes]
"""Reads a file of the content by its name; raises OSError."""


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """Options for printing otherwise than a file says. `site`: where the site will stand.

    `proof`: print what is wrong as well, and say PROOF across each page.
    """

    paper: Paper | None = None
    ink: str = ""
    marks: bool = False
    bleed: float | None = None
    site: str = ""
    proof: bool = False


@dataclass(frozen=True, slots=True)
class OrderResult:
    """Result of an order: a PDF, its promises and its problems; no PDF where one of these is an error."""

    pdf: bytes = b""
    expected: Expected = field(default_factory=Expected)
    problems: tuple[Problem, ...] = ()


class Order(Protocol):
    """Something to print. `address` is that of its files on the site, without their endings.

    `pictures`: of how many of its pages there are pictures.
    """

    @property
    def address(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def place(self) -> Place: ...
    @property
    def pictures(self) -> int: ...
    @property
    def wishes(self) -> PrintOptions: ...
    @property
    def words(self) -> tuple[str, ...]: ...
    @property
    def material(self) -> Iterator[bytes]: ...
    def make(self) -> OrderResult: ...


def lacks(words: Words, address: str) -> Iterator[Problem]:
    """A problem for each sign that the type lacks, at the word that has it first."""
    for place, sign in words.lacking(typesetting.glyphs()):
        message = f"the type has no {shown(sign)} (U+{ord(sign):04X}); write it in words, or as a picture"
        yield NO_GLYPH.at(place, message, address)
