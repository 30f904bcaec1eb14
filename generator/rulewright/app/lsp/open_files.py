"""Files as an editor shows them, with what the content that was read last says of each place in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lsprotocol.types import Range
from pygls.workspace import PositionCodec

from rulewright.app.lsp.content_index import IndexedContent, NameSpan
from rulewright.app.lsp.text_positions import OffsetMap, PositionMap
from rulewright.book.outline import Outline


class FileView:
    """One file: `lines` as they stand in the editor, and the `reading` that knew it a moment ago."""

    def __init__(self, reading: IndexedContent, name: str, lines: PositionMap) -> None:
        self.reading, self.name, self.lines = reading, name, lines
        self.shift = OffsetMap(reading.text(name), lines.text)

    @property
    def outline(self) -> Outline | None:
        return self.reading.outline_of(self.name)

    def spans_between(self, start: int = 0, end: int | None = None) -> Iterator[NameSpan]:
        """The spots between two places, as far as they stand there still."""
        for span in self.reading.spans_in_file(self.name):
            new_span = self.shift.to_new(span.start, span.end)
            if new_span and new_span[1] >= start and (end is None or new_span[0] <= end):
                yield span._replace(start=new_span[0], end=new_span[1])

    def span_at(self, index: int) -> NameSpan | None:
        old_span = self.shift.to_old(index, index)
        spot = self.reading.span_at(self.name, old_span[0]) if old_span else None
        new_span = self.shift.to_new(spot.start, spot.end) if spot else None
        return spot._replace(start=new_span[0], end=new_span[1]) if spot and new_span else None

    def range(self, start: int, end: int) -> Range | None:
        """Where a stretch of the file as it was read stands now."""
        new_span = self.shift.to_new(start, end)
        return self.lines.range(*new_span) if new_span else None


class FileViews:
    """All files. `buffers`: the texts of those that are open."""

    def __init__(self, codec: PositionCodec, buffers: Mapping[str, str]) -> None:
        self.codec, self.buffers = codec, buffers
        self.reading: IndexedContent | None = None
        self._views: dict[str, FileView] = {}

    def view_of(self, name: str, reading: IndexedContent) -> FileView:
        """A file as it is in the editor or, where it is not open, as it was read."""
        if reading is not self.reading:
            self.reading, self._views = reading, {}
        text = self.buffers.get(name, reading.text(name))
        known = self._views.get(name)
        if known is None or known.lines.text != text:
            known = self._views[name] = FileView(reading, name, PositionMap(text, self.codec))
        return known
