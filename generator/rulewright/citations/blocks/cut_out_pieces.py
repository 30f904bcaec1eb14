"""Pieces of one size that are cut out of a sheet: what blocks of cards and of counters have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rulewright.book.aid_plan import PAPER_UNKNOWN
from rulewright.book.print_requirements import LENGTH
from rulewright.citations.blocks.block_content import BlockContent, BlockContext, whole_number
from rulewright.model.model_reader import LONG_LIST
from rulewright.model.paper import Paper, parse_length, parse_paper
from rulewright.source import limits
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import Problem, problem_type, quote_short

EDGE = 7.5
"""Least distance of pieces from the edge of the paper, which holds the cut marks, in mm."""

NO_ROOM = problem_type(
    "pieces-without-room",
    "Cards or counters to cut out are larger than their paper, or stand on a sheet that is folded.",
)

SMALLEST, WIDEST = 5.0, 30.0
"""How small a piece is at least, and how far two lie apart at most, in mm."""


@dataclass(frozen=True, slots=True)
class CutOutContent(BlockContent):
    """Pieces that are cut out. `pieces`: each by what finds it, and how often it is printed, as is written.

    `gap`: how far they lie apart, in mm; `backs`: whether there is a page of backs behind each of fronts.
    `named_sizes`: the sizes that have names; `default_size`: the size where none is written.
    """

    named_sizes: ClassVar[Mapping[str, Paper]] = {}
    default_size: ClassVar[str]

    size: Paper = field(kw_only=True)
    gap: float = 0.0
    pieces: tuple[tuple[Any, LocatedText | None], ...] = ()
    backs: bool = False

    @classmethod
    def parse_size(cls, text: LocatedText | None) -> Paper:
        size = (_size(text, cls.named_sizes) if text else None) or _size(cls.default_size, cls.named_sizes)
        assert size
        return size

    @property
    def expanded_pieces(self) -> list[Any]:
        """Every piece as often as it is printed, as many as there may be."""
        pieces: list[Any] = []
        for piece, count in self.pieces:
            pieces += [piece] * min(whole_number(count) or 1, limits.LIST.maximum - len(pieces))
        return pieces

    def grid_size(self, paper: Paper) -> tuple[int, int]:
        """How many stand across a paper, and how many down."""
        across, down = (
            max(0, int((room - 2 * EDGE + self.gap + 1e-6) // (length + self.gap)))
            for room, length in ((paper.width, self.size.width), (paper.height, self.size.height))
        )
        return (across, down) if across and down else (0, 0)

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """A size or a distance that is none, and more pieces than may be printed."""
        size, gap = self.yaml_value.size, self.yaml_value.gap
        if size and _size(size, self.named_sizes) is None:
            message = f"{quote_short(size)} is no size of what is cut out; write {self.default_size}"
            names = f", or {', '.join(self.named_sizes)}" if self.named_sizes else ""
            yield PAPER_UNKNOWN.problem(size.place, message + names, context.sheet.name)
        if gap and _length(gap, 0, WIDEST) is None:
            message = f"{quote_short(gap)} is no distance between pieces; write 4 mm, or leave it out"
            yield LENGTH.problem(gap.place, message, context.sheet.name)
        place, plan = self.block.sort.place, context.sheet.plan
        if plan.fold != "none":
            message = "what is cut out has no place on a sheet that is folded; make a sheet of it"
            yield NO_ROOM.problem(place, message, context.sheet.name)
        elif not self.grid_size(plan.paper)[0]:
            message = f"{self.size.width:g} x {self.size.height:g} mm has no room on {plan.paper.name} with "
            yield NO_ROOM.problem(place, f"{message}its cut marks; name larger paper", context.sheet.name)
        count = sum(whole_number(count) or 1 for _, count in self.pieces)
        if count > limits.LIST.maximum:
            message = f"this prints {count:,} of them, and {limits.LIST.describe}"
            yield LONG_LIST.problem(place, message, context.sheet.name)


def parse_gap(text: LocatedText | None) -> float:
    """The distance between pieces, in mm."""
    return (_length(text, 0, WIDEST) if text else None) or 0.0


def _size(text: str, known: Mapping[str, Paper]) -> Paper | None:
    """A size by its name, by two lengths, or by one for a square."""
    side = _length(text, SMALLEST, 400)
    paper = known.get(" ".join(text.lower().split())) or parse_paper(text)
    size = Paper(text, side, side) if side else paper
    return size if size and min(size.width, size.height) >= SMALLEST else None


def _length(text: str, minimum: float, maximum: float) -> float | None:
    length = parse_length(text)
    return length if length is not None and minimum <= length <= maximum else None
