"""From a place to what it names, to all that names it, and from a number to its rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lsprotocol.types import Location, SymbolKind, WorkspaceSymbol

from rulewright.app.lsp.content_index import IndexedContent, Thing
from rulewright.app.lsp.open_files import FileView, FileViews
from rulewright.book.outline import RuleEntry
from rulewright.book.sequence import SequenceStep

MOST = 200
"""How many symbols of a project are told at once."""

Address = Callable[[str], str]
"""The editor's address of a file of the content."""

Stretch = tuple[str, int, int]


def find_definition(view: FileView, index: int) -> list[Stretch]:
    """Where the thing stands that a place names."""
    spot = view.span_at(index)
    return [view.reading.place_of(spot.target)] if spot and spot.target else []


def find_usages(view: FileView, index: int, *, declared: bool) -> list[Stretch]:
    """All places that name what a place names; with `declared` its own too."""
    spot = view.span_at(index)
    if spot is None or spot.target is None:
        return []
    declaration = [view.reading.place_of(spot.target)] if declared else []
    return [*dict.fromkeys([*declaration, *sorted(view.reading.usages_of(spot.target))])]


def locations(
    places: Iterable[Stretch], reading: IndexedContent, views: FileViews, address: Address
) -> list[Location]:
    """Places as an editor is told them. One that was edited since it was read is left out."""
    ranges = ((name, views.view_of(name, reading).range(start, end)) for name, start, end in places)
    return [Location(address(name), current_range) for name, current_range in ranges if current_range]


def workspace_symbols(
    query: str, reading: IndexedContent, views: FileViews, address: Address
) -> Iterator[WorkspaceSymbol]:
    """The rules, tables, steps and terms whose number or name is like a query; numbers come first."""
    folded_query = query.strip().casefold()
    matches: list[tuple[int, Thing, str]] = []
    named_items = (
        named_item
        for outline in reading.shelf.outlines.values()
        for named_item in reading.named_items(outline)
    )
    for target, text in {target: text for text, target in named_items}.items():
        number, title = "", str(text)
        if isinstance(target, RuleEntry):
            number, title = target.display_number, target.title or ""
        folded, words = number.casefold(), title.casefold()
        if not folded_query or folded == folded_query:
            matches.append((0, target, f"{number} {title}"))
        elif folded_query in f"{folded} {words}":
            rank = 1 if folded.startswith(folded_query) else 2 if words.startswith(folded_query) else 3
            matches.append((rank, target, f"{number} {title}"))
    for _, target, name in sorted(matches, key=lambda match: match[0])[:MOST]:
        for location in locations([reading.place_of(target)], reading, views, address):
            kind = SymbolKind.Event if isinstance(target, SequenceStep) else SymbolKind.Class
            yield WorkspaceSymbol(location, name.strip(), kind, container_name=target.edition.short)
