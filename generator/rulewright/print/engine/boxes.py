"""Boxes as they were laid out, in millimetres: what the fit and its messages are measured by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

MM = 96 / 25.4
"""Units of the engine, which are CSS pixels, in a millimetre."""


@dataclass(frozen=True, slots=True)
class LayoutBox:
    """A box as it was laid out, in mm from the left and top trim of its page.

    `tag`, `classes` and `data` are its element's (`data` holds the attributes `data-…`); `words`: those of a
    run of text, `size` its type in points, `style` its weight and slant. Boxes of
    one element in two columns have the same `element`.
    """

    page: int
    x: float
    y: float
    width: float
    height: float
    tag: str
    classes: frozenset[str] = frozenset()
    data: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    size: float = 0.0
    style: str = ""
    element: int = 0
    around: LayoutBox | None = field(default=None, repr=False)

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def within(self, name: str) -> str:
        """The nearest value of an attribute `data-NAME` of the box or of one around it; empty where none."""
        return next((box.data[name] for box in self.out() if name in box.data), "")

    def out(self) -> Iterator[LayoutBox]:
        """Yield this box and the boxes around it, up to its page."""
        box: LayoutBox | None = self
        while box:
            yield box
            box = box.around


def layout_boxes(box: Any, page: int, around: LayoutBox | None = None) -> Iterator[LayoutBox]:
    box = getattr(box, "_box", box)  # a positioned box stands in a placeholder
    element = box.element
    attributes = {} if element is None else element.attrib
    wide, high = box.width, box.height
    if isinstance(wide, str) or isinstance(high, str) or wide is None or high is None:
        wide = high = 0.0
    words = getattr(box, "text", "")
    one = LayoutBox(
        page,
        box.position_x / MM,
        box.position_y / MM,
        (box.margin_width() if not words else wide) / MM if wide or words else 0.0,
        (box.margin_height() if not words else high) / MM if high or words else 0.0,
        str(box.element_tag or ""),
        frozenset(attributes.get("class", "").split()),
        {name[5:]: value for name, value in attributes.items() if name.startswith("data-")},
        words,
        box.style["font_size"] * 0.75 if words else 0.0,
        f"{box.style['font_weight']} {box.style['font_style']}" if words else "",
        id(element),
        around,
    )
    yield one
    for child in getattr(box, "children", ()):
        yield from layout_boxes(child, page, one)
