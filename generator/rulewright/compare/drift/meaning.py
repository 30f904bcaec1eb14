"""What a rule or a table says, as what cites it understands it, and the short mark of that.

How a text is broken into lines, what is bold in it and how its references are written does not count: each
reference is the rule it leads to.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from rulewright.book.outline import Entry
from rulewright.book.tables import TableEntry, table_texts
from rulewright.citations.prose import passages, plain
from rulewright.citations.resolving import Resolved
from rulewright.citations.shelf import Shelf
from rulewright.compare.changes.words import MASK, Word, words_of
from rulewright.compare.drift.lock import UNKNOWN, Meant, field_of
from rulewright.numbers.evidence import Cue
from rulewright.numbers.finder import Found
from rulewright.source.text import Text

Target = Entry | TableEntry

_REFERENCE = re.compile(r"\[\[([^\[\]]*)\]\]")
_PART = re.compile(r"¶[\w-]+ ?")
_MARKUP = re.compile(r"[\\*<>&\[]|(?:^|\n)[ ]*(?:-|\d{1,3}\.)[ ]")
_SAME = str.maketrans("’‘“”¶", "''\"\"|")


class Meanings:
    """What the rules and tables on a shelf say, each worked out once."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._said: dict[Target, str] = {}
        self._marks: dict[Target, str] = {}

    @cached_property
    def _tables(self) -> dict[Target, TableEntry]:
        return {one.home: one for tables in self.shelf.tables.values() for one in tables}

    def table(self, target: Target) -> TableEntry | None:
        """The table that a rule is, or that is cited itself."""
        return self._tables.get(target)

    def meant(self, target: Target, home: str, inside: Sequence[Entry] = ()) -> Meant:
        """What a reference in the texts of a folder means that leads to a rule or a table.

        `inside`: the rules of the range that ends there.
        """
        address = target.edition.address
        key = target.key if home == address else f"{address}:{target.key}"
        more = "".join(map(self.mark, (*inside, *self._inside(target))))
        mark = self.mark(target)
        return Meant(key, f"{mark}+{_digest(more)[:6]}" if more.strip(UNKNOWN) else mark, self.title(target))

    def title(self, target: Target) -> str:
        """Its title in plain words; empty where it has none."""
        title = target.table.title if isinstance(target, TableEntry) else target.title
        if not title:
            return ""
        return field_of(plain(title) if _MARKUP.search(title) else title)

    def mark(self, target: Target) -> str:
        """The mark of its own words."""
        known = self._marks.get(target)
        if known is None:
            said = self.said(target)
            known = self._marks[target] = _digest(said) if said else UNKNOWN
        return known

    def said(self, target: Target) -> str:
        """Its own words, each part of it by its name; empty where they are not here."""
        known = self._said.get(target)
        if known is None:
            parts = (f"¶{name} {words}" for name, words in self._parts(target) if words)
            known = self._said[target] = " ".join(parts)
        return known

    def _parts(self, target: Target) -> Iterator[tuple[str, str]]:
        address = target.edition.address
        rule = target.rule if isinstance(target, Entry) else None
        if rule:
            for name, text in (
                ("text", rule.text),
                *((str(note.kind), note.text) for note in rule.notes),
                ("closing", rule.closing),
            ):
                if text:
                    yield name, self._words(text, address)
        if table := self.table(target):
            texts = [text for text, _ in table_texts(table) if text is not table.table.title]
            prose = {id(text) for text in texts}
            cells = [*_cells(table)]
            yield (
                "cells",
                " | ".join(self._words(t, address) if id(t) in prose else field_of(t) for t in cells),
            )
            told = {id(cell) for cell in cells}
            yield "table", " ".join(self._words(text, address) for text in texts if id(text) not in told)

    def _words(self, text: Text, address: str) -> str:
        """A text in one line, each reference as a mark of the rule that it leads to."""
        resolved = self.shelf.references(text)
        if _MARKUP.search(text):
            runs = [run for one in passages(text, resolved) for run in (*one.runs, (" ", None))]
        else:
            runs, at = [], 0
            for one in resolved:
                runs += [(text[at : one.found.start], None), (text[one.found.start : one.found.end], one)]
                at = one.found.end
            runs.append((text[at:], None))
        words = (_mark_of(one, address) or run.replace("[[", "[").translate(_SAME) for run, one in runs)
        return " ".join("".join(words).split())

    def _inside(self, target: Target) -> Iterator[Entry]:
        """The rules in a rule that have no title of their own, and so are part of what it says."""
        for child in target.children if isinstance(target, Entry) else ():
            if not child.title:
                yield child
                yield from self._inside(child)


def _cells(table: TableEntry) -> Iterator[Text]:
    """What stands in a table, row by row, with what is added to its roll."""
    for grid in table.grids():
        yield from filter(None, (*grid.columns, grid.roll))
        yield from (one for row in grid.rows for pair in row.items() for one in pair)
        for modifier in grid.modifiers:
            yield from filter(None, (modifier.value, modifier.of, modifier.when))


def _mark_of(one: Resolved | None, address: str) -> str:
    """A reference as a mark; empty where it leads to no rule."""
    if not one or not one.target or not one.number or one.fault:
        return ""
    other = one.target.edition.address
    return f"[[{f'{other}:' if other != address else ''}{one.number.key}]]"


def _digest(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()[:12]


def mark_of(said: str) -> str:
    """The mark of words that are kept."""
    return _digest(said) if said else UNKNOWN


_SOMEWHERE = Resolved(Found(0, 0, None, Cue.MARK))


def words_in(said: str, now: dict[str, str] | None = None) -> list[Word]:
    """What a rule said, as words. `now`: which rules those that it cites are today."""
    found: list[Word] = []
    pieces = _REFERENCE.split(_PART.sub("\n", said))
    for at, piece in enumerate(pieces):
        if at % 2:
            key = (now or {}).get(piece, piece)
            found.append(Word(piece, MASK + key, " ", _SOMEWHERE, key))
        else:
            found += words_of(piece)
    return found


def renamed(said: str, number: Iterable[tuple[str, str]]) -> str:
    """What a rule said, the rules that it cites under other numbers."""
    numbers = dict(number)
    return _REFERENCE.sub(lambda m: f"[[{numbers.get(m[1], m[1])}]]", said)
