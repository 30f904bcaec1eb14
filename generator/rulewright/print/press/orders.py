"""Orders for the press: a sheet or a whole rulebook on a certain paper, and the material of its PDF."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar
from unicodedata import normalize

from rulewright.book.library import Edition
from rulewright.book.presswork import Presswork
from rulewright.model.paper import Paper
from rulewright.model.reports import several
from rulewright.print import typesetting
from rulewright.print.long_words import BREAK
from rulewright.print.preflight import Promise
from rulewright.site import drawings
from rulewright.source.problems import Kind, Place, Problem, Severity, kind, shown
from rulewright.source.text import Text
from rulewright.text.insets import beside

FAMILIES = ("Rulewright Sans", "Rulewright Serif", "Rulewright Signs")
"""The typefaces of print; the last has signs that the others lack."""

SMALLEST_DRAWN = 2.5
"""The smallest letters in drawings, in points: those of a hex, or on the edge of a counter."""

# All kinds stand here, where nothing is loaded that prints: they are documented on machines without it too.
NO_GLYPH = kind(
    "no-glyph",
    """A text that is printed has a sign that the type lacks; a box is printed for it. Write it in words, or
    as a picture.""",
    Severity.NOTE,
)
BOX = "□"
"""What is printed for a sign that the type lacks."""
_MOST_SIGNS = 20
UNPRINTABLE = kind("book-not-printable", "What makes PDFs complains of a rulebook, so it was not printed.")
PROOF = "PROOF"
"""The word across each page that is printed with what is wrong with it."""

OVERFLOWS = kind(
    "aid-does-not-fit",
    "A block of a player aid runs over the pages or the panel that the aid has, even with the smallest type.",
)
TOO_WIDE = kind(
    "aid-too-wide",
    "A word or a table of a player aid or a rulebook is wider than its column, even with the smallest type.",
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
    """Options that override a file. `site`: its address. `proof`: print in spite of faults, marked PROOF."""

    paper: Paper | None = None
    ink: str = ""
    marks: bool = False
    bleed: float | None = None
    site: str = ""
    proof: bool = False


@dataclass(frozen=True, slots=True)
class OrderResult:
    """Result of an order: a PDF that holds its promise, and its problems; no PDF where one is an error."""

    pdf: bytes = b""
    problems: tuple[Problem, ...] = ()


class Order(ABC):
    """Something to print. `address` is that of its files on the site, without their endings.

    `place` and `profile_place` are where the content asks for it and for the profile of its press; `fault`
    is the kind of problem that it cannot be printed; `pictures`: of how many pages there are pictures.
    """

    wishes: PrintOptions
    read: ReadFile
    fault: ClassVar[Kind]

    @property
    @abstractmethod
    def address(self) -> str: ...
    @property
    @abstractmethod
    def title(self) -> str: ...
    @property
    @abstractmethod
    def place(self) -> Place: ...
    @property
    @abstractmethod
    def pictures(self) -> int: ...
    @property
    @abstractmethod
    def profile_place(self) -> Place: ...
    @property
    @abstractmethod
    def edition(self) -> Edition: ...
    @property
    @abstractmethod
    def form(self) -> Presswork: ...
    @property
    @abstractmethod
    def words(self) -> tuple[str, ...]: ...
    @property
    @abstractmethod
    def material(self) -> Iterator[bytes]: ...
    @abstractmethod
    def make(self) -> OrderResult: ...

    @cached_property
    def profile(self) -> bytes | None:
        name = self.form.profile
        return self.read(name) if name in self.edition.files | self.edition.shared else None

    def sound(
        self, pictures: Mapping[str, bytes], named: Iterable[Text]
    ) -> tuple[dict[str, bytes], list[Problem]]:
        """Pictures that Typst reads; and a problem for each other one, at the text that names it if known."""
        places = {beside(text.file.name, text): text.place for text in named}
        made: dict[str, bytes] = {}
        unshown: list[Problem] = []
        for name, data in pictures.items():
            try:
                made[name] = typesetting.sound(name, data)
            except typesetting.Refused as why:
                place = places.get(name, self.place)
                unshown.append(self.fault.at(place, f"{why}, so {self.title} was not printed", self.address))
        return made, unshown

    def finished(
        self,
        pdf: bytes,
        problems: Sequence[Problem],
        folds: tuple[tuple[float, ...], ...] = (),
        **promised: Any,
    ) -> OrderResult:
        """Finish a PDF for the press, with what it promises."""
        from rulewright.print.finishing import Finish, finish, profile_fault  # once all that prints is there

        form, marks = self.form, self.wishes.marks
        if self.profile is not None and (why := profile_fault(self.profile)):
            wrong = self.fault.at(self.profile_place, f"{form.profile}: {why}", self.address)
            return OrderResult(problems=(*problems, wrong))
        inks = frozenset(ink.name for ink in form.inks)
        promise = Promise(
            trim=(form.paper.width, form.paper.height),
            bleed=form.bleed,
            drawn=SMALLEST_DRAWN,
            hairline=drawings.THINNEST * min(1.0, promised["smallest"] / drawings.TYPE),
            families=FAMILIES,
            **promised,
        )
        how = Finish(form.bleed, marks, form.ink, form.pdfx, self.profile, inks, folds, promise.written())
        return OrderResult(finish(pdf, how), tuple(problems))


def lacks(signs: Mapping[str, Place], address: str) -> Iterator[Problem]:
    """A note for each of the first signs that the type lacks, at the word that has it; one for the others."""
    todo = f"so {BOX} is printed; write it in words, or as a picture"
    for sign, place in [*signs.items()][:_MOST_SIGNS]:
        yield NO_GLYPH.at(place, f"the type has no {shown(sign)} (U+{ord(sign):04X}), {todo}", address)
    for sign, place in [*signs.items()][_MOST_SIGNS : _MOST_SIGNS + 1]:
        more = f"{several(len(signs) - _MOST_SIGNS, 'more sign')}, first {shown(sign)}"
        yield NO_GLYPH.at(place, f"the type lacks {more}, {todo}", address)


def boxed(data: Any, signs: Mapping[str, Place], names: Collection[str]) -> Any:
    """The data of a template with a box for each of some signs. `names`: of pictures, which stay.

    A line may end behind a box, as it may behind a sign of a script that parts no words.
    """
    if isinstance(data, str) and signs and data not in names:
        return normalize("NFC", data).translate({ord(sign): f"{BOX}{BREAK}" for sign in signs})
    if isinstance(data, Mapping) and signs:
        return {key: value if key == "url" else boxed(value, signs, names) for key, value in data.items()}
    return [boxed(one, signs, names) for one in data] if isinstance(data, list | tuple) and signs else data
