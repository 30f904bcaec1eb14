"""Syntax of SVG files."""

from __future__ import annotations

from xml.etree import ElementTree as Xml
from xml.parsers.expat import ErrorString

_SVG = "http://www.w3.org/2000/svg"


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
