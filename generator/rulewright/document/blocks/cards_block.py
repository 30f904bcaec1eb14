"""Block with cards to cut out; the content of each card consists of blocks too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from rulewright.document.blocks.block_content import BlockContent, BlockContext
from rulewright.document.blocks.cut_out_pieces import CutOutContent, parse_gap
from rulewright.files.problems import Problem, problem_type
from rulewright.schema.aid import Block, Card, CardFace
from rulewright.schema.paper import CARDS

BLOCK_ON_CARD = problem_type(
    "block-on-card",
    "A block on a card needs pages of its own, as other cards do, or begins a page or a column.",
)


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
    back: CardFaceContent | None  # its own back or, if it has none, the back of all cards of the block

    @property
    def faces(self) -> tuple[CardFaceContent, ...]:
        return (self.front, self.back) if self.back else (self.front,)


@dataclass(frozen=True, slots=True)
class CardsContent(CutOutContent):
    """The cards of a block. The key of each piece to cut out is the position of its card in `cards`."""

    content_attributes = ("cards",)
    named_sizes = CARDS
    default_size = "63 x 88 mm"

    cards: tuple[CardContent, ...] = ()

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        yaml_value = block.cards
        assert yaml_value

        def resolve_face(face: CardFace) -> CardFaceContent:
            allowed = (inner for inner in face.blocks if _is_allowed_on_card(inner))
            return CardFaceContent(face, tuple(map(context.part, allowed)))

        common_back = resolve_face(yaml_value.back) if yaml_value.back else None

        def resolve_card(card: Card) -> CardContent:
            back = resolve_face(card.back) if card.back else common_back
            return CardContent(card, resolve_face(card), back)  # a card has the fields of its front

        cards = tuple(map(resolve_card, yaml_value.cards))
        faces = [face for card in cards for face in card.faces]
        contents = [content for face in faces for content in face.block_contents]
        return cls(
            block=block,
            steps=tuple(dict.fromkeys(step for content in contents for step in content.steps)),
            displayed_steps=frozenset(step for content in contents for step in content.displayed_steps),
            tables=tuple(dict.fromkeys(table for content in contents for table in content.tables)),
            rules=tuple(dict.fromkeys(entry for content in contents for entry in content.rules)),
            size=cls.parse_size(yaml_value.size),
            gap=parse_gap(yaml_value.gap),
            pieces=tuple((position, card.copies) for position, card in enumerate(yaml_value.cards)),
            backs=any(card.back for card in cards),
            cards=cards,
        )

    @property
    def nested_contents(self) -> tuple[BlockContent, ...]:
        faces = dict.fromkeys(face for card in self.cards for face in card.faces)
        return tuple(content for face in faces for content in face.block_contents)

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Yield the problems of the pieces, and the blocks that are not allowed on a card."""
        yield from CutOutContent.problems(self, context)
        faces = (face for card in self.yaml_value.cards for face in (card, card.back))
        for face in filter(None, (*faces, self.yaml_value.back)):
            for block in face.blocks:
                is_allowed = _is_allowed_on_card(block)
                if is_allowed and not block.starts:
                    continue
                key = "`starts`" if is_allowed else block.sort
                message = f"{key} is not allowed on a card, which is a page of its own; delete it"
                yield BLOCK_ON_CARD.problem(block.sort.place, message, context.sheet.name)


def _is_allowed_on_card(block: Block) -> bool:
    """Return whether a block may be on a card: cards, counters and panels need pages of their own."""
    return not (block.cards or block.counters or block.panel)
