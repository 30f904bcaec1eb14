"""One of two editions that are compared: what it says, ready to be matched."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from rulewright.book.outline import Entry, Outline
from rulewright.book.tables import TableEntry
from rulewright.citations.shelf import Shelf
from rulewright.compare.changes.words import Word, masked, words_of
from rulewright.source.text import Text


@dataclass(frozen=True, slots=True)
class Saying:
    """A rule by what it says: its title, and its text with its notes, as they are matched."""

    title: tuple[str, ...]
    body: tuple[str, ...]


class Sayings(dict[Entry, Saying]):
    """What each rule of an edition says."""

    def __init__(self, side: Side) -> None:
        super().__init__()
        self.side = side

    def __missing__(self, entry: Entry) -> Saying:
        side = self.side
        body = tuple(word for text in side.texts(entry) for word in masked(side.words(text)))
        made = self[entry] = Saying(masked(side.words(entry.title)), body)
        return made


@dataclass(eq=False)
class Side:
    """An edition, on the shelf that its references were resolved on."""

    outline: Outline
    shelf: Shelf
    _words: dict[int, tuple[Word, ...]] = field(default_factory=dict, repr=False)

    @cached_property
    def tables(self) -> list[TableEntry]:
        return self.shelf.tables[self.outline.edition.address]

    @cached_property
    def homes(self) -> dict[Entry | TableEntry, TableEntry]:
        """The tables by the rules that they are."""
        return {table.home: table for table in self.tables}

    def words(self, text: Text | None) -> tuple[Word, ...]:
        """The words of a text of this edition, worked out once."""
        if text is None:
            return ()
        known = self._words.get(id(text))
        if known is None:
            known = self._words[id(text)] = words_of(text, self.shelf.references(text))
        return known

    @cached_property
    def sayings(self) -> Sayings:
        """What each rule says, worked out for those that are asked for."""
        return Sayings(self)

    def written(self, entry: Entry) -> tuple[str, ...] | None:
        """The texts of a rule as they are written; None where one cites, since its number may be another."""
        texts = self.texts(entry)
        return None if any(map(self.shelf.references, texts)) else tuple(map(str, texts))

    def texts(self, entry: Entry) -> list[Text]:
        """The text of a rule, and its notes. A rule that is a table is matched by its title."""
        if not entry.rule:
            return []
        return [*filter(None, [entry.rule.text]), *(note.text for note in entry.rule.notes)]

    def says(self, entry: Entry) -> bool:
        """Whether it is known what a rule says: its text, or a table, or that it has none of its own.

        In an edition that is here in part, a rule without a text is one whose text is not here.
        """
        if entry in self.homes or self.texts(entry):
            return True
        return entry.rule is not None and self.lists_everything

    @cached_property
    def lists_everything(self) -> bool:
        """Whether no number of the printed book is left out."""
        known = self.outline.edition.known
        return known is None or known.lists == "everything"
