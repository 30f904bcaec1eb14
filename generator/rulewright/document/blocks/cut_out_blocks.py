"""Blocks with pieces of one size to cut out: counters of the book, and cards, whose faces have blocks too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from rulewright.book.aid_plan import PAPER_UNKNOWN
from rulewright.book.print_requirements import LENGTH
from rulewright.document.blocks.block_content import BlockContent, BlockContext, whole_number
from rulewright.files import limits
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, problem_type, quote_short
from rulewright.schema.aid import Block, Card, CardFace
from rulewright.schema.diagram_model import Counter
from rulewright.schema.model_reader import LONG_LIST
from rulewright.schema.paper import CARDS, Paper, parse_length, parse_paper

BLEED_GAP = "4 mm"
"""Gap of pieces that have a bleed of their own."""

EDGE = 9.0
"""Minimum distance of pieces from the edge of the paper, where the cut marks are, in mm."""

SMALLEST, LARGEST, WIDEST_GAP = 5.0, 400.0, 30.0
"""Minimum and maximum length of a side of a piece, and maximum gap between pieces, in mm."""

NO_ROOM = problem_type(
    "pieces-without-room",
    "Cards or counters to cut out are larger than their paper, or on a sheet that is folded.",
)
BLOCK_ON_CARD = problem_type(
    "block-on-card",
    "A block on a card needs pages of its own, as other cards do, or begins a page or a column.",
)


@dataclass(frozen=True, slots=True)
class CutOutContent(BlockContent):
    """Pieces to cut out."""

    content_attributes = ("pieces",)
    nothing = "there are no counters; list them in rulebook.yml"
    named_sizes: ClassVar[Mapping[str, Paper]] = {}
    default_size: ClassVar[str] = "15 mm"
    """The size, as it would be written, of pieces without a `size:`."""

    pieces: tuple[tuple[Any, LocatedText | None], ...] = ()
    """The key of each piece, and the number of copies as written."""
    backs: bool = False
    """Whether each page of fronts is followed by a page of backs."""

    @property
    def size(self) -> Paper:
        size = self._parse_size(self.yaml_value.size or "") or self._parse_size(self.default_size)
        assert size
        return size

    @property
    def default_gap(self) -> str:
        """The gap, as it would be written, of pieces without a `gap:`."""
        return BLEED_GAP

    @property
    def gap(self) -> float:
        """The distance between pieces, in mm; 0 if it is missing or invalid."""
        gap = _parse_length(self.yaml_value.gap or self.default_gap, 0, WIDEST_GAP)
        return gap or 0.0

    def _parse_size(self, text: str) -> Paper | None:
        """Parse the name of a size, two lengths, or one for a square; None if it is invalid or too small."""
        side = _parse_length(text, SMALLEST, LARGEST)
        paper = self.named_sizes.get(" ".join(text.lower().split())) or parse_paper(text)
        size = Paper(text, side, side) if side else paper
        return size if size and min(size.width, size.height) >= SMALLEST else None

    @property
    def expanded_pieces(self) -> list[Any]:
        """Every piece as often as it is printed, up to the maximum size of a list."""
        pieces: list[Any] = []
        for piece, count in self.pieces:
            pieces += [piece] * min(whole_number(count) or 1, limits.LIST.maximum - len(pieces))
        return pieces

    def grid_size(self, paper: Paper) -> tuple[int, int]:
        """Return the number of columns and of rows of pieces that fit on a sheet of paper."""
        lengths = ((paper.width, self.size.width), (paper.height, self.size.height))
        across, down = (
            max(0, int((room - 2 * EDGE + self.gap + 1e-6) // (length + self.gap)))
            for room, length in lengths
        )
        return (across, down) if across and down else (0, 0)

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Yield the problems of the size, the gap, the paper and the number of pieces."""
        spec, name, plan = self.yaml_value, context.sheet.name, context.sheet.plan
        place, size = self.block.sort.place, self.size
        if spec.size and self._parse_size(spec.size) is None:
            sizes = ", ".join((self.default_size, *self.named_sizes))
            message = f"{quote_short(spec.size)} is not a size of pieces to cut out; write {sizes}"
            yield PAPER_UNKNOWN.problem(spec.size, message, name)
        if spec.gap and _parse_length(spec.gap, 0, WIDEST_GAP) is None:
            message = f"{quote_short(spec.gap)} is not a distance between pieces; write 4 mm, or delete it"
            yield LENGTH.problem(spec.gap, message, name)
        if plan.fold != "none" or not self.grid_size(plan.paper)[0]:
            message = f"{size.width:g} x {size.height:g} mm with cut marks has no room on {plan.paper.name}"
            message = "a folded sheet has no room for pieces" if plan.fold != "none" else message
            yield NO_ROOM.problem(place, f"{message}; give them a larger sheet of their own", name)
        count = sum(whole_number(count) or 1 for _, count in self.pieces)
        if count > limits.LIST.maximum:
            message = f"this prints {count:,} of them, and {limits.LIST.describe}"
            yield LONG_LIST.problem(place, message, name)


def _parse_length(text: str, minimum: float, maximum: float) -> float | None:
    length = parse_length(text)
    return length if length is not None and minimum <= length <= maximum else None


@dataclass(frozen=True, slots=True)
class CountersContent(CutOutContent):
    """The listed counters or those of the listed sides, in the number that the game has of each."""

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        known = context.sheet.edition.book.counters
        assert block.counters
        of = block.counters.of
        chosen = dict.fromkeys(name for word in of for name in counters_named(word, known)) if of else known
        sides = list(dict.fromkeys(known[name].side for name in chosen))
        names = sorted(chosen, key=lambda name: sides.index(known[name].side))
        pieces = tuple((str(name), known[name].count) for name in names)
        return cls(block, pieces=pieces, backs=any(known[name].back for name in names))


def counters_named(of: str, counters: Mapping[LocatedText, Counter]) -> list[LocatedText]:
    """Return the counter with a name or, if there is none, the counters of a side."""
    matches = [name for name in counters if name == of]
    return matches or [name for name, counter in counters.items() if counter.side == of]


@dataclass(frozen=True, slots=True, eq=False)
class CardFaceContent:
    """The front or the back of a card with the content of its blocks.

    Faces are compared by identity, so that a back of several cards counts once.
    """

    yaml_value: CardFace
    block_contents: tuple[BlockContent, ...]


class CardContent(NamedTuple):
    """A card with the content of its front and its back."""

    card: Card
    front: CardFaceContent
    back: CardFaceContent | None
    """Its own back or, if it has none, the back of all cards of the block."""


@dataclass(frozen=True, slots=True)
class CardsContent(CutOutContent):
    """The cards of a block. The key of each piece to cut out is the position of its card in `cards`."""

    named_sizes = CARDS
    default_size = "63 x 88 mm"

    cards: tuple[CardContent, ...] = field(default=())

    @property
    def default_gap(self) -> str:
        """Cards that differ in colour have a bleed of their own."""
        colours = {(card.front.yaml_value.of, card.front.yaml_value.colour) for card in self.cards}
        return BLEED_GAP if len(colours) > 1 else "0"

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        spec = block.cards
        assert spec

        def resolve_face(face: CardFace) -> CardFaceContent:
            allowed = filter(_is_allowed_on_card, face.blocks)
            return CardFaceContent(face, tuple(map(context.part, allowed)))

        common_back = resolve_face(spec.back) if spec.back else None

        def resolve_card(card: Card) -> CardContent:
            back = resolve_face(card.back) if card.back else common_back
            return CardContent(card, resolve_face(card), back)  # a card has the fields of its front

        cards = tuple(map(resolve_card, spec.cards))
        pieces = tuple((position, card.copies) for position, card in enumerate(spec.cards))
        return cls(block, pieces=pieces, backs=any(card.back for card in cards), cards=cards)

    @property
    def nested_contents(self) -> tuple[BlockContent, ...]:
        faces = dict.fromkeys(face for card in self.cards for face in (card.front, card.back) if face)
        return tuple(content for face in faces for content in face.block_contents)

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Yield the problems of the pieces, and the blocks that are not allowed on a card."""
        yield from CutOutContent.problems(self, context)
        faces = (face for card in self.yaml_value.cards for face in (card, card.back))
        for face in filter(None, (*faces, self.yaml_value.back)):
            for block in face.blocks:
                is_allowed = _is_allowed_on_card(block)
                if not is_allowed or block.starts:
                    key = "`starts`" if is_allowed else block.sort
                    message = f"{key} is not allowed on a card, which is a page of its own; delete it"
                    yield BLOCK_ON_CARD.problem(block.sort, message, context.sheet.name)


def _is_allowed_on_card(block: Block) -> bool:
    """Return whether a block may be on a card: cards, counters and panels need pages of their own."""
    return not (block.cards or block.counters or block.panel)
