"""Unit symbols as lines and curves, which a template draws on a counter."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as Xml

from rulewright.book.drawing_shapes import DrawingShape

_SEGMENT = re.compile(r"([MLQCZ])([^A-Z]*)")
"""Segment of a path; `shapes.svg` has no others in unit symbols."""


def unit_parts(shape: DrawingShape) -> list[dict[str, Any]]:
    """Return the parts of a symbol: ellipses, and paths of segments."""
    parts: list[dict[str, Any]] = []
    for element in Xml.fromstring(f"<g>{shape.markup}</g>"):
        fill = element.get("fill", "none") != "none"
        if element.tag == "path":
            segments = _SEGMENT.findall(element.get("d", ""))
            path = [[command, *map(float, points.split())] for command, points in segments]
            parts.append({"path": path, "fill": fill})
        else:
            radius = element.get("r", "0")
            keys = {"cx": "0", "cy": "0", "rx": radius, "ry": radius}
            ellipse = [float(element.get(key, default)) for key, default in keys.items()]
            parts.append({"ellipse": ellipse, "fill": fill})
    return parts
