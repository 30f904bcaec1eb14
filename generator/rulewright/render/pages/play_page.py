"""The page on which a turn is played.

The walker itself is `walk.js`; the page hands it the tree of steps as data. It also has what is shown at each
step, as a list that needs no script, and the first stop of the first turn, ready before any script runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any
from zlib import crc32

from markupsafe import Markup

from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.references.reference_types import RuleReference
from rulewright.render.build_artifacts import PageSection, SitePage
from rulewright.render.pages.page_builder import EditionPageContext
from rulewright.render.pages.previews import rule_preview
from rulewright.render.pages.sequence_pages import acting_legend
from rulewright.render.render_context import RenderContext
from rulewright.schema.dice import Dice, parse_dice
from rulewright.schema.rulebook import Rulebook
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import reference_texts
from rulewright.sequence.actors import (
    Actor,
    actor_style,
    find_actor,
    known_actors,
    number_of_players,
    player_names,
)
from rulewright.sequence.sequence_step import (
    ANY_ORDER,
    AT_ANY_TIME,
    GAME,
    IN_ORDER,
    ONE_OF,
    OTHER,
    PHASING,
    PLACES,
    TOP,
    SequenceOfPlay,
    SequenceStep,
)
from rulewright.sequence.step_counts import NumberSet, parse_counts

_PLURAL = re.compile(
    r"(?<!s)(?<!u)(?<![sx]i)s$|(?:ish|ese|men|\b(?:dutch|french|people|swiss|zulus))$", re.IGNORECASE
)


_AFTER_NOUN = re.compile(r",| (?:of|in|that|with|from|for|to|up|who|which|on|at|by)\b")
_TO_IES = re.compile(r"[^aeiou]y$")
MOST_PIPS = 16
"""Largest number of rounds with a sign for each."""


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
    """The stop at which the first turn of a game begins, as the walker shows it."""

    step: SequenceStep
    book: Rulebook
    rules: tuple[RuleEntry, ...]
    siblings: tuple[SequenceStep, ...]  # the outermost steps
    question: str = ""

    @property
    def here(self) -> tuple[SequenceStep, ...]:
        """The step and those around it."""
        return tuple(self.step.self_and_ancestors())

    @property
    def around(self) -> tuple[SequenceStep, ...]:
        """The steps around it up to its phase, innermost first."""
        outer = [step for step in self.here[1:] if not step.is_turn]
        phase = next((at for at, step in enumerate(outer) if step.is_block), len(outer))
        return () if self.step.is_block else tuple(outer[: phase + 1])

    @property
    def way(self) -> list[tuple[str, str]]:
        """The titles of these steps, outermost first, each with its round."""
        counted = [(step, _first_count(step)) for step in reversed(self.here)]
        shown = (*self.around, *([self.step] if self.step.is_block else []))
        path = [(plain_text(s.step.title), count) for s, count in counted if count or s in shown]
        turn = next((step for step in self.here[1:] if step.is_turn), self.step)
        return path or [(plain_text(turn.step.title), "")]

    @property
    def pips(self) -> list[str]:
        """The classes of the signs for the rounds or phases."""
        rounds = next(filter(None, (step.rounds for step in self.here)), None)
        if rounds and rounds.is_fixed and rounds.maximum and rounds.maximum <= MOST_PIPS:
            return ["here", *[""] * (rounds.maximum - 1)]
        outermost = self.around[-1] if self.around else self.step
        siblings = outermost.parent.inner if outermost.parent else self.siblings
        return [
            f"{actor_style(s) if s.is_block else ''} {'here' if s is outermost else ''}" for s in siblings
        ]

    @property
    def acting(self) -> list[tuple[Actor, Actor]]:
        """Who acts first, with the role that he has there."""
        return list(islice(_first_actors(self.step), 1))

    @property
    def is_many(self) -> bool:
        return any(is_plural(who) for _, who in self.acting)

    @property
    def options(self) -> list[SequenceStep]:
        return [step for step in self.step.ordered if step.way == ONE_OF and _is_in_round(step, 1)]

    @property
    def players(self) -> list[tuple[Actor, Actor | None]]:
        """The players among whom the step decides, each with the only other."""
        names = player_names(self.book) if self.step.step.decides and not self.step.inner else ()
        actors = [actor_titles(self.book)[name] for name in names]
        others = (
            actors[::-1] if len(actors) == 2 and self.step.step.decides == "order" else [None] * len(actors)
        )
        return list(zip(actors, others, strict=True))

    @property
    def done(self) -> str:
        """The words of the button that leads on."""
        if self.players:
            names = [side.title for side, _ in self.players]
            is_order = self.step.step.decides == "order" or self.step.step.decides in self.book.orders
            found = f"{names[0]} first" if len(names) == 2 else ", ".join(names)
            return f"{found} ›" if is_order else "Choose"
        return f"{plain_text(self.options[0].step.title)} ›" if self.options else "Done"

    @property
    def skip(self) -> str:
        """The words of the button that leaves it out; empty if that is not possible."""
        if self.players:
            return ""
        rounds = next((s.rounds for s in self.here if s.rounds and s.rounds.passing), None)
        each = next((s.step.for_each for s in self.here if s.step.for_each), None)
        if rounds:
            return "No more" if rounds.passing == "done" else "Pass"
        if each:
            return f"No {_plural(_first_noun(plain_text(each)))}"
        return "" if self.options else "Skip"

    @property
    def anytime(self) -> list[SequenceStep]:
        """What may be done at any time there."""
        return [inner for step in self.here for inner in step.interruptions if _is_in_round(inner, 1)]

    @property
    def others(self) -> list[SequenceStep]:
        """What may be done first in its place."""
        rows = (step.parent.ordered for step in self.here if step.parent and step.way == ANY_ORDER)
        return [step for row in rows for step in row if step not in self.here and _is_in_round(step, 1)]

    @property
    def teller(self) -> SequenceStep | None:
        """The step whose narrative is shown, since the turn has just come to it."""
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
    told = {
        step: first_told.setdefault(str(step.step.narrative), step) for step in steps if step.step.narrative
    }
    tree = play_tree(outline.sequence, {step: each.key for step, each in dice.items()})
    return {
        "first": _first_stop(outline.sequence, context),
        "players": [
            (name, who)
            for name, who in actor_titles(book).items()
            if name in book.sides or name not in known_actors(book)
        ],
        "seats": None if book.sides else number_of_players(book),
        "told": told,
        "tellers": list(first_told.values()),
        "dice": dice,
        "tree": tree,
        "seal": f"{crc32(json.dumps(tree['steps']).encode()):08x}",
        "rule_text": lambda at, entry: Markup(rule_preview(at.builder.rule(entry), at.writer)),
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
            if isinstance(reference, RuleReference):
                rules = reference.target.iter_subtree() if cites else [reference.target]
                tables = context.shelf.tables_by_target
                yield from (tables[rule] for rule in rules if rule in tables)


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
        "each": given.for_each and _goes(plain_text(given.for_each)),
        "rounds": rounds
        and {
            "minimum": rounds.minimum,
            "maximum": rounds.maximum,
            **_goes(rounds.singular),
            "until": plain_text(rounds.until).removeprefix("until "),
            "passing": rounds.passing,
        },
        "inRounds": _counts(parse_counts(given.in_rounds or "")),
        "inTurns": [_turns(value, step) for value in given.in_turns],
        "if": given.condition and plain_text(given.condition),
        "unless": given.unless and plain_text(given.unless),
        "optional": bool(given.optional),
        "decides": given.decides and str(given.decides),
        "ends": given.ends and (ended.anchor if ended else GAME),
        "dice": dice[step],
        "isFight": step.is_combat,
        "steps": [_node(inner, dice) for inner in step.inner],
    }
    return {key: value for key, value in node.items() if value or key in ("id", "title")}


def _goes(words: str) -> dict[str, str]:
    """Return the words for the goes of a loop: for each card of the deck; next card; no more cards."""
    noun = _first_noun(words)
    return {"words": words, "one": noun, "more": _plural(noun)}


def _turns(value: str, step: SequenceStep) -> dict[str, Any]:
    return {"side": str(value)} if value in step.edition.book.sides else _counts(parse_counts(value)) or {}


def _counts(counts: NumberSet | None) -> dict[str, Any] | None:
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
    book = step.edition.book
    seeing = next((one for one in step.self_and_ancestors() if one.step.see and not one.is_turn), step)
    cited = (reference for text in seeing.step.see for reference in context.shelf.references(text))
    rules = tuple(dict.fromkeys(one.target for one in cited if isinstance(one, RuleReference)))
    in_order = (
        s
        for s in sequence.iter_played()
        if s.phasing in ((IN_ORDER,), (PLACES[0],)) and s.step.kind.endswith("turn")
    )
    turn = next((str(s.step.kind) for s in in_order), "")
    asks = step.step.decides == "order" and not step.inner
    question = (f"Who takes the first {turn}?" if turn else "Who is first?") if asks else ""
    if step.step.decides in book.orders and not step.inner:
        question = f"{actor_titles(book)[str(step.step.decides)].title}: who is first?"
    return FirstStop(step, book, rules, tuple(sequence.steps), question)


def _first_step(
    steps: Iterable[SequenceStep], number: int = 1, asked: SequenceStep | None = None
) -> SequenceStep | None:
    """Return the step at which the first turn halts.

    `number`: the round around it; `asked`: the step around it whose question comes first.
    """
    for step in steps:
        if step.way == AT_ANY_TIME or not _is_in_round(step, number):
            continue
        given, rounds = step.step, step.rounds
        is_conditional = bool((given.condition and not given.ends) or given.unless)
        loops = bool(given.for_each) + bool(rounds and (rounds.passing or not rounds.minimum))
        questions = is_conditional + loops
        if (is_conditional and step.is_block and step.ordered) or questions > 1 or (asked and questions):
            return asked or step
        if step.is_choice or not step.ordered:
            return step
        for inner_number in range(1, (rounds.maximum or 1) + 1) if rounds else [number]:
            found = _first_step(step.inner, inner_number, asked or (step if questions else None))
            if found:
                return found
    return None


def _is_in_round(step: SequenceStep, number: int) -> bool:
    """Return whether a step is done in the first turn, and in this round of the steps around it."""
    given, phasing = step.step, _first_phasing(step)
    turns = (
        value == phasing if value in step.edition.book.sides else _includes(value, 1)
        for value in given.in_turns
    )
    return all(turns) and (not given.in_rounds or _includes(given.in_rounds, number))


def _includes(value: str, number: int) -> bool:
    counts = parse_counts(value)
    return counts is not None and counts.includes(number)


def _first_count(step: SequenceStep) -> str:
    """Return the words for the first round of a step: round 1 of 6; attack 1."""
    rounds, each = step.rounds, step.step.for_each
    if rounds:
        return (
            f"{rounds.singular} 1 of {rounds.maximum}"
            if rounds.minimum == rounds.maximum
            else f"{rounds.singular} 1"
        )
    return f"{_first_noun(plain_text(each))} 1" if each else ""


def _first_noun(words: str) -> str:
    """Return the noun of a phrase: card of the deck, battle, in any order."""
    return _AFTER_NOUN.split(words)[0] or words


def _plural(noun: str) -> str:
    if noun.endswith("die"):
        return f"{noun[:-1]}ce"
    if _TO_IES.search(noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def _first_phasing(step: SequenceStep) -> str:
    return next((_player(name, step.edition.book) for name in step.phasing_around), "")


def _player(name: str, book: Rulebook) -> str:
    """Return the player whom a name of the order means before anything is decided."""
    players = player_names(book)
    if name not in players and (name == IN_ORDER or name in book.orders):
        return players[0] if players else name
    place = PLACES.index(name) if name in PLACES and name not in players else -1
    return players[place] if 0 <= place < len(players) else name


def _first_actors(step: SequenceStep) -> Iterator[tuple[Actor, Actor]]:
    book, phasing, titles = step.edition.book, _first_phasing(step), actor_titles(step.edition.book)
    others = [side for side in map(str, book.sides) if side != phasing]
    for name in step.actors:
        who = phasing if name == PHASING and phasing else _player(name, book)
        if name == OTHER and phasing and len(others) == 1:
            who = others[0]
        role = name if name in (PHASING, OTHER) or name in book.roles else who
        yield titles[role], titles[who]
