"""Numbers that the words of a book cite, and the words that lead up to them: `see 10.11B`, `per Case 3.2`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulewright.imports.website.page_block_types import ParsedPage
from rulewright.imports.sources.source_site import SourcePage
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.reference_cues import CUES

_LETTER = r"[^\W\d_]"
_CITED = re.compile(
    rf"(?<!{_LETTER})(?P<cue>{_LETTER}+\.?)\s+[“\"*_\[]{{0,3}}"
    rf"(?P<number>§?(?:[A-Z]{{0,2}}\d{{1,3}}|[A-Z]{{1,2}}(?=[.\d])"
    rf"|[IVX]+(?=\.))(?:[.:/]?\w+|-(?=[^\W\d])\w+|-\d+|\(\w{{1,4}}\))*)"
)
_LIKE_A_NUMBER = re.compile(r"§?\[?\w{1,4}[.:(-]\w|\d{3}\b")
_WORD = re.compile(rf"{_LETTER}+")
_WORDS = "a an and or to the of in on for at by than is are was be with from"
_NO_CUES = frozenset(f"{_WORDS} hex hexes turn page table figure version".split())
_LEAST_CUE = 3
_LEAST_SHARE = 0.3
"""How often a number stands behind a word at least, of all the times that it is used, if it is a cue."""


class CitedNumber(NamedTuple):
    """A number as the words of a page have it, the word in front of it, and its line."""

    source_text: str
    cue: str
    page: SourcePage
    line: int

    @property
    def word(self) -> str:
        return _singular(self.cue.lower().rstrip("."))

    def read(self, dialect: NumberingScheme) -> bool:
        return bool(
            dialect.parse_number(self.source_text) or dialect.parse_number(f"{self.cue} {self.source_text}")
        )


def cited_numbers(pages: Sequence[ParsedPage]) -> Iterator[CitedNumber]:
    """Numbers that may be a rule's, behind words that lead up to one; those of links are told by `links`."""
    for read in pages:
        for run in read.runs():
            words = "".join(" \0 " if piece.link else piece.text for piece in run if not piece.picture)
            at, line = 0, run[0].line if run else 0
            for m in _CITED.finditer(words):
                number, start = m["number"], m.start("number")
                at, line = start, line + words.count("\n", at, start)
                citation = CitedNumber(number, m["cue"], read.page, line)
                is_one = _LIKE_A_NUMBER.match(number) or (number.isdigit() and citation.word in CUES[3:])
                is_apart = "\n" in m.group() and citation.word not in CUES  # it opens a line
                if is_one and not is_apart and citation.word not in _NO_CUES:
                    yield citation


def cues_of(cited: Sequence[CitedNumber], pages: Sequence[ParsedPage], dialect: NumberingScheme) -> list[str]:
    """The words that a book leads up to its numbers with, beside the usual ones; the most used first."""
    uses = Counter(
        _singular(word.lower())
        for read in pages
        for run in read.runs()
        for word in _WORD.findall("".join(piece.text for piece in run))
    )
    leading = Counter(citation.word for citation in cited if citation.read(dialect))
    dotted = Counter(citation.word for citation in cited if citation.cue.endswith("."))
    often = [
        f"{word}." if dotted[word] * 2 > count else word
        for word, count in leading.most_common()
        if count >= max(_LEAST_CUE, uses[word] * _LEAST_SHARE)
    ]
    return [word for word in often if word not in CUES]


def _singular(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 else word
