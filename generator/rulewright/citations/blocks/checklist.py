"""The sequence of play with boxes to tick, as a block of a player aid shows it."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.book.checklist import Checklist, checklist
from rulewright.book.outline import Outline
from rulewright.citations.blocks.part import Making, Part, Signs, actors, whole_number
from rulewright.model.aid import Block
from rulewright.source.problems import shown


@dataclass(frozen=True, slots=True)
class Shown(Part):
    """The lines of a checklist and the players that tick them off."""

    wide = plays = True

    checklist: Checklist = field(kw_only=True)

    @classmethod
    def of(cls, block: Block, making: Making) -> Part:
        said = block.checklist
        assert said
        steps = making.steps((said.of,) if said.of else ())
        if said.of and not any(step.is_turn for step in steps):
            steps = tuple(inner for step in steps for inner in step.children)
        turns = whole_number(said.turns) or 1
        made = checklist(steps, making.outline.edition.book, whole_number(said.depth), turns)
        ticked = frozenset(tick.step for group in made.groups for tick in group.ticks)
        return cls(block, steps, ticked, checklist=made)

    @property
    def is_empty(self) -> bool:
        return not self.checklist.groups

    def why_empty(self, outline: Outline) -> str:
        assert self.block.checklist
        return f"{shown(self.block.checklist.of or outline.edition.short)} has no steps inside"

    @property
    def signs(self) -> Signs:
        combat = (step for step in self.shown if step.combat)
        return Signs((*actors(self.shown), *self.checklist.columns), actors(combat))
