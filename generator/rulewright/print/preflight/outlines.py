"""The path that a page's content builds up before it paints it, by the points of its subpaths."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.print.preflight.geometry import Box, Matrix, point


class Outline:
    """A path. Of a curve its control points are kept, between which it lies."""

    def __init__(self) -> None:
        self.subpaths: list[list[tuple[float, float]]] = []
        self.clips = False

    def move(self, x: float, y: float) -> None:
        self.subpaths.append([(x, y)])

    def points(self, *coordinates: float) -> None:
        """Go on to some points, x and y in turn."""
        if not self.subpaths:
            self.subpaths.append([])
        pairs = zip(coordinates[::2], coordinates[1::2], strict=True)
        self.subpaths[-1].extend(pairs)

    def rectangle(self, x: float, y: float, width: float, height: float) -> None:
        self.subpaths.append([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])

    def clip(self) -> None:
        self.clips = True

    def clear(self) -> None:
        self.subpaths, self.clips = [], False

    def boxes(self, matrix: Matrix) -> Iterator[Box]:
        """The boxes of its subpaths where a matrix takes them. A lone point paints nothing."""
        for subpath in self.subpaths:
            if len(subpath) > 1:
                xs, ys = zip(*(point(matrix, x, y) for x, y in subpath), strict=True)
                yield min(xs), min(ys), max(xs), max(ys)
