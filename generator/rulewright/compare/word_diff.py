"""Texts as words: what differs between two of them, and which of many is most like another.

A number is one word (14.7d, ×1/2, 2d6), a reference is one whatever it is written like. Two references are
the same word if they mean the same rule; how a text is broken into lines and what is bold in it is no word,
and in which way dashes, quotes and the like are set makes no other word (`typography`).

How alike two texts are is counted in words that they share in their order: `a b` and `b a` share one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby, pairwise
from math import log
from typing import Any, Generic, NamedTuple, TypeVar

from rulewright.compare.typography import normalize_with_offsets
from rulewright.references.reference_types import Reference, RuleReference
from rulewright.schema.text_document import Document, TextRun, plain_paragraphs

MASK = "§"
"""Stands for every reference where texts are matched: which rule is meant is compared later."""

MOST_PAIRS = 100_000
"""Texts with more pairs of words that are the same are told as a whole, but for their common ends."""

MOST_ALIKE = 40
"""A run of words that more texts than this have says nothing of which one is meant."""

MOST_COMPARED = 6
"""How many of the texts with most in common are compared word by word."""

MOST_WORDS = 2_000
"""Of longer texts the beginning is compared."""

MOST_KEPT = 20_000
"""How many texts are kept as words, from one comparison to the next: after an edit most are as they were."""

_NUMBER = r"[+\-±×≤≥<>#]?(?:[A-Z]{1,2}(?=\d))?\d+(?:[.,:/\-]\d+)*[½¼¾⅓⅔]?\w*(?:\([^\W_]{1,4}\))*%?"
_WORD = re.compile(rf"{_NUMBER}|[½¼¾⅓⅔]|\w+(?:['\-]\w+)*|[^\w\s]")


class DiffWord(NamedTuple):
    """A word.

    `key`: compared by; `gap`: in front; `to`: its reference, unless a lock has it; `new_number`: that rule's
    newer number.
    """

    words: str
    key: str
    gap: str = ""
    to: RuleReference | None = None
    new_number: str = ""
    is_reference: bool = False


class DiffPiece(NamedTuple):
    """Words that are in both texts (`change` is empty), only in the old (`-`) or only in the new (`+`)
    one.
    """

    change: str
    words: tuple[DiffWord, ...]

    @property
    def text(self) -> str:
        """The words as they are read, gaps between them kept; the one before them is `gap`."""
        first, *others = self.words
        return first.words + "".join(word.gap + word.words for word in others)

    @property
    def gap(self) -> str:
        return self.words[0].gap


Meaning = Callable[[RuleReference], tuple[str, str]]
"""Gives the meaning of a reference: a key, one for each rule, and the number that the rule has now."""


def references_as_rules(words: Sequence[DiffWord], meant: Meaning) -> Sequence[DiffWord]:
    """Words of a text, its references as the rules that they mean."""
    found = [(word, *meant(word.to)) if word.to else (word, "", "") for word in words]
    return [word._replace(key=MASK + key, new_number=now) if key else word for word, key, now in found]


def tokenize(text: str, references: Sequence[Reference] = ()) -> tuple[DiffWord, ...]:
    """The words of a text, its references masked. A faulty reference is words like any other."""
    if not references:
        return _read(str(text), ())
    words = _read(str(text), _stretches(text, references))
    return tuple([w._replace(to=references[w.to - 1]) if isinstance(w.to, int) else w for w in words])


def tokenize_for_matching(text: str, references: Sequence[Reference] = ()) -> tuple[str, ...]:
    """The words of a text for matching."""
    return _matched(str(text), _stretches(text, references))


def _stretches(text: str, references: Sequence[Reference]) -> tuple[TextRun, ...]:
    """Where the references of a text stand, each by which of them it is, from 1; None where it is faulty."""
    return tuple(
        reference.words_in(text)._replace(target=at if isinstance(reference, RuleReference) else None)
        for at, reference in enumerate(references, 1)
    )


@lru_cache(MOST_KEPT)
def _matched(text: str, links: tuple[TextRun, ...]) -> tuple[str, ...]:
    return mask_references(_read(text, links))


@lru_cache(MOST_KEPT)
def _read(text: str, links: tuple[TextRun, ...]) -> tuple[Any, ...]:
    """The words of a text, a reference by which of the links it is."""
    found: list[Any] = []
    for at, (sign, runs) in enumerate(plain_paragraphs(Document(text, links).blocks)):
        sign = f"{sign} " if sign else ""
        gap, space = f"\n{sign}" if at or sign else "", ""
        for _, _, run, resolved in runs:
            if resolved is not None:
                found.append(DiffWord(run, MASK, gap or space, resolved, is_reference=True))
                gap = space = ""
                continue
            behind = 0
            text, places = normalize_with_offsets(run)
            for m in _WORD.finditer(text):
                start, end = places[m.start()][0], places[m.end() - 1][1]
                word = run[start:end].strip()
                start += run[start:end].index(word)
                blank = space or _blank(run[behind:start])
                found.append(DiffWord(word, m.group(), gap or blank))
                gap, space, behind = "", "", start + len(word)
            space = space or _blank(run[behind:])
    return tuple(found)


def _blank(gap: str) -> str:
    """The blank between two words, one of a width of its own before any other; empty where there is none."""
    return max((" " if sign in " \t\r\n" else sign for sign in gap if sign.isspace()), default="")


def join_texts(texts: Iterable[Sequence[DiffWord]], between: str) -> list[DiffWord]:
    """Several texts as one, with a gap `between` them."""
    made: list[DiffWord] = []
    for words in texts:
        made += [words[0]._replace(gap=between), *words[1:]] if made and words else words
    return made


def mask_references(words: Iterable[DiffWord]) -> tuple[str, ...]:
    """Words of a text for matching: without signs and capitals, all references alike."""
    return tuple(
        MASK if word.is_reference else word.key.casefold()
        for word in words
        if word.is_reference or word.key[-1].isalnum() or word.key[0].isalnum()
    )


def says_same(old: Sequence[DiffWord], new: Sequence[DiffWord]) -> bool:
    """Whether two texts say the same."""
    return len(old) == len(new) and all(a.key == b.key for a, b in zip(old, new, strict=True))


def has_same_typography(old: Sequence[DiffWord], new: Sequence[DiffWord]) -> bool:
    """Whether two texts that say the same are also set in the same signs and blanks, wherever lines end."""

    def signs(words: Sequence[DiffWord]) -> list[str]:
        gaps = ("", *(" " if "\n" in word.gap else word.gap for word in words[1:]))
        return [
            gap if word.is_reference else gap + word.words for gap, word in zip(gaps, words, strict=False)
        ]

    return signs(old) == signs(new)


def diff_words(old: Sequence[DiffWord], new: Sequence[DiffWord]) -> list[DiffPiece]:
    """Difference of two texts, in pieces in the order of reading: the old words, then the new ones."""
    a, b = [word.key for word in old], [word.key for word in new]
    start = _common_prefix(a, b)
    end = _common_prefix(a[start:][::-1], b[start:][::-1])
    pieces = [DiffPiece("", tuple(new[:start]))]
    middle = slice(start, len(a) - end), slice(start, len(b) - end)
    counts = Counter(a[middle[0]])
    if sum(counts[word] for word in b[middle[1]]) > MOST_PAIRS:
        spans = [(middle[0].start, middle[0].stop, middle[1].start, middle[1].stop)]
    else:
        spans = _spans(a[middle[0]], b[middle[1]], start)
    at, behind = start, start
    for from_old, to_old, from_new, to_new in spans:
        pieces.append(DiffPiece("", _kept(old[behind:from_old], new[at:from_new])))
        gone, come = tuple(old[from_old:to_old]), tuple(new[from_new:to_new])
        if [word.words for word in gone] == [word.words for word in come]:  # which mean another rule now
            gone = tuple(
                w._replace(words=f"{w.words}, now {w.new_number}") if w.new_number else w for w in gone
            )
        pieces += [DiffPiece("-", gone), DiffPiece("+", come)]
        at, behind = to_new, to_old
    pieces.append(DiffPiece("", _kept(old[behind:], new[at:])))
    return [
        DiffPiece(sign, tuple(word for piece in run for word in piece.words))
        for sign, run in groupby(filter(lambda piece: piece.words, pieces), lambda piece: piece.change)
    ]


def _common_prefix(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the number of words that two texts have in common at their beginning."""
    pairs = enumerate(zip(a, b, strict=False))
    return next((index for index, (x, y) in pairs if x != y), min(len(a), len(b)))


def _kept(old: Sequence[DiffWord], new: Sequence[DiffWord]) -> tuple[DiffWord, ...]:
    """Words that stayed; behind some that were deleted, those that now come first keep their gap."""
    return tuple([new[0]._replace(gap=new[0].gap or old[0].gap), *new[1:]] if new else ())


def _spans(a: Sequence[str], b: Sequence[str], base: int) -> list[tuple[int, int, int, int]]:
    """Where two texts differ, without the word or two that stayed between longer stretches."""

    def size(span: Sequence[int]) -> int:
        return max(span[1] - span[0], span[3] - span[2])

    spans: list[list[int]] = []
    for tag, *span in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        last = spans[-1] if spans else None
        if last and (island := span[0] - last[1]) <= 2 and island <= min(size(last), size(span)) // 2:
            last[1], last[3] = span[1], span[3]
        else:
            spans.append(span)
    return [(base + s[0], base + s[1], base + s[2], base + s[3]) for s in spans]


K = TypeVar("K", bound=Hashable)


def common_length(a: Sequence[str], b: Sequence[str]) -> int:
    """How many words two texts have in common, in their order: the length of their longest subsequence."""
    a, b = a[:MOST_WORDS], b[:MOST_WORDS]
    positions: defaultdict[str, int] = defaultdict(int)
    for index, word in enumerate(a):
        positions[word] |= 1 << index
    every = unmatched = (1 << len(a)) - 1  # bit-parallel: H. Hyyrö, Bit-parallel LCS-length computation
    for word in b:
        matched = unmatched & positions.get(word, 0)
        unmatched = (unmatched + matched | unmatched - matched) & every
    return len(a) - unmatched.bit_count()


def similarity(a: Sequence[str], b: Sequence[str]) -> float:
    """Share of their words that two texts have in common: 1 where they are equal, 0 where it is none."""
    return 2 * common_length(a, b) / (len(a) + len(b)) if a or b else 1.0


def most_similar(words: Sequence[str], among: Mapping[K, Sequence[str]], least: float) -> K | None:
    """The text most like another, the first of several; None where it is less than `least` like it."""
    best = max(among, key=lambda one: similarity(among[one], words), default=None)
    return best if best is not None and similarity(among[best], words) >= least else None


def word_ngrams(words: Sequence[str]) -> dict[Hashable, None]:
    """The runs of words by which a text is found among many: of three, of two, and the words themselves."""
    return dict.fromkeys((*zip(words, words[1:], words[2:], strict=False), *pairwise(words), *words))


class SimilarityIndex(Generic[K]):
    """Many texts, to be asked which of them are like another. Takes time in proportion to what is in them."""

    def __init__(self, texts: Mapping[K, Sequence[str]]) -> None:
        self.texts = texts
        self._having: defaultdict[Hashable, list[K]] = defaultdict(list)
        for key, words in texts.items():
            for run in word_ngrams(words):
                self._having[run].append(key)

    def like(self, words: Sequence[str]) -> list[K]:
        """The few texts that share most runs of words with this one, the rarest counting most."""
        weights: defaultdict[K, float] = defaultdict(float)
        for run in word_ngrams(words):
            having = self._having.get(run, ())
            if 0 < len(having) <= MOST_ALIKE:
                weight = log(1 + len(self.texts) / len(having))
                for key in having:
                    weights[key] += weight
        return sorted(weights, key=lambda key: -weights[key])[:MOST_COMPARED]
