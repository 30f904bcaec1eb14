# A dataclass's fields are made by `many`, one for each field.
"""Series and game: what a game that extends an edition of a series takes over from it.

A game says in edition.yml that it `extends: ocs/4.3`. Its rulebook.yml may then leave out what the series
says, and its sequence of play may be that of the series with differences. What the game says itself wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, NamedTuple, TypeVar, cast

from generator.keys import many
from generator.model import Difference, Particulars, Role, Rulebook, Step, Term
from generator.model import Sequence as PlaySequence
from generator.problems import did_you_mean, kind, shown
from generator.source import Text

NO_SERIES = kind(
    "series-not-found",
    """`extends:` names an edition that is not here, or a game that leads back to this one. It takes the
    folders of a book and an edition: ocs/4.3.""",
)

T = TypeVar("T")

NUMBERING = ("numbers", "levels", "chapters", "implied", "alphabet")
"""What of a rulebook says how rules are numbered: a game with numbers of its own takes over none of it."""

SERIES = "series"
"""What any series may be called in front of a number: "series rule 12.5"."""

MOST_EXTENDED = 16
"""How many editions may extend each other in a row."""

_PATH = re.compile(r"\s*[›/]\s*")


@dataclass(frozen=True, slots=True, eq=False)
class GameRulebook(Rulebook):
    """`rulebook.yml`: what holds for all editions of a book, its numbering above all. A game that extends a
    series may leave out what the series says.
    """

    numbers: tuple[Text, ...] = many(
        'How rules are numbered, by example: "1.1a(A)". 1 is a number, a or A a letter, i or I roman; '
        "several digits together are nested. The first example is the usual form. A game may leave them "
        "to its series.",
        lone=True,
    )


@dataclass(frozen=True, slots=True, eq=False)
class GameSequence(PlaySequence):
    """`sequence.yml`: the sequence of play; of a game also that of its series with differences."""

    steps: tuple[Step, ...] = many("The steps of a game turn. A game may leave them to its series.")


def inherited(own: Rulebook, base: Rulebook) -> Rulebook:
    """A game's rulebook with what it leaves out taken from the rulebook of its series.

    Roles and terms are taken over one by one, phrases that are no references all; the sides only where the
    game names none of its own.
    """
    numbering = NUMBERING if not own.numbers else ()
    names = (*numbering, "publisher", "cues", "joins", "through", "steps", "sides")
    taken = {name: getattr(own, name) or getattr(base, name) for name in names}
    roles = {**base.roles, **own.roles}
    if own.sides:
        # The steps of the series may name its sides, which are nobody's here: they are known, and no sides.
        roles |= {name: side for name, side in base.sides.items() if name not in {**own.sides, **own.roles}}
    never = tuple(dict.fromkeys((*own.not_references, *base.not_references)))
    return replace(
        own, **taken, roles=_ordered(roles, base.roles), terms=_terms(own, base), not_references=never
    )


def called(series: Rulebook) -> list[str]:
    """How the texts of a game name its series, whichever edition that is."""
    return [*(str(name) for name in (series.short, series.title) if name), SERIES]


def _ordered(roles: Mapping[Text, Role], first: Iterable[Text]) -> Mapping[Text, Role]:
    return {name: roles[name] for name in dict.fromkeys((*first, *roles))}


def _terms(own: Rulebook, base: Rulebook) -> Mapping[Text, Term]:
    """The terms of a game and those of its series that none of its own bears the name of."""
    taken = {str(name) for words, term in own.terms.items() for name in (words, *term.aliases)}
    terms = dict(own.terms)
    for words, term in base.terms.items():
        if words not in taken:
            left = tuple(alias for alias in term.aliases if alias not in taken)
            terms[words] = term if left == term.aliases else replace(term, aliases=left)
    return terms


def lacking(extends: str, address: str, there: Iterable[str], all_extend: Mapping[str, str]) -> str:
    """Says why an edition cannot be extended, or nothing.

    `there`: the addresses of all editions; `all_extend`: what those extend that extend something.
    """
    if extends not in there:
        if editions := [one for one in there if one.startswith(f"{extends}/")]:
            return f"{shown(extends)} is a book; say which edition of it: {' or '.join(editions)}"
        others = [one for one in there if one != address]
        return f"there is no edition {shown(extends)} here{did_you_mean(extends, others)}"
    seen = [extends]
    while seen[-1] != address and len(seen) <= MOST_EXTENDED and seen[-1] in all_extend:
        seen.append(all_extend[seen[-1]])
    if len(seen) > MOST_EXTENDED:
        return f"{address} stands on more than {MOST_EXTENDED} editions; extend one that stands on fewer"
    if seen[-1] != address:
        return ""
    leads = "that is this edition itself" if extends == address else f"{extends} leads back to {address}"
    return f"{address} cannot extend {extends}; {leads}"


class Lack(NamedTuple):
    """A difference that cannot be made: what it names is no step of the series, or `found` several.

    `among`: all steps of the series, with those around each.
    """

    named: Text
    found: Sequence[Step]
    among: Mapping[Step, Sequence[Step]]


@dataclass(frozen=True, eq=False)
class Derived:
    """The sequence of play of a series as a game plays it.

    `sequence` holds every step; `origin` says of each that is the series' which one it is, `changed` and
    `added` which differ; `dropped` are left out. `lacks`: differences that could not be made. `broken`: steps
    that would repeat one that is dropped.
    """

    sequence: PlaySequence
    origin: Mapping[Step, Step]
    changed: Mapping[Step, Difference] = field(default_factory=dict)
    added: Mapping[Step, Difference] = field(default_factory=dict)
    dropped: Sequence[tuple[Difference, Step]] = ()
    lacks: Sequence[Lack] = ()
    broken: Sequence[tuple[Difference, Step]] = ()


def derive(own: PlaySequence, base: PlaySequence) -> Derived:
    """The sequence of a series with the differences of a game."""
    return _Deriving(own, base).derived()


class _Deriving:
    """One sequence of a game; steps of the series are told apart by their identity."""

    def __init__(self, own: PlaySequence, base: PlaySequence) -> None:
        self.own, self.base = own, base
        self.paths = dict(_paths(base.steps, ()))
        self.change: dict[Step, Difference] = {}
        self.drop: dict[Step, Difference] = {}
        self.beside: dict[tuple[Step | None, str], list[Difference]] = {}
        self.lacks: list[Lack] = []
        self.origin: dict[Step, Step] = {}
        self.changed: dict[Step, Difference] = {}
        self.added: dict[Step, Difference] = {}
        for one in own.exceptions:
            self.enter(one)

    def enter(self, one: Difference) -> None:
        """Find the step that a difference is about."""
        name = one.drop or one.change or one.before or one.after
        found = steps_called(name, self.paths) if name else []
        if name and len(found) != 1:
            self.lacks.append(Lack(name, found, self.paths))
        elif one.drop:
            self.drop.setdefault(found[0], one)
        elif one.change:
            self.change.setdefault(found[0], one)
        elif one.add:
            side = "before" if one.before else "after"
            self.beside.setdefault((found[0] if found else None, side), []).append(one)

    def derived(self) -> Derived:
        dropped = {inner: one for step, one in self.drop.items() for inner in _inside(step)}
        gone = {str(step.id): one for step, one in dropped.items() if step.id}
        left = [step for step in self.paths if step not in dropped]
        broken = [(gone[step.repeats], step) for step in left if step.repeats and step.repeats in gone]
        steps = (*self.row(self.base.steps), *map(self.new, self.beside.get((None, "after"), ())))
        text = self.own.text or copied(self.base.text)
        made = replace(self.own, text=text, steps=steps)
        return Derived(
            made, self.origin, self.changed, self.added, [(d, s) for s, d in self.drop.items()],
            self.lacks, broken,
        )  # fmt: skip

    def row(self, steps: Iterable[Step]) -> tuple[Step, ...]:
        """Some steps of the series as the game goes through them."""
        row: list[Step] = []
        for step in steps:
            row += map(self.new, self.beside.get((step, "before"), ()))
            if step not in self.drop:
                row.append(self.step(step))
            row += map(self.new, self.beside.get((step, "after"), ()))
        return tuple(row)

    def new(self, one: Difference) -> Step:
        assert one.add
        self.added[one.add] = one
        return one.add

    def step(self, step: Step) -> Step:
        """A step of the series as the game goes through it."""
        made: dict[str, Any] = {
            f.name: copied(getattr(step, f.name)) for f in fields(step) if f.name not in _INSIDE
        }
        made |= {name: self.row(getattr(step, name)) for name in _INSIDE}
        made["exceptions"] = tuple(self.followed(one) for one in copied(step.exceptions) if self.holds(one))
        one = self.change.get(step)
        if one:
            new = ((f.name, getattr(one, f.name)) for f in fields(Particulars))
            made |= {name: value for name, value in new if value}
            made |= {"kind": one.kind or made["kind"], "title": one.title or made["title"]}
        entered = replace(step, **made)
        self.origin[entered] = step
        if one:
            self.changed[entered] = one
        return entered

    def holds(self, one: Difference) -> bool:
        """Whether what a turn of the series differs in is still there."""
        return not any(name and self.gone(name) for name in (one.drop, one.change))

    def gone(self, name: Text) -> bool:
        found = [step for step in self.paths if name in (step.title, step.id)]
        dropped = {inner for step in self.drop for inner in _inside(step)}
        return bool(found) and all(step in dropped for step in found)

    def followed(self, one: Difference) -> Difference:
        """What a turn of the series differs in, with the new titles of the steps that it names."""
        titles = {str(step.title): d.title for step, d in self.change.items() if d.title}
        names = {
            name: getattr(one, name) for name in ("drop", "change", "before", "after") if getattr(one, name)
        }
        new = {key: titles.get(name, name) for key, name in names.items()}
        new |= {key: None for key in ("before", "after") if key in names and self.gone(names[key])}
        return replace(one, **new)


_INSIDE = ("steps", "any_order")


def steps_called(name: str, paths: Mapping[Step, Sequence[Step]]) -> list[Step]:
    """The steps of an id, a title, or titles from the outermost in: Movement Phase › Overruns."""
    by_id = [step for step in paths if step.id == name]
    if found := by_id or [step for step in paths if step.title == name]:
        return found
    *around, last = _PATH.split(name)
    ends = [step for step in paths if last in (step.title, step.id)] if around else []
    return [step for step in ends if _leads(around, paths[step])]


def _leads(names: Sequence[str], around: Sequence[Step]) -> bool:
    """Whether steps of these names stand around a step, in this order."""
    waiting = iter(around)
    return all(any(name in (step.title, step.id) for step in waiting) for name in names)


def _paths(steps: Iterable[Step], around: tuple[Step, ...]) -> Iterator[tuple[Step, tuple[Step, ...]]]:
    """Every step with those around it, from the outermost in."""
    for step in steps:
        yield step, around
        yield from _paths((*step.steps, *step.any_order), (*around, step))


def _inside(step: Step) -> Iterator[Step]:
    yield step
    for inner in (*step.steps, *step.any_order):
        yield from _inside(inner)


def copied(value: T) -> T:
    """A part of a file that is in two editions: each text is another one of the same words and place."""
    copies: Callable[[Any], Any] = copied
    made: Any = value
    if isinstance(value, Text):
        made = Text.written(value, value.file, value.start, value.end, value.style)
    elif isinstance(value, tuple):
        made = tuple(map(copies, value))
    elif is_dataclass(value) and not isinstance(value, type):
        made = replace(value, **{f.name: copies(getattr(value, f.name)) for f in fields(value)})
    return cast(T, made)
