"""Pieces of one size to cut out of a sheet: the common part of blocks of cards and of counters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from rulewright.book.aid_plan import PAPER_UNKNOWN
from rulewright.book.print_requirements import LENGTH
from rulewright.document.blocks.block_content import BlockContent, BlockContext, whole_number
from rulewright.files import limits
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, problem_type, quote_short
from rulewright.schema.model_reader import LONG_LIST
from rulewright.schema.paper import Paper, parse_length, parse_paper

EDGE = 7.5
"""Minimum distance of pieces from the edge of the paper, where the cut marks are, in mm."""

NO_ROOM = problem_type(
    "pieces-without-room",
    "Cards or counters to cut out are larger than their paper, or on a sheet that is folded.",
)

SMALLEST, WIDEST = 5.0, 30.0
"""Minimum length of a side of a piece, and maximum gap between pieces, in mm."""


@dataclass(frozen=True, slots=True)
class CutOutContent(BlockContent):
    """Pieces to cut out."""

    named_sizes: ClassVar[Mapping[str, Paper]] = {}
    default_size: ClassVar[str]
    """The size, as it would be written, of pieces without a `size:`."""

    size: Paper = field(kw_only=True)
    gap: float = 0.0  # distance between pieces, in mm
    pieces: tuple[tuple[Any, LocatedText | None], ...] = ()
    """The key of each piece, and the number of copies as written."""

    backs: bool = False  # whether each page of fronts is followed by a page of backs

    @classmethod
    def parse_size(cls, text: LocatedText | None) -> Paper:
        size = (_size(text, cls.named_sizes) if text else None) or _size(cls.default_size, cls.named_sizes)
        assert size
        return size

    @property
    def expanded_pieces(self) -> list[Any]:
        """Every piece as often as it is printed, up to the maximum size of a list."""
        pieces: list[Any] = []
        for piece, count in self.pieces:
            pieces += [piece] * min(whole_number(count) or 1, limits.LIST.maximum - len(pieces))
        return pieces

    def grid_size(self, paper: Paper) -> tuple[int, int]:
        """Return the number of columns and of rows of pieces that fit on a sheet of paper."""
        across, down = (
            max(0, int((room - 2 * EDGE + self.gap + 1e-6) // (length + self.gap)))
            for room, length in ((paper.width, self.size.width), (paper.height, self.size.height))
        )
        return (across, down) if across and down else (0, 0)

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Yield the problems of the size, the gap, the paper and the number of pieces."""
        size, gap = self.yaml_value.size, self.yaml_value.gap
        if size and _size(size, self.named_sizes) is None:
            message = f"{quote_short(size)} is not a size of pieces to cut out; write {self.default_size}"
            names = f", or {', '.join(self.named_sizes)}" if self.named_sizes else ""
            yield PAPER_UNKNOWN.problem(size.place, message + names, context.sheet.name)
        if gap and _length(gap, 0, WIDEST) is None:
            message = f"{quote_short(gap)} is not a distance between pieces; write 4 mm, or delete it"
            yield LENGTH.problem(gap.place, message, context.sheet.name)
        place, plan = self.block.sort.place, context.sheet.plan
        if plan.fold != "none":
            message = "pieces to cut out are not allowed on a folded sheet; give them a sheet of their own"
            yield NO_ROOM.problem(place, message, context.sheet.name)
        elif not self.grid_size(plan.paper)[0]:
            message = f"{self.size.width:g} x {self.size.height:g} mm has no room on {plan.paper.name} with "
            yield NO_ROOM.problem(place, f"{message}its cut marks; name larger paper", context.sheet.name)
        count = sum(whole_number(count) or 1 for _, count in self.pieces)
        if count > limits.LIST.maximum:
            message = f"this prints {count:,} of them, and {limits.LIST.describe}"
            yield LONG_LIST.problem(place, message, context.sheet.name)


def parse_gap(text: LocatedText | None) -> float:
    """Return the distance between pieces, in mm; 0 if it is missing or invalid."""
    return (_length(text, 0, WIDEST) if text else None) or 0.0


def _size(text: str, known: Mapping[str, Paper]) -> Paper | None:
    """Parse the name of a size, two lengths, or one for a square; None if it is invalid or too small."""
    side = _length(text, SMALLEST, 400)
    paper = known.get(" ".join(text.lower().split())) or parse_paper(text)
    size = Paper(text, side, side) if side else paper
    return size if size and min(size.width, size.height) >= SMALLEST else None


def _length(text: str, minimum: float, maximum: float) -> float | None:
    length = parse_length(text)
    return length if length is not None and minimum <= length <= maximum else None
