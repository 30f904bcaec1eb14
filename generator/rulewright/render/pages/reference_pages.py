"""Pages to look things up on: the tables of an edition, its terms, and its player aids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulewright.book.aid_plan import AidSheet
from rulewright.document.blocks import block_contents
from rulewright.document.blocks.block_content import BlockContent
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.render.text_writer import table_lines
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import TOP, title_slug


def tables_page(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield the page with the tables of an edition."""

    def values() -> dict[str, Any]:
        sections = [PageSection(TOP, "Tables")]
        for table in edition_context.tables:
            words = "; ".join(filter(None, table_lines(edition_context.builder.table(table))))
            sections.append(PageSection(table.anchor, plain_text(str(table)), 2, words))
        return {"sections": sections}

    yield edition_context.page("tables", "tables", "Tables", None, values)


def glossary_page(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield the page with the terms of an edition."""

    def values() -> dict[str, Any]:
        sections = [PageSection(TOP, "Glossary")]
        for term in edition_context.terms:
            aliases = ", ".join(map(plain_text, term.term.aliases))
            words = ": ".join(filter(None, (aliases, edition_context.context.name(term))))
            sections.append(PageSection(term.anchor, plain_text(term.words), 2, words))
        return {"sections": sections}

    place = min(edition_context.edition.book.terms, key=str.casefold).file.location(0)
    yield edition_context.page("glossary", "glossary", "Glossary", place, values)


@dataclass(frozen=True, slots=True)
class AnchoredBlock:
    """A block with its anchor on the page of the aid."""

    part: BlockContent
    anchor: str


def aid_pages(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield the list of the player aids of an edition, and a page for each."""
    yield edition_context.page("aids", "aids", "Player aids", edition_context.sheets[0].aid.title.place)
    for sheet in edition_context.sheets:
        name = sheet.address.removeprefix(f"{edition_context.edition.address}/")
        values = partial(_aid_values, edition_context, sheet)
        yield edition_context.page("aid", name, str(sheet), sheet.aid.title.place, values)


def _aid_values(edition_context: EditionPageContext, sheet: AidSheet) -> dict[str, Any]:
    panels, blocks, sections = block_contents(sheet, edition_context.context.index), [], []
    about = [plain_text(sheet.aid.about or "")]
    for panel_number, panel in enumerate(panels, 1):
        anchored = []
        for number, part in enumerate(panel.parts, 1):
            title = plain_text(part.block.title or "")
            anchor = f"{panel_number}-{number}-{title_slug(title) if title else part.block_kind}"
            anchored.append(AnchoredBlock(part, anchor))
            if title:
                words = " · ".join(filter(None, part.words))
                sections.append(PageSection(anchor, title, 2, words))
            else:
                about += part.words
        blocks.append((panel.name, anchored))
    sections.insert(0, PageSection(TOP, str(sheet), 1, " · ".join(filter(None, about))))
    return {"sheet": sheet, "panels": blocks, "sections": sections}
