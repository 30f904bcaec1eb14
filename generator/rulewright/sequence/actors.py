"""Actors of steps: the roles and sides that a book declares, as its pages show them.

Pages show an actor by four cues, none of which needs colour: the bar over a phase, the rail beside it, a
lettered mark and the weight of combat actions. `style` names the cues; templates draw them.

If a book declares no role for the phasing player, its steps show the side instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.schema.colours import DARK_PAGE, LIGHT_PAGE, colour, ensure_contrast, to_hex
from rulewright.schema.rulebook import Rulebook
from rulewright.sequence.sequence_step import (
    IN_ORDER,
    NOBODY,
    OTHER,
    OTHERS_IN_ORDER,
    PHASING,
    PLACES,
    SequenceOfPlay,
    SequenceStep,
)

UNSPECIFIED = "unspecified"
ROLES = {
    PHASING: ("Phasing player", "P"),
    OTHER: ("Non-phasing player", "N"),
    "both": ("Both players", "B"),
    "either": ("Either player", "E"),
    NOBODY: ("No player", "·"),
    UNSPECIFIED: ("Not specified", "?"),
}
"""Roles of every book, with their default titles and marks."""
_PLACES = {name: (f"{name.capitalize()} in order", str(PLACES.index(name) + 1)) for name in PLACES}
_BY_ORDER = {OTHERS_IN_ORDER: ("The others in order", "N>…"), IN_ORDER: ("Each in order", "1>2"), **_PLACES}
_TITLES_OF_MANY = {"both": "All players", "either": "Any player", OTHER: "The other players"}
"""Titles where three or more play."""
_CUES = {"either": "both", UNSPECIFIED: NOBODY}
_PLAYERS = re.compile(r"(\d{1,2})(?: to (\d{1,2}))?")


@dataclass(frozen=True, slots=True)
class Actor:
    """Role or side as pages show it."""

    title: str
    mark: str
    """One or two letters; those of an order of players have a sign that says so: 1>2."""
    style: str
    """Name of its cues in templates and style sheets."""
    name: str
    is_builtin: bool = False
    """The book does not declare it, so that its title is English."""
    has_colour: bool = False


def number_of_players(book: Rulebook) -> tuple[int, int] | None:
    """Return the least and the largest number of players; None if the book does not say it."""
    if book.sides:
        return len(book.sides), len(book.sides)
    match = _PLAYERS.fullmatch(book.players or "")
    if not match:
        return None
    minimum, maximum = int(match[1]), int(match[2] or match[1])
    return (minimum, maximum) if 0 < minimum <= maximum else None


def player_names(book: Rulebook) -> tuple[str, ...]:
    """Return the names of the sides, or for a game without sides of as many players as there are at least."""
    minimum, _ = number_of_players(book) or (0, 0)
    return tuple(map(str, book.sides)) or tuple(f"player-{number}" for number in range(1, minimum + 1))


def known_actors(book: Rulebook) -> list[str]:
    """Return every name that `by` may have in a book."""
    by_order = _BY_ORDER if number_of_players(book) else ()
    return [*dict.fromkeys([*ROLES, *book.roles, *book.sides, *book.orders, *by_order])]


def find_actor(name: str, book: Rulebook) -> Actor:
    """Return the role or side of a name; an undeclared name has the cues of no player."""
    declared = {**book.orders, **book.sides, **book.roles}.get(name)  # type: ignore[call-overload]
    title, mark = (ROLES | _BY_ORDER).get(name, (name, "·"))
    if declared:
        title, mark = str(declared.title), _mark(name, book)
    elif (number_of_players(book) or (0, 0))[1] > 2:
        title, mark = _TITLES_OF_MANY.get(name, title), mark.replace("1>2", "1>…")
    style = _CUES.get(name, name) if name in ROLES else NOBODY
    if name in (names := list(map(str, book.sides)) or PLACES) and name not in ROLES:
        style = f"side-{names.index(name) + 1}"
    elif name in book.orders or name in _BY_ORDER:
        style = "both"
    is_builtin = not declared and name in ROLES | _BY_ORDER
    return Actor(title, mark, style, name, is_builtin, bool(declared and declared.colour))


def _mark(name: str, book: Rulebook) -> str:
    """Return the mark of a side, a role or an order: the declared one, else a letter that is free."""
    roles = {**book.sides, **book.roles, **book.orders}
    taken = {mark for _, mark in ROLES.values()} | {str(role.mark) for role in roles.values() if role.mark}
    mark = ""
    for key, role in roles.items():
        letters = (letter.upper() for letter in (role.title[:1], *filter(str.isalpha, role.title)))
        free = next((letter for letter in letters if letter not in taken), str(len(taken)))
        mark = str(role.mark or (ROLES[key][1] if key in ROLES else free))
        taken.add(mark)
        if key == name:
            break
    return f"{mark}>" if name in book.orders else mark


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


def actors_of_step(step: SequenceStep) -> tuple[Actor, ...]:
    """Return the actors of a step, in the order of the step.

    In a book without the roles of phasing and non-phasing player, the turn's sides take their place.
    """
    book = step.edition.book
    is_turn_of_side = len(step.phasing) == 1 and step.phasing[0] in _sides(book)
    names = step.given_actors if is_turn_of_side else step.acting
    return tuple(find_actor(_side_of_role(name, step, book), book) for name in names)


def actor_style(step: SequenceStep) -> str:
    """Return the cues of a step: those of its only actor, else those of both players."""
    actors = actors_of_step(step)
    return actors[0].style if len(actors) == 1 else "both" if actors else NOBODY


def player_sides(turn: SequenceStep) -> tuple[tuple[Actor, Actor], ...]:
    """Return the phasing side of a player turn and the other of two sides, each after its role."""
    book = turn.edition.book
    phasing = turn.phasing[0] if len(turn.phasing) == 1 else ""
    if phasing not in _sides(book):
        return ()
    pairs = [(PHASING, phasing)]
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
    book = sequence.root.edition.book
    steps = [step for step in sequence.iter_displayed() if not combat or step.is_combat]
    actors = {actor for step in steps for actor in actors_of_step(step)}
    if not combat:  # headings of player turns show the side in its colour, too
        sides = {side for step in steps for _, side in player_sides(step)}
        actors |= {side for side in sides if side.has_colour}
    return sort_actors(actors, book)


def sort_actors(actors: Iterable[Actor], book: Rulebook) -> tuple[Actor, ...]:
    """Remove duplicates and sort: roles first, then sides."""
    names = [*ROLES, OTHERS_IN_ORDER, IN_ORDER, *book.orders, *PLACES, *book.roles, *book.sides]
    order = {str(name): position for position, name in reversed([*enumerate(names)])}
    return tuple(sorted(set(actors), key=lambda actor: (order.get(actor.name, len(names)), actor.name)))


def _side_of_role(role: str, step: SequenceStep, book: Rulebook) -> str:
    """Return the side that has a role in a step; if the book has that role, the role."""
    phasing = step.phasing_around
    if (
        role not in (PHASING, OTHER)
        or role in book.roles
        or len(phasing) != 1
        or phasing[0] not in _sides(book)
    ):
        return role
    if role == PHASING:
        return phasing[0]
    return _other_side(phasing[0], book) if len(_sides(book)) == 2 else role


def _other_side(side: str, book: Rulebook) -> str:
    """Return the opponent if there are exactly two sides, else the side itself."""
    names = _sides(book)
    return names[1 - names.index(side)] if len(names) == 2 and side in names else side


def _sides(book: Rulebook) -> tuple[str, ...]:
    """Return the sides of a book; for a game of two players without sides, their places in the order."""
    return tuple(map(str, book.sides)) or (PLACES[:2] if number_of_players(book) == (2, 2) else ())
