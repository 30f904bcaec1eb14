"""The order of a book: its rules as a tree in the order of the book, and its steps as a path each.

Numbers are looked up here and never compared: a range is a slice of the outline. Only to weave the
numbers that are merely listed into the chapters that are transcribed do labels decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from generator.library import Edition
from generator.model import DO, Listed, Rule, Step
from generator.numbers import Number
from generator.source import Text

TURNS = ("game turn", "player turn")
PATH = " › "


@dataclass(eq=False, slots=True)
class Entry:
    """A rule number of the book: transcribed (`rule`) or only listed (`rule` is None).

    `number.key` is its anchor and its identity; `printed` the number as the book prints it.
    """

    number: Number
    printed: Text
    edition: Edition
    title: Text | None = None
    rule: Rule | None = None
    parent: Entry | None = None
    children: list[Entry] = field(default_factory=list)
    position: int = 0

    @property
    def key(self) -> str:
        return self.number.key

    @property
    def chapter(self) -> Entry:
        """The chapter that it lies in, itself if it is one."""
        return self.parent.chapter if self.parent else self

    @property
    def level(self) -> int:
        """How deep it lies: 0 for a chapter."""
        return self.parent.level + 1 if self.parent else 0

    @property
    def transcribed(self) -> bool:
        return self.rule is not None

    def walk(self) -> Iterator[Entry]:
        """Itself and everything in it, in the order of the book."""
        yield self
        for child in self.children:
            yield from child.walk()

    def __str__(self) -> str:
        return f"{self.key} {self.title}" if self.title else self.key


@dataclass(eq=False, slots=True)
class StepEntry:
    """A step of the sequence of play in its place. `anchor` is its address on the sequence's page.

    `by`: who acts, inherited from the steps around it. `any_order`: it may be done before or after its
    neighbours. `repeated`: the step that it goes through again, roles reversed.
    """

    step: Step
    edition: Edition
    anchor: str
    by: tuple[str, ...]
    parent: StepEntry | None = None
    children: list[StepEntry] = field(default_factory=list)
    any_order: bool = False
    repeated: StepEntry | None = None

    @property
    def level(self) -> int:
        """How deep it lies: 0 for a step of the whole turn."""
        return self.parent.level + 1 if self.parent else 0

    @property
    def path(self) -> str:
        """Where it lies, for people: Movement Phase › Movement Segment › Overruns. Turns are left out."""
        above = self.parent.path if self.parent and self.parent.step.kind not in TURNS else ""
        return f"{above}{PATH}{self.step.title}" if above else str(self.step.title)

    @property
    def combat(self) -> bool:
        """Whether it is a combat action of whoever acts."""
        return self.step.activity == "combat"

    def walk(self) -> Iterator[StepEntry]:
        """Itself and everything in it, in the order of play."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(eq=False, slots=True)
class Outline:
    """One edition in order: `entries` by key in the order of the book, `steps` in the order of play.

    `again` holds rules whose number was taken already; they are in no other place.
    """

    edition: Edition
    chapters: list[Entry] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    steps: list[StepEntry] = field(default_factory=list)
    again: list[tuple[Rule, Entry]] = field(default_factory=list)

    def find(self, text: str, chapter: str = "") -> Entry | None:
        """The entry of a number as someone writes it, or None."""
        number = self.edition.dialect.parse(text.strip(), chapter)
        return self.entries.get(number.key) if number else None

    @property
    def home(self) -> str:
        """The label of the first chapter with text: what a number in the sequence leaves out, if it leaves one out."""
        return next((c.number.labels[0] for c in self.chapters if c.transcribed), "")

    def every_step(self) -> Iterator[StepEntry]:
        """All steps in the order of play."""
        for step in self.steps:
            yield from step.walk()

    def between(self, first: Entry, last: Entry) -> list[Entry]:
        """The rules from `first` to the end of `last`, in the order of the book; empty if it is before."""
        inside = list(last.walk())[-1].position
        return list(self.entries.values())[first.position : inside + 1]

    def above(self, number: Number) -> Entry | None:
        """The nearest rule above a number that the book has."""
        return next((self.entries[n.key] for n in self.edition.dialect.ancestors(number) if n.key in self.entries), None)


def arrange(edition: Edition) -> Outline:
    """The outline of an edition. Rules whose number is malformed are left out, with what is in them lifted."""
    outline = Outline(edition)
    for chapter in edition.chapters:
        _place(outline, chapter, None, "")
    _weave(outline)
    outline.chapters.sort(key=lambda entry: entry.number.ordinals)
    ordered = [entry for chapter in outline.chapters for entry in chapter.walk()]
    for position, entry in enumerate(ordered):
        entry.position = position
    outline.entries = {entry.key: entry for entry in ordered}
    if edition.sequence:
        _place_steps(outline, edition.sequence.steps, None)
        by_id = {s.step.id: s for s in outline.every_step() if s.step.id}
        for step in outline.every_step():
            step.repeated = by_id.get(step.step.repeats) if step.step.repeats else None
    return outline


def _place(outline: Outline, rule: Rule, parent: Entry | None, chapter: str) -> None:
    """Enter a rule and the rules in it below `parent`."""
    number = outline.edition.dialect.parse(rule.number, chapter)
    if number and number.key in outline.entries:
        outline.again.append((rule, outline.entries[number.key]))
    elif number:
        entry = Entry(number, rule.number, outline.edition, rule.title, rule, parent)
        outline.entries[number.key] = entry
        (parent.children if parent else outline.chapters).append(entry)
        parent, chapter = entry, chapter or number.labels[0]
    for inner in rule.rules:
        _place(outline, inner, parent, chapter)


def _weave(outline: Outline) -> None:
    """Enter the listed numbers among the transcribed ones: behind the listed one before, else by label."""
    behind: dict[Entry | None, Entry] = {}
    for listed in outline.edition.known.known if outline.edition.known else ():
        number = outline.edition.dialect.parse(listed.number)
        if number is None:
            continue
        entry = outline.entries.get(number.key)
        if entry is None:
            entry = _listed(outline, listed, number)
            siblings = entry.parent.children if entry.parent else outline.chapters
            at = siblings.index(behind[entry.parent]) + 1 if entry.parent in behind else 0
            while at < len(siblings) and siblings[at].transcribed and siblings[at].number.ordinals < number.ordinals:
                at += 1
            siblings.insert(at, entry)
        elif not entry.title:
            entry.title = listed.title
        behind[entry.parent] = entry


def _listed(outline: Outline, listed: Listed, number: Number) -> Entry:
    entry = Entry(number, listed.number, outline.edition, listed.title, parent=outline.above(number))
    outline.entries[number.key] = entry
    return entry


def _place_steps(outline: Outline, steps: tuple[Step, ...], parent: StepEntry | None, any_order: bool = False) -> None:
    """Enter steps and the steps in them below `parent`."""
    siblings = parent.children if parent else outline.steps
    taken: set[str] = set()
    for step in steps:
        name = step.id or slug(step.title)
        while name in taken:
            name = _next(name)
        taken.add(name)
        anchor = f"{parent.anchor}/{name}" if parent else name
        entry = StepEntry(step, outline.edition, anchor, _acting(step, parent), parent, any_order=any_order)
        siblings.append(entry)
        _place_steps(outline, step.steps, entry)
        _place_steps(outline, step.any_order, entry, any_order=True)


def _acting(step: Step, parent: StepEntry | None) -> tuple[str, ...]:
    """Who acts in a step: whoever it names, else who acts around it; in a player turn the phasing player."""
    if step.by:
        return step.by
    return ("phasing",) if step.phasing else parent.by if parent else ("none",)


def slug(title: str, most: int = 6) -> str:
    """A title as an address: its first words, lower case, joined with hyphens."""
    words = re.findall(r"[^\W_]+", re.sub(r"['’]|\([^)]*\)", "", title.lower()))
    return "-".join(words[:most]) or DO


def _next(name: str) -> str:
    """`name-2` after `name`, `name-3` after `name-2`."""
    m = re.fullmatch(r"(.*)-(\d+)", name)
    return f"{m[1]}-{int(m[2]) + 1}" if m else f"{name}-2"
