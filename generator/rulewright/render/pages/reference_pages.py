"""Pages to look things up on: the tables of an edition, its terms, and its player aids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from rulewright.book.aid_plan import AidSheet
from rulewright.book.outline import Outline
from rulewright.document.blocks import Panel, block_contents, errata_shown
from rulewright.document.blocks.block_content import BlockContent
from rulewright.references import site_paths
from rulewright.references.reference_index import ReferenceIndex
from rulewright.render.build_artifacts import Content, PageSection, SitePage
from rulewright.render.exports.table_export import FORMATS
from rulewright.render.pages import page_sections
from rulewright.render.pages.page_builder import EditionPageContext, term_sort_key
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import TOP, title_slug


def tables_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page with the tables of an edition."""

    def within() -> Iterator[PageSection]:
        yield PageSection(TOP, "Tables")
        yield from (page_sections.table_section(given.html.page.builder, table) for table in given.tables)

    yield given.page("tables", f"{given.edition.address}/tables", "Tables", None, sections=within)


def table_downloads(index: ReferenceIndex, outline: Outline) -> Iterator[tuple[str, Content]]:
    """Every table to download, beside the page of its edition's tables."""
    for table in index.editions[outline.edition.address].tables:
        for ending in site_paths.TABLE_FORMATS:
            yield site_paths.table_file(table, ending), partial(FORMATS[ending], table)


def glossary_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page with the terms of an edition."""

    def within() -> Iterator[PageSection]:
        yield PageSection(TOP, "Glossary")
        for term in given.terms:
            aliases = ", ".join(map(plain_text, term.term.aliases))
            words = given.context.index.plain_text_in(term.term.means, term.edition)
            words = f"{aliases}: {words}" if aliases else words
            yield PageSection(term.anchor, plain_text(term.words), 2, words)

    path, place = (
        site_paths.glossary_path(given.edition.address),
        min(given.edition.book.terms, key=term_sort_key).file.location(0),
    )
    yield given.page("glossary", path, "Glossary", place, sections=within)


@dataclass(frozen=True, slots=True)
class AnchoredBlock:
    """A block with its anchor on the aid's page."""

    part: BlockContent
    anchor: str


def aid_pages(given: EditionPageContext) -> Iterator[SitePage]:
    """The list of an edition's player aids, and a page for each."""
    path, place = site_paths.aids_path(given.edition), given.sheets[0].aid.title.place
    yield given.page("aids", path, "Player aids", place)
    for sheet in given.sheets:
        yield _aid(given, sheet)


def _aid(given: EditionPageContext, sheet: AidSheet) -> SitePage:
    @cache
    def shown() -> tuple[Sequence[Panel], list[tuple[str | None, list[AnchoredBlock]]]]:
        panels = block_contents(sheet, given.context.index)
        return panels, [(panel.name, list(_placed(panel, at))) for at, panel in enumerate(panels)]

    def own() -> dict[str, Any]:
        panels, placed = shown()
        return {"sheet": sheet, "panels": placed, "amended": errata_shown(panels)}

    def within() -> Iterator[PageSection]:
        every = [one for _, placed in shown()[1] for one in placed]
        untitled = (words for one in every if not one.part.block.title for words in one.part.words)
        about = " · ".join(filter(None, (plain_text(sheet.aid.about or ""), *untitled)))
        yield PageSection(TOP, str(sheet), 1, about)
        for one in (one for one in every if one.part.block.title):
            title, words = plain_text(one.part.block.title or ""), " · ".join(filter(None, one.part.words))
            yield PageSection(one.anchor, title, 2, words)

    return given.page("aid", sheet.address, str(sheet), sheet.aid.title.place, own, within)


def _placed(panel: Panel, at: int) -> Iterator[AnchoredBlock]:
    for nth, part in enumerate(panel.parts, 1):
        title = part.block.title
        yield AnchoredBlock(
            part, f"{at + 1}-{nth}-{title_slug(plain_text(title)) if title else part.block_kind}"
        )
