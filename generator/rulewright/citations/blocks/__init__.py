"""Contents of the blocks of a player aid: steps, tables, rules, found and in order, for a template to set.

A kind of block is a field of `model.aid.Block`, which says what its keys name, and a template in
`templates/aids/blocks/`. One that shows more than it says itself has a file here, both named for its key.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from rulewright.book.aid_plan import AidSheet, blocks_by_panel
from rulewright.book.errata_entries import errata_sort_key
from rulewright.book.table_entries import reference_texts_of_table
from rulewright.citations.blocks.block_content import BlockContent, BlockContext, LiteralContent
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.model.amended_text import AmendedText
from rulewright.model.erratum import Erratum
from rulewright.model.yaml_fields import reference_texts, texts_with_flag, walk_parts
from rulewright.source.located_text import LocatedText
from rulewright.text.inline_images import image_file_names, picture_of, sibling_name


@dataclass(frozen=True, slots=True)
class Panel:
    """The blocks of a panel; those ahead of the first one, or of a sheet without any, have no name."""

    name: str | None
    parts: tuple[BlockContent, ...]


def block_contents(sheet: AidSheet, index: ReferenceIndex) -> list[Panel]:
    """Contents of the blocks of a sheet, by panel."""
    context = BlockContext(
        sheet, index, lambda block, context: _kind(str(block.sort)).resolve(block, context)
    )
    panels = [
        (name and str(name), [context.part(block) for block in blocks])
        for name, blocks in blocks_by_panel(sheet.aid)
    ]
    blocks_on_sheet = [part for _, contents in panels for part in contents]
    return [
        Panel(name, tuple(part.adapt_to_sheet(blocks_on_sheet, context) for part in contents))
        for name, contents in panels
    ]


@cache
def _kind(key: str) -> type[BlockContent]:
    """The kind of block by its key, imported when a sheet has such a block."""
    name = f"{__name__}.{key}_block"
    kind: type[BlockContent] = (
        getattr(import_module(name), f"{key.title()}Content") if find_spec(name) else LiteralContent
    )
    return kind


def errata_shown(panels: Iterable[Panel]) -> list[Erratum]:
    """The errata as amended by which a sheet says what it says, in the order in which they hold."""
    errata: set[Erratum] = set()
    for part in (part for panel in panels for part in panel.parts):
        for text in _texts(part):
            if isinstance(text, AmendedText):
                errata.update(text.errata)
    return sorted(errata, key=errata_sort_key)


def pictures_of(panels: Iterable[Panel]) -> list[str]:
    """The names of the picture files that a sheet shows, those in its texts among them."""
    names: dict[str, None] = {}
    for part in (part for panel in panels for part in panel.parts):
        files = [text for text, f in texts_with_flag(part.block, "names") if f.metadata["names"] == "picture"]
        names |= dict.fromkeys(sibling_name(file.file.name, file) for file in files)
        figures = (figure for entry in part.entries if entry.rule for figure in entry.rule.figures)
        names |= dict.fromkeys(map(picture_of, figures))
        names |= dict.fromkeys(name for text in _texts(part) for name in image_file_names(text))
    return list(names)


def _texts(part: BlockContent) -> Iterator[LocatedText]:
    steps, rules = (step.step for step in part.displayed_steps), (entry.rule for entry in part.entries)
    yield from filter(None, [part.text])
    for source in (*walk_parts(part.block), *steps, *rules):
        yield from (text for text, _ in reference_texts(source))
    for table in part.tables:
        yield from (text for text, _ in reference_texts_of_table(table))
        for grid in table.grids():
            yield from grid.columns
            yield from (cell for table_row in grid.rows for cell in table_row.values())
