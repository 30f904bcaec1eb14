"""Pages to look things up on: the tables of an edition, its terms, and its player aids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from rulewright.book.outline import Outline
from rulewright.book.sequence import TOP, slug
from rulewright.book.sheet import Sheet
from rulewright.citations import addresses
from rulewright.citations.blocks import Panel, amended_by, parts
from rulewright.citations.blocks.part import Part
from rulewright.citations.shelf import Shelf
from rulewright.site.artifacts import Content, Page, Section
from rulewright.site.exports import tables as written
from rulewright.site.pages import sections
from rulewright.site.pages.page import Given, alphabet
from rulewright.text.document import plain


def tables(given: Given) -> Iterator[Page]:
    """The page with the tables of an edition."""

    def within() -> Iterator[Section]:
        yield Section(TOP, "Tables")
        yield from map(sections.of_table, given.tables)

    yield given.page("tables", f"{given.edition.address}/tables", "Tables", None, sections=within)


def table_files(shelf: Shelf, outline: Outline) -> Iterator[tuple[str, Content]]:
    """Every table to download, beside the page of its edition's tables."""
    for table in shelf.tables[outline.edition.address]:
        for ending in addresses.TABLE_FORMATS:
            yield addresses.table_file(table, ending), partial(written.FORMATS[ending], table)


def glossary(given: Given) -> Iterator[Page]:
    """The page with the terms of an edition."""

    def within() -> Iterator[Section]:
        yield Section(TOP, "Glossary")
        for term in given.terms:
            aliases = ", ".join(map(plain, term.term.aliases))
            words = given.desk.shelf.plain(term.term.means, term.edition)
            words = f"{aliases}: {words}" if aliases else words
            yield Section(term.anchor, plain(term.words), 2, words)

    path, place = (
        addresses.glossary_path(given.edition.address),
        min(given.edition.book.terms, key=alphabet).file.place(0),
    )
    yield given.page("glossary", path, "Glossary", place, sections=within)


@dataclass(frozen=True, slots=True)
class Placed:
    """A block with its anchor on the aid's page."""

    part: Part
    anchor: str


def aids(given: Given) -> Iterator[Page]:
    """The list of an edition's player aids, and a page for each."""
    path, place = addresses.aids_path(given.edition), given.sheets[0].aid.title.place
    yield given.page("aids", path, "Player aids", place)
    for sheet in given.sheets:
        yield _aid(given, sheet)


def _aid(given: Given, sheet: Sheet) -> Page:
    @cache
    def shown() -> tuple[Sequence[Panel], list[tuple[str | None, list[Placed]]]]:
        panels = parts(sheet, given.desk.shelf)
        return panels, [(panel.name, list(_placed(panel, at))) for at, panel in enumerate(panels)]

    def own() -> dict[str, Any]:
        panels, placed = shown()
        return {"sheet": sheet, "panels": placed, "amended": amended_by(panels)}

    def within() -> Iterator[Section]:
        every = [one for _, placed in shown()[1] for one in placed]
        untitled = (words for one in every if not one.part.block.title for words in one.part.words)
        about = " · ".join(filter(None, (plain(sheet.aid.about or ""), *untitled)))
        yield Section(TOP, str(sheet), 1, about)
        yield from (_headed(one) for one in every if one.part.block.title)

    return given.page("aid", sheet.address, str(sheet), sheet.aid.title.place, own, within)


def _placed(panel: Panel, at: int) -> Iterator[Placed]:
    for nth, part in enumerate(panel.parts, 1):
        title = part.block.title
        yield Placed(part, f"{at + 1}-{nth}-{slug(plain(title)) if title else part.sort}")


def _headed(one: Placed) -> Section:
    part = one.part
    words = [*part.words, *(written.text(table) for table in part.tables)]
    return Section(one.anchor, plain(part.block.title or ""), 2, " · ".join(filter(None, words)))
