"""Print jobs: the steps that make the PDF of a player aid or a rulebook.

data + pictures ──Typst──► pages ──finish──► PDF for the press ──preflight──► PDF and problems
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar
from unicodedata import normalize

from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.print_palette import house_palette, print_date, role_inks
from rulewright.book.print_requirements import PrintRequirements
from rulewright.files import disk_cache
from rulewright.files.problems import (
    Problem,
    ProblemType,
    SourceFile,
    SourceLocation,
    errors,
    quote_short,
)
from rulewright.print import typst_compiler
from rulewright.print.node_writer import NodeWriter, word_lines
from rulewright.print.press_pictures import PictureError, press_picture
from rulewright.print.print_spec import PrintSpec
from rulewright.print.typst_compiler import CompiledPdf, Standard, TypstError
from rulewright.references import site_paths
from rulewright.render.render_context import RenderContext
from rulewright.render.responsive_images import size_of
from rulewright.schema import print_problems
from rulewright.schema.paper import Paper
from rulewright.sequence.actors import actor_colours

SMALLEST, SMALLEST_DRAWN = 7.5, 2.5
"""Minimum size of type, and of letters in drawings: those of a hex, or on the edge of a counter."""

HAIRLINE, HAIRLINE_DRAWN = 0.25, 0.1
"""Minimum thickness of lines in points, and of those on pieces to cut out."""

OWN_TEMPLATES = "templates/print"
"""Folder of a project's own templates."""

ReadFile = Callable[[str], bytes]
"""Reads a file of the content by its name; raises OSError."""


@dataclass(frozen=True, slots=True)
class PrintOptions:
    """Options that override the file of a sheet. `site` is the URL of the site."""

    paper: Paper | None = None
    ink: str = ""
    marks: bool = False
    bleed: float | None = None
    site: str = ""
    proof: bool = False
    """Faulty sheets are printed too, with PROOF across each page."""
    x1a: bool = False


@dataclass(frozen=True, slots=True)
class PrintResult:
    """PDF of a job and its problems; without a PDF if one of them is an error."""

    pdf: bytes = b""
    problems: tuple[Problem, ...] = ()
    pictures: tuple[bytes, ...] = ()
    """Images of the pages that the site shows."""
    seconds: float = 0.0
    """Time that it took; 0 if it comes from the cache."""
    words: str = ""
    """Short hash of its words, of a sheet that is recorded."""


@dataclass(frozen=True, slots=True)
class PressPictures:
    """Pictures for Typst."""

    data: dict[str, dict[str, Any]]
    """The file and the size in pixels of each, by the name in the content folder."""
    files: dict[str, bytes]


def words_digest_short(lines: Iterable[str]) -> str:
    """Return the short hash of the words of a sheet."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8]


class PrintJob(ABC):
    """Something to print. Its address is that of its files on the site, without their endings."""

    context: RenderContext
    options: PrintOptions
    read: ReadFile

    template: ClassVar[str]
    fault: ClassVar[ProblemType]
    """Type of the problem that it cannot be printed."""
    worded: ClassVar[tuple[str, ...]]
    """Keys of the data that hold its words."""
    has_brackets: ClassVar[bool] = False
    """References alone in parentheses are in brackets."""

    @property
    @abstractmethod
    def address(self) -> str: ...
    @property
    @abstractmethod
    def title(self) -> str: ...
    @property
    @abstractmethod
    def place(self) -> SourceLocation:
        """The place in the content that asks for it."""

    @property
    @abstractmethod
    def edition(self) -> Edition: ...
    @property
    @abstractmethod
    def form(self) -> PrintRequirements:
        """Paper and inks, with the options applied."""

    @property
    @abstractmethod
    def image_count(self) -> int:
        """Number of pages of which the site shows an image."""

    @property
    @abstractmethod
    def data(self) -> Mapping[str, Any]:
        """Data of the template, besides those of `template_data`.

        `amended`: date of the newest erratum in it; empty if there is none.
        """

    @property
    def palette(self) -> Mapping[str, list[float]]:
        """The inks of the house style and of actors, by name and style."""
        book, is_black = self.edition.book, self.form.ink == "black"
        palette = house_palette(book, is_black=is_black)
        return palette if is_black else palette | role_inks(actor_colours(book))

    @abstractmethod
    def ink_name(self, key: str) -> str:
        """Return the name in the palette of what is printed in a spot ink."""

    @property
    def lines(self) -> tuple[str, ...]:
        """All words, whatever they are printed on."""
        data = self.unchanged.data
        return tuple(filter(None, word_lines([data[key] for key in self.worded])))

    @property
    def unchanged(self) -> PrintJob:
        """The job without options that change its words."""
        return self

    @abstractmethod
    def layout_problems(self, compiled: CompiledPdf, pictures: PressPictures) -> Iterator[Problem]:
        """Yield what the template reports: blocks that do not fit, words that are too wide."""

    @abstractmethod
    def spec(self, pages: int) -> PrintSpec: ...

    @cached_property
    def writer(self) -> NodeWriter:
        outline = self.context.index.outlines[self.edition.address]
        return NodeWriter(self.context, outline, self.link_target, self.has_brackets)

    def link_target(self, entry: RuleEntry) -> Mapping[str, str]:
        """Return where a reference to a rule leads: its URL, if that of the site is known."""
        site, path = self.options.site, site_paths.path_and_anchor(entry)
        return {"url": site_paths.absolute_link(site, *path)} if site else {}

    @cached_property
    def pictures(self) -> Mapping[str, bytes]:
        """Files of the content and drawings that the pages show, by name."""
        assert self.data  # the writer collects the pictures
        present = self.edition.files | self.edition.shared
        names = (name for name in self.writer.pictures if name in present)
        return {name: self.read(name) for name in names} | self.writer.drawings_by_name

    @cached_property
    def own_templates(self) -> dict[str, bytes]:
        """The templates of the project that replace the program's."""
        templates: dict[str, bytes] = {}
        for name in typst_compiler.template_files():
            with suppress(OSError, LookupError):
                templates[name] = self.read(f"{OWN_TEMPLATES}/{name}")
        return templates

    @cached_property
    def template_data(self) -> Mapping[str, Any]:
        """Data of the template with those of every template."""
        form, spots = self.form, {}
        for ink in form.inks if form.ink != "black" else ():
            spots[self.ink_name(ink.key)] = {"name": ink.name, "cmyk": ink.cmyk}
        return {
            "language": self.edition.language,
            "paper": {"width": form.paper.width, "height": form.paper.height, "bleed": form.bleed},
            "palette": self.palette,
            "spots": spots,
            "pdf-date": print_date(self.data["amended"], self.edition),
            **self.data,
        }

    @property
    def cache_key(self) -> str:
        """Hash of all inputs of the PDF except the program."""
        settings = (self.address, self.title, self.form, self.options, self.own_templates)
        data, pictures = json.dumps(self.template_data), self.pictures
        return disk_cache.cache_key(data, repr(settings), *pictures, *pictures.values())

    def make(self) -> PrintResult:
        """Make the PDF and check it."""
        from rulewright.print.pdf_finishing import finish_pdf  # needs the extra pdf
        from rulewright.print.pdf_preflight import run_preflight

        pictures, problems = self.press_pictures()
        if problems:
            return PrintResult(problems=tuple(problems))
        is_proof, is_x1a = self.options.proof, self.options.x1a
        try:
            compiled = self.compile(self.template_data, pictures)
        except TypstError as error:
            for character in error.missing_glyphs[:20]:
                sign = f"{quote_short(character)} (U+{ord(character):04X})"
                message = f"the type has no {sign}; write it in words or as a picture"
                problems.append(
                    print_problems.NO_GLYPH.problem(self.locate(character), message, self.address)
                )
            if not problems:
                raise
            if not is_proof:
                return PrintResult(problems=tuple(problems))
        if is_x1a or is_proof:
            compiled = self.compile(self.template_data, pictures, "1.4" if is_x1a else "1.7")
        problems += self.layout_problems(compiled, pictures)
        pdf = b""
        if is_proof or not errors(problems):
            form, spec = self.form, self.spec(compiled.pages).to_json()
            black = form.ink == "black"
            pdf = finish_pdf(compiled.pdf, bleed=form.bleed, black=black, x1a=is_x1a, spec=spec)
        if not errors(problems):  # a proof reports the same problems as the print
            problems += run_preflight(pdf, self.place)
        return PrintResult(pdf if is_proof or not errors(problems) else b"", tuple(problems))

    def compile(
        self, data: Mapping[str, Any], pictures: PressPictures, standard: Standard = "ua-1"
    ) -> CompiledPdf:
        """Run Typst on the template."""
        options = self.options
        press = {"marks": options.marks, "black": self.form.ink == "black", "proof": options.proof}
        return typst_compiler.compile_pdf(
            self.template,
            {**data, "pictures": pictures.data, "press": press},
            {**self.own_templates, **pictures.files},
            standard,
        )

    def press_pictures(self) -> tuple[PressPictures, list[Problem]]:
        """Return the pictures in the inks of the press, and a problem for each that cannot be read."""
        pictures = PressPictures({}, {})
        problems: list[Problem] = []
        for name, content in self.pictures.items():
            try:
                ending, pressed = press_picture(name, content, is_black=self.form.ink == "black")
            except PictureError as error:
                place = self.locate(name.rpartition("/")[2])
                problems.append(self.fault.problem(place, f"{error}, so {self.title} was not printed", name))
                continue
            # Typst itself would take a picture for as large as the dpi of its file says.
            width, height = size_of(name, content) or (0, 0)
            file = f"picture-{len(pictures.files)}{ending}"
            pictures.files[file] = pressed
            pictures.data[name] = {"file": file, "width": width, "height": height}
        return pictures, problems

    def locate(self, words: str) -> SourceLocation:
        """Return where words are written first: in the file of a sheet, or in those of its edition."""
        for name in (self.place.file, *sorted(self.edition.files | self.edition.shared)):
            if name.endswith((".yml", ".md")):
                with suppress(OSError):
                    text = normalize("NFC", self.read(name).decode("utf-8", "replace"))
                    if (offset := text.find(words)) >= 0:
                        return SourceFile(name, text).location(offset)
        return self.place
