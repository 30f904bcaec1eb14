"""Orders for the press: a sheet or a whole rulebook on a certain paper, and the material of its PDF."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from unicodedata import normalize

from rulewright.book.library import Edition
from rulewright.book.print_requirements import PrintRequirements
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import (
    Problem,
    ProblemType,
    Severity,
    SourceLocation,
    problem_type,
    quote_short,
)
from rulewright.print import typst_compiler
from rulewright.print.line_break_points import BREAK
from rulewright.print.preflight import PrintSpec
from rulewright.render import drawings
from rulewright.schema.inline_images import sibling_name
from rulewright.schema.paper import Paper
from rulewright.schema.problem_reports import plural

FAMILIES = ("Rulewright Sans", "Rulewright Serif", "Rulewright Signs")
"""The typefaces of print; the last has signs that the others lack."""

SMALLEST_DRAWN = 2.5
"""The smallest letters in drawings, in points: those of a hex, or on the edge of a counter."""

# All kinds stand here, where nothing is loaded that prints: they are documented on machines without it too.
NO_GLYPH = problem_type(
    "no-glyph",
    """A text that is printed has a sign that the type lacks; a box is printed for it. Write it in words, or
    as a picture.""",
    Severity.NOTE,
)
BOX = "□"
"""What is printed for a sign that the type lacks."""
_MOST_SIGNS = 20
UNPRINTABLE = problem_type(
    "book-not-printable", "What makes PDFs complains of a rulebook, so it was not printed."
)
PROOF = "PROOF"
"""The word across each page that is printed with what is wrong with it."""

OVERFLOWS = problem_type(
    "aid-does-not-fit",
    "A block of a player aid runs over the pages or the panel that the aid has, even with the smallest type.",
)
TOO_WIDE = problem_type(
    "aid-too-wide",
    "A word or a table of a player aid or a rulebook is wider than its column, even with the smallest type.",
)
UNFILLED = problem_type(
    "aid-does-not-fill",
    "A player aid fills fewer pages than it declares, even with the largest type.",
    Severity.WARNING,
)
COARSE = problem_type(
    "picture-too-coarse", "A picture of a player aid has fewer than 300 dots to the inch at its printed size."
)
FAULT = problem_type("aid-not-printable", "What makes PDFs complains of a player aid, so it was not printed.")

ReadFile = Callable[[str], bytes]
"""Reads a file of the content by its name; raises OSError."""


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """Options that override a file. `site`: its address. `proof`: print in spite of faults, marked PROOF."""

    paper: Paper | None = None
    ink: str = ""
    marks: bool = False
    bleed: float | None = None
    site: str = ""
    proof: bool = False


@dataclass(frozen=True, slots=True)
class PrintJobResult:
    """Result of an order: a PDF that holds its promise, and its problems; no PDF where one is an error."""

    pdf: bytes = b""
    problems: tuple[Problem, ...] = ()


class PrintJob(ABC):
    """Something to print. `address` is that of its files on the site, without their endings.

    `place` is where the content asks for it; `fault`
    is the kind of problem that it cannot be printed; `pictures`: of how many pages there are pictures.
    """

    options: PrintOptions
    read: ReadFile
    fault: ClassVar[ProblemType]

    @property
    @abstractmethod
    def address(self) -> str: ...
    @property
    @abstractmethod
    def title(self) -> str: ...
    @property
    @abstractmethod
    def place(self) -> SourceLocation: ...
    @property
    @abstractmethod
    def pictures(self) -> int: ...
    @property
    @abstractmethod
    def edition(self) -> Edition: ...
    @property
    @abstractmethod
    def form(self) -> PrintRequirements: ...
    @property
    @abstractmethod
    def words(self) -> tuple[str, ...]: ...
    @property
    @abstractmethod
    def cache_inputs(self) -> Iterator[bytes]: ...
    @abstractmethod
    def make(self) -> PrintJobResult: ...

    def usable_images(
        self, pictures: Mapping[str, bytes], named: Iterable[LocatedText]
    ) -> tuple[dict[str, bytes], list[Problem]]:
        """Pictures that Typst reads; and a problem for each other one, at the text that names it if known."""
        places = {sibling_name(text.file.name, text): text.place for text in named}
        made: dict[str, bytes] = {}
        unshown: list[Problem] = []
        for name, data in pictures.items():
            try:
                made[name] = typst_compiler.repair_image(name, data)
            except typst_compiler.TypstError as why:
                place = places.get(name, self.place)
                unshown.append(
                    self.fault.problem(place, f"{why}, so {self.title} was not printed", self.address)
                )
        return made, unshown

    def finished(
        self,
        pdf: bytes,
        problems: Sequence[Problem],
        folds: tuple[tuple[float, ...], ...] = (),
        **promised: Any,
    ) -> PrintJobResult:
        """Finish a PDF for the press, with what it promises."""
        from rulewright.print.pdf_finishing import FinishOptions, finish_pdf  # needs the extra pdf

        form, marks = self.form, self.options.marks
        inks = frozenset(ink.name for ink in form.inks)
        promise = PrintSpec(
            trim=(form.paper.width, form.paper.height),
            bleed=form.bleed,
            drawn=SMALLEST_DRAWN,
            hairline=drawings.THINNEST * min(1.0, promised["smallest"] / drawings.TYPE),
            families=FAMILIES,
            **promised,
        )
        how = FinishOptions(form.bleed, marks, form.ink, inks, folds, promise.to_json())
        return PrintJobResult(finish_pdf(pdf, how), tuple(problems))


def missing_glyph_problems(signs: Mapping[str, SourceLocation], address: str) -> Iterator[Problem]:
    """A note for each of the first signs that the type lacks, at the word that has it; one for the others."""
    todo = f"so {BOX} is printed; write it in words, or as a picture"
    for sign, place in [*signs.items()][:_MOST_SIGNS]:
        yield NO_GLYPH.problem(
            place, f"the type has no {quote_short(sign)} (U+{ord(sign):04X}), {todo}", address
        )
    for sign, place in [*signs.items()][_MOST_SIGNS : _MOST_SIGNS + 1]:
        more = f"{plural(len(signs) - _MOST_SIGNS, 'more sign')}, first {quote_short(sign)}"
        yield NO_GLYPH.problem(place, f"the type lacks {more}, {todo}", address)


def replace_missing_glyphs(data: Any, signs: Mapping[str, SourceLocation], names: Collection[str]) -> Any:
    """The data of a template with a box for each of some signs. `names`: of pictures, which stay.

    A line may end behind a box, as it may behind a sign of a script that parts no words.
    """
    if isinstance(data, str) and signs and data not in names:
        return normalize("NFC", data).translate({ord(sign): f"{BOX}{BREAK}" for sign in signs})
    if isinstance(data, Mapping) and signs:
        return {
            key: value if key == "url" else replace_missing_glyphs(value, signs, names)
            for key, value in data.items()
        }
    return (
        [replace_missing_glyphs(one, signs, names) for one in data]
        if isinstance(data, list | tuple) and signs
        else data
    )
