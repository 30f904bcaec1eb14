"""Block with cards to cut out; the content of each card consists of blocks too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from rulewright.citations.blocks.block_content import BlockContent, BlockContext
from rulewright.citations.blocks.cut_out_pieces import CutOutContent, parse_gap
from rulewright.model.aid import Block, Card, CardFace
from rulewright.model.paper import CARDS
from rulewright.source.problems import Problem, problem_type

BLOCK_ON_CARD = problem_type(
    "block-on-card", "A block on a card is one that needs or begins pages of its own."
)


@dataclass(frozen=True, slots=True, eq=False)
class CardFaceContent:
    """A face of a card with the content of its blocks."""

    face_spec: CardFace
    parts: tuple[BlockContent, ...]


@dataclass(frozen=True, slots=True)
class CardsContent(CutOutContent):
    """The cards, each with its front and, if it has one, its back."""

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

        def optional_face(face_spec: CardFace | None) -> CardFaceContent | None:
            return face(face_spec) if face_spec else None

        common = optional_face(spec.back)
        faces = tuple((card, face(card), optional_face(card.back) or common) for card in spec.cards)
        both_faces = (both for _, *both in faces)
        inner = [part for content in filter(None, chain.from_iterable(both_faces)) for part in content.parts]
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
        contents = dict.fromkeys(content for _, *both in self.faces for content in both if content)
        return tuple(part for content in contents for part in content.parts)

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Yield the problems of the size, and the blocks that do not fit on a card."""
        yield from CutOutContent.problems(self, context)
        faces = (face for card in self.yaml_value.cards for face in (card, card.back))
        for face in filter(None, (*faces, self.yaml_value.back)):
            for inner in (block for block in face.blocks if not _fits(block) or block.starts):
                key = "`starts`" if _fits(inner) else inner.sort
                message = f"{key} is not allowed on a card, which is a page of its own; delete it"
                yield BLOCK_ON_CARD.problem(inner.sort.place, message, context.sheet.name)


def _fits(block: Block) -> bool:
    return not (block.cards or block.counters or block.panel)
