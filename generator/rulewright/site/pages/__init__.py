"""The pages of the site: the library, each edition with its chapters, its sequence of play and its indexes.

A page is one template in `templates/site/`, which also says the page's `title`, `description` and, where
they do not come from the content, its `sections`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from rulewright.book.library import Library
from rulewright.book.lineage import in_line
from rulewright.book.looks import dressed
from rulewright.book.outline import Outline
from rulewright.checks import every
from rulewright.citations import addresses
from rulewright.citations.shelf import Shelf, cite
from rulewright.site import passages, redirect_pages
from rulewright.site.artifacts import (
    Branch,
    Content,
    Look,
    Page,
    Prints,
    Standing,
    Version,
    settled_files,
)
from rulewright.site.context import ENGLISH, Desk
from rulewright.site.covers import Cover
from rulewright.site.exports import book as whole_book
from rulewright.site.exports import moved
from rulewright.site.navigation import FOOT
from rulewright.site.pages import front, look, previews, reference, rules, turn
from rulewright.site.pages import short as short_addresses
from rulewright.site.pages.all import all_rules
from rulewright.site.pages.editions import Ways
from rulewright.site.pages.library import Summary, summary
from rulewright.site.pages.page import Given, Leaf, page
from rulewright.source.bounds import BOUNDS
from rulewright.source.folder import CONTENT
from rulewright.text.document import plain

_HEADING = re.compile(r"^(?:title:|#)[ \t]+(.+?)[ \t]*#*[ \t]*\r?$", re.MULTILINE)


INDEXES = ("in-order", "numbers")
"""Pages of an edition that lay out again what its other pages say."""
MANY_CHAPTERS = 10
"""Chapters of an edition from which on its menu names those; the edition's own page always does."""


@dataclass(frozen=True, slots=True)
class Share:
    """Share of a part of the content in the site: of a book, or of what lies beside the books.

    `pages` and other `files`, `branches` of its editions, `editions` for the
    library, the newest first. `leaves`: its ordinary pages of no edition, each with its text.
    `versions`: the editions of ordinary pages, by address. `names`: of each edition.
    """

    title: str = ""
    publisher: str = ""
    cover: Cover | None = None
    is_behind: bool = False
    pages: tuple[Page, ...] = ()
    files: Mapping[str, Content] = field(default_factory=dict)
    branches: tuple[Branch, ...] = ()
    editions: tuple[Summary, ...] = ()
    leaves: tuple[tuple[Leaf, str], ...] = ()
    versions: Mapping[str, tuple[Version, ...]] = field(default_factory=dict)
    looks: Mapping[str, Look] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    search: Mapping[str, str | Callable[[], str]] = field(default_factory=dict)
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    dates: Mapping[str, Standing] = field(default_factory=dict)


MAKERS: Mapping[str, Callable[[Given], Iterator[Page]]] = {
    "edition": front.front,
    "sequence": turn.sequence,
    "narrative": turn.narrative,
    "play": turn.play,
    "in-order": rules.in_order,
    "chapter": rules.chapters,
    "tables": reference.tables,
    "glossary": reference.glossary,
    "series": front.series,
    "errata": front.errata,
    "changes": front.changes,
    "numbers": rules.numbers,
    "all": all_rules,
    "aids": reference.aids,
}
"""The maker of each kind of page of an edition."""

NOTHING_PRINTED = Prints()
Rendered = tuple[tuple[Page, ...], dict[str, Content], tuple[Branch, ...]]


def render(
    shelf: Shelf,
    library: Library,
    prints: Prints = NOTHING_PRINTED,
    *,
    late: bool = False,
) -> Rendered:
    """All pages made from books, the site's other files by name, and its navigation.

    `prints` says which player aids were printed; `late`: the files are made when they are asked for, as the
    pages are.
    """
    desk = Desk(shelf)
    names = (*(f"{CONTENT}/{address}" for address in shelf.outlines), *library.pages)
    parts = [*dict.fromkeys(map(part_of, names))]
    made, files, nav = assembled([share(desk, library, part, prints) for part in parts])
    return made, files if late else settled_files(files), nav


def part_of(name: str) -> str:
    """The folder in the content folder that a file lies in; empty for what lies beside those."""
    return name.split("/")[1] if name.count("/") > 1 else ""


def share(desk: Desk, library: Library, part: str, prints: Prints = NOTHING_PRINTED) -> Share:
    """The share of one part in the site."""
    shelf = desk.shelf
    outlines = [one for address, one in shelf.outlines.items() if address.partition("/")[0] == part]
    mine = [(name, data) for name, data in library.pages.items() if part_of(name) == part]
    leaves = [leaf for name, data in mine if (leaf := leaf_of(name, data)).path]
    pages: list[Page] = []
    branches: list[Branch] = []
    files: dict[str, Content] = {}
    search: dict[str, str | Callable[[], str]] = {}
    beside = leaves
    for outline in outlines:
        address = outline.edition.address
        of_edition = [leaf for leaf in leaves if library.edition_of(leaf.name) is outline.edition]
        beside = [leaf for leaf in beside if leaf not in of_edition]
        made = list(_edition(desk, outline, of_edition, prints))
        pages += made
        paths = [one.path for one in made]
        again = {f"{address}/all"}  # pages that say once more what others do
        if (changes := f"{address}/changes") in paths:
            again.update(path for path in paths if path.startswith(f"{changes}/"))
        own = [one for one in made if one.path not in again]
        inner = _branches(own, address)
        inner += [Branch(leaf.title, leaf.path) for leaf in of_edition]
        whole = Branch(outline.edition.short, address, tuple(inner))
        branches.append(_with_more(whole, len(outline.chapters)))
        files[addresses.data_path(address)] = partial(whole_book.json, desk, address, library)
        search[address] = partial(_found, desk, outline, whole, own)
        files |= previews.files(desk, outline)
        files |= reference.table_files(shelf, outline)
    ways = Ways(desk, [*(one.path for one in pages), *(leaf.path for leaf in leaves)])
    for one in pages:
        one.ways = ways.of
    files |= moved.files(desk, part)
    files |= short_addresses.pages(desk, part) if part else {}
    looks, styles = look.looks(shelf, part)
    files |= styles
    published = shelf.newest[part] if outlines else None
    if published and part not in (leaf.path for leaf in leaves):
        files[f"{part}/index.html"] = partial(redirect_pages.of_book, published)
    book = published.book if published else None
    texts = {leaf.name: library.pages[leaf.name].decode("utf-8", "replace") for leaf in beside}
    line = in_line(one.edition for one in outlines)
    newest_first = sorted(
        outlines, key=lambda one: (one.edition is published, line.index(one.edition)), reverse=True
    )
    return Share(
        title=str(book.title) if book else "",
        publisher=str(book.publisher or "") if book else "",
        is_behind=book is None or book.stands is None,
        pages=tuple(pages),
        files=files,
        branches=tuple(branches),
        editions=tuple(summary(outline, shelf) for outline in newest_first),
        cover=Cover(str(book.title), dressed(newest_first[0].edition)) if book else None,
        leaves=tuple((leaf, texts[leaf.name]) for leaf in beside),
        versions={leaf.path: found for leaf in leaves if (found := ways.at(leaf.path))},
        looks=looks,
        languages={part: str(book.language)} if book and book.language else {},
        search=search,
        names={one.edition.address: one.edition.names for one in newest_first},
        dates={one.edition.address: _standing(one, shelf) for one in outlines},
    )


def _found(desk: Desk, outline: Outline, branch: Branch, pages: Sequence[Page]) -> str:
    return passages.packed(passages.listing(desk, outline, branch, pages))


def _standing(outline: Outline, shelf: Shelf) -> Standing:
    """The dates of an edition and of its last erratum in force; none is guessed."""
    remarks = shelf.remarks[outline.edition.address]
    dates = [str(one.erratum.date) for one in remarks if one.erratum and one.holds]
    return Standing(str(outline.edition.file.date or ""), max(dates, default=""))


def assembled(shares: Sequence[Share], aside: Container[str] = (), language: str = ENGLISH) -> Rendered:
    """Join all shares to the site. `aside`: ordinary pages that the library does not name."""
    desk = Desk(cite({}), language)
    others = _nested([pair for one in shares for pair in one.leaves])
    summaries = [one for one in shares if one.editions]
    leaves = [leaf for leaf in others if leaf.path not in aside and leaf.path not in FOOT]
    listed = {"summaries": summaries, "leaves": leaves}
    home = page(desk, "home", "", "Library", own=lambda: listed)

    def codes() -> dict[str, object]:
        kinds = sorted(every.kinds().values(), key=lambda kind: kind.code)
        return {"kinds": kinds, "bounds": BOUNDS, "summaries": summaries}

    checks = page(desk, "checks", "checks", "Checks", own=codes)
    nav = (Branch(home.title, ""), *(branch for one in shares for branch in one.branches), *others)
    files = {name: data for one in shares for name, data in one.files.items()}
    return (home, *(made for one in shares for made in one.pages), checks), files, nav


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


def _with_more(whole: Branch, chapters: int) -> Branch:
    """The menu of an edition with its indexes in one entry; without them where its chapters are few."""
    indexes = [f"{whole.path}/{name}" for name in INDEXES]
    main = [one for one in whole.branches if one.path not in indexes]
    if chapters >= MANY_CHAPTERS:
        main.append(Branch("More", None, tuple(one for one in whole.branches if one.path in indexes)))
    return whole._replace(branches=tuple(main))


def _edition(desk: Desk, outline: Outline, leaves: Sequence[Leaf], prints: Prints) -> Iterator[Page]:
    given = Given(desk, outline, leaves, prints)
    for kind in given.kinds:
        for one in MAKERS[kind](given):
            given.made.append(one)
            yield one


def _nested(leaves: Sequence[tuple[Leaf, str]]) -> list[Branch]:
    """The pages beside the books, each below the index page of its folder, in the order of its links."""
    inside: dict[str, list[Leaf]] = {
        leaf.path: [] for leaf, _ in leaves if not leaf.name.endswith(f"{leaf.path}.md")
    }
    tops: list[Leaf] = []
    texts = dict(leaves)
    for leaf in texts:
        inside.get(posixpath.dirname(leaf.path), tops).append(leaf)

    def branch(leaf: Leaf) -> Branch:
        def linked(other: Leaf) -> tuple[bool, int]:
            at = texts[leaf].find(f"]({posixpath.relpath(other.name, posixpath.dirname(leaf.name))}")
            return at < 0, at

        below = sorted(inside.get(leaf.path, ()), key=linked)
        return Branch(leaf.title, leaf.path, tuple(map(branch, below)))

    return list(map(branch, tops))


def leaf_of(name: str, data: bytes) -> Leaf:
    """An ordinary page with the title that its first heading gives it."""
    path = addresses.leaf_path(name)
    heading = _HEADING.search(data.decode("utf-8", "replace"))
    title = heading.group(1) if heading else path.rpartition("/")[2].replace("-", " ").capitalize()
    return Leaf(name, path, plain(title.strip("\"'")))
