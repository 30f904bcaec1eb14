"""Pictures in the inks that a sheet is printed with: grey for black alone, else cyan, magenta, yellow, black.

What is grey in a picture becomes black ink and nothing else, so that lines stay sharp on the press. The
gradients of a drawing keep their colours here; the printer turns them into inks.
"""

from __future__ import annotations

import re
import warnings
from base64 import b64decode, b64encode
from io import BytesIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from rulewright.model.colours import inks
from rulewright.source import bounds

if TYPE_CHECKING:
    from PIL import Image

_SVG = "{http://www.w3.org/2000/svg}"
_PAINTS = ("fill", "stroke", "color")
_STYLE = re.compile(rf"(?<![\w-])(?P<name>{'|'.join(_PAINTS)})\s*:\s*(?P<value>[^;{{}}!]+)")
_LINKS = ("href", "{http://www.w3.org/1999/xlink}href")
_DATA = re.compile(r"data:image/(?!svg)[\w.+-]+;base64,(?P<data>.*)", re.DOTALL)

FEW_DOTS, MOST_IN_A_BYTE = 1_000_000, 1_000
"""How many it may have whatever its size, and for each of its bytes: one of a single colour has fewer."""


class TooLarge(Exception):
    """A picture of more pixels than are unpacked."""


def printable(name: str, data: bytes, *, black: bool) -> bytes:
    """A picture as it can be printed.

    What cannot be read stays as it is, and nothing is left of what is too large; the printer complains of it.
    """
    try:
        return _drawing(data, black) if name.lower().endswith(".svg") else _photograph(data, black)
    except TooLarge:
        return b""
    except Exception:  # libraries raise whatever a damaged picture leads them to
        return data


def pixels(name: str, data: bytes) -> tuple[int, int] | None:
    """How many dots wide and high a picture is; None for a drawing, and for what cannot be read."""
    if name.lower().endswith(".svg"):
        return None
    try:
        with _opened(data) as picture:
            return picture.size
    except Exception:  # libraries raise whatever a damaged picture leads them to
        return None


def _opened(data: bytes) -> Image.Image:
    """Raises TooLarge where there are more dots than any printer needs, or than so few bytes can hold."""
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            picture = Image.open(BytesIO(data))
        except Image.DecompressionBombError as error:
            raise TooLarge from error
    if picture.width * picture.height > min(bounds.PIXELS.most, FEW_DOTS + MOST_IN_A_BYTE * len(data)):
        raise TooLarge
    return picture


def _photograph(data: bytes, black: bool) -> bytes:
    from PIL import Image, ImageChops

    picture = _opened(data)
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
            element.set("style", _inked(style, black))
        if element.tag == f"{_SVG}style" and element.text:
            element.text = _inked(element.text, black)
        for link in _LINKS:
            if held := _DATA.fullmatch(element.get(link, "").strip()):
                element.set(link, _held(_photograph(b64decode(held["data"]), black)))
    if "fill" not in root.attrib:
        root.set("fill", _ink("black", black))
    ElementTree.register_namespace("", _SVG.strip("{}"))
    return ElementTree.tostring(root)


def _inked(style: str, black: bool) -> str:
    """Declarations of CSS, alone or in rules, with every paint as one of ink."""
    return _STYLE.sub(lambda m: f"{m['name']}:{_ink(m['value'], black)}", style)


def _held(data: bytes) -> str:
    """A picture inside a drawing."""
    sort = "png" if data.startswith(b"\x89PNG") else "jpeg"
    return f"data:image/{sort};base64,{b64encode(data).decode()}"


def _ink(written: str, black: bool) -> str:
    """A colour as one of inks; what is none (`none`, `url(#…)`, `currentColor`) stays."""
    from tinycss2.color4 import parse_color

    color = parse_color(written.strip())
    if color is None or isinstance(color, str):
        return written
    red, green, blue = (round(255 * min(1.0, max(0.0, part))) for part in color.to("srgb").coordinates)
    return inks((red, green, blue), black)
