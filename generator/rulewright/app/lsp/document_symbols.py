"""The outline of a file and what of it can be folded: its rules, steps and other parts, a page's headings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from lsprotocol.types import DocumentSymbol, FoldingRange, SymbolKind

from rulewright.app.lsp.open_files import FileView
from rulewright.model.model_reader import type_title
from rulewright.model.rulebook import Chapter, ListedRule, Rule, RuleNote
from rulewright.model.step import Step
from rulewright.model.table import Table
from rulewright.model.yaml_fields import all_texts_of
from rulewright.source import markdown_spans
from rulewright.source.located_text import LocatedText

_KINDS = {
    Chapter: SymbolKind.Namespace,
    Rule: SymbolKind.Class,
    ListedRule: SymbolKind.Key,
    RuleNote: SymbolKind.String,
    Step: SymbolKind.Event,
    Table: SymbolKind.Struct,
}
_NAMES = ("chapter", "number", "title", "code", "value", "mark", "name")


@dataclass
class FileSymbol:
    """A part of a file: what it is called, where that is written, and from where to where it reaches."""

    name: str
    detail: str
    kind: SymbolKind
    start: int
    end: int
    selection_range: tuple[int, int]
    inside: list[FileSymbol] = field(default_factory=list)


def file_symbols(view: FileView) -> list[FileSymbol]:
    """The parts of a file as it was read."""
    symbols_by_file, name = view.reading.parts, view.name
    if name not in symbols_by_file:
        value = view.reading.values.get(name)
        headings = _headings(view.reading.text(name)) if name.endswith(".md") else []
        symbols_by_file[name] = [*_parts(value, name)] if is_dataclass(value) else headings
    return symbols_by_file[name]


def outline(view: FileView) -> list[DocumentSymbol]:
    """The outline of a file, as far as its parts stand where they stood."""
    return [symbol for part in file_symbols(view) for symbol in _symbols(part, view)]


def _symbols(part: FileSymbol, view: FileView) -> Iterator[DocumentSymbol]:
    inside = [symbol for inner in part.inside for symbol in _symbols(inner, view)]
    name_range = view.range(*part.selection_range)
    if name_range is None:
        yield from inside
        return
    # What is typed inside of a part moves its end alone.
    begin, end = view.shift.to_new(part.start, part.start), view.shift.to_new(part.end, part.end)
    start = begin[0] if begin else view.lines.index(name_range.start)
    full_range = view.lines.range(start, max(end[0] if end else 0, view.lines.index(name_range.end)))
    yield DocumentSymbol(
        part.name or "…", part.kind, full_range, name_range, detail=part.detail, children=inside
    )


def folding(view: FileView) -> Iterator[FoldingRange]:
    """The parts and the long texts that reach over several lines."""
    stretches = [(symbol.start, symbol.end) for part in file_symbols(view) for symbol in _walk(part)]
    value = view.reading.values.get(view.name)
    texts = (text for text in all_texts_of(value) if text.file.name == view.name and text.style in ("|", ">"))
    stretches += [(text.start, text.end) for text in texts]
    known: set[int] = set()
    for start, end in sorted(stretches, key=lambda span: (span[0], -span[1])):
        begin, stop = view.shift.to_new(start, start), view.shift.to_new(end, end)
        if begin and stop:
            first = view.lines.position(begin[0]).line
            text = view.lines.text
            last = view.lines.position(len(text[: stop[0]].rstrip())).line
            if last > first and first not in known:
                known.add(first)
                yield FoldingRange(first, last)


def _walk(part: FileSymbol) -> Iterator[FileSymbol]:
    yield part
    for inner in part.inside:
        yield from _walk(inner)


def _parts(value: Any, name: str) -> Iterator[FileSymbol]:
    """A part with those in it; one without a name of its own gives those in it."""
    inside = [
        symbol for f in fields(value) for inner in _values(getattr(value, f.name), name) for symbol in inner
    ]
    name_texts = [
        text
        for f in sorted(fields(value), key=lambda f: _NAMES.index(f.name) if f.name in _NAMES else -1)
        if f.name in _NAMES or (f.metadata.get("must") and not f.metadata.get("prose"))
        if isinstance(text := getattr(value, f.name), LocatedText) and text.file.name == name
    ]
    texts = [text for text in all_texts_of(value) if text.file.name == name]
    if not name_texts or not texts:
        yield from inside
        return
    yield FileSymbol(
        " ".join(dict.fromkeys(map(str, name_texts)))[:120],
        str(getattr(value, "kind", "")) if isinstance(value, Step) else type_title(type(value)),
        _KINDS.get(type(value), SymbolKind.Property),
        min(text.start for text in texts),
        max(text.end for text in texts),
        (name_texts[0].start, name_texts[0].end),
        inside,
    )


def _values(value: Any, name: str) -> Iterator[Iterator[FileSymbol]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if is_dataclass(inner) and isinstance(key, LocatedText) and key.file.name == name:
                texts = [key, *(text for text in all_texts_of(inner) if text.file.name == name)]
                name_span = key.start, key.end
                end = max(text.end for text in texts)
                kind = SymbolKind.Key
                yield iter([FileSymbol(str(key), type_title(type(inner)), kind, key.start, end, name_span)])
        return
    for inner in value if isinstance(value, tuple) else (value,):
        if is_dataclass(inner) and not isinstance(inner, LocatedText):
            yield _parts(inner, name)


def _headings(text: str) -> list[FileSymbol]:
    """The headings of a page, each reaching to the next that is as high."""
    headings: list[FileSymbol] = []
    open_: list[tuple[int, FileSymbol]] = []
    for heading in markdown_spans.markdown_spans(text):
        if heading.kind != "heading":
            continue
        line = text.rfind("\n", 0, heading.start) + 1
        sign = text[line : heading.start].strip()
        level = sign.count("#") or (1 if text[heading.end :].lstrip("\r\n")[:1] == "=" else 2)
        while open_ and open_[-1][0] >= level:
            open_.pop()[1].end = line
        words = " ".join(text[heading.start : heading.end].split())
        part = FileSymbol(words, "", SymbolKind.String, line, len(text), (heading.start, heading.end))
        (open_[-1][1].inside if open_ else headings).append(part)
        open_.append((level, part))
    return headings
