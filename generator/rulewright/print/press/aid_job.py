"""The order of a player aid: what it is made of, and the PDF that is made of that."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import Any

from rulewright.book.aid_plan import AidPlan, AidSheet
from rulewright.book.library import Edition
from rulewright.document.blocks import Panel, block_contents
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, SourceLocation, errors
from rulewright.files.safe_integers import parse_int
from rulewright.print import typst_compiler
from rulewright.print.block_placement import margins_of
from rulewright.print.press.print_job import (
    COARSE,
    FAULT,
    OVERFLOWS,
    PROOF,
    TOO_WIDE,
    UNFILLED,
    PrintJob,
    PrintJobResult,
    PrintOptions,
    ReadFile,
    missing_glyph_problems,
    replace_missing_glyphs,
)
from rulewright.print.press.printed_sheets import words_digest_short
from rulewright.print.sheet_document import SheetDocument
from rulewright.print.sheet_words import sheet_lines
from rulewright.render.render_context import RenderContext
from rulewright.render.responsive_images import size_of
from rulewright.schema.inline_images import picture_of

TEMPLATE = "sheet.typ"
SHARP, FAIR = 300, 150
"""Least resolution of a photograph on paper, in dots to the inch, and of a picture as small as a counter."""

SMALL, PIXEL = 40.0, 0.15
"""How wide a picture is at most that is small, and a pixel where nothing else is said, in mm."""


@dataclass(frozen=True)
class AidJob(PrintJob):
    """A player aid."""

    fault = FAULT

    sheet: AidSheet
    context: RenderContext
    options: PrintOptions
    read: ReadFile = field(repr=False)

    @property
    def address(self) -> str:
        return self.sheet.address

    @property
    def title(self) -> str:
        return f"{self.sheet.edition.title}: {self.sheet}"

    @property
    def place(self) -> SourceLocation:
        return self.sheet.aid.title.place

    @property
    def pictures(self) -> int:
        return SheetDocument(self.sheet, self.panels, self.context, self.form).pages  # without its words

    @property
    def edition(self) -> Edition:
        return self.sheet.edition

    @cached_property
    def panels(self) -> tuple[Panel, ...]:
        return tuple(block_contents(self.sheet, self.context.shelf))

    @cached_property
    def form(self) -> AidPlan:
        plan = (
            self.sheet.plan if self.options.paper is None else self.sheet.plan.for_paper(self.options.paper)
        )
        bleed = plan.bleed if self.options.bleed is None else self.options.bleed
        return replace(plan, ink=self.options.ink or plan.ink, bleed=bleed)

    @cached_property
    def words(self) -> tuple[str, ...]:
        return sheet_lines(SheetDocument(self.sheet, self.panels, self.context, self.sheet.plan).data)

    @cached_property
    def made_of(self) -> SheetDocument:
        stamp = PROOF if self.options.proof else ""
        site = self.options.site
        return SheetDocument(
            self.sheet, self.panels, self.context, self.form, site, words_digest_short(self.words), stamp
        )

    @property
    def cache_inputs(self) -> Iterator[bytes]:
        yield json.dumps(self.made_of.data, ensure_ascii=False).encode()
        yield repr((self.form, self.options.marks, self.options.x1a)).encode()
        for name, data in self._pictures.items():
            yield from (name.encode(), data)

    @cached_property
    def _pictures(self) -> Mapping[str, bytes]:
        data = self.made_of.data
        assert data  # which finds the pictures that stand in texts
        return {name: self.read(name) for name in self.made_of.pictures} | self.made_of.words.drawings_by_name

    def make(self) -> PrintJobResult:
        """Print the PDF, with type as large as fits. None where something runs over, but as a proof."""
        data, plan = self.made_of.data, self.form
        shown = (part.block.picture for panel in self.panels for part in panel.parts)
        pictures, unshown = self.press_pictures(
            self._pictures, (picture.file for picture in shown if picture)
        )
        signs = self.made_of.words.missing_glyphs(typst_compiler.available_glyphs())
        problems = [*missing_glyph_problems(signs, self.address), *unshown]
        if unshown:
            return PrintJobResult(problems=tuple(problems))
        made = self.compile(TEMPLATE, replace_missing_glyphs(data, signs, pictures.data), pictures)
        problems += [*self._overflows(made.metadata), *self._coarse()]
        if not any(problem.is_failure for problem in problems) and made.pages < self.made_of.pages:
            problems.append(self._unfilled(made.pages))
        if errors(problems) and not self.options.proof:
            return PrintJobResult(problems=tuple(problems))
        return self.finished(
            made.pdf,
            problems,
            pages=min(made.pages, self.made_of.pages),
            smallest=plan.smallest * 0.8,  # signs of notes are raised and smaller
            resolution=FAIR,  # larger pictures were asked for more
        )

    def _overflows(self, report: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
        """A problem for each area in which something runs over, at the block that does."""
        size = f"even with type of {self.form.smallest:g} pt"
        for area in report:
            if not (over := area["over"]):
                continue
            name, (file, line, column) = over["name"], over["place"]
            if "by" in over:
                words = f"“{over['word']}”" if over["word"] else name
                message = (
                    f"{words} is {over['by']:.1f} mm wider than its column, {size}; give the sheet fewer "
                    "columns or wider paper, let the block stand across all columns (`wide: yes`), or "
                )
                yield TOO_WIDE.problem(SourceLocation(file, line, column), f"{message}shorten it", name)
            else:
                message = f"{name} runs over {area['area']}, {size}; "
                message += (
                    "say less on this card, make two of it, or give all a larger `size:`"
                    if area.get("cut")
                    else "give the sheet more pages or larger paper, let the block be split (`split: yes`), "
                    "or take blocks out"
                )
                yield OVERFLOWS.problem(SourceLocation(file, line, column), message, name)

    def _coarse(self) -> Iterator[Problem]:
        """Photographs that are blocks with fewer dots to the inch than are printed."""
        margins, count = margins_of(self.form), self.form.columns
        for part in (part for panel in self.panels for part in panel.parts):
            picture = part.block.picture
            name = picture_of(picture) if picture else ".svg"
            if picture is None or name.lower().endswith(".svg"):
                continue
            if not (sides := size_of(name, self._pictures[name])):
                continue
            size = sides[0]
            room = self.form.paper.width - 2 * margins.side
            column = room if part.block.wide else (room - (count - 1) * margins.gap) / count
            across = min(column, _width(picture.width, size, column))
            least = SHARP if across > SMALL else FAIR
            wanted = ceil(across / 25.4 * least)
            if size < wanted:
                message = (
                    f"{picture.file} is {size} pixels wide; {across:.0f} mm wide that is "
                    f"{size / across * 25.4:.0f} dots to the inch of {least}; give it {wanted} pixels, "
                    "draw it as SVG, or give it a smaller `width:`"
                )
                yield COARSE.problem(picture.file.place, message, name)

    def _unfilled(self, pages: int) -> Problem:
        aid = self.sheet.aid
        message = (
            f"it fills {pages} of its {self.made_of.pages} pages, even with type of {self.form.largest:g} pt"
            "; give it fewer pages or larger type, or begin a block on a new page (`starts: page`)"
        )
        return UNFILLED.problem((aid.pages or aid.sides or aid.title).place, message, self.sheet.name)


def _width(written: LocatedText | None, pixels: int, column: float) -> float:
    """How wide a picture of so many pixels stands, in mm: as wide as they make it, or as is said."""
    if written and written.endswith("%"):
        return column * (parse_int(written[:-1]) or 100) / 100
    return (parse_int(written) or pixels if written else pixels) * PIXEL
