"""The order of a player aid: what it is made of, and the PDF that is made of that."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rulewright.book.aid_plan import SMALLEST, AidPlan, AidSheet
from rulewright.book.library import Edition
from rulewright.document.blocks import Panel, block_contents
from rulewright.files.problems import Problem, SourceLocation, errors
from rulewright.print.node_writer import word_lines
from rulewright.print.press.print_job import (
    FAULT,
    OVERFLOWS,
    SMALLEST_DRAWN,
    TOO_WIDE,
    UNFILLED,
    PressPictures,
    PrintJob,
    PrintJobResult,
    PrintOptions,
    ReadFile,
)
from rulewright.print.sheet_document import SheetDocument
from rulewright.render.render_context import RenderContext

TEMPLATE = "sheet.typ"
SMALLEST_CARD_TYPE = 8.0
"""Minimum size of type on cards, in points."""


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
        return tuple(block_contents(self.sheet, self.context.index))

    @cached_property
    def form(self) -> AidPlan:
        plan = (
            self.sheet.plan if self.options.paper is None else self.sheet.plan.for_paper(self.options.paper)
        )
        bleed = plan.bleed if self.options.bleed is None else self.options.bleed
        return replace(plan, ink=self.options.ink or plan.ink, bleed=bleed)

    @cached_property
    def words(self) -> tuple[str, ...]:
        data = SheetDocument(self.sheet, self.panels, self.context, self.sheet.plan).data
        return tuple(filter(None, word_lines([data["amended"], data["sides"]])))

    @cached_property
    def made_of(self) -> SheetDocument:
        return SheetDocument(self.sheet, self.panels, self.context, self.form, self.options.site)

    @property
    def cache_inputs(self) -> Iterator[bytes]:
        yield json.dumps(self.made_of.data, ensure_ascii=False).encode()
        yield repr((self.form, self.options, self.own_templates)).encode()
        for name, data in self._pictures.items():
            yield from (name.encode(), data)

    @cached_property
    def _pictures(self) -> Mapping[str, bytes]:
        data = self.made_of.data
        assert data  # which finds the pictures that stand in texts
        return {name: self.read(name) for name in self.made_of.pictures} | self.made_of.words.drawings_by_name

    def make(self) -> PrintJobResult:
        """Print the PDF in one size of type. None if a block does not fit, unless it is a proof."""
        shown = (part.block.picture for panel in self.panels for part in panel.parts)
        files = (picture.file for picture in shown if picture)
        pictures, unshown = self.press_pictures(self._pictures, files)
        data, signs = self.without_missing_glyphs(self.made_of.data, self._pictures)
        problems = [*unshown, *signs]
        if unshown or (errors(problems) and not self.options.proof):
            return PrintJobResult(problems=tuple(problems))
        made = self.compile(TEMPLATE, data, pictures)
        problems += self._overflows(made.metadata, pictures)
        if not problems and made.pages < self.made_of.pages:
            problems.append(self._unfilled(made.pages))
        if errors(problems) and not self.options.proof:
            return PrintJobResult(problems=tuple(problems))
        return self.finished(
            made.pdf,
            problems,
            pages=min(made.pages, self.made_of.pages),
            smallest=SMALLEST_DRAWN if any(side.cut for side in self.made_of.sides) else 7.5,
        )

    def _overflows(self, report: Sequence[Mapping[str, Any]], pictures: PressPictures) -> Iterator[Problem]:
        """Yield a problem for each area in which a block does not fit, at that block."""
        for area in report:
            if not (over := area["over"]):
                continue
            name, (file, line, column) = over["name"], over["place"]
            place = SourceLocation(file, line, column)
            if "by" in over:
                words = f"“{over['word']}”" if over["word"] else name
                message = (
                    f"{words} is {over['by']:.1f} mm wider than its column; give the sheet fewer columns "
                )
                message += "or wider paper, let the block span all columns (`wide: yes`), or shorten it"
                yield TOO_WIDE.problem(place, message, name)
            else:
                size = SMALLEST_CARD_TYPE if area.get("cut") else self.form.type
                message = f"{name} does not fit on {area['area']} in {size:g} pt; "
                fits = (
                    "give all a larger `size:`, or make two cards of it"
                    if area.get("cut")
                    else (self._what_fits(pictures))
                )
                yield OVERFLOWS.problem(place, message + fits, name)

    def _what_fits(self, pictures: PressPictures) -> str:
        """Return what would make a sheet fit: smaller type, or more pages."""
        data, plan = self.made_of.data, self.form
        smaller = [plan.type - half / 2 for half in (1, 2) if plan.type - half / 2 >= SMALLEST]
        tries = [({"type": size}, f"it fits with `type: {size:g} pt`") for size in smaller]
        if plan.fold == "none":
            tries += [
                ({"pages": self.made_of.pages + more}, f"it fits with `pages: {self.made_of.pages + more}`")
                for more in (1, 2, 3)
            ]
        for change, words in tries:
            made = self.compile(TEMPLATE, {**data, **change}, pictures)
            if not any(area["over"] for area in made.metadata):
                return words
        return "give the sheet larger paper, or take blocks out"

    def _unfilled(self, pages: int) -> Problem:
        aid = self.sheet.aid
        message = (
            f"it fills {pages} of its {self.made_of.pages} pages in {self.form.type:g} pt; give it fewer "
            "pages or larger type, or begin a block on a new page (`starts: page`)"
        )
        return UNFILLED.problem((aid.pages or aid.sides or aid.title).place, message, self.sheet.name)
