"""Building of the tree of steps: copies of repeated steps, their differences, and who acts in each step."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from rulewright.files import limits
from rulewright.files.filenames import unique_name
from rulewright.files.located_text import LocatedText
from rulewright.schema.step import DO, INSIDE, Step, StepAttributes, TurnDifference, given_keys
from rulewright.sequence.sequence_step import (
    AT_ANY_TIME,
    NOBODY,
    PHASING,
    TOP,
    DifferenceFault,
    SequenceEdition,
    SequenceOfPlay,
    SequenceStep,
    names_of,
    title_slug,
)

_NOT_INHERITED = ("id", "label", "abbreviation", "narrative", "repeats", "exceptions", *INSIDE.values())
"""Fields that a step does not take over from the step that it repeats."""


def build_sequence_of_play(edition: SequenceEdition) -> SequenceOfPlay:
    """Build the steps of an edition, with copies of repeated steps and the faults of their differences."""
    if not edition.sequence:
        return SequenceOfPlay()
    title = edition.sequence.title
    keys = Step(kind=title, title=title)
    root = SequenceStep(keys, keys, edition, TOP, actors=(NOBODY,))
    builder = SequenceBuilder(edition)
    steps = list(builder.new_steps(edition.sequence.steps, None, "steps", set()))
    for step in steps:
        builder.expand(step)
    for step in steps:
        _derive(step, ())
        _set_phases(step)
    return SequenceOfPlay(root, steps, builder.faults, builder.loops, builder.count <= limits.LIST.maximum)


class SequenceBuilder:
    """State while the tree of a sequence is built."""

    def __init__(self, edition: SequenceEdition) -> None:
        self.edition = edition
        self.faults: list[DifferenceFault] = []
        self.loops: dict[SequenceStep, SequenceStep] = {}
        self.by_id: dict[str, SequenceStep] = {}
        self.started: set[SequenceStep] = set()
        self.finished: set[SequenceStep] = set()
        self.count = 0  # number of copies so far

    def new_steps(
        self, steps: Sequence[Step], parent: SequenceStep | None, way: str, taken: set[str]
    ) -> Iterator[SequenceStep]:
        """Yield steps as written, each with its inner steps."""
        for step, name in zip(steps, _step_names(steps, taken), strict=True):
            anchor = f"{parent.anchor}/{name}" if parent else name
            entry = SequenceStep(step, step, self.edition, anchor, parent, way)
            if step.id:
                self.by_id.setdefault(str(step.id), entry)
            self.add_inner(entry, step)
            yield entry

    def add_inner(self, entry: SequenceStep, keys: StepAttributes) -> None:
        taken = {step.name_in_anchor for step in entry.inner}
        for way, name in INSIDE.items():
            entry.inner += self.new_steps(getattr(keys, name), entry, way, taken)

    def expand(self, entry: SequenceStep, depth: int = 0) -> None:
        """Add copies to a step and to the steps in it, but first to the step that it repeats."""
        if entry in self.started:
            return
        if depth > limits.NESTING.maximum:
            self.count = limits.LIST.maximum + 1
            return
        self.started.add(entry)
        for step in tuple(entry.inner):
            self.expand(step, depth + 1)
        if base := self.by_id.get(str(entry.own_keys.repeats)):
            self.expand(base, depth + 1)
            if base in self.finished:
                self.repeat(entry, base)
            else:
                self.loops[entry] = base
        if entry.repeats_step:
            self.add_differences(entry)
        self.finished.add(entry)

    def repeat(self, entry: SequenceStep, base: SequenceStep) -> None:
        """Take over the keys and inner steps of a step that are not replaced."""
        keys, entry.repeats_step = entry.own_keys, base
        entry.step = _merge_keys(base, keys)
        replaced = {AT_ANY_TIME} if keys.at_any_time else set[str]()
        if keys.steps or keys.any_order or keys.one_of:
            replaced |= set(INSIDE) - {AT_ANY_TIME}
        taken = {step.name_in_anchor for step in entry.inner}
        copies = [
            self.copy(step, entry, unique_name(step.name_in_anchor, taken))
            for step in base.inner
            if step.way not in replaced
        ]
        entry.inner = sorted([*copies, *entry.inner], key=lambda step: step.way == AT_ANY_TIME)

    def copy(self, origin: SequenceStep, parent: SequenceStep, name: str, depth: int = 0) -> SequenceStep:
        """Return a copy of a step with its inner steps."""
        self.count = limits.LIST.maximum + 1 if depth == limits.NESTING.maximum else self.count + 1
        anchor = f"{parent.anchor}/{name}"
        entry = SequenceStep(origin.step, origin.own_keys, self.edition, anchor, parent, origin.way)
        entry.origin, entry.repeats_step = origin, origin.repeats_step
        for step in origin.inner:
            if self.count <= limits.LIST.maximum:
                entry.inner.append(self.copy(step, entry, step.name_in_anchor, depth + 1))
        return entry

    def add_differences(self, turn: SequenceStep) -> None:
        """Apply the differences of a step to its copies; drop steps last, so that all can be named."""
        by_name = defaultdict[str, list[SequenceStep]](list)
        for step in (step for inner in turn.inner for step in inner.iter_subtree()):
            for name in names_of(step):
                by_name[name].append(step)
        dropped: list[SequenceStep] = []
        for difference in turn.own_keys.exceptions:
            target_name = difference.drop or difference.change or difference.before or difference.after
            matches = by_name[target_name] if target_name else []
            if target_name and len(matches) != 1:
                self.faults.append(DifferenceFault(turn, target_name, tuple(matches)))
            elif difference.drop:
                dropped += matches
            elif difference.change:
                self.change(matches[0], difference)
            elif difference.add:
                self.add(turn, difference.add, *matches, is_before=bool(difference.before))
        for target in dropped:
            self.drop(turn, target)

    def add(
        self, turn: SequenceStep, step: Step, neighbour: SequenceStep | None = None, *, is_before: bool
    ) -> None:
        """Add a step before or after a copy, or at the end of the turn."""
        parent = neighbour.parent if neighbour and neighbour.parent else turn
        siblings = parent.inner
        way = neighbour.way if neighbour else next((inner.way for inner in turn.ordered), "steps")
        (entry,) = self.new_steps((step,), parent, way, {inner.name_in_anchor for inner in siblings})
        entry.difference = "added"
        self.expand(entry)
        place = siblings.index(neighbour) if neighbour else len(parent.ordered)
        if neighbour and not is_before:  # several are added after one step
            added = takewhile(lambda sibling: sibling.difference == "added", siblings[place + 1 :])
            place += 1 + len(list(added))
        siblings.insert(place, entry)

    def drop(self, turn: SequenceStep, target: SequenceStep) -> None:
        """Take a copy out of its turn, and report the other differences in it."""
        siblings = target.parent.inner if target.parent else []
        if target not in siblings:
            return
        siblings.remove(target)
        turn.left_out.append(target)
        inside = (target, *target.own_steps) if target.difference else target.own_steps
        for difference in turn.own_keys.exceptions:
            for step in inside:
                if difference.change in names_of(step) or difference.add is step.own_keys:
                    name = difference.change or step.step.title
                    self.faults.append(DifferenceFault(turn, name, (target,), is_dropped=True))
        target.difference = "dropped"
        target.own_keys = Step(kind=target.step.kind, title=target.step.title)

    def change(self, target: SequenceStep, difference: TurnDifference) -> None:
        """Replace keys of a copy."""
        changed: dict[str, Any] = given_keys(difference)
        changed |= {
            "kind": difference.kind or target.step.kind,
            "title": difference.title or target.step.title,
        }
        target.own_keys = Step(**changed)
        if difference.by or difference.phasing:
            changed = {"by": (), "phasing": ()} | changed
        target.step = replace(target.step, **changed)
        target.difference = "changed"
        if difference.steps or difference.any_order or difference.one_of:
            target.inner = target.interruptions
        if difference.at_any_time:
            target.inner = target.ordered
        self.add_inner(target, difference)
        target.inner.sort(key=lambda step: step.way == AT_ANY_TIME)
        for step in target.inner:
            if not step.origin:
                self.expand(step)


def _merge_keys(base: SequenceStep, keys: Step) -> Step:
    """Return the keys of a step with those of the step that it repeats."""
    inherited = {name: value for name, value in given_keys(base.step).items() if name not in _NOT_INHERITED}
    givers = (outer for outer in base.self_and_ancestors() if outer.step.by or outer.step.phasing)
    if keys.by or keys.phasing:
        inherited |= {"by": (), "phasing": ()}
    elif (giver := next(givers, base)) is not base:
        title = keys.title
        phasing = LocatedText.from_source(PHASING, title.file, title.start, title.end)
        inherited["by"] = giver.step.by or (phasing,)
    return replace(keys, **(inherited | given_keys(keys)))


def _derive(step: SequenceStep, outer_actors: tuple[str, ...]) -> None:
    """Set who acts, and whether a step is a turn: from outside by what is given, from inside if all agree."""
    names = tuple(map(str, step.step.by))
    step.given_actors = names or ((PHASING,) if step.step.phasing else outer_actors)
    for inner in step.inner:
        _derive(inner, step.given_actors)
    for left_out in step.left_out:
        assert left_out.parent
        _derive(left_out, left_out.parent.given_actors)
    inner_actors = {inner.acting for inner in step.ordered}
    step.actors = step.given_actors or (inner_actors.pop() if len(inner_actors) == 1 else ())
    has_turns = any(inner.is_turn for inner in step.ordered)
    step.is_turn = step.step.kind != DO and (bool(step.phasing) or has_turns)


def _set_phases(block: SequenceStep) -> None:
    block.is_block = True
    usual = [step for step in block.ordered if step.difference != "added"] or block.ordered
    if block.is_turn and all(step.step.kind != DO and step.way == "steps" for step in usual):
        for step in block.ordered:
            if step.step.kind != DO:
                _set_phases(step)


def _step_names(steps: Sequence[Step], taken: set[str]) -> Iterator[str]:
    """Yield a unique name for each step: its id or title, with a number if it is taken."""
    ids = {title_slug(step.id) for step in steps if step.id}
    for step in steps:
        name = title_slug(step.id or step.title.printed)
        name = unique_name(name, taken if step.id else taken | ids)
        taken.add(name)
        yield name
