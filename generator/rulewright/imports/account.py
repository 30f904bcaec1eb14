"""Sixth stage of an import: the words of the source beside those that were written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rulewright.imports.blocks import WORD, LeftOutWords, SourceLine
from rulewright.schema.text_document import plain_text

_MIN_BROKEN, _BROKEN_SHARE = 5, 0.02


@dataclass(frozen=True, slots=True)
class WordAccount:
    """The words of the source beside those that were written.

    `words`: how many each page has; `out_of_order`: pairs of words that follow each other in the result and
    nowhere in the source.
    """

    words: Mapping[str, int] = field(default_factory=dict)
    lost: Sequence[LeftOutWords] = ()
    out_of_order: Sequence[str] = ()


def account_for_words(
    lines: Sequence[SourceLine],
    words_written: Sequence[str],
    left_out: Sequence[LeftOutWords],
    added: Sequence[str],
    texts: Sequence[str],
) -> WordAccount:
    """Return which words of the lines of a source are lost or out of order. `added`: words of the import."""
    counts: Counter[str] = Counter()
    new_words = WORD.findall(" ".join(added))
    lost = Counter(new_words)
    for line in lines:
        lost.update(line.words)
        counts[line.page.file.name] += len(line.words)
    lost.subtract(WORD.findall(" ".join(entry.words for entry in left_out)))
    lost.subtract(words_written)
    return WordAccount(counts, [*_lost_lines(lines, +lost)], _out_of_order(lines, texts, {*new_words}))


def _lost_lines(lines: Sequence[SourceLine], lost: Counter[str]) -> Iterator[LeftOutWords]:
    """Yield the lines that words are lost from, beginning with those of which most is lost."""

    def share(line: SourceLine) -> float:
        return sum(word in lost for word in line.words) / max(len(line.words), 1)

    for line in sorted(lines, key=share, reverse=True):
        words = (Counter(line.words) & lost).elements()
        if text := " ".join(words):
            lost -= Counter(line.words)
            yield LeftOutWords(line.page, line.line, text, "lost")


def _out_of_order(lines: Sequence[SourceLine], texts: Sequence[str], new_words: set[str]) -> list[str]:
    """Return the pairs of words that follow each other in texts but not in the source, if they are many."""
    pairs = set(pairwise(word for line in lines for word in line.words))
    broken: list[str] = []
    count = 0
    for paragraph in (paragraph for text in texts for paragraph in text.split("\n")):
        words = WORD.findall(plain_text(paragraph))
        count += len(words)
        new_pairs = [pair for pair in pairwise(words) if pair not in pairs]
        broken += [" ".join(pair) for pair in new_pairs if not new_words.intersection(pair)]
    return broken if len(broken) > max(_MIN_BROKEN, _BROKEN_SHARE * count) else []
