"""Nodes of the document tree: an edition's rules and tables as every writer reads them.

A node depends on the text and on the edition in which it is read. What it leads to is a `TargetId`; title,
page and anchor of the target are looked up when it is written. Errata are nodes: a writer shows the deleted
words, the inserted words or both. What other rules, editions and games say of a rule is not in its node.

Nodes are compared by identity. A writer is one `match` over the kinds, which mypy checks for completeness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Literal, TypeVar, dataclass_transform

from rulewright.document.targets import TargetId
from rulewright.schema.diagram_model import DiagramSpec
from rulewright.sequence.actors import Actor

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=False)
def node(kind: type[T]) -> type[T]:
    """Return a class as a kind of node: a frozen dataclass, compared by identity."""
    return dataclass(frozen=True, slots=True, eq=False)(kind)


Change = Literal["", "deleted", "inserted"]
"""Whether errata deleted or inserted a whole paragraph, list or item."""


@node
class BoldNode:
    """Bold words."""

    inline: Line


@node
class ItalicNode:
    """Italic words."""

    inline: Line


@node
class ReferenceNode:
    """Reference to a rule."""

    target: TargetId
    words: str
    number: str
    """The number in the text; below the target if that is a listed rule."""
    ends_range: bool = False
    between: tuple[TargetId, ...] = ()
    """The rules between the ends of the range that it ends."""
    has_label: bool = False
    """Its words are those of an explicit mark."""
    shows_overrides: bool = False
    """In a game, the rules that override its target follow it."""


@node
class RangeNode:
    """Both ends of a range in a list of references."""

    ends: tuple[Line, ...]


@node
class NameNode:
    """Name of a step, table, term or list item."""

    target: TargetId
    words: str


@node
class TableLinkNode:
    """Table that a sentence shows by its title."""

    target: TargetId
    words: str


@node
class ExternalNode:
    """Reference to another site."""

    words: str
    href: str
    title: str
    site: str


@node
class ImageNode:
    """Picture in a text: an icon in a sentence, a figure as a block."""

    file: str
    """Its path in the content folder; empty if the edition has no such file."""
    words: str
    alt: str
    caption: str
    width: str
    height: str


@node
class SymbolNode:
    """Symbol or counter, `:name:`, which the edition's book draws."""

    edition: str
    name: str
    stands_alone: bool
    """It is all of its text or paragraph, and is drawn larger."""


@node
class DeletedNode:
    """Words that an erratum deleted."""

    inline: Line


@node
class InsertedNode:
    """Words that an erratum inserted."""

    inline: Line


@node
class ErrataMarkNode:
    """Link to the errata that changed the words before it."""

    errata: tuple[TargetId, ...]


Inline = (
    str
    | BoldNode
    | ItalicNode
    | ReferenceNode
    | RangeNode
    | NameNode
    | TableLinkNode
    | ExternalNode
    | ImageNode
    | SymbolNode
    | DeletedNode
    | InsertedNode
    | ErrataMarkNode
)


Line = tuple[Inline, ...]
"""Text in one line."""

References = tuple[Line, ...]
"""The references of a `see:`; the two ends of a range are together."""


@node
class ParagraphNode:
    """Paragraph of a text."""

    inline: Line
    change: Change = ""
    heading: str = ""
    """Its anchor on the page of its rule if it is a heading without a number, all in bold."""


@node
class ItemNode:
    """Item of a list, with the lists and paragraphs inside it."""

    inline: Line
    blocks: Blocks
    anchor: str
    """Its anchor on the page of its rule; empty if the list has no numbers."""
    change: Change = ""


@node
class ListNode:
    """List: the number of its first item, 0 for bullets, SIGNED if each item begins with its own label."""

    first: int
    items: tuple[ItemNode, ...]
    change: Change = ""


@node
class FigureNode:
    """Picture that belongs to a rule."""

    file: str
    """Its path in the content folder; empty if the edition has no such file."""
    alt: str
    caption: Line
    width: str
    place: str


@node
class DrawingNode:
    """Diagram of hexes and counters, drawn from data."""

    edition: str
    diagram: DiagramSpec
    caption: Line
    width: str
    place: str


@node
class NoteNode:
    """Note to a rule: an example, a design note."""

    kind: str
    title: Line
    blocks: Blocks
    drawing: DrawingNode | None


@node
class HeaderCellNode:
    """Heading over columns, or repeated at the end of the rows."""

    inline: Line
    is_builtin: bool
    """Its words are those of the program."""
    scope: str
    column_span: int
    row_span: int
    notes: tuple[int, ...]
    """Indexes of the notes that it refers to."""


@node
class BodyCellNode:
    """Cell of a row."""

    inline: Line
    column: str
    scope: str
    column_span: int
    row_span: int
    notes: tuple[int, ...]
    has_rolls: bool
    is_first: bool
    """It is in the first column."""
    is_amended: bool
    repeats_row_header: bool


@node
class RowNode:
    """Row of a grid; a cell that is covered by a cell above is left out."""

    index: int
    """Index in the table from 0."""
    cells: tuple[BodyCellNode, ...]


@node
class ResultNode:
    """Meaning of a result."""

    name: str
    meaning: Line


@node
class ModifierNode:
    """Modifier of a roll."""

    value: str
    of: Line
    when: Line
    see: References


@node
class GridNode:
    """Columns and rows of one roll."""

    title: str
    label: str
    """The number of the table; "then" for a second roll."""
    roll: str
    has_odds: bool
    """It has rows of headings above its columns."""
    headings: tuple[tuple[HeaderCellNode, ...], ...]
    bodies: tuple[tuple[RowNode, ...], ...]
    nothing: str
    """The meaning of a dash alone."""
    results: tuple[ResultNode, ...]
    modifiers: tuple[ModifierNode, ...]


@node
class TableNoteNode:
    """Note below a table."""

    mark: str
    blocks: Blocks


@node
class TableNode:
    """Table: one grid, or two if a second roll follows the first."""

    target: TargetId
    number: str
    title: Line
    blocks: Blocks
    grids: tuple[GridNode, ...]
    notes: tuple[TableNoteNode, ...]


Block = ParagraphNode | ListNode | FigureNode | DrawingNode | NoteNode | ImageNode | SymbolNode | TableNode
Blocks = tuple[Block, ...]


@node
class RetirementNode:
    """Statement that a rule is no longer in force."""

    replaced_by: References
    reason: Line


@node
class RuleTreeNode:
    """Rule with everything that belongs to it, and the rules inside it."""

    target: TargetId
    printed: str
    series: str
    """In a game, the name of the series whose rule it is."""
    title: Line
    plain_title: str
    former: tuple[str, ...]
    """Former numbers, which are anchors."""
    is_transcribed: bool
    retirement: RetirementNode | None
    dated: str
    is_optional: bool
    blocks: Blocks
    shows: str
    """What is generated below the text."""
    attachments: Blocks
    """Figures, drawings and notes."""
    table: TableNode | None
    rules: tuple[RuleTreeNode, ...]
    closing: Blocks
    """Text after the rules inside it."""


@node
class FactNode:
    """Attribute of a step: optional; only combat units; +3 MP."""

    key: str
    before: str
    values: tuple[Line, ...]
    join: str
    """The word between the last two values."""

    def in_words(self, values: Sequence[str], escape: Callable[[str], str]) -> str:
        """Return the attribute with its values, both in the markup of a writer."""
        first_values = ", ".join(values[:-1])
        words = f"{first_values} {self.join} {values[-1]}" if first_values else "".join(values)
        return escape(self.before) + words


@node
class StepGroupNode:
    """Steps that belong together, with the name of their layout."""

    layout: str
    steps: tuple[StepNode, ...]


@node
class StepNode:
    """Step of the sequence of play as it is displayed."""

    target: TargetId
    kind: Literal["turn", "phase", "segment", "action"]
    level: int
    label: str
    title: Line
    plain_title: str
    abbreviation: str
    actors: tuple[Actor, ...]
    style: str
    actors_change: bool
    """Other players act than in the step around it."""
    sides: tuple[tuple[Actor, Actor], ...]
    """In a player turn, each role with its side."""
    turns: str
    """Words for a step that is a turn for each of several players."""
    is_block: bool
    is_combat: bool
    is_different: bool
    """It has the mark of a difference from the turn that is repeated."""
    has_loop: bool
    original: TargetId | None
    """The step that it is as, if it is shown by name only."""
    repetition: Line
    facts: tuple[FactNode, ...]
    references: References
    note: Line
    groups: tuple[StepGroupNode, ...]


@node
class NarrativeNode:
    """Step in words."""

    step: StepNode
    is_inner: bool
    """It is in a step that is no turn."""
    references: References
    repetition: Line
    blocks: Blocks


def rules_with_level(rule: RuleTreeNode, level: int = 0) -> Iterator[tuple[RuleTreeNode, int]]:
    """Yield a rule and all rules inside it, each with its level; that of the first is `level`."""
    yield rule, level
    for inner in rule.rules:
        yield from rules_with_level(inner, level + 1)


def errata_of(value: object) -> Iterator[TargetId]:
    """Yield the errata that changed words of a node or of nodes, in the order of the text."""
    if isinstance(value, ErrataMarkNode):
        yield from value.errata
    elif isinstance(value, tuple) and not isinstance(value, TargetId):
        for inner in value:
            yield from errata_of(inner)
    elif is_dataclass(value):
        for part in fields(value):
            yield from errata_of(getattr(value, part.name))
