"""The sequence of play in order: each step in its place, and turns that repeat another with what differs.

A turn that repeats another is not copied. What is in it are its differences: the steps that it adds,
drops and changes. `rows` has them in their places, for all who show the turn.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from rulewright.book.library import Edition
from rulewright.model.step import DO, Step, StepAttributes, TurnDifference
from rulewright.model.step_kinds import KINDS, PLAYERS, TURNS
from rulewright.source.filenames import unique_name
from rulewright.source.located_text import LocatedText

PATH = " › "
TOP = "top"
"""The anchor of a page's own heading."""

_NOT_REPLACED = ("exceptions", "repeats")
_INSIDE = ("steps", "any_order", *_NOT_REPLACED)
_NAMES = ("label", "id", "abbreviation")
_NOBODY = ("none",)
"""Who acts where no step says so; `by: none` is another tuple."""


@dataclass(eq=False, slots=True, repr=False)
class SequenceStep:
    """A step of the sequence of play in its place. `anchor` is its address on the sequence's page.

    `actors`: who acts, inherited from the step that it repeats or from the steps around it; empty where only
    steps inside it name players. `any_order`: it may be done before or after its neighbours. `repeats_step`:
    the step that it goes through again.

    `difference`: it is something in which a turn differs from the one that it repeats, and was added,
    dropped or changed; what was changed holds only what is new. `base_step` is the step that it stands for
    there or, added, stands `is_inserted_before` or behind.

    `expanded`: of a turn that differs from the one that it repeats all its steps in their places, see
    `displayed_steps`.
    """

    step: Step
    edition: Edition
    anchor: str
    actors: tuple[str, ...]
    parent: SequenceStep | None = None
    children: list[SequenceStep] = field(default_factory=list)
    any_order: bool = False
    repeats_step: SequenceStep | None = None
    difference: str = ""
    base_step: SequenceStep | None = None
    is_inserted_before: bool = False
    expanded: list[SequenceStep] = field(default_factory=list)

    @property
    def level(self) -> int:
        return self.parent.level + 1 if self.parent else 0

    @property
    def parent_in_play(self) -> SequenceStep | None:
        """The step in which it is played; of a difference, that of its origin."""
        origin = self.base_step.parent if self.base_step else None
        return origin if origin and self.parent and origin is not self.parent.repeats_step else self.parent

    @property
    def is_turn(self) -> bool:
        """Whether it is a turn: its kind says so, or, of a book's own kind, that a side is phasing in it.

        What holds such turns is one too, and so is the outermost of more than two kinds if nobody acts in it.
        """
        if self.step.kind in (*KINDS, DO):
            return self.step.kind in TURNS
        if len(kinds := self.edition.book.steps) > 2 and self.step.kind == kinds[0] and not self.step.by:
            return True
        return bool(self.step.phasing) or any(child.is_turn for child in self.children)

    @property
    def path(self) -> str:
        """Where it lies, for people: Movement Phase › Movement Segment › Overruns. Turns are left out."""
        outer_step = self.parent_in_play
        above = outer_step.path if outer_step and not outer_step.is_turn else ""
        return f"{above}{PATH}{self.step.title}" if above else str(self.step.title)

    @property
    def phasing(self) -> LocatedText | None:
        return self.step.phasing or (self.parent.phasing if self.parent else None)

    @property
    def reverses_roles(self) -> bool:
        """Whether it repeats a step with the roles reversed: two phasing sides change places, no more."""
        sequence = self.edition.sequence
        if not self.repeats_step or not sequence or len(set(_phasing_sides(sequence.steps))) > 2:
            return False
        own_side, other = self.phasing, self.repeats_step.phasing
        return own_side != other if own_side or other else self.step.kind in PLAYERS

    @property
    def is_combat(self) -> bool:
        return self.step.activity == "combat"

    @property
    def has_narrative(self) -> bool:
        """Whether the narrative has it: it has words, or it is a turn with such steps."""
        return bool(self.step.narrative) or (
            self.is_turn and any(step.has_narrative for step in self.displayed_steps)
        )

    @property
    def displayed_steps(self) -> list[SequenceStep]:
        """The steps inside as they are shown.

        A turn that differs from the one that it repeats has all steps in their places: what was changed with
        all that still holds (`difference` is set), and what is not different in any way `repeats_step`.
        """
        return self.expanded or self._own_steps()

    @property
    def dropped(self) -> list[SequenceStep]:
        return [child for child in self.children if child.difference == "dropped"]

    @property
    def differences(self) -> list[SequenceStep]:
        return [child for child in self.children if child.difference]

    @property
    def repetition_chain(self) -> list[SequenceStep]:
        """The turn itself, the one that it repeats, the one that that repeats, down to one with steps."""
        chain = [self]
        while chain[-1].repeats_step and chain[-1].repeats_step not in chain and not chain[-1]._own_steps():
            chain.append(chain[-1].repeats_step)
        return chain

    @property
    def effective_steps(self) -> list[SequenceStep]:
        """The steps inside as they are gone through, those of the step that it repeats included."""
        # A turn that leads back to itself is a fault of its own; it is not played in itself.
        return [step for step in self.merge_differences(self.repetition_chain[-1]) if step is not self]

    def _own_steps(self) -> list[SequenceStep]:
        return [child for child in self.children if not child.difference]

    def merge_differences(self, repeated_step: SequenceStep) -> list[SequenceStep]:
        """The inner steps of a repeated step, with the differences of this turn in their places."""
        chain, steps = self.repetition_chain, repeated_step._own_steps()
        for turn in chain[-2::-1]:
            steps = [replacement for step in steps for replacement in turn.replacements_for(step)]
            if repeated_step is chain[-1]:
                steps += [difference for difference in turn.differences if difference.base_step is None]
        return steps

    def replacements_for(self, step: SequenceStep) -> list[SequenceStep]:
        """The steps that are gone through in the place of one of the step that it repeats: mostly that."""
        differences = [difference for difference in self.differences if difference.base_step is step]
        if not differences:
            return [step]
        added = [step for step in differences if step.difference == "added"]
        changed = [step for step in differences if step.difference == "changed"]
        is_left_out = any(step.difference == "dropped" for step in differences)
        before, after = (
            [step for step in added if step.is_inserted_before is is_before] for is_before in (True, False)
        )
        return [*before, *(changed or ([] if is_left_out else [step])), *after]

    def effective_steps_of(self, step: SequenceStep) -> list[SequenceStep]:
        """The steps inside a step as they are gone through in this turn, which may repeat the step's own."""
        if step is self:
            return self.effective_steps
        while step.difference == "changed" and step.base_step and not step.children:
            step = step.base_step
        return self.merge_differences(step) if step.difference != "added" else step._own_steps()

    def iter_effective(self, step: SequenceStep) -> Iterator[SequenceStep]:
        yield step
        for inner in self.effective_steps_of(step):
            yield from self.iter_effective(inner)

    def iter_subtree(self) -> Iterator[SequenceStep]:
        yield self
        for child in self.children:
            yield from child.iter_subtree()

    def iter_displayed(self) -> Iterator[SequenceStep]:
        """The step with all that is shown inside it."""
        yield self
        for step in self.displayed_steps:
            yield from step.iter_displayed()


@dataclass(frozen=True, slots=True)
class DifferenceFault:
    """A difference that names no step of what is repeated, or several: `matches` are those.

    `given_name` is the name that it gives, None where the turn repeats nothing; `candidates`: the steps it
    may name.
    """

    difference: TurnDifference
    entry: SequenceStep
    given_name: LocatedText | None = None
    matches: tuple[SequenceStep, ...] = ()
    candidates: tuple[SequenceStep, ...] = ()


def is_heading(step: SequenceStep) -> bool:
    """Whether a step has a heading of its own: turns, phases and segments do, what is done there has not."""
    return step.step.kind != DO and (step.parent is None or is_heading(step.parent))


def sequence_root(edition: Edition) -> SequenceStep | None:
    """The sequence of play as a whole, which its title and its text belong to."""
    if not edition.sequence:
        return None
    title = edition.sequence.title
    return SequenceStep(Step(kind=title, title=title), edition, TOP, ("none",))


def build_steps(edition: Edition) -> tuple[list[SequenceStep], list[DifferenceFault]]:
    """The steps of an edition, turns that repeat another with their differences, and what is wrong there."""
    steps: list[SequenceStep] = []
    faults: list[DifferenceFault] = []
    top_steps = edition.sequence.steps if edition.sequence else ()
    _add_steps(edition, None, steps, top_steps, len(top_steps))
    all_steps = [step for top in steps for step in top.iter_subtree()]
    by_id = {step.step.id: step for step in reversed(all_steps) if step.step.id}
    for step in all_steps:
        step.repeats_step = by_id.get(step.step.repeats) if step.step.repeats else None
    for step in all_steps:
        chain = step.repetition_chain
        source = next((repeated for repeated in chain if repeated.step.by), chain[-1])
        if not step.is_turn and source.actors is not _NOBODY:
            step.actors = source.actors
    done = set[SequenceStep]()
    for step in all_steps:
        waiting: list[SequenceStep] = []
        repeated: SequenceStep | None = step
        while repeated and repeated not in done:
            done.add(repeated)
            waiting.append(repeated)
            repeated = repeated.repeats_step
        for turn in reversed(waiting):  # what is repeated differs first
            if turn.step.exceptions:
                faults += _add_differences(turn)
                _expand(turn)
    return steps, faults


def _add_steps(
    edition: Edition,
    parent: SequenceStep | None,
    siblings: list[SequenceStep],
    steps: Sequence[Step],
    any_order: int,
) -> None:
    """Enter steps and the steps in them below `parent`. From `any_order` on they may be done in any order."""
    for position, (step, name) in enumerate(zip(steps, _step_names(steps), strict=True)):
        anchor = f"{parent.anchor}/{name}" if parent else name
        entry = SequenceStep(
            step, edition, anchor, _actors_of(step, parent), parent, any_order=position >= any_order
        )
        siblings.append(entry)
        _add_steps(edition, entry, entry.children, (*step.steps, *step.any_order), len(step.steps))
        actors = {child.actors for child in entry.children}
        if entry.actors is _NOBODY and actors - {_NOBODY} and not entry.is_turn:
            entry.actors = actors.pop() if len(actors) == 1 else ()
            for inner in entry.iter_subtree():
                inner.actors = () if inner.actors is _NOBODY else inner.actors


def _add_differences(turn: SequenceStep) -> Iterator[DifferenceFault]:
    """Enter the differences of a turn among its children. Yields what is wrong with those left out."""
    base = turn.repeats_step
    candidates = (
        tuple(inner for step in base.effective_steps for inner in base.iter_effective(step)) if base else ()
    )
    for exception in turn.step.exceptions:
        if not turn.repeats_step:
            if not turn.step.repeats:  # a repeat of what is not there has a problem of its own
                yield DifferenceFault(exception, turn)
            continue
        names = [
            name for name in (exception.drop, exception.change, exception.before, exception.after) if name
        ]
        matches = {name: tuple(step for step in candidates if has_name(step, name)) for name in names}
        faults = [
            DifferenceFault(exception, turn, name, steps, candidates)
            for name, steps in matches.items()
            if len(steps) != 1
        ]
        yield from faults
        if not faults:
            _add_difference(turn, exception, matches[names[0]][0] if names else None)


def has_name(step: SequenceStep, name: str) -> bool:
    return name in (step.step.title.printed, step.step.title, step.step.id)


def _add_difference(turn: SequenceStep, exception: TurnDifference, origin: SequenceStep | None) -> None:
    """Enter one difference of a turn; `origin` is the step that it is about or stands beside."""
    parent = origin.parent if origin else turn.repeats_step
    if exception.add:
        step, base, acting, sort = exception.add, parent, _actors_of(exception.add, parent), "added"
        name = title_slug(step.id or step.title.printed)
    elif origin:
        step, base, sort = (
            _changed_step(exception, origin.step),
            origin,
            "changed" if exception.change else "dropped",
        )
        acting, name = step.by or origin.actors, ""
    else:
        return
    assert turn.repeats_step
    path = base.anchor.removeprefix(turn.repeats_step.anchor).strip("/") if base else ""
    anchor = unique_name(
        "/".join(filter(None, (turn.anchor, path, name))), {step.anchor for step in turn.iter_subtree()}
    )
    entry = SequenceStep(step, turn.edition, anchor, acting, turn, difference=sort, base_step=origin)
    entry.is_inserted_before, entry.any_order = bool(exception.before), bool(origin and origin.any_order)
    turn.children.append(entry)
    _add_steps(turn.edition, entry, entry.children, (*step.steps, *step.any_order), len(step.steps))


def _changed_step(exception: TurnDifference, step: Step) -> Step:
    """Changes of a step that is changed, under its old title if it has no new one."""
    new = {f.name: getattr(exception, f.name) for f in fields(StepAttributes) if f.name not in _NOT_REPLACED}
    return replace(Step(kind=exception.kind or step.kind, title=exception.title or step.title), **new)


def _expand(turn: SequenceStep) -> None:
    """Enter the rows of a turn that differs from the one that it repeats."""
    base, own_steps = turn.repeats_step, set(turn.iter_subtree())
    if not base or not turn.differences:
        return
    taken = {step.anchor for step in own_steps}
    about = {difference.base_step for difference in turn.differences}

    def row(step: SequenceStep, parent: SequenceStep) -> SequenceStep:
        if step.difference == "added" and step in own_steps:
            return replace(step, parent=parent)
        # Who acts in the turn that is repeated acts here in its place; only a change names anybody anew.
        anew = step.step.by if step in own_steps else ()
        displayed = replace(
            step, step=replace(effective_step(step), by=anew), parent=parent, children=[], difference=""
        )
        displayed.base_step = source = step.base_step if step in own_steps and step.base_step else step
        if step in own_steps:
            displayed.difference = step.difference if _changes_content(step.step) else ""
        else:
            displayed.anchor = unique_name(f"{parent.anchor}/{step.anchor.rpartition('/')[2]}", taken)
            taken.add(displayed.anchor)
        is_new = step in own_steps and (displayed.difference or not step.difference)
        is_same = not is_new and about.isdisjoint(list(base.iter_effective(source))[1:])
        inside = turn.effective_steps_of(step)
        if is_same and is_heading(displayed) and (inside or parent is turn):
            counterparts = (
                step
                for step in base.iter_displayed()
                if step.base_step is source or step.anchor == source.anchor
            )
            repeated = next(counterparts, source)
            displayed.repeats_step = repeated.repeats_step or repeated
        else:
            displayed.expanded = [row(step, displayed) for step in inside]
        return displayed

    turn.expanded = [row(step, turn) for step in turn.effective_steps]


def _changes_content(step: Step) -> bool:
    """Whether a change is more than another label."""
    return any(
        getattr(step, f.name) not in (None, ()) for f in fields(StepAttributes) if f.name not in _NAMES
    )


def effective_step(step: SequenceStep) -> Step:
    """All that a step says: a changed one with what it keeps of the one that it stands for.

    Who acts is not among it: `StepEntry.by` has that.
    """
    if step.difference != "changed" or not step.base_step:
        return step.step
    base = effective_step(step.base_step)
    names = [f.name for f in fields(StepAttributes) if f.name not in _INSIDE]
    new: dict[str, Any] = {name: getattr(step.step, name) for name in names}
    new = {name: value for name, value in new.items() if value not in (None, ())}
    new = {name: None for name in names if getattr(base, name) == ""} | new  # a no that nothing had before
    return replace(base, kind=step.step.kind, title=step.step.title, **new)


def _step_names(steps: Sequence[Step]) -> Iterator[str]:
    """A name for each of a row of steps: its id, else its title, with a number where that is taken."""
    reserved = {title_slug(step.id) for step in steps if step.id}
    taken, counts = set(reserved), Counter[str]()
    for step in steps:
        name = base = title_slug(step.id or step.title.printed)
        if step.id and base in reserved:
            reserved.remove(base)
        else:
            while name in taken:
                counts[base] += 1
                name = f"{base}-{counts[base] + 1}"
        taken.add(name)
        yield name


def _actors_of(step: Step, parent: SequenceStep | None) -> tuple[str, ...]:
    """Who acts in a step: whoever it names, else who acts around it; in a player turn the phasing player."""
    if step.by:
        return step.by
    return ("phasing",) if step.phasing else parent.actors if parent else _NOBODY


def title_slug(title: str, max_words: int = 6) -> str:
    """A title as an address: its first words, lower case, joined with hyphens."""
    words = re.findall(r"[^\W_]+", re.sub(r"['’]|\([^()]*\)", "", title.lower()))
    return "-".join(words[:max_words]) or DO


def _phasing_sides(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        if step.phasing:
            yield str(step.phasing)
        yield from _phasing_sides((*step.steps, *step.any_order))
