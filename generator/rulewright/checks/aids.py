"""Checks of player aids: that all they name is there, and that no block is empty."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.book.outline import Outline
from rulewright.book.sequence import StepEntry
from rulewright.book.sheet import COUNT, Sheet
from rulewright.checks.pictures import fault_of
from rulewright.checks.tables import NO_TABLE
from rulewright.citations.blocks import ALL, Part, called, parts, whole_number
from rulewright.citations.matrix import steps_of
from rulewright.citations.shelf import Shelf
from rulewright.source.problems import Problem, did_you_mean, kind, nearest, shown
from rulewright.source.text import Text

SAME_TITLE = kind(
    "aid-title-taken", "Two player aids of an edition have one title, so that nobody can tell them apart."
)
NO_STEP = kind(
    "step-not-found", "A player aid names a step that the sequence of play, or the turn shown, does not have."
)
MANY_STEPS = kind(
    "step-ambiguous", "A player aid names a step by a title that several have. Give the one meant an `id:`."
)
EMPTY = kind("block-empty", "A block of a player aid has nothing to show, as a narrative that nobody wrote.")

MOST = {"depth": 20, "turns": 20}
"""How many levels are shown, or turns ticked off, at most."""


def titles(shelf: Shelf) -> Iterator[Problem]:
    """Player aids of the same title."""
    for sheets in shelf.sheets.values():
        first: dict[str, Sheet] = {}
        for sheet in sheets:
            title = sheet.aid.title
            other = first.setdefault(title.casefold(), sheet)
            if other is not sheet:
                message = (
                    f"{other.aid.title.file.name} has the title {shown(other.aid.title)}; choose another"
                )
                yield SAME_TITLE.at(title.place, message, sheet.name)


def blocks(shelf: Shelf) -> Iterator[Problem]:
    """Report names in blocks that lead nowhere, and blocks that show nothing though their names lead on."""
    for address, sheets in shelf.sheets.items():
        outline = shelf.outlines[address]
        for sheet in sheets:
            for panel in parts(sheet, shelf):
                for part in panel.parts:
                    found = [*_names(part, outline, shelf), *_numbers(part, sheet)]
                    yield from found or _emptiness(part, sheet, shelf.played(outline))


def _names(part: Part, outline: Outline, shelf: Shelf) -> Iterator[Problem]:
    """Steps, tables and pictures that are not there, and rules without text."""
    block, edition = part.block, outline.edition
    several = (name for one in (block.sequence, block.narrative) if one for name in one.of)
    single = (one.of for one in (block.checklist, block.matrix) if one and one.of)
    for of in (*several, *single) if shelf.played(outline).steps else ():
        yield from _step(of, outline, shelf)
    for name in part.matrix.unknown if part.matrix and part.matrix.columns else ():
        assert part.matrix
        inside = (step for _, step in steps_of(part.matrix.turn, part.matrix.columns))
        turn = shown(part.matrix.turn.step.title) if part.matrix.turn else "the sequence of play"
        yield NO_STEP.at(name.place, f"{turn} has no step {shown(name)}{_near_step(name, inside)}", name)
    for name in block.tables:
        if name != ALL and not shelf.table(edition, name):
            yield NO_TABLE.at(name.place, f"no table {shown(name)}{_near_table(name, outline, shelf)}", name)
    if block.picture and (fault := fault_of(block.picture.file, block.picture.file.file.name, edition)):
        yield fault[0].at(block.picture.file.place, fault[1], block.picture.file)
    with_table = {table.entry for tables in shelf.tables.values() for table in tables}
    for text in block.rules:
        for one in shelf.references(text):
            for entry in (*one.inside, *([one.target] if one.target and not one.fault else ())):
                if not any(rule.rule or rule in with_table for rule in entry.walk()):
                    message = f"{entry.key} has no text here; transcribe it, or leave it out"
                    yield EMPTY.at(text.place_of(one.found.start), message, entry.key)


def _step(of: Text, outline: Outline, shelf: Shelf) -> Iterator[Problem]:
    """A step that is not there, or a title that several have."""
    found = called(of, outline, shelf)
    if not found:
        steps = shelf.played(outline).every_step()
        yield NO_STEP.at(of.place, f"no step {shown(of)}{_near_step(of, steps)}", of)
    elif len(found) > 1:
        lines = ", ".join(str(step.step.title.place.line) for step in found[:-1])
        last = found[-1].step.title
        where = f"lines {lines} and {last.place.line} of {last.file.name}"
        yield MANY_STEPS.at(
            of.place, f"{len(found)} steps are called {shown(of)}; name it by its `id:`, see {where}", of
        )


def _near_step(name: str, steps: Iterable[StepEntry]) -> str:
    names = (str(name) for step in steps for name in (step.step.title, step.step.id) if name)
    return did_you_mean(name, dict.fromkeys(names))


def _near_table(name: str, outline: Outline, shelf: Shelf) -> str:
    """The table that is most like a name, by number or title."""
    tables = [table for one in outline.edition.around for table in shelf.tables.get(one.address, ())]
    if not tables:
        return f"; {outline.edition.short} has no tables"
    names = [(str(word), one) for one in tables for word in (one.anchor, one.table.title)]
    near = nearest(name, dict(names))
    return f"; did you mean {shown(near)}?" if near else did_you_mean(name, [one.anchor for one in tables])


def _numbers(part: Part, sheet: Sheet) -> Iterator[Problem]:
    """A depth or a number of turns that is none, or out of range."""
    block, checklist = part.block, part.block.checklist
    written = [("depth", one.depth) for one in (block.sequence, checklist, block.narrative) if one]
    written += [("turns", checklist.turns)] if checklist else []
    for name, text in written:
        if text is not None and not 0 < (whole_number(text) or 0) <= MOST[name]:
            message = f"{name} cannot be {shown(text)}; write a whole number from 1 to {MOST[name]}"
            yield COUNT.at(text.place, message, sheet.name)


def _emptiness(part: Part, sheet: Sheet, outline: Outline) -> Iterator[Problem]:
    """A block without anything to see; the rules of one are each told by themselves."""
    if part.is_empty and not part.block.rules:
        yield EMPTY.at(part.block.sort.place, _why(part, outline), sheet.name)


def _why(part: Part, outline: Outline) -> str:
    """Why there is nothing to see of a block."""
    block, edition = part.block, outline.edition.short
    if not outline.steps and part.sort in ("sequence", "checklist", "matrix", "narrative", "turn"):
        return f"{edition} has no sequence of play"
    if block.narrative:
        return f"no step of {shown(', '.join(block.narrative.of) or edition)} has a `narrative:`"
    if part.matrix:
        where = shown(part.matrix.turn.step.title) if part.matrix.turn else edition
        if not part.matrix.columns:
            return f"{where} has no phases"
        return f"nothing is done in two phases of {where}; list the `activities:`"
    if block.checklist:
        return f"{shown(block.checklist.of or edition)} has no steps inside"
    if block.legend:
        return "nothing on this sheet says who acts; leave the legend out"
    return f"{edition} has no tables"
