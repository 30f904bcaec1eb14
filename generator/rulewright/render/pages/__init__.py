"""The pages of the site: the library, each edition with its chapters, its sequence of play and its indexes.

A page is one template in `templates/site/`, which also says the page's `title`, `description` and, where
they do not come from the content, its `sections`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from rulewright.book.edition_order import order_editions
from rulewright.book.library import BookLibrary
from rulewright.book.outline import Outline
from rulewright.book.resolved_branding import resolve_branding
from rulewright.checks import check_registry
from rulewright.files.content_folder import CONTENT
from rulewright.files.limits import BOUNDS
from rulewright.references import site_paths
from rulewright.references.reference_index import build_reference_index
from rulewright.render import redirect_pages, search_index
from rulewright.render.build_artifacts import (
    Artifacts,
    EditionDates,
    NavItem,
    PrintedFiles,
    SitePage,
)
from rulewright.render.covers import Cover
from rulewright.render.edition_html import EditionHtml
from rulewright.render.exports import book_json
from rulewright.render.exports.moved_numbers_json import moved_numbers_file
from rulewright.render.navigation import FOOT
from rulewright.render.pages import edition_pages, play_page, reference_pages, rule_pages, sequence_pages
from rulewright.render.pages.branding_css import branding_style
from rulewright.render.pages.edition_switcher import EditionLinks
from rulewright.render.pages.library_page import EditionSummary, summarize_edition
from rulewright.render.pages.number_index import number_index
from rulewright.render.pages.page_builder import ContentPageRef, EditionPageContext, build_page
from rulewright.render.pages.short_url_pages import short_url_pages
from rulewright.render.render_context import RenderContext
from rulewright.schema.text_document import plain_text

K = TypeVar("K")
V = TypeVar("V")

_HEADING = re.compile(r"^(?:title:|#)[ \t]+(.+?)[ \t]*#*[ \t]*\r?$", re.MULTILINE)

NOTHING_PRINTED = PrintedFiles()

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
    "all": rule_pages.all_rules_page,
    "aids": reference_pages.aid_pages,
}
"""The maker of each kind of page of an edition."""


@dataclass(frozen=True, slots=True)
class BookPages:
    """Pages of a book, or of the content beside the books, with what the library says of the book."""

    site: Artifacts
    content_pages: Mapping[ContentPageRef, str]
    """Its ordinary pages of no edition, each with its text."""
    editions: tuple[EditionSummary, ...] = ()
    """The newest first."""
    title: str = ""
    cover: Cover | None = None
    has_order: bool = False
    """The book says its place in the library."""


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
    books = [
        render_book_pages(context, library, folder, prints)
        for folder in dict.fromkeys(map(book_folder, names))
    ]
    books.sort(key=lambda book: not book.has_order)
    other_pages = _nested(_merge(book.content_pages for book in books))
    summaries = [book for book in books if book.editions]
    home_pages = [item for item in other_pages if item.path not in unlisted and item.path not in FOOT]
    empty = RenderContext(build_reference_index({}), context.language)
    home = build_page(empty, "home", "", "Library", lambda: {"summaries": summaries, "leaves": home_pages})

    def codes() -> dict[str, object]:
        kinds = sorted(check_registry.all_problem_types().values(), key=lambda kind: kind.code)
        return {"kinds": kinds, "bounds": BOUNDS}

    checks = build_page(empty, "checks", "checks", "Checks", codes)
    return _join([
        Artifacts(pages=(home,), nav=(NavItem(home.title, ""),)),
        *(book.site for book in books),
        Artifacts(pages=(checks,), nav=tuple(other_pages)),
    ])  # fmt: skip


def _join(parts: Sequence[Artifacts]) -> Artifacts:
    """Join parts of the site."""
    return Artifacts(
        pages=tuple(page for part in parts for page in part.pages),
        nav=tuple(item for part in parts for item in part.nav),
        files=_merge(part.files for part in parts),
        search=_merge(part.search for part in parts),
        editions=_merge(part.editions for part in parts),
        dates=_merge(part.dates for part in parts),
        versions=_merge(part.versions for part in parts),
        book_styles=_merge(part.book_styles for part in parts),
        languages=_merge(part.languages for part in parts),
    )


def _merge(mappings: Iterable[Mapping[K, V]]) -> dict[K, V]:
    return {key: value for mapping in mappings for key, value in mapping.items()}


def book_folder(name: str) -> str:
    """Return the folder in the content folder that a file is in; empty for files beside those."""
    return name.split("/")[1] if name.count("/") > 1 else ""


def render_book_pages(
    context: RenderContext, library: BookLibrary, folder: str, prints: PrintedFiles = NOTHING_PRINTED
) -> BookPages:
    """Return the pages of the book in a folder; those beside the books for an empty name."""
    index = context.index
    outlines = [outline for address, outline in index.outlines.items() if address.split("/")[0] == folder]
    files = {name: data for name, data in library.pages.items() if book_folder(name) == folder}
    refs = [ref for name, data in files.items() if (ref := content_page_title(name, data)).path]
    editions = []
    for outline in outlines:
        own_refs = [ref for ref in refs if library.edition_of(ref.name) is outline.edition]
        editions.append(_edition(context, outline, own_refs, prints))
    site = _join(editions)
    links = EditionLinks(context, [*(page.path for page in site.pages), *(ref.path for ref in refs)])
    for page in site.pages:
        page.ways = links.links_for_page
    versions = {ref.path: book_versions for ref in refs if (book_versions := links.links_at_path(ref.path))}
    other_refs = {
        ref: files[ref.name].decode("utf-8", "replace") for ref in refs if not library.edition_of(ref.name)
    }
    if not outlines:
        return BookPages(Artifacts(), other_refs)
    newest = index.newest[folder]
    book = newest.book
    style, book_files = branding_style(outlines[0].edition, folder)
    book_files |= moved_numbers_file(context, outlines) | dict(short_url_pages(context, folder))
    if folder not in (ref.path for ref in refs):
        book_files[f"{folder}/index.html"] = partial(redirect_pages.book_redirect_page, newest)
    order = order_editions(outline.edition for outline in outlines)
    outlines.sort(key=lambda outline: (outline.edition is newest, order.index(outline.edition)), reverse=True)
    book_site = Artifacts(
        files=book_files,
        editions={outline.edition.address: outline.edition.names for outline in outlines},
        versions=versions,
        book_styles={folder: style},
        languages={folder: str(book.language)} if book.language else {},
    )
    return BookPages(
        _join([site, book_site]),
        other_refs,
        tuple(summarize_edition(outline, index) for outline in outlines),
        str(book.title),
        Cover(str(book.title), resolve_branding(outlines[0].edition)),
        book.order is not None,
    )


def _edition(
    context: RenderContext,
    outline: Outline,
    content_pages: Sequence[ContentPageRef],
    prints: PrintedFiles,
) -> Artifacts:
    """Return the pages and files of an edition."""
    edition, address = outline.edition, outline.edition.address
    edition_context = EditionPageContext(
        context, outline, EditionHtml(context, outline), content_pages, prints
    )
    for kind in edition_context.kinds:
        for page in MAKERS[kind](edition_context):
            edition_context.built_pages.append(page)
    # The menu and search leave out pages that repeat others.
    repeated = re.compile(rf"{re.escape(address)}/(all|numbers|changes/.*)")
    pages = [page for page in edition_context.built_pages if not repeated.fullmatch(page.path)]
    branches = [*_branches(pages, address), *(NavItem(ref.title, ref.path) for ref in content_pages)]
    branch = NavItem(edition.short, address, tuple(branches))
    errata = (entry for entry in context.index.editions[address].errata_entries if entry.is_in_force)
    dates = [str(entry.erratum.date) for entry in errata if entry.erratum]
    return Artifacts(
        pages=tuple(edition_context.built_pages),
        nav=(branch,),
        files={
            site_paths.data_path(address): partial(book_json.edition_to_json, context, address),
            site_paths.number_index_path(address): partial(number_index, outline),
            **dict(reference_pages.table_downloads(context.index, outline)),
        },
        search={address: partial(search_index.search_entries, context, outline, branch, pages)},
        dates={address: EditionDates(str(edition.edition_file.date or ""), max(dates, default=""))},
    )


def _branches(pages: Sequence[SitePage], address: str) -> Iterator[NavItem]:
    """Yield the pages of an edition for its menu, each with the pages whose addresses extend its own."""
    paths = {page.path for page in pages} - {address}
    for page in pages:
        if page.path in paths and posixpath.dirname(page.path) not in paths:
            inner = (other for other in pages if posixpath.dirname(other.path) == page.path)
            yield NavItem(page.title, page.path, tuple(NavItem(page.title, page.path) for page in inner))


def _nested(texts: Mapping[ContentPageRef, str]) -> list[NavItem]:
    """Return the pages beside the books, each below the index page of its folder, in the order of links."""
    inside: dict[str, list[ContentPageRef]] = {
        ref.path: [] for ref in texts if not ref.name.endswith(f"{ref.path}.md")
    }
    outermost: list[ContentPageRef] = []
    for ref in texts:
        inside.get(posixpath.dirname(ref.path), outermost).append(ref)

    def branch(ref: ContentPageRef) -> NavItem:
        def link_position(other: ContentPageRef) -> tuple[bool, int]:
            link = f"]({posixpath.relpath(other.name, posixpath.dirname(ref.name))}"
            return link not in texts[ref], texts[ref].find(link)

        below = sorted(inside.get(ref.path, ()), key=link_position)
        return NavItem(ref.title, ref.path, tuple(map(branch, below)))

    return list(map(branch, outermost))


def content_page_title(name: str, data: bytes) -> ContentPageRef:
    """Return an ordinary page with the title that its first heading gives it."""
    path = site_paths.content_page_path(name)
    heading = _HEADING.search(data.decode("utf-8", "replace"))
    title = heading.group(1) if heading else path.rpartition("/")[2].replace("-", " ").capitalize()
    return ContentPageRef(name, path, plain_text(title.strip("\"'")))
