"""The page on which a turn is played.

The walker itself is `walk.js`; the page hands it the tree of steps as data. It also has what is shown at each
step, as a list that needs no script.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any
from zlib import crc32

from rulewright.book.table_entries import TableEntry
from rulewright.references.reference_types import RuleReference
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.render.pages.play_tree import PlayTree
from rulewright.render.pages.sequence_pages import acting_legend
from rulewright.render.render_context import RenderContext
from rulewright.schema.dice import Dice, parse_dice
from rulewright.schema.yaml_fields import reference_texts
from rulewright.sequence.actors import number_of_players
from rulewright.sequence.sequence_step import TOP, SequenceStep


@dataclass(frozen=True, slots=True)
class StepDice:
    """Tables of a step, and the dice that are `dice` if it names some that it has no table for."""

    tables: tuple[TableEntry, ...] = ()
    dice: Dice | None = None

    @property
    def key(self) -> str:
        """Key of the rolls: steps with different ones have a screen each."""
        rolled = [table.anchor for table in self.tables if table.table.roll]
        return " ".join([*rolled, self.dice.text] if self.dice else rolled)


def play_page(edition_page: EditionPageContext) -> Iterator[SitePage]:
    """Yield the page on which a turn is played; without a script it is the list of its steps."""
    edition, title = edition_page.edition, "Play a turn"
    assert edition.sequence
    values = partial(_template_values, edition_page, [PageSection(TOP, title)])
    yield edition_page.page("play", "play", title, edition.sequence.title.place, values)


def _template_values(edition_page: EditionPageContext, sections: list[PageSection]) -> dict[str, Any]:
    context, outline, book = edition_page.context, edition_page.outline, edition_page.edition.book
    dice = {step: _step_dice(step, context) for step in outline.sequence.iter_played()}
    narratives: dict[str, SequenceStep] = {}
    tables: dict[str, TableEntry] = {}
    for step, step_dice in dice.items():
        if step.step.narrative:
            narratives.setdefault(str(step.step.narrative), step)
        for table in step_dice.tables:  # the page has room for one of two editions' tables of one number
            tables.setdefault(table.anchor, table)
    tree = PlayTree(outline.sequence, book)
    data = tree.to_json({step: step_dice.key for step, step_dice in dice.items()})
    return {
        "players": [(name, tree.actor(name)) for name in tree.largest_table],
        "seats": None if book.sides else number_of_players(book),
        "narratives": narratives,
        "dice": dice,
        "tree": data,
        "digest": f"{crc32(json.dumps(data['steps']).encode()):08x}",
        "shown": list(tables.values()),
        **acting_legend(outline),
        "sections": sections,
    }


def _step_dice(step: SequenceStep, context: RenderContext) -> StepDice:
    tables = tuple(dict.fromkeys(_tables(step, context)))
    dice = next(filter(None, map(parse_dice, (step.step.rolls or "").split())), None)
    grids = (grid for table in tables for grid in (table.table, table.table.then) if grid and grid.roll)
    return StepDice(tables, None if dice in [parse_dice(str(grid.roll)) for grid in grids] else dice)


def _tables(step: SequenceStep, context: RenderContext) -> Iterator[TableEntry]:
    yield from filter(None, (context.index.find_table(step.edition, name) for name in step.step.uses))
    tables = context.index.tables_by_target
    for text, cites in reference_texts(step.step):
        for reference in context.index.references(text):
            if isinstance(reference, RuleReference):
                rules = reference.target.iter_subtree() if cites else [reference.target]
                yield from (tables[rule] for rule in rules if rule in tables)
