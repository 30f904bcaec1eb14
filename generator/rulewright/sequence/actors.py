"""Actors of steps: the roles and sides that a book declares, as its pages show them.

Pages show an actor by four cues, none of which needs colour: the bar over a phase, the rail beside it, a
lettered mark and the weight of combat actions. `style` names the cues; templates draw them.

If a book declares no role for the phasing player, its steps show the side instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.schema.colours import DARK_PAGE, LIGHT_PAGE, colour, ensure_contrast, to_hex
from rulewright.schema.rulebook import Rulebook
from rulewright.sequence.sequence_step import SequenceOfPlay, SequenceStep

PHASING, OTHER = "phasing", "non-phasing"
UNSPECIFIED = "unspecified"
ROLES = {
    PHASING: ("Phasing player", "P"),
    OTHER: ("Non-phasing player", "N"),
    "both": ("Both players", "B"),
    "either": ("Either player", "E"),
    "none": ("No player", "·"),
    UNSPECIFIED: ("Not specified", "?"),
}
"""Roles of every book, with their default titles and marks."""
_CUES = {"either": "both", UNSPECIFIED: "none"}


@dataclass(frozen=True, slots=True)
class Actor:
    """Role or side as pages show it."""

    name: str
    title: str
    mark: str
    """One or two letters."""
    style: str
    """Name of its cues in templates and style sheets."""
    is_builtin: bool = False
    """The book does not declare it, so that the site translates its title."""


def find_actor(name: str, book: Rulebook) -> Actor:
    """Return the role or side of a name; an undeclared name has the cues of no player."""
    declared = book.roles.get(name) or book.sides.get(name)  # type: ignore[call-overload]
    title, mark = ROLES.get(name, (name, "·"))
    if declared:
        title, mark = str(declared.title), str(declared.mark or declared.title[:1].upper())
    sides = list(map(str, book.sides))
    style = (
        _CUES.get(name, name)
        if name in ROLES
        else f"side-{sides.index(name) + 1}"
        if name in sides
        else "none"
    )
    return Actor(name, title, mark, style, is_builtin=not declared and name in ROLES)


def actor_colours(book: Rulebook) -> dict[str, tuple[str, str]]:
    """Return the declared colours by cue, each for a light and for a dark page."""
    colours: dict[str, tuple[str, str]] = {}
    for name, who in (*book.sides.items(), *book.roles.items()):
        if who.colour and (actor_colour := colour(who.colour)):
            colours[find_actor(name, book).style] = (
                to_hex(ensure_contrast(actor_colour, LIGHT_PAGE)),
                to_hex(ensure_contrast(actor_colour, DARK_PAGE)),
            )
    return colours


def actors_of_step(step: SequenceStep, turn: SequenceStep | None = None) -> tuple[Actor, ...]:
    """Return the actors of a step, in the order of the step.

    `turn` is the player turn that is being played, if it repeats the step's own turn: then the two sides
    change places, unless the book has roles that do so.
    """
    book, own_turn = step.edition.book, _turn_of(step)
    turn = turn or own_turn
    if step.base_step and step.difference != "added" and not step.step.by:
        own_turn = _turn_of(step.base_step)
    elif not step.is_turn and not step.step.by:
        own_turn = _turn_of(step.repetition_chain[-1])
    names: Iterable[str] = step.actors
    if PHASING not in book.roles and turn and own_turn and turn.step.phasing != own_turn.step.phasing:
        names = [_other_side(name, book) for name in names]
    return tuple(find_actor(_side_of_role(name, turn, book), book) for name in names)


def actor_style(step: SequenceStep, turn: SequenceStep | None = None) -> str:
    """Return the cues of a step: those of its only actor, else those of both players."""
    actors = actors_of_step(step, turn)
    return actors[0].style if len(actors) == 1 else "both"


def player_sides(turn: SequenceStep) -> tuple[tuple[Actor, Actor], ...]:
    """Return the phasing side of a player turn and the other of two sides, each after its role."""
    book, phasing = turn.edition.book, turn.step.phasing
    if not phasing:
        return ()
    pairs = [(PHASING, str(phasing))]
    other = _other_side(phasing, book)
    if other != phasing and OTHER in book.roles:
        pairs.append((OTHER, other))
    return tuple(
        (find_actor(_side_of_role(role, turn, book), book), find_actor(side, book)) for role, side in pairs
    )


def all_actors(sequence: SequenceOfPlay, *, combat: bool = False) -> tuple[Actor, ...]:
    """Return the actors of a sequence for a legend, or those with combat actions only."""
    if sequence.root is None:
        return ()
    steps = (step for step in sequence.iter_steps() if not combat or step.is_combat)
    steps = (step for step in steps if not step.is_turn or step.step.by or step.step.phasing)
    return sort_actors(
        (actor for step in steps for actor in actors_of_step(step)), sequence.root.edition.book
    )


def sort_actors(actors: Iterable[Actor], book: Rulebook) -> tuple[Actor, ...]:
    """Remove duplicates and sort: roles first, then sides."""
    order = {name: position for position, name in enumerate([*ROLES, *map(str, book.sides)])}
    return tuple(sorted(set(actors), key=lambda actor: (order.get(actor.name, len(order)), actor.name)))


def _turn_of(step: SequenceStep) -> SequenceStep | None:
    while step.parent and not step.step.phasing:
        step = step.parent
    return step if step.step.phasing else None


def _side_of_role(role: str, turn: SequenceStep | None, book: Rulebook) -> str:
    """Return the side that has a role in a player turn; if the book has that role, the role."""
    if role not in (PHASING, OTHER) or role in book.roles or not turn or not turn.step.phasing:
        return role
    side = str(turn.step.phasing)
    return side if role == PHASING else _other_side(side, book)


def _other_side(side: str, book: Rulebook) -> str:
    """Return the opponent if there are exactly two sides, else the side itself."""
    names = list(map(str, book.sides))
    return names[1 - names.index(side)] if len(names) == 2 and side in names else side
