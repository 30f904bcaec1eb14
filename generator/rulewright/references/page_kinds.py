"""Kinds of pages on the site, and which of them an edition has.

The site and the checks of addresses both use this list. A new page needs a line here, a function of its name
in `site/pages/`, and a template.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.book.outline import Outline
from rulewright.references.previous_edition import earlier_editions
from rulewright.references.reference_index import ReferenceIndex

MOST_ON_ONE_PAGE = 4_000
"""Maximum number of rules on the page with all rules: about 4 MB, which a phone can still render."""


def page_kinds(outline: Outline, index: ReferenceIndex) -> Mapping[str, object]:
    """Map every kind of page to whether the edition has it, in the order of the site's navigation."""
    edition, base = outline.edition, outline.edition.address
    return {
        "edition": True,
        "sequence": edition.sequence,
        "narrative": edition.sequence and outline.sequence.narrative_steps,
        "play": edition.sequence,
        "chapter": outline.chapters,
        "tables": index.editions[base].tables,
        "glossary": edition.book.terms,
        "series": edition.base,
        "errata": index.editions[base].errata_entries,
        "changes": earlier_editions(outline, index.outlines),
        "numbers": True,
        "all": outline.chapters[1:] and len(outline.entries) <= MOST_ON_ONE_PAGE,
        "aids": index.editions[base].aid_sheets,
    }


def kinds_of(outline: Outline, index: ReferenceIndex) -> Iterator[str]:
    """Yield the kinds of pages that an edition has."""
    return (kind for kind, is_present in page_kinds(outline, index).items() if is_present)
