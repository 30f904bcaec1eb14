"""A page that holds only terms, as the glossary of the book."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.imports.blocks import Notes, Runs, SourceBlock, after, bold_end, plain, raw_text, strip
from rulewright.imports.sources.source_site import SourcePage

_NAMES = "terms|glossary|abbreviations|acronyms|definitions|glossar|begriffe|abkürzungen|glossaire|glosario"
_NAMED = re.compile(rf"\b(?:{_NAMES})\b", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s*(?:[:=–—]|--?(?=\s))\s*")
_UNMARKED = re.compile(r"(?P<term>[^\s:=–—.]+(?: [^\s:=–—.]+){0,3})(?:\s*[:=]|\s+[–—-]|\s*[–—])\s+(?=\S)")
_MIN_TERMS = 3

Term = tuple[str, Runs]


def find_terms(page: SourcePage, blocks: Sequence[SourceBlock], report: Notes) -> list[Term]:
    """Return the terms of a page that holds only terms, as its title says, and nothing for another page.

    A term is bold, or before a colon or a dash, or in the first of two columns.
    """
    if not _NAMED.search(f"{page.title} {page.name}"):
        return []
    headings = [block for block in blocks if block.kind == "heading"]
    terms = [term for block in blocks if block.kind != "heading" for term in _terms_of(block)]
    names = {name.casefold() for name, _ in terms}
    if not len(names) == len(terms) >= _MIN_TERMS or "" in names:
        return []
    for block in headings:
        report.leave_out(page, block.line, plain(block.runs), "a heading of the glossary")
    for block in blocks:
        for row in block.rows:
            if all(cell.is_header for cell in row):
                words = " ".join(plain(cell.runs) for cell in row)
                report.leave_out(page, block.line, words, "the heads of a table of terms")
    return terms


def _terms_of(block: SourceBlock) -> Iterator[Term]:
    """Yield the terms of a block; a term without a name if the block holds something else."""
    for row in block.rows:
        if not all(cell.is_header for cell in row):
            yield (plain(row[0].runs), row[1].runs) if len(row) == 2 else ("", ())
    if block.kind == "table":
        return
    text, bold = raw_text(block.runs), bold_end(block.runs)
    name, end = text[:bold].strip(), bold
    if bold:
        separator = _SEPARATOR.match(text, bold)
        end = separator.end() if separator else bold
        name = name if separator or name[-1:] in ":=–—-." else ""
    elif match := _UNMARKED.match(text):
        name, end = match["term"], match.end()
    meaning = strip(after(block.runs, end))
    is_term = block.kind in ("paragraph", "item") and block.marker in ("", "-") and meaning
    yield (" ".join(name.strip(" :=–—-.").split()), meaning) if is_term else ("", ())
