"""Tables of a source as table files: heads, dice, cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from rulewright.files.yaml_writer import InlineCollection, QuotedString, Value
from rulewright.imports import Entries
from rulewright.imports.blocks import Runs, SourceBlock, expand_spans
from rulewright.schema import dice
from rulewright.schema.table import ROLL
from rulewright.sequence.sequence_step import title_slug

EMPTY = "—"
_ROLL_WORDS = re.compile(
    r"\b(?:roll|rolls|die|dice|dr|wurf|würfel|würfelwurf|dé|dés|tirada|dado|\d*d\d+)\b", re.IGNORECASE
)
_DICE = re.compile(r"\b(\d{0,2}[dD]\d{1,3})\b")
_USUAL = ("1d6", "2d6", "1d10", "d66", "1d20", "3d6", "2d10", "1d8", "1d12", "1d100")
_COUNTS = {"one die": 1, "two dice": 2, "three dice": 3, "zwei würfel": 2, "ein würfel": 1}
_MAX_LISTED = 5


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A table: the rows of its heads and of its body, all of the same length."""

    header_rows: Sequence[Sequence[str]]
    body: Sequence[Sequence[str]]

    def columns(self) -> list[str]:
        """Return a heading for each column, each different from the others."""
        rows = self.header_rows
        if len(rows) == 2 and len({*rows[1]}) == len(rows[1]):
            rows = rows[1:]  # the upper heads are groups of columns
        columns: dict[str, None] = {}
        counts: Counter[str] = Counter()
        for index in range(len(self.body[0])):
            words = name = " ".join(dict.fromkeys(row[index] for row in rows if row[index])) or EMPTY
            while name in columns or name == ROLL:
                counts[words] += 1
                name = f"{words} {counts[words] + 1}"
            columns[name] = None
        return [*columns]

    def entries(self, number: str, title: str, text: str, context: str) -> tuple[Entries, str]:
        """Return the keys of the table's file, and what is wrong with its rolls.

        `context`: words that may name the dice. A table without a number has an address of its title.
        """
        columns = self.columns()
        roll, fault = _detect_dice(columns, self.body, context)
        entries: Entries = (
            {"number": QuotedString(number)} if number else {"id": title_slug(title) or "table"}
        )
        entries["title"] = title
        entries |= {key: words for key, words in (("text", text), ("roll", roll)) if words}
        entries["columns"] = columns[bool(roll) :]
        if len(self.header_rows) == 2:
            entries |= self._upper_heads(columns)
        names = [ROLL, *columns[1:]] if roll else columns
        rows: list[Value] = []
        for row in self.body:
            cells: Entries = {}
            for name, cell in zip(names, row, strict=True):
                is_quoted = name == ROLL or re.fullmatch(r"[\d.,+−-]+", cell)
                cells[name] = QuotedString(cell) if is_quoted else cell or EMPTY
            rows.append(InlineCollection(cells))
        entries["rows"] = rows
        return entries, fault

    def _upper_heads(self, columns: Sequence[str]) -> Entries:
        """Return the upper heads: over groups of columns, or as rows if lower heads are repeated."""
        upper, lower = self.header_rows
        if columns[-1] == lower[-1]:
            groups: list[Value] = []
            for title, pairs in groupby(list(zip(upper, columns, strict=True))[1:], lambda pair: pair[0]):
                names = [name for _, name in pairs]
                if title and names != [title]:
                    groups.append(InlineCollection({"title": title, "columns": names}))
            return {"column groups": groups} if groups else {}
        name = lower[0] if lower[0] not in ("", upper[0]) else " "
        rows: Entries = {}
        for key, row in ((upper[0] or EMPTY, upper), (name, lower)):
            rows[key] = InlineCollection([QuotedString(cell or EMPTY) for cell in row[1:]])
        return {"head rows": rows}


def draft_table(block: SourceBlock, words: Callable[[Runs], str]) -> TableDraft | None:
    """Return the words of a table in rows of the same length; None if it has no body."""
    rows = expand_spans(block.rows, lambda cell: (cell.is_header, words(cell.runs)), (False, ""))
    count = 0
    while count < len(rows) and any(is_header for is_header, _ in rows[count]):
        if not all(is_header or not text for is_header, text in rows[count]):
            break
        count += 1
    texts = [[text for _, text in row] for row in rows]  # plain: ok
    count = max(1, count) if len(rows) > 1 else 0
    body = [row for row in texts[count:] if any(row)]
    return TableDraft(texts[:count], body) if body else None


def _detect_dice(columns: Sequence[str], body: Sequence[Sequence[str]], context: str) -> tuple[str, str]:
    """Return the dice of a table whose first column holds rolls, and which rolls it lacks or has twice."""
    cells = [dice.parse_roll_ranges(row[0]) for row in body]
    if len(columns) < 2 or len(cells) < 2 or not all(cells):
        return "", ""
    named_dice = _DICE.search(columns[0]) or _DICE.search(context)
    counts = [f"{n}d6" for words, n in _COUNTS.items() if words in f"{columns[0]} {context}".lower()]
    is_roll = bool(_ROLL_WORDS.search(columns[0]))
    options = [named_dice[1].lower()] if named_dice else counts or (list(_USUAL) if is_roll else [])
    faults: list[str] = []
    ranges = [rolls for cell in cells for rolls in cell or ()]
    ends = {end for rolls in ranges for end in (rolls.low, rolls.high)} - {None}
    for option in options:
        thrown = dice.parse_dice(option)
        if not thrown or not ends <= set(thrown.rolls):
            continue
        uses: Counter[int] = Counter()
        for rolls in ranges:
            uses.update(roll for roll in thrown.rolls if roll in rolls)
        gaps = [str(roll) for roll in thrown.rolls if not uses[roll]]
        doubles = [str(roll) for roll in thrown.rolls if uses[roll] > 1]
        if not gaps and not doubles:
            return option, ""
        if len(gaps) * 2 < len(thrown.rolls):
            parts = (("no row has", gaps), ("several rows have", doubles))
            texts = [f"{words} {', '.join(rolls[:_MAX_LISTED])}" for words, rolls in parts if rolls]
            faults.append(f": rolled with {option}, {' and '.join(texts)}")
    if not is_roll and not named_dice:
        return "", ""
    fault = f"“{columns[0]}” looks like dice, but its rows do not hold for each roll once"
    return "", fault + (faults[0] if faults else "")
