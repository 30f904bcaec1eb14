"""Drawings that are no SVG, or invisible on a dark page: dark paint without a background."""

from __future__ import annotations

import re
from xml.etree import ElementTree as Xml
from xml.parsers.expat import ErrorString

DARK = 50
"""Luma, 0 to 255, below which paint is lost on a dark page (https://www.itu.int/rec/R-REC-BT.601)."""

_SVG = "http://www.w3.org/2000/svg"
_PAINT = re.compile(rb"\b(?:fill|stroke)\s*[:=]\s*[\"']?\s*([^;}!\"'<>]+)")
_HEX = re.compile(r"#(?:([0-9a-f])([0-9a-f])([0-9a-f])|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2}))")
_DARK_NAMES = {"none", "transparent", "inherit", "black", "currentcolor"}


def svg_error(data: bytes) -> tuple[int, int, str] | None:
    """Return line, column and message of an invalid SVG, or None if it is valid."""
    try:
        tag = Xml.fromstring(data).tag
    except Xml.ParseError as error:
        line, column = error.position
        return line, column + 1, ErrorString(error.code)
    except ValueError as error:
        return 1, 1, str(error)
    return None if tag == f"{{{_SVG}}}svg" else (1, 1, f'its first tag is not svg with xmlns="{_SVG}"')


def is_invisible_on_dark(drawing: bytes) -> bool:
    """Return whether an SVG paints in dark colours only; False if it uses a colour of unknown brightness."""
    if svg_error(drawing) or re.search(rb"<(?:\w+:)?(?:image|foreignObject)\b", drawing):
        return False
    return all(_is_dark(colour.decode("latin-1").strip().lower()) for colour in _PAINT.findall(drawing))


def _is_dark(colour: str) -> bool:
    if not (m := _HEX.fullmatch(colour)):
        return colour in _DARK_NAMES
    red, green, blue = (int(part * (3 - len(part)), 16) for part in m.groups() if part)
    return 0.299 * red + 0.587 * green + 0.114 * blue < DARK
