"""How much two texts have in common, and which of many has most: what matches rules that were reworded.

Words are compared in their order: `a b` and `b a` share one. Only texts that have some run of words in
common are compared at all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import log
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
Words = Sequence[str]

MOST_ALIKE = 40
"""A run of words that more texts than this have says nothing of which one is meant."""

MOST_COMPARED = 6
"""How many of the texts with most in common are compared word by word."""

MOST_LINES = 2_000
"""Of longer texts the beginning is compared."""


def shared(a: Words, b: Words) -> int:
    """How many words two texts have in common, in their order: the length of their longest subsequence.

    Each word of `b` is one step over a row of bits, one for each word of `a` (Hyyrö 2004).
    """
    a, b = a[:MOST_LINES], b[:MOST_LINES]
    spots: dict[str, int] = {}
    for at, word in enumerate(a):
        spots[word] = spots.get(word, 0) | 1 << at
    full = (1 << len(a)) - 1
    row = full
    for word in b:
        hit = row & spots.get(word, 0)
        row = ((row + hit) | (row - hit)) & full
    return len(a) - row.bit_count()


def likeness(a: Words, b: Words) -> float:
    """What part of the words of two texts they share: 1 where they are equal, 0 where they have none."""
    return 2 * shared(a, b) / (len(a) + len(b)) if a or b else 1.0


def runs(words: Words) -> Iterator[Hashable]:
    """The runs of words by which a text is found among many: of three, of two, and the words themselves."""
    yield from zip(words, words[1:], words[2:], strict=False)
    yield from pairwise(words)
    yield from words


class Index(Generic[K]):
    """Many texts, to be asked which of them are like another. Takes time in proportion to what is in them."""

    def __init__(self, texts: Mapping[K, Words]) -> None:
        self.texts = texts
        self._having: defaultdict[Hashable, list[K]] = defaultdict(list)
        for key, words in texts.items():
            for run in dict.fromkeys(runs(words)):
                self._having[run].append(key)

    def like(self, words: Words) -> list[K]:
        """The few texts that share most runs of words with this one, the rarest counting most."""
        weights: defaultdict[K, float] = defaultdict(float)
        for run in dict.fromkeys(runs(words)):
            having = self._having.get(run, ())
            if 0 < len(having) <= MOST_ALIKE:
                weight = log(1 + len(self.texts) / len(having))
                for key in having:
                    weights[key] += weight
        order = {key: at for at, key in enumerate(weights)}
        return sorted(weights, key=lambda key: (-weights[key], order[key]))[:MOST_COMPARED]
