"""The style sheet of each book, with its colours."""

from __future__ import annotations

from rulewright.book.looks import dressed
from rulewright.citations import addresses
from rulewright.citations.shelf import Shelf
from rulewright.site.artifacts import Look
from rulewright.site.templating import environment


def looks(shelf: Shelf, folder: str) -> tuple[dict[str, Look], dict[str, str | bytes]]:
    """The look of the book in a folder by that, and its style sheet by its path."""
    found: dict[str, Look] = {}
    files: dict[str, str | bytes] = {}
    for address, outline in shelf.outlines.items():
        book = address.partition("/")[0]
        if book != folder or book in found:
            continue
        dress = dressed(outline.edition)
        style = addresses.style_path(book)
        font = addresses.relative(book, dress.font).rstrip("/") if dress.font else ""
        files[style] = environment().get_template("site/look.css").render(dress=dress, font=font)
        found[book] = Look(style, dress.bar, dress.logo)
    return found, files
