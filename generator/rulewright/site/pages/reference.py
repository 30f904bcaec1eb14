"""Pages to look things up on: the tables of an edition, its terms, and its player aids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.library import Edition
from rulewright.book.outline import Outline
from rulewright.book.sequence import TOP, slug
from rulewright.citations import addresses
from rulewright.citations.blocks import Panel, amended_by, parts
from rulewright.citations.blocks.part import Part
from rulewright.citations.glossary import TermEntry
from rulewright.citations.shelf import Shelf
from rulewright.site.artifacts import Page, Section
from rulewright.site.context import Desk
from rulewright.site.exports import tables as written
from rulewright.site.pages import sections
from rulewright.site.pages.page import Given
from rulewright.text.document import plain


def tables(given: Given) -> Iterator[Page]:
    """The page with the tables of an edition."""
    outline = given.outline
    within = [Section(TOP, "Tables"), *map(sections.of_table, given.tables)]
    yield given.page("tables", f"{outline.edition.address}/tables", None, within)


def table_files(shelf: Shelf, outline: Outline) -> Iterator[tuple[str, str]]:
    """Every table to download, beside the page of its edition's tables."""
    for table in shelf.tables[outline.edition.address]:
        for ending in addresses.TABLE_FORMATS:
            yield addresses.table_file(table, ending), written.FORMATS[ending](table)


def terms_of(desk: Desk, edition: Edition) -> list[TermEntry]:
    """The terms of an edition in the order of the alphabet."""
    return sorted(
        desk.glossaries[edition.address].terms, key=lambda term: (term.words.casefold(), term.words)
    )


def glossary(given: Given) -> Iterator[Page]:
    """The page with the terms of an edition."""
    outline = given.outline
    terms = given.terms
    sections = [Section(TOP, "Glossary")]
    for term in terms:
        aliases = ", ".join(map(plain, term.term.aliases))
        words = plain(term.term.means)
        words = f"{aliases}: {words}" if aliases else words
        sections.append(Section(term.anchor, plain(term.words), 2, words))
    place = terms[0].words.file.place(0)
    yield given.page("glossary", addresses.glossary_path(outline.edition.address), place, sections)


@dataclass(frozen=True, slots=True)
class Placed:
    """A block with its anchor on the aid's page."""

    part: Part
    anchor: str


def aids(given: Given) -> Iterator[Page]:
    """The list of an edition's player aids, and a page for each."""
    desk, outline = given.desk, given.outline
    sheets = given.sheets
    place = sheets[0].aid.title.place
    yield given.page("aids", addresses.aids_path(outline.edition), place)
    for sheet in sheets:
        shown = parts(sheet, desk.shelf)
        panels = [(panel.name, list(_placed(panel, at))) for at, panel in enumerate(shown)]
        every = [one for _, placed in panels for one in placed]
        untitled = (words for one in every if not one.part.block.title for words in one.part.words)
        about = " · ".join(filter(None, (plain(sheet.aid.about or ""), *untitled)))
        sections = [Section(TOP, str(sheet), 1, about)]
        sections += [_headed(one) for one in every if one.part.block.title]
        where = sheet.aid.title.place
        amended = amended_by(shown)
        own = {"sheet": sheet, "panels": panels, "amended": amended}
        yield given.page("aid", sheet.address, where, sections, **own)


def _placed(panel: Panel, at: int) -> Iterator[Placed]:
    for nth, part in enumerate(panel.parts, 1):
        title = part.block.title
        yield Placed(part, f"{at + 1}-{nth}-{slug(plain(title)) if title else part.sort}")


def _headed(one: Placed) -> Section:
    part = one.part
    words = [*part.words, *(written.text(table) for table in part.tables)]
    return Section(one.anchor, plain(part.block.title or ""), 2, " · ".join(filter(None, words)))
