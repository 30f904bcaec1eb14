"""Checks of the sequence of play: levels, repeats, names of steps, and who acts in them."""

from __future__ import annotations

from collections.abc import Iterator

from generator.citations import Shelf
from generator.model import DO, SETS
from generator.outline import Outline, StepEntry
from generator.problems import Problem, did_you_mean, kind

LEVEL = kind("step-level", "A step stands in a step of its own or a lower level, such as a phase in a segment.")
NO_REPEAT = kind("repeat-not-found", "A step repeats a step that is not there. `repeats:` takes the `id:` of a step.")
CYCLE = kind("repeat-cycle", "Steps repeat each other, or a step that they are in, so that the turn would never end.")
SAME_ID = kind("duplicate-step-id", "Two steps have the same `id:`, so that `repeats:` cannot tell them apart.")
NO_ROLE = kind("role-not-declared", "A step is done by someone whom rulebook.yml declares neither as a role nor as a side.")
NO_SIDE = kind("side-not-declared", "A player turn names a phasing side that rulebook.yml does not declare.")


def levels(shelf: Shelf) -> Iterator[Problem]:
    """Steps that stand in a step of their own or a lower level."""
    for outline in shelf.outlines.values():
        ranks = (*(outline.edition.book.steps or SETS["steps"]), DO)
        for entry in outline.every_step():
            outer = entry.parent
            if outer is None or entry.step.kind == DO or ranks.index(outer.step.kind) < ranks.index(entry.step.kind):
                continue
            message = f"a {entry.step.kind} cannot stand in a {outer.step.kind} ({outer.step.title})"
            yield LEVEL.at(entry.step.kind.place, message, entry.anchor)


def repeats(shelf: Shelf) -> Iterator[Problem]:
    """Repeats of a step that is not there, and repeats that come back to where they began."""
    for outline in shelf.outlines.values():
        ids = [s.step.id for s in outline.every_step() if s.step.id]
        for entry in outline.every_step():
            name = entry.step.repeats
            if name and entry.repeated is None:
                yield NO_REPEAT.at(name.place, f"no step has the id {name}{did_you_mean(name, ids)}", entry.anchor)
            elif name and (through := _way_back(entry)):
                message = f"{entry.step.title} comes back to itself through {', '.join(through)}"
                yield CYCLE.at(name.place, message, entry.anchor)


def _way_back(start: StepEntry) -> list[str]:
    """The repeats by which going through a step leads to that step again; empty if none do."""
    seen: list[StepEntry] = []
    todo = [start.repeated] if start.repeated else []
    while todo:
        step = todo.pop()
        if step in seen:
            continue
        seen.append(step)
        inside = list(step.walk())
        if start in inside:
            return [str(s.step.title) for s in seen]
        todo += [s.repeated for s in inside if s.repeated]
    return []


def ids(shelf: Shelf) -> Iterator[Problem]:
    """Ids that are given twice."""
    for outline in shelf.outlines.values():
        first: dict[str, StepEntry] = {}
        for entry in outline.every_step():
            name = entry.step.id
            if name and name in first:
                line = first[name].step.title.place.line
                yield SAME_ID.at(name.place, f"the id {name} is taken by the step in line {line}", entry.anchor)
            elif name:
                first[name] = entry


def actors(shelf: Shelf) -> Iterator[Problem]:
    """Steps done by, and turns phased by, someone who is not declared."""
    for outline in shelf.outlines.values():
        known = actors_of(outline)
        sides = list(outline.edition.book.sides)
        for entry in outline.every_step():
            for role in entry.step.by:
                if role not in known:
                    message = f"{role} is neither a role nor a side of this book{did_you_mean(role, known)}"
                    yield NO_ROLE.at(role.place, message, entry.anchor)
            phasing = entry.step.phasing
            if phasing and phasing not in sides:
                message = f"{phasing} is no side of this book{did_you_mean(phasing, sides)}"
                yield NO_SIDE.at(phasing.place, message, entry.anchor)


def actors_of(outline: Outline) -> list[str]:
    """Everyone who can act in an edition: the roles, the sides, both, and none."""
    book = outline.edition.book
    return [*dict.fromkeys(["phasing", "non-phasing", "both", "none", *book.roles, *book.sides])]
