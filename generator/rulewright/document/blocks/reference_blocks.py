"""Blocks that show parts of the book as they are: tables, results, rules, errata, and the legend of signs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.table_entries import TableEntry
from rulewright.document.blocks.block_content import EMPTY, BlockContent, BlockContext, Signs
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem
from rulewright.references.reference_types import cited_rules
from rulewright.schema.aid import ALL, Block
from rulewright.schema.erratum import ANSWERS
from rulewright.schema.rulebook import Rulebook
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import reference_texts
from rulewright.sequence.actors import sort_actors


@dataclass(frozen=True, slots=True)
class TablesContent(BlockContent):
    """The listed tables, without duplicates."""

    nothing = "this edition has no tables"

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        return cls(block, tables=tuple(dict.fromkeys(_tables_named(block.tables, context))))


def _tables_named(names: Sequence[str], context: BlockContext) -> Iterator[TableEntry]:
    """Yield the tables with the names; `ALL` is the name of all tables of the edition."""
    edition = context.outline.edition
    for name in names:
        if name == ALL:
            yield from context.index.editions[edition.address].tables
        elif table := context.index.find_table(edition, name):
            yield table


@dataclass(frozen=True, slots=True)
class ResultsContent(BlockContent):
    """Results with their meanings, without duplicates of several tables."""

    content_attributes = ("results",)
    nothing = "no results are explained; add `results:` to the table"

    results: tuple[tuple[LocatedText, LocatedText], ...] = ()

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        grids = (grid for table in _tables_named(block.results, context) for grid in table.grids())
        return cls(
            block, results=tuple(dict.fromkeys(item for grid in grids for item in grid.results.items()))
        )


@dataclass(frozen=True, slots=True)
class RulesContent(BlockContent):
    """The listed rules in full, without duplicates."""

    nothing = ""

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        entries = (entry for text in block.rules for entry in context.resolve(text))
        return cls(block, rules=tuple(dict.fromkeys(entries)))

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Yield the listed rules that have no text."""
        with_table = context.index.tables_by_target
        for text in self.block.rules:
            for reference in context.index.references(text):
                for entry in cited_rules([reference]):
                    if not any(rule.rule or rule in with_table for rule in entry.iter_subtree()):
                        message = f"{entry.key} has no text; transcribe it, or delete it here"
                        yield EMPTY.problem(text.location_of(reference.match.start), message, entry.key)


@dataclass(frozen=True, slots=True)
class ErrataContent(BlockContent):
    """Errata and answers of the edition, all or those of some kinds, in order, without withdrawn ones."""

    content_attributes = ("errata_entries",)
    nothing = "none of these is in errata.yml or questions.yml"

    errata_entries: tuple[ErrataEntry, ...] = ()

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        kinds = block.errata.of if block.errata else ()
        entries = []
        for entry in context.index.editions[context.sheet.edition.address].errata_entries:
            erratum = entry.erratum
            if not kinds or (erratum.kind if erratum else ANSWERS) in kinds:
                entries += [] if erratum and erratum.is_withdrawn else [entry]
        return cls(block, errata_entries=tuple(entries))

    @property
    def words(self) -> Iterator[str]:
        for entry in self.errata_entries:
            yield from (plain_text(text) for text, cites in reference_texts(entry.source) if not cites)


@dataclass(frozen=True, slots=True)
class LegendContent(BlockContent):
    """The signs that the other blocks of the sheet use."""

    content_attributes = ("legend.everyone", "legend.list_signs")
    nothing = "nothing on this sheet has a sign to explain; delete the legend"
    wide = True

    legend: Signs = field(default_factory=Signs)


def legend_of(blocks: Sequence[BlockContent], book: Rulebook) -> Signs:
    """Return the signs that blocks use."""
    signs = [part.signs for part in blocks]
    return Signs(
        sort_actors((actor for part in signs for actor in part.everyone), book),
        sort_actors((actor for part in signs for actor in part.fighters), book),
        frozenset[str]().union(*(part.list_signs for part in signs)),
        any(part.never for part in signs),
    )
