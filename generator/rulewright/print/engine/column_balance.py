"""Column balancing: blocks are pushed apart until all columns end where the longest may end.

Boxes are moved after the layout, which so stays as it is: no line breaks elsewhere, and nothing is laid out
again. Lengths are in units of the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.print.engine.boxes import MM

PIECES = frozenset(("block", "difference", "phase", "rule", "tabled", "told", "turn", "turn-bar"))
"""Classes of elements that may be moved away from the element above."""

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
MOST = 4.2 * MM
"""Most that a gap may grow, in units of the engine."""

CLEAR = 1.2 * MM
"""Distance of the last words from the line at the foot of a page, in units of the engine."""


def balance_columns(page_box: Any) -> bool:
    """Balance the columns of a page and of its panels; return whether anything was moved."""
    from weasyprint.layout.background import layout_backgrounds

    moved = False
    for room, end in list(_rooms(page_box, page_box.content_box_y() + page_box.height)):
        runs = [child for child in room.children if _classes(child) & {"columns", "wide"}]
        for run in runs:
            columns = [_unplaced(child) for child in run.children if _unplaced(child).is_column]
            if columns:
                moved |= _even(columns, end if run is runs[-1] else None)
    if moved:  # grounds stand where their boxes stood; none of them is a picture
        layout_backgrounds(page_box, lambda **_: None)
    return moved


def _even(columns: list[Any], end: float | None) -> bool:
    """Let columns end alike: at `end` where that can be reached, else as low as all of them can."""
    ends = [(column, _bottom(column)) for column in columns]
    found = [(column, list(_gaps(column)), bottom) for column, bottom in ends if bottom is not None]
    longest = max((bottom for _, _, bottom in found), default=0.0)
    reach = min((bottom + MOST * len(gaps) for _, gaps, bottom in found), default=0.0)
    goal = max(longest, min(reach, end)) if end is not None else longest
    moved = False
    for column, gaps, bottom in found:
        by = min(MOST, (goal - bottom) / len(gaps)) if gaps else 0.0
        if by > 0.01:
            _push(column, {id(gap) for gap in gaps}, by)
            moved = True
    return moved


def _push(box: Any, gaps: set[int], by: float, so_far: float = 0.0) -> float:
    """Move every box below a gap, further with each of them; how far the last ones are moved."""
    for child in map(_unplaced, getattr(box, "children", ())):
        if id(child) in gaps:
            so_far += by
        if any(id(inner) in gaps for inner in _inner(child)):
            child.position_y += so_far
            so_far = _push(child, gaps, by, so_far)
        elif so_far:
            child.translate(dy=so_far)
    return so_far


def _gaps(column: Any) -> Iterator[Any]:
    """The pieces in a column that do not stand at its head, nor right below a heading."""
    from weasyprint.formatting_structure.boxes import BlockLevelBox

    head = _first_line(column)
    todo = [column]
    while todo:
        box = todo.pop(0)
        before = None
        inside = []
        for child in map(_unplaced, getattr(box, "children", ())):
            if _classes(child) & PIECES and isinstance(child, BlockLevelBox):
                follows = before is not None and before.element_tag not in HEADINGS
                if follows and child.position_y > head:
                    yield child
                inside.append(child)
            before = child
        todo += inside


def _rooms(page_box: Any, foot: float) -> Iterator[tuple[Any, float]]:
    """The boxes whose children are runs of columns, each with where its last words may end."""
    for box in _inner(page_box):
        if any("columns" in _classes(child) for child in getattr(box, "children", ())):
            if box.is_column:
                continue
            panel = "panel" in _classes(box)
            yield box, (box.position_y + box.height if panel else foot) - CLEAR


def _inner(box: Any) -> Iterator[Any]:
    for child in map(_unplaced, getattr(box, "children", ())):
        yield child
        yield from _inner(child)


def _bottom(column: Any) -> float | None:
    """Where the last line, table or picture of a column ends."""
    ends = [
        box.position_y + box.height
        for box in _inner(column)
        if hasattr(box, "text") or hasattr(box, "replacement") or box.element_tag == "table"
    ]
    return max(ends, default=None)


def _first_line(column: Any) -> float:
    return min((box.position_y for box in _inner(column) if hasattr(box, "text")), default=0.0)


def _classes(box: Any) -> frozenset[str]:
    box = _unplaced(box)
    return frozenset() if box.element is None else frozenset(box.element.get("class", "").split())


def _unplaced(box: Any) -> Any:
    return getattr(box, "_box", box)  # a positioned box stands in a placeholder
