"""Hexes of a map: numbers such as 1509, 12.07 or B7, and their positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, hypot, radians, sin, sqrt
from typing import NamedTuple

from rulewright.files.problems import quote_short
from rulewright.schema.rulebook import Rulebook

SIZE = 40.0
"""Distance from the centre of a hex to a corner, in units of the drawing."""
ACROSS = SIZE * sqrt(3)
"""Distance between the centres of adjacent hexes."""

MOST_HEXES, MOST_DRAWN = 1_000, 600
"""Most hexes of a diagram, and most places and counters that it names: each may name the whole area."""

_NUMBER = re.compile(r"(?:(\d{1,2})(\.?)(\d\d)|([A-Za-z]{1,2})([-.]?)(\d{1,2}))")

Point = tuple[float, float]


class Hex(NamedTuple):
    """Hex by its column and row."""

    column: int
    row: int


def parse_hex(text: str) -> Hex | None:
    """Parse the number of a hex: the last two digits are the row, letters are the column."""
    m = _NUMBER.fullmatch(text.strip())
    if not m:
        return None
    if m[1]:
        return Hex(int(m[1]), int(m[3]))
    column = 0
    for letter in m[4].upper():
        column = column * 26 + ord(letter) - 64
    return Hex(column, int(m[6]))


def parse_hex_range(text: str) -> tuple[Hex, Hex] | None:
    """Parse the first and last hex of `1307-1812`; a single hex is both."""
    first, dash, last = re.sub("[–—]", "-", text).partition("-")
    if dash and not parse_hex(first):  # B-7
        return (only_hex, only_hex) if (only_hex := parse_hex(text)) else None
    ends = parse_hex(first), parse_hex(last) if dash else parse_hex(first)
    return (ends[0], ends[1]) if ends[0] and ends[1] else None


def hex_range(first: Hex, last: Hex) -> Iterator[Hex]:
    """Yield the hexes of the rectangle between two hexes."""
    columns, rows = sorted((first.column, last.column)), sorted((first.row, last.row))
    return (Hex(c, r) for c in range(columns[0], columns[1] + 1) for r in range(rows[0], rows[1] + 1))


@dataclass(frozen=True, slots=True)
class HexArea:
    """Hexes of a diagram, in the layout of the maps of a book."""

    first: Hex
    last: Hex
    sample_number: str
    """Number whose form the other numbers have."""
    pointed: bool = False
    shifted: int = 0

    @classmethod
    def parse(cls, text: str, book: Rulebook) -> HexArea | None:
        """Parse the corners of an area; return None if they are malformed."""
        corners = parse_hex_range(text)
        if not corners:
            return None
        lies = book.map
        return cls(
            Hex(*(min(ends) for ends in zip(*corners, strict=True))),
            Hex(*(max(ends) for ends in zip(*corners, strict=True))),
            text,
            pointed=bool(lies and lies.hexes == "pointed"),
            shifted=1 if lies and lies.shifted == "odd" else 0,
        )

    @property
    def count(self) -> int:
        return (self.last.column - self.first.column + 1) * (self.last.row - self.first.row + 1)

    def __contains__(self, hex: object) -> bool:
        if not isinstance(hex, Hex):
            return False
        in_columns = self.first.column <= hex.column <= self.last.column
        return in_columns and self.first.row <= hex.row <= self.last.row

    def number(self, hex: Hex) -> str:
        m = _NUMBER.match(self.sample_number)
        assert m
        if m[1]:
            return f"{hex.column:0{len(m[1])}}{m[2]}{hex.row:02}"
        high, low = divmod(hex.column - 1, 26)
        letters = (chr(64 + high) if high else "") + chr(65 + low)
        return f"{letters}{m[5]}{hex.row:0{len(m[6])}}"

    def center(self, hex: Hex) -> Point:
        column, row = hex.column - self.first.column, hex.row - self.first.row
        if self.pointed:
            return ACROSS * (column + (hex.row % 2 == self.shifted) / 2), 1.5 * SIZE * row
        return 1.5 * SIZE * column, ACROSS * (row + (hex.column % 2 == self.shifted) / 2)

    def corners(self, hex: Hex, size: float = SIZE) -> list[Point]:
        x, y = self.center(hex)
        first_angle = 30 if self.pointed else 0
        angles = [radians(60 * corner + first_angle) for corner in range(6)]
        return [(x + size * cos(angle), y + size * sin(angle)) for angle in angles]

    def are_beside(self, hex: Hex, other: Hex) -> bool:
        (x, y), (to_x, to_y) = self.center(hex), self.center(other)
        return abs(hypot(to_x - x, to_y - y) - ACROSS) < 1

    def hexes(self, text: str) -> list[Hex]:
        """Parse a hex or the corners of an area. Raises ValueError with the fault."""
        ends = parse_hex_range(text)
        if not ends:
            raise ValueError(f"{quote_short(text)} is no hex")
        self._require(*ends)
        return list(hex_range(*ends))

    def hexside(self, text: str) -> list[Point]:
        """Return the ends of a hexside; one of its hexes may be outside. Raises ValueError with the fault."""
        hexes = [hex for hex in map(parse_hex, text.split("/")) if hex]
        if len(hexes) != 2 or text.count("/") != 1:
            raise ValueError(f"{quote_short(text)} is no hexside; write the hexes beside it, like 1510/1610")
        if not self.are_beside(*hexes):
            raise ValueError(f"{self.number(hexes[0])} and {self.number(hexes[1])} have no side in common")
        if hexes[1] not in self:
            self._require(hexes[0])
        return self.side(*hexes)

    def way(self, text: str) -> list[Point]:
        """Return the points of a way from hex to hex. Raises ValueError with the fault.

        Its ends may be outside; it then ends at the edge of the area.
        """
        hexes = self._path(text)
        self._require(*hexes[1:-1])
        if not any(hex in self for hex in hexes):
            self._require(hexes[0])
        points = list(map(self.center, hexes))
        for end, inner in ((0, 1), (-1, -2)):
            if hexes[end] not in self and self.are_beside(hexes[end], hexes[inner]):
                points[end] = _middle(points[end], points[inner])
        return points

    def arrow(self, text: str) -> list[Hex]:
        """Parse the hexes of an arrow. Raises ValueError with the fault."""
        hexes = self._path(text)
        self._require(*hexes)
        return hexes

    def _path(self, text: str) -> list[Hex]:
        hexes = [hex for hex in map(parse_hex, text.split()) if hex]
        if len(hexes) < 2 or len(hexes) < len(text.split()):
            cure = "write those it goes through, like 1509 1510"
            raise ValueError(f"{quote_short(text)} goes from no hex to another; {cure}")
        return hexes

    def _require(self, *hexes: Hex) -> None:
        """Raise ValueError if one of the hexes is outside the area."""
        for hex in hexes:
            if hex not in self:
                raise ValueError(f"hex {self.number(hex)} is outside {self.sample_number}")

    def side(self, hex: Hex, other: Hex) -> list[Point]:
        """Return the ends of the side between two hexes."""
        start, end = self.center(hex), self.center(other)
        across, along = (end[0] - start[0]) / ACROSS * SIZE / 2, (end[1] - start[1]) / ACROSS * SIZE / 2
        x, y = _middle(start, end)
        return [(x - along, y + across), (x + along, y - across)]


def _middle(start: Point, end: Point) -> Point:
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
