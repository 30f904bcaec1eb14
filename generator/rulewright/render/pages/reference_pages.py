"""Pages to look things up on: the tables of an edition, its terms, and its player aids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulewright.book.aid_plan import AidSheet
from rulewright.document.blocks import block_contents
from rulewright.document.blocks.block_content import BlockContent
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.schema.text_document import plain_text
from rulewright.sequence.sequence_step import TOP, title_slug


def tables_page(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield the page with the tables of an edition."""
    names = {table.anchor: str(table) for table in edition_context.tables}
    values = partial(_sections, "Tables", names)
    yield edition_context.page("tables", "tables", "Tables", None, values)


def glossary_page(edition_context: EditionPageContext) -> Iterator[SitePage]:
    """Yield the page with the terms of an edition."""
    place = min(edition_context.edition.book.terms, key=str.casefold).file.location(0)

    def values() -> dict[str, Any]:  # terms of an old edition are slow to find
        return _sections("Glossary", {term.anchor: term.words for term in edition_context.terms})

    yield edition_context.page("glossary", "glossary", "Glossary", place, values)


def _sections(title: str, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the sections of a page; its tables and terms are found by rows of their own."""
    inner = (PageSection(anchor, plain_text(name), 2) for anchor, name in names.items())
    return {"sections": [PageSection(TOP, title), *inner]}


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
