"""Answers to requests about a file: each is a row of a table over the names and keys at a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from lsprotocol import types as lsp

from rulewright.app.lsp.completion_items import complete
from rulewright.app.lsp.file_view import FileView
from rulewright.app.lsp.hover import hover
from rulewright.app.lsp.open_documents import ReadContent
from rulewright.app.lsp.session import EditorSession
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.references.citable_items import ListItem
from rulewright.references.glossary import TermEntry
from rulewright.references.name_spans import NameSpan, Target
from rulewright.sequence.sequence_step import SequenceStep

MAX_SYMBOLS = 200
"""Maximum number of workspace symbols in an answer."""

SYMBOL_KINDS: Mapping[type, lsp.SymbolKind] = {
    RuleEntry: lsp.SymbolKind.Class,
    ListItem: lsp.SymbolKind.Class,
    SequenceStep: lsp.SymbolKind.Event,
    TableEntry: lsp.SymbolKind.Struct,
    TermEntry: lsp.SymbolKind.Key,
}
"""Symbol kind of each type of target."""


class FileRequest(NamedTuple):
    """A request about a file, with the name at its position."""

    session: EditorSession
    view: FileView
    offset: int
    span: NameSpan | None
    params: Any


def answer_completion(request: FileRequest) -> lsp.CompletionList:
    return complete(request.view, request.offset)


def answer_hover(request: FileRequest) -> lsp.Hover | None:
    if answer := hover(request.view, request.offset):
        words, start, end = answer
        return lsp.Hover(
            lsp.MarkupContent(lsp.MarkupKind.Markdown, words), request.view.lines.range(start, end)
        )
    return None


def answer_definition(request: FileRequest) -> list[lsp.Location]:
    places = [request.span.definition] if request.span else []
    return request.session.locations(places, request.view.content)


def answer_references(request: FileRequest) -> list[lsp.Location]:
    declared = request.params.context.include_declaration
    spans = request.view.content.names.naming(request.span.definition) if request.span else ()
    places = sorted(span.place for span in spans if declared or not span.is_definition)
    return request.session.locations(places, request.view.content)


def answer_outline(request: FileRequest) -> list[lsp.DocumentSymbol]:
    """Return the rules, steps, tables and terms of a file; each extends to the next one outside it."""
    view = request.view
    roots: list[lsp.DocumentSymbol] = []
    enclosing: list[tuple[NameSpan, lsp.DocumentSymbol]] = []
    definitions = [span for span in view.spans() if span[0].is_definition]
    line_starts = [view.lines.text.rfind("\n", 0, start) + 1 for _, start, _ in definitions]
    for (span, start, end), line, next_line in zip(
        definitions, line_starts, [*line_starts[1:], len(view.lines.text)], strict=False
    ):
        full_range = view.lines.range(line, max(next_line - 1, end))
        kind = SYMBOL_KINDS[type(span.target)]
        symbol = lsp.DocumentSymbol(
            _title(span.target), kind, full_range, view.lines.range(start, end), children=[]
        )
        parents = [*getattr(span.target, "self_and_ancestors", tuple)()]
        while enclosing and enclosing[-1][0].target not in parents:
            enclosing.pop()
        for _, outer in enclosing:
            outer.range = lsp.Range(outer.range.start, full_range.end)
        (enclosing[-1][1].children if enclosing else roots).append(symbol)  # type: ignore[union-attr]
        enclosing.append((span, symbol))
    return roots


def find_symbols(query: str, content: ReadContent, session: EditorSession) -> list[lsp.WorkspaceSymbol]:
    """Return the rules, tables, steps and terms that match a query; matching numbers come first."""
    words = query.strip().casefold()
    matches: list[tuple[int, str, NameSpan]] = []
    for span in (span for spans in content.names.by_file.values() for span in spans if span.is_definition):
        title = _title(span.target)
        if words in (folded := title.casefold()):
            rank = (not folded.startswith(words)) + (not f"{folded} ".startswith(f"{words} "))
            matches.append((rank, title, span))
    matches.sort(key=lambda match: match[0])
    return [
        lsp.WorkspaceSymbol(
            location, title, SYMBOL_KINDS[type(span.target)], container_name=span.target.edition.short
        )
        for _, title, span in matches[:MAX_SYMBOLS]
        for location in session.locations([span.definition], content)
    ]


def name_of(target: Target) -> str:
    """Return the number of a rule, and the name of anything else."""
    match target:
        case RuleEntry():
            return target.key
        case SequenceStep():
            return str(target.step.title)
        case TermEntry():
            return str(target.words)
    return str(target)


def _title(target: Target) -> str:
    return str(target) if isinstance(target, RuleEntry) else name_of(target)


ANSWERS = {
    lsp.TEXT_DOCUMENT_COMPLETION: answer_completion,
    lsp.TEXT_DOCUMENT_HOVER: answer_hover,
    lsp.TEXT_DOCUMENT_DEFINITION: answer_definition,
    lsp.TEXT_DOCUMENT_REFERENCES: answer_references,
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: answer_outline,
}
"""Answer to each request about a file."""
