"""Who may do what in which phase, as a block of a player aid shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rulewright.book.outline import Outline
from rulewright.citations.blocks.part import NO_STEP, Making, Part, Signs, near_step
from rulewright.citations.matrix import Matrix, first_turn, matrix, steps_of
from rulewright.model.aid import Block
from rulewright.source.problems import Problem, shown


@dataclass(frozen=True, slots=True)
class Shown(Part):
    """The phases of a turn, and what is done in them."""

    wide = plays = True

    matrix: Matrix = field(default=Matrix(None, (), ()))

    @classmethod
    def of(cls, block: Block, making: Making) -> Part:
        said = block.matrix
        assert said
        turn = next(iter(making.called(said.of)), None) if said.of else first_turn(making.played)
        if said.of and turn is None:
            return cls(block)
        made = matrix(said, turn, making.played, making.cited)
        return cls(block, shown=frozenset(step for one in made.columns for step in one.walk()), matrix=made)

    @property
    def is_empty(self) -> bool:
        return not (self.matrix.columns and self.matrix.rows)

    def why_empty(self, outline: Outline) -> str:
        turn = self.matrix.turn
        where = shown(turn.step.title) if turn else outline.edition.short
        if not self.matrix.columns:
            return f"{where} has no phases"
        return f"nothing is done in two phases of {where}; list the `activities:`"

    @property
    def words(self) -> Iterator[str]:
        return (row.title for row in self.matrix.rows)

    @property
    def signs(self) -> Signs:
        cells = [cell for row in self.matrix.rows for cell in row.cells]
        return Signs(
            tuple(one for cell in cells for one in cell.actors), never=any(cell.never for cell in cells)
        )

    def faults(self, making: Making) -> Iterator[Problem]:
        """Steps of activities that the turn does not have."""
        turn, columns = self.matrix.turn, self.matrix.columns
        for name in self.matrix.unknown if columns else ():
            inside = (step for _, step in steps_of(turn, columns))
            where = shown(turn.step.title) if turn else "the sequence of play"
            yield NO_STEP.at(name.place, f"{where} has no step {shown(name)}{near_step(name, inside)}", name)
