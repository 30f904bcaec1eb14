"""Errata and answered questions, as a block of a player aid shows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import Outline
from rulewright.citations.blocks.block_content import BlockContent, BlockContext
from rulewright.model.aid import Block
from rulewright.model.erratum import ANSWERS
from rulewright.model.yaml_fields import reference_texts
from rulewright.text.text_document import plain_text


@dataclass(frozen=True, slots=True)
class ErrataContent(BlockContent):
    """Errata and answers of the edition, all or of some components, in order, without withdrawn ones."""

    content_attributes = ("errata_entries",)

    errata_entries: tuple[ErrataEntry, ...] = ()

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        kinds = [str(text) for text in block.errata.of] if block.errata else []
        entries = context.shelf.errata_entries[context.sheet.edition.address]
        standing = (entry for entry in entries if not (entry.erratum and entry.erratum.is_withdrawn))
        entries_by_kind = ((entry.erratum.kind if entry.erratum else ANSWERS, entry) for entry in standing)
        return cls(
            block,
            errata_entries=tuple(entry for kind, entry in entries_by_kind if not kinds or kind in kinds),
        )

    def empty_message(self, outline: Outline) -> str:
        return f"{outline.edition.short} has none of these in errata.yml or questions.yml"

    @property
    def words(self) -> Iterator[str]:
        return (
            plain_text(text)
            for text, cites in chain.from_iterable(
                reference_texts(entry.source) for entry in self.errata_entries
            )
            if not cites
        )
