"""The colour spaces that Typst writes and that a finished PDF has, and the pixels of pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pikepdf import Name, Object, PdfImage

from rulewright.print.pdf_objects import array_items, array_or_single, dictionary_value

if TYPE_CHECKING:
    from PIL import Image

LEAST = 0.002
"""Less ink than this is none: amounts are written with three digits."""


@dataclass(frozen=True, slots=True)
class ColourSpace:
    """A colour space by its model: gray, rgb, cmyk, spot, pattern or unknown. `names`: those of its inks."""

    model: str
    count: int
    names: tuple[str, ...] = ()


GRAY, RGB, CMYK, UNKNOWN = (
    ColourSpace("gray", 1),
    ColourSpace("rgb", 3),
    ColourSpace("cmyk", 4),
    ColourSpace("unknown", 0),
)
DEVICE = {"g": GRAY, "rg": RGB, "k": CMYK}
"""The spaces that operators of their own choose."""

_NAMED = {"/DeviceGray": GRAY, "/DeviceRGB": RGB, "/DeviceCMYK": CMYK, "/Pattern": ColourSpace("pattern", 0)}


def space_of(value: object, resources: object = None) -> ColourSpace:
    """A colour space by its object, or by its name in some resources."""
    if isinstance(value, Name):
        found = dictionary_value(resources, "/ColorSpace", str(value))
        return _NAMED.get(str(value)) or (UNKNOWN if found is None else space_of(found))
    family, second = [*array_items(value), None, None][:2]
    if family == Name.ICCBased:
        return {"1": GRAY, "3": RGB, "4": CMYK}.get(str(dictionary_value(second, "/N")), UNKNOWN)
    if family in (Name.Separation, Name.DeviceN):
        inks = tuple(str(one).removeprefix("/") for one in array_or_single(second))
        return ColourSpace("spot", len(inks), inks)
    return _NAMED.get(str(family), UNKNOWN)


def pixels_of(source: Object) -> Image.Image:
    """The pixels of a picture without its mask. Raises any error of the decoder."""
    from PIL import ImageChops

    found = PdfImage(source).as_pil_image(apply_mask=False)  # type: ignore[arg-type]
    inverted = [int(one) for one in source.get("/Decode", ())] == [1, 0] * 4
    if found.mode == "CMYK" and "/DCTDecode" in str(source.get("/Filter")) and not inverted:
        return ImageChops.invert(found)  # Pillow takes every such JPEG for one that is stored upside down
    return found
