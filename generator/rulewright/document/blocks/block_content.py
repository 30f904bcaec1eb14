"""Base class of the block contents of a player aid, and the context in which they are resolved.

A name that does not exist is skipped here; `checks.aid_checks` reports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar

from rulewright.book.aid_plan import AidSheet
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.related_outlines import sequence_outline, with_series
from rulewright.book.table_entries import TableEntry
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, did_you_mean, problem_type
from rulewright.files.safe_integers import parse_count
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_types import cited_rules
from rulewright.schema.aid import Block
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import reference_texts, walk_parts
from rulewright.sequence.sequence_step import SequenceStep

NO_STEP = problem_type(
    "step-not-found", "A player aid names a step that the sequence of play, or the turn shown, does not have."
)
EMPTY = problem_type(
    "block-empty", "A block of a player aid has nothing to show, such as a narrative that is not written."
)

MOST = 1_000
"""Largest number of levels or turns."""


@dataclass(frozen=True, slots=True)
class BlockContent:
    """A block with the content that it shows."""

    content_attributes: ClassVar[tuple[str, ...]] = ("steps", "tables", "entries")
    """Dotted attributes that hold the content below the heading; if all are empty, so is the block."""
    nothing: ClassVar[str] = "this block has nothing to show; delete it"
    """Why the block is empty; empty if `problems` reports the reason."""

    wide: ClassVar[bool] = False  # whether the block spans all columns on paper
    plays: ClassVar[bool] = False  # whether the block shows the sequence of play
    block: Block
    steps: tuple[SequenceStep, ...] = ()  # the outermost steps
    tables: tuple[TableEntry, ...] = ()
    rules: tuple[RuleEntry, ...] = ()

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        """Return the block with its content."""
        return cls(block)

    @property
    def block_kind(self) -> str:
        """The key of the block in the file: `sequence`, `tables`."""
        return str(self.block.sort)

    @property
    def yaml_value(self) -> Any:
        """The value of that key."""
        return getattr(self.block, self.block_kind)

    @property
    def nested_contents(self) -> tuple[BlockContent, ...]:
        """The blocks inside the block, such as those of cards."""
        return ()

    @property
    def entries(self) -> list[RuleEntry]:
        return [entry for rule in self.rules for entry in rule.iter_subtree() if entry.rule]

    @property
    def is_empty(self) -> bool:
        """Whether the block has no content below its heading."""
        return not any(attrgetter(name)(self) for name in self.content_attributes)

    @property
    def words(self) -> Iterator[str]:
        """The searchable words of the block that are its own, except its title."""
        for source in walk_parts(self.block):
            for text, cites in reference_texts(source):
                if not cites and text is not self.block.title:
                    yield plain_text(text)

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Yield the problems of the content except unknown names and numbers out of range."""
        return iter(())


@dataclass(frozen=True, slots=True)
class LiteralContent(BlockContent):
    """A block that shows only its own YAML."""

    content_attributes = ("block",)


def whole_number(text: LocatedText | None) -> int | None:
    """Return a number of levels or turns, at least 1, or None if the text is missing or invalid."""
    return parse_count(text, MOST) if text else None


def limit_depth(depth: int | None, steps: Iterable[SequenceStep]) -> Iterator[SequenceStep]:
    """Yield the steps on the first `depth` levels; a turn does not count as a level."""
    for step in steps:
        remaining = depth if depth is None or step.is_turn else depth - 1
        if remaining is None or remaining >= 0:
            yield step
            yield from limit_depth(remaining, step.displayed_steps)


def step_suggestion(name: str, steps: Iterable[SequenceStep]) -> str:
    """Return the end of a message that suggests the step with the most similar name."""
    names = (str(name) for step in steps for name in (step.step.title, step.step.id) if name)
    return did_you_mean(name, dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class BlockContext:
    """The sheet that a block belongs to, with the means to resolve the names in it."""

    sheet: AidSheet
    index: ReferenceIndex
    contents: Mapping[str, type[BlockContent]]

    @property
    def outline(self) -> Outline:
        return self.index.outlines[self.sheet.edition.address]

    @property
    def sequence_outline(self) -> Outline:
        """The outline with the sequence of play: the edition's own or its series'."""
        return sequence_outline(self.outline, self.index.outlines)

    def part(self, block: Block) -> BlockContent:
        """Return the content of a block inside a block, such as that of a card."""
        return self.contents.get(str(block.sort), LiteralContent).resolve(block, self)

    def steps_named(self, name: str) -> list[SequenceStep]:
        """Return the steps with an id or a title; if the game has none, those of its series."""
        outlines = with_series(self.outline, self.index.outlines)
        return next(filter(None, (outline.sequence.steps_named(name) for outline in outlines)), [])

    def steps(self, names: Sequence[LocatedText]) -> tuple[SequenceStep, ...]:
        """Return the first step of each name; without names, the outermost steps of the sequence."""
        steps = (step for name in names for step in self.steps_named(name)[:1])
        return tuple(dict.fromkeys(steps)) if names else tuple(self.sequence_outline.sequence.steps)

    def resolve(self, text: LocatedText) -> Iterator[RuleEntry]:
        """Yield the rules that a text of references means, including those inside a range."""
        return cited_rules(self.index.references(text))
