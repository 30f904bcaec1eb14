"""Sequence of play: steps in order, and turns that repeat another turn with differences.

A turn that repeats another is not copied. Its children are its differences: the steps that it adds, drops and
changes. `displayed_steps` merges them with the repeated steps.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from rulewright.files.filenames import unique_name
from rulewright.files.located_text import LocatedText
from rulewright.schema.step import DO, Step, StepAttributes, TurnDifference
from rulewright.schema.step_kinds import KINDS, PLAYERS, TURNS

if TYPE_CHECKING:
    from rulewright.book.library import Edition

PATH = " › "
TOP = "top"
"""Anchor of the heading of a page."""

_NOT_REPLACED = ("exceptions", "repeats")
_INSIDE = ("steps", "any_order", *_NOT_REPLACED)
_NAMES = ("label", "id", "abbreviation")
_NOBODY = ("none",)
"""Who acts where no step says so; `by: none` is another tuple."""


@dataclass(eq=False, slots=True, repr=False)
class SequenceStep:
    """Step of the sequence of play."""

    step: Step
    edition: Edition
    anchor: str
    """Anchor on the page of the sequence."""
    actors: tuple[str, ...]
    """Actors, inherited from the steps around it."""
    parent: SequenceStep | None = None
    children: list[SequenceStep] = field(default_factory=list)
    any_order: bool = False
    """It may be done before or after its siblings."""
    repeats_step: SequenceStep | None = None
    """The step that it repeats."""
    difference: str = ""
    """Set in a turn that repeats another: "added", "dropped" or "changed"; a changed step has the changed
    keys only.
    """
    base_step: SequenceStep | None = None
    """The dropped or changed step; for an added step, its neighbour."""
    is_inserted_before: bool = False
    expanded: list[SequenceStep] = field(default_factory=list)
    """All displayed steps of a turn with differences."""

    @property
    def level(self) -> int:
        return self.parent.level + 1 if self.parent else 0

    @property
    def parent_in_play(self) -> SequenceStep | None:
        """Return the step in which it is played; for a difference, the parent of its base step."""
        origin = self.base_step.parent if self.base_step else None
        return origin if origin and self.parent and origin is not self.parent.repeats_step else self.parent

    @property
    def is_turn(self) -> bool:
        """Return whether it is a turn: by its kind or, for a kind of the book, because it has a phasing side.

        A step with such turns is a turn too, as is the outermost of more than two kinds if it has no actor.
        """
        if self.step.kind in (*KINDS, DO):
            return self.step.kind in TURNS
        if len(kinds := self.edition.book.steps) > 2 and self.step.kind == kinds[0] and not self.step.by:
            return True
        return bool(self.step.phasing) or any(child.is_turn for child in self.children)

    @property
    def path(self) -> str:
        """Return its path for messages, without turns: Movement Phase › Movement Segment › Overruns."""
        outer_step = self.parent_in_play
        above = outer_step.path if outer_step and not outer_step.is_turn else ""
        return f"{above}{PATH}{self.step.title}" if above else str(self.step.title)

    @property
    def phasing(self) -> LocatedText | None:
        return self.step.phasing or (self.parent.phasing if self.parent else None)

    @property
    def reverses_roles(self) -> bool:
        """Return whether it repeats a step with the roles of exactly two phasing sides reversed."""
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
        """Return whether it is part of the narrative: it has narrative text, or is a turn with such steps."""
        return bool(self.step.narrative) or (
            self.is_turn and any(step.has_narrative for step in self.displayed_steps)
        )

    @property
    def displayed_steps(self) -> list[SequenceStep]:
        """Return the inner steps as displayed.

        A turn with differences shows all steps: changed ones with their unchanged keys (`difference` is set),
        and for unchanged ones the repeated step (`repeats_step`).
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
        """Return the turn, the turn that it repeats, and so on, up to a turn with steps."""
        chain = [self]
        while chain[-1].repeats_step and chain[-1].repeats_step not in chain and not chain[-1]._own_steps():
            chain.append(chain[-1].repeats_step)
        return chain

    @property
    def effective_steps(self) -> list[SequenceStep]:
        """Return the inner steps as played, including those of the repeated step."""
        # A turn that leads back to itself is a fault of its own; it is not played in itself.
        return [step for step in self.merge_differences(self.repetition_chain[-1]) if step is not self]

    def _own_steps(self) -> list[SequenceStep]:
        return [child for child in self.children if not child.difference]

    def merge_differences(self, repeated_step: SequenceStep) -> list[SequenceStep]:
        """Return the inner steps of a repeated step with the differences of this turn applied."""
        chain, steps = self.repetition_chain, repeated_step._own_steps()
        for turn in chain[-2::-1]:
            steps = [replacement for step in steps for replacement in turn.replacements_for(step)]
            if repeated_step is chain[-1]:
                steps += [difference for difference in turn.differences if difference.base_step is None]
        return steps

    def replacements_for(self, step: SequenceStep) -> list[SequenceStep]:
        """Return the steps that are played instead of a repeated step: usually the step itself."""
        differences = [difference for difference in self.differences if difference.base_step is step]
        if not differences:
            return [step]
        added = [step for step in differences if step.difference == "added"]
        changed = [step for step in differences if step.difference == "changed"]
        is_left_out = any(step.difference == "dropped" for step in differences)
        before = [step for step in added if step.is_inserted_before]
        after = [step for step in added if not step.is_inserted_before]
        return [*before, *(changed or ([] if is_left_out else [step])), *after]

    def effective_steps_of(self, step: SequenceStep) -> list[SequenceStep]:
        """Return the inner steps of a step as played in this turn, which may repeat the step's turn."""
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
        """Yield the step and all steps displayed inside it."""
        yield self
        for step in self.displayed_steps:
            yield from step.iter_displayed()


@dataclass(frozen=True, slots=True)
class DifferenceFault:
    """Difference whose name matches no repeated step or several."""

    difference: TurnDifference
    entry: SequenceStep
    given_name: LocatedText | None = None
    """None if the turn repeats nothing."""
    matches: tuple[SequenceStep, ...] = ()
    candidates: tuple[SequenceStep, ...] = ()
    """Steps that it may name."""


def is_heading(step: SequenceStep) -> bool:
    """Return whether a step has a heading: a turn, phase or segment, but no action."""
    return step.step.kind != DO and (step.parent is None or is_heading(step.parent))


@dataclass(frozen=True, slots=True, repr=False)
class SequenceOfPlay:
    """The sequence of play of an edition; without steps if the edition has none."""

    root: SequenceStep | None = None
    """The sequence as a whole, to which its title and text belong; `steps` holds its inner steps."""
    steps: list[SequenceStep] = field(default_factory=list)
    """The outermost steps, in the order of play."""
    difference_faults: list[DifferenceFault] = field(default_factory=list)
    """Faults of the differences of turns that repeat another."""

    def iter_steps(self) -> Iterator[SequenceStep]:
        return (inner for step in self.steps for inner in step.iter_subtree())

    def iter_expanded_steps(self) -> Iterator[SequenceStep]:
        """Yield all steps as displayed: turns with differences are expanded."""
        return (inner for step in self.steps for inner in step.iter_displayed())

    @property
    def narrative_steps(self) -> list[SequenceStep]:
        """Return the steps of the narrative, as displayed."""
        return [step for step in self.iter_expanded_steps() if step.has_narrative]

    def steps_named(self, name: str) -> list[SequenceStep]:
        # What a turn changes or drops has the title of the step that it replaces.
        steps = [step for step in self.iter_steps() if step.difference in ("", "added")]
        with_id = [step for step in steps if step.step.id == name]
        return with_id or [s for s in steps if name in (s.step.title, s.step.title.printed)]


def build_sequence_of_play(edition: Edition) -> SequenceOfPlay:
    """Build the steps of an edition, with the differences of repeated turns and their faults."""
    if not edition.sequence:
        return SequenceOfPlay()
    title = edition.sequence.title
    root = SequenceStep(Step(kind=title, title=title), edition, TOP, ("none",))
    steps: list[SequenceStep] = []
    faults: list[DifferenceFault] = []
    top_steps = edition.sequence.steps
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
    return SequenceOfPlay(root, steps, faults)


def _add_steps(
    edition: Edition,
    parent: SequenceStep | None,
    siblings: list[SequenceStep],
    steps: Sequence[Step],
    any_order: int,
) -> None:
    """Add steps and their inner steps to `parent`; from `any_order` on they may be done in any order."""
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
    """Add the differences of a turn to its children; yield the faults of those that cannot be added."""
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
        faults: list[DifferenceFault] = []
        origin: SequenceStep | None = None
        for name in dict.fromkeys(names):
            matches = tuple(step for step in candidates if has_name(step, name))
            if len(matches) != 1:
                faults.append(DifferenceFault(exception, turn, name, matches, candidates))
            origin = origin or next(iter(matches), None)
        yield from faults
        if not faults:
            _add_difference(turn, exception, origin)


def has_name(step: SequenceStep, name: str) -> bool:
    return name in (step.step.title.printed, step.step.title, step.step.id)


def _add_difference(turn: SequenceStep, exception: TurnDifference, origin: SequenceStep | None) -> None:
    """Add a difference of a turn; `origin` is the changed or dropped step, or the neighbour of a new one."""
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
    """Return the changed keys of a step, with the old title if it has no new title."""
    new = {f.name: getattr(exception, f.name) for f in fields(StepAttributes) if f.name not in _NOT_REPLACED}
    return replace(Step(kind=exception.kind or step.kind, title=exception.title or step.title), **new)


def _expand(turn: SequenceStep) -> None:
    """Compute the displayed steps of a turn with differences."""
    base, own_steps = turn.repeats_step, set(turn.iter_subtree())
    if not base or not turn.differences:
        return
    taken = {step.anchor for step in own_steps}
    base_steps = {difference.base_step for difference in turn.differences}

    def expand_step(step: SequenceStep, parent: SequenceStep) -> SequenceStep:
        if step.difference == "added" and step in own_steps:
            return replace(step, parent=parent)
        # The actors are those of the repeated turn, with the roles reversed, unless a change names others.
        actors = step.step.by if step in own_steps else ()
        displayed = replace(
            step, step=replace(effective_step(step), by=actors), parent=parent, children=[], difference=""
        )
        displayed.base_step = source = step.base_step if step in own_steps and step.base_step else step
        if step in own_steps:
            displayed.difference = step.difference if _changes_content(step.step) else ""
        else:
            displayed.anchor = unique_name(f"{parent.anchor}/{step.anchor.rpartition('/')[2]}", taken)
            taken.add(displayed.anchor)
        is_new = step in own_steps and (displayed.difference or not step.difference)
        is_same = not is_new and base_steps.isdisjoint(list(base.iter_effective(source))[1:])
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
            displayed.expanded = [expand_step(step, displayed) for step in inside]
        return displayed

    turn.expanded = [expand_step(step, turn) for step in turn.effective_steps]


def _changes_content(step: Step) -> bool:
    """Return whether a change is more than another label."""
    return any(
        getattr(step, f.name) not in (None, ()) for f in fields(StepAttributes) if f.name not in _NAMES
    )


def effective_step(step: SequenceStep) -> Step:
    """Return all keys of a step: for a changed one merged with those of its base step.

    The actors are not among them: use `SequenceStep.actors`.
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
    """Yield a unique name for each step: its id or title, with a number if it is taken."""
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
    """Return the actors of a step: those that it names, in a player turn the phasing player, else those of
    its parent.
    """
    if step.by:
        return step.by
    return ("phasing",) if step.phasing else parent.actors if parent else _NOBODY


def title_slug(title: str, max_words: int = 6) -> str:
    """Return the first words of a title in lower case, joined with hyphens."""
    words = re.findall(r"[^\W_]+", re.sub(r"['’]|\([^()]*\)", "", title.lower()))
    return "-".join(words[:max_words]) or DO


def _phasing_sides(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        if step.phasing:
            yield str(step.phasing)
        yield from _phasing_sides((*step.steps, *step.any_order))
