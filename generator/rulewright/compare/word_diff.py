"""Texts as words: the difference of two texts, and the most similar of many.

A number is a word (14.7d, ×1/2, 2d6), and so is a reference. Two references are equal if they mean the same
rule. Line breaks, emphasis and typography do not count.

The similarity of two texts is the share of words that they have in common in the same order: `a b` and `b a`
have one in common.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from math import log
from typing import Any, Generic, NamedTuple, TypeVar

from rulewright.compare.typography import normalize_with_offsets
from rulewright.files.text_edits import common_prefix_length
from rulewright.references.reference_types import Reference, RuleReference
from rulewright.schema.text_document import Document, TextRun, plain_paragraphs

MASK = "§"
"""The word for each reference when texts are matched: which rule it means is compared later."""

MOST_PAIRS = 100_000
"""Maximum number of pairs of equal words; of other texts, all between their common ends differs."""

MOST_ALIKE = 40
"""Maximum number of texts with a run of words for which the run is looked up."""

MOST_COMPARED = 6
"""Number of the most similar texts that are compared word by word."""

MOST_WORDS = 2_000
"""Maximum number of words of a text that are compared, from its beginning."""

MOST_KEPT = 20_000
"""Maximum number of texts that are cached as words: after an edit most are unchanged."""

_NUMBER = r"[+\-±×≤≥<>#]?(?:[A-Z]{1,2}(?=\d))?\d+(?:[.,:/\-]\d+)*[½¼¾⅓⅔]?\w*(?:\([^\W_]{1,4}\))*%?"
_WORD = re.compile(rf"{_NUMBER}|[½¼¾⅓⅔]|\w+(?:['\-]\w+)*|[^\w\s]")


class DiffWord(NamedTuple):
    """A word of a text."""

    words: str
    key: str
    """The word for comparisons."""
    gap: str = ""
    """White space before it."""
    to: RuleReference | None = None
    new_number: str = ""
    """Current number of the rule that it means."""
    is_reference: bool = False


class DiffPiece(NamedTuple):
    """Adjacent words of two texts with the same change."""

    change: str
    """Empty for words of both texts, `-` for those of the old text, `+` for those of the new one."""
    words: tuple[DiffWord, ...]

    @property
    def text(self) -> str:
        """The words with the gaps between them, without the gap before them."""
        return "".join(word.gap + word.words for word in self.words).removeprefix(self.gap)

    @property
    def gap(self) -> str:
        return self.words[0].gap


Meaning = Callable[[RuleReference], tuple[str, str]]
"""Returns a key for the rule that a reference means, and the current number of the rule."""


def references_as_rules(words: Sequence[DiffWord], meaning: Meaning) -> Sequence[DiffWord]:
    """Return the words of a text with the keys of the rules that its references mean."""
    result: list[DiffWord] = []
    for word in words:
        if word.to:
            key, number = meaning(word.to)
            word = word._replace(key=MASK + key, new_number=number)
        result.append(word)
    return result


def tokenize(text: str, references: Sequence[Reference] = ()) -> tuple[DiffWord, ...]:
    """Return the words of a text, each reference as a word; a faulty reference is ordinary words."""
    runs: list[TextRun] = []
    for position, reference in enumerate(references, 1):
        target = position if isinstance(reference, RuleReference) else None
        runs.append(reference.words_in(text)._replace(target=target))
    words = _read(str(text), tuple(runs))
    if not references:
        return words
    return tuple(
        word._replace(to=references[word.to - 1]) if isinstance(word.to, int) else word for word in words
    )


@lru_cache(MOST_KEPT)
def _read(text: str, links: tuple[TextRun, ...]) -> tuple[Any, ...]:
    """Return the words of a text, each reference with the target of its link."""
    words: list[Any] = []
    for position, (sign, runs) in enumerate(plain_paragraphs(Document(text, links).blocks)):
        sign = f"{sign} " if sign else ""
        gap = f"\n{sign}" if position or sign else ""
        for _, _, run, resolved in runs:
            if resolved is not None:
                words.append(DiffWord(run, MASK, gap, resolved, is_reference=True))
                gap = ""
                continue
            last_end = 0
            text, spans = normalize_with_offsets(run)
            for m in _WORD.finditer(text):
                start, end = spans[m.start()][0], spans[m.end() - 1][1]
                word = run[start:end].strip()
                start += run[start:end].index(word)
                words.append(DiffWord(word, m.group(), gap or _blank(run[last_end:start])))
                gap, last_end = "", start + len(word)
            gap = gap or _blank(run[last_end:])
    return tuple(words)


def _blank(gap: str) -> str:
    """Return the space between two words; empty if there is none."""
    return " " if any(map(str.isspace, gap)) else ""


def join_texts(texts: Iterable[Sequence[DiffWord]], between: str) -> list[DiffWord]:
    """Return several texts as one, with a gap `between` them."""
    joined: list[DiffWord] = []
    for words in texts:
        joined += [words[0]._replace(gap=between), *words[1:]] if joined and words else words
    return joined


def mask_references(words: Iterable[DiffWord]) -> tuple[str, ...]:
    """Return the words of a text for matching, in lower case, without punctuation, all references equal."""
    masked: list[str] = []
    for word in words:
        if word.is_reference:
            masked.append(MASK)
        elif word.key[-1].isalnum() or word.key[0].isalnum():
            masked.append(word.key.casefold())
    return tuple(masked)


def says_same(old: Sequence[DiffWord], new: Sequence[DiffWord]) -> bool:
    """Return whether two texts have the same words."""
    return len(old) == len(new) and all(a.key == b.key for a, b in zip(old, new, strict=True))


def diff_words(old: Sequence[DiffWord], new: Sequence[DiffWord]) -> list[DiffPiece]:
    """Return the difference of two texts as pieces in reading order, old words before new ones."""
    pieces: list[DiffPiece] = []
    new_end, ends = 0, (len(old), len(old), len(new), len(new))
    for from_old, to_old, from_new, to_new in (*_changed_spans(old, new), ends):
        deleted, inserted = list(old[from_old:to_old]), new[from_new:to_new]
        if [word.words for word in deleted] == [word.words for word in inserted]:
            # They mean other rules.
            for index, word in enumerate(deleted):
                if word.new_number:
                    deleted[index] = word._replace(words=f"{word.words}, now {word.new_number}")
        unchanged = [*new[new_end:from_new]]
        if unchanged and not unchanged[0].gap:  # it begins the new text, but not the old one
            unchanged[0] = unchanged[0]._replace(gap=old[from_old - len(unchanged)].gap)
        for change, words in (("", unchanged), ("-", deleted), ("+", inserted)):
            if words:
                pieces.append(DiffPiece(change, tuple(words)))
        new_end = to_new
    return pieces


def _changed_spans(old: Sequence[DiffWord], new: Sequence[DiffWord]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the spans in which two texts differ; one or two equal words between long spans are included."""
    a, b = [word.key for word in old], [word.key for word in new]
    start = common_prefix_length(a, b)
    end = common_prefix_length(a[start:][::-1], b[start:][::-1])
    a, b = a[start : len(a) - end], b[start : len(b) - end]
    counts = Counter(a)
    spans: list[list[int]] = []
    if sum(counts[word] for word in b) > MOST_PAIRS:
        spans.append([0, len(a), 0, len(b)])
    else:
        for tag, *span in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
            if tag == "equal":
                continue
            lengths = [max(row[1] - row[0], row[3] - row[2]) for row in (*spans[-1:], span)]
            if spans and span[0] - spans[-1][1] <= min(2, min(lengths) // 2):
                spans[-1][1], spans[-1][3] = span[1], span[3]
            else:
                spans.append(span)
    for span in spans:
        from_old, to_old, from_new, to_new = (start + offset for offset in span)
        yield from_old, to_old, from_new, to_new


K = TypeVar("K", bound=Hashable)


def common_length(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two texts."""
    a, b = a[:MOST_WORDS], b[:MOST_WORDS]
    positions: defaultdict[str, int] = defaultdict(int)
    for index, word in enumerate(a):
        positions[word] |= 1 << index
    all_bits = unmatched = (1 << len(a)) - 1  # bit-parallel: H. Hyyrö, Bit-parallel LCS-length computation
    for word in b:
        matched = unmatched & positions.get(word, 0)
        unmatched = (unmatched + matched | unmatched - matched) & all_bits
    return len(a) - unmatched.bit_count()


@lru_cache(MOST_KEPT)
def similarity(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    """Return the share of words that two texts have in common: 1 if they are equal, 0 if there is none."""
    return 1.0 if a == b else 2 * common_length(a, b) / (len(a) + len(b))


def word_ngrams(words: Sequence[str]) -> dict[Hashable, None]:
    """Return the runs of three and two words, and the words, by which a text is found among many."""
    return dict.fromkeys((*zip(words, words[1:], words[2:], strict=False), *pairwise(words), *words))


class SimilarityIndex(Generic[K]):
    """Index of texts by runs of words, to find similar ones; it takes time in proportion to their words."""

    def __init__(self, texts: Mapping[K, Sequence[str]]) -> None:
        self.texts = texts
        self._having: defaultdict[Hashable, list[K]] = defaultdict(list)
        for key, words in texts.items():
            for run in word_ngrams(words):
                self._having[run].append(key)

    def like(self, words: Sequence[str]) -> list[K]:
        """Return the keys of the few texts that share most runs of words, weighted by rarity."""
        weights: defaultdict[K, float] = defaultdict(float)
        for run in word_ngrams(words):
            having = self._having.get(run, ())
            if 0 < len(having) <= MOST_ALIKE:
                weight = log(1 + len(self.texts) / len(having))
                for key in having:
                    weights[key] += weight
        return sorted(weights, key=lambda key: -weights[key])[:MOST_COMPARED]
