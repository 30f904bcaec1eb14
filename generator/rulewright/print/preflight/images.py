"""The pictures of a PDF: their pixels, and the inks that they take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pikepdf import Dictionary, Object, PdfImage

from rulewright.print.preflight.colour import LEAST, Colour, Inks, Space, space_of
from rulewright.print.preflight.geometry import number_of

if TYPE_CHECKING:
    from PIL import Image

MOST_PIXELS = 60_000_000
"""Most pixels of a picture whose inks are looked at: a map of two feet has as many."""

HEAVY_SHARE = 0.001
"""Share of a picture's pixels that may take more ink than the rest and is not told."""


@dataclass(frozen=True, slots=True)
class Raster:
    """A picture. `mask`: it is painted with the colour of the fill; `masked`: it is transparent in parts;
    `heaviest`: how much ink its darkest pixels take together."""

    width: int
    height: int
    mask: bool
    masked: bool
    colours: tuple[Colour, ...]
    heaviest: float = 0.0


def raster_of(source: Object, resources: Dictionary | None, *, inline: bool = False) -> Raster | None:
    """A picture by its dictionary; None where it has no pixels."""
    width, height = _whole(source, "/Width", "/W"), _whole(source, "/Height", "/H")
    if width <= 0 or height <= 0:
        return None
    if bool(source.get("/ImageMask", source.get("/IM"))):
        return Raster(width, height, True, False, ())
    space = space_of(source.get("/ColorSpace", source.get("/CS")), resources)
    most, heaviest = (None, 0.0) if inline or space.model != "cmyk" else _most(source, width * height)
    colours = tuple(_colours(space, most))
    return Raster(width, height, False, "/SMask" in source, colours, heaviest)


def _whole(source: Object, *keys: str) -> int:
    return next((int(number_of(source[key], 0)) for key in keys if key in source), 0)


def _colours(space: Space, most: Inks | None) -> Iterator[Colour]:
    """The colours of a picture, as far as they are certain without looking at each pixel."""
    if space.model == "indexed":
        yield from dict.fromkeys(space.entry(at) for at in space.entries)
    elif space.model == "spot":
        process = space.colour([0.5] * space.count)
        yield process if process.spots else Colour("cmyk", process.inks)
    elif space.model == "gray":
        yield Colour("gray", (0.0, 0.0, 0.0, 1.0))
    else:  # a JPEG 2000 may bring its own space along instead of naming one
        yield Colour(space.model, most)


def pixels_of(source: Object) -> Image.Image:
    """The pixels of a picture without its mask. Raises whatever a damaged one is read with."""
    from PIL import ImageChops

    found = PdfImage(source).as_pil_image(apply_mask=False)  # type: ignore[arg-type]
    inverted = [number_of(one, 0) for one in source.get("/Decode", ())] == [1, 0] * 4
    if found.mode == "CMYK" and "/DCTDecode" in str(source.get("/Filter")) and not inverted:
        return ImageChops.invert(found)  # Pillow takes every such JPEG for one that is stored upside down
    return found


def _most(source: Object, pixels: int) -> tuple[Inks | None, float]:
    """The most of each ink that a picture has anywhere, and of all in one place; None if not decoded."""
    from PIL import ImageChops

    try:
        picture = pixels_of(source) if pixels <= MOST_PIXELS else None
        if picture is None or picture.mode != "CMYK":
            return None, 0.0
        bands = picture.split()
        light, dark = (ImageChops.add(a, b, scale=2) for a, b in (bands[:2], bands[2:]))
        counts = ImageChops.add(light, dark, scale=2).histogram()
        extremes = [float(band.getextrema()[1]) / 255 for band in bands]  # type: ignore[arg-type]
    except Exception:  # of a picture that is damaged, or in a way of its own
        return None, 0.0
    c, m, y, k = (value if value > 2 * LEAST else 0.0 for value in extremes)
    left, level = HEAVY_SHARE * pixels, 255
    while level and left >= counts[level]:
        left -= counts[level]
        level -= 1
    return (c, m, y, k), 4 * level / 255
