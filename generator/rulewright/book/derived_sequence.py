"""The sequence of play of a series as a game plays it: with what the game drops, adds and changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, NamedTuple

from rulewright.model.step import PlaySequence, Step, StepAttributes, TurnDifference
from rulewright.source.lazy_regex import Regex
from rulewright.source.located_text import LocatedText, TextKey

_PATH = Regex(r"\s*[›/]\s*")


class UnresolvedDifference(NamedTuple):
    """A difference that names no step, or several (`matches`), `candidates` all steps with those around
    each.
    """

    given_name: LocatedText
    matches: Sequence[Step]
    candidates: Mapping[Step, Sequence[Step]]


@dataclass(frozen=True, eq=False)
class DerivedSequence:
    """The sequence of play of a series as a game plays it.

    `sequence` holds every step, and `game_sequence` what the game says of it. `origin` says of each step that
    is the series' which one it is, `changed` and `added` which differ; `dropped` are left out. `unresolved`:
    differences that could not be made. `broken`: steps that would repeat one that is dropped.
    """

    game_sequence: PlaySequence
    sequence: PlaySequence
    origin: Mapping[Step, Step]
    changed: Mapping[Step, TurnDifference] = field(default_factory=dict)
    added: Mapping[Step, TurnDifference] = field(default_factory=dict)
    dropped: Sequence[tuple[TurnDifference, Step]] = ()
    unresolved: Sequence[UnresolvedDifference] = ()
    broken: Sequence[tuple[TurnDifference, Step]] = ()

    @cached_property
    def titles(self) -> Mapping[TextKey, TextKey]:
        """The title in the series of each step that is the series', by its own."""
        return {step.title.key: origin.title.key for step, origin in self.origin.items()}


def remap_derived(derived: DerivedSequence, sequence: PlaySequence) -> DerivedSequence:
    """Map a derived sequence onto the new step objects of another sequence."""
    pairs = zip(
        _steps_with_ancestors(derived.sequence.steps, ()),
        _steps_with_ancestors(sequence.steps, ()),
        strict=True,
    )
    new_steps = {old: new for (old, _), (new, _) in pairs}
    return replace(
        derived,
        sequence=sequence,
        origin={new_steps[step]: origin for step, origin in derived.origin.items() if step in new_steps},
        changed={
            new_steps[step]: difference for step, difference in derived.changed.items() if step in new_steps
        },
        added={
            new_steps[step]: difference for step, difference in derived.added.items() if step in new_steps
        },
    )


def derive_sequence(game_sequence: PlaySequence, base: PlaySequence) -> DerivedSequence:
    """The sequence of a series with the differences of a game."""
    return _SequenceDeriver(game_sequence, base).derived()


class _SequenceDeriver:
    """One sequence of a game; steps of the series are told apart by their identity."""

    def __init__(self, game_sequence: PlaySequence, base: PlaySequence) -> None:
        self.own, self.base = game_sequence, base
        self.paths = dict(_steps_with_ancestors(base.steps, ()))
        self.change: dict[Step, TurnDifference] = {}
        self.drop: dict[Step, TurnDifference] = {}
        self.beside: dict[tuple[Step | None, str], list[TurnDifference]] = {}
        self.lacks: list[UnresolvedDifference] = []
        self.origin: dict[Step, Step] = {}
        self.changed: dict[Step, TurnDifference] = {}
        self.added: dict[Step, TurnDifference] = {}
        for exception in game_sequence.exceptions:
            self.enter(exception)

    def enter(self, difference: TurnDifference) -> None:
        name = difference.drop or difference.change or difference.before or difference.after
        steps = steps_by_path(name, self.paths) if name else []
        if name and len(steps) != 1:
            self.lacks.append(UnresolvedDifference(name, steps, self.paths))
        elif difference.drop:
            self.drop.setdefault(steps[0], difference)
        elif difference.change:
            self.change.setdefault(steps[0], difference)
        elif difference.add:
            side = "before" if difference.before else "after"
            self.beside.setdefault((steps[0] if steps else None, side), []).append(difference)

    def derived(self) -> DerivedSequence:
        dropped = {
            inner: difference for step, difference in self.drop.items() for inner in _iter_subtree(step)
        }
        dropped_ids = {str(step.id): difference for step, difference in dropped.items() if step.id}
        left = [step for step in self.paths if step not in dropped]
        broken = [
            (dropped_ids[step.repeats], step) for step in left if step.repeats and step.repeats in dropped_ids
        ]
        steps = (*self.row(self.base.steps), *map(self.new, self.beside.get((None, "after"), ())))
        sequence = replace(self.own, text=self.own.text or self.base.text, steps=steps)
        return DerivedSequence(
            self.own, sequence, self.origin, self.changed, self.added, [(d, s) for s, d in self.drop.items()],
            self.lacks, broken,
        )  # fmt: skip

    def row(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        """Some steps of the series as the game goes through them."""
        derived_steps: list[Step] = []
        for step in steps:
            derived_steps += map(self.new, self.beside.get((step, "before"), ()))
            if step not in self.drop:
                derived_steps.append(self.step(step))
            derived_steps += map(self.new, self.beside.get((step, "after"), ()))
        return tuple(derived_steps)

    def new(self, difference: TurnDifference) -> Step:
        assert difference.add
        self.added[difference.add] = difference
        return difference.add

    def step(self, step: Step) -> Step:
        values: dict[str, Any] = {name: self.row(getattr(step, name)) for name in _INSIDE}
        values["was"] = None  # it was that in the series' edition before, not in the game's
        titles = self.retitled()
        values["during"] = titles.get(step.during or "", step.during)
        values["swaps"] = tuple(titles.get(name, name) for name in step.swaps)
        values["exceptions"] = tuple(
            self.followed(exception) for exception in step.exceptions if self.holds(exception)
        )
        difference = self.change.get(step)
        if difference:
            new = ((f.name, getattr(difference, f.name)) for f in fields(StepAttributes))
            values |= {name: value for name, value in new if value not in (None, ())}
            values |= {"kind": difference.kind or step.kind, "title": difference.title or step.title}
        entered = replace(step, **values)
        self.origin[entered] = step
        if difference:
            self.changed[entered] = difference
        return entered

    def holds(self, difference: TurnDifference) -> bool:
        return not any(name and self.gone(name) for name in (difference.drop, difference.change))

    def gone(self, name: LocatedText) -> bool:
        named_steps = [step for step in self.paths if name in (*_titles(step), step.id)]
        dropped = {inner for step in self.drop for inner in _iter_subtree(step)}
        return bool(named_steps) and all(step in dropped for step in named_steps)

    def retitled(self) -> dict[str, LocatedText]:
        changes = ((step, difference.title) for step, difference in self.change.items() if difference.title)
        return {str(name): title for step, title in changes for name in _titles(step)}

    def followed(self, difference: TurnDifference) -> TurnDifference:
        """Differences of a turn of the series, with the new titles of the steps that it names."""
        titles = self.retitled()
        names = {
            name: getattr(difference, name)
            for name in ("drop", "change", "before", "after")
            if getattr(difference, name)
        }
        new = {key: titles.get(name, name) for key, name in names.items()}
        new |= {key: None for key in ("before", "after") if key in names and self.gone(names[key])}
        return replace(difference, **new)


_INSIDE = ("steps", "any_order")


def steps_by_path(name: str, paths: Mapping[Step, Sequence[Step]]) -> list[Step]:
    """The steps of an id, a title, or titles from the outermost in: Movement Phase › Overruns."""
    by_id = [step for step in paths if step.id == name]
    if steps := by_id or [step for step in paths if name in _titles(step)]:
        return steps
    *ancestor_names, last = _PATH.split(name)
    ends = [step for step in paths if last in (*_titles(step), step.id)] if ancestor_names else []
    return [step for step in ends if _follow_path(ancestor_names, paths[step])]


def _titles(step: Step) -> tuple[LocatedText, ...]:
    return step.title, step.title.printed


def _follow_path(names: Sequence[str], ancestors: Sequence[Step]) -> bool:
    waiting = iter(ancestors)
    return all(any(name in (*_titles(step), step.id) for step in waiting) for name in names)


def _steps_with_ancestors(
    steps: Iterable[Step], ancestors: tuple[Step, ...]
) -> Iterator[tuple[Step, tuple[Step, ...]]]:
    for step in steps:
        yield step, ancestors
        yield from _steps_with_ancestors((*step.steps, *step.any_order), (*ancestors, step))


def _iter_subtree(step: Step) -> Iterator[Step]:
    yield step
    for inner in (*step.steps, *step.any_order):
        yield from _iter_subtree(inner)
