"""Contents of the blocks of a player aid: the steps, tables and rules that the templates render, in order.

A kind of block is a field of `schema.aid.Block` and a template in `templates/aids/blocks/`. A kind that shows
more than its own YAML also has a class, which `CONTENTS` names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rulewright.book.aid_plan import AidSheet, blocks_by_panel
from rulewright.book.errata_entries import errata_sort_key
from rulewright.book.table_entries import reference_texts_of_table
from rulewright.document.blocks.block_content import BlockContent, BlockContext
from rulewright.document.blocks.checklist_block import ChecklistContent
from rulewright.document.blocks.cut_out_blocks import CardsContent, CountersContent
from rulewright.document.blocks.matrix_block import MatrixContent
from rulewright.document.blocks.reference_blocks import (
    ErrataContent,
    LegendContent,
    ResultsContent,
    RulesContent,
    TablesContent,
    legend_of,
)
from rulewright.document.blocks.sequence_blocks import NarrativeContent, SequenceContent, TurnContent
from rulewright.document.blocks.track_block import TrackContent
from rulewright.files.located_text import LocatedText
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.amended_text import AmendedText
from rulewright.schema.erratum import Erratum
from rulewright.schema.inline_images import image_file_names, picture_of, sibling_name
from rulewright.schema.yaml_fields import reference_texts, texts_with_flag, walk_parts

CONTENTS: Mapping[str, type[BlockContent]] = {
    "cards": CardsContent,
    "checklist": ChecklistContent,
    "counters": CountersContent,
    "errata": ErrataContent,
    "legend": LegendContent,
    "matrix": MatrixContent,
    "narrative": NarrativeContent,
    "results": ResultsContent,
    "rules": RulesContent,
    "sequence": SequenceContent,
    "tables": TablesContent,
    "track": TrackContent,
    "turn": TurnContent,
}
"""Classes of the kinds of block that show more than their own YAML, by key."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The blocks of a panel."""

    name: str | None
    """None for the blocks before the first panel, and on a sheet without panels."""

    parts: tuple[BlockContent, ...]


def block_contents(sheet: AidSheet, index: ReferenceIndex) -> list[Panel]:
    """Return the contents of the blocks of a sheet, by panel."""
    context = BlockContext(sheet, index, CONTENTS)
    panels = [
        Panel(name and str(name), tuple(map(context.part, blocks)))
        for name, blocks in blocks_by_panel(sheet.aid)
    ]
    legend = legend_of(list(_all_blocks(panels)), sheet.edition.book)

    def with_legend(part: BlockContent) -> BlockContent:
        return replace(part, legend=legend) if isinstance(part, LegendContent) else part

    return [Panel(panel.name, tuple(map(with_legend, panel.parts))) for panel in panels]


def _all_blocks(panels: Iterable[Panel]) -> Iterator[BlockContent]:
    """Yield all blocks, also those inside others."""
    for panel in panels:
        for part in panel.parts:
            yield from (part, *part.nested_contents)


def errata_shown(panels: Iterable[Panel]) -> list[Erratum]:
    """Return the errata that amended the texts of a sheet, in the order of `errata_sort_key`."""
    texts = (text for part in _all_blocks(panels) for text in _texts(part))
    errata = {erratum for text in texts if isinstance(text, AmendedText) for erratum in text.errata}
    return sorted(errata, key=errata_sort_key)


def pictures_of(panels: Iterable[Panel]) -> list[str]:
    """Return the names of the picture files that a sheet shows, including the pictures in its texts."""
    names: list[str] = []
    for part in _all_blocks(panels):
        files = (text for text, f in texts_with_flag(part.block, "names") if f.metadata["names"] == "picture")
        names += (sibling_name(file.file.name, file) for file in files)
        names += (picture_of(figure) for entry in part.entries if entry.rule for figure in entry.rule.figures)
        names += (name for text in _texts(part) for name in image_file_names(text))
    return list(dict.fromkeys(names))


def _texts(part: BlockContent) -> Iterator[LocatedText]:
    """Yield all texts that a block shows."""
    steps, rules = (step.step for step in part.displayed_steps), (entry.rule for entry in part.entries)
    yield from filter(None, [part.text])
    for source in (*walk_parts(part.block), *steps, *rules):
        yield from (text for text, _ in reference_texts(source))
    for table in part.tables:
        yield from (text for text, _ in reference_texts_of_table(table))
        for grid in table.grids():
            yield from grid.columns
            yield from (cell for table_row in grid.rows for cell in table_row.values())
