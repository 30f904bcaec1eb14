"""A block of a player aid with what it shows, and the sheet that it is made for.

A name that is not there shows nothing; `checks.aids` says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar

from rulewright.book.actors import Actor, actors_of_step
from rulewright.book.aid_plan import AidSheet
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.sequence import SequenceStep
from rulewright.book.table_entries import TableEntry
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.model.aid import Block
from rulewright.model.yaml_fields import reference_texts, walk_parts
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import Problem, did_you_mean, problem_type
from rulewright.source.safe_integers import parse_count
from rulewright.text.text_document import plain_text

NO_STEP = problem_type(
    "step-not-found", "A player aid names a step that the sequence of play, or the turn shown, does not have."
)
EMPTY = problem_type(
    "block-empty", "A block of a player aid has nothing to show, as a narrative that nobody wrote."
)

MOST = 1_000
"""More levels or turns than anybody asks for."""


@dataclass(frozen=True, slots=True)
class ActorSigns:
    """The signs of who acts that are used somewhere. `fighters` have combat actions there."""

    everyone: tuple[Actor, ...] = ()
    fighters: tuple[Actor, ...] = ()
    any_order: bool = False
    never: bool = False


@dataclass(frozen=True, slots=True)
class BlockContent:
    """A block with what it shows.

    `steps` are the outermost, `displayed_steps` all those that it says something of; `text` is what holds for
    the whole sequence of play. `wide`: on paper it stands across all columns; `plays`: it shows the sequence
    of play. `content_attributes`: what of it there is to see beside its heading, a field or what lies in one.
    """

    content_attributes: ClassVar[tuple[str, ...]] = ("steps", "tables", "entries")
    wide: ClassVar[bool] = False
    plays: ClassVar[bool] = False

    block: Block
    steps: tuple[SequenceStep, ...] = ()
    displayed_steps: frozenset[SequenceStep] = field(default=frozenset(), repr=False)
    tables: tuple[TableEntry, ...] = ()
    rules: tuple[RuleEntry, ...] = ()
    text: LocatedText | None = None

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        """Resolve what the block shows."""
        return cls(block)

    def adapt_to_sheet(self, blocks_on_sheet: Sequence[BlockContent], context: BlockContext) -> BlockContent:
        """Adjust the block to the others on its sheet."""
        return self

    @property
    def block_kind(self) -> str:
        """Kind of block, by the word that the file has for it: `sequence`, `tables`."""
        return str(self.block.sort)

    @property
    def yaml_value(self) -> Any:
        """The value of that word in the file."""
        return getattr(self.block, self.block_kind)

    @property
    def nested_contents(self) -> tuple[BlockContent, ...]:
        """The blocks that stand inside it, as those of cards."""
        return ()

    @property
    def entries(self) -> list[RuleEntry]:
        return [entry for rule in self.rules for entry in rule.iter_subtree() if entry.rule]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to see of it but its heading."""
        return not any(attrgetter(name)(self) for name in self.content_attributes)

    def empty_message(self, outline: Outline) -> str:
        """Why there is nothing to see of it, where the rules have such; no words where `problems` say it."""
        return f"{outline.edition.short} has nothing for it to show"

    @property
    def words(self) -> Iterator[str]:
        """The words that search finds it by, beside its title and its tables."""
        texts = chain.from_iterable(map(reference_texts, walk_parts(self.block)))
        return (plain_text(text) for text, cites in texts if not cites and text is not self.block.title)

    @property
    def signs(self) -> ActorSigns:
        return ActorSigns(actors_of_steps(self.displayed_steps))

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Problems of what it shows, beside names that lead nowhere and numbers out of range."""
        return iter(())


@dataclass(frozen=True, slots=True)
class LiteralContent(BlockContent):
    """A block that shows what the file says, and no more."""

    content_attributes = ("block",)


def actors_of_steps(steps: Iterable[SequenceStep]) -> tuple[Actor, ...]:
    """Roles and sides that act in some steps."""
    return tuple(actor for step in steps for actor in actors_of_step(step))


def whole_number(text: LocatedText | None) -> int | None:
    """A number of levels or turns, from 1 up; None where it is none or left out."""
    return parse_count(text, MOST) if text else None


def limit_depth(depth: int | None, steps: Iterable[SequenceStep]) -> Iterator[SequenceStep]:
    """Steps on the first `depth` levels. A turn is no level of its own."""
    for top in steps:
        for step in top.iter_displayed():
            level, ancestor = 0, step
            while ancestor is not top and ancestor.parent_in_play:
                level += not ancestor.is_turn
                ancestor = ancestor.parent_in_play
            if depth is None or level + (not ancestor.is_turn) <= depth:
                yield step


def step_suggestion(name: str, steps: Iterable[SequenceStep]) -> str:
    """The step that is most like a name, as messages end."""
    names = (str(name) for step in steps for name in (step.step.title, step.step.id) if name)
    return did_you_mean(name, dict.fromkeys(names))


class BlockContext:
    """A sheet on the shelf, and what names on it mean.

    `sequence_outline`: the outline with its sequence of play.
    """

    def __init__(
        self,
        sheet: AidSheet,
        index: ReferenceIndex,
        part: Callable[[Block, BlockContext], BlockContent] | None = None,
    ) -> None:
        self.sheet = sheet
        self._part = part or LiteralContent.resolve
        self.shelf = index
        self.outline = index.outlines[sheet.edition.address]
        self.sequence_outline = index.sequence_outline(self.outline)

    def part(self, block: Block) -> BlockContent:
        return self._part(block, self)

    def steps_named(self, name: str) -> list[SequenceStep]:
        """The steps of an id or a title; where the game has none of that name, its series'."""
        return next(
            filter(None, (outline.steps_named(name) for outline in self.shelf.with_series(self.outline))), []
        )

    def steps(self, names: Sequence[LocatedText]) -> tuple[SequenceStep, ...]:
        """The steps of some names, or the outermost ones of the whole sequence."""
        steps = (step for name in names for step in self.steps_named(name)[:1])
        return tuple(dict.fromkeys(steps)) if names else tuple(self.sequence_outline.steps)

    def cited_rule_keys(self, step: SequenceStep) -> set[str]:
        return {rule.key for text in step.step.see for rule in self.resolve(text)}

    def resolve(self, text: LocatedText) -> Iterator[RuleEntry]:
        """The rules that a text of nothing but references means, those between the ends of a range too."""
        for reference in self.shelf.references(text):
            yield from reference.rules_in_range
            if reference.target:
                yield reference.target
