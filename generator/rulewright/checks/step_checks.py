"""Checks of the sequence of play: who acts, repeats, rounds, choices, conditions and what they end."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.book.outline import Outline
from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.document.blocks.track_block import box_names
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Severity, did_you_mean, problem_type, quote_short
from rulewright.schema.model_reader import ANSWERS
from rulewright.schema.step import YES, Step
from rulewright.sequence import step_attributes
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
    "step-keys-conflict", "Two keys of a step exclude each other, such as `rounds` and `for each`."
)
NO_CHOICE = problem_type("choice-of-one", "A choice has one option only.")
NO_END = problem_type(
    "end-not-found",
    "A step ends a step that it is not inside of. `ends:` takes `game`, or the title or id of one.",
)
END_DROPPED = problem_type("end-dropped", "A repeated loop has lost the step that ends it.", Severity.WARNING)
MUST_AND_MAY = problem_type("step-must-and-may", "A step must be done and is optional all the same.")
NO_CONDITION = problem_type(
    "condition-missing", "A step has yes or no where a condition belongs.", Severity.NOTE
)
SAID_TWICE = problem_type(
    "fact-said-twice",
    "A step's title or note says what one of its keys says, which is not said again. Delete the key.",
    Severity.NOTE,
)
_ORDERS = (IN_ORDER, OTHERS_IN_ORDER, *PLACES)
"""Actors in the order of the players."""


@check(SequenceStep, CYCLE)
def check_repeat_cycles(step: SequenceStep, scope: Scope) -> Problems:
    """Report steps that repeat themselves."""
    name, base = step.own_keys.repeats, scope.outline.sequence.loops.get(step)
    if name and base and scope.edition.has_written(name):
        repeated = "itself" if base is step else f"{quote_short(base.step.title)}, which leads back to it"
        message = f"{quote_short(step.step.title)} repeats {repeated}; write out what happens here"
        yield CYCLE.problem(name, message)


@check(SequenceStep, NO_REPEAT)
def check_repeated_steps(step: SequenceStep, scope: Scope) -> Problems:
    """Report repeats of unknown steps."""
    name, sequence = step.own_keys.repeats, scope.outline.sequence
    if not name or step.repeats_step or step in sequence.loops or not scope.edition.has_written(name):
        return
    if name.file.name not in scope.project.library.faulty:
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


@check(Outline, NO_PLAYERS)
def check_players(outline: Outline, _: Scope) -> Problems:
    """Report a wrong number of players, and steps in the order of players that are not declared."""
    book = outline.edition.book
    if book.players and number_of_players(book) is None:
        message = f"{quote_short(book.players)} is no number of players; write 2, or 3 to 6"
        yield NO_PLAYERS.problem(book.players, message, "players")
    known = known_actors(book)
    for step in outline.sequence.iter_steps():
        for name in (*step.own_keys.by, *step.own_keys.phasing):
            if name in _ORDERS and name not in known and outline.edition.has_written(name):
                message = f"{name} needs players; declare sides: or players: in rulebook.yml"
                yield NO_PLAYERS.problem(name, message, step.anchor)


@check(SequenceStep, NO_ROLE)
def check_step_actors(step: SequenceStep, scope: Scope) -> Problems:
    """Report actors who are neither a role nor a side."""
    known = known_actors(scope.book)
    for name in step.own_keys.by:
        if name not in (*known, *_ORDERS) and scope.edition.has_written(name):
            message = f"{quote_short(name)} is neither a role nor a side of this book"
            yield name.unknown_name_problem(NO_ROLE, message, known)


@check(Outline, NO_SIDE)
def check_phasing_sides(outline: Outline, _: Scope) -> Problems:
    """Report undeclared phasing sides; those of a book without sides once."""
    book, known = outline.edition.book, known_actors(outline.edition.book)
    undeclared: dict[LocatedText, str] = {}
    for step in outline.sequence.iter_steps():
        for name in step.own_keys.phasing:
            if name not in (*known, *_ORDERS) and outline.edition.has_written(name):
                undeclared.setdefault(name, step.anchor)
    for name, anchor in undeclared.items():
        message = f"{quote_short(name)} is no side of this book"
        if book.sides or book.players:
            yield name.unknown_name_problem(NO_SIDE, message, [*book.sides, IN_ORDER], anchor)
        else:
            sides = ", ".join(f"{quote_short(side)}: …" for side in undeclared)
            cure = f"rulebook.yml declares none: write sides: {{{sides}}} there"
            yield NO_SIDE.problem(name, f"{message}; {cure}", anchor)
            return


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
    for name in (name for name in keys.in_turns if name not in scope.book.sides):
        if message := _turns_fault(name, _last_turn(scope.outline)):
            yield MALFORMED.problem(name, message)


def _in_rounds_fault(text: LocatedText, step: SequenceStep) -> str:
    outer_rounds = [
        outer.rounds for outer in step.self_and_ancestors() if outer is not step and outer.step.rounds
    ]
    if not outer_rounds:
        title = quote_short(step.step.title)
        return f"{title} is in no step with rounds; write in turns:, or rounds: around it"
    if not (counts := parse_counts(text)):
        return f"in rounds cannot be {quote_short(text)}; write 1, 3, 7, from 2, 4 to 6 or every 8"
    if (
        (rounds := outer_rounds[0])
        and rounds.maximum
        and not any(map(counts.includes, range(1, rounds.maximum + 1)))
    ):
        return f"{quote_short(text)} never comes; there are {rounds.maximum} {rounds.noun}"
    return ""


def _last_turn(outline: Outline) -> int | None:
    """Return the number of the last box of the edition's longest turn track: one with a first date."""
    blocks = (block for aid in outline.edition.aids for block in aid.blocks)
    tracks = [block.track for block in blocks if block.track and block.track.begins]
    lasts = (name for track in tracks for name in list(box_names(track.boxes))[-1:])
    return max((int(name) for name in lasts if name.isdecimal()), default=None)


@check(SequenceStep, CONFLICT)
def check_step_conflicts(entry: SequenceStep, _: Scope) -> Problems:
    """Report keys of a step that exclude each other."""
    step, keys, title = entry.step, entry.own_keys, quote_short(entry.step.title)
    lists = _lists_of_steps(entry)
    for way, inner in lists[1:]:
        message = f"{title} has {lists[0][0]} and {way}; put one of them into a step of its own"
        yield CONFLICT.problem(inner[0].title, message)
    if for_each := step.for_each if keys.rounds else keys.for_each if step.rounds else None:
        message = f"{title} has rounds and for each; put one of them into a step inside"
        yield CONFLICT.problem(for_each, message)
    if keys.must and entry.parent and entry.way == "one of":
        message = f"{title} is one of several options, of which none must be done; delete must"
        yield CONFLICT.problem(keys.must, message)


def _lists_of_steps(entry: SequenceStep) -> list[tuple[str, Sequence[Step]]]:
    keys = entry.own_keys
    lists = (("steps", keys.steps), ("any order", keys.any_order), ("one of", keys.one_of))
    return [(way, inner) for way, inner in lists if inner]


@check(SequenceStep, NO_CHOICE)
def check_choices(entry: SequenceStep, _: Scope) -> Problems:
    """Report choices of one."""
    step, keys, title, options = entry.step, entry.own_keys, quote_short(entry.step.title), entry.ordered
    if entry.is_choice and len(options) < 2 and not (_lists_of_steps(entry)[1:] or step.optional):
        message = f"{title} is a choice of one; add an option, or write steps:"
        if not keys.one_of:
            message = f"{title} has one option left; keep two, or write out its steps"
        yield NO_CHOICE.problem(options[0].step.title if keys.one_of and options else step.title, message)


@check(SequenceStep, MUST_AND_MAY)
def check_optional_steps(entry: SequenceStep, _: Scope) -> Problems:
    """Report steps that must be done and are optional."""
    if entry.own_keys.optional and entry.step.must == YES:
        title = quote_short(entry.step.title)
        message = f"{title} must be done, so that it cannot be optional; say on what condition it is which"
        yield MUST_AND_MAY.problem(entry.own_keys.optional, message)


@check(SequenceStep, NO_END)
def check_ends(step: SequenceStep, scope: Scope) -> Problems:
    """Report ends of steps that are not around."""
    name, title = step.own_keys.ends, quote_short(step.step.title)
    if name and name != GAME and step.ended_step is None and scope.edition.has_written(name):
        outer_titles = [str(outer.step.title) for outer in step.self_and_ancestors() if outer is not step]
        message = f"{title} ends {quote_short(name)}, which it is not inside of"
        yield name.unknown_name_problem(NO_END, message, [*outer_titles, GAME])


@check(SequenceStep, END_DROPPED)
def check_dropped_ends(step: SequenceStep, _: Scope) -> Problems:
    """Report repeated loops that lost their end."""
    ended_steps = {inner.ended_step for inner in step.iter_subtree()} if step.left_out else ()
    for dropped in step.left_out:
        loop = next((loop for inner in dropped.iter_subtree() if (loop := inner.ended_step)), None)
        rounds = loop.rounds if loop else None
        if loop and rounds and not (rounds.maximum or rounds.passing) and loop not in ended_steps:
            title = quote_short(step.step.title)
            ended = f"{quote_short(dropped.step.title)}, which ends {quote_short(loop.step.title)}"
            yield END_DROPPED.problem(step.step.title, f"{title} drops {ended}; keep it, or change rounds:")


@check(SequenceStep, NO_CONDITION)
def check_step_conditions(step: SequenceStep, _: Scope) -> Problems:
    """Report conditions that are just yes or no."""
    keys = step.own_keys
    for key, text in (("if", keys.condition), ("when", keys.when), ("unless", keys.unless)):
        if text and text.strip().casefold() in ANSWERS:
            message = f"{key}: {text} is no condition; write the condition, or leave out {key}"
            yield NO_CONDITION.problem(text, message)


@check(SequenceStep, SAID_TWICE)
def check_repeated_facts(entry: SequenceStep, scope: Scope) -> Problems:
    """Report attributes of a step that its title or note repeats."""
    step = entry.step
    if not scope.edition.has_written(step.title) or entry.difference == "changed":
        return
    for fact in step_attributes.step_phrases(entry, step_attributes.PLAIN):
        words = step_attributes.repeated_in(entry, fact)
        if words and fact.values and fact.values[0].file is step.title.file:
            key, key_of_text = fact.key.replace("_", " "), "title" if words is step.title else "note"
            message = f"the {key_of_text} says this already: {quote_short(words)}; delete {key}"
            yield SAID_TWICE.problem(fact.values[0], message)


@check(Outline, NOT_FOUND)
def check_turns(outline: Outline, scope: Scope) -> Problems:
    """Report differences of repeated turns that have no target or no effect, and labels out of order."""
    for problem in check_turn_differences(outline.sequence):
        bases = [edition.address for edition in outline.edition.with_series][1:]
        is_unknown = not scope.project.unreadable.without_parts.isdisjoint(bases)
        if problem.code != NOT_FOUND.code or not is_unknown:
            yield problem
    yield from check_step_labels(outline.sequence)


def _rounds_fault(text: str) -> str:
    """Return the fault of a number of rounds, or an empty string."""
    rounds = parse_rounds(text)
    if rounds is None:
        return f"rounds cannot be {quote_short(text)}; write 6, 1 to 5, up to 3, 32 impulses or until …"
    is_once = rounds.minimum == rounds.maximum == 1 and not rounds.until
    return f"rounds: {text} is no repetition; leave it out" if is_once else ""


def _turns_fault(text: str, last: int | None) -> str:
    """Return the fault of a choice of game turns, the last of which is known, or an empty string."""
    counts = parse_counts(text)
    if counts is None:
        cure = "write 3, 7, from 4, to 3, 4 to 6, every 4 or a side"
        return f"in turns cannot be {quote_short(text)}; {cure}"
    if last is None:
        return ""
    is_beyond = any(number > last for number in (*counts.numbers, counts.last or 0))
    if is_beyond or not any(map(counts.includes, range(1, last + 1))):
        return f"{quote_short(text)} is beyond the turn track, which ends with {last}; correct one of them"
    return ""
