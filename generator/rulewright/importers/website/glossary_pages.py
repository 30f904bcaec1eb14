"""A page of terms and what they stand for as the book's glossary, where its shape allows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from rulewright.importers.website.blocks import (
    Block,
    Grid,
    Heading,
    Listing,
    Paragraph,
    TextPiece,
    behind,
    said,
    trimmed,
)
from rulewright.importers.website.book_rules import ParsedPage
from rulewright.importers.website.page_prose import ProseWriter
from rulewright.importers.website.receipt import Receipt
from rulewright.source.writing import Brief, Value

_NAMES = "terms|glossary|abbreviations|acronyms|definitions|glossar|begriffe|abkürzungen|glossaire|glosario"
_NAMED = re.compile(rf"\b(?:{_NAMES})\b", re.IGNORECASE)
_PARTING = re.compile(r"\s*(?:[:=–—]|--?(?=\s))\s*")
_UNMARKED = re.compile(r"(?P<term>[^\s:=–—.]+(?: [^\s:=–—.]+){0,3})(?:\s*[:=]|\s+[–—-]|\s*[–—])\s+(?=\S)")
_LEAST = 3

Term = tuple[str, list[TextPiece]]


def terms_of(read: ParsedPage) -> list[Term] | None:
    """The terms of a page that holds only terms, each with its meaning; None for any other page.

    A term is bold and parted from its meaning, or stands in front of a colon or a dash, or in the first of
    two columns. An empty list where only the page's title says that it is one of terms.
    """
    if not _NAMED.search(f"{read.page.title} {read.page.name}"):
        return None
    found: list[Term | None] = [term for block in read.reading.blocks for term in _in(block)]
    terms = [term for term in found if term]
    names = {name.casefold() for name, _ in terms}
    return terms if len(names) == len(found) >= _LEAST else []


def glossary(read: ParsedPage, terms: Sequence[Term], writer: ProseWriter) -> dict[str, Value]:
    """The terms as a rulebook has them."""
    return {name: Brief({"means": writer.words(read.page, pieces)}) for name, pieces in terms}


def tell_glossary(read: ParsedPage, told: Receipt) -> None:
    """Tell the words of a page of terms that a glossary does without: its title and headings."""
    told.turn(read.page, 1, read.page.title, "", "the title of a page that is the glossary")
    for block in read.reading.blocks:
        if isinstance(block, Heading):
            told.turn(read.page, block.line, said(block.pieces), "", "a heading of the glossary")
        elif isinstance(block, Grid):
            heads = [row for row in block.rows if all(cell.heads for cell in row)]
            words = " ".join(said(cell.pieces) for row in heads for cell in row)
            told.turn(read.page, block.line, words, "", "the headings of a table of terms")


def _in(block: Block) -> Iterator[Term | None]:
    """The terms of a block, None for what is none; a heading of a letter or of “Terms” is nothing."""
    if isinstance(block, Paragraph):
        yield _term(block.pieces)
    elif isinstance(block, Listing):
        for item in block.items:
            yield _term(item.lead) if len(item.blocks) == 1 and not item.marker else None
    elif isinstance(block, Grid) and all(len(row) == 2 for row in block.rows):
        rows = [row for row in block.rows if not all(cell.heads for cell in row)]
        for name, means in rows:
            yield (said(name.pieces), means.pieces) if said(name.pieces) and said(means.pieces) else None
    elif not isinstance(block, Heading) or (
        len(said(block.pieces)) > 1 and not _NAMED.search(said(block.pieces))
    ):
        yield None


def _term(pieces: list[TextPiece]) -> Term | None:
    leading = takewhile(lambda piece: piece.bold and not piece.link and not piece.picture, pieces)
    bold = sum(len(piece.text) for piece in leading)
    text = "".join(piece.text for piece in pieces if not piece.picture)
    if bold:
        name = text[:bold].strip()
        parting = _PARTING.match(text, bold)
        if not parting and name[-1:] not in ":=–—-.":
            return None
        means = behind(pieces, parting.end() if parting else bold)
    elif m := _UNMARKED.match(text):
        name, means = m["term"], behind(pieces, m.end())
    else:
        return None
    name = " ".join(name.strip(" :=–—-.").split())
    return (name, trimmed(means)) if name and said(means) else None
