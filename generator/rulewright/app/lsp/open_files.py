"""Files as the editor shows them, mapped to the last content that could be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lsprotocol.types import Range
from pygls.workspace import PositionCodec

from rulewright.app.lsp.content_index import IndexedContent, NameSpan
from rulewright.app.lsp.text_positions import OffsetMap, PositionMap
from rulewright.book.outline import Outline


class FileView:
    """A file in the editor. `lines`: its current text; `content`: the last content that could be read."""

    def __init__(self, content: IndexedContent, name: str, lines: PositionMap) -> None:
        self.content, self.name, self.lines = content, name, lines
        self.offsets = OffsetMap(content.text(name), lines.text)

    @property
    def outline(self) -> Outline | None:
        return self.content.outline_of(self.name)

    def spans_between(self, start: int = 0, end: int | None = None) -> Iterator[NameSpan]:
        """Yield the names between two indexes that were not edited since the content was read."""
        for span in self.content.spans_in_file(self.name):
            new_span = self.offsets.to_new(span.start, span.end)
            if new_span and new_span[1] >= start and (end is None or new_span[0] <= end):
                yield span._replace(start=new_span[0], end=new_span[1])

    def span_at(self, index: int) -> NameSpan | None:
        old_span = self.offsets.to_old(index, index)
        span = self.content.span_at(self.name, old_span[0]) if old_span else None
        new_span = self.offsets.to_new(span.start, span.end) if span else None
        return span._replace(start=new_span[0], end=new_span[1]) if span and new_span else None

    def range(self, start: int, end: int) -> Range | None:
        """Return the current range of a span of the file as it was read; None if it was edited."""
        new_span = self.offsets.to_new(start, end)
        return self.lines.range(*new_span) if new_span else None


class FileViews:
    """Views of the files of a project. `buffers`: the texts of the open documents."""

    def __init__(self, codec: PositionCodec, buffers: Mapping[str, str]) -> None:
        self.codec, self.buffers = codec, buffers
        self.content: IndexedContent | None = None
        self._views: dict[str, FileView] = {}

    def view_of(self, name: str, content: IndexedContent) -> FileView:
        """Return the view of a file as it is in the editor or, if it is not open, as it was read."""
        if content is not self.content:
            self.content, self._views = content, {}
        text = self.buffers.get(name, content.text(name))
        view = self._views.get(name)
        if view is None or view.lines.text != text:
            view = self._views[name] = FileView(content, name, PositionMap(text, self.codec))
        return view
