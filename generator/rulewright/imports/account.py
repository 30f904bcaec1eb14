"""Sixth stage of an import: the words of the source beside those that were written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from rulewright.files.problems import quote_short
from rulewright.files.yaml_writer import CommentedValue, InlineCollection, ParagraphText, Value
from rulewright.imports.blocks import WORD, LeftOutWords, SourceLine
from rulewright.imports.sources.source_site import SourcePage
from rulewright.schema.text_document import plain_text

_MIN_BROKEN, _BROKEN_SHARE = 5, 0.02


@dataclass(frozen=True, slots=True)
class LostWords:
    """Words of a line of the source that are nowhere in what was written."""

    words: str
    page: SourcePage
    line: int
    context: str
    """All words of that line."""

    def __str__(self) -> str:
        return f"“{quote_short(self.words, 90)}” of “{quote_short(self.context, 90)}”"


@dataclass(frozen=True, slots=True)
class WordAccount:
    """The words of the source beside those that were written."""

    words: Mapping[str, int] = field(default_factory=dict)
    """Number of words by page."""

    lost: tuple[LostWords, ...] = ()
    gained: Mapping[str, int] = field(default_factory=dict)
    """Words that were written more often than the source has them and the import added them."""

    out_of_order: tuple[str, ...] = ()
    """Pairs of words that follow each other in the result and nowhere in the source."""


def account_for_words(
    lines: Sequence[SourceLine],
    words_written: Sequence[str],  # plain: ok
    left_out: Sequence[LeftOutWords],
    added: Sequence[str],
    texts: Sequence[str],
) -> WordAccount:
    """Return which words of the lines of a source are lost, came from nowhere, or are out of order."""
    balance = Counter(word for line in lines for word in line.words)
    for entry in left_out:
        balance.subtract(WORD.findall(entry.words) if entry.is_in_lines else ())
    new_words = [word for text in added for word in WORD.findall(text)]
    balance.update(new_words)
    balance.subtract(words_written)
    counts: Counter[str] = Counter()
    for line in lines:
        counts[line.page.file.name] += len(line.words)
    return WordAccount(
        counts,
        tuple(_lost_lines(lines, +balance)),
        +Counter({word: -count for word, count in balance.items()}),
        _out_of_order(lines, texts, set(new_words)),
    )


def _lost_lines(lines: Sequence[SourceLine], lost: Counter[str]) -> Iterator[LostWords]:
    """Yield the lines that words are lost from, beginning with those of which most is lost."""
    by_place: dict[tuple[SourcePage, int], list[str]] = {}
    for line in lines if lost else ():
        by_place.setdefault((line.page, line.line), []).extend(line.words)
    shares: dict[tuple[SourcePage, int], float] = {}
    for place, words in by_place.items():
        shares[place] = sum(word in lost for word in words) / max(len(words), 1)
    for place in sorted(shares, key=lambda place: -shares[place]):
        lost_words: list[str] = []
        for word in by_place[place] if shares[place] else ():
            if lost[word] > 0:
                lost[word] -= 1
                lost_words.append(word)
        if lost_words:
            yield LostWords(" ".join(lost_words), *place, " ".join(by_place[place]))


def _out_of_order(lines: Sequence[SourceLine], texts: Sequence[str], new_words: set[str]) -> tuple[str, ...]:
    """Return the pairs of words that follow each other in texts but not in the source, if they are many."""
    pairs = set(pairwise(word for line in lines for word in line.words))
    broken: list[str] = []
    count = 0
    for text in texts:
        for paragraph in text.split("\n"):
            words = WORD.findall(plain_text(paragraph))
            count += len(words)
            for pair in pairwise(words):
                is_broken = pair not in pairs and not new_words.intersection(pair)
                broken += [" ".join(pair)] if is_broken else []
    return tuple(broken) if len(broken) > max(_MIN_BROKEN, _BROKEN_SHARE * count) else ()


def rule_texts(value: Value) -> Iterator[str]:
    """Yield the texts of rules in the keys of a content file."""
    if isinstance(value, CommentedValue | InlineCollection):
        yield from rule_texts(value.value)
    elif isinstance(value, ParagraphText):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from rule_texts(inner)
