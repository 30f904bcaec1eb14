"""Derive the sequence of play of a game from that of its series: drop, add and change steps."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from rulewright.files.located_text import LocatedText, TextKey
from rulewright.schema.step import (
    INSIDE,
    PlaySequence,
    Step,
    StepAttributes,
    TurnDifference,
    inner_steps_of,
)

_PATH = re.compile(r"\s*[›/]\s*")


class UnresolvedDifference(NamedTuple):
    """Difference whose name matches no step or several steps."""

    given_name: LocatedText
    matches: Sequence[Step]
    candidates: Mapping[Step, Sequence[Step]]
    """All steps of the series with their ancestors."""


@dataclass(frozen=True, eq=False)
class DerivedSequence:
    """Sequence of play of a series with the differences of a game.

    A step is identified by the place of its title: a step that is not renamed has the title of the series.
    """

    game_sequence: PlaySequence
    """Sequence as written by the game."""
    sequence: PlaySequence
    """All resulting steps, before the errata of the game."""
    added: Collection[TextKey]
    """Titles of added steps."""
    changed: Mapping[TextKey, TextKey]
    """Titles of changed steps, with their titles in the series."""
    dropped: Sequence[TextKey]
    """Titles in the series of dropped steps, without the steps inside them."""
    unresolved: Sequence[UnresolvedDifference]
    broken: Sequence[tuple[TurnDifference, Step]]
    """Steps that repeat a dropped step, with the difference that drops it."""


def derive_sequence(game_sequence: PlaySequence, base: PlaySequence) -> DerivedSequence:
    """Apply the differences of a game to the sequence of its series."""
    return _SequenceDeriver(game_sequence, base).derive()


class _SequenceDeriver:
    """State while a sequence is derived; steps of the series are compared by identity."""

    def __init__(self, game_sequence: PlaySequence, base: PlaySequence) -> None:
        self.game_sequence, self.base = game_sequence, base
        self.paths = dict(_steps_with_ancestors(base.steps, ()))
        self.changes: dict[Step, TurnDifference] = {}
        self.drops: dict[Step, TurnDifference] = {}
        self.insertions: dict[tuple[Step | None, str], list[Step]] = {}
        self.unresolved: list[UnresolvedDifference] = []
        for exception in game_sequence.exceptions:
            self.add_difference(exception)
        self.dropped: dict[Step, TurnDifference] = {}
        for step, ancestors in self.paths.items():
            for outer in filter(self.drops.__contains__, (step, *ancestors)):
                self.dropped[step] = self.drops[outer]
        self.new_titles: dict[str, LocatedText] = {}
        for step, difference in self.changes.items():
            if difference.title:
                self.new_titles |= {str(name): difference.title for name in _titles(step)}

    def add_difference(self, difference: TurnDifference) -> None:
        name = difference.drop or difference.change or difference.before or difference.after
        steps = steps_by_path(name, self.paths) if name else []
        if name and len(steps) != 1:
            self.unresolved.append(UnresolvedDifference(name, steps, self.paths))
        elif difference.drop:
            self.drops.setdefault(steps[0], difference)
        elif difference.change:
            self.changes.setdefault(steps[0], difference)
        elif difference.add:
            side = "before" if difference.before else "after"
            self.insertions.setdefault((steps[0] if steps else None, side), []).append(difference.add)

    def derive(self) -> DerivedSequence:
        dropped_ids = {str(step.id): difference for step, difference in self.dropped.items() if step.id}
        broken = [
            (dropped_ids[step.repeats], step)
            for step in self.paths
            if step not in self.dropped and step.repeats and step.repeats in dropped_ids
        ]
        steps = (*self.derive_steps(self.base.steps), *self.insertions.get((None, "after"), ()))
        changes = self.changes.items()
        return DerivedSequence(
            self.game_sequence,
            replace(self.game_sequence, text=self.game_sequence.text or self.base.text, steps=steps),
            {step.title.key for steps in self.insertions.values() for step in steps},
            {(change.title or step.title).key: step.title.key for step, change in changes},
            [step.title.key for step in self.drops],
            self.unresolved,
            broken,
        )

    def derive_steps(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        """Return steps of the series with the differences of the game."""
        derived_steps: list[Step] = []
        for step in steps:
            derived_steps += self.insertions.get((step, "before"), ())
            if step not in self.drops:
                derived_steps.append(self.derive_step(step))
            derived_steps += self.insertions.get((step, "after"), ())
        return tuple(derived_steps)

    def derive_step(self, step: Step) -> Step:
        values: dict[str, Any] = {name: self.derive_steps(getattr(step, name)) for name in INSIDE.values()}
        values["was"] = None  # it was that in the series' edition before, not in the game's
        values["ends"] = self.new_titles.get(step.ends or "", step.ends)
        values["exceptions"] = tuple(
            self.rename_targets(exception) for exception in step.exceptions if self.is_applicable(exception)
        )
        if difference := self.changes.get(step):
            new = ((f.name, getattr(difference, f.name)) for f in fields(StepAttributes))
            values |= {name: value for name, value in new if value not in (None, ())}
            values |= {"kind": difference.kind or step.kind, "title": difference.title or step.title}
        return replace(step, **values)

    def is_applicable(self, difference: TurnDifference) -> bool:
        return not any(name and self.is_dropped(name) for name in (difference.drop, difference.change))

    def is_dropped(self, name: LocatedText) -> bool:
        named_steps = [step for step in self.paths if name in (*_titles(step), step.id)]
        return bool(named_steps) and all(step in self.dropped for step in named_steps)

    def rename_targets(self, difference: TurnDifference) -> TurnDifference:
        """Return a difference of a turn of the series with the new titles of the steps that it names."""
        new: dict[str, Any] = {}
        for key in ("drop", "change", "before", "after"):
            if name := getattr(difference, key):
                is_gone = key in ("before", "after") and self.is_dropped(name)
                new[key] = None if is_gone else self.new_titles.get(name, name)
        return replace(difference, **new)


def steps_by_path(name: str, paths: Mapping[Step, Sequence[Step]]) -> list[Step]:
    """Return the steps with an id, a title, or a path of titles: Movement Phase › Overruns."""
    by_id = [step for step in paths if step.id == name]
    if steps := by_id or [step for step in paths if name in _titles(step)]:
        return steps
    *ancestor_names, last = _PATH.split(name)
    ends = [step for step in paths if last in (*_titles(step), step.id)] if ancestor_names else []
    return [step for step in ends if _has_ancestors(paths[step], ancestor_names)]


def _titles(step: Step) -> tuple[LocatedText, ...]:
    return step.title, step.title.printed


def _has_ancestors(ancestors: Sequence[Step], names: Sequence[str]) -> bool:
    """Return whether the names occur among the ancestors in this order."""
    remaining = [*names]
    for step in ancestors:
        if remaining and remaining[0] in (*_titles(step), step.id):
            del remaining[0]
    return not remaining


def _steps_with_ancestors(
    steps: Iterable[Step], ancestors: tuple[Step, ...]
) -> Iterator[tuple[Step, tuple[Step, ...]]]:
    for step in steps:
        yield step, ancestors
        yield from _steps_with_ancestors(inner_steps_of(step), (*ancestors, step))
