"""Page numbers put in their places in lines that are laid out already.

see 12.5 (p. 00) and     room for two figures, since the page was not known yet
see 12.5 (p. 9) and      what follows in the line comes nearer; behind leaders the leaders grow
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def fill_page_numbers(page_box: Any, pages: Mapping[str, str]) -> bool:
    """Print a page wherever `data-at` says whose it is, and say whether anything moved for it.

    All figures are equally wide, and a page has at most as many as there is room for.
    """
    moved = False
    for line in page_box.descendants():
        if type(line).__name__ != "LineBox":
            continue
        for path in list(_figures(line, pages)):
            moved |= _put(path, pages)
    return moved


Path = list[tuple[Any, int]]
"""The way from a line to a text: each box on it, with the place of the next among its children."""


def _figures(box: Any, pages: Mapping[str, str], above: Path | None = None) -> Iterator[Path]:
    """The ways to all page numbers of a line."""
    for place, child in enumerate(getattr(box, "children", ())):
        path = [*(above or []), (box, place)]
        if hasattr(child, "text"):
            if child.element is not None and child.element.get("data-at", "") in pages:
                yield path
        elif type(child).__name__ == "InlineBox":
            yield from _figures(child, pages, path)


def _put(path: Path, pages: Mapping[str, str]) -> bool:
    """Set a page in its place, and move what comes behind it where it is shorter than its room."""
    box, place = path[-1]
    text = box.children[place]
    page = pages[text.element.get("data-at")]
    room, wide = len(text.text), text.width
    assert len(page) <= room, f"no room for {page} in place of {text.text}"
    text.text = text.pango_layout.text = page
    if len(page) == room:
        return False
    text.width = wide * len(page) / room
    free = wide - text.width
    for box, place in path:
        for behind in box.children[place + 1 :]:
            behind.translate(dx=-free)
    line, *around = [box for box, _ in path]
    for box in around:
        box.width -= free
    _grow(line, free)
    return True


def _grow(box: Any, free: float) -> bool:
    """Let the first leaders of a line grow, so that it ends where it did; whether there are any."""
    for place, child in enumerate(box.children):
        if child.is_leader or (type(child).__name__ == "InlineBox" and _grow(child, free)):
            child.width += free
            for behind in box.children[place + 1 :]:
                behind.translate(dx=free)
            return True
    return False
