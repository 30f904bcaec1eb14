"""The pages of the site: the library, each edition with its chapters, its sequence of play and its indexes.

A page is one template in `templates/site/`, which also says the page's `title`, `description` and, where
they do not come from the content, its `sections`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import rulewright.model.faults  # noqa: F401  every code is documented
from rulewright.book.library import Library
from rulewright.book.lineage import in_line
from rulewright.book.looks import dressed
from rulewright.book.outline import Outline
from rulewright.citations import addresses, manuscript
from rulewright.citations.manuscript import Linked, Manuscript
from rulewright.citations.page_kinds import kinds_of
from rulewright.citations.redirect_targets import Moved
from rulewright.citations.shelf import Shelf, cite
from rulewright.site import jump_index, own_inventory, redirect_pages
from rulewright.site.artifacts import Branch, Look, Page, Prints, Standing, Version
from rulewright.site.context import Desk
from rulewright.site.covers import Cover
from rulewright.site.navigation import FOOT
from rulewright.site.pages import chapter, look, previews, tables
from rulewright.site.pages import short as short_addresses
from rulewright.site.pages.editions import Ways
from rulewright.site.pages.glossary import terms_of
from rulewright.site.pages.library import Summary, summary
from rulewright.site.pages.page import page
from rulewright.site.pages.series import differing
from rulewright.site.searching import searched
from rulewright.source.bounds import BOUNDS
from rulewright.source.folder import CONTENT
from rulewright.source.problems import KINDS
from rulewright.source.settings import SHORT_FORMS
from rulewright.source.store import key
from rulewright.text.document import plain

_HEADING = re.compile(r"^(?:title:|#)[ \t]+(.+?)[ \t]*#*[ \t]*\r?$", re.MULTILINE)


INDEXES = ("in-order", "numbers")
"""Pages of an edition that lay out again what its other pages say."""
MANY_CHAPTERS = 10
"""Chapters of an edition from which on its menu names those; the edition's own page always does."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """An ordinary Markdown page of the content folder, which is rendered elsewhere and linked here.

    `name` is its file, `path` its address.
    """

    name: str
    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Share:
    """Share of a part of the content in the site: of a book, or of what lies beside the books.

    `pages` and other `files` with their `marks`, `branches` of its editions, its share in the `inventory`,
    `editions` for the library, the newest first. `leaves`: its ordinary pages of no edition, each with its
    text. `short`: the table of short addresses. `prose`: ordinary pages by file; `versions`: their
    editions, by address. `names`: of each edition. `chapters`: the hashes of what their pages show, by
    address.
    """

    title: str = ""
    publisher: str = ""
    cover: Cover | None = None
    is_behind: bool = False
    pages: tuple[Page, ...] = ()
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    branches: tuple[Branch, ...] = ()
    inventory: tuple[str, str] = ("", "")
    editions: tuple[Summary, ...] = ()
    leaves: tuple[tuple[Leaf, str], ...] = ()
    short: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {})
    prose: Mapping[str, Linked] = field(default_factory=dict)
    versions: Mapping[str, tuple[Version, ...]] = field(default_factory=dict)
    looks: Mapping[str, Look] = field(default_factory=dict)
    search: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    dates: Mapping[str, Standing] = field(default_factory=dict)
    chapters: Mapping[str, str] = field(default_factory=dict)


NOTHING = Share()
NOTHING_PRINTED = Prints()
Rendered = tuple[tuple[Page, ...], dict[str, str | bytes], tuple[Branch, ...]]


def render(
    shelf: Shelf, library: Library, prints: Prints = NOTHING_PRINTED, short: str = SHORT_FORMS[0]
) -> Rendered:
    """All pages made from books, the site's short addresses by file name, and its navigation.

    `prints` says which player aids were printed, `short` which of the forms short addresses have.
    """
    desk = Desk(shelf)
    names = (*(f"{CONTENT}/{address}" for address in shelf.outlines), *library.pages)
    parts = [*dict.fromkeys(map(part_of, names))]
    return assembled([share(desk, library, part, prints, short) for part in parts], short)


def part_of(name: str) -> str:
    """The folder in the content folder that a file lies in; empty for what lies beside those."""
    return name.split("/")[1] if name.count("/") > 1 else ""


def share(
    desk: Desk,
    library: Library,
    part: str,
    prints: Prints = NOTHING_PRINTED,
    short: str = SHORT_FORMS[0],
    manuscripts: Iterable[Manuscript] = (),
    moved: Iterable[Moved] = (),
    beside_chapters: str = "",
    last: Share = NOTHING,
) -> Share:
    """The share of one part in the site.

    `beside_chapters`: the hash of all that it is made of but its chapters; those of the `last` share that
    would be the same are taken over.
    """
    shelf = desk.shelf
    outlines = [one for address, one in shelf.outlines.items() if address.partition("/")[0] == part]
    chapters = {
        path: mark for one in outlines for path, mark in chapter.marks(desk, one, beside_chapters).items()
    }
    same = {path for path, mark in chapters.items() if last.chapters.get(path) == mark}
    kept = {one.path: one for one in last.pages if one.path in same}
    scripts = {name: last.files[name] for name in map(previews.name_of, kept)}
    leaves = [leaf for leaf in _leaves(library) if part_of(leaf.name) == part]
    pages: list[Page] = []
    branches: list[Branch] = []
    files: dict[str, str | bytes] = {}
    search: dict[str, str] = {}
    beside = leaves
    for outline in outlines:
        address = outline.edition.address
        of_edition = [leaf for leaf in leaves if library.edition_of(leaf.name) is outline.edition]
        beside = [leaf for leaf in beside if leaf not in of_edition]
        made = list(_edition(desk, outline, of_edition, prints, kept))
        pages += made
        paths = [one.path for one in made]
        again = {f"{address}/all"}  # pages that say once more what others do
        if (changes := f"{address}/changes") in paths:
            again.update(path for path in paths if path.startswith(f"{changes}/"))
        search[address] = searched(one for one in made if one.path not in again)
        inner = _branches([one for one in made if one.path not in again], address)
        inner += [Branch(leaf.title, leaf.path) for leaf in of_edition]
        whole = Branch(outline.edition.short, address, tuple(inner))
        branches.append(_with_more(whole, len(outline.chapters)))
        files |= previews.files(desk, outline, scripts)
        files |= tables.files(shelf, outline)
        files |= jump_index.files(desk, outline, whole)
    ways = Ways(desk.counterparts, [*(one.path for one in pages), *(leaf.path for leaf in leaves)])
    files |= short_addresses.pages(desk, part) if short == "pages" and part else {}
    files |= redirect_pages.files(
        [one for one in moved if part_of(f"{CONTENT}/{one.edition}") == part], shelf
    )
    looks, styles = look.looks(shelf, part)
    files |= styles
    published = shelf.newest[part] if outlines else None
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
        pages=tuple(one._replace(versions=ways.of(one.path, one.sections)).marked() for one in pages),
        files=files,
        marks={name: key(data) for name, data in files.items()},
        chapters=chapters,
        branches=tuple(branches),
        inventory=own_inventory.share(desk, outlines),
        editions=tuple(summary(outline, shelf) for outline in newest_first),
        cover=Cover(str(book.title), dressed(newest_first[0].edition)) if book else None,
        leaves=tuple((leaf, texts[leaf.name]) for leaf in beside),
        short=short_addresses.table(desk, part) if short == "fallback" and part else ({}, {}),
        prose={one.name: manuscript.linked(one) for one in manuscripts if part_of(one.name) == part},
        versions={leaf.path: found for leaf in leaves if (found := ways.of(leaf.path))},
        looks=looks,
        search=search,
        names={one.edition.address: one.edition.names for one in newest_first},
        dates={one.edition.address: _standing(one, shelf) for one in outlines},
    )


def _standing(outline: Outline, shelf: Shelf) -> Standing:
    """The dates up to which an edition says what holds; none is guessed."""
    remarks = shelf.remarks[outline.edition.address]
    dates = [str(one.erratum.date) for one in remarks if one.erratum and one.holds]
    return Standing(str(outline.edition.file.date or ""), max(dates, default=""))


def assembled(shares: Sequence[Share], short: str, aside: Container[str] = ()) -> Rendered:
    """The site of all shares, with what stands above the books: the library, the inventory.

    `aside`: ordinary pages that the library does not name.
    """
    desk = Desk(cite({}))
    others = _nested([pair for one in shares for pair in one.leaves])
    summaries = [one for one in shares if one.editions]
    leaves = [leaf for leaf in others if leaf.path not in aside and leaf.path not in FOOT]
    home = page(desk, "home", "", None, summaries=summaries, leaves=leaves)
    kinds = sorted(KINDS.values(), key=lambda kind: kind.code)
    checks = page(desk, "checks", "checks", None, kinds=kinds, bounds=BOUNDS, summaries=summaries)
    nav = (Branch(home.title, ""), *(branch for one in shares for branch in one.branches), *others)
    files = {name: data for one in shares for name, data in one.files.items()}
    files |= dict(own_inventory.files(one.inventory for one in shares))
    if short == "fallback":
        files |= short_addresses.fallback(one.short for one in shares)
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


def _edition(
    desk: Desk, outline: Outline, leaves: Sequence[Leaf], prints: Prints, last: Mapping[str, Page]
) -> Iterator[Page]:
    """The pages of an edition, in the order of its navigation. `last`: chapters that are as they were."""
    edition, shelf = outline.edition, desk.shelf
    given: dict[str, Any] = {
        "outline": outline,
        "edition": edition,
        "summary": summary(outline, shelf),
        "cover": Cover(str(edition.book.title), dressed(edition)),
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
        "last": last,
    }
    given["made"] = made = list[Page]()
    given["kinds"] = kinds = list(kinds_of(outline, shelf))
    for kind in kinds:
        maker = import_module(f"{__name__}.{kind.replace('-', '_')}")
        for one in maker.pages(desk, outline, given):
            made.append(one)
            yield one


def _leaves(library: Library) -> list[Leaf]:
    """The ordinary pages, with the titles that their first headings give them."""
    return [leaf for name, data in library.pages.items() if (leaf := leaf_of(name, data)).path]


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
