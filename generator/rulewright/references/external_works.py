"""External works that texts cite by number: "Series Rules 4.2", "§ 5 of the Harbour Act", "SR, page 7".

A rulebook lists them under `books:`. A number beside such a name belongs to that work and never to the book
itself; it is a link only if the work has `leads_to:`, a book of the project or a URL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rulewright.book.library import Edition
from rulewright.book.outline import Outline
from rulewright.book.related_outlines import marked_edition
from rulewright.files.located_text import LocatedText
from rulewright.numbering.reference_cues import CueStrength, with_book_cues
from rulewright.numbering.reference_finder import JOINS, THROUGH, FoundReference
from rulewright.references.name_finder import overlaps_any
from rulewright.references.reference_resolver import NumberResolver
from rulewright.references.reference_types import (
    ExternalReference,
    FaultyReference,
    Reference,
    RuleReference,
)
from rulewright.schema.rulebook import ExternalWork, Rulebook

_NUMBER = r"(?<![\w.])(?:[A-Z]{1,3}[.-]?)?\d+(?:[.:]\w+)*[A-Za-z]{0,2}(?:\(\w{1,4}\))*(?!\w)"
_LOOK_BACK = 120
"""Maximum number of characters between the first number and the name after it."""
_NUMBER_PATTERN = re.compile(_NUMBER)
_OF = "of|in|from|under|by|to|des|der|dem|vom|von|im|zum|zur|du|de|de la|dans"
_PASSAGE = (
    r"(?:,?\s+\w+\s+(?:sentence|half|clause|satz|halbsatz|alternative|unterabsatz|phrase|alinéa)(?!\w))"
)
_LEVELS = (  # of external works, in addition to those of the book
    "chapter section subsection paragraph para. article art. item point sentence "
    "Absatz Abs. Nummer Nr. Satz Buchstabe alinéa"
)
_DIGITS = re.compile(r"\d+")
_CONTINUES = re.compile(r"\s*(?:[.,;:)\]!?–—-]|\Z|and\b|or\b|to\b)")
_URL = re.compile(r"https?://[^\s/<>\"']+(?:/[^\s<>\"']*)?")


class WorkCitation(NamedTuple):
    """A span of a text that cites an external work."""

    start: int
    end: int
    name: str
    work: ExternalWork
    numbers: tuple[tuple[int, int], ...] = ()
    """The spans of the cited numbers."""


@lru_cache(maxsize=16)
def work_finder(edition: Edition) -> ExternalWorkFinder | None:
    """Return the finder for the texts of an edition; None if its book names no external works."""
    return ExternalWorkFinder(edition.book) if edition.book.books else None


class ExternalWorkFinder:
    """Finder of citations of external works in the texts of a book."""

    def __init__(self, book: Rulebook) -> None:
        names = {name: work for words, work in book.books.items() for name in (words, *work.aliases)}
        self._works = {_folded(name): work for name, work in names.items()}
        cues = with_book_cues(book.cues)
        book_levels = [word.strip() for words in book.levels for word in words.split(",")]
        levels = _either((*book_levels, *_LEVELS.split()))
        joins = _either((*(book.joins or JOINS), *(book.through or THROUGH)))
        # A list goes on with a number, the cue of its first number or, before digits, a word for a level.
        cue = rf"(?:(?:{_either(cues)}|{levels})s?\.?\s+|§+\s*)?"
        join = rf"\s*(?:,|;|[-–—]|(?:,\s*)?(?:{joins})(?!\w))\s*"
        level = rf",?\s+(?:{levels})s?\.?\s+(?=\d+(?![.:]?\w))"
        row = rf"(?i:(?P<cue>{cue})(?:pages?|pp?\.)?\s*)"
        row += rf"(?P<row>{_NUMBER}(?:(?i:{join}(?P=cue)?|{level}){_NUMBER})*)"
        self._name_pattern = re.compile(rf"(?<![\w-])(?P<name>{_either(names)})(?![\w-])(?:['’]s?(?!\w))?")
        self._after_pattern = re.compile(rf"\s*[,:]?\s*[(\[]?\s*{row}")
        of = rf"[)\]]?(?i:{_PASSAGE}){{0,2}},?\s+(?i:{_OF})\s+(?:(?i:the|our|its)\s+)?[\[(“„\"]?"
        label = r"\(?\w{1,4}\)?"
        inner = rf"(?i:(?:{levels})s?\.?\s+{label}(?:{join}{label}){{0,9}}\s+(?:{_OF})\s+){{0,3}}"
        self._before_pattern = re.compile(rf"(?<!\w){inner}{row}{of}\Z")

    def find(self, text: str) -> Iterator[WorkCitation]:
        """Yield the citations of external works in a text, in order."""
        done = 0
        for m in self._name_pattern.finditer(text):
            (start, end), rows = m.span(), list[tuple[int, int]]()
            if front := self._before_pattern.search(text, max(done, start - _LOOK_BACK), start):
                start, rows = front.start(), [front.span("row")]
            after = self._after_pattern.match(text, m.end())
            if after and (not _DIGITS.fullmatch(after["row"]) or _CONTINUES.match(text, after.end())):
                rows, end = [*rows, after.span("row")], after.end()
            if rows:
                done = end
                numbers = (number.span() for row in rows for number in _NUMBER_PATTERN.finditer(text, *row))
                yield WorkCitation(start, end, m["name"], self._works[_folded(m["name"])], tuple(numbers))


def resolve_external(
    cited: Sequence[WorkCitation],
    text: str,
    resolved: Sequence[Reference],
    resolver: NumberResolver,
    outline: Outline,
) -> list[Reference]:
    """Return the references of a text, with links to external works in place of their numbers."""
    spans = [citation[:2] for citation in cited]
    references = [r for r in resolved if r.match.mark_span or not overlaps_any(spans, *r.span)]
    rules_by_start = {r.match.start: r for r in resolved if isinstance(r, RuleReference)}
    for citation in cited:
        to = citation.work.leads_to
        if not to or not (is_url(to) or marked_edition(to, outline, resolver.outlines)):
            continue
        for position, (start, end) in enumerate(citation.numbers):
            match = FoundReference(start, end, None, CueStrength.WORD, book="" if is_url(to) else str(to))
            if is_url(to):
                references.append(ExternalReference(match, str(to), text[start:end], citation.name))
                continue
            reference = resolver.resolve_mark(match, text, outline, outline.default_chapter)
            if position and isinstance(reference, FaultyReference):
                # SR 4.3, 9.1: the list continues with a rule of the book itself.
                reference = rules_by_start.get(start, reference)
            references.append(reference)
    return sorted(references, key=lambda reference: reference.match.start)


def is_url(to: LocatedText) -> bool:
    """Return whether a work leads to a URL."""
    return _URL.fullmatch(to) is not None


def _folded(name: str) -> str:
    return " ".join(name.replace("’", "'").split()).casefold()


def _either(words: Iterable[str]) -> str:
    """Return a pattern for any of some words, the longest first; a full stop after them is optional.

    There may be any white space between two words. Only names in capitals must be in capitals.
    """
    patterns: list[str] = []
    for stem in sorted({word.rstrip(".") for word in words} - {""}, key=lambda word: (-len(word), word)):
        pattern = r"\s+".join(re.escape(word).replace("'", "['’]") for word in stem.split())
        patterns.append(pattern if stem.isupper() else f"(?i:{pattern})")
    return "|".join(patterns)
