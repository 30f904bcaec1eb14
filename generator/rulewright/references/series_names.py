"""Names of a series in the texts of a game, before the numbers of rules of the series."""

from __future__ import annotations

import re
from functools import lru_cache

from rulewright.book.library import Edition
from rulewright.book.series_inheritance import series_citation_names
from rulewright.numbering.reference_cues import with_book_cues
from rulewright.numbering.reference_finder import JOINS, THROUGH

LONGEST = 80
"""Maximum distance between a name and its number."""


class SeriesNames:
    """Finder of the series edition that a text of a game names before a number."""

    def __init__(self, edition: Edition) -> None:
        cues = "|".join(map(re.escape, with_book_cues(edition.book.cues)))
        number_start = rf"(?:\s+(?:{cues})s?)?\s*[(\[]?\Z"
        self._name_patterns: list[tuple[Edition, re.Pattern[str]]] = []
        for member in edition.with_series:
            if member is edition:
                continue
            names = "|".join(map(re.escape, series_citation_names(member.book)))
            label = re.escape(member.edition_file.edition)
            pattern = rf"(?<!\w)(?:{names})(?:['’]s?)?(?:\s+v?{label})?,?{number_start}"
            self._name_patterns.append((member, re.compile(pattern, re.IGNORECASE)))
        joins = [*(edition.book.joins or JOINS), *(edition.book.through or THROUGH)]
        words = "|".join(map(re.escape, joins))
        self._join_pattern = re.compile(rf"[)\]]?\s*(?:,|;|[-–—]|(?:,\s*)?(?:{words})(?!\w))\s*[(\[]?")

    def find(self, text: str, start: int, before: tuple[int, Edition | None]) -> Edition | None:
        """Return the edition named before the number at `start`. `before`: end and edition of the last."""
        end, last = before
        if last and self._join_pattern.fullmatch(text, end, start):
            return last
        back = text[max(end, start - LONGEST, 0) : start]
        return next((edition for edition, pattern in self._name_patterns if pattern.search(back)), None)


series_names = lru_cache(maxsize=16)(SeriesNames)
