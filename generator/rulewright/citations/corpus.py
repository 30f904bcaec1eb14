"""All texts of an edition, each with what it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.book import sheet, targets
from rulewright.book.outline import Entry, Outline
from rulewright.book.remarks import Remark
from rulewright.book.sheet import Sheet
from rulewright.book.tables import Source, TableEntry, table_texts
from rulewright.model.keys import texts_of
from rulewright.source.text import Text


def texts_in(
    outline: Outline,
    tables: Iterable[TableEntry],
    sheets: Iterable[Sheet] = (),
    remarks: Iterable[Remark] = (),
) -> Iterator[tuple[Source, Iterable[tuple[Text, bool]], str]]:
    """All that an edition says: what each text belongs to, if it is a `see:`, and where it stands."""
    for entry in outline.entries.values():
        for part in filter(None, (entry.rule, entry.listed)):
            yield entry, texts_of(part), entry.spot
    if outline.edition.sequence and outline.root:
        yield outline.root, texts_of(outline.edition.sequence), outline.home
    for step in outline.every_step():
        yield step, texts_of(step.step), outline.home
    for table in tables:
        chapter = table.entry.spot if table.entry else outline.home
        yield table.home, table_texts(table), chapter
    for one in sheets:
        yield one, sheet.texts(one), outline.home
    for remark in remarks:
        yield remark, targets.texts(remark), targets.chapter_of(remark, outline)


REPLACES, ADDS, VOIDS = "replaces", "adds to", "voids"


def overriding(outline: Outline) -> Iterator[tuple[Entry, str, Text]]:
    """Rules that replace, add to or void others: the rule, which it does, and the text that names those."""
    for entry in outline.in_order:
        for one in filter(None, (entry.rule, entry.listed)):
            for sort, texts in ((REPLACES, one.replaces), (ADDS, one.adds_to), (VOIDS, one.voids)):
                yield from ((entry, sort, text) for text in texts)
