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
        for placed_rule in self.nested:
            yield from placed_rule.walk()


@dataclass(frozen=True, slots=True)
class PlayOrder:
    """The rules by the steps that they are needed at first, and `unplaced`: those that no step leads to.

    The sequence as a whole, which `outline.root` stands for, may be such a step as well.
    """

    rules_by_step: dict[SequenceStep, tuple[PlacedRule, ...]]
    unplaced: tuple[PlacedRule, ...]

    def count(self, step: SequenceStep) -> int:
        return sum(
            len(list(placed_rule.walk()))
            for inner in step.iter_subtree()
            for placed_rule in self.rules_by_step.get(inner, ())
        )


def rules_in_play_order(outline: Outline, index: ReferenceIndex) -> PlayOrder:
    """The rules of an edition in order of play."""
    first = _first(outline, index)
    steps: dict[SequenceStep, tuple[PlacedRule, ...]] = {}
    for entry, step in first.items():
        steps[step] = (*steps.get(step, ()), _laid(entry, first))
    unplaced = (_laid(chapter, first) for chapter in outline.chapters if chapter not in first)
    return PlayOrder(steps, tuple(unplaced))


def _first(outline: Outline, index: ReferenceIndex) -> dict[RuleEntry, SequenceStep]:
    """The rules that steps cite, each with the first step that does.

    What a step says of itself comes before what is told of it: a phase tells of all that is done in it.
    """
    rules_cited_by_keys: dict[SequenceStep, list[RuleEntry]] = {}
    rules_cited_by_narrative: dict[SequenceStep, list[RuleEntry]] = {}
    for citation in index.citations.get(outline.edition.address, ()):
        step = citation.source
        if isinstance(step, SequenceStep):
            rules = [
                rule
                for r in citation.resolved
                if not r.fault
                for rule in (*r.rules_in_range, r.target)
                if rule
            ]
            cited_rules = (
                rules_cited_by_narrative if citation.text is step.step.narrative else rules_cited_by_keys
            ).setdefault(step, [])
            # The rule of a step comes before those that its words mention.
            cited_rules[:] = [*rules, *cited_rules] if citation.is_see_key else [*cited_rules, *rules]
    steps = [*([outline.sequence_root] if outline.sequence_root else []), *outline.iter_steps()]
    first: dict[RuleEntry, SequenceStep] = {}
    for cited in (rules_cited_by_keys, rules_cited_by_narrative):
        for step in steps:
            for entry in cited.get(step, ()):
                if entry.edition is outline.edition:
                    first.setdefault(entry, step)
    return first


def _laid(entry: RuleEntry, first: dict[RuleEntry, SequenceStep]) -> PlacedRule:
    return PlacedRule(entry, tuple(_laid(child, first) for child in entry.children if child not in first))
