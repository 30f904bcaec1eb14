"""Measures of a layout: overflow of its pages, panels and columns, and how full they are."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.book.sheet import Plan
from rulewright.print.engine import LayoutBox, PagedLayout

SLACK = 0.3
"""Excess over a box's room that does not count yet, in mm: engines round."""

WHOLE = frozenset(("phase", "tabled"))
"""Classes of elements that are not split unless their block says so."""

ROOMS = frozenset(("columns", "wide"))
_CELLS = frozenset(("td", "th", "li", "p"))


@dataclass(frozen=True, slots=True)
class Overflow:
    """Something that does not fit. `what`: long, wide or tall; `block`: the place of its block.

    `words` name it, `by` is how much of it there is too much in mm, `over` what it runs over.
    """

    what: str
    block: str
    words: str
    by: float = 0.0
    lines: int = 0
    over: str = ""


def excess(laid: PagedLayout, plan: Plan, panel: str = "") -> Iterator[Overflow]:
    """Find what overflows: pages, words that are too wide, and unsplittable elements that are split.

    `panel` is tried alone, as if it were a page.
    """
    boxes = [box for box in laid.boxes() if box.page >= 0]
    if plan.fold != "none":
        yield from _over_panels(boxes)
    elif laid.pages > plan.pages:
        yield from _over_pages(boxes, plan, panel)
    yield from _too_wide(boxes)
    yield from _split(boxes)


def fullness(laid: PagedLayout, plan: Plan) -> float:
    """Share of the room that the words take: 1 is exactly full. The fullest side counts."""
    boxes = list(laid.boxes())
    sides: dict[str, list[float]] = {}
    for page in range(laid.pages):
        text = [box for box in boxes if box.page == page and box.words.strip() and box.within("block")]
        if text:
            sides.setdefault(_side(text[0]), []).append(_column_share(text, plan))
    lengths = [len(shares) - 1 + shares[-1] for shares in sides.values()]
    if len(lengths) == plan.pages:
        return max(lengths)
    return sum(lengths) / plan.pages if lengths else 1.0


def hole(laid: PagedLayout, plan: Plan) -> float:
    """Largest empty foot of a column that others follow, as a part of the height of the page."""
    boxes = [box for box in laid.boxes() if box.words.strip() and box.within("block")]
    rooms: dict[tuple[int, float, float], float] = {}
    for box in boxes:
        if (room := _room(box)) and "columns" in room.classes:
            key = box.page, room.y, room.x
            rooms[key] = max(rooms.get(key, 0.0), box.bottom)
    ahead = list(rooms.values())[:-1]
    return max((1 - bottom / plan.paper.height for bottom in ahead), default=0.0)


def named(character: str) -> str:
    """A character with its number and its name: “☃” (U+2603, SNOWMAN)."""
    name = unicodedata.name(character, "")
    return f"“{character}” (U+{ord(character):04X}{', ' + name if name else ''})"


def _over_pages(boxes: list[LayoutBox], plan: Plan, panel: str) -> Iterator[Overflow]:
    """The first block that stands beyond the pages there are, and how much stands there."""
    text = [box for box in boxes if box.words.strip() and box.within("block")]
    pages: dict[str, list[int]] = {}
    for box in text:
        side = pages.setdefault(_side(box), [])
        if box.page not in side:
            side.append(box.page)
    beyond = {page for side in pages.values() for page in side[1:]} if len(pages) == plan.pages else set()
    beyond = beyond or {page for page in range(boxes[-1].page + 1) if page >= plan.pages}
    over = [box for box in text if box.page in beyond]
    if not over:
        return
    columns: dict[tuple[int, int], tuple[float, float]] = {}
    for box in over:
        room = _room(box)
        key = box.page, round(room.x) if room else 0
        top, bottom = columns.get(key, (box.y, box.bottom))
        columns[key] = min(top, box.y), max(bottom, box.bottom)
    by = sum(bottom - top for top, bottom in columns.values())
    first = over[0]
    count = "its page" if plan.pages == 1 else f"its {plan.pages} pages"
    over_what = f"the panel “{panel}”" if panel else count
    yield Overflow("long", first.within("block"), first.within("name"), by, _lines(by, first), over_what)


def _over_panels(boxes: list[LayoutBox]) -> Iterator[Overflow]:
    """Panels that are too full: what they hold reaches below them, or was carried to a page more."""
    for name in dict.fromkeys(panel.data["panel"] for panel in _panels(boxes)):
        pieces = [panel for panel in _panels(boxes) if panel.data["panel"] == name]
        own = pieces[0]
        carried = [box for piece in pieces[1:] for box in _inside(boxes, piece) if box.words.strip()]
        below = [box for box in _inside(boxes, own) if box.words.strip() and box.bottom > own.bottom + SLACK]
        by = sum(_bottom(boxes, piece) - piece.y for piece in pieces[1:])
        by += max((box.bottom - own.bottom for box in below), default=0.0)
        if first := next(iter([*below, *carried]), None):
            over = f"the panel “{name}”"
            yield Overflow("long", first.within("block"), first.within("name"), by, _lines(by, first), over)


def _too_wide(boxes: list[LayoutBox]) -> Iterator[Overflow]:
    """Words, tables and pictures that reach out of their column, or out of their cell."""
    for box in boxes:
        if not (box.words.strip() or box.tag in ("table", "img")) or not box.within("block"):
            continue
        room = _room(box)
        cell = (
            next((one for one in box.out() if one.tag in _CELLS and one.width), None) if box.words else None
        )
        upright = next((one for one in box.out() if "upright" in one.classes), None)
        if upright:
            by = box.width - upright.height
        else:
            by = max((box.right - one.right for one in (room, cell) if one), default=0.0)
        if by > SLACK:
            words = " ".join(box.words.split())
            what = (
                f"“{max(words.split(), key=len)}”"
                if words
                else "a table"
                if box.tag == "table"
                else "a picture"
            )
            yield Overflow("wide", box.within("block"), what, by)


def _split(boxes: list[LayoutBox]) -> Iterator[Overflow]:
    """Find elements in more than one column that may not be split."""
    seen: dict[int, LayoutBox] = {}
    for box in boxes:
        if not box.classes & WHOLE or any("may-split" in one.classes for one in box.out()):
            continue
        room = _room(box)
        before = seen.setdefault(box.element, box)
        first = _room(before)
        if room and first and (before.page, round(first.x)) != (box.page, round(room.x)):
            yield Overflow("tall", box.within("block"), f"{_heading(boxes, before)} of {box.within('name')}")


def _heading(boxes: list[LayoutBox], box: LayoutBox) -> str:
    """The first words in a box."""
    inside = (one.words for one in boxes if one.words.strip() and any(around is box for around in one.out()))
    words: list[str] = []
    for part in inside:
        words += part.split()
        if len(words) > 3:
            break
    return f"“{' '.join(words[:6])}”"


def _side(box: LayoutBox) -> str:
    """The side that a box stands on, by its class."""
    return next((name for one in box.out() for name in one.classes if name.startswith("page-")), "")


def _room(box: LayoutBox) -> LayoutBox | None:
    """The column that a box stands in."""
    return next((one for one in box.out() if one.classes & ROOMS), None)


def _panels(boxes: list[LayoutBox]) -> list[LayoutBox]:
    return [box for box in boxes if "panel" in box.classes and box.tag == "div"]


def _inside(boxes: list[LayoutBox], panel: LayoutBox) -> Iterator[LayoutBox]:
    return (
        one for one in boxes if one is not panel and one.height and any(out is panel for out in one.out())
    )


def _bottom(boxes: list[LayoutBox], panel: LayoutBox) -> float:
    return max(
        (box.bottom for box in _inside(boxes, panel) if box.words or box.tag == "img"), default=panel.y
    )


def _column_share(text: list[LayoutBox], plan: Plan) -> float:
    """Filled share of a page, up to its last words: columns ahead of theirs count as full."""
    last = _room(text[-1])
    low = max(box.bottom for box in text if _room(box) is last)
    if last is None or "wide" in last.classes:
        return low / plan.paper.height
    ahead = {round(room.x) for room in map(_room, text) if room and room.x < last.x - 1 and room.y == last.y}
    columns, down = max(plan.columns, len(ahead) + 1), plan.paper.height - last.y
    return (last.y + (down * len(ahead) + low - last.y) / columns) / plan.paper.height


def _lines(by: float, box: LayoutBox) -> int:
    return max(1, round(by / max(box.height, 1.0)))
