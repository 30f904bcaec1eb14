"""Drawings that are no SVG, or invisible on a dark page: dark paint without a background."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as Xml
from xml.parsers.expat import ErrorString

DARK = 50
"""Luma, 0 to 255, below which paint is lost on a dark page (https://www.itu.int/rec/R-REC-BT.601)."""

_SVG = "http://www.w3.org/2000/svg"
_SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "use"}
_PAINT = re.compile(r"(?:^|[;{\s])(fill|stroke)\s*:\s*([^;}!]+)")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})")
_HEX = re.compile(
    r"#(?:([0-9a-f])([0-9a-f])([0-9a-f])[0-9a-f]?|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})(?:[0-9a-f]{2})?)"
)
_NONE = ("none", "transparent", "inherit", "context-fill", "context-stroke")


def svg_error(data: bytes) -> tuple[int, int, str] | None:
    """Return line, column and message of an invalid SVG, or None if it is valid."""
    try:
        tag = Xml.fromstring(data).tag
    except Xml.ParseError as error:
        line, column = error.position
        return line, column + 1, ErrorString(error.code)
    except ValueError as error:
        return 1, 1, str(error)
    if tag == "svg":
        return 1, 1, f'its first tag lacks xmlns="{_SVG}"'
    return None if tag == f"{{{_SVG}}}svg" else (1, 1, f"its first tag is {tag.rpartition('}')[2]}")


def is_invisible_on_dark(drawing: bytes) -> bool:
    """Return whether an SVG paints in dark colours only; False if it uses a colour of unknown brightness."""
    is_painted = has_fill = has_dark = False
    try:
        elements = list(Xml.fromstring(drawing).iter())
    except (Xml.ParseError, ValueError):
        return False
    for element in elements:
        name = element.tag.rpartition("}")[2]
        if name in ("image", "foreignObject"):
            return False
        is_painted |= name in _SHAPES
        for attribute, colour in _paints(element, name):
            has_fill |= attribute == "fill"
            if colour not in _NONE:
                if not _is_dark(colour):
                    return False
                has_dark = True
    return is_painted and (has_dark or not has_fill)


def _paints(element: Xml.Element, tag: str) -> Iterator[tuple[str, str]]:
    yield from (
        (name, element.attrib[name].strip().lower()) for name in ("fill", "stroke") if name in element.attrib
    )
    styles = element.get("style", "") + (element.text or "" if tag == "style" else "")
    yield from ((m[1], m[2].strip().lower()) for m in _PAINT.finditer(styles))


def _is_dark(colour: str) -> bool:
    if colour in ("black", "currentcolor"):
        return True
    if m := _HEX.fullmatch(colour):
        parts = [int(part * (3 - len(part)), 16) for part in filter(None, m.groups())]
    elif m := _RGB.match(colour):
        parts = [int(part) for part in m.groups()]
    else:
        return False
    return 0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2] < DARK
