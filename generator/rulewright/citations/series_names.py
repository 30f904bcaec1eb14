"""Names of a series in a game's text, in front of the numbers that they say the edition of."""

from __future__ import annotations

import re

from rulewright.book.library import Edition
from rulewright.book.series_inheritance import series_citation_names
from rulewright.numbers.reference_cues import with_book_cues
from rulewright.numbers.reference_finder import JOINS, THROUGH

LONGEST = 80
"""How far a name may stand from its number."""


class SeriesNames:
    """Finder of the series that a text of a game names in front of a number, and for which that holds."""

    def __init__(self, edition: Edition) -> None:
        cues = "|".join(map(re.escape, with_book_cues(edition.book.cues)))
        number_start = rf"(?:\s+(?:{cues})s?)?\s*[(\[]?\Z"
        self._named = [
            (
                member,
                re.compile(rf"(?<!\w)(?:{names})(?:['’]s?)?(?:\s+v?{label})?,?{number_start}", re.IGNORECASE),
            )
            for member in edition.with_series
            if member is not edition
            for names, label in [
                (
                    "|".join(map(re.escape, series_citation_names(member.book))),
                    re.escape(member.edition_file.edition),
                )
            ]
        ]
        joins = [*(edition.book.joins or JOINS), *(edition.book.through or THROUGH)]
        words = "|".join(map(re.escape, joins))
        self._goes_on = re.compile(rf"[)\]]?\s*(?:,|;|[-–—]|(?:,\s*)?(?:{words})(?!\w))\s*[(\[]?")

    def find(self, text: str, start: int, before: tuple[int, Edition | None]) -> Edition | None:
        """The edition named for the number at `start`. `before`: end and edition of the last number."""
        end, last = before
        if last and self._goes_on.fullmatch(text, end, start):
            return last
        back = text[max(end, start - LONGEST, 0) : start]
        return next((edition for edition, pattern in self._named if pattern.search(back)), None)
