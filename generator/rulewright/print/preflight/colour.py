"""The colours and pictures of a PDF, told by the inks that print them.

A colour space is read from its object; a colour in it is told as a `Colour`, which knows its amounts of
cyan, magenta, yellow and black where they are certain, and the spot inks that it asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from pikepdf import Name, Object, PdfImage, Stream, String

from rulewright.print.preflight.objects import each, entry, listed, number_of
from rulewright.print.preflight.streams import unpacked

if TYPE_CHECKING:
    from PIL import Image

Inks = tuple[float, float, float, float]

PROCESS = ("Cyan", "Magenta", "Yellow", "Black")
LEAST = 0.002
"""Less ink than this is none: amounts are written with three digits."""

MOST_ENDS = 1_000
"""Most functions of a shading that are looked at."""

DEEPEST = 8
"""Most colour spaces that may stand in one another before a circle is assumed."""

MOST_PIXELS = 60_000_000
"""Most pixels of a picture whose inks are looked at: a map of two feet has as many."""

HEAVY_SHARE = 0.001
"""Share of a picture's pixels that may take more ink than the rest and is not told."""


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour. `model`: gray, cmyk, spot, rgb, lab, pattern or unknown. `inks`: None where uncertain."""

    model: str
    inks: Inks | None = None
    spots: tuple[str, ...] = ()
    paper: bool = False

    @property
    def coloured(self) -> bool:
        """Whether it certainly prints cyan, magenta or yellow."""
        return self.inks is not None and max(self.inks[:3]) > LEAST

    @property
    def rich(self) -> bool:
        """Whether it is a black, or nearly one, that is not printed with black alone."""
        return bool(self.inks and self.coloured and (self.inks[3] >= 0.6 or min(self.inks[:3]) >= 0.6))

    def __str__(self) -> str:
        if self.spots:
            return f"spot ink {', '.join(self.spots)}"
        if self.inks is None:
            return {"rgb": "RGB", "lab": "Lab"}.get(self.model, self.model)
        return "C {:.0f} M {:.0f} Y {:.0f} K {:.0f}".format(*(100 * ink for ink in self.inks))


BLACK = Colour("gray", (0.0, 0.0, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class Space:
    """A colour space. `base` is what an Indexed space or a pattern is in, `table` the former's colours."""

    model: str
    count: int
    names: tuple[str, ...] = ()
    base: Space | None = None
    table: bytes = b""

    def colour(self, values: Sequence[float]) -> Colour:
        """The colour that some components make; too few of them are taken for an unknown colour."""
        if self.model == "indexed" and self.base:
            at = (int(values[0]) if values else 0) * self.base.count
            return self.base.colour([byte / 255 for byte in self.table[at : at + self.base.count]])
        if len(values) < self.count:
            return Colour("unknown")
        if self.model == "spot":
            return self._spot(values)
        if self.model not in ("gray", "cmyk"):
            return Colour(self.model, paper=self.model == "rgb" and min(values[:3]) >= 1)
        c, m, y, k = values[:4] if self.model == "cmyk" else (0.0, 0.0, 0.0, 1 - values[0])
        return Colour(self.model, (c, m, y, k), paper=max(c, m, y, k) <= LEAST)

    def _spot(self, values: Sequence[float]) -> Colour:
        """A colour of a Separation or DeviceN space, whose components are inks by name."""
        named = list(zip(self.names, values, strict=False))
        c, m, y, k = (max((v for n, v in named if n in (ink, "All")), default=0.0) for ink in PROCESS)
        certain = {*PROCESS, "All", "None"}
        spots = [n for n, v in named if n not in certain and v > LEAST]
        return Colour(
            "spot" if spots else "cmyk", (c, m, y, k), tuple(spots), not spots and max(c, m, y, k) <= LEAST
        )

    @property
    def colours(self) -> list[Colour]:
        """The colours that an Indexed space has."""
        count = len(self.table) // max(self.base.count, 1) if self.base else 0
        return list(dict.fromkeys(self.colour([at]) for at in range(count)))


GRAY, RGB, CMYK, UNKNOWN = Space("gray", 1), Space("rgb", 3), Space("cmyk", 4), Space("unknown", 0)
DEVICE = {"g": GRAY, "rg": RGB, "k": CMYK}
"""The spaces that operators of their own choose."""

FAMILIES = {
    "DeviceGray": GRAY, "G": GRAY, "CalGray": GRAY, "DeviceRGB": RGB, "RGB": RGB, "CalRGB": RGB,
    "DeviceCMYK": CMYK, "CMYK": CMYK, "Lab": Space("lab", 3), "Pattern": Space("pattern", 0),
}  # fmt: skip


def space_of(value: object, resources: object = None, depth: int = 0) -> Space:
    """A colour space by its object, by its name in some resources, or by one of the names that all know."""
    if depth > DEEPEST:
        return UNKNOWN
    if isinstance(value, Name):
        found = FAMILIES.get(str(value)[1:])
        return found or space_of(entry(resources, "/ColorSpace", str(value)), resources, depth + 1)
    family, second, table = ([*listed(value), None, None, None][at] for at in (0, 1, 3))
    name = str(family)[1:] if isinstance(family, Name) else ""
    if name == "ICCBased":
        return {1: GRAY, 3: RGB, 4: CMYK}.get(int(number_of(entry(second, "/N"), 0)), UNKNOWN)
    if name in ("Separation", "DeviceN"):
        inks = tuple(str(one).removeprefix("/") for one in each(second))
        return Space("spot", len(inks), inks)
    if name in ("Indexed", "I", "Pattern"):
        base = space_of(second, resources, depth + 1)
        if name == "Pattern":
            return Space("pattern", 0, base=base)
        try:
            raw = unpacked(table) if isinstance(table, Stream) else bytes(cast(String, table))
        except Exception:  # whatever a damaged stream is read with
            raw = b""
        return Space("indexed", 1, base=base, table=raw[: 256 * base.count])
    return FAMILIES.get(name, UNKNOWN)


def shading_colours(shading: Object, resources: object) -> list[Colour]:
    """The colours between which a shading runs, as far as its functions tell them; else one of its space."""
    space, functions = space_of(shading.get("/ColorSpace"), resources), shading.get("/Function")
    left = [MOST_ENDS]
    ends = [_ends(part, left) for part in each(functions)]
    if len(ends) == 1 and ends[0]:
        return [space.colour(values) for values in ends[0]]
    if len(ends) == space.count and all(ends):  # a function for each component
        return [space.colour([part[at][0] for part in ends]) for at in (0, -1)]
    return [Colour(space.model if space.model in ("rgb", "lab") else "unknown", spots=space.names)]


def _ends(function: object, left: list[int], depth: int = 0) -> list[list[float]]:
    """The values that an exponential function, or one stitched from such, has at its ends. `left`: how many
    functions may be looked at."""
    left[0] -= 1
    kind = entry(function, "/FunctionType") if left[0] >= 0 and depth <= DEEPEST else None
    if kind == 2:
        ends = ((entry(function, key), other) for key, other in (("/C0", 0.0), ("/C1", 1.0)))
        return [[number_of(one, other) for one in each(end)] for end, other in ends]
    parts = listed(entry(function, "/Functions")) if kind == 3 else []
    return [values for part in parts for values in _ends(part, left, depth + 1)]


@dataclass(frozen=True, slots=True)
class Raster:
    """A picture. `mask`: it is painted with the colour of the fill; `masked`: it is transparent in parts;
    `heaviest`: how much ink its darkest pixels take together."""

    width: int
    height: int
    mask: bool = False
    masked: bool = False
    colours: tuple[Colour, ...] = ()
    heaviest: float = 0.0


def raster_of(source: Object, resources: object, *, inline: bool = False) -> Raster | None:
    """A picture by its dictionary; None where it has no pixels."""
    width, height = (
        int(number_of(source.get(f"/{key}", source.get(f"/{key[0]}")), 0)) for key in ("Width", "Height")
    )
    if width <= 0 or height <= 0:
        return None
    if bool(source.get("/ImageMask", source.get("/IM"))):
        return Raster(width, height, mask=True)
    space = space_of(source.get("/ColorSpace", source.get("/CS")), resources)
    most, heaviest = (None, 0.0) if inline or space.model != "cmyk" else _most(source, width * height)
    return Raster(width, height, False, "/SMask" in source, tuple(_of_pixels(space, most)), heaviest)


def _of_pixels(space: Space, most: Inks | None) -> Iterator[Colour]:
    """The colours of a picture, as far as they are certain without looking at each pixel."""
    if space.model == "indexed":
        yield from space.colours
    elif space.model == "spot":
        process = space.colour([0.5] * space.count)
        yield process if process.spots else Colour("cmyk", process.inks)
    else:  # a JPEG 2000 may bring its own space along instead of naming one
        yield BLACK if space.model == "gray" else Colour(space.model, most)


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
