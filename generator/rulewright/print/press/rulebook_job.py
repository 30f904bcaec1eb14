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
from rulewright.files.problems import Problem, SourceLocation, errors
from rulewright.print.book_format import BookFormat
from rulewright.print.press.print_job import (
    TOO_WIDE,
    UNPRINTABLE,
    PrintJob,
    PrintJobResult,
    PrintOptions,
    ReadFile,
)
from rulewright.print.rulebook_document import RulebookDocument
from rulewright.references.content_page import ContentPage, read_content_page
from rulewright.references.site_paths import RULEBOOK
from rulewright.render.render_context import RenderContext

TEMPLATE = "book.typ"
SMALLEST = 7.5


@dataclass(frozen=True)
class RulebookJob(PrintJob):
    """The whole rulebook of an edition."""

    outline: Outline
    context: RenderContext
    options: PrintOptions
    read: ReadFile = field(repr=False)

    fault = UNPRINTABLE

    @property
    def address(self) -> str:
        return f"{self.edition.address}/{RULEBOOK}"

    @property
    def title(self) -> str:
        return f"{self.edition.title}: rulebook"

    @property
    def place(self) -> SourceLocation:
        return self.edition.edition_file.edition.place

    @property
    def edition(self) -> Edition:
        return self.outline.edition

    @cached_property
    def form(self) -> BookFormat:
        look, wishes = self.edition.book.look, self.options
        return BookFormat.from_branding(look.book if look else None, wishes.paper, wishes.ink, wishes.bleed)

    @property
    def pictures(self) -> int:
        return 1

    @cached_property
    def volume(self) -> RulebookDocument:
        return RulebookDocument(
            self.outline, self.context, self.form, self.options.site, tuple(self._pages())
        )

    def _pages(self) -> Iterator[ContentPage]:
        for name in sorted(self.edition.files):
            if name.endswith(".md"):
                with suppress(OSError):
                    yield read_content_page(name, self.read(name), self.context.index)

    @property
    def words(self) -> tuple[str, ...]:
        """Words of the book. Pages are not content: they change with the paper."""
        return self.volume.lines

    @property
    def cache_inputs(self) -> Iterator[bytes]:
        yield json.dumps(self.volume.data, ensure_ascii=False).encode()
        yield repr((self.form, self.options, self.own_templates)).encode()
        for name in self.volume.pictures:
            yield from (name.encode(), self.read(name))

    def make(self) -> PrintJobResult:
        """Print the PDF, with boxes for signs that the type lacks; none where a picture cannot be shown."""
        figures = (
            figure.file
            for entry in self.outline.ordered_entries
            if entry.rule
            for figure in entry.rule.figures
        )
        pictures, unshown = self.press_pictures(
            {name: self.read(name) for name in self.volume.pictures} | self.volume.words.drawings_by_name,
            figures,
        )
        data, signs = self.without_missing_glyphs(self.volume.data, pictures.data)
        problems = (*unshown, *signs)
        if unshown or (errors(problems) and not self.options.proof):
            return PrintJobResult(problems=problems)
        made = self.compile(TEMPLATE, data, pictures)
        problems = (*problems, *self._too_wide(made.metadata))
        if errors(problems) and not self.options.proof:
            return PrintJobResult(problems=problems)
        # What stands in a text is as fine as the page that it was taken from.
        fine = 0.0 if self.volume.words.pictures else 300.0
        return self.finished(made.pdf, problems, smallest=SMALLEST, resolution=fine)

    def _too_wide(self, report: Sequence[Mapping[str, Any]]) -> Iterator[Problem]:
        for word, by in {over["word"]: over["by"] for over in report}.items():
            message = (
                f"“{word}” is {by:.1f} mm wider than its column, or the table around it is; part it with "
                "blanks, strokes or commas, give the table fewer columns, or the book wider paper"
            )
            yield TOO_WIDE.problem(self.locate(word), message, self.address)
