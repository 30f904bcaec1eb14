"""Unit symbols as lines and curves, which a template draws on a counter."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as Xml

from rulewright.book.drawing_shapes import DrawingShape

_TOKEN = re.compile(r"[A-Za-z]|-?\d*\.?\d+")
_COUNTS = {"m": 2, "l": 2, "t": 2, "h": 1, "v": 1, "q": 4, "c": 6, "z": 0}


def unit_parts(shape: DrawingShape) -> list[dict[str, Any]]:
    """Return the parts of a symbol: ellipses, and paths of absolute segments."""
    parts: list[dict[str, Any]] = []
    for element in Xml.fromstring(f"<g>{shape.markup}</g>").iter():
        attributes = {name: float(element.get(name, 0)) for name in ("cx", "cy", "rx", "ry", "r")}
        fill = element.get("fill", "none") != "none"
        if element.tag == "path":
            parts.append({"path": path_segments(element.get("d", "")), "fill": fill})
        elif element.tag in ("circle", "ellipse"):
            radii = [attributes["rx"] or attributes["r"], attributes["ry"] or attributes["r"]]
            parts.append({"ellipse": [attributes["cx"], attributes["cy"], *radii], "fill": fill})
    return parts


def path_segments(path: str) -> list[list[Any]]:
    """Return the segments of an SVG path with absolute points: M, L, Q, C and Z."""
    tokens = _TOKEN.findall(path)
    segments: list[list[Any]] = []
    x = y = 0.0
    command, control = "", (0.0, 0.0)
    while tokens:
        if tokens[0].isalpha():
            command = tokens.pop(0)
        kind = command.lower()
        values = [float(tokens.pop(0)) for _ in range(_COUNTS[kind])]
        if command.islower():
            origin = [y] if kind == "v" else [x, y]
            values = [value + origin[index % len(origin)] for index, value in enumerate(values)]
        match kind:
            case "z":
                segments.append(["Z"])
                continue
            case "h":
                values = [values[0], y]
            case "v":
                values = [x, values[0]]
            case "t":
                values = [2 * x - control[0], 2 * y - control[1], *values]
        control = (values[-4], values[-3]) if kind in "qct" else (values[-2], values[-1])
        x, y = values[-2:]
        name = {"m": "M", "q": "Q", "t": "Q", "c": "C"}.get(kind, "L")
        segments.append([name, *values])
        command = {"m": "l", "M": "L"}.get(command, command)
    return segments
