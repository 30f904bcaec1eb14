"""The pages of the site: the library, each edition with its chapters, its sequence of play and its indexes.

A page is one template in `templates/site/`, which also says the page's `title`, `description` and, where
they do not come from the content, its `sections`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import rulewright.model.faults  # noqa: F401  every code is documented
from rulewright.book.library import Edition, Library
from rulewright.book.lineage import in_line
from rulewright.book.outline import Outline
from rulewright.citations import addresses, prose
from rulewright.citations.coverage import cover
from rulewright.citations.page_kinds import kinds_of
from rulewright.citations.shelf import Shelf
from rulewright.compare.history import Counterparts
from rulewright.site import jump_index, own_inventory
from rulewright.site.artifacts import Branch, Page, Prints, Version
from rulewright.site.context import Desk
from rulewright.site.pages import previews, tables
from rulewright.site.pages.editions import Ways
from rulewright.site.pages.glossary import terms_of
from rulewright.site.pages.page import page
from rulewright.site.pages.series import differing
from rulewright.site.pages.short import FORMS
from rulewright.source.bounds import BOUNDS
from rulewright.source.inventory import Item
from rulewright.source.problems import KINDS
from rulewright.source.processes import share_out
from rulewright.source.settings import SHORT_FORMS

_HEADING = re.compile(r"^(?:title:|#)[ \t]+(.+?)[ \t]*#*[ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Leaf:
    """An ordinary Markdown page of the content folder, which is rendered elsewhere and linked here.

    `name` is its file, `path` its address.
    """

    name: str
    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Summary:
    """An edition with its counts, as the library lists it."""

    edition: Edition
    rules: int
    transcribed: int
    steps: int
    tables: int
    references: int


NOTHING_PRINTED = Prints()
Rendered = tuple[tuple[Page, ...], dict[str, str | bytes], tuple[Branch, ...]]


@dataclass(frozen=True, slots=True)
class Book:
    """Share of a book in the site: its pages, the files beside them, its branches of the navigation, and what
    it enters in the inventory.
    """

    pages: tuple[Page, ...]
    files: dict[str, str | bytes]
    branches: tuple[Branch, ...]
    items: tuple[Item, ...]


def render(
    shelf: Shelf, library: Library, prints: Prints = NOTHING_PRINTED, short: str = SHORT_FORMS[0]
) -> Rendered:
    """All pages made from books, the site's short addresses by file name, and its navigation.

    `prints` says which player aids were printed, `short` which of the forms short addresses have.
    """
    desk = Desk(shelf)
    leaves = _leaves(library)
    editions: dict[str, list[Outline]] = {}
    for address, outline in shelf.outlines.items():
        editions.setdefault(address.partition("/")[0], []).append(outline)
    outlines = list(editions.values())
    largest = sorted(range(len(outlines)), key=lambda at: -sum(len(one.entries) for one in outlines[at]))
    done = share_out(lambda at: _book(desk, outlines[largest[at]], library, leaves, prints), len(outlines))
    made = {largest[at]: book for at, book in done}
    books = [made[at] for at in range(len(outlines))]
    others = _nested([leaf for leaf in leaves if library.edition_of(leaf.name) is None], library)
    home = page(desk, "home", "", None, summaries=_summaries(shelf), leaves=others)
    kinds = sorted(KINDS.values(), key=lambda kind: kind.code)
    checks = page(desk, "checks", "checks", None, kinds=kinds, bounds=BOUNDS)
    nav = (Branch(home.title, ""), *(branch for book in books for branch in book.branches), *others)
    files = {name: data for book in books for name, data in book.files.items()}
    files |= dict([*FORMS[short](desk), *own_inventory.files(item for book in books for item in book.items)])
    return (home, *(one for book in books for one in book.pages), checks), files, nav


def _book(
    desk: Desk, outlines: Sequence[Outline], library: Library, leaves: Sequence[Leaf], prints: Prints
) -> Book:
    """The share of one book, of all its editions."""
    pages: list[Page] = []
    branches: list[Branch] = []
    files: dict[str, str | bytes] = {}
    within: list[Leaf] = []
    for outline in outlines:
        address = outline.edition.address
        of_edition = [leaf for leaf in leaves if library.edition_of(leaf.name) is outline.edition]
        made = list(_edition(desk, outline, of_edition, prints))
        pages += made
        within += of_edition
        inner = _branches([one for one in made if one.path != f"{address}/coverage"], address)
        inner += [Branch(leaf.title, leaf.path) for leaf in of_edition]
        branches.append(Branch(outline.edition.short, address, tuple(inner)))
        files |= previews.files(desk, outline)
        files |= tables.files(desk.shelf, outline)
        files |= jump_index.files(desk, outline, branches[-1])
    ways = Ways(desk.counterparts, [*(one.path for one in pages), *(leaf.path for leaf in within)])
    pages = [replace(one, versions=ways.of(one.path, one.sections)) for one in pages]
    items = (item for outline in outlines for item in own_inventory.items(desk, outline))
    return Book(tuple(pages), files, tuple(branches), tuple(items))


def _branches(made: Sequence[Page], address: str) -> list[Branch]:
    """The pages of an edition in its navigation, a page inside of the one whose address it goes on from."""
    paths = {one.path for one in made} - {address}
    inside: dict[str, list[Page]] = {}
    for one in made:
        inside.setdefault(one.path.rpartition("/")[0], []).append(one)
    return [
        Branch(one.title, one.path, tuple(Branch(p.title, p.path) for p in inside.get(one.path, ())))
        for one in made
        if one.path in paths and one.path.rpartition("/")[0] not in paths
    ]


def versions(made: Sequence[Page], shelf: Shelf, library: Library) -> dict[str, tuple[Version, ...]]:
    """The editions of the book that each ordinary page is of, by its address, where there are several."""
    leaves = [leaf.path for leaf in _leaves(library)]
    ways = Ways(Counterparts(shelf, ()), [*(one.path for one in made), *leaves])
    return {path: found for path in leaves if (found := ways.of(path))}


def _edition(desk: Desk, outline: Outline, leaves: Sequence[Leaf], prints: Prints) -> Iterator[Page]:
    """The pages of an edition, in the order of its navigation."""
    edition, shelf = outline.edition, desk.shelf
    given: dict[str, Any] = {
        "outline": outline,
        "edition": edition,
        "summary": _summary(outline, shelf),
        "coverage": cover(outline, shelf),
        "leaves": leaves,
        "narrative": any(step.told for step in outline.every_step()),
        "tables": shelf.tables[edition.address],
        "sheets": shelf.sheets[edition.address],
        "prints": prints,
        "remarks": shelf.remarks[edition.address],
        "terms": terms_of(desk, edition),
        "games": desk.games(outline),
        "played": differing(desk, outline),
        "difference": desk.difference(outline),
    }
    for kind in kinds_of(outline, shelf):
        maker = import_module(f"{__name__}.{kind.replace('-', '_')}")
        yield from maker.pages(desk, outline, given)


def _summary(outline: Outline, shelf: Shelf) -> Summary:
    entries = outline.entries.values()
    citations = shelf.citations.get(outline.edition.address, ())
    return Summary(
        outline.edition,
        rules=len(outline.entries),
        transcribed=sum(entry.transcribed for entry in entries),
        steps=sum(step.difference != "dropped" for step in outline.every_step()),
        tables=len(shelf.tables.get(outline.edition.address, ())),
        references=sum(len(citation.resolved) for citation in citations),
    )


def _summaries(shelf: Shelf) -> list[tuple[Edition, list[Summary]]]:
    """The editions of each book, the newest first; each book by its newest edition."""
    by_book: dict[str, list[Summary]] = {}
    for address, outline in shelf.outlines.items():
        by_book.setdefault(address.partition("/")[0], []).append(_summary(outline, shelf))
    for editions in by_book.values():
        line = in_line(one.edition for one in editions)
        editions.sort(key=lambda summary: line.index(summary.edition), reverse=True)
    return [(shelf.newest[book], of_book) for book, of_book in by_book.items()]


def _leaves(library: Library) -> list[Leaf]:
    """The ordinary pages, with the titles that their first headings give them."""
    return [leaf for name, data in library.pages.items() if (leaf := leaf_of(name, data)).path]


def _nested(leaves: Sequence[Leaf], library: Library) -> list[Branch]:
    """The pages beside the books, each below the index page of its folder, in the order of its links."""
    inside: dict[str, list[Leaf]] = {
        leaf.path: [] for leaf in leaves if not leaf.name.endswith(f"{leaf.path}.md")
    }
    tops: list[Leaf] = []
    for leaf in leaves:
        inside.get(posixpath.dirname(leaf.path), tops).append(leaf)

    def branch(leaf: Leaf) -> Branch:
        text = library.pages[leaf.name].decode("utf-8", "replace")

        def linked(other: Leaf) -> tuple[bool, int]:
            at = text.find(f"]({posixpath.relpath(other.name, posixpath.dirname(leaf.name))}")
            return at < 0, at

        below = sorted(inside.get(leaf.path, ()), key=linked)
        return Branch(leaf.title, leaf.path, tuple(map(branch, below)))

    return list(map(branch, tops))


def leaf_of(name: str, data: bytes) -> Leaf:
    """An ordinary page with the title that its first heading gives it."""
    path = addresses.leaf_path(name)
    heading = _HEADING.search(data.decode("utf-8", "replace"))
    title = heading.group(1) if heading else path.rpartition("/")[2].replace("-", " ").capitalize()
    return Leaf(name, path, prose.plain(title.strip("\"'")))
