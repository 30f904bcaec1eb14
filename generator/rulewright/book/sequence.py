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
from rulewright.model.step import DO, Difference, Particulars, Step
from rulewright.model.step_kinds import KINDS, PLAYERS, TURNS
from rulewright.source.filenames import unlike
from rulewright.source.text import Text

PATH = " › "
TOP = "top"
"""The anchor of a page's own heading."""

_NOT_REPLACED = ("exceptions", "repeats")
_INSIDE = ("steps", "any_order", *_NOT_REPLACED)
_NAMES = ("label", "id", "abbreviation")
_NOBODY = ("none",)
"""Who acts where no step says so; `by: none` is another tuple."""


@dataclass(eq=False, slots=True, repr=False)
class StepEntry:
    """A step of the sequence of play in its place. `anchor` is its address on the sequence's page.

    `by`: who acts, inherited from the step that it repeats or from the steps around it; empty where only
    steps inside it name players. `any_order`: it may be done before or after its neighbours. `repeated`: the
    step that it goes through again.

    `difference`: it is something in which a turn differs from the one that it repeats, and was added,
    dropped or changed; what was changed holds only what is new. `origin` is the step that it stands for
    there or, added, stands `before` or behind.

    `set_out`: of a turn that differs from the one that it repeats all its steps in their places, see `rows`.
    """

    step: Step
    edition: Edition
    anchor: str
    by: tuple[str, ...]
    parent: StepEntry | None = None
    children: list[StepEntry] = field(default_factory=list)
    any_order: bool = False
    repeated: StepEntry | None = None
    difference: str = ""
    origin: StepEntry | None = None
    before: bool = False
    set_out: list[StepEntry] = field(default_factory=list)

    @property
    def level(self) -> int:
        return self.parent.level + 1 if self.parent else 0

    @property
    def around(self) -> StepEntry | None:
        """The step in which it is played; of a difference, that of its origin."""
        origin = self.origin.parent if self.origin else None
        return origin if origin and self.parent and origin is not self.parent.repeated else self.parent

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
        around = self.around
        above = around.path if around and not around.is_turn else ""
        return f"{above}{PATH}{self.step.title}" if above else str(self.step.title)

    @property
    def phasing(self) -> Text | None:
        return self.step.phasing or (self.parent.phasing if self.parent else None)

    @property
    def reverses(self) -> bool:
        """Whether it repeats a step with the roles reversed: two phasing sides change places, no more."""
        sequence = self.edition.sequence
        if not self.repeated or not sequence or len(set(_phasing(sequence.steps))) > 2:
            return False
        own, other = self.phasing, self.repeated.phasing
        return own != other if own or other else self.step.kind in PLAYERS

    @property
    def combat(self) -> bool:
        return self.step.activity == "combat"

    @property
    def told(self) -> bool:
        """Whether the narrative has it: it has words, or it is a turn with such steps."""
        return bool(self.step.narrative) or (self.is_turn and any(row.told for row in self.rows))

    @property
    def rows(self) -> list[StepEntry]:
        """The steps inside as they are shown.

        A turn that differs from the one that it repeats has all steps in their places: what was changed with
        all that still holds (`difference` is set), and what is not different in any way `repeated`.
        """
        return self.set_out or self._own()

    @property
    def dropped(self) -> list[StepEntry]:
        return [one for one in self.children if one.difference == "dropped"]

    @property
    def differences(self) -> list[StepEntry]:
        return [child for child in self.children if child.difference]

    @property
    def chain(self) -> list[StepEntry]:
        """The turn itself, the one that it repeats, the one that that repeats, down to one with steps."""
        chain = [self]
        while chain[-1].repeated and chain[-1].repeated not in chain and not chain[-1]._own():
            chain.append(chain[-1].repeated)
        return chain

    @property
    def played(self) -> list[StepEntry]:
        """The steps inside as they are gone through, those of the step that it repeats included."""
        # A turn that leads back to itself is a fault of its own; it is not played in itself.
        return [step for step in self.row(self.chain[-1]) if step is not self]

    def _own(self) -> list[StepEntry]:
        return [child for child in self.children if not child.difference]

    def row(self, around: StepEntry) -> list[StepEntry]:
        """The inner steps of a repeated step, with the differences of this turn in their places."""
        chain, row = self.chain, around._own()
        for turn in chain[-2::-1]:
            row = [one for step in row for one in turn.instead(step)]
            if around is chain[-1]:
                row += [one for one in turn.differences if one.origin is None]
        return row

    def instead(self, step: StepEntry) -> list[StepEntry]:
        """The steps that are gone through in the place of one of the step that it repeats: mostly that."""
        here = [one for one in self.differences if one.origin is step]
        if not here:
            return [step]
        added = [one for one in here if one.difference == "added"]
        changed = [one for one in here if one.difference == "changed"]
        is_left_out = any(one.difference == "dropped" for one in here)
        before, behind = ([one for one in added if one.before is at] for at in (True, False))
        return [*before, *(changed or ([] if is_left_out else [step])), *behind]

    def inside(self, step: StepEntry) -> list[StepEntry]:
        """The steps inside a step as they are gone through in this turn, which may repeat the step's own."""
        if step is self:
            return self.played
        while step.difference == "changed" and step.origin and not step.children:
            step = step.origin
        return self.row(step) if step.difference != "added" else step._own()

    def through(self, step: StepEntry) -> Iterator[StepEntry]:
        yield step
        for inner in self.inside(step):
            yield from self.through(inner)

    def walk(self) -> Iterator[StepEntry]:
        yield self
        for child in self.children:
            yield from child.walk()

    def seen(self) -> Iterator[StepEntry]:
        """The step with all that is shown inside it."""
        yield self
        for row in self.rows:
            yield from row.seen()


@dataclass(frozen=True, slots=True)
class Fault:
    """A difference that names no step of what is repeated, or several: `found` are those.

    `named` is the name that it gives, None where the turn repeats nothing; `among`: the steps it may name.
    """

    difference: Difference
    entry: StepEntry
    named: Text | None = None
    found: tuple[StepEntry, ...] = ()
    among: tuple[StepEntry, ...] = ()


def is_heading(step: StepEntry) -> bool:
    """Whether a step has a heading of its own: turns, phases and segments do, what is done there has not."""
    return step.step.kind != DO and (step.parent is None or is_heading(step.parent))


def root_of(edition: Edition) -> StepEntry | None:
    """The sequence of play as a whole, which its title and its text belong to."""
    if not edition.sequence:
        return None
    title = edition.sequence.title
    return StepEntry(Step(kind=title, title=title), edition, TOP, ("none",))


def arrange_steps(edition: Edition) -> tuple[list[StepEntry], list[Fault]]:
    """The steps of an edition, turns that repeat another with their differences, and what is wrong there."""
    steps: list[StepEntry] = []
    faults: list[Fault] = []
    written = edition.sequence.steps if edition.sequence else ()
    _place(edition, None, steps, written, len(written))
    every = [step for top in steps for step in top.walk()]
    by_id = {step.step.id: step for step in reversed(every) if step.step.id}
    for step in every:
        step.repeated = by_id.get(step.step.repeats) if step.step.repeats else None
    for step in every:
        source = next((one for one in step.chain if one.step.by), step.chain[-1])
        if not step.is_turn and source.by is not _NOBODY:
            step.by = source.by
    done = set[StepEntry]()
    for step in every:
        waiting: list[StepEntry] = []
        at: StepEntry | None = step
        while at and at not in done:
            done.add(at)
            waiting.append(at)
            at = at.repeated
        for turn in reversed(waiting):  # what is repeated differs first
            if turn.step.exceptions:
                faults += _differ(turn)
                _set_out(turn)
    return steps, faults


def _place(
    edition: Edition,
    parent: StepEntry | None,
    siblings: list[StepEntry],
    steps: Sequence[Step],
    any_order: int,
) -> None:
    """Enter steps and the steps in them below `parent`. From `any_order` on they may be done in any order."""
    for at, (step, name) in enumerate(zip(steps, _names(steps), strict=True)):
        anchor = f"{parent.anchor}/{name}" if parent else name
        entry = StepEntry(step, edition, anchor, _acting(step, parent), parent, any_order=at >= any_order)
        siblings.append(entry)
        _place(edition, entry, entry.children, (*step.steps, *step.any_order), len(step.steps))
        found = {one.by for one in entry.children}
        if entry.by is _NOBODY and found - {_NOBODY} and not entry.is_turn:
            entry.by = found.pop() if len(found) == 1 else ()
            for one in entry.walk():
                one.by = () if one.by is _NOBODY else one.by


def _differ(turn: StepEntry) -> Iterator[Fault]:
    """Enter the differences of a turn among its children. Yields what is wrong with those left out."""
    base = turn.repeated
    among = tuple(one for step in base.played for one in base.through(step)) if base else ()
    for one in turn.step.exceptions:
        if not turn.repeated:
            if not turn.step.repeats:  # a repeat of what is not there has a problem of its own
                yield Fault(one, turn)
            continue
        names = [name for name in (one.drop, one.change, one.before, one.after) if name]
        found = {name: tuple(step for step in among if is_called(step, name)) for name in names}
        faults = [Fault(one, turn, name, steps, among) for name, steps in found.items() if len(steps) != 1]
        yield from faults
        if not faults:
            _enter(turn, one, found[names[0]][0] if names else None)


def is_called(step: StepEntry, name: str) -> bool:
    return name in (step.step.title.printed, step.step.title, step.step.id)


def _enter(turn: StepEntry, one: Difference, origin: StepEntry | None) -> None:
    """Enter one difference of a turn; `origin` is the step that it is about or stands beside."""
    around = origin.parent if origin else turn.repeated
    if one.add:
        step, base, acting, sort = one.add, around, _acting(one.add, around), "added"
        name = slug(step.id or step.title.printed)
    elif origin:
        step, base, sort = _changed(one, origin.step), origin, "changed" if one.change else "dropped"
        acting, name = step.by or origin.by, ""
    else:
        return
    assert turn.repeated
    path = base.anchor.removeprefix(turn.repeated.anchor).strip("/") if base else ""
    anchor = unlike("/".join(filter(None, (turn.anchor, path, name))), {one.anchor for one in turn.walk()})
    entry = StepEntry(step, turn.edition, anchor, acting, turn, difference=sort, origin=origin)
    entry.before, entry.any_order = bool(one.before), bool(origin and origin.any_order)
    turn.children.append(entry)
    _place(turn.edition, entry, entry.children, (*step.steps, *step.any_order), len(step.steps))


def _changed(one: Difference, step: Step) -> Step:
    """Changes of a step that is changed, under its old title if it has no new one."""
    new = {f.name: getattr(one, f.name) for f in fields(Particulars) if f.name not in _NOT_REPLACED}
    return replace(Step(kind=one.kind or step.kind, title=one.title or step.title), **new)


def _set_out(turn: StepEntry) -> None:
    """Enter the rows of a turn that differs from the one that it repeats."""
    base, own = turn.repeated, set(turn.walk())
    if not base or not turn.differences:
        return
    taken = {one.anchor for one in own}
    about = {one.origin for one in turn.differences}

    def row(step: StepEntry, parent: StepEntry) -> StepEntry:
        if step.difference == "added" and step in own:
            return replace(step, parent=parent)
        # Who acts in the turn that is repeated acts here in its place; only a change names anybody anew.
        anew = step.step.by if step in own else ()
        made = replace(step, step=replace(merged(step), by=anew), parent=parent, children=[], difference="")
        made.origin = source = step.origin if step in own and step.origin else step
        if step in own:
            made.difference = step.difference if _says_more(step.step) else ""
        else:
            made.anchor = unlike(f"{parent.anchor}/{step.anchor.rpartition('/')[2]}", taken)
            taken.add(made.anchor)
        is_new = step in own and (made.difference or not step.difference)
        is_same = not is_new and about.isdisjoint(list(base.through(source))[1:])
        inside = turn.inside(step)
        if is_same and is_heading(made) and (inside or parent is turn):
            there = (one for one in base.seen() if one.origin is source or one.anchor == source.anchor)
            shown = next(there, source)
            made.repeated = shown.repeated or shown
        else:
            made.set_out = [row(one, made) for one in inside]
        return made

    turn.set_out = [row(step, turn) for step in turn.played]


def _says_more(step: Step) -> bool:
    """Whether a change is more than another label."""
    return any(getattr(step, f.name) not in (None, ()) for f in fields(Particulars) if f.name not in _NAMES)


def merged(step: StepEntry) -> Step:
    """All that a step says: a changed one with what it keeps of the one that it stands for.

    Who acts is not among it: `StepEntry.by` has that.
    """
    if step.difference != "changed" or not step.origin:
        return step.step
    base = merged(step.origin)
    names = [f.name for f in fields(Particulars) if f.name not in _INSIDE]
    new: dict[str, Any] = {name: getattr(step.step, name) for name in names}
    new = {name: value for name, value in new.items() if value not in (None, ())}
    new = {name: None for name in names if getattr(base, name) == ""} | new  # a no that nothing had before
    return replace(base, kind=step.step.kind, title=step.step.title, **new)


def _names(steps: Sequence[Step]) -> Iterator[str]:
    """A name for each of a row of steps: its id, else its title, with a number where that is taken."""
    reserved = {slug(step.id) for step in steps if step.id}
    taken, counts = set(reserved), Counter[str]()
    for step in steps:
        name = base = slug(step.id or step.title.printed)
        if step.id and base in reserved:
            reserved.remove(base)
        else:
            while name in taken:
                counts[base] += 1
                name = f"{base}-{counts[base] + 1}"
        taken.add(name)
        yield name


def _acting(step: Step, parent: StepEntry | None) -> tuple[str, ...]:
    """Who acts in a step: whoever it names, else who acts around it; in a player turn the phasing player."""
    if step.by:
        return step.by
    return ("phasing",) if step.phasing else parent.by if parent else _NOBODY


def slug(title: str, most: int = 6) -> str:
    """A title as an address: its first words, lower case, joined with hyphens."""
    words = re.findall(r"[^\W_]+", re.sub(r"['’]|\([^()]*\)", "", title.lower()))
    return "-".join(words[:most]) or DO


def _phasing(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        if step.phasing:
            yield str(step.phasing)
        yield from _phasing((*step.steps, *step.any_order))
