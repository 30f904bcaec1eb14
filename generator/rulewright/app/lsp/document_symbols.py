"""Outline and folding ranges of a file: its rules, steps and other models, or the headings of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from operator import itemgetter
from typing import Any

from lsprotocol.types import DocumentSymbol, FoldingRange, SymbolKind

from rulewright.app.lsp.open_files import FileView
from rulewright.files import markdown_spans
from rulewright.files.located_text import LocatedText
from rulewright.schema.model_reader import type_title
from rulewright.schema.rulebook import Chapter, ListedRule, Rule, RuleNote
from rulewright.schema.step import Step
from rulewright.schema.table import Table
from rulewright.schema.yaml_fields import all_texts_of

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
    """A symbol in the outline of a file, with its extent and the span of its name."""

    name: str
    detail: str
    kind: SymbolKind
    start: int
    end: int
    selection_range: tuple[int, int]
    children: list[FileSymbol] = field(default_factory=list)


def file_symbols(view: FileView) -> list[FileSymbol]:
    """Return the outermost symbols of a file as it was read."""
    symbols_by_file, name = view.content.symbols_by_file, view.name
    if name not in symbols_by_file:
        value = view.content.values.get(name)
        headings = _heading_symbols(view.content.text(name)) if name.endswith(".md") else []
        symbols_by_file[name] = [*_model_symbols(value, name)] if is_dataclass(value) else headings
    return symbols_by_file[name]


def outline(view: FileView) -> list[DocumentSymbol]:
    """Return the outline of a file, without symbols whose names were edited since."""
    return [*_document_symbols(file_symbols(view), view)]


def _document_symbols(symbols: Iterable[FileSymbol], view: FileView) -> Iterator[DocumentSymbol]:
    for symbol in symbols:
        children = [*_document_symbols(symbol.children, view)]
        name_range = view.range(*symbol.selection_range)
        if name_range is None:
            yield from children
            continue
        # Start and end are converted separately: typing inside a symbol only moves its end.
        new_start = view.offsets.to_new(symbol.start, symbol.start)
        new_end = view.offsets.to_new(symbol.end, symbol.end)
        start = new_start[0] if new_start else view.lines.index(name_range.start)
        end = max(new_end[0] if new_end else 0, view.lines.index(name_range.end))
        full_range = view.lines.range(start, end)
        name = symbol.name or "…"
        yield DocumentSymbol(
            name, symbol.kind, full_range, name_range, detail=symbol.detail, children=children
        )


def folding(view: FileView) -> Iterator[FoldingRange]:
    """Yield the symbols and block scalars that span several lines."""
    spans = [(symbol.start, symbol.end) for symbol in _walk(file_symbols(view))]
    value = view.content.values.get(view.name)
    texts = (text for text in all_texts_of(value) if text.file.name == view.name and text.style in ("|", ">"))
    spans += [(text.start, text.end) for text in texts]
    folded_lines: set[int] = set()
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        new_start, new_end = view.offsets.to_new(start, start), view.offsets.to_new(end, end)
        if new_start and new_end:
            first = view.lines.position(new_start[0]).line
            text = view.lines.text
            last = view.lines.position(len(text[: new_end[0]].rstrip())).line
            if last > first and first not in folded_lines:
                folded_lines.add(first)
                yield FoldingRange(first, last)


def _walk(symbols: Iterable[FileSymbol]) -> Iterator[FileSymbol]:
    for symbol in symbols:
        yield symbol
        yield from _walk(symbol.children)


def _model_symbols(value: Any, name: str) -> Iterator[FileSymbol]:
    """Yield the symbol of a model with its children; only the children if the model has no name."""
    children: list[FileSymbol] = []
    name_texts: list[tuple[int, LocatedText]] = []
    for model_field in fields(value):
        text = getattr(value, model_field.name)
        children += _value_symbols(text, name)
        if not isinstance(text, LocatedText) or text.file.name != name:
            continue
        if model_field.name in _NAMES:
            name_texts.append((_NAMES.index(model_field.name), text))
        elif model_field.metadata.get("must") and not model_field.metadata.get("prose"):
            name_texts.append((-1, text))
    name_texts.sort(key=itemgetter(0))
    texts = [text for text in all_texts_of(value) if text.file.name == name]
    if not name_texts or not texts:
        yield from children
        return
    yield FileSymbol(
        " ".join(dict.fromkeys(str(text) for _, text in name_texts))[:120],
        str(getattr(value, "kind", "")) if isinstance(value, Step) else type_title(type(value)),
        _KINDS.get(type(value), SymbolKind.Property),
        min(text.start for text in texts),
        max(text.end for text in texts),
        (name_texts[0][1].start, name_texts[0][1].end),
        children,
    )


def _value_symbols(value: Any, name: str) -> Iterator[FileSymbol]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if is_dataclass(inner) and isinstance(key, LocatedText) and key.file.name == name:
                texts = [key, *(text for text in all_texts_of(inner) if text.file.name == name)]
                name_span = key.start, key.end
                end = max(text.end for text in texts)
                kind = SymbolKind.Key
                yield FileSymbol(str(key), type_title(type(inner)), kind, key.start, end, name_span)
        return
    for inner in value if isinstance(value, tuple) else (value,):
        if is_dataclass(inner) and not isinstance(inner, LocatedText):
            yield from _model_symbols(inner, name)


def _heading_symbols(text: str) -> list[FileSymbol]:
    """Return the headings of a page; each extends to the next one of its level or above."""
    headings: list[FileSymbol] = []
    open_headings: list[tuple[int, FileSymbol]] = []
    for heading in markdown_spans.markdown_spans(text):
        if heading.kind != "heading":
            continue
        line = text.rfind("\n", 0, heading.start) + 1
        marker = text[line : heading.start].strip()
        level = marker.count("#") or (1 if text[heading.end :].lstrip("\r\n")[:1] == "=" else 2)
        while open_headings and open_headings[-1][0] >= level:
            open_headings.pop()[1].end = line
        words = " ".join(text[heading.start : heading.end].split())
        symbol = FileSymbol(words, "", SymbolKind.String, line, len(text), (heading.start, heading.end))
        (open_headings[-1][1].children if open_headings else headings).append(symbol)
        open_headings.append((level, symbol))
    return headings
