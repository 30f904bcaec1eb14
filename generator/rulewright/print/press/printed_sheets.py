"""Stale sheets: the recorded hashes of printed sheets compared with those of today."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rulewright.book.lock_file import PrintedSheet

LETTERS = 8


def words_digest_short(words: Iterable[str]) -> str:
    """The short hash that a sheet carries: the same as long as the sheet says the same."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:LETTERS]


class StaleSheet(NamedTuple):
    """A printed sheet whose content has changed since.

    `current_text`: today's hash, empty if the sheet is gone.
    """

    address: str
    printed: PrintedSheet
    current_text: str


def find_stale_sheets(printed: Mapping[str, PrintedSheet], now: Mapping[str, str]) -> list[StaleSheet]:
    """Return the printed sheets whose hash differs from that of today, both by address."""
    return [
        StaleSheet(address, sheet, now.get(address, ""))
        for address, sheet in sorted(printed.items())
        if sheet.hash != now.get(address)
    ]
