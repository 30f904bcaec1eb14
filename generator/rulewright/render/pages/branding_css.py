"""The style sheet of each book, with its colours."""

from __future__ import annotations

from rulewright.book.library import Edition
from rulewright.book.resolved_branding import resolve_branding
from rulewright.references import site_paths
from rulewright.render.build_artifacts import BookStyle, Content
from rulewright.render.templating import environment


def branding_style(edition: Edition, book: str) -> tuple[BookStyle, dict[str, Content]]:
    """Return the look of a book, and its style sheet by its path."""
    branding, path = resolve_branding(edition), site_paths.style_path(book)
    font = site_paths.relative_link(book, branding.font).rstrip("/") if branding.font else ""
    css = environment().get_template("site/look.css").render(dress=branding, font=font)
    return BookStyle(path, branding.bar, branding.logo), {path: css}
