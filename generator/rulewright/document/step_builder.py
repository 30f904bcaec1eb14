"""Builder of the nodes of steps: the sequence of play in outline and in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from rulewright.document import nodes
from rulewright.document.document_builder import DocumentBuilder
from rulewright.document.targets import target_id
from rulewright.files.located_text import LocatedText
from rulewright.schema.text_document import plain_text
from rulewright.sequence import actors
from rulewright.sequence.repetition_phrases import (
    Part,
    attributes_text,
    group_steps,
    narrative_repetition,
    repetition_phrase,
)
from rulewright.sequence.sequence_step import SequenceStep, is_heading
from rulewright.sequence.step_attributes import step_phrases, turns_phrase

MAX_FACTS_LENGTH = 36
"""Characters of facts that have room beside the title of a phase."""


@dataclass(frozen=True, slots=True)
class StepBuilder:
    """Builder of steps. `displayed`: those to be shown, on a player aid; None for all."""

    builder: DocumentBuilder
    displayed: Collection[SequenceStep] | None = None

    def groups(self, steps: Iterable[SequenceStep]) -> tuple[nodes.StepGroupNode, ...]:
        """Return the nodes of steps, those that belong together in a group."""
        shown = [step for step in steps if self.displayed is None or step in self.displayed]
        return tuple(
            nodes.StepGroupNode(layout, tuple(map(self.step, group))) for layout, group in group_steps(shown)
        )

    def step(self, step: SequenceStep) -> nodes.StepNode:
        """Return the node of a step with the steps displayed inside it."""
        builder, keys = self.builder, step.step
        kind = "turn" if step.is_turn else "action"
        if kind == "action" and is_heading(step):
            kind = "phase" if step.is_block else "segment"
        return nodes.StepNode(
            target=target_id(step),
            kind=kind,  # type: ignore[arg-type]
            level=step.level,
            label=str(keys.label or ""),
            title=builder.inline(keys.title),
            plain_title=plain_text(keys.title),
            abbreviation=str(keys.abbreviation or ""),
            actors=tuple(self._actor(actor, step) for actor in actors.actors_of_step(step)),
            style=actors.actor_style(step),
            actors_change=step.actors_change,
            sides=tuple(
                (self._actor(role, step), self._actor(side, step)) for role, side in actors.player_sides(step)
            ),
            turns=turns_phrase(step),
            is_block=step.is_block,
            is_combat=step.is_combat,
            is_different=step.is_different,
            has_loop=bool((keys.rounds or keys.for_each) and step.displayed_steps),
            original=target_id(step.original) if step.is_same else None,
            repetition=_names(repetition_phrase(step)),
            facts=self.facts(step),
            has_short_facts=len(attributes_text(step)) <= MAX_FACTS_LENGTH,
            references=builder.references(keys.see, step),
            note=builder.inline(keys.note),
            groups=self.groups(step.displayed_steps),
        )

    def facts(self, step: SequenceStep) -> tuple[nodes.FactNode, ...]:
        """Return the attributes of a step that are not in its title."""
        facts = []
        for phrase in step_phrases(step):
            values = tuple(self._fact_value(step, phrase.key, text) for text in phrase.values)
            facts.append(nodes.FactNode(phrase.key, phrase.before, values, phrase.join))
        return tuple(facts)

    def narrative(self, step: SequenceStep) -> nodes.NarrativeNode:
        """Return the node of a step in words."""
        repetition = _names(narrative_repetition(step))
        words = step.step.narrative if step.is_turn or not repetition else None
        return nodes.NarrativeNode(
            step=StepBuilder(self.builder, ()).step(step),
            is_inner=step.parent is not None and not step.parent.is_turn,
            references=self.builder.references(step.step.see),
            repetition=repetition,
            blocks=self.builder.blocks(words),
        )

    @staticmethod
    def _actor(actor: actors.Actor, step: SequenceStep) -> nodes.ActorNode:
        has_colour = actor.style in actors.actor_colours(step.edition.book)
        return nodes.ActorNode(actor.title, actor.mark, actor.style, actor.is_builtin, has_colour)

    def _fact_value(self, step: SequenceStep, key: str, text: LocatedText) -> nodes.Line:
        """Return the nodes of a value; of a table that the step uses, the link to it."""
        inline, index = self.builder.inline(text), self.builder.index
        table = index.find_table(step.edition, text) if key == "uses" else None
        if table is None or any(
            not isinstance(node, str | nodes.BoldNode | nodes.ItalicNode) for node in inline
        ):
            return inline
        words = plain_text(text).strip() + index.table_number_used(step, table)
        return (nodes.TableLinkNode(target_id(table.cited_as), words),)


def _names(parts: Iterable[Part]) -> nodes.StepPhraseWords:
    """Return a phrase with the names of steps in it."""
    words: list[str | nodes.StepNameNode] = []
    for part in parts:
        if isinstance(part, str):
            words.append(part)
        elif part.difference == "dropped":
            words.append(
                nodes.StepNameNode(target_id(part.original), plain_text(part.step.title), part.anchor)
            )
        else:
            words.append(nodes.StepNameNode(target_id(part), plain_text(part.step.title)))
    return tuple(words)
