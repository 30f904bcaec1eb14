"""The style sheet of each book, with its colours."""

from __future__ import annotations

from rulewright.book.resolved_branding import resolve_branding
from rulewright.references import site_paths
from rulewright.references.reference_index import ReferenceIndex
from rulewright.render.build_artifacts import BookStyle
from rulewright.render.templating import environment


def branding_styles(
    index: ReferenceIndex, folder: str
) -> tuple[dict[str, BookStyle], dict[str, str | bytes]]:
    """The look of the book in a folder by that, and its style sheet by its path."""
    found: dict[str, BookStyle] = {}
    files: dict[str, str | bytes] = {}
    for address, outline in index.outlines.items():
        book = address.partition("/")[0]
        if book != folder or book in found:
            continue
        dress = resolve_branding(outline.edition)
        style = site_paths.style_path(book)
        font = site_paths.relative_link(book, dress.font).rstrip("/") if dress.font else ""
        files[style] = environment().get_template("site/look.css").render(dress=dress, font=font)
        found[book] = BookStyle(style, dress.bar, dress.logo)
    return found, files
