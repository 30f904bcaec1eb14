"""Cards to cut out, as a block of a player aid shows them. What stands on a card are blocks as well."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.citations.blocks.block_content import BlockContent, BlockContext
from rulewright.citations.blocks.cut_out_pieces import CutOutContent, parse_gap
from rulewright.model.aid import Block, Card, CardFace
from rulewright.model.paper import CARDS
from rulewright.source.problems import Problem, problem_type

WITHIN = problem_type(
    "block-on-card", "A block stands on a card that takes pages of its own, or begins them."
)


@dataclass(frozen=True, slots=True, eq=False)
class CardFaceContent:
    """A side of a card, and what its blocks show."""

    face_spec: CardFace
    parts: tuple[BlockContent, ...]


@dataclass(frozen=True, slots=True)
class CardsContent(CutOutContent):
    """The cards, each with its sides."""

    content_attributes = ("faces",)
    named_sizes = CARDS
    default_size = "63 x 88 mm"

    faces: tuple[tuple[Card, CardFaceContent, CardFaceContent | None], ...] = ()

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        spec = block.cards
        assert spec

        def face(face_spec: CardFace) -> CardFaceContent:
            return CardFaceContent(
                face_spec, tuple(context.part(inner) for inner in face_spec.blocks if _fits(inner))
            )

        common = face(spec.back) if spec.back else None
        faces = tuple((card, face(card), face(card.back) if card.back else common) for card in spec.cards)
        inner = [part for _, *sides in faces for side in sides if side for part in side.parts]
        return cls(
            block,
            tuple(dict.fromkeys(step for part in inner for step in part.steps)),
            frozenset(step for part in inner for step in part.displayed_steps),
            tuple(dict.fromkeys(table for part in inner for table in part.tables)),
            tuple(dict.fromkeys(entry for part in inner for entry in part.rules)),
            size=cls.parse_size(spec.size),
            gap=parse_gap(spec.gap),
            pieces=tuple((position, card.copies) for position, card in enumerate(spec.cards)),
            backs=any(back for _, _, back in faces),
            faces=faces,
        )

    @property
    def nested_contents(self) -> tuple[BlockContent, ...]:
        sides = dict.fromkeys(side for _, *both in self.faces for side in both if side)
        return tuple(part for side in sides for part in side.parts)

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Sizes that are none, and blocks that no card holds."""
        yield from CutOutContent.problems(self, context)
        faces = (face for card in self.yaml_value.cards for face in (card, card.back))
        for face in filter(None, (*faces, self.yaml_value.back)):
            for inner in (block for block in face.blocks if not _fits(block) or block.starts):
                key = "`starts`" if _fits(inner) else inner.sort
                message = f"{key} has no place on a card, which is a page of its own; take it out"
                yield WITHIN.problem(inner.sort.place, message, context.sheet.name)


def _fits(block: Block) -> bool:
    return not (block.cards or block.counters or block.panel)
