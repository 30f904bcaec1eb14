"""The rules of a lock as an edition of their own, matched with today's as any two editions are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rulewright.book.library import Edition
from rulewright.book.outline import Entry, Outline, arrange
from rulewright.citations.shelf import Shelf
from rulewright.compare.changes.matching import match
from rulewright.compare.changes.side import Side
from rulewright.compare.changes.words import Word, words_of
from rulewright.compare.drift.meaning import words_in
from rulewright.model.rulebook import Chapter, EditionFile, Known, Listed, Rule
from rulewright.source.problems import File
from rulewright.source.text import Text


class Memory(NamedTuple):
    """A rule as it was when it was read: its number, its title, and its words as they are kept.

    `words` are empty where they were not known, or are those of a table.
    """

    key: str
    title: str
    words: str = ""


class _Remembered(Side):
    """An edition of remembered rules, whose texts are words as they are kept."""

    def written(self, entry: Entry) -> tuple[str, ...] | None:
        return None  # how it was written is not known

    def words(self, text: Text | None) -> tuple[Word, ...]:
        """The words of a text as they are kept; a title is kept as it is read."""
        if not text:
            return ()
        return tuple(words_in(text)) if text.startswith("¶") else words_of(text)


def heirs(
    memories: Sequence[Memory], known: Mapping[str, Entry], outline: Outline, shelf: Shelf
) -> dict[str, Entry]:
    """Which rule of an edition each remembered one is today, by its number then; one may be gone.

    Of several memories of one number the first counts. `known`: what is certain already.
    """
    old = arrange(_edition(memories, outline))
    sides = _Remembered(old, shelf), Side(outline, shelf)
    sure = {old.entries[key]: entry for key, entry in known.items() if key in old.entries}
    made = match(*sides, sure)
    return {
        entry.key: heir for entry in old.in_order if (heir := made.old.get(entry) or made.merged.get(entry))
    }


def _edition(memories: Iterable[Memory], outline: Outline) -> Edition:
    """An edition that has the remembered rules and no others.

    They stand in a chapter without a number, so that each is put where its number belongs.
    """
    file = File("", "")

    def text(words: str) -> Text:
        return Text.written(words, file, 0, 0)

    first: dict[str, Memory] = {}
    for memory in memories:
        first.setdefault(memory.key, memory)
    rules = tuple(
        Rule(number=text(one.key), title=text(one.title) if one.title else None, text=text(one.words))
        for one in first.values()
        if one.words
    )
    listed = tuple(
        Listed(number=text(one.key), title=text(one.title) if one.title else None)
        for one in first.values()
        if not one.words
    )
    return replace(
        outline.edition,
        file=EditionFile(edition=text("")),
        chapters=(Chapter(number=text(""), rules=rules),),
        known=Known(known=listed),
        sequence=None,
        unread=(),
        tables=(),
        aids=(),
        redirects=None,
    )
