"""Pictures in the inks that a sheet is printed with: grey for black alone, else cyan, magenta, yellow, black.

What is grey in a picture becomes black ink and nothing else, so that lines stay sharp on the press.
"""

from __future__ import annotations

import re
from io import BytesIO
from xml.etree import ElementTree

_SVG = "{http://www.w3.org/2000/svg}"
_PAINTS = ("fill", "stroke", "color")
_STYLE = re.compile(r"(?P<name>fill|stroke|color)\s*:\s*(?P<value>[^;]+)")


def printable(name: str, data: bytes, *, black: bool) -> bytes:
    """A picture as it can be printed. What cannot be read stays as it is, and the printer complains of it."""
    try:
        return _drawing(data, black) if name.lower().endswith(".svg") else _photograph(data, black)
    except (ElementTree.ParseError, OSError, ValueError, SyntaxError):
        return data


def _photograph(data: bytes, black: bool) -> bytes:
    from PIL import Image, ImageChops

    picture: Image.Image = Image.open(BytesIO(data))
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        ground = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(ground, picture.convert("RGBA")).convert("RGB")
    made = BytesIO()
    if black or picture.mode in ("1", "L", "I;16"):
        picture.convert("L").save(made, "PNG")
        return made.getvalue()
    if picture.mode != "CMYK":
        inks = [ImageChops.invert(band) for band in picture.convert("RGB").split()]
        key = ImageChops.darker(inks[0], ImageChops.darker(inks[1], inks[2]))
        picture = Image.merge("CMYK", [*(ImageChops.subtract(ink, key) for ink in inks), key])
    picture.save(made, "JPEG", quality=95, subsampling=0)
    return made.getvalue()


def _drawing(data: bytes, black: bool) -> bytes:
    """A drawing whose every paint is one of ink; what has none is painted black."""
    root = ElementTree.fromstring(data)
    for element in root.iter():
        for paint in _PAINTS:
            if paint in element.attrib:
                element.set(paint, _ink(element.attrib[paint], black))
        if style := element.get("style"):
            words = _STYLE.sub(lambda m: f"{m['name']}:{_ink(m['value'], black)}", style)
            element.set("style", words)
    if "fill" not in root.attrib:
        root.set("fill", _ink("black", black))
    ElementTree.register_namespace("", _SVG.strip("{}"))
    return ElementTree.tostring(root)


def _ink(written: str, black: bool) -> str:
    """A colour as one of inks; what is none (`none`, `url(#…)`, `currentColor`) stays."""
    from tinycss2.color4 import parse_color

    color = parse_color(written.strip())
    if color is None or isinstance(color, str):
        return written
    red, green, blue = (min(1.0, max(0.0, part)) for part in color.to("srgb").coordinates)
    if black:
        return f"device-cmyk(0 0 0 {1 - (0.2126 * red + 0.7152 * green + 0.0722 * blue):.3f})"
    key = 1 - max(red, green, blue)
    inks = ((1 - part - key) for part in (red, green, blue))
    return f"device-cmyk({' '.join(f'{ink:.3f}' for ink in inks)} {key:.3f})"
