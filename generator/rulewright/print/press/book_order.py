"""The order of a whole rulebook: what it is made of, and the PDF that is made of that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from rulewright.book.outline import Outline
from rulewright.citations.manuscript import Manuscript, of_edition
from rulewright.print import typesetting
from rulewright.print.preflight import Expected
from rulewright.print.press.orders import (
    FAMILIES,
    RULEBOOK,
    SMALLEST_DRAWN,
    THINNEST,
    UNPRINTABLE,
    OrderResult,
    PrintOptions,
    ReadFile,
    lacks,
)
from rulewright.print.press.printed_sheets import mark_of
from rulewright.print.volume import BookFormat, Volume
from rulewright.site.context import Desk
from rulewright.source.problems import Place

TEMPLATE = "book.typ"
SMALLEST = 7.5


@dataclass(frozen=True)
class BookOrder:
    """The whole rulebook of an edition."""

    outline: Outline
    desk: Desk
    wishes: PrintOptions
    read: ReadFile = field(repr=False)

    @property
    def address(self) -> str:
        return f"{self.outline.edition.address}/{RULEBOOK}"

    @property
    def title(self) -> str:
        return f"{self.outline.edition.title}: rulebook"

    @property
    def place(self) -> Place:
        return self.outline.edition.file.edition.place

    @property
    def pictures(self) -> int:
        return 1

    @cached_property
    def volume(self) -> Volume:
        look = self.outline.edition.book.look
        wishes = self.wishes
        form = BookFormat.of(look.book if look else None, wishes.paper, wishes.ink, wishes.bleed or 0.0)
        return Volume(self.outline, self.desk, form, wishes.site, tuple(self._pages()))

    def _pages(self) -> Iterator[Manuscript]:
        """The Markdown pages in the edition's folder, by their names."""
        for name in sorted(self.outline.edition.files):
            if name.endswith(".md"):
                with suppress(OSError):
                    yield of_edition(name, self.read(name), self.outline, self.desk.shelf)

    @property
    def words(self) -> tuple[str, ...]:
        """Words of the book. Pages are not content: they change with the paper."""
        return self.volume.lines

    @property
    def material(self) -> Iterator[bytes]:
        """Everything that the PDF is made of, as bytes, for its hash."""
        yield json.dumps(self.volume.data, ensure_ascii=False).encode()
        yield repr((self.volume.format, self.wishes.marks)).encode()
        for name in self.volume.pictures:
            yield from (name.encode(), self.read(name))

    def make(self) -> OrderResult:
        """Print the PDF. No PDF where the type lacks a sign, or a picture cannot be shown."""
        from rulewright.print.finishing import Finish, finish  # once all that prints is there

        form = self.volume.format
        data = {**self.volume.data, "mark": mark_of(self.words), "settled": False}
        if problems := tuple(lacks(self.volume.words, self.address)):
            return OrderResult(problems=problems)
        pictures = {name: self.read(name) for name in self.volume.pictures} | self.volume.words.drawn
        try:
            try:
                made = typesetting.compile(TEMPLATE, data, pictures)
            except typesetting.Refused as refused:
                if not refused.unsettled:
                    raise
                # Where a page number moves its own line to and fro, each gets room, seen or not.
                made = typesetting.compile(TEMPLATE, data | {"settled": True}, pictures)
        except typesetting.Refused as refused:
            return OrderResult(
                problems=tuple(UNPRINTABLE.at(self.place, said, self.address) for said in refused.said)
            )
        pdf = finish(made.pdf, Finish(form.bleed, self.wishes.marks, form.ink))
        expected = Expected(
            trim=(form.paper.width, form.paper.height),
            bleed=form.bleed or None,
            marks=self.wishes.marks,
            ink=form.ink,
            smallest=SMALLEST,
            drawn=SMALLEST_DRAWN,
            hairline=THINNEST,
            # What stands in a text is as fine as the page that it was taken from.
            resolution=None if self.volume.words.pictures else 300.0,
            families=FAMILIES,
            language="en",
            bookmarks=True,
            tagged=True,
        )
        return OrderResult(pdf, expected)
