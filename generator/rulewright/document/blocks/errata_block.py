"""Block with errata and answered questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import Outline
from rulewright.document.blocks.block_content import BlockContent, BlockContext
from rulewright.schema.aid import Block
from rulewright.schema.erratum import ANSWERS
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import reference_texts


@dataclass(frozen=True, slots=True)
class ErrataContent(BlockContent):
    """Errata and answers of the edition, all or those of some kinds, in order, without withdrawn ones."""

    content_attributes = ("errata_entries",)

    errata_entries: tuple[ErrataEntry, ...] = ()

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        kinds = [str(text) for text in block.errata.of] if block.errata else []
        entries = []
        for entry in context.index.editions[context.sheet.edition.address].errata_entries:
            kind = entry.erratum.kind if entry.erratum else ANSWERS
            if not (entry.erratum and entry.erratum.is_withdrawn) and (not kinds or kind in kinds):
                entries.append(entry)
        return cls(block, errata_entries=tuple(entries))

    def empty_message(self, outline: Outline) -> str:
        return f"{outline.edition.short} has none of these in errata.yml or questions.yml"

    @property
    def words(self) -> Iterator[str]:
        for entry in self.errata_entries:
            yield from (plain_text(text) for text, cites in reference_texts(entry.source) if not cites)
