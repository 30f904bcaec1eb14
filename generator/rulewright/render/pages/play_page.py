"""The page on which a turn is played.

The walker itself is `walk.js`; the page hands it the tree of steps as data. Beside that it has what is shown at each
step, as a list that needs no script, and the first stop of the first turn, ready before any script runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from zlib import crc32

from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.files.lazy_regex import Regex
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.render.pages.sequence_pages import acting_legend
from rulewright.render.render_context import RenderContext
from rulewright.schema.dice import Dice, parse_dice
from rulewright.schema.rulebook import Rulebook
from rulewright.schema.step import YES
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import reference_texts
from rulewright.sequence.actors import (
    Actor,
    find_actor,
    known_actors,
    number_of_players,
    player_names,
)
from rulewright.sequence.sequence_step import (
    AT_ANY_TIME,
    GAME,
    IN_ORDER,
    OTHER,
    PHASING,
    PLACES,
    TOP,
    SequenceOfPlay,
    SequenceStep,
)
from rulewright.sequence.step_counts import Counts, parse_counts

_PLURAL = Regex(
    r"(?<!s)(?<!u)(?<![sx]i)s$|(?:ish|ese|men|\b(?:dutch|french|people|swiss|zulus))$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class StepDice:
    """Tables of a step, and the dice that are `dice` where it names some that it has no table for."""

    tables: tuple[TableEntry, ...] = ()
    dice: Dice | None = None

    @property
    def key(self) -> str:
        """What is rolled: steps with different dice have a screen each."""
        rolled = [table.anchor for table in self.tables if table.table.roll]
        return " ".join([*rolled, *([self.dice.text] if self.dice else [])])


@dataclass(frozen=True, slots=True)
class FirstStop:
    """The stop at which the first turn of a game begins."""

    step: SequenceStep
    around: tuple[SequenceStep, ...]  # the steps around it up to its phase, innermost first
    acting: tuple[tuple[Actor, Actor], ...]  # who acts, each with the role that he has there
    rules: tuple[RuleEntry, ...]

    @property
    def here(self) -> tuple[SequenceStep, ...]:
        return tuple(self.step.self_and_ancestors())

    @property
    def teller(self) -> SequenceStep | None:
        """The step whose narrative stands there, since the turn has just come to it."""
        return next((step for step in (self.step, *self.around) if step.step.narrative), None)


def play_page(given: EditionPageContext) -> Iterator[SitePage]:
    """The page on which a turn is played; without a script it is the list of its steps."""
    edition, title = given.edition, "Play a turn"
    assert edition.sequence
    path, place = f"{edition.address}/play", edition.sequence.title.place
    yield given.page("play", path, title, place, partial(_values, given), lambda: [PageSection(TOP, title)])


def _values(given: EditionPageContext) -> dict[str, Any]:
    context, outline = given.context, given.outline
    steps = list(outline.sequence.iter_played())
    dice = {step: _dice(step, context) for step in steps}
    shown: dict[
        str, TableEntry
    ] = {}  # Of two editions' tables of one number the page has room for the first.
    for each in dice.values():
        for table in each.tables:
            shown.setdefault(table.anchor, table)
    weather = [
        next((step for step in steps if _is_weather(step.step.title)), None),
        *(table for table in given.tables if _is_weather(table.table.title)),
    ]
    book = given.edition.book
    first_told: dict[str, SequenceStep] = {}
    told = {step: first_told.setdefault(str(step.step.narrative), step) for step in steps if step.step.narrative}
    tree = play_tree(outline.sequence, {step: each.key for step, each in dice.items()})
    return {
        "first": _first_stop(outline.sequence, context),
        "players": [(name, who) for name, who in actor_titles(book).items() if name in book.sides or name not in known_actors(book)],
        "seats": None if book.sides else number_of_players(book),
        "told": told,
        "tellers": list(first_told.values()),
        "dice": dice,
        "tree": tree,
        "seal": f"{crc32(json.dumps(tree['steps']).encode()):08x}",
        "shown": list(shown.values()),
        "weather": list(filter(None, weather)),
        **acting_legend(outline),
    }


def _is_weather(title: str) -> bool:
    return "weather" in plain_text(title).lower()


def _dice(step: SequenceStep, context: RenderContext) -> StepDice:
    tables = tuple(dict.fromkeys(_tables(step, context)))
    thrown = next(filter(None, map(parse_dice, (step.step.rolls or "").split())), None)
    rolled = [
        parse_dice(str(grid.roll))
        for table in tables
        for grid in (table.table, table.table.then)
        if grid and grid.roll
    ]
    return StepDice(tables, None if thrown in rolled else thrown)


def _tables(step: SequenceStep, context: RenderContext) -> Iterator[TableEntry]:
    yield from filter(None, (context.shelf.find_table(step.edition, name) for name in step.step.uses))
    for text, cites in reference_texts(step.step):
        for reference in context.shelf.references(text):
            rules: Iterable[RuleEntry] = (
                reference.target.iter_subtree()
                if cites and reference.target
                else filter(None, [reference.target])
            )
            yield from (context.tables[rule] for rule in rules if rule in context.tables)


def play_tree(sequence: SequenceOfPlay, dice: Mapping[SequenceStep, str]) -> dict[str, Any]:
    """Return the tree of steps as the walker reads it."""
    assert sequence.root
    book = sequence.root.edition.book
    return {
        "sides": list(map(str, book.sides)),
        "players": number_of_players(book) or (0, 0),
        "orders": list(map(str, book.orders)),
        "roles": [str(name) for name in book.roles if name not in (PHASING, OTHER)],
        "names": {
            name: {"title": who.title, "mark": who.mark, "style": who.style, "isMany": is_plural(who)}
            for name, who in actor_titles(book).items()
        },
        "steps": [_node(step, dice) for step in sequence.steps],
    }


def _node(step: SequenceStep, dice: Mapping[SequenceStep, str]) -> dict[str, Any]:
    given, rounds, ended = step.step, step.rounds, step.ended_step
    node = {
        "id": step.anchor,
        "title": plain_text(given.title),
        "kind": str(given.kind),
        "how": step.way,
        "phase": step.is_block and not step.is_turn,
        "turn": step.is_turn,
        "acts": list(step.actors),
        "by": list(step.given_actors) if given.by else [],
        "phasing": list(map(str, given.phasing)),
        "each": given.for_each and plain_text(given.for_each),
        "rounds": rounds
        and {
            "least": rounds.least,
            "most": rounds.most,
            "noun": rounds.singular,
            "until": plain_text(rounds.until).removeprefix("until "),
            "passing": rounds.passing,
        },
        "inRounds": _counts(parse_counts(given.in_rounds or "")),
        "inTurns": [_turns(value, step) for value in given.in_turns],
        "if": given.condition and plain_text(given.condition),
        "unless": given.unless and plain_text(given.unless),
        "optional": given.optional == YES,
        "decides": given.decides and str(given.decides),
        "ends": given.ends and (ended.anchor if ended else GAME),
        "dice": dice[step],
        "isFight": step.is_combat,
        "steps": [_node(inner, dice) for inner in step.inner],
    }
    return {key: value for key, value in node.items() if value or key in ("id", "title")}


def _turns(value: str, step: SequenceStep) -> dict[str, Any]:
    return (
        {"side": str(value)} if value in step.edition.book.sides else _counts(parse_counts(value)) or {}
    )


def _counts(counts: Counts | None) -> dict[str, Any] | None:
    if counts is None:
        return None
    found = {"numbers": counts.numbers, "first": counts.first, "last": counts.last, "every": counts.interval}
    return {key: value for key, value in found.items() if value}


def actor_titles(book: Rulebook) -> dict[str, Actor]:
    """Return everyone who can act in a game, by the name that the steps use."""
    most = 0 if book.sides else (number_of_players(book) or (0, 0))[1]
    seats = {
        f"player-{at}": Actor(f"player-{at}", f"Player {at}", str(at), "both", is_builtin=True)
        for at in range(1, most + 1)
    }
    return {name: find_actor(name, book) for name in known_actors(book)} | seats


def is_plural(actor: Actor) -> bool:
    """Return whether a name takes a plural verb: Tidewardens, British; not League, Axis."""
    return _PLURAL.search(actor.title) is not None


def _first_stop(sequence: SequenceOfPlay, context: RenderContext) -> FirstStop | None:
    """Return the stop of a new game; None if nothing is done in its first turn."""
    step = _first_step(sequence.steps)
    if not step:
        return None
    around = []
    for above in step.self_and_ancestors():
        if above is not step and not above.is_turn:
            around.append(above)
        if above.is_block:
            break
    cited = (reference.target for text in step.step.see for reference in context.shelf.references(text))
    rules = tuple(dict.fromkeys(entry for entry in cited if entry))
    return FirstStop(step, tuple(around), tuple(_first_actors(step)), rules)


def _first_step(steps: Iterable[SequenceStep], asked: SequenceStep | None = None) -> SequenceStep | None:
    """Return the step at which the first turn halts; `asked` is the step whose question comes first."""
    for step in steps:
        if step.way == AT_ANY_TIME or not _is_in_first_turn(step):
            continue
        given, rounds = step.step, step.rounds
        is_conditional = bool((given.condition and not given.ends) or given.unless)
        questions = is_conditional + bool(given.for_each) + bool(rounds and (rounds.passing or not rounds.least))
        if (is_conditional and step.is_block and step.ordered) or questions > 1 or (asked and questions):
            return asked or step
        if step.is_choice or not step.ordered:
            return step
        found = _first_step(step.inner, asked or (step if questions else None))
        if found:
            return found
    return None


def _is_in_first_turn(step: SequenceStep) -> bool:
    given, phasing = step.step, _first_phasing(step)
    turns = (
        value == phasing if value in step.edition.book.sides else (parse_counts(value) or Counts()).includes(1)
        for value in given.in_turns
    )
    return all(turns) and (not given.in_rounds or (parse_counts(given.in_rounds) or Counts()).includes(1))


def _first_phasing(step: SequenceStep) -> str:
    book = step.edition.book
    return next((_player(name, book) for name in step.phasing_around), "")


def _player(name: str, book: Rulebook) -> str:
    """Return the player whom a name of the order means before anything is decided."""
    players = player_names(book)
    if name not in players and (name == IN_ORDER or name in book.orders):
        return players[0] if players else name
    place = PLACES.index(name) if name in PLACES and name not in players else -1
    return players[place] if 0 <= place < len(players) else name


def _first_actors(step: SequenceStep) -> Iterator[tuple[Actor, Actor]]:
    book, phasing = step.edition.book, _first_phasing(step)
    names = step.actors[:1] if step.step.by else step.actors
    for name in names:
        who = phasing if name == PHASING and phasing else _player(name, book)
        others = [side for side in map(str, book.sides) if side != phasing]
        if name == OTHER and phasing and len(others) == 1:
            who = others[0]
        role = name if name in (PHASING, OTHER) or name in book.roles else who
        yield actor_titles(book)[role], actor_titles(book)[who]
