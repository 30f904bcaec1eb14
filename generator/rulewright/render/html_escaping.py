"""Words as parts of HTML."""

from __future__ import annotations

from html import escape

import markupsafe


def text_html(words: str) -> str:
    """Return words as they are between tags."""
    return escape(words, quote=False)


def attribute(words: str) -> str:
    """Return words as they are in an attribute."""
    return str(markupsafe.escape(words))


def builtin(words: str) -> str:
    """Return words of the program, which are English; a page in English loses the mark at its end."""
    return f'<span lang="en">{words}</span>'


def trim_lines(html: str) -> str:
    """Return HTML without white space around it and its lines."""
    return "\n".join(line.strip() for line in html.strip().split("\n"))
