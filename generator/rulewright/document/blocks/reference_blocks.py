"""Blocks that show parts of the book as they are: tables, results, rules, errata, and the legend of signs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.table_entries import TableEntry
from rulewright.document.blocks.block_content import EMPTY, BlockContent, BlockContext
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem
from rulewright.schema.aid import ALL, Block
from rulewright.schema.erratum import ANSWERS
from rulewright.sequence.actors import Actor, all_actors
from rulewright.sequence.repetition_phrases import ways_with_signs


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
            for entry in context.resolve(text):
                if not any(rule.rule or rule in with_table for rule in entry.iter_subtree()):
                    message = f"{entry.key} has no text; transcribe it, or delete it here"
                    yield EMPTY.problem(text, message, entry.key)


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


@dataclass(frozen=True, slots=True)
class LegendContent(BlockContent):
    """The signs of the sequence of play."""

    content_attributes = ("everyone", "list_ways")
    nothing = "no step of the sequence of play has a sign to explain; delete the legend"
    wide = True

    everyone: tuple[Actor, ...] = ()
    fighters: tuple[Actor, ...] = ()
    """The actors that have combat actions."""
    list_ways: frozenset[str] = frozenset()
    """The ways in which inner steps are done that have a sign: any order, one of, at any time."""
    never: bool = False
    """There is the sign of what nobody may do."""

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        sequence = context.sequence_outline.sequence
        return cls(
            block,
            everyone=all_actors(sequence),
            fighters=all_actors(sequence, combat=True),
            list_ways=ways_with_signs(sequence.steps),
            never=any(block.matrix for block in context.sheet.aid.blocks)
            and any(step.step.never for step in sequence.iter_displayed()),
        )
