"""Sixth stage of an import: the words of the source beside those that were written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from rulewright.files.yaml_writer import CommentedValue, InlineCollection, ParagraphText, Value
from rulewright.imports.blocks import WORD, LeftOutWords, SourceLine
from rulewright.imports.prose import JoinedWord
from rulewright.imports.report import LostWords, WordAccount
from rulewright.imports.sources.source_site import SourcePage
from rulewright.schema.text_document import plain_text

_LONGEST, _AROUND = 60, 10
"""How many words of a line are reported, and how many before the first that is lost."""

_LEAST_BROKEN, _BROKEN_SHARE = 5, 0.02


def account_for_words(
    lines: Sequence[SourceLine],
    written: Sequence[str],
    left_out: Sequence[LeftOutWords],
    joined: Sequence[JoinedWord],
    added: Sequence[str],
) -> WordAccount:
    """Return which words of the lines of a source are lost, and which were written without a source."""
    source = Counter(word for line in lines for word in line.words)
    gone: Counter[str] = Counter()
    for one in left_out:
        gone.update(WORD.findall(one.words) if one.is_in_lines else ())
    for word in joined:
        if word.split_word != word.joined_word:
            gone.update(WORD.findall(word.split_word))
            gone.subtract(WORD.findall(word.joined_word))
    gone.subtract(found for text in added for found in WORD.findall(text))
    balance = Counter(source)
    balance.subtract(gone)
    balance.subtract(written)
    words: Counter[str] = Counter()
    for line in lines:
        words[line.page.file.name] += len(line.words)
    return WordAccount(
        words,
        sum(len(WORD.findall(one.words)) for one in left_out),
        tuple(_lost_lines(lines, +balance)),
        +Counter({word: -count for word, count in balance.items()}),
    )


def _lost_lines(lines: Sequence[SourceLine], lost: Counter[str]) -> Iterator[LostWords]:
    """Yield the lines that words are lost from, beginning with those of which most is lost."""
    if not lost:
        return
    by_place: dict[tuple[SourcePage, int], list[str]] = {}
    for line in lines:
        by_place.setdefault((line.page, line.line), []).extend(line.words)
    left = Counter(lost)
    shares = {place: sum(w in lost for w in own) / len(own) for place, own in by_place.items() if own}
    for place in sorted(shares, key=lambda one: -shares[one]):
        words, own = by_place[place], list[str]()
        for word in words if shares[place] else ():
            if left[word] > 0:
                left[word] -= 1
                own.append(word)
        if own:
            first = max(words.index(own[0]) - _AROUND, 0) if len(words) > _LONGEST else 0
            yield LostWords(" ".join(own), *place, " ".join(words[first : first + _LONGEST]))


def words_out_of_order(
    lines: Sequence[SourceLine], texts: Sequence[str], added: Sequence[str]
) -> tuple[str, ...]:
    """Return the pairs of words that follow each other in texts but not in the source, if they are many."""
    new_words = {word for text in added for word in WORD.findall(text)}
    pairs: set[tuple[str, str]] = set()
    before = ""
    for line in lines:
        for word in line.words:
            pairs.add((before, word))
            before = word
    broken: list[str] = []
    count = 0
    for text in texts:
        for paragraph in text.split("\n"):
            words = WORD.findall(plain_text(paragraph))
            count += len(words)
            broken += [
                f"{one} {other}"
                for one, other in pairwise(words)
                if (one, other) not in pairs and not new_words & {one, other}
            ]
    return tuple(broken) if len(broken) > max(_LEAST_BROKEN, _BROKEN_SHARE * count) else ()


def rule_texts(value: Value) -> Iterator[str]:
    """Yield the texts of rules in the keys of a content file."""
    if isinstance(value, CommentedValue | InlineCollection):
        yield from rule_texts(value.value)
    elif isinstance(value, ParagraphText):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from rule_texts(inner)
