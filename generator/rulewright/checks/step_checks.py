"""Checks of the sequence of play: levels, repeats, names of steps, and actors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.book.outline import Outline
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import (
    Problem,
    Severity,
    did_you_mean,
    nearest_option,
    problem_type,
    quote_short,
)
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.model_reader import ANSWERS
from rulewright.schema.rulebook import SETS
from rulewright.schema.step import DO, YES
from rulewright.sequence import step_attributes
from rulewright.sequence.actors import ROLES, UNSPECIFIED
from rulewright.sequence.sequence_step import SequenceStep

LEVEL = problem_type(
    "step-level",
    """A step is inside a step of the same or a lower level, such as a phase in a segment, or its kind is
    unknown in the book.""",
)
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
NO_SIDE = problem_type(
    "side-not-declared", "A player turn names a phasing side that rulebook.yml does not declare."
)

MUST_AND_MAY = problem_type(
    "step-must-and-may", "A step must be done or is brought about by chance, and is optional all the same."
)
NO_CONDITION = problem_type(
    "condition-missing", "A step has yes or no where a condition belongs.", Severity.NOTE
)
SAID_TWICE = problem_type(
    "fact-said-twice",
    "A step's title or note says what one of its keys says, which is not said again. Delete the key.",
    Severity.NOTE,
)
NOT_NAMED = problem_type(
    "step-not-named", "A step takes place `during` a step, or `swaps` turns, of a name that there is not."
)


def check_step_levels(index: ReferenceIndex) -> Iterator[Problem]:
    """Report steps inside a step of the same or a lower level, or of an unknown kind."""
    for outline in index.outlines.values():
        kinds = (*(outline.edition.book.steps or SETS["steps"]), DO)
        for entry in outline.sequence.iter_steps():
            kind, outer_step = entry.step.kind, entry.parent_in_play
            if kind not in kinds:  # a game has other kinds than the series that its steps come from
                message = f"{_with_article(kind)} is no step of {outline.edition.short}, whose kinds are "
                message += ", ".join(kinds)
                yield LEVEL.problem(kind.place, message, entry.anchor)
            elif outer_step and kind != DO and (outer := outer_step.step.kind) in kinds:
                lower = kinds[kinds.index(outer) + 1 :] or (DO,)
                if kind not in lower:
                    outer_title = f"`{outer}: {quote_short(outer_step.step.title)}`"
                    message = (
                        f"{_with_article(kind)} cannot stand in {outer_title}; only {' or '.join(lower)} can"
                    )
                    yield LEVEL.problem(kind.place, message, entry.anchor)


def _with_article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in set('aeiou') else 'a'} {noun}"


def check_repeats(index: ReferenceIndex) -> Iterator[Problem]:
    """Report repeats of unknown steps, and cyclic repeats."""
    for outline in index.outlines.values():
        ids = [step.step.id for step in outline.sequence.iter_steps() if step.step.id]
        components = _components(outline)
        for entry in outline.sequence.iter_steps():
            name, repeated = entry.step.repeats, entry.repeats_step
            if name and repeated is None and outline.edition.has_written(name):
                hint = (
                    did_you_mean(name, ids)
                    if ids
                    else f"; give the step that is meant `id: {quote_short(name)}`"
                )
                yield NO_REPEAT.problem(
                    name.place, f"no step has the id {quote_short(name)}{hint}", entry.anchor
                )
            elif name and repeated and components[entry] == components[repeated]:
                repeated_name = f"{quote_short(repeated.step.title)}, which leads back to it"
                repeated_name = "itself" if repeated is entry else repeated_name
                message = (
                    f"{quote_short(entry.step.title)} repeats {repeated_name}; write out what happens here"
                )
                yield CYCLE.problem(name.place, message, entry.anchor)


def _components(outline: Outline) -> dict[SequenceStep, int]:
    """Number the strongly connected components of the steps (Kosaraju's algorithm)."""
    forth = {step: [*step.children] for step in outline.sequence.iter_steps()}
    for step, following in forth.items():
        if step.repeats_step:
            following.append(step.repeats_step)
    back: dict[SequenceStep, list[SequenceStep]] = {step: [] for step in forth}
    for step, following in forth.items():
        for other in following:
            back[other].append(step)
    seen: set[SequenceStep] = set()
    finished = [step for start in forth for step in _postorder(start, forth, seen)]
    seen = set()
    return {
        step: number
        for number, start in enumerate(reversed(finished))
        for step in _postorder(start, back, seen)
    }


def _postorder(
    start: SequenceStep, edges: Mapping[SequenceStep, list[SequenceStep]], seen: set[SequenceStep]
) -> Iterator[SequenceStep]:
    """Yield the unvisited steps that are reachable from a step, in postorder."""
    if start in seen:
        return
    seen.add(start)
    open_steps = [(start, iter(edges[start]))]
    while open_steps:
        step, following = open_steps[-1]
        if unseen := next((other for other in following if other not in seen), None):
            seen.add(unseen)
            open_steps.append((unseen, iter(edges[unseen])))
        else:
            open_steps.pop()
            yield step


def check_step_ids(index: ReferenceIndex) -> Iterator[Problem]:
    """Report duplicate ids."""
    for outline in index.outlines.values():
        first: dict[str, SequenceStep] = {}
        for entry in outline.sequence.iter_steps():
            name = entry.step.id
            if name and name in first:
                line = first[name].step.title.place.line
                message = f"the id {quote_short(name)} is taken by the step in line {line}; choose another"
                yield SAME_ID.problem(name.place, message, entry.anchor)
            elif name:
                first[name] = entry


def check_step_actors(index: ReferenceIndex) -> Iterator[Problem]:
    """Report undeclared actors and phasing sides."""
    for outline in index.outlines.values():
        known = actors_of(outline)
        sides = list(outline.edition.book.sides)
        for entry in outline.sequence.iter_steps():
            for role in entry.step.by:
                if role == "unsaid":
                    message = f"unsaid is now called {UNSPECIFIED}; write by: {UNSPECIFIED}"
                    yield NO_ROLE.problem(role.place, message, entry.anchor)
                elif role not in known:
                    message = f"{quote_short(role)} is neither a role nor a side of this book"
                    yield role.unknown_name_problem(NO_ROLE, message, known, entry.anchor)
            phasing = entry.step.phasing
            if phasing and phasing not in sides and outline.edition.has_written(phasing):
                name = quote_short(phasing)
                cure = did_you_mean(phasing, sides)
                if not sides:
                    if entry is not next(step for step in outline.sequence.iter_steps() if step.step.phasing):
                        continue  # told once, for all of them
                    all_phasing = dict.fromkeys(
                        step.step.phasing for step in outline.sequence.iter_steps() if step.step.phasing
                    )
                    declarations = ", ".join(f"{quote_short(text)}: {{title: …}}" for text in all_phasing)
                    cure = f"; rulebook.yml declares none: write sides: {{{declarations}}} there"
                message = f"{name} is no side of this book{cure}"
                yield NO_SIDE.problem(phasing.place, message, entry.anchor)


def check_optional_steps(index: ReferenceIndex) -> Iterator[Problem]:
    """Report optional steps that are mandatory or left to chance."""
    for outline in index.outlines.values():
        for entry in outline.sequence.iter_steps():
            step = entry.step
            if not step.optional:
                continue
            if step.must == YES:
                message = "must be done, so that it cannot be optional; say on what condition it is which"
            elif step.may_occur:
                message = "may occur, which is nobody's choice; delete optional"
            else:
                continue
            yield MUST_AND_MAY.problem(
                step.optional.place, f"{quote_short(step.title)} {message}", entry.anchor
            )


def check_step_conditions(index: ReferenceIndex) -> Iterator[Problem]:
    """Report conditions that are just yes or no."""
    for outline in index.outlines.values():
        for entry in outline.sequence.iter_steps():
            for name in ("every", "when", "skip_when", "second_time_when"):
                key, text = name.replace("_", " "), getattr(entry.step, name)
                if isinstance(text, LocatedText) and text.strip().casefold() in ANSWERS:
                    message = f"{key}: {text} is no condition; write the condition, or leave out {key}"
                    yield NO_CONDITION.problem(text.place, message, entry.anchor)


def check_repeated_facts(index: ReferenceIndex) -> Iterator[Problem]:
    """Report attributes of a step that its title or note repeats."""
    for outline in index.outlines.values():
        for entry in outline.sequence.iter_steps():
            if not outline.edition.has_written(entry.step.title):
                continue
            for fact in step_attributes.step_phrases(entry, step_attributes.PLAIN):
                words = step_attributes.repeated_in(entry, fact)
                if words and fact.values:
                    key, key_of_text = (
                        fact.key.replace("_", " "),
                        "title" if words is entry.step.title else "note",
                    )
                    message = f"the {key_of_text} says this already: {quote_short(words)}; delete {key}"
                    yield SAID_TWICE.problem(fact.values[0].place, message, entry.anchor)


def check_step_names(index: ReferenceIndex) -> Iterator[Problem]:
    """Report `during` with an unknown step, and `swaps` with steps that are not two sibling turns."""
    for outline in index.outlines.values():
        all_titles = [str(step.step.title) for step in outline.sequence.iter_steps()]
        for entry in outline.sequence.iter_steps():
            title, during, swaps = quote_short(entry.step.title), entry.step.during, entry.step.swaps
            if during and not step_attributes.named_step(entry, during, outline.sequence):
                sibling_titles = [
                    str(step.step.title) for step in step_attributes.sibling_steps(entry, outline.sequence)
                ]
                if nearest := nearest_option(during, sibling_titles):
                    message = (
                        f"no step beside {title} is called {quote_short(during)}; did you mean "
                        f"{quote_short(nearest)}?"
                    )
                    yield NOT_NAMED.problem(during.place, message, entry.anchor)
            for name in swaps:
                if not step_attributes.named_step(entry, name, outline.sequence):
                    message = f"{title} swaps {quote_short(name)}, which is no step"
                    yield name.unknown_name_problem(NOT_NAMED, message, all_titles, entry.anchor)
            turns = [
                turn for name in swaps if (turn := step_attributes.named_step(entry, name, outline.sequence))
            ]
            message = ""
            if len(swaps) not in (0, 2):
                message = f"swaps {'one turn' if len(swaps) == 1 else len(swaps)}; name the two that"
            elif len(turns) == 2 and (
                turns[0] is turns[1] or turns[0].parent_in_play is not turns[1].parent_in_play
            ):
                message = "swaps steps that do not stand beside each other; only such can"
            if message:
                yield NOT_NAMED.problem(swaps[0].place, f"{title} {message} change places", entry.anchor)


def actors_of(outline: Outline) -> list[str]:
    """Return all possible actors of an edition: roles of every book, its own roles, and its sides."""
    book = outline.edition.book
    return [*dict.fromkeys([*ROLES, *book.roles, *book.sides])]
