"""List of the rules of an edition in the order in which play first needs them.

A rule is listed at the first step that cites it, or else at the first step whose narrative does, or else
below its nearest ancestor that has a step. Rules that no step leads to come last, by chapter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.outline import Outline, RuleEntry
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import cited_rules
from rulewright.sequence.sequence_step import SequenceStep


@dataclass(frozen=True, slots=True)
class PlacedRule:
    """A rule at a step."""

    entry: RuleEntry
    nested: tuple[PlacedRule, ...] = ()
    """The rules inside it that are at no step of their own."""

    def walk(self) -> Iterator[RuleEntry]:
        yield self.entry
        for placed_rule in self.nested:
            yield from placed_rule.walk()


@dataclass(frozen=True, slots=True)
class PlayOrder:
    """The rules of an edition by step."""

    rules_by_step: dict[SequenceStep, tuple[PlacedRule, ...]]
    """The rules by the step that first needs them, or by `outline.sequence.root` for the whole sequence."""

    unplaced: tuple[PlacedRule, ...]  # the rules that no step leads to

    def count(self, step: SequenceStep) -> int:
        """Return the number of rules at a step and its descendants."""
        return sum(
            len(list(placed_rule.walk()))
            for inner in step.iter_subtree()
            for placed_rule in self.rules_by_step.get(inner, ())
        )


def rules_in_play_order(outline: Outline, index: ReferenceIndex) -> PlayOrder:
    """Return the rules of an edition in play order."""
    first = _first_steps(outline, index)
    steps: dict[SequenceStep, tuple[PlacedRule, ...]] = {}
    for entry, step in first.items():
        steps[step] = (*steps.get(step, ()), _placed_rule(entry, first))
    unplaced = (_placed_rule(chapter, first) for chapter in outline.chapters if chapter not in first)
    return PlayOrder(steps, tuple(unplaced))


def _first_steps(outline: Outline, index: ReferenceIndex) -> dict[RuleEntry, SequenceStep]:
    """Map each rule that a step cites to the first such step.

    The keys of all steps come before the narratives, since the narrative of a phase covers its inner steps.
    """
    rules_cited_by_keys: dict[SequenceStep, list[RuleEntry]] = {}
    rules_cited_by_narrative: dict[SequenceStep, list[RuleEntry]] = {}
    for citation in index.editions[outline.edition.address].citations:
        step = citation.source
        if isinstance(step, SequenceStep):
            rules = [*cited_rules(citation.resolved)]
            is_narrative = citation.text is step.step.narrative
            rules_by_step = rules_cited_by_narrative if is_narrative else rules_cited_by_keys
            step_rules = rules_by_step.setdefault(step, [])
            # The rules in `see:` come before those in the text of the step.
            step_rules[:] = [*rules, *step_rules] if citation.is_see_key else [*step_rules, *rules]
    steps = [*([outline.sequence.root] if outline.sequence.root else []), *outline.sequence.iter_steps()]
    first: dict[RuleEntry, SequenceStep] = {}
    for rules_by_step in (rules_cited_by_keys, rules_cited_by_narrative):
        for step in steps:
            for entry in rules_by_step.get(step, ()):
                if entry.edition is outline.edition:
                    first.setdefault(entry, step)
    return first


def _placed_rule(entry: RuleEntry, first: dict[RuleEntry, SequenceStep]) -> PlacedRule:
    return PlacedRule(
        entry, tuple(_placed_rule(child, first) for child in entry.children if child not in first)
    )
