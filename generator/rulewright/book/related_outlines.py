"""Editions by address, by book and by series."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.book.library import Edition, newest_editions
from rulewright.book.outline import Outline


def find_outline(name: str, outlines: Mapping[str, Outline]) -> Outline | None:
    """Return the edition with an address, or the newest edition of a book."""
    if outline := outlines.get(name):
        return outline
    editions = [outline.edition for outline in outlines.values()]
    newest = newest_editions(edition for edition in editions if edition.address.partition("/")[0] == name)
    return outlines[newest[name].address] if newest else None


def with_series(outline: Outline, outlines: Mapping[str, Outline]) -> list[Outline]:
    """Return an edition and the series that it extends, nearest first."""
    addresses = (edition.address for edition in outline.edition.with_series)
    return [outlines[address] for address in addresses if address in outlines]


def marked_edition(book: str, outline: Outline | None, outlines: Mapping[str, Outline]) -> Outline | None:
    """Return the edition that a mark names; for a book alone, the one that is extended or the newest."""
    series = with_series(outline, outlines)[1:] if outline else ()
    extended = (outline for outline in series if outline.edition.address.partition("/")[0] == book)
    return next(extended, None) or find_outline(book, outlines)


def edition_of_numbers(text: str, outline: Outline, outlines: Mapping[str, Outline]) -> Outline:
    """Return the edition of the numbers in a text: the series for texts inherited from it."""
    return next((o for o in with_series(outline, outlines) if o.edition.has_written(text)), outline)


def sequence_outline(outline: Outline, outlines: Mapping[str, Outline]) -> Outline:
    """Return the outline with the sequence of play: the game's or, if it has none, that of its series."""
    return next((o for o in with_series(outline, outlines) if o.sequence.steps), outline)


def book_names(outlines: Mapping[str, Outline]) -> list[str]:
    """Return the names of all books, then the addresses of all editions."""
    return [*dict.fromkeys(address.partition("/")[0] for address in outlines), *outlines]


def one_edition_per_book(outlines: Mapping[str, Outline]) -> list[Edition]:
    """Return one edition of each book, the last loaded, for data that all editions of a book share."""
    return [*{address.partition("/")[0]: outline.edition for address, outline in outlines.items()}.values()]
