"""Files as the editor shows them, with the names of the last content that could be read."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol.types import Range

from rulewright.app.lsp.open_documents import ReadContent
from rulewright.app.lsp.text_positions import OffsetMap, PositionMap
from rulewright.references.name_spans import NameSpan, Place


class FileView:
    """A file in the editor. `lines`: its current text; `content`: the last content that could be read."""

    def __init__(self, content: ReadContent, name: str, lines: PositionMap) -> None:
        self.content, self.name, self.lines = content, name, lines
        self.outline = content.outline_of(name)
        self.offsets = OffsetMap(content.text(name), lines.text)

    def span_at(self, offset: int) -> NameSpan | None:
        """Return the name at an offset; None if it was edited since the content was read."""
        old_offset = self.offsets.to_old(offset)
        span = self.content.names.at(self.name, old_offset) if old_offset is not None else None
        return span if span and self.range(span.place) else None

    def spans(self) -> Iterator[tuple[NameSpan, int, int]]:
        """Yield the names that were not edited since the content was read, with their current offsets."""
        for span in self.content.names.by_file.get(self.name, ()):
            if current := self.offsets.to_new(span.start, span.end):
                yield (span, *current)

    def range(self, place: Place) -> Range | None:
        """Return the current range of a place in this file; None if it was edited."""
        current = self.offsets.to_new(*place[1:])
        return self.lines.range(*current) if current else None
