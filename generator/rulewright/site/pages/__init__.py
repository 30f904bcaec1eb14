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
from rulewright.source.problems import KINDS

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


def render(
    shelf: Shelf, library: Library, prints: Prints = NOTHING_PRINTED, short: str = "pages"
) -> Rendered:
    """All pages made from books, the site's short addresses by file name, and its navigation.

    `prints` says which player aids were printed, `short` which of the forms short addresses have.
    """
    desk = Desk(shelf)
    leaves = _leaves(library)
    pages: list[Page] = []
    books: list[Branch] = []
    files: dict[str, str | bytes] = {}
    for address, outline in shelf.outlines.items():
        of_edition = [leaf for leaf in leaves if library.edition_of(leaf.name) is outline.edition]
        leaves = [leaf for leaf in leaves if leaf not in of_edition]
        made = list(_edition(desk, outline, of_edition, prints))
        pages += made
        files |= previews.files(desk, outline)
        branches = _branches([one for one in made if one.path != f"{address}/coverage"], address)
        branches += [Branch(leaf.title, leaf.path) for leaf in of_edition]
        books.append(Branch(outline.edition.short, address, tuple(branches)))
    others = _nested(leaves, library)
    home = page(desk, "home", "", None, summaries=_summaries(shelf), leaves=others)
    kinds = sorted(KINDS.values(), key=lambda kind: kind.code)
    checks = page(desk, "checks", "checks", None, kinds=kinds, bounds=BOUNDS)
    nav = (Branch(home.title, ""), *books, *others)
    files |= dict([*FORMS[short](desk), *tables.files(shelf), *own_inventory.files(desk)])
    files |= jump_index.files(desk, books)
    ways = Ways(desk.counterparts, [*(one.path for one in pages), *(leaf.path for leaf in _leaves(library))])
    pages = [replace(one, versions=ways.of(one.path, one.sections)) for one in pages]
    return (home, *pages, checks), files, nav


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
