"""The pages of player aids: the list of an edition's, and one for each with what the sheet shows.

A sheet's PDF and its picture lie beside its page: `ocs/4.3/aids/sequence.pdf` and `.png`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulewright.book.outline import Outline
from rulewright.book.sequence import TOP, slug
from rulewright.book.sheet import Sheet
from rulewright.citations import addresses
from rulewright.citations.blocks import Panel, amended_by, parts
from rulewright.citations.blocks.part import Part
from rulewright.site.artifacts import Page, Section
from rulewright.site.context import Desk
from rulewright.site.exports import tables as written
from rulewright.site.pages.page import page
from rulewright.text.document import plain


@dataclass(frozen=True, slots=True)
class Placed:
    """A block with its anchor on the aid's page."""

    part: Part
    anchor: str


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The list of an edition's player aids, and a page for each."""
    sheets: Sequence[Sheet] = given["sheets"]
    place = sheets[0].aid.title.place
    yield page(desk, "aids", addresses.aids_path(outline.edition), place, **given)
    for sheet in sheets:
        shown = parts(sheet, desk.shelf)
        panels = [(panel.name, list(_placed(panel, at))) for at, panel in enumerate(shown)]
        every = [one for _, placed in panels for one in placed]
        untitled = (words for one in every if not one.part.block.title for words in one.part.words)
        about = " · ".join(filter(None, (plain(sheet.aid.about or ""), *untitled)))
        sections = [Section(TOP, str(sheet), 1, about)]
        sections += [_section(one) for one in every if one.part.block.title]
        where = sheet.aid.title.place
        amended = amended_by(shown)
        own = {"sheet": sheet, "panels": panels, "amended": amended}
        yield page(desk, "aid", sheet.address, where, sections, **{**given, **own})


def _placed(panel: Panel, at: int) -> Iterator[Placed]:
    """The blocks of a panel, each with an anchor that no other block of the sheet has."""
    for nth, part in enumerate(panel.parts, 1):
        title = part.block.title
        yield Placed(part, f"{at + 1}-{nth}-{slug(plain(title)) if title else part.sort}")


def _section(one: Placed) -> Section:
    """A block that has a heading, with the words that search finds it by."""
    part = one.part
    words = [*part.words, *(written.text(table) for table in part.tables)]
    return Section(one.anchor, plain(part.block.title or ""), 2, " · ".join(filter(None, words)))
