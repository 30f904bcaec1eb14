"""References to pages, which are faults: page numbers change with the layout."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.book.library import Edition
from rulewright.files.problems import Severity, problem_type, quote_short
from rulewright.numbering.reference_cues import CueStrength
from rulewright.numbering.reference_finder import FoundReference
from rulewright.references.reference_types import FaultyReference

PAGE = problem_type(
    "page-cited",
    """A text cites a page. Page numbers change with the layout; cite the rule, or list the other book to
    which the page belongs under `books:`.""",
    Severity.NOTE,
)

_PAGE = re.compile(
    r"(?<![\w-])(?:pages?|pp?\.)[ \xa0]*\n?[ ]*\d{1,3}(?![\w%]|[.:/]\d)"
    r"(?:\s*(?:,|-|–|to|and|or|through)\s*\d{1,3}(?![\w%]|[.:/]\d))*",
    re.IGNORECASE,
)
_LINE_END = re.compile(r"[ \t]*(?:\r?\n|\Z)")
_LEADS_TO_PAGE = re.compile(r"(?:\b(?:see|also|on|at|from|to|of|in|and|or|cf\.)|[(\[])\s*\Z", re.IGNORECASE)


def page_references(text: str, edition: Edition) -> Iterator[FaultyReference]:
    """Yield the pages that a text cites, as faults."""
    if "age" not in text and "p." not in text:
        return  # fast path for most texts
    declared = (*edition.book.not_references, *edition.edition_file.not_references)
    never = {" ".join(words.replace("#", "").split()).casefold() for words in declared if "#" in words}
    for m in _PAGE.finditer(text):
        before = text[max(0, m.start() - 12) : m.start()]
        if _LINE_END.match(text, m.end()) and not _LEADS_TO_PAGE.search(before):
            continue  # a page footer in a text copied from a PDF
        if re.split(r"[\s\d]", m.group(), maxsplit=1)[0].casefold() not in never:
            words = quote_short(m.group())
            message = f"{words}: page numbers change with the layout; cite the rule on that page"
            yield FaultyReference(FoundReference(*m.span(), None, CueStrength.WORD), PAGE, message)
