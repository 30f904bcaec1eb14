"""Numbers in the texts that look like rule numbers and are not references."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rulewright.files.problems import SourceLocation
from rulewright.references.content_page import ContentPage, PageText, blank_non_prose
from rulewright.references.name_finder import overlaps_any
from rulewright.references.reference_index import ReferenceIndex


class Unlinked(NamedTuple):
    """A number that is not a reference."""

    place: SourceLocation
    number: str  # the number as written
    edition: str  # the address of the edition that has numbers of this form


def unlinked(index: ReferenceIndex, pages: Iterable[ContentPage]) -> Iterator[Unlinked]:
    """Yield the numbers in all texts and pages that are not references."""
    pages = [*pages]
    for address, outline in index.outlines.items():
        edition = outline.edition
        forms = "|".join(pattern.pattern for pattern in edition.dialect.patterns)
        shape = re.compile(rf"(?<![\w.])(?:{forms})(?!\w)")
        texts = [pair for pair in index.editions[address].texts if edition.has_written(pair[0])]
        texts += [(page.text, page.resolved) for page in pages if page.edition is edition]
        for text, references in texts:
            prose = blank_non_prose(text) if isinstance(text, PageText) else text
            spans = [reference.span for reference in references]
            for m in shape.finditer(prose):
                if not overlaps_any(spans, *m.span()):
                    yield Unlinked(text.location_of(m.start()), m.group(), address)
