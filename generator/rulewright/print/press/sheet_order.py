"""The order of a player aid: what it is made of, and the PDF that is made of that."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import Any

from rulewright.book.library import Edition
from rulewright.book.sheet import Plan, Sheet
from rulewright.citations.blocks import Panel, parts
from rulewright.print import typesetting
from rulewright.print.imposition import margins_of
from rulewright.print.press.orders import (
    COARSE,
    FAULT,
    OVERFLOWS,
    PROOF,
    TOO_WIDE,
    UNFILLED,
    Order,
    OrderResult,
    PrintOptions,
    ReadFile,
    boxed,
    lacks,
)
from rulewright.print.press.printed_sheets import mark_of
from rulewright.print.sheet_document import SheetData
from rulewright.print.sheet_words import lines
from rulewright.site.context import Desk
from rulewright.site.pictures import size_of
from rulewright.source.amounts import whole
from rulewright.source.problems import Place, Problem, errors
from rulewright.source.text import Text
from rulewright.text.insets import picture_of

TEMPLATE = "sheet.typ"
SHARP, FAIR = 300, 150
"""Least resolution of a photograph on paper, in dots to the inch, and of a picture as small as a counter."""

SMALL, PIXEL = 40.0, 0.15
"""How wide a picture is at most that is small, and a pixel where nothing else is said, in mm."""


@dataclass(frozen=True)
class SheetOrder(Order):
    """A player aid."""

    fault = FAULT

    sheet: Sheet
    desk: Desk
    wishes: PrintOptions
    read: ReadFile = field(repr=False)

    @property
    def address(self) -> str:
        return self.sheet.address

    @property
    def title(self) -> str:
        return f"{self.sheet.edition.title}: {self.sheet}"

    @property
    def place(self) -> Place:
        return self.sheet.aid.title.place

    @property
    def pictures(self) -> int:
        return SheetData(self.sheet, self.panels, self.desk, self.plan).pages  # without its words

    @property
    def profile_place(self) -> Place:
        return (self.sheet.aid.profile or self.sheet.aid.title).place

    @property
    def edition(self) -> Edition:
        return self.sheet.edition

    @property
    def form(self) -> Plan:
        return self.plan

    @cached_property
    def panels(self) -> tuple[Panel, ...]:
        return tuple(parts(self.sheet, self.desk.shelf))

    @cached_property
    def plan(self) -> Plan:
        plan = self.sheet.plan if self.wishes.paper is None else self.sheet.plan.on(self.wishes.paper)
        bleed = plan.bleed if self.wishes.bleed is None else self.wishes.bleed
        return replace(plan, ink=self.wishes.ink or plan.ink, bleed=bleed)

    @cached_property
    def words(self) -> tuple[str, ...]:
        return lines(SheetData(self.sheet, self.panels, self.desk, self.sheet.plan).data)

    @cached_property
    def made_of(self) -> SheetData:
        stamp = PROOF if self.wishes.proof else ""
        site = self.wishes.site
        return SheetData(self.sheet, self.panels, self.desk, self.plan, site, mark_of(self.words), stamp)

    @property
    def material(self) -> Iterator[bytes]:
        yield json.dumps(self.made_of.data, ensure_ascii=False).encode()
        yield repr((self.plan, self.wishes.marks)).encode()
        for name, data in self._pictures.items():
            yield from (name.encode(), data)
        yield self.profile or b""

    @cached_property
    def _pictures(self) -> Mapping[str, bytes]:
        data = self.made_of.data
        assert data  # which finds the pictures that stand in texts
        return {name: self.read(name) for name in self.made_of.pictures} | self.made_of.words.drawn

    def make(self) -> OrderResult:
        """Print the PDF, with type as large as fits. None where something runs over, but as a proof."""
        data, plan = self.made_of.data, self.plan
        shown = (part.block.picture for panel in self.panels for part in panel.parts)
        pictures, unshown = self.sound(self._pictures, (picture.file for picture in shown if picture))
        signs = self.made_of.words.lacking(typesetting.glyphs())
        problems = [*lacks(signs, self.address), *unshown]
        if unshown:
            return OrderResult(problems=tuple(problems))
        made = typesetting.compile(TEMPLATE, boxed(data, signs, pictures), pictures, label="report")
        problems += [*self._overflows(made.told), *self._coarse()]
        if not any(problem.fails for problem in problems) and made.pages < self.made_of.pages:
            problems.append(self._unfilled(made.pages))
        if errors(problems) and not self.wishes.proof:
            return OrderResult(problems=tuple(problems))
        return self.finished(
            made.pdf,
            problems,
            pages=min(made.pages, self.made_of.pages),
            smallest=plan.smallest * 0.8,  # signs of notes are raised and smaller
            resolution=FAIR,  # larger pictures were asked for more
            folds=plan.folds if plan.fold != "none" else (),
        )

    def _overflows(self, report: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
        """A problem for each area in which something runs over, at the block that does."""
        size = f"even with type of {self.plan.smallest:g} pt"
        for area in report:
            if not (over := area["over"]):
                continue
            name, (file, line, column) = over["name"], over["place"]
            if "by" in over:
                words = f"“{over['word']}”" if over["word"] else name
                message = (
                    f"{words} is {over['by']:.1f} mm wider than its column, {size}; give the sheet fewer "
                )
                message += "columns or wider paper, let the block stand across all columns (`wide: yes`), or "
                yield TOO_WIDE.at(Place(file, line, column), f"{message}shorten it", name)
            else:
                message = f"{name} runs over {area['area']}, {size}; "
                message += (
                    "say less on this card, make two of it, or give all a larger `size:`"
                    if area.get("cut")
                    else "give the sheet more pages or larger paper, let the block be split (`split: yes`), "
                    "or take blocks out"
                )
                yield OVERFLOWS.at(Place(file, line, column), message, name)

    def _coarse(self) -> Iterator[Problem]:
        """Photographs that are blocks with fewer dots to the inch than are printed."""
        margins, count = margins_of(self.plan), self.plan.columns
        for part in (part for panel in self.panels for part in panel.parts):
            picture = part.block.picture
            name = picture_of(picture) if picture else ".svg"
            if picture is None or name.lower().endswith(".svg"):
                continue
            if not (sides := size_of(name, self._pictures[name])):
                continue
            size = sides[0]
            room = self.plan.paper.width - 2 * margins.side
            column = room if part.block.wide else (room - (count - 1) * margins.gap) / count
            across = min(column, _width(picture.width, size, column))
            least = SHARP if across > SMALL else FAIR
            wanted = ceil(across / 25.4 * least)
            if size < wanted:
                message = f"{picture.file} is {size} pixels wide; {across:.0f} mm wide that is "
                message += (
                    f"{size / across * 25.4:.0f} dots to the inch of {least}; give it {wanted} pixels, "
                )
                message += "draw it as SVG, or give it a smaller `width:`"
                yield COARSE.at(picture.file.place, message, name)

    def _unfilled(self, pages: int) -> Problem:
        aid = self.sheet.aid
        message = (
            f"it fills {pages} of its {self.made_of.pages} pages, even with type of {self.plan.largest:g} pt"
        )
        message += "; give it fewer pages or larger type, or begin a block on a new page (`starts: page`)"
        return UNFILLED.at((aid.pages or aid.sides or aid.title).place, message, self.sheet.name)


def _width(written: Text | None, pixels: int, column: float) -> float:
    """How wide a picture of so many pixels stands, in mm: as wide as they make it, or as is said."""
    if written and written.endswith("%"):
        return column * (whole(written[:-1]) or 100) / 100
    return (whole(written) or pixels if written else pixels) * PIXEL
