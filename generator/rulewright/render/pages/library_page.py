"""Editions as the library lists them, each with its four ways in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.outline import Outline
from rulewright.references import site_paths
from rulewright.references.reference_index import ReferenceIndex


@dataclass(frozen=True, slots=True)
class EditionSummary:
    """An edition as the library lists it."""

    address: str
    name: str
    steps: int
    """The number of its steps."""
    sections: tuple[tuple[str, str], ...]
    """Of Play, Sequence, Read and Aids those that it has, each with its page."""
    series_title: str
    """The series that it extends."""


def summarize_edition(outline: Outline, index: ReferenceIndex) -> EditionSummary:
    """Return the summary of an edition for the library."""
    edition = outline.edition
    return EditionSummary(
        edition.address,
        str(edition.edition_file.edition),
        sum(step.difference != "dropped" for step in outline.sequence.iter_steps()),
        tuple(_sections(outline, index)),
        edition.base.short if edition.base else "",
    )


def _sections(outline: Outline, index: ReferenceIndex) -> Iterator[tuple[str, str]]:
    """Yield the ways into an edition; a game without a sequence of its own has that of its series."""
    edition, address = outline.edition, outline.edition.address
    played = edition if edition.sequence else edition.base
    if played and played.sequence:
        yield "Play", f"{played.address}/play"
        yield "Sequence", f"{played.address}/sequence"
    if outline.chapters:
        chapter = next((chapter for chapter in outline.chapters if chapter.rule), outline.chapters[0])
        yield "Read", site_paths.chapter_path(chapter)
    if index.editions[address].aid_sheets:
        yield "Aids", f"{address}/aids"
    elif index.editions[address].tables:
        yield "Aids", f"{address}/tables"
