"""Go to definition, find references and workspace symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lsprotocol.types import Location, SymbolKind, WorkspaceSymbol

from rulewright.app.lsp.content_index import IndexedContent, Target
from rulewright.app.lsp.open_files import FileView, FileViews
from rulewright.book.outline import RuleEntry
from rulewright.sequence.sequence_step import SequenceStep

MAX_SYMBOLS = 200
"""Maximum number of workspace symbols in an answer."""

Address = Callable[[str], str]
"""Returns the URI of a content file."""

FileSpan = tuple[str, int, int]
"""File name, start and end."""


def find_definition(view: FileView, index: int) -> list[FileSpan]:
    """Return the definition of the target at an index."""
    span = view.span_at(index)
    return [view.content.place_of(span.target)] if span and span.target else []


def find_usages(view: FileView, index: int, *, declared: bool) -> list[FileSpan]:
    """Return all references to the target at an index; with `declared` also its definition."""
    span = view.span_at(index)
    if span is None or span.target is None:
        return []
    declaration = [view.content.place_of(span.target)] if declared else []
    return [*dict.fromkeys([*declaration, *sorted(view.content.usages_of(span.target))])]


def locations(
    places: Iterable[FileSpan], content: IndexedContent, views: FileViews, address: Address
) -> list[Location]:
    """Convert spans to editor locations; omit those edited since the content was read."""
    ranges = ((name, views.view_of(name, content).range(start, end)) for name, start, end in places)
    return [Location(address(name), current_range) for name, current_range in ranges if current_range]


def workspace_symbols(
    query: str, content: IndexedContent, views: FileViews, address: Address
) -> Iterator[WorkspaceSymbol]:
    """Yield the rules, tables, steps and terms that match a query; matching numbers come first."""
    folded_query = query.strip().casefold()
    matches: list[tuple[int, Target, str]] = []
    names: dict[Target, str] = {}
    for outline in content.shelf.outlines.values():
        names.update((target, text) for text, target in content.named_items(outline))
    for target, text in names.items():
        number, title = "", str(text)
        if isinstance(target, RuleEntry):
            number, title = target.display_number, target.title or ""
        folded, words = number.casefold(), title.casefold()
        if not folded_query or folded == folded_query:
            matches.append((0, target, f"{number} {title}"))
        elif folded_query in f"{folded} {words}":
            rank = 1 if folded.startswith(folded_query) else 2 if words.startswith(folded_query) else 3
            matches.append((rank, target, f"{number} {title}"))
    for _, target, name in sorted(matches, key=lambda match: match[0])[:MAX_SYMBOLS]:
        for location in locations([content.place_of(target)], content, views, address):
            kind = SymbolKind.Event if isinstance(target, SequenceStep) else SymbolKind.Class
            yield WorkspaceSymbol(location, name.strip(), kind, container_name=target.edition.short)
