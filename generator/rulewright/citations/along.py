"""The rules of an edition along its sequence of play: each once, where it is first needed.

A rule stands with the first step that cites it, else with the first whose narrative does, else with the
nearest rule above it that has a step. What no step leads to stands behind, by chapters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import StepEntry
from rulewright.citations.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Laid:
    """A rule in its place, with those inside it that have no other."""

    entry: Entry
    inside: tuple[Laid, ...] = ()

    def walk(self) -> Iterator[Entry]:
        """Its rule and those inside, in the order of the book."""
        yield self.entry
        for laid in self.inside:
            yield from laid.walk()


@dataclass(frozen=True, slots=True)
class Along:
    """The rules by the steps that they are needed at first, and `rest`: those that no step leads to.

    The sequence as a whole, which `outline.root` stands for, may be such a step as well.
    """

    steps: dict[StepEntry, tuple[Laid, ...]]
    rest: tuple[Laid, ...]

    def count(self, step: StepEntry) -> int:
        """How many rules stand with a step and with those in it."""
        return sum(len(list(laid.walk())) for one in step.walk() for laid in self.steps.get(one, ()))


def along(outline: Outline, shelf: Shelf) -> Along:
    """The rules of an edition in order of play."""
    first = _first(outline, shelf)
    steps: dict[StepEntry, tuple[Laid, ...]] = {}
    for entry, step in first.items():
        steps[step] = (*steps.get(step, ()), _laid(entry, first))
    rest = (_laid(chapter, first) for chapter in outline.chapters if chapter not in first)
    return Along(steps, tuple(rest))


def _first(outline: Outline, shelf: Shelf) -> dict[Entry, StepEntry]:
    """The rules that steps cite, each with the first step that does.

    What a step says of itself comes before what is told of it: a phase tells of all that is done in it.
    """
    said: dict[StepEntry, list[Entry]] = {}
    told: dict[StepEntry, list[Entry]] = {}
    for citation in shelf.citations.get(outline.edition.address, ()):
        step = citation.source
        if isinstance(step, StepEntry):
            found = [one for r in citation.resolved if not r.fault for one in (*r.inside, r.target) if one]
            row = (told if citation.text is step.step.narrative else said).setdefault(step, [])
            # The rule of a step comes before those that its words mention.
            row[:] = [*found, *row] if citation.cites else [*row, *found]
    steps = [*([outline.root] if outline.root else []), *outline.every_step()]
    first: dict[Entry, StepEntry] = {}
    for cited in (said, told):
        for step in steps:
            for entry in cited.get(step, ()):
                if entry.edition is outline.edition:
                    first.setdefault(entry, step)
    return first


def _laid(entry: Entry, first: dict[Entry, StepEntry]) -> Laid:
    return Laid(entry, tuple(_laid(child, first) for child in entry.children if child not in first))
