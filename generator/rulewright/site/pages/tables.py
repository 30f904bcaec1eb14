"""The page with all tables of an edition, and each of them as a file to download."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.book.outline import Outline
from rulewright.book.sequence import TOP
from rulewright.citations import addresses
from rulewright.citations.shelf import Shelf
from rulewright.site.artifacts import Page, Section
from rulewright.site.context import Desk
from rulewright.site.exports import tables as written
from rulewright.site.pages import sections
from rulewright.site.pages.page import page


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The page with the tables of an edition."""
    within = [Section(TOP, "Tables"), *map(sections.of_table, given["tables"])]
    yield page(desk, "tables", f"{outline.edition.address}/tables", None, within, **given)


def files(shelf: Shelf, outline: Outline) -> Iterator[tuple[str, str]]:
    """Every table to download, beside the page of its edition's tables."""
    for table in shelf.tables[outline.edition.address]:
        for ending in addresses.TABLE_FORMATS:
            yield addresses.table_file(table, ending), written.FORMATS[ending](table)
