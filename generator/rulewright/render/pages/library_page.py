"""The library: each edition with its four ways in, and what it counts, which only editors ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.outline import Outline
from rulewright.references import site_paths
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.text_document import plain_text

_LONGEST_HINT = 18
"""Signs of a title that is shown as an example of what can be looked for."""


@dataclass(frozen=True, slots=True)
class EditionSummary:
    """An edition as the library lists it. `series_title`: the series that it extends.

    `sections`: of Play, Sequence, Read and Aids those that it has, each with its page. `hints`: what can be
    looked for in it. The numbers are counts.
    """

    address: str
    name: str
    short: str
    rules: int
    transcribed: int
    steps: int
    tables: int
    references: int
    sections: tuple[tuple[str, str], ...] = ()
    hints: tuple[str, ...] = ()
    series_title: str = ""


def summarize_edition(outline: Outline, index: ReferenceIndex) -> EditionSummary:
    """Sum up an edition for the library."""
    edition, address = outline.edition, outline.edition.address
    return EditionSummary(
        address,
        str(edition.edition_file.edition),
        edition.short,
        series_title=edition.base.short if edition.base else "",
        sections=tuple(_ways(outline, index)),
        hints=tuple(_hints(outline)),
        rules=len(outline.entries),
        transcribed=sum(entry.is_transcribed for entry in outline.entries.values()),
        steps=sum(step.difference != "dropped" for step in outline.sequence.iter_steps()),
        tables=len(index.editions[address].tables),
        references=sum(len(citation.resolved) for citation in index.editions[address].citations),
    )


def _ways(outline: Outline, index: ReferenceIndex) -> Iterator[tuple[str, str]]:
    """The ways into an edition; a game without a sequence of its own has that of its series."""
    edition, base = outline.edition, outline.edition.base
    played = edition if edition.sequence else base if base and base.sequence else None
    if played:
        yield "Play", f"{played.address}/play"
        yield "Sequence", f"{played.address}/sequence"
    if chapter := next(
        (chapter for chapter in outline.chapters if chapter.rule), next(iter(outline.chapters), None)
    ):
        yield "Read", site_paths.chapter_path(chapter)
    if index.editions[edition.address].aid_sheets:
        yield "Aids", f"{edition.address}/aids"
    elif index.editions[edition.address].tables:
        yield "Aids", f"{edition.address}/tables"


def _hints(outline: Outline) -> Iterator[str]:
    """A number, a title and a term, to show what can be looked for."""
    inner = [entry for entry in outline.entries.values() if entry.parent]
    yield from (entry.key for entry in inner[len(inner) // 2 :][:1])
    titles = (plain_text(entry.title).lower() for entry in inner if entry.title)
    short = (title for title in titles if " " in title and len(title) <= _LONGEST_HINT)
    yield from [title for title in short if not title.startswith("the ")][:1]
    terms = [str(term) for term in outline.edition.book.terms if len(term) <= _LONGEST_HINT]
    yield from sorted(terms, key=lambda term: not term.isupper())[:1]
