"""Contents of the blocks of a player aid: steps, tables, rules, found and in order, for a template to set.

A name that is not there shows nothing here; `checks.aids` says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from rulewright.book.checklist import Checklist, checklist
from rulewright.book.outline import Entry, Outline
from rulewright.book.remarks import in_turn
from rulewright.book.roles import Actor, acting, in_order
from rulewright.book.sequence import StepEntry
from rulewright.book.sheet import Sheet, panels_of
from rulewright.book.tables import TableEntry, table_texts
from rulewright.citations.matrix import Matrix, first_turn, matrix
from rulewright.citations.shelf import Shelf
from rulewright.model.aid import Block
from rulewright.model.amended import Amended
from rulewright.model.erratum import Erratum
from rulewright.model.keys import texts_of
from rulewright.numbers.insets import insets_of, picture_of
from rulewright.source.amounts import counted
from rulewright.source.text import Text

ALL = "all"
"""The word for every table of the edition."""


@dataclass(frozen=True, slots=True)
class Legend:
    """The signs of who acts that a sheet uses. `fighters` have combat actions on it."""

    everyone: tuple[Actor, ...] = ()
    fighters: tuple[Actor, ...] = ()
    any_order: bool = False
    never: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A block with what it shows.

    `steps` are the outermost, `shown` those of them and in them that its depth reaches; `text` is what holds
    for the whole sequence of play.
    """

    block: Block
    steps: tuple[StepEntry, ...] = ()
    shown: frozenset[StepEntry] = field(default=frozenset(), repr=False)
    tables: tuple[TableEntry, ...] = ()
    rules: tuple[Entry, ...] = ()
    matrix: Matrix | None = None
    checklist: Checklist | None = None
    legend: Legend | None = None
    text: Text | None = None

    @property
    def sort(self) -> str:
        """Kind of block, by the word that the file has for it: `sequence`, `tables`."""
        return str(self.block.sort)

    @property
    def entries(self) -> list[Entry]:
        """The rules that it shows, with those inside them."""
        return [one for rule in self.rules for one in rule.walk() if one.rule]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to see of it but its heading."""
        return not _seen(self)


@dataclass(frozen=True, slots=True)
class Panel:
    """The blocks of a panel; those ahead of the first one, or of a sheet without any, have no name."""

    name: str | None
    parts: tuple[Part, ...]


def parts(sheet: Sheet, shelf: Shelf) -> list[Panel]:
    """Contents of the blocks of a sheet, by panel."""
    making = _Making(sheet, shelf)
    panels = [
        Panel(name and str(name), tuple(map(making.part, blocks))) for name, blocks in panels_of(sheet.aid)
    ]
    legend = _legend([part for panel in panels for part in panel.parts], sheet)
    return [
        replace(panel, parts=tuple(replace(p, legend=legend) if p.block.legend else p for p in panel.parts))
        for panel in panels
    ]


MOST = 1_000
"""More levels or turns than anybody asks for."""


def whole_number(written: Text | None) -> int | None:
    """A number of levels or turns, from 1 up; None where it is none or left out."""
    return counted(written, MOST) if written else None


def called(name: str, outline: Outline, shelf: Shelf) -> list[StepEntry]:
    """The steps of an id or a title in an edition; where a game has none of that name, its series'."""
    return next(filter(None, (one.called(name) for one in shelf.around(outline))), [])


def row(outline: Outline) -> list[StepEntry]:
    """The steps of the game turn that stand side by side in one picture of it."""
    steps = outline.steps
    while len(steps) == 1 and steps[0].is_turn and steps[0].children:
        steps = steps[0].played
    return steps


def amended_by(panels: Iterable[Panel]) -> list[Erratum]:
    """The errata as amended by which a sheet says what it says, in the order in which they hold."""
    found: set[Erratum] = set()
    for part in (part for panel in panels for part in panel.parts):
        for text in _texts(part):
            if isinstance(text, Amended):
                found.update(text.errata)
    return sorted(found, key=in_turn)


def pictures_of(panels: Iterable[Panel]) -> list[str]:
    """The names of the picture files that a sheet shows, those in its texts among them."""
    found: dict[str, None] = {}
    for part in (part for panel in panels for part in panel.parts):
        rules = [one.rule for rule in part.rules for one in rule.walk() if one.rule]
        figures = [part.block.picture, *(figure for rule in rules for figure in rule.figures)]
        found |= dict.fromkeys(map(picture_of, filter(None, figures)))
        found |= dict.fromkeys(name for text in _texts(part) for name in insets_of(text))
    return list(found)


def _texts(part: Part) -> Iterator[Text]:
    """All that a part may show; of a matrix, what its phases and the steps in them say."""
    block = part.block
    of_block = (block, *([block.list] if block.list else ()))
    phases = part.matrix.columns if part.matrix else ()
    steps = {*part.shown, *(step for phase in phases for step in phase.walk())}
    rules = (one.rule for one in part.entries)
    yield from filter(None, [part.text])
    for one in (*of_block, *(step.step for step in steps), *rules):
        yield from (text for text, _ in texts_of(one))
    for table in part.tables:
        yield from (text for text, _ in table_texts(table))
        for grid in table.grids():
            yield from grid.columns
            yield from (cell for row in grid.rows for cell in row.values())


class _Making:
    """One sheet on the shelf."""

    def __init__(self, sheet: Sheet, shelf: Shelf) -> None:
        self.shelf = shelf
        self.outline = shelf.outlines[sheet.edition.address]
        self.played = shelf.played(self.outline)

    def part(self, block: Block) -> Part:
        if block.sequence:
            steps = self.steps(block.sequence.of)
            depth, sequence = whole_number(block.sequence.depth), self.played.edition.sequence
            text = sequence.text if sequence and not block.sequence.of else None
            return Part(block, steps, frozenset(_down_to(depth, steps)), text=text)
        if block.checklist:
            return self.checklist(block)
        if block.matrix:
            return self.matrix(block)
        if block.narrative:
            tops, depth = self.steps(block.narrative.of), whole_number(block.narrative.depth)
            steps = tuple(step for step in _down_to(depth, tops) if step.told)
            return Part(block, steps, frozenset(steps))
        if block.turn:
            steps = tuple(row(self.played))
            inside = (one for step in steps if step.is_turn for one in step.played)
            return Part(block, steps, frozenset((*steps, *inside)))
        if block.tables:
            return Part(block, tables=tuple(dict.fromkeys(self.named(block.tables))))
        if block.rules:
            return Part(block, rules=tuple(dict.fromkeys(self.numbered(block.rules))))
        return Part(block)

    def steps(self, names: Sequence[Text]) -> tuple[StepEntry, ...]:
        """The steps of some names, or the outermost ones of the whole sequence."""
        found = (step for name in names for step in called(name, self.outline, self.shelf)[:1])
        return tuple(dict.fromkeys(found)) if names else tuple(self.played.steps)

    def checklist(self, block: Block) -> Part:
        assert block.checklist
        steps = self.steps((block.checklist.of,) if block.checklist.of else ())
        if block.checklist.of and not any(step.is_turn for step in steps):
            steps = tuple(inner for step in steps for inner in step.children)
        depth, turns = whole_number(block.checklist.depth), whole_number(block.checklist.turns)
        made = checklist(steps, self.outline.edition.book, depth, turns or 1)
        shown = frozenset(tick.step for group in made.groups for tick in group.ticks)
        return Part(block, steps, shown, checklist=made)

    def matrix(self, block: Block) -> Part:
        assert block.matrix
        of = block.matrix.of
        turn = next(iter(called(of, self.outline, self.shelf)), None) if of else first_turn(self.played)
        if of and turn is None:
            return Part(block)
        return Part(block, matrix=matrix(block.matrix, turn, self.played, self.cited))

    def cited(self, step: StepEntry) -> set[str]:
        """The rules that the `see:` of a step cites."""
        resolved = (one for text in step.step.see for one in self.resolve(text))
        return {one.key for one in resolved}

    def named(self, names: Iterable[Text]) -> Iterator[TableEntry]:
        for name in names:
            if name == ALL:
                yield from self.shelf.tables[self.outline.edition.address]
            elif table := self.shelf.table(self.outline.edition, name):
                yield table

    def numbered(self, texts: Iterable[Text]) -> Iterator[Entry]:
        return (entry for text in texts for entry in self.resolve(text))

    def resolve(self, text: Text) -> Iterator[Entry]:
        """The rules that a text of nothing but references means, those between the ends of a range too."""
        for one in self.shelf.references(text):
            yield from one.inside
            if one.target:
                yield one.target


def _down_to(depth: int | None, steps: Iterable[StepEntry]) -> Iterator[StepEntry]:
    """Steps on the first `depth` levels. A turn is no level of its own."""
    for top in steps:
        for step in top.walk():
            level, around = 0, step
            while around is not top and around.around:
                level += not around.is_turn
                around = around.around
            if depth is None or level + (not around.is_turn) <= depth:
                yield step


def _legend(parts: Iterable[Part], sheet: Sheet) -> Legend:
    """The signs that the parts of a sheet use."""
    actors: list[Actor] = []
    fighters: list[Actor] = []
    any_order = never = False
    for part in parts:
        actors += [one for step in part.shown for one in acting(step)]
        if part.block.sequence or part.checklist:
            fighters += [one for step in part.shown if step.combat for one in acting(step)]
        if part.block.sequence:
            any_order = any_order or any(step.any_order for step in part.shown)
        if part.checklist:
            actors += part.checklist.columns
        if part.matrix:
            cells = [cell for row in part.matrix.rows for cell in row.cells]
            actors += [one for cell in cells for one in cell.actors]
            never = never or any(cell.never for cell in cells)
    book = sheet.edition.book
    return Legend(in_order(actors, book), in_order(fighters, book), any_order, never)


def _seen(part: Part) -> object:
    """Something of what a part shows, or nothing."""
    block = part.block
    if part.matrix:
        return part.matrix.columns and part.matrix.rows
    if part.checklist:
        return part.checklist.groups
    if part.legend:
        return part.legend.everyone
    if block.rules:
        return part.entries
    return part.steps or part.tables or block.list or block.notes or block.picture
