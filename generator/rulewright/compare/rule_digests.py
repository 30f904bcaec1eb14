"""Digests and sketches of the printed words of rules, steps, tables and list items, for reference locks.

Line breaks, emphasis and typography do not count. Each reference is blanked, so neither an erratum nor a
renumbering changes a digest. A sketch is a MinHash: the more words two rules share, the more of its twelve
bytes are equal. It is evidence for the matcher, not proof.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from rulewright.book.lock_file import UNKNOWN, RecordedRule
from rulewright.book.table_entries import TableEntry
from rulewright.compare.typography import normalize_typography
from rulewright.compare.word_diff import MASK, tokenize
from rulewright.files.located_text import LocatedText
from rulewright.files.memoize import Cache, memoize
from rulewright.references.citable_items import ListItem
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_inventory import Target
from rulewright.references.reference_types import CitableReference, Reference, RuleReference
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import all_texts_of
from rulewright.sequence.sequence_step import SequenceStep

SKETCH_LENGTH = 12
"""Number of bytes of a sketch."""

_OTHER_ITEMS = ("title", "rules", "steps", "any_order", "exceptions", "then", "kind")
"""Keys that are recorded apart, or that hold other items."""


class RuleDigests:
    """Words of the targets of references, with their digests."""

    def __init__(self, index: ReferenceIndex, cache: Cache | None = None) -> None:
        self.index = index
        cache = {} if cache is None else cache
        self._words: dict[str, dict[Target, tuple[str, ...]]] = {
            address: memoize(cache, f" words {address}", (references,), dict)
            for address, references in index.editions.items()
        }
        """Words of targets by edition, from the cache while its references are the same."""

    def words(self, target: Target) -> tuple[str, ...]:
        """Return the words of a target without its title, each text followed by a line feed."""
        known = self._words[target.edition.address]
        if target not in known:
            words: list[str] = []
            for text in filter(str.strip, self._texts(target)):
                words += [*(word.key for word in tokenize(text)), "\n"]
            known[target] = tuple(words)
        return known[target]

    def digest(self, target: Target) -> str:
        words = self.words(target)
        return hashlib.sha256(" ".join(words).encode()).hexdigest()[:12] if words else UNKNOWN

    def record(self, target: Target, number: str, references: int) -> RecordedRule:
        words = self.words(target)
        sketch = bytes(sketch_of(words)).hex() if words else UNKNOWN
        return RecordedRule(number, self.title(target), self.digest(target), sketch, references)

    def is_unchanged(self, target: Target, recorded: RecordedRule) -> bool:
        return self.digest(target) == recorded.digest and self.has_title(target, recorded)

    def has_title(self, target: Target, recorded: RecordedRule) -> bool:
        """Return whether a target has the recorded title, whatever its typography."""
        return normalize_typography(self.title(target)) == normalize_typography(recorded.title)

    @staticmethod
    def title(target: Target) -> str:
        """Return the printed title in plain words; empty if there is none."""
        match target:
            case TableEntry():
                title: LocatedText | None = target.table.title
            case SequenceStep():
                title = target.step.title
            case ListItem():
                title = None
            case _:
                title = target.title
        return " ".join(plain_text(title.printed).split()) if title else ""

    def _texts(self, target: Target) -> Iterator[str]:
        match target:
            case ListItem():
                yield self._blanked(target.text, target.start, target.end)
                return
            case SequenceStep():
                parts: list[Any] = [target.own_keys]
            case _:
                table = self.index.tables_by_target.get(target)
                grids = table.grids() if table else ()
                parts = [*filter(None, [getattr(target, "rule", None)]), *grids]
        for part in parts:
            for key in fields(part):
                is_apart = key.name in _OTHER_ITEMS or key.metadata.get("apart") == "name"
                is_apart = is_apart or "of_series" in key.metadata  # numbers alone, and no words
                if not is_apart and (value := getattr(part, key.name)):
                    yield from (self._blanked(text) for text in all_texts_of(value))

    def _blanked(self, text: LocatedText, start: int = 0, end: int | None = None) -> str:
        """Return the printed words of a text, or of a part of it, without its references."""
        return blank_references(text.printed, self.index.references(text.printed), start, end)


def blank_references(
    text: str, references: Sequence[Reference], start: int = 0, end: int | None = None
) -> str:
    """Return a part of a text in which each mark and each number that leads anywhere is one sign."""
    pieces: list[str] = []
    at, end = start, len(text) if end is None else end
    for reference in references:
        leads = reference.match.mark_span or isinstance(reference, RuleReference | CitableReference)
        first, last = reference.span
        if leads and at <= first and last <= end:
            pieces += (text[at:first], MASK)
            at = last
    return "".join([*pieces, text[at:end]])


@cache
def _word_values(word: str) -> tuple[int, ...]:
    """Return a number for each byte of a sketch."""
    data = hashlib.blake2b(word.encode(), digest_size=4 * SKETCH_LENGTH).digest()
    return tuple(int.from_bytes(data[at : at + 4]) for at in range(0, len(data), 4))


def sketch_of(words: Iterable[str]) -> bytes:
    """Return the MinHash of words, whatever their order."""
    distinct = {word.casefold() for word in words if word.strip()}
    return bytes(min(values) & 0xFF for values in zip(*map(_word_values, distinct), strict=True))


def sketch_tokens(sketch: bytes) -> tuple[str, ...]:
    """Return the bytes of a sketch as words for the matcher, each with its place."""
    return tuple(f"{at}:{byte}" for at, byte in enumerate(sketch))
