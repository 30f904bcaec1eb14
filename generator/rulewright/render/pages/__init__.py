"""The pages of the site: the library, each edition with its chapters, its sequence of play and its indexes.

A page is one template in `templates/site/`, which also says the page's `title`, `description` and, where
they do not come from the content, its `sections`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rulewright.book.library import BookLibrary
from rulewright.book.outline import Outline
from rulewright.book.resolved_branding import resolve_branding
from rulewright.checks import check_registry
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
from rulewright.render.exports import book_json
from rulewright.render.exports.table_export import table_csv
from rulewright.render.navigation import FOOT, insert_pages
from rulewright.render.pages import edition_pages, play_page, reference_pages, rule_pages, sequence_pages
from rulewright.render.pages.branding_css import branding_style
from rulewright.render.pages.edition_switcher import EditionLinks
from rulewright.render.pages.library_page import EditionSummary, summarize_edition
from rulewright.render.pages.number_index import number_index
from rulewright.render.pages.page_builder import ContentPageRef, EditionPageContext, build_page
from rulewright.render.render_context import RenderContext
from rulewright.schema.text_document import plain_text

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
class BookSummary:
    """A book as the library lists it."""

    cover: Cover
    editions: Sequence[EditionSummary]
    """The newest first."""


def render_site(
    context: RenderContext,
    library: BookLibrary,
    prints: PrintedFiles = NOTHING_PRINTED,
    unlisted: Container[str] = (),
) -> Artifacts:
    """Return all pages of the books, the other files of the site, and its navigation.

    Pages and files are rendered when they are first asked for. `prints`: the player aids that were printed;
    `unlisted`: addresses of content pages that the home page does not list.
    """
    site = SiteBuilder(context, library, prints)
    folders: dict[str, list[Outline]] = {}
    for address, outline in context.index.outlines.items():
        folders.setdefault(address.split("/")[0], []).append(outline)
    books = sorted(folders, key=lambda folder: context.index.newest[folder].book.order is None)
    summaries = [site.add_book(folder, folders[folder]) for folder in books]
    paths = [*(page.path for page in site.pages), *(ref.path for ref in site.content_pages)]
    refs = [ref for ref in site.content_pages if not library.edition_of(ref.name)]
    items = (NavItem(ref.title, ref.path) for ref in _in_order_of_links(refs, library))
    other_pages = insert_pages((), items)
    home_pages = [item for item in other_pages if item.path not in unlisted and item.path not in FOOT]
    empty = RenderContext(build_reference_index({}), context.language)
    home = build_page(empty, "home", "", "Library", lambda: {"summaries": summaries, "leaves": home_pages})

    def codes() -> dict[str, object]:
        kinds = sorted(check_registry.all_problem_types().values(), key=lambda kind: kind.code)
        return {"kinds": kinds, "bounds": BOUNDS}

    checks = build_page(empty, "checks", "checks", "Checks", codes)
    return replace(
        site.artifacts,
        pages=(home, *site.pages, checks),
        nav=(NavItem(home.title, ""), *site.nav, *other_pages),
        versions=EditionLinks(context, paths).links,
    )


class SiteBuilder:
    """Builder of the pages and files of a site, which are added book by book."""

    def __init__(self, context: RenderContext, library: BookLibrary, prints: PrintedFiles) -> None:
        self.context, self.index, self.library, self.prints = context, context.index, library, prints
        refs = (content_page_title(name, data) for name, data in library.pages.items())
        self.content_pages = [ref for ref in refs if ref.path]
        self.pages: list[SitePage] = []
        self.nav: list[NavItem] = []
        self.artifacts = Artifacts()
        """Everything but pages and navigation."""

    def add_book(self, folder: str, outlines: Sequence[Outline]) -> BookSummary:
        """Add the pages and files of a book; return its summary for the library."""
        for outline in outlines:
            self._add_edition(outline)
        newest, edition = self.index.newest[folder], outlines[0].edition
        artifacts = self.artifacts
        artifacts.book_styles[folder], style_file = branding_style(edition, folder)
        artifacts.files.update(style_file)
        if folder not in {ref.path for ref in self.content_pages}:
            redirect = partial(redirect_pages.book_redirect_page, folder, self.context)
            artifacts.files[f"{folder}/index.html"] = redirect
        if newest.book.language:
            artifacts.languages[folder] = str(newest.book.language)
        editions = reversed(self.context.counterparts.book_editions(outlines[0]))
        newest_first = sorted(editions, key=lambda outline: outline.edition is not newest)
        artifacts.editions.update(
            (outline.edition.address, outline.edition.names) for outline in newest_first
        )
        return BookSummary(
            Cover(str(newest.book.title), resolve_branding(edition)),
            [summarize_edition(outline, self.index) for outline in newest_first],
        )

    def _add_edition(self, outline: Outline) -> None:
        context, edition, address = self.context, outline.edition, outline.edition.address
        content_pages = [ref for ref in self.content_pages if self.library.edition_of(ref.name) is edition]
        edition_context = EditionPageContext(context, outline, content_pages, self.prints)
        for kind in edition_context.kinds:
            for page in MAKERS[kind](edition_context):
                edition_context.built_pages.append(page)
        self.pages += edition_context.built_pages
        # The menu and search leave out pages that repeat others.
        repeated = re.compile(rf"{re.escape(address)}/(all|numbers|changes/.*)")
        pages = [page for page in edition_context.built_pages if not repeated.fullmatch(page.path)]
        items = [NavItem(page.title, page.path) for page in pages]
        items += [NavItem(ref.title, ref.path) for ref in content_pages]
        self.nav += insert_pages([NavItem(edition.short, address)], items)
        self.artifacts.search[address] = partial(search_index.search_entries, context, outline, pages)
        self.artifacts.files.update(
            {
                site_paths.data_path(address): partial(book_json.edition_to_json, context, address),
                site_paths.number_index_path(address): partial(number_index, outline),
                **{
                    site_paths.table_file(table): partial(table_csv, table)
                    for table in edition_context.tables
                },
                **redirect_pages.former_chapter_pages(outline, context),
            }
        )
        errata = (entry for entry in self.index.editions[address].errata_entries if entry.is_in_force)
        dates = [str(entry.erratum.date) for entry in errata if entry.erratum]
        self.artifacts.dates[address] = EditionDates(
            str(edition.edition_file.date or ""), max(dates, default="")
        )


def _in_order_of_links(refs: Sequence[ContentPageRef], library: BookLibrary) -> list[ContentPageRef]:
    """Return the pages beside the books, those of a folder in the order of the links on its own page."""
    refs_by_path = {ref.path: ref for ref in refs}

    def link_position(ref: ContentPageRef) -> tuple[bool, int]:
        folder_page = refs_by_path.get(posixpath.dirname(ref.path))
        if folder_page is None:
            return False, 0
        link = f"]({posixpath.relpath(ref.name, posixpath.dirname(folder_page.name))}"
        position = library.pages[folder_page.name].find(link.encode())
        return position < 0, position

    return sorted(refs, key=link_position)


def content_page_title(name: str, data: bytes) -> ContentPageRef:
    """Return an ordinary page with the title that its first heading gives it."""
    path = site_paths.content_page_path(name)
    heading = _HEADING.search(data.decode("utf-8", "replace"))
    title = heading.group(1) if heading else path.rpartition("/")[2].replace("-", " ").capitalize()
    return ContentPageRef(name, path, plain_text(title.strip("\"'")))
