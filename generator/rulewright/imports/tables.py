"""Tables of a source as table files: heads, dice, cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from rulewright.files.safe_integers import parse_int
from rulewright.files.yaml_writer import InlineCollection, QuotedString, Value
from rulewright.imports import Entries
from rulewright.schema import dice
from rulewright.schema.table import ROLL
from rulewright.sequence.sequence_step import title_slug

EMPTY = "—"
ROLL_WORDS = re.compile(
    r"\b(?:roll|rolls|die|dice|dr|wurf|würfel|würfelwurf|dé|dés|tirada|dado|\d*d\d+)\b", re.IGNORECASE
)
_DICE = re.compile(r"\b(\d{0,2}[dD]\d{1,3})\b")
_USUAL = ("1d6", "2d6", "1d10", "d66", "1d20", "3d6", "2d10", "1d8", "1d12", "1d100")
_COUNTS = {"one die": 1, "two dice": 2, "three dice": 3, "zwei würfel": 2, "ein würfel": 1}
_MOST_LISTED = 5


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A table: the rows of its heads and of its body, all of one length."""

    header_rows: Sequence[Sequence[str]]
    body: Sequence[Sequence[str]]

    def columns(self) -> list[str]:
        """Return a heading for each column, each different from the others."""
        lowest = self.header_rows[-1] if self.header_rows else ()
        unique = Counter(lowest)
        is_grouped = len(self.header_rows) == 2 and max(unique.values(), default=2) == 1
        heads = [lowest] if is_grouped else self.header_rows
        made: dict[str, None] = {}
        last: Counter[str] = Counter()
        for at in range(len(self.body[0])):
            name = taken = " ".join(dict.fromkeys(row[at] for row in heads if row[at])) or EMPTY
            again = re.fullmatch(r"(.*) (\d+)", name)
            stem, count = (again[1], parse_int(again[2]) or 1) if again and again[1] in made else (name, 1)
            while name in made or name == ROLL:
                last[taken] = max(last[taken], count) + 1
                name = f"{stem} {last[taken]}"
            made[name] = None
        return list(made)

    def entries(self, number: str, title: str, text: str, context: str) -> tuple[Entries, str]:
        """Return the keys of the table's file, and what is wrong with its rolls.

        `context`: words that may name the dice. A table without a number has an address of its title.
        """
        columns = self.columns()
        roll, fault = detect_dice(columns, self.body, context)
        entries: Entries = (
            {"number": QuotedString(number)} if number else {"id": title_slug(title) or "table"}
        )
        entries["title"] = title
        entries |= {key: words for key, words in (("text", text), ("roll", roll)) if words}
        shown = columns[bool(roll) :]
        entries["columns"] = list(shown)
        if len(self.header_rows) == 2:
            entries |= self.second_heads(columns, bool(roll))
        entries["rows"] = [InlineCollection(_row(columns, row, bool(roll))) for row in self.body]
        return entries, fault

    def second_heads(self, columns: Sequence[str], rolled: bool) -> Entries:
        """Return the upper heads: over groups of columns, or as rows if lower heads are repeated."""
        upper, lower = self.header_rows
        if columns[-1] == lower[-1]:
            pairs = list(zip(upper, lower, columns, strict=True))[1:]
            groups = [
                (title, [pair[2] for pair in own]) for title, own in groupby(pairs, lambda pair: pair[0])
            ]
            made: list[Value] = [
                InlineCollection({"title": title, "columns": names})
                for title, names in groups
                if title and (len(names) > 1 or title != names[0])
            ]
            return {"column groups": made} if made else {}
        names = (upper[0] or EMPTY, lower[0] if lower[0] not in ("", upper[0]) else " ")
        return {
            "head rows": {
                name: InlineCollection([QuotedString(head or EMPTY) for head in row[1:]])
                for name, row in zip(names, self.header_rows, strict=True)
            }
        }


def _row(columns: Sequence[str], row: Sequence[str], rolled: bool) -> Entries:
    cells = [cell or EMPTY for cell in row]
    made: Entries = {ROLL: QuotedString(cells[0])} if rolled else {}
    for at, (column, cell) in enumerate(zip(columns, cells, strict=True)):
        if not (rolled and at == 0):
            made[column] = QuotedString(cell) if re.fullmatch(r"[\d.,+−-]+", cell) else cell
    return made


def detect_dice(columns: Sequence[str], body: Sequence[Sequence[str]], context: str) -> tuple[str, str]:
    """Return the dice of a table whose first column holds rolls, and which rolls it lacks or has twice."""
    cells = [dice.parse_roll_ranges(row[0]) for row in body]
    if len(columns) < 2 or len(cells) < 2 or any(cell is None for cell in cells):
        return "", ""
    named = _DICE.search(columns[0]) or _DICE.search(context)
    counted = [f"{n}d6" for words, n in _COUNTS.items() if words in f"{columns[0]} {context}".lower()]
    is_roll = bool(ROLL_WORDS.search(columns[0]))
    options = [named[1].lower()] if named else counted or (list(_USUAL) if is_roll else [])
    faults: dict[str, str] = {}
    for option in options:
        if not (thrown := dice.parse_dice(option)):
            continue
        ranges = [one for cell in cells for one in cell or ()]
        ends = {end for one in ranges for end in (one.low, one.high) if end is not None}
        counts = {
            roll: sum(any(roll in one for one in cell or ()) for cell in cells) for roll in thrown.rolls
        }
        if set(counts.values()) == {1} and ends <= set(thrown.rolls):
            return option, ""
        gaps = [str(roll) for roll, count in counts.items() if count == 0]
        doubles = [str(roll) for roll, count in counts.items() if count > 1]
        if ends <= set(thrown.rolls) and len(gaps) * 2 < len(counts):
            parts = [
                f"{what} {', '.join(rolls[:_MOST_LISTED])}"
                for what, rolls in (("no row has", gaps), ("several rows have", doubles))
                if rolls
            ]
            faults[option] = f"rolled with {option}, {' and '.join(parts)}"
    looks = f"“{columns[0]}” looks like dice, but its rows do not hold for each roll once"
    if not is_roll and not named:
        return "", ""
    return "", next((f"{looks}: {fault}" for fault in faults.values()), looks)
