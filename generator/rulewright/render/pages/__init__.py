"""The pages of the site: the library, each edition with its chapters, its sequence of play and its indexes.

A page is one template in `templates/site/`, which also says the page's `title`, `description` and, where
they do not come from the content, its `sections`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from rulewright.book.edition_order import order_editions
from rulewright.book.library import BookLibrary
from rulewright.book.outline import Outline
from rulewright.book.resolved_branding import resolve_branding
from rulewright.checks import check_registry
from rulewright.files.content_folder import CONTENT
from rulewright.files.limits import BOUNDS
from rulewright.references import site_paths
from rulewright.references.reference_index import ReferenceIndex, build_reference_index
from rulewright.render import redirect_pages, search_index
from rulewright.render.build_artifacts import (
    Artifacts,
    BookStyle,
    Content,
    EditionDates,
    EditionVersion,
    NavItem,
    PrintedFiles,
    SitePage,
)
from rulewright.render.covers import Cover
from rulewright.render.edition_html import EditionHtml
from rulewright.render.exports import book_json, moved_numbers_json
from rulewright.render.navigation import FOOT
from rulewright.render.pages import (
    branding_css,
    edition_pages,
    number_index,
    play_page,
    reference_pages,
    rule_pages,
    sequence_pages,
)
from rulewright.render.pages import short_url_pages as short_addresses
from rulewright.render.pages.all_rules_page import all_rules_page
from rulewright.render.pages.edition_switcher import EditionLinks
from rulewright.render.pages.library_page import EditionSummary, summarize_edition
from rulewright.render.pages.page_builder import ContentPageRef, EditionPageContext, build_page
from rulewright.render.render_context import RenderContext
from rulewright.schema.text_document import plain_text

T = TypeVar("T")

_HEADING = re.compile(r"^(?:title:|#)[ \t]+(.+?)[ \t]*#*[ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class BookPages:
    """Share of a part of the content in the site: of a book, or of what lies beside the books.

    `pages` and other `files`, `branches` of its editions, `editions` for the
    library, the newest first. `leaves`: its ordinary pages of no edition, each with its text.
    `versions`: the editions of ordinary pages, by address. `names`: of each edition.
    """

    title: str = ""
    publisher: str = ""
    cover: Cover | None = None
    is_behind: bool = False
    pages: tuple[SitePage, ...] = ()
    files: Mapping[str, Content] = field(default_factory=dict)
    branches: tuple[NavItem, ...] = ()
    editions: tuple[EditionSummary, ...] = ()
    leaves: tuple[tuple[ContentPageRef, str], ...] = ()
    versions: Mapping[str, tuple[EditionVersion, ...]] = field(default_factory=dict)
    book_styles: Mapping[str, BookStyle] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    search: Mapping[str, Callable[[], dict[str, Any]]] = field(default_factory=dict)
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    dates: Mapping[str, EditionDates] = field(default_factory=dict)


MAKERS: Mapping[str, Callable[[EditionPageContext], Iterator[SitePage]]] = {
    "edition": edition_pages.front_page,
    "sequence": sequence_pages.sequence_page,
    "narrative": sequence_pages.narrative_page,
    "play": play_page.play_page,
    "chapter": rule_pages.chapter_pages,
    "tables": reference_pages.tables_page,
    "glossary": reference_pages.glossary_page,
    "series": edition_pages.series_page,
    "errata": edition_pages.errata_page,
    "changes": edition_pages.changes_pages,
    "numbers": rule_pages.numbers_page,
    "all": all_rules_page,
    "aids": reference_pages.aid_pages,
}
"""The maker of each kind of page of an edition."""

NOTHING_PRINTED = PrintedFiles()


def render_site(
    context: RenderContext,
    library: BookLibrary,
    prints: PrintedFiles = NOTHING_PRINTED,
    unlisted: Container[str] = (),
) -> Artifacts:
    """Return all pages made from books, the other files of the site, and its navigation.

    Pages and files are rendered when they are first asked for. `prints`: the player aids that were printed;
    `unlisted`: addresses of content pages that the home page does not list.
    """
    names = (*(f"{CONTENT}/{address}" for address in context.index.outlines), *library.pages)
    parts = dict.fromkeys(map(book_folder, names))
    shares = [render_book_pages(context, library, part, prints) for part in parts]
    shares.sort(key=lambda share: share.is_behind)
    return _join_shares(shares, unlisted, context.language)


def book_folder(name: str) -> str:
    """The folder in the content folder that a file lies in; empty for what lies beside those."""
    return name.split("/")[1] if name.count("/") > 1 else ""


def render_book_pages(
    desk: RenderContext, library: BookLibrary, part: str, prints: PrintedFiles = NOTHING_PRINTED
) -> BookPages:
    """The share of one part in the site."""
    index = desk.index
    outlines = [outline for address, outline in index.outlines.items() if address.partition("/")[0] == part]
    mine = [(name, data) for name, data in library.pages.items() if book_folder(name) == part]
    leaves = [leaf for name, data in mine if (leaf := content_page_title(name, data)).path]
    pages: list[SitePage] = []
    branches: list[NavItem] = []
    files: dict[str, Content] = {}
    search: dict[str, Callable[[], dict[str, Any]]] = {}
    beside = leaves
    for outline, html in [(outline, EditionHtml(desk, outline)) for outline in outlines]:
        address = outline.edition.address
        of_edition = [leaf for leaf in leaves if library.edition_of(leaf.name) is outline.edition]
        beside = [leaf for leaf in beside if leaf not in of_edition]
        made = list(_edition(html, of_edition, prints))
        pages += made
        paths = [page.path for page in made]
        again = {f"{address}/all", f"{address}/numbers"}  # pages that say once more what others do
        if (changes := f"{address}/changes") in paths:
            again.update(path for path in paths if path.startswith(f"{changes}/"))
        own = [page for page in made if page.path not in again]
        inner = _branches(own, address)
        inner += [NavItem(leaf.title, leaf.path) for leaf in of_edition]
        whole = NavItem(outline.edition.short, address, tuple(inner))
        branches.append(whole)
        files[site_paths.data_path(address)] = partial(book_json.edition_to_json, desk, address)
        files[site_paths.content_path(address)] = partial(book_json.content_to_json, address, library)
        search[address] = partial(search_index.search_entries, desk, outline, whole, own)
        files[site_paths.number_index_path(address)] = partial(number_index.number_index, outline)
        files |= reference_pages.table_downloads(index, outline)
    ways = EditionLinks(desk, [*(page.path for page in pages), *(leaf.path for leaf in leaves)])
    for one in pages:
        one.ways = ways.links_for_page
    files |= moved_numbers_json.moved_numbers_file(desk, part)
    files |= short_addresses.short_url_pages(desk, part) if part else {}
    book_styles, styles = branding_css.branding_styles(index, part)
    files |= styles
    published = index.newest[part] if outlines else None
    if published and part not in (leaf.path for leaf in leaves):
        files[f"{part}/index.html"] = partial(redirect_pages.book_redirect_page, published)
    book = published.book if published else None
    texts = {leaf.name: library.pages[leaf.name].decode("utf-8", "replace") for leaf in beside}
    line = order_editions(outline.edition for outline in outlines)
    newest_first = sorted(
        outlines, key=lambda one: (one.edition is published, line.index(one.edition)), reverse=True
    )
    return BookPages(
        title=str(book.title) if book else "",
        publisher=str(book.publisher or "") if book else "",
        is_behind=book is None or book.order is None,
        pages=tuple(pages),
        files=files,
        branches=tuple(branches),
        editions=tuple(summarize_edition(outline, index) for outline in newest_first),
        cover=Cover(str(book.title), resolve_branding(newest_first[0].edition)) if book else None,
        leaves=tuple((leaf, texts[leaf.name]) for leaf in beside),
        versions={leaf.path: found for leaf in leaves if (found := ways.links_at_path(leaf.path))},
        book_styles=book_styles,
        languages={part: str(book.language)} if book and book.language else {},
        search=search,
        names={outline.edition.address: outline.edition.names for outline in newest_first},
        dates={outline.edition.address: _standing(outline, index) for outline in outlines},
    )


def _standing(outline: Outline, index: ReferenceIndex) -> EditionDates:
    """The dates of an edition and of its last erratum in force; none is guessed."""
    remarks = index.editions[outline.edition.address].errata_entries
    dates = [str(entry.erratum.date) for entry in remarks if entry.erratum and entry.is_in_force]
    return EditionDates(str(outline.edition.edition_file.date or ""), max(dates, default=""))


def _join_shares(shares: Sequence[BookPages], unlisted: Container[str], language: str) -> Artifacts:
    """Join all shares to the site, with its home page and the page of all checks."""
    context = RenderContext(build_reference_index({}), language)
    others = _nested([pair for share in shares for pair in share.leaves])
    summaries = [share for share in shares if share.editions]
    leaves = [leaf for leaf in others if leaf.path not in unlisted and leaf.path not in FOOT]
    listed = {"summaries": summaries, "leaves": leaves}
    home = build_page(context, "home", "", "Library", own=lambda: listed)

    def codes() -> dict[str, object]:
        kinds = sorted(check_registry.all_problem_types().values(), key=lambda kind: kind.code)
        return {"kinds": kinds, "bounds": BOUNDS, "summaries": summaries}

    checks = build_page(context, "checks", "checks", "Checks", own=codes)
    return Artifacts(
        pages=(home, *(page for share in shares for page in share.pages), checks),
        files=_merge(share.files for share in shares),
        nav=(NavItem(home.title, ""), *(branch for share in shares for branch in share.branches), *others),
        book_styles=_merge(share.book_styles for share in shares),
        languages=_merge(share.languages for share in shares),
        versions=_merge(share.versions for share in shares),
        search=_merge(share.search for share in shares),
        editions=_merge(share.names for share in shares),
        dates=_merge(share.dates for share in shares),
    )


def _merge(mappings: Iterable[Mapping[str, T]]) -> dict[str, T]:
    return {key: value for mapping in mappings for key, value in mapping.items()}


def _branches(made: Sequence[SitePage], address: str) -> list[NavItem]:
    """The pages of an edition in its navigation, a page inside of the one whose address it goes on from."""
    paths = {page.path for page in made} - {address}
    inside: dict[str, list[SitePage]] = {}
    for one in made:
        inside.setdefault(one.path.rpartition("/")[0], []).append(one)
    return [
        NavItem(page.title, page.path, tuple(NavItem(p.title, p.path) for p in inside.get(page.path, ())))
        for page in made
        if page.path in paths and page.path.rpartition("/")[0] not in paths
    ]


def _edition(html: EditionHtml, leaves: Sequence[ContentPageRef], prints: PrintedFiles) -> Iterator[SitePage]:
    given = EditionPageContext(html.context, html.outline, html, leaves, prints)
    for kind in given.kinds:
        for page in MAKERS[kind](given):
            given.built_pages.append(page)
            yield page


def _nested(leaves: Sequence[tuple[ContentPageRef, str]]) -> list[NavItem]:
    """The pages beside the books, each below the index page of its folder, in the order of its links."""
    inside: dict[str, list[ContentPageRef]] = {
        leaf.path: [] for leaf, _ in leaves if not leaf.name.endswith(f"{leaf.path}.md")
    }
    tops: list[ContentPageRef] = []
    texts = dict(leaves)
    for leaf in texts:
        inside.get(posixpath.dirname(leaf.path), tops).append(leaf)

    def branch(leaf: ContentPageRef) -> NavItem:
        def linked(other: ContentPageRef) -> tuple[bool, int]:
            at = texts[leaf].find(f"]({posixpath.relpath(other.name, posixpath.dirname(leaf.name))}")
            return at < 0, at

        below = sorted(inside.get(leaf.path, ()), key=linked)
        return NavItem(leaf.title, leaf.path, tuple(map(branch, below)))

    return list(map(branch, tops))


def content_page_title(name: str, data: bytes) -> ContentPageRef:
    """An ordinary page with the title that its first heading gives it."""
    path = site_paths.content_page_path(name)
    heading = _HEADING.search(data.decode("utf-8", "replace"))
    title = heading.group(1) if heading else path.rpartition("/")[2].replace("-", " ").capitalize()
    return ContentPageRef(name, path, plain_text(title.strip("\"'")))
