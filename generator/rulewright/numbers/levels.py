"""Numbers whose levels are said in words: "section 6, case 2" and "case 2 of section 6" are 6.2.

The words are those that a rulebook gives its levels, from the chapter down. A chain of them is one number. A
word alone takes numbers of its level: in chapter 6 of a book of sections and cases, "case 2" is 6.2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rulewright.numbers.dialect import Dialect, Number

Have = Callable[[Number], int | None]
"""The place of a number in the order of a book, or None where the book has no such rule."""

_LABEL = re.compile(r"(?:\((?=\w+\))|\[(?=\w+\]))?(\w{1,6})(?!\w)")
_GAP = re.compile(r"[,;]?[ \t\xa0]*\n?[ \t\xa0]*")
_OF = re.compile(r"\s+of\s+(?:the\s+)?", re.IGNORECASE)
_DIGIT = re.compile("[0-9]")
_ARTICLES = ("a", "I")
# People call chapters so whatever the level is that a book gives the word to.
_ANY_LEVEL = ("section", "rule", "chapter", "part", "article", "abschnitt", "regel", "kapitel")
_NO_LEVEL = ("step", "phase", "item", "point")  # of a list, also where the book declares them as cues
NO_LEVEL = 99
"""The level of a word that counts what has no number of its own."""

_WORDS = (
    "a an the this that these those any each every either neither no such in which what worst "
    "best first last one all both some another other same latter former upper lower in"
)
_DETERMINERS = frozenset(_WORDS.split())


class Named(NamedTuple):
    """A number whose levels are named, from its first label to its last; `others`: what it may mean too."""

    start: int
    end: int
    number: Number
    others: tuple[Number, ...] = ()


class _Word(NamedTuple):
    """The word of a level with the labels behind it, which may be a whole number: section 12.5."""

    level: int
    start: int
    label_start: int
    end: int
    labels: tuple[str, ...]
    whole: bool


class LevelWords:
    """Finds the numbers in texts whose levels are named by a book's words for them.

    `ends` tells whether a list or a clause may end at a spot of a text.
    """

    def __init__(
        self,
        dialect: Dialect,
        words: Sequence[str],
        ends: Callable[[str, int], bool],
    ) -> None:
        self.dialect = dialect
        self.ends = ends
        named = [*enumerate(words), *enumerate(dialect.words)]
        self._levels = {word.lower(): level for level, word in reversed(named)}
        either = "|".join(map(re.escape, sorted(self._levels, key=len, reverse=True)))
        self._word = re.compile(rf"(?<![\w-])({either})s?\.?\s+(?:no\.\s*|#\s*)?", re.IGNORECASE)

    def find(self, text: str, chapter: str, number: re.Pattern[str], have: Have | None) -> list[Named]:
        """The numbers whose levels are named in a text, in order.

        `chapter`: the label of the chapter that the text stands in, if it stands in one; `number` finds a
        whole number; `have` tells which rules the book has.
        """
        if self.dialect.digits_first and not _DIGIT.search(text):
            return []
        lower = text.lower()
        if not any(word in lower for word in self._levels):
            return []
        words = list(self._words(text, number))
        found: list[Named] = []
        at = 0
        while at < len(words):
            chain = [words[at]]
            for one, other in pairwise(words[at:]):
                if not _goes_on(text, one, other, len(chain)):
                    break
                chain.append(other)
            at += len(chain)
            if chain[0].level > chain[-1].level:
                chain.reverse()
            if len(chain) > 1 or (have and self._may_stand_alone(text, chain[0])):
                found += self._meant(text, chain, chapter, have)
        return found

    def level_before(self, back: str) -> int:
        """The level that alone a word at the end of `back` names, from 0; "section" may name any."""
        last = back[-40:].rstrip(' \t\n([*_“"').split()[-1:]
        word = last[0].lower().strip("(").removesuffix("s") if last else ""
        if word in _NO_LEVEL:
            return NO_LEVEL
        return 0 if word in _ANY_LEVEL else self._levels.get(word, 0)

    def _words(self, text: str, number: re.Pattern[str]) -> Iterator[_Word]:
        for m in self._word.finditer(text):
            level = self._levels[m[1].lower()]
            whole = number.match(text, m.end())
            read = self.dialect.parse(whole.group()) if whole else None
            label = _LABEL.match(text, m.end())
            is_whole = whole and read and (len(read.labels) > 1 or not whole.group().rstrip(".").isalnum())
            if whole and read and is_whole and (not label or whole.end() >= label.end()):
                yield _Word(level, m.start(), m.end(), whole.end(), read.labels, True)
            elif label:
                yield _Word(level, m.start(), label.start(1), label.end(), (label[1],), False)

    def _may_stand_alone(self, text: str, word: _Word) -> bool:
        """Whether a word and a bare label can be a number: "this case 2 units" is none."""
        if word.whole or word.labels[0] in _ARTICLES or not self.ends(text, word.end):
            return False
        before = text[max(0, word.start - 20) : word.start].split()[-1:]
        return not before or not (before[0].isdigit() or before[0].lower().strip("(") in _DETERMINERS)

    def _meant(self, text: str, chain: Sequence[_Word], chapter: str, have: Have | None) -> Iterator[Named]:
        labels = [label for word in chain for label in word.labels]
        start, end = min(word.label_start for word in chain), max(word.end for word in chain)
        alone = len(chain) == 1
        ways = [] if alone and chain[0].level else [labels]
        if chapter and not chain[0].whole and chain[0].level == 1:
            ways.append([chapter, *labels])
        read = [number for way in ways if (number := self.dialect.fitted(way))]
        numbers = [number for number in read if have and have(number) is not None]
        if alone and not chain[0].level and self.dialect.parse(labels[0]):
            return  # read as any number is
        if alone and chain[0].level and have and numbers and not self.level_before(text[:start]):
            whole = self.dialect.chapter(labels[0])  # people call chapters sections
            numbers += [whole] if whole and have(whole) is not None else []
        if not numbers and not alone:
            numbers = read[:1]
        if numbers:
            yield Named(start, end, numbers[0], tuple(dict.fromkeys(numbers))[1:])


def _goes_on(text: str, one: _Word, other: _Word, length: int) -> bool:
    """Whether a word names the next level of what another has named, deeper or, behind "of", above."""
    if other.whole:
        return (
            length == 1 and other.level == one.level - 1 and bool(_OF.fullmatch(text, one.end, other.start))
        )
    if other.level == one.level + 1 or (one.whole and other.level == len(one.labels)):
        return _GAP.fullmatch(text, one.end, other.start) is not None
    return other.level == one.level - 1 and _OF.fullmatch(text, one.end, other.start) is not None
