"""Numbers in the texts that look like rule numbers and are not references."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from rulewright.files.problems import SourceFile, SourceLocation
from rulewright.references.reference_index import ReferenceIndex

if TYPE_CHECKING:
    from rulewright.references.content_page import ContentPage


class Unlinked(NamedTuple):
    """A number that is not a reference."""

    place: SourceLocation
    number: str  # the number as written
    edition: str  # the address of the edition that has numbers of this form


def unlinked(index: ReferenceIndex, pages: Iterable[ContentPage]) -> Iterator[Unlinked]:
    """Yield the numbers in all texts and pages that are not references."""
    from rulewright.references.content_page import blank_non_prose  # lazy: small games have no pages

    pages = [page for page in pages if page.edition]
    for address, outline in index.outlines.items():
        edition = outline.edition
        forms = "|".join(pattern.pattern for pattern in edition.dialect.patterns)
        shape = re.compile(rf"(?<![\w.])(?:{forms})(?!\w)")
        book_texts = (
            (t, t.location_of, references)
            for t, references in index.editions[address].texts
            if edition.has_written(t)
        )
        edition_pages = (page for page in pages if page.edition is edition)
        more = (
            (blank_non_prose(page.text), SourceFile(page.name, page.text).location, page.resolved)
            for page in edition_pages
        )
        for text, place_of, references in (*book_texts, *more):
            spans = [reference.span for reference in references]
            for m in shape.finditer(text):
                if not any(start < m.end() and m.start() < end for start, end in spans):
                    yield Unlinked(place_of(m.start()), m.group(), address)
