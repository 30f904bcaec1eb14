"""Plain text of a sheet, line by line, as a screen reader reads it out."""

from __future__ import annotations

import re
from html.parser import HTMLParser

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = ("address", "blockquote", "br", "div", "figure", "footer", "header", "main", "nav", "p", "section")
_LISTS = ("dd", "dl", "dt", "li", "ol", "ul")
_TABLES = ("caption", "table", "tbody", "thead", "tr")
LINES = frozenset((*_HEADINGS, *_BLOCKS, *_LISTS, *_TABLES, "figcaption"))
"""Tags that begin a line of their own."""

CELLS = frozenset(("td", "th"))
UNSEEN = frozenset(("head", "script", "style", "title", "desc"))
GAP = " | "


def words_of(html: str) -> tuple[str, ...]:
    """The lines of an HTML document without empty ones. Cells of a table are parted by a bar."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = (re.sub(r"\s+", " ", line).strip(" |") for line in "".join(reader.parts).split("\n"))
    return tuple(line for line in lines if line)


class _Reader(HTMLParser):
    """Gathers text; a new line is a mark among it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in UNSEEN:
            self.unseen += 1
        elif tag in LINES:
            self.parts.append("\n")
        elif tag == "img" and not self.unseen:
            self.parts.append(f"[{' '.join((dict(attrs).get('alt') or '').split())}]")

    def handle_endtag(self, tag: str) -> None:
        if tag in UNSEEN:
            self.unseen -= 1
        elif tag in LINES:
            self.parts.append("\n")
        elif tag in CELLS:
            self.parts.append(GAP)

    def handle_data(self, data: str) -> None:
        if not self.unseen:
            self.parts.append(data.replace("\n", " "))
