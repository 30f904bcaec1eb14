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
    own = [view.reading.place_of(spot.target)] if declared else []
    return [*dict.fromkeys([*own, *sorted(view.reading.usages_of(spot.target))])]


def locations(
    places: Iterable[Stretch], reading: IndexedContent, views: FileViews, address: Address
) -> list[Location]:
    """Places as an editor is told them. One that was edited since it was read is left out."""
    made = ((name, views.view_of(name, reading).range(start, end)) for name, start, end in places)
    return [Location(address(name), there) for name, there in made if there]


def workspace_symbols(
    query: str, reading: IndexedContent, views: FileViews, address: Address
) -> Iterator[WorkspaceSymbol]:
    """The rules, tables, steps and terms whose number or name is like a query; numbers come first."""
    wanted = query.strip().casefold()
    found: list[tuple[int, Thing, str]] = []
    every = (one for outline in reading.shelf.outlines.values() for one in reading.named_items(outline))
    for thing, text in {thing: text for text, thing in every}.items():
        number, title = "", str(text)
        if isinstance(thing, RuleEntry):
            number, title = thing.display_number, thing.title or ""
        folded, words = number.casefold(), title.casefold()
        if not wanted or folded == wanted:
            found.append((0, thing, f"{number} {title}"))
        elif wanted in f"{folded} {words}":
            rank = 1 if folded.startswith(wanted) else 2 if words.startswith(wanted) else 3
            found.append((rank, thing, f"{number} {title}"))
    for _, thing, name in sorted(found, key=lambda one: one[0])[:MOST]:
        for where in locations([reading.place_of(thing)], reading, views, address):
            kind = SymbolKind.Event if isinstance(thing, SequenceStep) else SymbolKind.Class
            yield WorkspaceSymbol(where, name.strip(), kind, container_name=thing.edition.short)
