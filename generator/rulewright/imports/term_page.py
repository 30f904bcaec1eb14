"""A page that holds nothing but terms, as the glossary of the book."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.imports.blocks import Notes, Runs, SourceBlock, after, bold_end, plain, raw_text, strip
from rulewright.imports.sources.source_site import SourcePage

_NAMES = "terms|glossary|abbreviations|acronyms|definitions|glossar|begriffe|abkürzungen|glossaire|glosario"
_NAMED = re.compile(rf"\b(?:{_NAMES})\b", re.IGNORECASE)
_PARTING = re.compile(r"\s*(?:[:=–—]|--?(?=\s))\s*")
_UNMARKED = re.compile(r"(?P<term>[^\s:=–—.]+(?: [^\s:=–—.]+){0,3})(?:\s*[:=]|\s+[–—-]|\s*[–—])\s+(?=\S)")
_LEAST = 3

Term = tuple[str, Runs]


def find_terms(page: SourcePage, blocks: Sequence[SourceBlock], report: Notes) -> list[Term] | None:
    """Return the terms of a page that holds only terms; empty if only its title says so; None for others.

    A term is bold, or before a colon or a dash, or in the first of two columns.
    """
    if not _NAMED.search(f"{page.title} {page.name}"):
        return None
    left_out: list[tuple[SourceBlock, str, str]] = []
    found = [term for block in blocks for term in _terms_of(block, left_out)]
    terms = [term for term in found if term]
    if not len({name.casefold() for name, _ in terms}) == len(found) >= _LEAST:
        return []
    for block, words, reason in left_out:
        report.leave_out(page, block.line, words, reason)
    return terms


def _terms_of(block: SourceBlock, left_out: list[tuple[SourceBlock, str, str]]) -> Iterator[Term | None]:
    words = plain(block.runs)
    if block.kind == "heading" and (len(words) == 1 or _NAMED.search(words) or block.level == 0):
        left_out.append((block, words, "a heading of the glossary"))
    elif block.kind == "table" and all(len(row) == 2 for row in block.rows):
        for name, means in block.rows:
            if name.is_header and means.is_header:
                left_out.append((block, plain((*name.runs, *means.runs)), "the heads of a table of terms"))
                left_out[-1] = (block, f"{plain(name.runs)} {plain(means.runs)}", left_out[-1][2])
            else:
                yield (plain(name.runs), means.runs) if plain(name.runs) and plain(means.runs) else None
    elif block.kind == "paragraph" or (block.kind == "item" and block.marker == "-"):
        yield _term(block.runs)
    else:
        yield None


def _term(runs: Runs) -> Term | None:
    text, bold = raw_text(runs), bold_end(runs)
    if bold:
        name = text[:bold].strip()
        parting = _PARTING.match(text, bold)
        if not parting and name[-1:] not in ":=–—-.":
            return None
        means = after(runs, parting.end() if parting else bold)
    elif match := _UNMARKED.match(text):
        name, means = match["term"], after(runs, match.end())
    else:
        return None
    name = " ".join(name.strip(" :=–—-.").split())
    return (name, strip(means)) if name and plain(means) else None
