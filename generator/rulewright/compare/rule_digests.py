"""Digests and sketches of the printed words of rules and tables, for reference locks.

Line breaks, emphasis and typography do not count. Each reference is blanked, so neither an erratum nor a
renumbering changes a digest. A sketch is a MinHash: the more words two rules share, the more of its twelve
bytes are equal. It is evidence for the matcher, not proof.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

from rulewright.book.lock_file import UNKNOWN, RecordedRule
from rulewright.book.table_entries import TableEntry
from rulewright.compare.typography import normalize_typography
from rulewright.compare.word_diff import MASK, tokenize
from rulewright.files.located_text import LocatedText
from rulewright.files.memoize import Cache, memoize
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_inventory import Target
from rulewright.references.reference_types import CitableReference, RuleReference
from rulewright.schema.text_document import plain_text
from rulewright.schema.yaml_fields import all_texts_of

SKETCH_LENGTH = 12
"""Number of bytes of a sketch."""

_OTHER_KEYS = ("title", "rules", "then", "kind")
"""Keys that are recorded apart, or that hold other items."""


class RuleDigests:
    """Words of the targets of references, with their digests."""

    def __init__(self, index: ReferenceIndex, cache: Cache) -> None:
        self.index = index
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

    def sketch(self, target: Target) -> str:
        """Return the MinHash of the words of a target, whatever their order."""
        words = {word.casefold() for word in self.words(target) if word.strip()}
        hashes = zip(*map(_word_hashes, words), strict=True)
        return bytes(min(values) & 0xFF for values in hashes).hex() if words else UNKNOWN

    def record(self, target: Target, number: str, references: int) -> RecordedRule:
        return RecordedRule(number, self.title(target), self.digest(target), self.sketch(target), references)

    def is_unchanged(self, target: Target, recorded: RecordedRule) -> bool:
        return self.digest(target) == recorded.digest and self.has_title(target, recorded)

    def has_title(self, target: Target, recorded: RecordedRule) -> bool:
        """Return whether a target has the recorded title, whatever its typography."""
        return normalize_typography(self.title(target)) == normalize_typography(recorded.title)

    @staticmethod
    def title(target: Target) -> str:
        """Return the printed title in plain words; empty if there is none."""
        title = target.table.title if isinstance(target, TableEntry) else target.title
        return " ".join(plain_text(title.printed).split()) if title else ""

    def _texts(self, target: Target) -> Iterator[str]:
        table = self.index.tables_by_target.get(target)
        parts: list[Any] = [getattr(target, "rule", None), *(table.grids() if table else ())]
        for part in filter(None, parts):
            for key in fields(part):
                is_apart = key.name in _OTHER_KEYS or key.metadata.get("apart") == "name"
                is_apart = is_apart or "of_series" in key.metadata  # only numbers
                if not is_apart and (value := getattr(part, key.name)):
                    yield from map(self._blanked, all_texts_of(value))

    def _blanked(self, text: LocatedText) -> str:
        """Return the printed words of a text, each mark and each number that leads anywhere as one sign."""
        printed, pieces, end = text.printed, list[str](), 0
        for reference in self.index.references(printed):
            first, last = reference.span
            leads = reference.match.mark_span or isinstance(reference, RuleReference | CitableReference)
            if leads and first >= end:
                pieces += (printed[end:first], MASK)
                end = last
        return "".join([*pieces, printed[end:]])


@cache
def _word_hashes(word: str) -> tuple[int, ...]:
    """Return a number for each byte of a sketch."""
    data = hashlib.blake2b(word.encode(), digest_size=4 * SKETCH_LENGTH).digest()
    return tuple(int.from_bytes(data[start : start + 4]) for start in range(0, len(data), 4))


def sketch_bytes(sketch: str) -> bytes:
    """Return the bytes of a sketch, none of an unknown one."""
    return b"" if sketch == UNKNOWN else bytes.fromhex(sketch)
