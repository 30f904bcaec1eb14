"""The order of a whole rulebook: what it is made of, and the PDF that is made of that."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rulewright.book.library import Edition
from rulewright.book.outline import Outline
from rulewright.citations.addresses import RULEBOOK
from rulewright.citations.manuscript import Manuscript, of_edition
from rulewright.print import typesetting
from rulewright.print.book_format import BookFormat
from rulewright.print.press.orders import (
    PROOF,
    TOO_WIDE,
    UNPRINTABLE,
    Order,
    OrderResult,
    PrintOptions,
    ReadFile,
    boxed,
    lacks,
)
from rulewright.print.press.printed_sheets import mark_of
from rulewright.print.volume import Volume
from rulewright.site.context import Desk
from rulewright.source.problems import Place, Problem, errors

TEMPLATE = "book.typ"
SMALLEST = 7.5


@dataclass(frozen=True)
class BookOrder(Order):
    """The whole rulebook of an edition."""

    outline: Outline
    desk: Desk
    wishes: PrintOptions
    read: ReadFile = field(repr=False)

    fault = UNPRINTABLE

    @property
    def address(self) -> str:
        return f"{self.edition.address}/{RULEBOOK}"

    @property
    def title(self) -> str:
        return f"{self.edition.title}: rulebook"

    @property
    def place(self) -> Place:
        return self.edition.file.edition.place

    @property
    def profile_place(self) -> Place:
        look = self.edition.book.look
        return look.book.profile.place if look and look.book and look.book.profile else self.place

    @property
    def edition(self) -> Edition:
        return self.outline.edition

    @cached_property
    def form(self) -> BookFormat:
        look, wishes = self.edition.book.look, self.wishes
        return BookFormat.of(look.book if look else None, wishes.paper, wishes.ink, wishes.bleed)

    @property
    def pictures(self) -> int:
        return 1

    @cached_property
    def volume(self) -> Volume:
        return Volume(self.outline, self.desk, self.form, self.wishes.site, tuple(self._pages()))

    def _pages(self) -> Iterator[Manuscript]:
        for name in sorted(self.edition.files):
            if name.endswith(".md"):
                with suppress(OSError):
                    yield of_edition(name, self.read(name), self.outline, self.desk.shelf)

    @property
    def words(self) -> tuple[str, ...]:
        """Words of the book. Pages are not content: they change with the paper."""
        return self.volume.lines

    @property
    def material(self) -> Iterator[bytes]:
        yield json.dumps(self.volume.data, ensure_ascii=False).encode()
        yield repr((self.form, self.wishes.marks, self.wishes.proof)).encode()
        for name in self.volume.pictures:
            yield from (name.encode(), self.read(name))
        yield self.profile or b""

    def make(self) -> OrderResult:
        """Print the PDF, with boxes for signs that the type lacks; none where a picture cannot be shown."""
        figures = (figure.file for one in self.outline.in_order if one.rule for figure in one.rule.figures)
        pictures, unshown = self.sound({name: self.read(name) for name in self.volume.pictures}, figures)
        signs = self.volume.words.lacking(typesetting.glyphs())
        problems = (*lacks(signs, self.address), *unshown)
        if unshown:
            return OrderResult(problems=problems)
        stamp = PROOF if self.wishes.proof else ""
        data = boxed(self.volume.data, signs, pictures)
        data = {**data, "mark": mark_of(self.words), "settled": False, "proof": stamp}
        pictures |= self.volume.words.drawn
        try:
            made = typesetting.compile(TEMPLATE, data, pictures, label="report")
        except typesetting.Refused as refused:
            if not refused.unsettled:
                raise
            # Where a page number moves its own line to and fro, each gets room, seen or not.
            settled = data | {"settled": True}
            made = typesetting.compile(TEMPLATE, settled, pictures, label="report")
        problems = (*problems, *self._too_wide(made.told))
        if errors(problems) and not self.wishes.proof:
            return OrderResult(problems=problems)
        # What stands in a text is as fine as the page that it was taken from.
        fine = None if self.volume.words.pictures else 300.0
        return self.finished(made.pdf, problems, smallest=SMALLEST, resolution=fine)

    def _too_wide(self, report: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
        for word, by in {over["word"]: over["by"] for over in report}.items():
            message = (
                f"“{word}” is {by:.1f} mm wider than its column, or the table around it is; part it with "
            )
            message += "blanks, strokes or commas, give the table fewer columns, or the book wider paper"
            yield TOO_WIDE.at(self.volume.words.place_of(word) or self.place, message, self.address)
