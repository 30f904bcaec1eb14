"""Orders for the press: a sheet or a whole rulebook on a certain paper, and the material of its PDF."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar
from unicodedata import category, normalize

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
from rulewright.print.pdf_preflight import PrintSpec
from rulewright.print.press_pictures import PictureError, press_picture
from rulewright.render import drawings
from rulewright.render.responsive_images import size_of
from rulewright.schema.inline_images import sibling_name
from rulewright.schema.paper import Paper

FAMILIES = ("Rulewright Sans", "Rulewright Serif", "Rulewright Signs")
"""The typefaces of print; the last has signs that the others lack."""

SMALLEST_DRAWN = 2.5
"""The smallest letters in drawings, in points: those of a hex, or on the edge of a counter."""

# All kinds stand here, where nothing is loaded that prints: they are documented on machines without it too.
NO_GLYPH = problem_type(
    "no-glyph", "A text that is printed has a sign that the type lacks. Write it in words, or as a picture."
)
OWN_TEMPLATES = "templates/print"
"""The folder of a project's own templates."""
BOX = "□"
"""What a proof has for a sign that the type lacks."""
_MOST_SIGNS = 20
_UNSEEN = ("Cc", "Cf", "Zl", "Zp", "Zs")
"""Categories of signs that need no glyph."""
_VARIANTS = range(0xFE00, 0xFE10)
UNPRINTABLE = problem_type(
    "book-not-printable", "What makes PDFs complains of a rulebook, so it was not printed."
)

OVERFLOWS = problem_type(
    "aid-does-not-fit",
    "A block of a player aid does not fit on the pages or the panel that the aid has.",
)
TOO_WIDE = problem_type(
    "aid-too-wide",
    "A word or a table of a player aid or a rulebook is wider than its column.",
)
UNFILLED = problem_type(
    "aid-does-not-fill",
    "A player aid fills fewer pages than it declares.",
    Severity.WARNING,
)
FAULT = problem_type("aid-not-printable", "What makes PDFs complains of a player aid, so it was not printed.")

ReadFile = Callable[[str], bytes]
"""Reads a file of the content by its name; raises OSError."""


@dataclass(frozen=True, slots=True)
class PressPictures:
    """Pictures for Typst."""

    data: dict[str, dict[str, Any]]
    """The file and the size in pixels of each, by the name in the content folder."""
    files: dict[str, bytes]


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """Options that override a file. `site`: its address. `proof`: print in spite of faults, marked PROOF."""

    paper: Paper | None = None
    ink: str = ""
    marks: bool = False
    bleed: float | None = None
    site: str = ""
    proof: bool = False
    x1a: bool = False


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

    def press_pictures(
        self, pictures: Mapping[str, bytes], texts: Iterable[LocatedText]
    ) -> tuple[PressPictures, list[Problem]]:
        """Return pictures for Typst, and a problem for each other, at the text that names it if known."""
        places = {sibling_name(text.file.name, text): text.place for text in texts}
        made = PressPictures({}, {})
        problems: list[Problem] = []
        for name, content in pictures.items():
            try:
                file, made.files[file] = press_picture(name, content, is_black=self.form.ink == "black")
            except PictureError as error:
                message = f"{error}, so {self.title} was not printed"
                problems.append(self.fault.problem(places.get(name, self.place), message, self.address))
                continue
            # Typst itself would take a picture for as large as the dpi of its file says.
            size = size_of(name, content) or (0, 0)
            made.data[name] = {"file": file, "width": size[0], "height": size[1]}
        return made, problems

    def without_missing_glyphs(
        self, data: Mapping[str, Any], pictures: Collection[str]
    ) -> tuple[Mapping[str, Any], list[Problem]]:
        """Return data with boxes for signs that the type lacks, and a problem for each of the first."""
        used = set(normalize("NFC", json.dumps(data, ensure_ascii=False)))
        signs = sorted(
            sign
            for sign in used.difference(typst_compiler.available_glyphs())
            if category(sign) not in _UNSEEN and ord(sign) not in _VARIANTS
        )
        problems = [
            NO_GLYPH.problem(
                self.locate(sign),
                f"the type has no {quote_short(sign)} (U+{ord(sign):04X}); write it in words or as a picture",
                self.address,
            )
            for sign in signs[:_MOST_SIGNS]
        ]
        return (replace_glyphs(data, "".join(signs), pictures) if signs else data), problems

    @cached_property
    def own_templates(self) -> dict[str, bytes]:
        """The templates of the project that replace ours."""
        templates: dict[str, bytes] = {}
        for name in typst_compiler.template_files():
            with suppress(OSError, LookupError):
                templates[name] = self.read(f"{OWN_TEMPLATES}/{name}")
        return templates

    def locate(self, words: str) -> SourceLocation:
        """Return where words are written first: in the file of a sheet, or in those of its edition."""
        editions = self.edition.with_series
        names = sorted(name for edition in editions for name in edition.files | edition.shared)
        for name in (self.place.file, *names):
            if name.endswith((".yml", ".md")):
                with suppress(OSError):
                    text = normalize("NFC", self.read(name).decode("utf-8", "replace"))
                    if (offset := text.find(words)) >= 0:
                        line = text.count("\n", 0, offset) + 1
                        return SourceLocation(name, line, offset - text.rfind("\n", 0, offset))
        return self.place

    def compile(
        self, template: str, data: Mapping[str, Any], pictures: PressPictures
    ) -> typst_compiler.CompiledPdf:
        """Set a template with everything that all templates are told."""
        form, options = self.form, self.options
        given = {
            **data,
            "pictures": pictures.data,
            "press": {"marks": options.marks, "black": form.ink == "black", "proof": options.proof},
        }
        return typst_compiler.compile_pdf(
            template,
            given,
            pictures.files,
            label="report",
            own_templates=self.own_templates,
            standard="1.4" if options.x1a else "1.7" if options.proof else "ua-1",
        )

    def finished(
        self,
        pdf: bytes,
        problems: Sequence[Problem],
        **promised: Any,
    ) -> PrintJobResult:
        """Finish a PDF for the press, with its print spec."""
        from rulewright.print.pdf_finishing import FinishOptions, finish_pdf  # needs the extra pdf

        form, x1a = self.form, self.options.x1a
        promise = PrintSpec(
            trim=(form.paper.width, form.paper.height),
            bleed=form.bleed,
            drawn=SMALLEST_DRAWN,
            hairline=drawings.THINNEST * min(1.0, promised["smallest"] / drawings.TYPE),
            families=FAMILIES,
            x1a=x1a,
            **promised,
        )
        how = FinishOptions(form.bleed, form.ink == "black", x1a, promise.to_json())
        return PrintJobResult(finish_pdf(pdf, how), tuple(problems))


def replace_glyphs(data: Any, signs: str, pictures: Collection[str]) -> Any:
    """Return the data of a template with a box for each of some signs."""
    if isinstance(data, str):
        if data in pictures:
            return data
        return normalize("NFC", data).translate({ord(sign): BOX for sign in signs})
    if isinstance(data, Mapping):
        urls = {"url": data["url"]} if "url" in data else {}
        return {key: replace_glyphs(value, signs, pictures) for key, value in data.items()} | urls
    return [replace_glyphs(one, signs, pictures) for one in data] if isinstance(data, list | tuple) else data
