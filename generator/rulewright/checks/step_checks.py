"""Checks of the sequence of play: who acts, repeats, rounds, choices, conditions and what they end."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book.outline import Outline
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import ProblemType, did_you_mean, problem_type, quote_short
from rulewright.schema.step import YES
from rulewright.sequence.actors import known_actors, number_of_players
from rulewright.sequence.sequence_step import GAME, IN_ORDER, OTHERS_IN_ORDER, PHASING, PLACES, SequenceStep
from rulewright.sequence.step_counts import parse_counts, parse_rounds
from rulewright.sequence.step_label_checks import check_step_labels
from rulewright.sequence.turn_difference_checks import NOT_FOUND, check_turn_differences

NO_REPEAT = problem_type(
    "repeat-not-found", "A step repeats a step that is not there. `repeats:` takes the `id:` of a step."
)
CYCLE = problem_type(
    "repeat-cycle", "A step repeats one that leads back to it, so that the turn would never end."
)
SAME_ID = problem_type(
    "duplicate-step-id", "Two steps have one `id:`, so that `repeats:` cannot tell them apart."
)
NO_ROLE = problem_type(
    "role-not-declared",
    "A step is done by someone whom rulebook.yml declares neither as a role nor as a side.",
)
NO_SIDE = problem_type("side-not-declared", "A turn names a phasing side that rulebook.yml does not declare.")
NO_PLAYERS = problem_type(
    "players-not-declared",
    "Steps are done in the order of the players, and rulebook.yml declares neither `sides` nor `players`.",
)
NO_DECISION = problem_type(
    "decision-not-declared",
    "A step decides something other than the order, who is phasing, or a role or an order of rulebook.yml.",
)
MALFORMED = problem_type(
    "rounds-malformed",
    "How often or in which rounds or game turns a step is done cannot be read, or is never.",
)
CONFLICT = problem_type(
    "step-keys-conflict",
    "Two keys of a step exclude each other, such as `rounds` and `for each`, or `must` and `optional`.",
)
NO_END = problem_type(
    "end-not-found",
    "A step ends a step that it is not inside of. `ends:` takes `game`, or the title or id of one.",
)
_ORDERS = (IN_ORDER, OTHERS_IN_ORDER, *PLACES)
"""Actors in the order of the players."""


@check(SequenceStep, CYCLE, NO_REPEAT)
def check_repeats(step: SequenceStep, scope: Scope) -> Problems:
    """Report steps that repeat themselves or an unknown step."""
    name, sequence = step.own_keys.repeats, scope.outline.sequence
    if not name or not scope.edition.has_written(name):
        return
    if base := sequence.loops.get(step):
        repeated = "itself" if base is step else f"{quote_short(base.step.title)}, which leads back to it"
        message = f"{quote_short(step.step.title)} repeats {repeated}; write out what happens here"
        yield CYCLE.problem(name, message)
    elif not step.repeats_step and name.file.name not in scope.project.library.faulty:
        ids = [other.step.id for other in sequence.iter_steps() if other.step.id]
        cure = did_you_mean(name, ids) if ids else f"; give the step that is meant `id: {quote_short(name)}`"
        yield NO_REPEAT.problem(name, f"no step has the id {quote_short(name)}{cure}")


@check(Outline, SAME_ID)
def check_step_ids(outline: Outline, _: Scope) -> Problems:
    """Report duplicate ids."""
    first: dict[str, SequenceStep] = {}
    for step in outline.sequence.iter_steps():
        name = step.own_keys.id
        if name and (other := first.setdefault(name, step)) is not step:
            line = other.step.title.place.line
            message = f"the id {quote_short(name)} is taken by the step in line {line}; choose another"
            yield SAME_ID.problem(name, message, step.anchor)


@check(Outline, NO_PLAYERS, NO_ROLE, NO_SIDE)
def check_actors(outline: Outline, _: Scope) -> Problems:
    """Report a wrong number of players, and actors and phasing sides that the book does not declare."""
    book = outline.edition.book
    if book.players and number_of_players(book) is None:
        message = f"{quote_short(book.players)} is no number of players; write 2, or 3 to 6"
        yield NO_PLAYERS.problem(book.players, message, "players")
    has_sides, is_first = bool(book.sides or book.players), True
    for undeclared, name, step in _undeclared_actors(outline):
        words = quote_short(name)
        if name in _ORDERS:
            message = f"{name} needs players; declare sides: or players: in rulebook.yml"
            yield NO_PLAYERS.problem(name, message, step.anchor)
        elif has_sides or undeclared is NO_ROLE:
            message = f"{words} is neither a role nor a side of this book"
            yield name.unknown_name_problem(undeclared, message, known_actors(book), step.anchor)
        elif is_first:
            is_first = False
            message = f"{words} is no side of this book, which declares none; "
            message += f"write sides: {{{words}: …}} in rulebook.yml"
            yield NO_SIDE.problem(name, message, step.anchor)


def _undeclared_actors(outline: Outline) -> Iterator[tuple[ProblemType, LocatedText, SequenceStep]]:
    """Yield each name of an actor or a phasing side that the book does not declare."""
    edition, known = outline.edition, known_actors(outline.edition.book)
    for step in outline.sequence.iter_steps():
        for undeclared, names in ((NO_ROLE, step.own_keys.by), (NO_SIDE, step.own_keys.phasing)):
            for name in names:
                if name not in known and edition.has_written(name):
                    yield undeclared, name, step


@check(SequenceStep, NO_DECISION)
def check_decisions(step: SequenceStep, scope: Scope) -> Problems:
    """Report decisions of unknown roles."""
    name, known = step.own_keys.decides, ["order", PHASING, *scope.book.roles, *scope.book.orders]
    if name and name not in known:
        title = quote_short(step.step.title)
        message = f"{title} decides {quote_short(name)}, which is no role or order of this book"
        yield name.unknown_name_problem(NO_DECISION, message, known)


@check(SequenceStep, MALFORMED)
def check_step_rounds(step: SequenceStep, scope: Scope) -> Problems:
    """Report rounds and game turns that cannot be read, or never come."""
    keys = step.own_keys
    if keys.rounds and (message := _rounds_fault(keys.rounds)):
        yield MALFORMED.problem(keys.rounds, message)
    if keys.in_rounds and (message := _in_rounds_fault(keys.in_rounds, step)):
        yield MALFORMED.problem(keys.in_rounds, message)
    for name in keys.in_turns:
        if name not in scope.book.sides and not parse_counts(name):
            cure = "write 3, 7, from 4, to 3, 4 to 6, every 4 or a side"
            yield MALFORMED.problem(name, f"in turns cannot be {quote_short(name)}; {cure}")


def _rounds_fault(text: str) -> str:
    """Return the fault of a number of rounds, or an empty string."""
    rounds = parse_rounds(text)
    if rounds is None:
        return f"rounds cannot be {quote_short(text)}; write 6, 1 to 5, up to 3, 32 impulses or until …"
    is_once = rounds.minimum == rounds.maximum == 1 and not rounds.until
    return f"rounds: {text} is no repetition; leave it out" if is_once else ""


def _in_rounds_fault(text: str, step: SequenceStep) -> str:
    if not any(outer.step.rounds for outer in step.self_and_ancestors() if outer is not step):
        title = quote_short(step.step.title)
        return f"{title} is in no step with rounds; write in turns:, or rounds: around it"
    if not parse_counts(text):
        return f"in rounds cannot be {quote_short(text)}; write 1, 3, 7, from 2, 4 to 6 or every 8"
    return ""


@check(SequenceStep, CONFLICT)
def check_step_conflicts(entry: SequenceStep, _: Scope) -> Problems:
    """Report keys of a step that exclude each other."""
    step, keys, title = entry.step, entry.own_keys, quote_short(entry.step.title)
    inner_lists = (("steps", keys.steps), ("any order", keys.any_order), ("one of", keys.one_of))
    lists = [(name, steps[0].title) for name, steps in inner_lists if steps]
    for name, first_title in lists[1:]:
        message = f"{title} has {lists[0][0]} and {name}; put one of them into a step of its own"
        yield CONFLICT.problem(first_title, message)
    if step.rounds and step.for_each and (place := keys.for_each or keys.rounds):
        message = f"{title} has rounds and for each; put one of them into a step inside"
        yield CONFLICT.problem(place, message)
    if keys.must and entry.parent and entry.way == "one of":
        message = f"{title} is one of several options, of which none must be done; delete must"
        yield CONFLICT.problem(keys.must, message)
    if keys.optional and step.must == YES:
        message = f"{title} must be done and is optional; delete one of the two, or write its condition"
        yield CONFLICT.problem(keys.optional, message)


@check(SequenceStep, NO_END)
def check_ends(step: SequenceStep, scope: Scope) -> Problems:
    """Report ends of steps that are not around."""
    name, title = step.own_keys.ends, quote_short(step.step.title)
    if name and name != GAME and step.ended_step is None and scope.edition.has_written(name):
        outer_titles = [str(outer.step.title) for outer in step.self_and_ancestors() if outer is not step]
        message = f"{title} ends {quote_short(name)}, which it is not inside of"
        yield name.unknown_name_problem(NO_END, message, [*outer_titles, GAME])


@check(Outline, NOT_FOUND)
def check_turns(outline: Outline, scope: Scope) -> Problems:
    """Report differences of repeated turns that have no target or no effect, and labels out of order."""
    for problem in check_turn_differences(outline.sequence):
        if problem.code != NOT_FOUND.code or scope.has_all_parts:
            yield problem
    yield from check_step_labels(outline.sequence)
