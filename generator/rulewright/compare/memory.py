"""Remembered rules: which rule of an edition each rule of a lock is today, and what it says differently.

Those that are not found at a glance are put in order as an edition of their own, and matched with today's as
any two editions are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rulewright.book.library import Edition
from rulewright.book.outline import Entry, Outline, arrange
from rulewright.citations.shelf import Shelf
from rulewright.compare.lock import UNKNOWN, Meanings, field_of, words_in
from rulewright.compare.matching import ALIKE, ALIKE_HERE, BARELY, FEW, Side, match
from rulewright.compare.words import Piece, Word, difference, likeness, masked, same, words_of
from rulewright.model.rulebook import Chapter, EditionFile, Known, Listed, Rule
from rulewright.source.problems import File, shown
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


MOST_TOLD = 2
"""How many differences a message tells."""

LONGEST = 48
"""How many letters of a difference a message tells."""


class Past(NamedTuple):
    """What a rule was: its number, its title and the mark of its words."""

    key: str
    title: str
    own: str


class Fate(NamedTuple):
    """What became of a rule: which one it is today, if any, and what it says differently, told briefly."""

    heir: Entry | None
    differs: str = ""


class Fates:
    """What became of the remembered rules of one edition. `words`: what they said, by their marks.

    `moved`: the old number of each rule that has another one now, by that.
    """

    def __init__(
        self, outline: Outline, pasts: Iterable[Past], words: Mapping[str, str], meanings: Meanings
    ) -> None:
        self.outline, self.words, self.meanings = outline, words, meanings
        self._heirs: dict[Past, Entry | None] = {}
        self._fates: dict[Past, Fate] = {}
        self._work_out(sorted(set(pasts)))
        self._now = {past.key: heir.key for past, heir in self._heirs.items() if heir}
        # What came into a rule that is still itself did not become it.
        stayed = {old for old, new in self._now.items() if new == old}
        self.moved = {new: old for old, new in self._now.items() if new not in stayed}

    def of(self, past: Past) -> Fate:
        """What became of a rule."""
        if past not in self._fates:
            heir = self._heirs.get(past)
            self._fates[past] = Fate(heir, self.told(past, heir) if heir else "")
        return self._fates[past]

    def told(self, past: Past, heir: Entry) -> str:
        """What a rule says differently today; empty where it says the same, or nobody knows."""
        title = self.meanings.title(heir)
        retitled = f"it is called {shown(title) or 'nothing'} now" if title != past.title else ""
        before, after = self.words.get(past.own, ""), self.meanings.said(heir)
        if past.own == UNKNOWN or not after or self.meanings.mark(heir) == past.own:
            return retitled
        if not before:
            return retitled or "its words are others now"
        old, new = words_in(before, self._now), words_in(after)
        pieces = [] if same(old, new) else difference(old, new)
        return ", ".join(filter(None, [retitled, _told(pieces)]))

    def _work_out(self, pasts: list[Past]) -> None:
        entries, left = self.outline.entries, list[Past]()
        for past in pasts:
            entry = entries.get(past.key)
            if entry and self._is_same(past, entry):
                self._heirs[past] = entry
            elif entry is None and past.key in self.outline.former:
                self._heirs[past] = self.outline.former[past.key]
            else:
                left.append(past)
        if left:
            self._match(self._reworded(left))

    def _is_same(self, past: Past, entry: Entry) -> bool:
        """Whether a rule is certainly what it was: where its words are not known, by its title."""
        marks = (past.own, self.meanings.mark(entry))
        return past.title == self.meanings.title(entry) and (marks[0] == marks[1] or UNKNOWN in marks)

    def _reworded(self, pasts: list[Past]) -> list[Past]:
        """Enter rules that were reworded where they stand, or moved as they were; the others are left."""
        entries = self.outline.entries
        by_mark, by_title = defaultdict[str, list[Entry]](list), defaultdict[str, list[Entry]](list)
        for one in self.outline.in_order:
            by_mark[self.meanings.mark(one)].append(one)
            by_title[self.meanings.title(one)].append(one)
        left = []
        for past in pasts:
            entry = entries.get(past.key)
            others = by_mark[past.own] if past.own != UNKNOWN else by_title[past.title]
            title = self.meanings.title(entry) if entry else ""
            if len(others) == 1 and self._is_telling(past, others[0]):
                self._heirs[past] = others[0]
            elif entry and not others and past.title == title and self._alike(past, entry) >= ALIKE:
                self._heirs[past] = entry
            else:
                left.append(past)
        return left

    def _is_telling(self, past: Past, other: Entry) -> bool:
        """Whether a rule that says the same says enough to be the same one."""
        words = self.words.get(past.own, "")
        return past.title == self.meanings.title(other) and (bool(past.title) or words.count(" ") > FEW)

    def _match(self, pasts: list[Past]) -> None:
        """Match what is left with the rules of today. Several pasts of one number take turns."""
        sure = {past.key: heir for past, heir in self._heirs.items() if heir}
        while pasts:
            turn = list({past.key: past for past in reversed(pasts)}.values())
            pasts = [past for past in pasts if past not in turn]
            now = {key: heir for key, heir in sure.items() if key not in {past.key for past in turn}}
            memories = [self._memory(past) for past in turn]
            memories += [Memory(key, "") for key in now]
            found = heirs(memories, now, self.outline, self.meanings.shelf)
            for past in turn:
                heir = found.get(past.key)
                self._heirs[past] = heir if heir and self._is_likely(past, heir) else None

    def _memory(self, past: Past) -> Memory:
        words = self.words.get(past.own, "")
        return Memory(past.key, past.title, "" if words.startswith("¶cells") else words)

    def _alike(self, past: Past, entry: Entry) -> float:
        """How much of its words a rule has kept; all where they are not known."""
        before, after = self.words.get(past.own, ""), self.meanings.said(entry)
        if not before or not after:
            return 1.0
        return likeness(masked(words_in(before)), masked(words_in(after)))

    def _is_likely(self, past: Past, heir: Entry) -> bool:
        """Whether a match is good enough to change references for it."""
        titled = bool(past.title) and _same_title(past.title, self.meanings.title(heir))
        alike = self._alike(past, heir)
        if not (self.words.get(past.own) and self.meanings.said(heir)):
            return titled
        if titled:
            return heir.key == past.key or alike >= BARELY
        return alike >= (ALIKE_HERE if heir.key == past.key else ALIKE)


def _same_title(one: str, other: str) -> bool:
    return masked(words_of(one)) == masked(words_of(other))


def _told(pieces: Iterable[Piece]) -> str:
    """The first differences of two texts in words."""
    said: list[str] = []
    gone = ""
    for piece in pieces:
        words = shown(field_of(piece.text), LONGEST)
        if piece.sign == "-":
            gone = words
            said.append(f"“{words}” is gone")
        elif piece.sign == "+" and gone:
            said[-1] = f"“{gone}” is “{words}” now"
            gone = ""
        elif piece.sign == "+":
            said.append(f"“{words}” is new")
        else:
            gone = ""
    more = len(said) - MOST_TOLD
    return ", ".join(
        [*said[:MOST_TOLD], *([f"and {more} more differences"] if more > 1 else said[MOST_TOLD:])]
    )
