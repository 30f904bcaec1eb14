"""Sequence of play: a tree of steps as they are played.

A step that repeats another has copies of that step's inner steps, with its differences applied. Each copy has its
`origin`, and the differences are marked, so that a reader of the tree needs neither the kinds of steps nor the
keys `repeats` and `except`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from rulewright.files import limits
from rulewright.files.filenames import unique_name
from rulewright.files.located_text import LocatedText
from rulewright.schema.step import DO, INSIDE, Step, StepAttributes, TurnDifference, inner_steps_of
from rulewright.sequence.step_counts import Rounds, parse_rounds

if TYPE_CHECKING:
    from rulewright.book.library import Edition

PATH = " › "
TOP = "top"
"""Anchor of the heading of a page."""

PHASING, OTHER, NOBODY = "phasing", "non-phasing", "none"
IN_ORDER, OTHERS_IN_ORDER = "in order", "others in order"
SAME_AS = {"all": "both", "any": "either", "others": OTHER}
"""Other words for roles; a side or a role of such a name wins."""
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
"""Names for the places in the order that is decided in play."""

ANY_ORDER, ONE_OF, AT_ANY_TIME = "any order", "one of", "at any time"
GAME = "game"
"""Value of `ends` for the whole game."""

_LISTS = tuple(INSIDE.values())
_OWN = ("id", "label", "abbreviation", "narrative", "repeats", "exceptions", *_LISTS)
"""Fields that a step does not take over from the step that it repeats."""
_NAMES = ("label", "id", "abbreviation")


@dataclass(eq=False, slots=True, repr=False)
class SequenceStep:
    """Step of the sequence of play."""

    step: Step
    """The keys in force: with those of the step that it repeats, or of the step that it is a copy of."""
    written: Step
    """The keys that are written for this step only; for a changed one, the changed keys."""
    edition: Edition
    anchor: str
    """Anchor on the page of the sequence."""
    parent: SequenceStep | None = None
    way: str = "steps"
    """The key of the parent that holds it: "steps", "any order", "one of" or "at any time"."""
    inner: list[SequenceStep] = field(default_factory=list)
    """All inner steps, in the order of play; copies, if it repeats another."""
    repeats_step: SequenceStep | None = None
    """The step that it repeats."""
    origin: SequenceStep | None = None
    """The step that it is a copy of."""
    difference: str = ""
    """In a step that repeats another: "added", "dropped" or "changed"."""
    dropped: list[SequenceStep] = field(default_factory=list)
    """The copies that were taken out of it by a difference."""
    left_out: list[SequenceStep] = field(default_factory=list)
    """All copies that its own differences take out, also of the steps inside it."""
    actors: tuple[str, ...] = ()
    """Who acts; empty if nobody says, or if the inner steps disagree."""
    given_actors: tuple[str, ...] = ()
    """Who acts by this step or one around it."""
    is_turn: bool = False
    """It names who is phasing, or has such steps."""
    is_block: bool = False
    """It is set off from other steps: an outermost step, or one of the phases of a turn."""

    @property
    def level(self) -> int:
        return self.parent.level + 1 if self.parent else 0

    @property
    def ordered(self) -> list[SequenceStep]:
        """Return the inner steps except those that may be done at any time."""
        return [step for step in self.inner if step.way != AT_ANY_TIME]

    @property
    def interruptions(self) -> list[SequenceStep]:
        """Return the inner steps that may be done at any time."""
        return [step for step in self.inner if step.way == AT_ANY_TIME]

    @property
    def is_choice(self) -> bool:
        """Return whether one of its inner steps is done."""
        return any(step.way == ONE_OF for step in self.inner)

    @property
    def phasing(self) -> tuple[str, ...]:
        """Return who is phasing in this step, one after another, if it says so."""
        names = tuple(map(str, self.step.phasing))
        return () if names == (PHASING,) else names

    @property
    def phasing_around(self) -> tuple[str, ...]:
        """Return who is phasing in this step or the nearest step around it that says so."""
        return self.phasing or (self.parent.phasing_around if self.parent else ())

    @property
    def acting(self) -> tuple[str, ...]:
        """Return whom its mark names: who is phasing in it, or else who acts."""
        return self.phasing or self.given_actors or self.actors

    @property
    def actors_change(self) -> bool:
        """Return whether other players act than in the step around it."""
        if self.parent is None:
            return True
        return self.acting != ((PHASING,) if self.parent.phasing else self.parent.actors)

    @property
    def is_played_in_turns(self) -> bool:
        """Return whether several players do it one after another."""
        orders = (IN_ORDER, OTHERS_IN_ORDER, *self.edition.book.orders)
        by = self.step.by
        return len(self.phasing) > 1 or len(by) > 1 or any(name in orders for name in (*self.phasing, *by))

    @property
    def rounds(self) -> Rounds | None:
        return parse_rounds(self.step.rounds)

    @property
    def path(self) -> str:
        """Return its path for messages, without turns: Movement Phase › Movement Segment › Overruns."""
        above = self.parent.path if self.parent and not self.parent.is_turn else ""
        return f"{above}{PATH}{self.step.title}" if above else str(self.step.title)

    @property
    def reverses_roles(self) -> bool:
        """Return whether it repeats the turn of the other of two sides."""
        base = self.repeats_step
        return bool(
            base
            and (len(self.edition.book.sides) == 2 or self.edition.book.players == "2")
            and len(self.written.phasing) == len(base.phasing) == 1
            and str(self.written.phasing[0]) != base.phasing[0]
        )

    @property
    def is_combat(self) -> bool:
        return self.step.activity == "combat"

    @property
    def is_different(self) -> bool:
        """Return whether the mark of a difference is shown: a change of more than its names, or a new step."""
        return self.difference == "added" or (self.difference == "changed" and _changes_content(self.written))

    @property
    def has_differences(self) -> bool:
        """Return whether it or a step in it has the mark of a difference; what is dropped has none."""
        return self.is_different or any(step.has_differences for step in self.inner)

    @property
    def copied_turn(self) -> SequenceStep | None:
        """Return the step whose inner steps this one and those around it are copies of."""
        step = self
        while step.origin and step.parent:
            step = step.parent
        return step.repeats_step if step is not self else None

    @property
    def is_same(self) -> bool:
        """Return whether it is shown by name only, since it is as in the turn that is repeated."""
        if not self.origin or not self.parent or self.has_differences:
            return False
        if self.parent.origin:
            return self.parent.has_differences and bool(self.inner) and is_heading(self)
        return self.is_block

    @property
    def has_narrative(self) -> bool:
        """Return whether it is part of the narrative: it has narrative text, or is a turn with such steps."""
        return bool(self.step.narrative) or (
            self.is_turn and any(step.has_narrative for step in self.displayed_steps)
        )

    @property
    def shows_inner_steps(self) -> bool:
        """Return whether its inner steps are displayed; the line of a step that is as another is enough."""
        is_as_another = (
            self.repeats_step and not inner_steps_of(self.written) and not self.written.exceptions
        )
        return not self.is_same and (self.has_differences or not is_as_another)

    @property
    def displayed_steps(self) -> list[SequenceStep]:
        """Return the inner steps as displayed."""
        return self.inner if self.shows_inner_steps else []

    @property
    def is_displayed(self) -> bool:
        """Return whether it has a place on the page of the sequence."""
        return self.parent is None or (self.parent.shows_inner_steps and self.parent.is_displayed)

    @property
    def page_anchor(self) -> str:
        """Return its anchor on the page of the sequence: for a copy without a place there, its original's."""
        return self.anchor if self.difference or self.is_displayed else self.original.anchor

    @property
    def steps_with_lines(self) -> list[SequenceStep]:
        """Return the displayed inner steps without the options that its own line lists."""
        return self.interruptions if self.lists_options else self.displayed_steps

    @property
    def lists_options(self) -> bool:
        """Return whether its line lists the options, since none of them has more than a title."""
        return self.is_choice and all(step.is_bare for step in self.ordered)

    @property
    def is_bare(self) -> bool:
        """Return whether a step has nothing but a title."""
        empty = (None, ())
        return (
            not self.inner
            and not self.difference
            and self.given_actors == (self.parent.given_actors if self.parent else ())
            and all(
                getattr(self.step, f.name) in empty
                for f in fields(StepAttributes)
                if f.name not in ("id", "by")
            )
        )

    @property
    def ended_step(self) -> SequenceStep | None:
        """Return the step around it that is over when it is done; None if it ends none, or the game."""
        name = self.step.ends
        if not name or name == GAME:
            return None
        around = (step for step in self.self_and_ancestors() if step is not self)
        return next(
            (s for s in around if has_name(s, name) or (s.repeats_step and has_name(s.repeats_step, name))),
            None,
        )

    @property
    def is_unchanged_copy(self) -> bool:
        """Return whether it is a copy that no difference touches."""
        return self.origin is not None and not self.has_differences

    @property
    def is_written_here(self) -> bool:
        """Return whether it is written in the edition, not in its series."""
        return self.edition.has_written(self.step.title)

    @property
    def original(self) -> SequenceStep:
        """Return the displayed step that it is a copy of."""
        step = self.origin or self
        while step.origin and not step.difference:
            step = step.origin
        return step

    def self_and_ancestors(self) -> Iterator[SequenceStep]:
        step: SequenceStep | None = self
        while step:
            yield step
            step = step.parent

    def iter_subtree(self) -> Iterator[SequenceStep]:
        yield self
        for step in self.inner:
            yield from step.iter_subtree()

    @property
    def own_steps(self) -> list[SequenceStep]:
        """Return the inner steps that are written: no copies, but all differences, also those inside copies."""
        own: list[SequenceStep] = []
        for step in (*self.inner, *self.dropped):
            own += [step] if not step.origin or step.difference else step.own_steps
        return own

    def iter_written(self) -> Iterator[SequenceStep]:
        """Yield the step and the steps inside it that are written here: no copies, but all differences."""
        yield self
        for step in self.own_steps:
            yield from step.iter_written()

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
    is_dropped: bool = False
    """Whether it lies in a step that is dropped."""


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
    """Faults of the differences of steps that repeat another."""
    loops: dict[SequenceStep, SequenceStep] = field(default_factory=dict)
    """Steps that repeat a step that leads back to them, with that step; they have no copies."""
    is_whole: bool = True
    """Whether no copy is missing because there are too many."""

    def iter_steps(self) -> Iterator[SequenceStep]:
        """Yield the steps that are written, differences among them."""
        return (inner for step in self.steps for inner in step.iter_written())

    def iter_played(self) -> Iterator[SequenceStep]:
        """Yield every step in the order of play."""
        return (inner for step in self.steps for inner in step.iter_subtree())

    def iter_displayed(self) -> Iterator[SequenceStep]:
        """Yield all steps as displayed."""
        return (inner for step in self.steps for inner in step.iter_displayed())

    @property
    def narrative_steps(self) -> list[SequenceStep]:
        """Return the steps of the narrative, as displayed."""
        return [step for step in self.iter_displayed() if step.has_narrative]

    def steps_named(self, name: str) -> list[SequenceStep]:
        # A changed or dropped step has the title of the step that it replaces.
        steps = [step for step in self.iter_steps() if step.difference in ("", "added")]
        with_id = [step for step in steps if step.step.id == name]
        return with_id or [s for s in steps if name in (s.step.title, s.step.title.printed)]


def has_name(step: SequenceStep, name: str) -> bool:
    return name in (step.step.title.printed, step.step.title, step.step.id) or bool(
        step.origin and has_name(step.origin, name)
    )


def build_sequence_of_play(edition: Edition) -> SequenceOfPlay:
    """Build the steps of an edition, with the copies of repeated steps and the faults of their differences."""
    if not edition.sequence:
        return SequenceOfPlay()
    title = edition.sequence.title
    whole = Step(kind=title, title=title)
    root = SequenceStep(whole, whole, edition, TOP, actors=(NOBODY,))
    builder = _TreeBuilder(edition)
    steps = list(builder.written_steps(edition.sequence.steps, None, "steps"))
    builder.add_copies(steps)
    for step in steps:
        _set_given_actors(step, ())
        _set_actors(step)
        _set_blocks(step, True)
    return SequenceOfPlay(root, steps, builder.faults, builder.loops, builder.count <= limits.LIST.maximum)


class _TreeBuilder:
    """State while the tree of a sequence is built."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.faults: list[DifferenceFault] = []
        self.loops: dict[SequenceStep, SequenceStep] = {}
        self.by_id: dict[str, SequenceStep] = {}
        self.seen: set[SequenceStep] = set()
        self.done: set[SequenceStep] = set()
        self.count = 0  # number of copies so far

    def written_steps(
        self, steps: Sequence[Step], parent: SequenceStep | None, way: str, taken: set[str] | None = None
    ) -> Iterator[SequenceStep]:
        """Yield steps as written, each with its inner steps."""
        for step, name in zip(steps, _step_names(steps, taken), strict=True):
            anchor = f"{parent.anchor}/{name}" if parent else name
            entry = SequenceStep(step, step, self.edition, anchor, parent, way)
            if step.id:
                self.by_id.setdefault(str(step.id), entry)
            self.add_inner(entry, step)
            yield entry

    def add_inner(self, entry: SequenceStep, step: StepAttributes) -> None:
        taken = {inner.anchor.rpartition("/")[2] for inner in entry.inner}
        for way, name in INSIDE.items():
            entry.inner += self.written_steps(getattr(step, name), entry, way, taken)

    def add_copies(self, steps: Sequence[SequenceStep]) -> None:
        """Add the copies to the steps that repeat others: the repeated steps first."""
        for entry in self.dependencies_first(steps):
            base = entry.repeats_step
            if base and base not in self.done:
                self.loops[entry] = base
                entry.repeats_step = base = None
            if base:
                own = entry.written
                entry.step = _merged(base, own)
                way_is_own = bool(own.steps or own.any_order or own.one_of)
                copied = [
                    step
                    for step in base.inner
                    if (not own.at_any_time if step.way == AT_ANY_TIME else not way_is_own)
                ]
                entry.inner = [*(self.copy(step, entry, 0) for step in copied), *entry.inner]
                entry.inner.sort(key=lambda step: step.way == AT_ANY_TIME)
            if entry.written.exceptions:
                self.add_differences(entry)
            self.done.add(entry)

    def dependencies_first(self, steps: Sequence[SequenceStep]) -> Iterator[SequenceStep]:
        """Yield all steps, each after its inner steps and the step that it repeats (depth-first, postorder)."""
        for start in steps:
            waiting = [(start, self.dependencies(start))] if start not in self.seen else []
            self.seen.add(start)
            while waiting:
                entry, needed = waiting[-1]
                unseen = next((step for step in needed if step not in self.seen), None)
                if unseen:
                    self.seen.add(unseen)
                    waiting.append((unseen, self.dependencies(unseen)))
                else:
                    waiting.pop()
                    yield entry

    def dependencies(self, entry: SequenceStep) -> Iterator[SequenceStep]:
        if entry.written.repeats:
            entry.repeats_step = self.by_id.get(str(entry.written.repeats))
            if entry.repeats_step:
                yield entry.repeats_step
        yield from list(entry.inner)

    def copy(self, origin: SequenceStep, parent: SequenceStep, depth: int) -> SequenceStep:
        """Return a copy of a step with its inner steps."""
        self.count += 1
        name = unique_name(
            origin.anchor.rpartition("/")[2], {step.anchor.rpartition("/")[2] for step in parent.inner}
        )
        entry = SequenceStep(
            origin.step,
            origin.written,
            self.edition,
            f"{parent.anchor}/{name}",
            parent,
            origin.way,
            origin=origin,
        )
        entry.repeats_step = origin.repeats_step
        if depth == limits.NESTING.maximum:
            self.count = limits.LIST.maximum + 1
        for step in origin.inner:
            if self.count <= limits.LIST.maximum:
                entry.inner.append(self.copy(step, entry, depth + 1))
        return entry

    def add_differences(self, turn: SequenceStep) -> None:
        """Apply the differences of a step to its copies: what is dropped goes last, so that all can be named."""
        candidates = tuple(step for inner in turn.inner for step in inner.iter_subtree())
        targets: list[tuple[TurnDifference, SequenceStep | None]] = []
        for difference in turn.written.exceptions:
            if not turn.repeats_step:
                if not turn.written.repeats:  # a repeat of what is not there has a problem of its own
                    self.faults.append(DifferenceFault(difference, turn))
                continue
            names = (difference.drop, difference.change, difference.before, difference.after)
            found: list[SequenceStep] = []
            faults: list[DifferenceFault] = []
            for given in dict.fromkeys(given for given in names if given):
                matches = tuple(step for step in candidates if has_name(step, given))
                found += matches
                if len(matches) != 1:
                    faults.append(DifferenceFault(difference, turn, given, matches, candidates))
            self.faults += faults
            if not faults:
                targets.append((difference, found[0] if found else None))
        for difference, target in sorted(targets, key=lambda pair: pair[0].drop is not None):
            self.add_difference(turn, difference, target)
        dropped = {step: top for top in turn.left_out for step in top.iter_subtree()}
        for difference, target in targets:
            lost = target.parent if target and difference.add else target
            if lost and lost in dropped and not difference.drop:
                name = difference.add.title if difference.add else difference.change
                self.faults.append(DifferenceFault(difference, turn, name, (dropped[lost],), is_dropped=True))

    def add_difference(
        self, turn: SequenceStep, difference: TurnDifference, target: SequenceStep | None
    ) -> None:
        """Apply one difference; `target` is the changed or dropped copy, or the neighbour of a new step."""
        if difference.add:
            parent = target.parent if target and target.parent else turn
            taken = {step.anchor.rpartition("/")[2] for step in parent.inner}
            way = target.way if target else next((step.way for step in turn.ordered), "steps")
            (entry,) = self.written_steps((difference.add,), parent, way, taken)
            entry.difference = "added"
            self.add_copies([entry])
            place = len(parent.ordered)
            if target:
                place = parent.inner.index(target) + (0 if difference.before else 1)
            parent.inner.insert(place, entry)
        elif target and difference.drop:
            if target.parent and target in target.parent.inner:
                target.parent.inner.remove(target)
                target.parent.dropped.append(target)
                turn.left_out.append(target)
                target.difference = "dropped"
                target.written = Step(kind=target.step.kind, title=target.step.title)
        elif target and difference.change:
            self.change(target, difference)

    def change(self, target: SequenceStep, difference: TurnDifference) -> None:
        """Replace keys of a copy."""
        changed = {f.name: getattr(difference, f.name) for f in fields(StepAttributes)}
        names: dict[str, Any] = {
            "kind": difference.kind or target.step.kind,
            "title": difference.title or target.step.title,
        }
        given: dict[str, Any] = {name: value for name, value in changed.items() if value not in (None, ())}
        # A no is shown where there was a condition before.
        no_conditions = {name: None for name in ("optional", "must") if getattr(target.step, name) == ""}
        no_conditions |= {
            name: None for name, value in given.items() if value == "" and not getattr(target.step, name)
        }
        if "by" in given or "phasing" in given:
            given = {"by": (), "phasing": ()} | given
        target.written = Step(**names, **given)
        target.step = replace(target.step, **names, **(no_conditions | {k: v for k, v in given.items() if k not in no_conditions or v}))
        target.difference = "changed"
        if difference.steps or difference.any_order or difference.one_of:
            target.inner = target.interruptions
        if difference.at_any_time:
            target.inner = target.ordered
        if inner_steps_of(difference):
            self.add_inner(target, difference)
            target.inner.sort(key=lambda step: step.way == AT_ANY_TIME)
            self.add_copies([step for step in target.inner if not step.origin])


def _merged(base: SequenceStep, own: Step) -> Step:
    """Return the keys of a step with those of the step that it repeats."""
    names = [f.name for f in fields(StepAttributes) if f.name not in _OWN]
    taken: dict[str, Any] = {name: getattr(base.step, name) for name in names}
    if not taken["by"] and not taken["phasing"]:
        around = base.parent
        while around and not around.step.by and not around.step.phasing:
            around = around.parent
        if around:
            taken["by"] = around.step.by or (_located(PHASING, own.title),)
    if own.by or own.phasing:
        taken["by"] = taken["phasing"] = ()
    given = {name: getattr(own, name) for name in names if getattr(own, name) not in (None, ())}
    return replace(own, **(taken | given))


def _located(words: str, place: LocatedText) -> LocatedText:
    return LocatedText.from_source(words, place.file, place.start, place.end)


def _set_given_actors(step: SequenceStep, around: tuple[str, ...]) -> None:
    """Set who acts by the steps themselves, from the outermost step inwards."""
    book = step.edition.book
    own = (*book.sides, *book.roles)
    by = tuple(str(name) if name in own else SAME_AS.get(name, str(name)) for name in step.step.by)
    names = by or ((PHASING,) if step.step.phasing else around)
    step.given_actors = names
    for inner in (*step.inner, *step.dropped):
        _set_given_actors(inner, names)


def _set_actors(step: SequenceStep) -> None:
    """Set who acts, from the innermost steps outwards: if no step around says so, those inside if they agree."""
    for inner in (*step.inner, *step.dropped):
        _set_actors(inner)
    found = {inner.phasing or inner.given_actors or inner.actors for inner in step.ordered}
    step.actors = step.given_actors or (found.pop() if len(found) == 1 else ())


def _set_blocks(step: SequenceStep, may_be_block: bool) -> None:
    """Set which steps are turns and which are blocks: the phases of a turn that is a block."""
    for inner in (*step.inner, *step.dropped):
        _set_blocks(inner, False)
    step.is_turn = step.step.kind != DO and (
        bool(step.phasing) or any(inner.is_turn for inner in step.ordered)
    )
    if may_be_block:
        _set_phases(step)


def _set_phases(block: SequenceStep) -> None:
    block.is_block = True
    usual = [step for step in block.ordered if step.difference != "added"] or block.ordered
    if block.is_turn and all(step.step.kind != DO and step.way == "steps" for step in usual):
        for step in (*block.ordered, *block.dropped):
            if step.step.kind != DO:
                _set_phases(step)


def _changes_content(step: Step) -> bool:
    """Return whether a change is more than another label."""
    return any(
        getattr(step, f.name) not in (None, ()) for f in fields(StepAttributes) if f.name not in _NAMES
    )


def _step_names(steps: Sequence[Step], taken: set[str] | None = None) -> Iterator[str]:
    """Yield a unique name for each step: its id or title, with a number if it is taken."""
    reserved = {title_slug(step.id) for step in steps if step.id}
    taken = set() if taken is None else taken
    taken |= reserved
    counts = Counter[str]()
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


def title_slug(title: str, max_words: int = 6) -> str:
    """Return the first words of a title in lower case, joined with hyphens."""
    words = re.findall(r"[^\W_]+", re.sub(r"['’]|\([^()]*\)", "", title.lower()))
    return "-".join(words[:max_words]) or DO


def all_phasing(steps: Iterable[SequenceStep]) -> tuple[str, ...]:
    """Return everyone who is phasing in the steps."""
    return tuple(dict.fromkeys(name for step in steps for name in step.phasing))
