"""A table of a page as the table of a book: columns, rows, and the dice that find a row where that is
certain."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rulewright.book.sequence import slug
from rulewright.importers.website.blocks import WORD, Cell, Grid, said
from rulewright.importers.website.page_prose import ProseWriter, written_words
from rulewright.importers.website.rule_tree import RuleNode
from rulewright.model import dice
from rulewright.model.table import ROLL
from rulewright.source.amounts import whole
from rulewright.source.writing import Brief, Label, Value

_EMPTY = "—"
_ROLLS = re.compile(
    r"\b(?:roll|rolls|die|dice|dr|wurf|würfel|würfelwurf|dé|dés|tirada|dado|\d*d\d+)\b", re.IGNORECASE
)
_DICE = re.compile(r"\b(\d{0,2}[dD]\d{1,3})\b")
_USUAL = ("1d6", "2d6", "1d10", "d66", "1d20", "3d6", "2d10", "1d8", "1d12", "1d100")
_COUNTS = {
    "one die": "1d6",
    "two dice": "2d6",
    "three dice": "3d6",
    "zwei würfel": "2d6",
    "ein würfel": "1d6",
}


@dataclass(slots=True)
class TableDraft:
    """A table as it is written, and its name among files."""

    name: str
    entries: dict[str, Value]
    remarks: list[str] = field(default_factory=list)


def table_draft(
    node: RuleNode, grid: Grid, title: str, named: str, writer: ProseWriter, chapter: str, *, numbered: bool
) -> TableDraft | None:
    """Make a table of a grid, or None where it has no rows.

    `title`: what stands above it, `named` its rule's; `numbered`: it is the only one of its rule, and has its
    number.
    """
    before, mended = len(writer.told.turned), len(writer.told.mended)
    rows, heads = _filled(grid, node, writer, chapter)
    body = rows[heads:]
    if not body or not any(any(row) for row in body):
        words = " ".join(said(cell.pieces) for row in grid.rows for cell in row)
        writer.told.turn(node.page, grid.line, words, "", "a table without rows, left out")
        return None
    headings = _headings(rows[:heads], len(rows[0]))
    caption = writer.inline(node.page, grid.caption, chapter)
    entered = [(one.was, one.now) for one in writer.told.turned[before:]]
    entered += [(one.was, one.now) for _, one in dict.fromkeys(writer.told.mended[mended:])]
    roll = _roll(headings, body, f"{caption} {title} {named}")
    name = (named if numbered else "") or caption or title or named or f"Table of {node.printed}"
    entries: dict[str, Value] = {"number": Label(node.printed)} if numbered else {"id": slug(name)}
    entries["title"] = name
    if caption and caption != name:
        entries["text"] = caption
    if roll:
        entries["roll"] = roll
    entries["columns"] = headings[bool(roll) :]
    entries["rows"] = [Brief(_row(headings, row, bool(roll))) for row in body]
    short = slug(node.printed) if not re.search(r"[\w.]+\Z", node.printed) else ""
    short = short or re.sub(r"[^\w.-]+", "-", node.printed).strip("-")
    made = TableDraft(short if numbered else slug(name), entries)
    if not any(cell.heads for row in grid.rows for cell in row):
        what = "the table has no heading row, so its first row is taken for one"
        writer.told.guess(node.page, grid.line, what)
        made.remarks.append("The page does not mark a heading row; the first row is taken for one.")
    if _ROLLS.search(headings[0]) and not roll:
        what = f"“{headings[0]}” looks like dice, but its rows do not hold for each roll once"
        writer.told.guess(node.page, grid.line, what)
    # The words: cells that span several rows stand in each, `roll` is a key.
    source = Counter(WORD.findall(said(grid.caption)))
    for cell in (cell for row in grid.rows for cell in row):
        told = (f" {p.text} {p.picture.caption} " if p.picture else p.text for p in cell.pieces)
        source.update(WORD.findall("".join(told)))
    for was, now in entered:  # the address of a link, words for a picture: entered already
        source.subtract(WORD.findall(was))
        source.update(WORD.findall(now))
    kept = Counter(written_words(entries))
    words = " ".join((source - kept).elements())
    if words and words.lower() in " ".join(word for row in rows[:heads] for word in row).lower():
        writer.told.turn(node.page, grid.line, words, "", "the heading over the rolls of a table")
    if more := " ".join((kept - source).elements()):
        writer.told.turn(node.page, grid.line, "", more, "cells, titles, dice of a table")
    return made


def _filled(grid: Grid, node: RuleNode, writer: ProseWriter, chapter: str) -> tuple[list[list[str]], int]:
    """The words of a grid in rows of one length, and how many rows are headings.

    A cell that spans several places stands in each.
    """
    held: dict[tuple[int, int], tuple[Cell, str]] = {}
    width = 0
    for y, row in enumerate(grid.rows):
        x = 0
        for cell in row:
            while (y, x) in held:
                x += 1
            words = writer.words(node.page, cell.pieces, chapter)
            for down in range(min(cell.down, len(grid.rows) - y)):
                for across in range(cell.across):
                    held[y + down, x + across] = (cell, words)
            x += cell.across
            width = max(width, x)
    empty = (Cell([]), "")
    rows = [[held.get((y, x), empty) for x in range(width)] for y in range(len(grid.rows))]
    rows = [row for row in rows if row]
    heads = 0
    while heads < len(rows) and all(cell.heads or not words for cell, words in rows[heads]):
        if not any(cell.heads for cell, _ in rows[heads]):
            break
        heads += 1
    return [[words for _, words in row] for row in rows], max(1, heads) if len(rows) > 1 else 0


def _headings(heads: Sequence[Sequence[str]], width: int) -> list[str]:
    """A heading for each column: what stands above it, from the top down, each different from the others."""
    made: dict[str, None] = {}
    last: dict[str, int] = {}  # the number that was put behind a heading last that was taken
    for at in range(width):
        parts = dict.fromkeys(row[at] for row in heads if row[at])
        name = " ".join(parts) or _EMPTY
        taken, again = name, re.fullmatch(r"(.*) (\d+)", name)
        stem, count = (again[1], whole(again[2]) or 1) if again and again[1] in made else (name, 1)
        while name in made or name == ROLL:
            last[taken] = last.get(taken, count) + 1
            name = f"{stem} {last[taken]}"
        made[name] = None
    return list(made)


def _roll(headings: Sequence[str], body: Sequence[Sequence[str]], around: str) -> str:
    """The dice of a table whose first column holds rolls, each of which has exactly one row; else nothing."""
    cells = [dice.ranges(row[0]) for row in body]
    if len(headings) < 2 or len(cells) < 2 or any(cell is None for cell in cells):
        return ""
    named = _DICE.search(headings[0]) or _DICE.search(around)
    counted = [thrown for words, thrown in _COUNTS.items() if words in f"{headings[0]} {around}".lower()]
    options = [named[1].lower()] if named else counted or (_USUAL if _ROLLS.search(headings[0]) else ())
    for option in options:
        if not (thrown := dice.dice(option)):
            continue
        every = [one for cell in cells for one in cell or ()]
        ends = {end for one in every for end in (one.low, one.high) if end is not None}
        counts = {sum(any(roll in one for one in cell or ()) for cell in cells) for roll in thrown.rolls}
        if counts == {1} and ends <= set(thrown.rolls):
            return option
    return ""


def _row(headings: Sequence[str], row: Sequence[str], rolled: bool) -> dict[str, Value]:
    cells = [cell or _EMPTY for cell in row]
    made: dict[str, Value] = {ROLL: Label(cells[0])} if rolled else {}
    made |= {
        heading: Label(cell) if re.fullmatch(r"[\d.,+−-]+", cell) else cell
        for at, (heading, cell) in enumerate(zip(headings, cells, strict=True))
        if not (rolled and at == 0)
    }
    return made
