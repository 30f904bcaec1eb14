"""The page on which a turn is played.

The walker itself is `walk.js`; the page hands it the tree of steps as data. It also has what is shown at each
step, as a list that needs no script, and the first stop of the first turn, ready before any script runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from zlib import crc32

from markupsafe import Markup

from rulewright.book.table_entries import TableEntry
from rulewright.references.reference_types import RuleReference
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.pages.first_stop import actor_titles, find_first_stop, is_plural, loop_words
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.render.pages.sequence_pages import acting_legend
from rulewright.render.render_context import RenderContext
from rulewright.render.rule_html import rule_content
from rulewright.schema.dice import Dice, parse_dice
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import reference_texts
from rulewright.sequence.actors import known_actors, number_of_players
from rulewright.sequence.sequence_step import GAME, OTHER, PHASING, TOP, SequenceOfPlay, SequenceStep
from rulewright.sequence.step_counts import parse_counts


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
    path, place = f"{edition.address}/play", edition.sequence.title.place
    values, sections = partial(_template_values, edition_page), lambda: [PageSection(TOP, title)]
    yield edition_page.page("play", path, title, place, values, sections)


def _template_values(edition_page: EditionPageContext) -> dict[str, Any]:
    context, outline, book = edition_page.context, edition_page.outline, edition_page.edition.book
    steps = list(outline.sequence.iter_played())
    dice = {step: _step_dice(step, context) for step in steps}
    tables: dict[
        str, TableEntry
    ] = {}  # Of two editions' tables of one number the page has room for the first.
    for step in steps:
        for table in dice[step].tables:
            tables.setdefault(table.anchor, table)
    narratives: dict[str, SequenceStep] = {}
    for step in steps:
        if step.step.narrative:
            narratives.setdefault(str(step.step.narrative), step)
    weather_steps = [step for step in steps if _is_weather(step.step.title)]
    weather_tables = [table for table in edition_page.tables if _is_weather(table.table.title)]
    tree = play_tree(outline.sequence, {step: step_dice.key for step, step_dice in dice.items()})
    names, roles = actor_titles(book), {*known_actors(book)} - {*book.sides}
    return {
        "first": find_first_stop(outline.sequence, context.index),
        "players": [(name, actor) for name, actor in names.items() if name not in roles],
        "seats": None if book.sides else number_of_players(book),
        "narratives": narratives,
        "dice": dice,
        "tree": tree,
        "seal": f"{crc32(json.dumps(tree['steps']).encode()):08x}",
        "rule_text": lambda page, entry: Markup(rule_content(page.builder.rule(entry), page.writer)),
        "shown": list(tables.values()),
        "weather": [*weather_steps[:1], *weather_tables],
        **acting_legend(outline),
    }


def _is_weather(title: str) -> bool:
    return "weather" in plain_text(title).lower()


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


def play_tree(sequence: SequenceOfPlay, dice: Mapping[SequenceStep, str]) -> dict[str, Any]:
    """Return the tree of steps as the walker reads it. `dice`: keys of the rolls."""
    assert sequence.root
    book = sequence.root.edition.book
    names = {
        name: {"title": actor.title, "mark": actor.mark, "style": actor.style, "isMany": is_plural(actor)}
        for name, actor in actor_titles(book).items()
    }
    return {
        "sides": list(map(str, book.sides)),
        "players": number_of_players(book) or (0, 0),
        "orders": list(map(str, book.orders)),
        "roles": [str(name) for name in book.roles if name not in (PHASING, OTHER)],
        "names": names,
        "steps": [_node(step, dice) for step in sequence.steps],
    }


def _node(step: SequenceStep, dice: Mapping[SequenceStep, str]) -> dict[str, Any]:
    attributes = step.step
    node: dict[str, Any] = {
        "id": step.anchor,
        "title": plain_text(attributes.title),
        "kind": str(attributes.kind),
        "how": step.way,
        "phase": step.is_block and not step.is_turn,
        "turn": step.is_turn,
        "acts": list(step.actors),
        "by": list(step.given_actors) if attributes.by else [],
        "phasing": list(map(str, attributes.phasing)),
        "if": attributes.condition and plain_text(attributes.condition),
        "unless": attributes.unless and plain_text(attributes.unless),
        "optional": bool(attributes.optional),
        "decides": attributes.decides and str(attributes.decides),
        "ends": attributes.ends and (step.ended_step.anchor if step.ended_step else GAME),
        "inTurns": [_number_set(value, step) for value in attributes.in_turns],
        "dice": dice[step],
        "isFight": step.is_combat,
        "steps": [_node(inner, dice) for inner in step.inner],
    }
    if attributes.in_rounds:
        node["inRounds"] = _number_set(attributes.in_rounds, step)
    if attributes.for_each:
        node["each"] = loop_words(plain_text(attributes.for_each))
    if rounds := step.rounds:
        node["rounds"] = loop_words(rounds.singular) | {
            "minimum": rounds.minimum,
            "maximum": rounds.maximum,
            "until": plain_text(rounds.until).removeprefix("until "),
            "passing": rounds.passing,
        }
    return {key: value for key, value in node.items() if value or key in ("id", "title")}


def _number_set(value: str, step: SequenceStep) -> dict[str, Any]:
    """Return the game turns or rounds in which a step is done, or the side in whose turns."""
    numbers = None if value in step.edition.book.sides else parse_counts(value)
    if numbers is None:
        return {"side": str(value)}
    data: dict[str, Any] = {"first": numbers.first, "last": numbers.last, "every": numbers.interval}
    if numbers.numbers:
        data = {"numbers": list(numbers.numbers)}
    return {key: value for key, value in data.items() if value}
