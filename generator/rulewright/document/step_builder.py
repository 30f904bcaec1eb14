"""Builder of the nodes of steps: the sequence of play in outline and in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from rulewright.document.document_builder import DocumentBuilder
from rulewright.document.nodes import (
    FactNode,
    Line,
    NameNode,
    NarrativeNode,
    ReferenceNode,
    StepGroupNode,
    StepNode,
    TableLinkNode,
)
from rulewright.files.located_text import LocatedText
from rulewright.schema.text_document import plain_text
from rulewright.sequence.actors import actor_style, actors_of_step, player_sides
from rulewright.sequence.repetition_phrases import (
    Part,
    group_steps,
    narrative_repetition,
    repetition_phrase,
)
from rulewright.sequence.sequence_step import SequenceStep, is_heading
from rulewright.sequence.step_attributes import step_phrases, turns_phrase


@dataclass(frozen=True, slots=True)
class StepBuilder:
    """Builder of steps. `displayed`: those to be shown, on a player aid; None for all."""

    builder: DocumentBuilder
    displayed: Collection[SequenceStep] | None = None

    def groups(self, steps: Iterable[SequenceStep]) -> tuple[StepGroupNode, ...]:
        """Return the nodes of steps, those that belong together in a group."""
        shown = [step for step in steps if self.displayed is None or step in self.displayed]
        return tuple(
            StepGroupNode(layout, tuple(map(self.step, group))) for layout, group in group_steps(shown)
        )

    def step(self, step: SequenceStep) -> StepNode:
        """Return the node of a step with the steps displayed inside it."""
        builder, keys = self.builder, step.step
        kind = "turn" if step.is_turn else "action"
        if kind == "action" and is_heading(step):
            kind = "phase" if step.is_block else "segment"
        return StepNode(
            target=builder.target_id(step),
            kind=kind,  # type: ignore[arg-type]
            level=step.level,
            label=str(keys.label or ""),
            title=builder.inline(keys.title),
            plain_title=plain_text(keys.title),
            abbreviation=str(keys.abbreviation or ""),
            actors=actors_of_step(step),
            style=actor_style(step),
            actors_change=step.actors_change,
            sides=player_sides(step),
            turns=turns_phrase(step),
            is_block=step.is_block,
            is_combat=step.is_combat,
            is_different=step.is_different,
            has_loop=bool((keys.rounds or keys.for_each) and step.displayed_steps),
            original=builder.target_id(step.original) if step.is_same else None,
            repetition=self._names(repetition_phrase(step)),
            facts=self.facts(step),
            references=builder.references(keys.see),
            note=builder.inline(keys.note),
            groups=self.groups(step.displayed_steps),
        )

    def facts(self, step: SequenceStep) -> tuple[FactNode, ...]:
        """Return the attributes of a step that are not in its title."""
        facts = []
        for phrase in step_phrases(step):
            values = tuple(self._fact_value(step, phrase.key, text) for text in phrase.values)
            facts.append(FactNode(phrase.key, phrase.before, values, phrase.join))
        return tuple(facts)

    def narrative(self, step: SequenceStep) -> NarrativeNode:
        """Return the node of a step in words."""
        repetition = self._names(narrative_repetition(step))
        words = step.step.narrative if step.is_turn or not repetition else None
        return NarrativeNode(
            step=StepBuilder(self.builder, ()).step(step),
            is_inner=step.parent is not None and not step.parent.is_turn,
            references=self.builder.references(step.step.see),
            repetition=repetition,
            blocks=self.builder.blocks(words),
        )

    def _fact_value(self, step: SequenceStep, key: str, text: LocatedText) -> Line:
        """Return the nodes of a value; of a table that the step uses, the link to it."""
        inline, index = self.builder.inline(text), self.builder.index
        table = index.find_table(step.edition, text) if key == "uses" else None
        if table is None or any(isinstance(node, ReferenceNode) for node in inline):
            return inline
        words = plain_text(text).strip() + index.table_number_used(step, table)
        return (TableLinkNode(self.builder.target_id(table.cited_as), words),)

    def _names(self, parts: Iterable[Part]) -> Line:
        """Return a phrase with the names of steps in it; one that is dropped leads to its original."""
        words: list[str | NameNode] = []
        for part in parts:
            if isinstance(part, str):
                words.append(part)
            else:
                target = part.original if part.difference == "dropped" else part
                words.append(NameNode(self.builder.target_id(target), plain_text(part.step.title)))
        return tuple(words)
