"""A page that holds only terms, as the glossary of the book."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.imports.blocks import Runs, SourceBlock, after, bold_end, plain
from rulewright.imports.sources.source_site import SourcePage

_NAMED = re.compile(
    r"\b(?:terms|glossary|abbreviations|acronyms|definitions|glossar|begriffe|abkürzungen|glossaire|glosario)\b",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s*(?:[:=–—]|--?(?=\s))\s*")
_UNMARKED = re.compile(r"(?P<term>[^\s:=–—.]+(?: [^\s:=–—.]+){0,3})(?:\s*[:=]|\s+[–—-]|\s*[–—])\s+(?=\S)")
_MIN_TERMS = 3

Term = tuple[str, Runs]
_NO_TERM: Term = ("", ())


def find_terms(page: SourcePage, blocks: Sequence[SourceBlock]) -> list[Term]:
    """Return the terms of a page that holds only terms, as its title says, and nothing for another page.

    A term is bold, or before a colon or a dash, or in the first of two columns.
    """
    if not _NAMED.search(f"{page.title} {page.name}"):
        return []
    terms: list[Term] = []
    for block in blocks:
        for row in block.rows:
            term = (plain(row[0].runs), row[1].runs) if len(row) == 2 else _NO_TERM
            terms += [] if all(cell.is_header for cell in row) else [term]
        if block.kind not in ("heading", "table"):
            terms.append(_term_of(block))
    names = {name.casefold() for name, _ in terms}
    return terms if len(names) == len(terms) >= _MIN_TERMS and "" not in names else []


def _term_of(block: SourceBlock) -> Term:
    """Return the term of a block; a term without a name if the block holds something else."""
    text, end = block.text, bold_end(block.runs)
    name, unmarked = text[:end], _UNMARKED.match(text)
    if end:
        separator = _SEPARATOR.match(text, end)
        end = separator.end() if separator else end
        name = name if separator or name.rstrip()[-1:] in ":=–—-." else ""
    elif unmarked:
        name, end = unmarked["term"], unmarked.end()
    meaning = after(block.runs, end)
    is_term = block.marker in ("", "-") and meaning
    return (" ".join(name.strip(" \n:=–—-.").split()), meaning) if is_term else _NO_TERM
