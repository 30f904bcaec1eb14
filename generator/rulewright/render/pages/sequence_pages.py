"""Pages of the sequence of play of an edition: as an outline, in words, and to be played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulewright.book.outline import Outline
from rulewright.book.table_entries import TableEntry
from rulewright.references.reference_types import RuleReference
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.pages import page_sections
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.render.render_context import RenderContext
from rulewright.schema.dice import Dice, parse_dice
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import reference_texts
from rulewright.sequence import actors
from rulewright.sequence.sequence_step import TOP
from rulewright.sequence.turn_playthrough import PlayedStep, play_through


def sequence_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page of the sequence of play."""
    outline = given.outline
    assert outline.edition.sequence
    path, name = f"{outline.edition.address}/sequence", outline.edition.sequence.title
    within = partial(page_sections.sequence_sections, outline)
    yield given.page("sequence", path, plain_text(name), name.place, partial(acting_legend, outline), within)


def acting_legend(outline: Outline) -> dict[str, Any]:
    """Everyone who acts in a turn, and those who fight, for the legend of the page."""
    return {
        "everyone": actors.all_actors(outline.sequence),
        "fighters": actors.all_actors(outline.sequence, combat=True),
    }


def narrative_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page with the steps that are told in words."""
    outline = given.outline
    assert outline.edition.sequence
    path, place = f"{outline.edition.address}/narrative", outline.edition.sequence.title.place
    told = outline.sequence.narrative_steps
    within = partial(page_sections.narrative_sections, outline, told)
    yield given.page("narrative", path, "Narrative", place, lambda: {"told": told}, within)


@dataclass(frozen=True, slots=True)
class StepDice:
    """Tables of a stop, and the dice that are `dice` where it names some that it has no table for."""

    tables: tuple[TableEntry, ...] = ()
    dice: Dice | None = None


def play_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page on which a turn is played; without a script it is the list of its stops."""
    edition, title = given.edition, "Play a turn"
    assert edition.sequence
    path, place = f"{edition.address}/play", edition.sequence.title.place
    yield given.page("play", path, title, place, partial(_played, given), lambda: [PageSection(TOP, title)])


def _played(given: EditionPageContext) -> dict[str, Any]:
    context, outline = given.context, given.outline
    walked = play_through(outline.sequence)
    rolls = {stop: _rolls(stop, context) for stop in walked.every_stop() if not stop.is_player_round}
    shown: dict[
        str, TableEntry
    ] = {}  # Of two editions' tables of one number the page has room for the first.
    for roll in rolls.values():
        for table in roll.tables:
            shown.setdefault(table.anchor, table)
    weather = [
        next((stop for stop in walked.every_stop() if _is_weather(stop.step.title)), None),
        *(table for table in given.references.tables if _is_weather(table.table.title)),
    ]
    told = dict.fromkeys(stop.entry for stop in walked.every_stop() if stop.step.narrative)
    return {
        "told": list(told),
        "walk": walked,
        "rolls": rolls,
        "swaps": walked.swapped_turns(outline.sequence),
        "shown": list(shown.values()),
        "weather": list(filter(None, weather)),
        **acting_legend(outline),
    }


def _is_weather(title: str) -> bool:
    return "weather" in plain_text(title).lower()


def _rolls(stop: PlayedStep, desk: RenderContext) -> StepDice:
    tables = tuple(dict.fromkeys(_tables(stop, desk)))
    thrown = next(filter(None, map(parse_dice, (stop.step.rolls or "").split())), None)
    rolled = [
        parse_dice(str(grid.roll))
        for table in tables
        for grid in (table.table, table.table.then)
        if grid and grid.roll
    ]
    return StepDice(tables, None if thrown in rolled else thrown)


def _tables(stop: PlayedStep, desk: RenderContext) -> Iterator[TableEntry]:
    yield from filter(None, (desk.shelf.find_table(stop.entry.edition, name) for name in stop.step.uses))
    for text, cites in reference_texts(stop.step):
        for reference in desk.shelf.references(text):
            if not isinstance(reference, RuleReference):
                continue
            rules = reference.target.iter_subtree() if cites else [reference.target]
            yield from (
                desk.shelf.tables_by_target[rule] for rule in rules if rule in desk.shelf.tables_by_target
            )
