"""The rules of an edition along its sequence of play: each once, where it is first needed.

A rule stands with the first step that cites it, else with the first whose narrative does, else with the
nearest rule above it that has a step. What no step leads to stands behind, by chapters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.sequence import SequenceStep
from rulewright.citations.reference_index import ReferenceIndex


@dataclass(frozen=True, slots=True)
class PlacedRule:
    """A rule in its place, with those inside it that have no other."""

    entry: RuleEntry
    nested: tuple[PlacedRule, ...] = ()

    def walk(self) -> Iterator[RuleEntry]:
        yield self.entry
        for laid in self.nested:
            yield from laid.walk()


@dataclass(frozen=True, slots=True)
class PlayOrder:
    """The rules by the steps that they are needed at first, and `unplaced`: those that no step leads to.

    The sequence as a whole, which `outline.root` stands for, may be such a step as well.
    """

    rules_by_step: dict[SequenceStep, tuple[PlacedRule, ...]]
    unplaced: tuple[PlacedRule, ...]

    def count(self, step: SequenceStep) -> int:
        return sum(
            len(list(laid.walk())) for one in step.iter_subtree() for laid in self.rules_by_step.get(one, ())
        )


def rules_in_play_order(outline: Outline, shelf: ReferenceIndex) -> PlayOrder:
    """The rules of an edition in order of play."""
    first = _first(outline, shelf)
    steps: dict[SequenceStep, tuple[PlacedRule, ...]] = {}
    for entry, step in first.items():
        steps[step] = (*steps.get(step, ()), _laid(entry, first))
    rest = (_laid(chapter, first) for chapter in outline.chapters if chapter not in first)
    return PlayOrder(steps, tuple(rest))


def _first(outline: Outline, shelf: ReferenceIndex) -> dict[RuleEntry, SequenceStep]:
    """The rules that steps cite, each with the first step that does.

    What a step says of itself comes before what is told of it: a phase tells of all that is done in it.
    """
    said: dict[SequenceStep, list[RuleEntry]] = {}
    told: dict[SequenceStep, list[RuleEntry]] = {}
    for citation in shelf.citations.get(outline.edition.address, ()):
        step = citation.source
        if isinstance(step, SequenceStep):
            found = [
                rule
                for r in citation.resolved
                if not r.fault
                for rule in (*r.rules_in_range, r.target)
                if rule
            ]
            row = (told if citation.text is step.step.narrative else said).setdefault(step, [])
            # The rule of a step comes before those that its words mention.
            row[:] = [*found, *row] if citation.is_see_key else [*row, *found]
    steps = [*([outline.sequence_root] if outline.sequence_root else []), *outline.iter_steps()]
    first: dict[RuleEntry, SequenceStep] = {}
    for cited in (said, told):
        for step in steps:
            for entry in cited.get(step, ()):
                if entry.edition is outline.edition:
                    first.setdefault(entry, step)
    return first


def _laid(entry: RuleEntry, first: dict[RuleEntry, SequenceStep]) -> PlacedRule:
    return PlacedRule(entry, tuple(_laid(child, first) for child in entry.children if child not in first))
