"""The colours of a PDF, told by the inks that print them.

A colour space is read from its object; a colour in it is told as a `Colour`, which knows its amounts of
cyan, magenta, yellow and black where they are certain, and the spot inks that it asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pikepdf import Array, Dictionary, Name, Object, Stream

from rulewright.print.preflight.geometry import number_of
from rulewright.print.preflight.streams import unpacked

Inks = tuple[float, float, float, float]

PROCESS = {"Cyan": 0, "Magenta": 1, "Yellow": 2, "Black": 3}
LEAST = 0.002
"""Less ink than this is none: amounts are written with three digits."""

FAMILIES = {
    "DeviceGray": ("gray", 1), "G": ("gray", 1), "CalGray": ("gray", 1),
    "DeviceRGB": ("rgb", 3), "RGB": ("rgb", 3), "CalRGB": ("rgb", 3),
    "DeviceCMYK": ("cmyk", 4), "CMYK": ("cmyk", 4),
    "Lab": ("lab", 3),
}  # fmt: skip
MOST_ENDS = 1_000
"""How many functions of a shading are looked at."""

DEEPEST = 8
"""How many colour spaces may stand in one another before one is taken for a circle."""


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
        if self.inks is None or not self.coloured:
            return False
        return self.inks[3] >= 0.6 or min(self.inks[:3]) >= 0.6

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
        if self.model == "indexed":
            return self.entry(int(values[0]) if values else 0)
        if len(values) < self.count:
            return Colour("unknown")
        if self.model == "gray":
            return Colour("gray", (0.0, 0.0, 0.0, 1 - values[0]), paper=values[0] >= 1)
        if self.model == "cmyk":
            c, m, y, k = values[:4]
            return Colour("cmyk", (c, m, y, k), paper=max(values[:4]) <= LEAST)
        if self.model == "rgb":
            return Colour("rgb", paper=min(values[:3]) >= 1)
        if self.model == "spot":
            return self.spot(values)
        return Colour(self.model)

    def spot(self, values: Sequence[float]) -> Colour:
        """A colour of a Separation or DeviceN space, whose components are inks by name."""
        inks = [0.0] * 4
        others = []
        for name, amount in zip(self.names, values, strict=False):
            if name in PROCESS:
                inks[PROCESS[name]] = amount
            elif name == "All":
                inks = [amount] * 4
            elif name != "None" and amount > LEAST:
                others.append(name)
        c, m, y, k = inks
        return Colour(
            "spot" if others else "cmyk", (c, m, y, k), tuple(others), not others and max(inks) <= LEAST
        )

    def entry(self, at: int) -> Colour:
        """A colour of an Indexed space."""
        assert self.base
        part = self.table[at * self.base.count : (at + 1) * self.base.count]
        return self.base.colour([byte / 255 for byte in part])

    @property
    def entries(self) -> range:
        """The numbers of the colours that an Indexed space has."""
        return range(len(self.table) // max(self.base.count, 1) if self.base else 0)


GRAY, RGB, CMYK = Space("gray", 1), Space("rgb", 3), Space("cmyk", 4)
UNKNOWN = Space("unknown", 0)


def space_of(value: Object | None, resources: Dictionary | None = None, depth: int = 0) -> Space:
    """A colour space by its object, by its name in some resources, or by one of the names that all know."""
    if depth > DEEPEST or value is None:
        return UNKNOWN
    if isinstance(value, Name):
        name = str(value)[1:]
        if name == "Pattern":
            return Space("pattern", 0)
        if name in FAMILIES:
            return Space(*FAMILIES[name])
        listed = resources.get("/ColorSpace") if isinstance(resources, Dictionary) else None
        found = listed.get(value) if isinstance(listed, Dictionary) else None
        return space_of(found, resources, depth + 1)
    if not isinstance(value, Array) or not len(value) or not isinstance(value[0], Name):
        return UNKNOWN
    return _by_family(str(value[0])[1:], value, resources, depth + 1)


def _by_family(family: str, value: Array, resources: Dictionary | None, depth: int) -> Space:
    second = value[1] if len(value) > 1 else None
    if family == "ICCBased":
        count = int(number_of(second.get("/N"), 0)) if isinstance(second, Stream) else 0
        return {1: GRAY, 3: RGB, 4: CMYK}.get(count, UNKNOWN)
    if family in ("Indexed", "I") and len(value) == 4:
        table = value[3]
        try:
            raw = unpacked(table) if isinstance(table, Stream) else bytes(table)
        except Exception:  # whatever a damaged stream is read with
            raw = b""
        base = space_of(second, resources, depth)
        return Space("indexed", 1, base=base, table=raw[: 256 * base.count])
    if family == "Separation":
        return Space("spot", 1, (_name(second),))
    if family == "DeviceN" and isinstance(second, Array):
        return Space("spot", len(second), tuple(map(_name, second)))
    if family == "Pattern":
        return Space("pattern", 0, base=space_of(second, resources, depth) if second is not None else None)
    return Space(*FAMILIES[family]) if family in FAMILIES else UNKNOWN


def _name(value: object) -> str:
    return str(value).removeprefix("/")


def shading_colours(shading: Object, resources: Dictionary | None) -> list[Colour]:
    """The colours between which a shading runs, as far as its functions tell them; else one of its space."""
    space = space_of(shading.get("/ColorSpace"), resources)
    functions = shading.get("/Function")
    parts = list(functions) if isinstance(functions, Array) else [functions]
    left = [MOST_ENDS]
    ends = [_ends(part, left) for part in parts]
    if len(parts) == 1 and ends[0]:
        return [space.colour(values) for values in ends[0]]
    if len(parts) == space.count and all(ends):  # a function for each component
        return [space.colour([part[at][0] for part in ends]) for at in (0, -1)]
    certain = space.model in ("rgb", "lab")
    return [Colour(space.model if certain else "unknown", spots=space.names if space.model == "spot" else ())]


def _ends(function: object, left: list[int], depth: int = 0) -> list[list[float]]:
    """The values that an exponential function, or one stitched from such, has at its ends. `left`: how many
    functions may be looked at."""
    left[0] -= 1
    if left[0] < 0 or not isinstance(function, Dictionary | Stream) or depth > DEEPEST:
        return []
    if function.get("/FunctionType") == 2:
        return [
            [number_of(value, default) for value in function.get(key, [default])]
            for key, default in (("/C0", 0.0), ("/C1", 1.0))
        ]
    if function.get("/FunctionType") == 3:
        parts = function.get("/Functions")
        return (
            [ends for part in parts for ends in _ends(part, left, depth + 1)]
            if isinstance(parts, Array)
            else []
        )
    return []
