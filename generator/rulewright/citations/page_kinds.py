"""Kinds of page that the site makes of an edition, and for which editions it makes them.

It is said here once, since the checks ask which addresses are taken. To add a page is a line here, a function
that `site/pages/` has for its name, and its template.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.book.outline import Outline
from rulewright.citations.previous_edition import earlier_editions
from rulewright.citations.reference_index import ReferenceIndex

MOST_ON_ONE_PAGE = 4_000
"""Rules of an edition up to which it has a page with all of them: some 4 MB, which a phone still lays out."""


def page_kinds(outline: Outline, index: ReferenceIndex) -> Mapping[str, object]:
    """Map every kind of page to whether the edition has it, in the order of the site's navigation."""
    edition, base = outline.edition, outline.edition.address
    return {
        "edition": True,
        "sequence": edition.sequence,
        "narrative": edition.sequence and outline.narrative_steps,
        "play": edition.sequence,
        "in-order": edition.sequence,
        "chapter": outline.chapters,
        "tables": index.tables[base],
        "glossary": edition.book.terms,
        "series": edition.base,
        "errata": index.errata_entries[base],
        "changes": earlier_editions(outline, index.outlines),
        "numbers": True,
        "all": outline.chapters[1:] and len(outline.entries) <= MOST_ON_ONE_PAGE,
        "aids": index.aid_sheets[base],
    }


def kinds_of(outline: Outline, index: ReferenceIndex) -> Iterator[str]:
    """The kinds of page that an edition has."""
    return (kind for kind, is_present in page_kinds(outline, index).items() if is_present)
