"""Checks of the sequence of play: who acts, repeats, rounds, choices, conditions and what they end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.book.outline import Outline
from rulewright.document.blocks.track_block import box_names
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, Severity, did_you_mean, problem_type, quote_short
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.model_reader import ANSWERS
from rulewright.schema.step import YES, Step
from rulewright.schema.text_document import plain_text
from rulewright.sequence import step_attributes
from rulewright.sequence.actors import UNSPECIFIED, known_actors, number_of_players
from rulewright.sequence.sequence_step import GAME, IN_ORDER, OTHERS_IN_ORDER, PHASING, PLACES, SequenceStep
from rulewright.sequence.step_counts import NumberSet, parse_counts, parse_rounds

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
ORDER_UNUSED = problem_type(
    "order-unused", "A step decides the order of play, and no step is done in that order.", Severity.NOTE
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
KEY_IN_TITLE = problem_type(
    "key-in-title",
    "A step's title says how often or in what way it is done, for which there is a key.",
    Severity.NOTE,
)

_KEYS_IN_TITLES = (
    (
        re.compile(r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve) rounds\b", re.I),
        "rounds: 6",
    ),
    (
        re.compile(r"\b(?:repeat(?:ed)?|again) until\b|\buntil (?:all|both)(?: players)? pass", re.I),
        "rounds: until …",
    ),
    (re.compile(r"\b(?:choose|select|pick) (?:one|1)\b|\bone of (?:the following|these)\b", re.I), "one of:"),
    (re.compile(r"\b(?:repeat|once) for each\b", re.I), "for each: …"),
)
"""What titles say instead of keys, and the keys."""


def check_repeats(index: ReferenceIndex) -> Iterator[Problem]:
    """Report repeats of unknown steps, and cyclic repeats."""
    for outline, entry in _written_steps(index):
        name = entry.own_keys.repeats
        ids = [step.step.id for step in outline.sequence.iter_steps() if step.step.id]
        if not name or not outline.edition.has_written(name):
            continue
        if base := outline.sequence.loops.get(entry):
            repeated = (
                "itself" if base is entry else f"{quote_short(base.step.title)}, which leads back to it"
            )
            message = f"{quote_short(entry.step.title)} repeats {repeated}; write out what happens here"
            yield CYCLE.problem(name.place, message, entry.anchor)
        elif entry.repeats_step is None:
            cure = f"; give the step that is meant `id: {quote_short(name)}`"
            message = f"no step has the id {quote_short(name)}{did_you_mean(name, ids) if ids else cure}"
            yield NO_REPEAT.problem(name.place, message, entry.anchor)


def check_step_ids(index: ReferenceIndex) -> Iterator[Problem]:
    """Report duplicate ids."""
    first: dict[tuple[Outline, str], SequenceStep] = {}
    for outline, entry in _written_steps(index):
        name = entry.own_keys.id
        other = first.setdefault((outline, name), entry) if name else entry
        if name and other is not entry:
            line = other.step.title.place.line
            message = f"the id {quote_short(name)} is taken by the step in line {line}; choose another"
            yield SAME_ID.problem(name.place, message, entry.anchor)


def check_step_actors(index: ReferenceIndex) -> Iterator[Problem]:
    """Report undeclared actors and phasing sides."""
    for outline in index.outlines.values():
        book = outline.edition.book
        known, players = known_actors(book), number_of_players(book)
        if book.players and players is None:
            message = f"{quote_short(book.players)} is no number of players; write 2, or 3 to 6"
            yield NO_PLAYERS.problem(book.players.place, message, "players")
        entries = list(outline.sequence.iter_steps())
        ordered = (IN_ORDER, OTHERS_IN_ORDER, *PLACES)
        phasing_names = [name for entry in entries for name in entry.own_keys.phasing]
        without_sides = [
            name for name in phasing_names if name not in known and not book.sides and not book.players
        ]
        for entry in entries:
            for name in (*entry.own_keys.by, *entry.own_keys.phasing):
                is_phasing = any(name is phasing for phasing in entry.own_keys.phasing)
                if name in known or not outline.edition.has_written(name):
                    continue
                if name in ordered:
                    message = f"{name} needs players; declare sides: or players: in rulebook.yml"
                    yield NO_PLAYERS.problem(name.place, message, entry.anchor)
                elif name == "unsaid":
                    message = f"unsaid is now called {UNSPECIFIED}; write by: {UNSPECIFIED}"
                    yield NO_ROLE.problem(name.place, message, entry.anchor)
                elif not is_phasing:
                    message = f"{quote_short(name)} is neither a role nor a side of this book"
                    yield name.unknown_name_problem(NO_ROLE, message, known, entry.anchor)
                elif without_sides and name is not without_sides[0]:
                    continue  # reported once, for all of them
                else:
                    cure = did_you_mean(name, [*map(str, book.sides), IN_ORDER])
                    if without_sides:
                        sides = ", ".join(f"{quote_short(text)}: …" for text in dict.fromkeys(without_sides))
                        cure = f"; rulebook.yml declares none: write sides: {{{sides}}} there"
                    yield NO_SIDE.problem(
                        name.place, f"{quote_short(name)} is no side of this book{cure}", entry.anchor
                    )


def check_decisions(index: ReferenceIndex) -> Iterator[Problem]:
    """Report decisions of unknown roles, and of an order that nobody uses."""
    for outline in index.outlines.values():
        book, entries = outline.edition.book, list(outline.sequence.iter_steps())
        actors = [str(name) for entry in entries for name in (*entry.step.by, *entry.step.phasing)]
        turns_of_sides = [
            entry for entry in entries if len(entry.phasing) == 1 and entry.phasing[0] in book.sides
        ]
        is_ordered = len(turns_of_sides) > 1 or any(
            name in (IN_ORDER, OTHERS_IN_ORDER, *PLACES) for name in actors
        )
        known = ["order", PHASING, *map(str, book.roles), *map(str, book.orders)]
        for entry in entries:
            name, title = entry.own_keys.decides, quote_short(entry.step.title)
            if name and name not in known:
                message = f"{title} decides {quote_short(name)}, which is no role or order of this book"
                yield name.unknown_name_problem(NO_DECISION, message, known, entry.anchor)
            elif name == "order" and not is_ordered:
                message = (
                    f"{title} decides the order, in which nobody acts; write phasing: {IN_ORDER} after it"
                )
                yield ORDER_UNUSED.problem(name.place, message, entry.anchor)


def check_step_rounds(index: ReferenceIndex) -> Iterator[Problem]:
    """Report rounds and game turns that cannot be read, or never come."""
    for outline, entry in _written_steps(index):
        keys = entry.own_keys
        if keys.rounds:
            yield from _check_rounds(keys.rounds, entry)
        if name := keys.in_rounds:
            outer_steps = (
                step.rounds for step in entry.self_and_ancestors() if step is not entry and step.step.rounds
            )
            rounds = next(outer_steps, None)
            counts = parse_counts(name)
            if not any(step.step.rounds for step in entry.self_and_ancestors() if step is not entry):
                title = quote_short(entry.step.title)
                message = f"{title} is in no step with rounds; write in turns:, or rounds: around it"
                yield MALFORMED.problem(name.place, message, entry.anchor)
            elif not counts:
                message = f"in rounds cannot be {quote_short(name)}; write 1, 3, 7, from 2, 4 to 6 or every 8"
                yield MALFORMED.problem(name.place, message, entry.anchor)
            elif rounds and rounds.maximum and not any(map(counts.includes, range(1, rounds.maximum + 1))):
                message = f"{quote_short(name)} never comes; there are {rounds.maximum} {rounds.noun}"
                yield MALFORMED.problem(name.place, message, entry.anchor)
        last = _last_turn(outline) if keys.in_turns else None
        for name in keys.in_turns:
            if name not in outline.edition.book.sides:
                yield from _check_turns(name, parse_counts(name), last, entry)


def _check_rounds(text: LocatedText, entry: SequenceStep) -> Iterator[Problem]:
    rounds = parse_rounds(text)
    if rounds is None:
        message = f"rounds cannot be {quote_short(text)}; write 6, 1 to 5, up to 3, 32 impulses or until …"
        yield MALFORMED.problem(text.place, message, entry.anchor)
    elif rounds.minimum == rounds.maximum == 1 and not rounds.until:
        message = f"rounds: {text} is no repetition; leave it out"
        yield MALFORMED.problem(text.place, message, entry.anchor)


def _check_turns(
    text: LocatedText, counts: NumberSet | None, last: int | None, entry: SequenceStep
) -> Iterator[Problem]:
    if counts is None:
        message = (
            f"in turns cannot be {quote_short(text)}; write 3, 7, from 4, to 3, 4 to 6, every 4 or a side"
        )
        yield MALFORMED.problem(text.place, message, entry.anchor)
    elif last is not None and (
        not any(map(counts.includes, range(1, last + 1)))
        or any(number > last for number in (*counts.numbers, counts.last or 0))
    ):
        message = f"{quote_short(text)} is beyond the turn track, which ends with {last}; correct one of them"
        yield MALFORMED.problem(text.place, message, entry.anchor)


def _last_turn(outline: Outline) -> int | None:
    """Return the number of the last box of the edition's longest turn track: one with a first date."""
    tracks = [
        block.track
        for aid in outline.edition.aids
        for block in aid.blocks
        if block.track and block.track.begins
    ]
    lasts = (name for track in tracks for name in list(box_names(track.boxes))[-1:])
    return max((int(name) for name in lasts if name.isdecimal()), default=None)


def check_step_conflicts(index: ReferenceIndex) -> Iterator[Problem]:
    """Report keys of a step that exclude each other, and choices of one."""
    for _, entry in _written_steps(index):
        step, keys, title = entry.step, entry.own_keys, quote_short(entry.step.title)
        lists: list[tuple[str, Sequence[Step]]] = [
            (way, inner)
            for way, inner in (
                ("steps", keys.steps),
                ("any order", keys.any_order),
                ("one of", keys.one_of),
            )
            if inner
        ]
        for way, inner in lists[1:]:
            message = f"{title} has {lists[0][0]} and {way}; put one of them into a step of its own"
            yield CONFLICT.problem(inner[0].title.place, message, entry.anchor)
        if for_each := step.for_each if keys.rounds else keys.for_each if step.rounds else None:
            message = f"{title} has rounds and for each; put one of them into a step inside"
            yield CONFLICT.problem(for_each.place, message, entry.anchor)
        options = entry.ordered
        if entry.is_choice and len(options) < 2 and not (lists[1:] or step.optional):
            message = f"{title} is a choice of one; add an option, or write steps:"
            if not keys.one_of:
                message = f"{title} has one option left; keep two, or write out its steps"
            place = options[0].step.title.place if keys.one_of and options else entry.step.title.place
            yield NO_CHOICE.problem(place, message, entry.anchor)
        if keys.must and entry.parent and entry.way == "one of":
            message = f"{title} is one of several options, of which none must be done; delete must"
            yield CONFLICT.problem(keys.must.place, message, entry.anchor)
        if keys.optional and step.must == YES:
            message = (
                f"{title} must be done, so that it cannot be optional; say on what condition it is which"
            )
            yield MUST_AND_MAY.problem(keys.optional.place, message, entry.anchor)


def check_ends(index: ReferenceIndex) -> Iterator[Problem]:
    """Report ends of steps that are not around, and repeated loops that lost their end."""
    for outline, entry in _written_steps(index):
        name = entry.own_keys.ends
        if name and name != GAME and entry.ended_step is None and outline.edition.has_written(name):
            outer_titles = [str(step.step.title) for step in entry.self_and_ancestors() if step is not entry]
            message = f"{quote_short(entry.step.title)} ends {quote_short(name)}, which it is not inside of"
            yield name.unknown_name_problem(NO_END, message, [*outer_titles, GAME], entry.anchor)
        still = {step.ended_step for step in entry.iter_subtree()} if entry.left_out else ()
        for dropped in entry.left_out:
            loop = next((loop for step in dropped.iter_subtree() if (loop := step.ended_step)), None)
            rounds = loop.rounds if loop else None
            if loop and rounds and rounds.maximum is None and not rounds.passing and loop not in still:
                title, ended = quote_short(dropped.step.title), quote_short(loop.step.title)
                turn = quote_short(entry.step.title)
                message = f"{turn} drops {title}, which ends {ended}; keep it, or change rounds:"
                yield END_DROPPED.problem(entry.step.title.place, message, entry.anchor)


def check_step_conditions(index: ReferenceIndex) -> Iterator[Problem]:
    """Report conditions that are just yes or no."""
    for _, entry in _written_steps(index):
        for key, text in (
            ("if", entry.own_keys.condition),
            ("when", entry.own_keys.when),
            ("unless", entry.own_keys.unless),
        ):
            if text and text.strip().casefold() in ANSWERS:
                message = f"{key}: {text} is no condition; write the condition, or leave out {key}"
                yield NO_CONDITION.problem(text.place, message, entry.anchor)


def check_repeated_facts(index: ReferenceIndex) -> Iterator[Problem]:
    """Report attributes of a step that its title or note repeats, and words of titles that are keys."""
    for outline, entry in _written_steps(index):
        if not outline.edition.has_written(entry.step.title) or entry.difference == "changed":
            continue
        for fact in step_attributes.step_phrases(entry, step_attributes.PLAIN):
            words = step_attributes.repeated_in(entry, fact)
            if words and fact.values and fact.values[0].file is entry.step.title.file:
                key = fact.key.replace("_", " ")
                key_of_text = "title" if words is entry.step.title else "note"
                message = f"the {key_of_text} says this already: {quote_short(words)}; delete {key}"
                yield SAID_TWICE.problem(fact.values[0].place, message, entry.anchor)
        title = plain_text(entry.step.title)
        for pattern, key in _KEYS_IN_TITLES:
            is_set = entry.step.rounds or entry.step.for_each or entry.is_choice
            if not is_set and (match := pattern.search(title)):
                message = f"{quote_short(match[0])} in a title is not played; write {key}"
                yield KEY_IN_TITLE.problem(entry.step.title.place, message, entry.anchor)


def _written_steps(index: ReferenceIndex) -> Iterator[tuple[Outline, SequenceStep]]:
    for outline in index.outlines.values():
        yield from (
            (outline, entry) for entry in outline.sequence.iter_steps() if entry.difference != "dropped"
        )
