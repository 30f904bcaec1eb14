"""Account of a page's paint: text, shapes, pictures and shadings, with their colours, in millimetres.

`Painting` is the account of one page; `painter` reads a page's content into it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pikepdf import Dictionary, Name

from rulewright.print.preflight.colour import BLACK, Colour, Space
from rulewright.print.preflight.colour import GRAY as GRAY_SPACE
from rulewright.print.preflight.fonts import Font, Glyph
from rulewright.print.preflight.geometry import Box, Matrix, overlap, point, times
from rulewright.source.problems import shown

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
INVISIBLE = (3, 7)
"""The modes of text that neither fill nor stroke."""

STROKED, FILLED = (1, 2, 5, 6), (0, 2, 4, 6)


@dataclass(frozen=True, slots=True)
class Tag:
    """The marked content that something stands in: an artifact, content with an id, neither or both."""

    artifact: bool = False
    content: int | None = None
    nested: bool = False
    """Whether an artifact stands inside tagged content, or tagged content inside an artifact."""
    inner_artifact: bool = False
    """Which of the two: whether the artifact is the inner one."""


class OpenTags:
    """The stack of marked content that is open. An annotation or a pattern paints outside of any."""

    def __init__(self, *, annotation: bool = False) -> None:
        self.stack: list[Tag] = []
        self.outside = Tag(artifact=annotation)

    @property
    def now(self) -> Tag:
        return self.stack[-1] if self.stack else self.outside

    @property
    def depth(self) -> int:
        return len(self.stack)

    def open(self, name: object, properties: object) -> int | None:
        """Open a sequence; the id of its content where it has one."""
        now = self.now
        found = properties.get("/MCID") if isinstance(properties, Dictionary) else None
        content = int(found) if isinstance(found, int) else None
        artifact = name == Name.Artifact
        nested = (artifact and now.content is not None) or (content is not None and now.artifact)
        inherited = now.content if content is None else content
        inner = artifact if nested else now.inner_artifact
        self.stack.append(Tag(now.artifact or artifact, inherited, now.nested or nested, inner))
        return content

    def close(self, given: object = None) -> None:
        if self.stack:
            self.stack.pop()

    def back_to(self, depth: int) -> None:
        """Close what a stream has left open."""
        del self.stack[depth:]


@dataclass(frozen=True, slots=True)
class Letter:
    """A glyph where it is painted; `box` is None where it is blank or clipped away."""

    glyph: Glyph
    box: Box | None


@dataclass(frozen=True, slots=True)
class Text:
    """A text that one operator shows. `size` is the effective one in points, `box` that of all glyphs."""

    font: Font
    size: float
    colours: tuple[Colour, ...]
    visible: bool
    letters: tuple[Letter, ...]
    box: Box | None
    tag: Tag

    @property
    def words(self) -> str:
        return "".join(letter.glyph.text or "\N{REPLACEMENT CHARACTER}" for letter in self.letters)


@dataclass(frozen=True, slots=True)
class Shape:
    """A path that is filled or stroked, or a shading. `parts` are the boxes of its subpaths."""

    colours: tuple[Colour, ...]
    parts: tuple[Box, ...]
    box: Box
    tag: Tag


@dataclass(frozen=True, slots=True)
class Picture:
    """An image. `pixels` are its width and height; `resolution` the lower of the two, in dots per inch."""

    pixels: tuple[int, int]
    resolution: float
    colours: tuple[Colour, ...]
    box: Box
    tag: Tag


@dataclass(slots=True)
class Painting:
    """All that one page paints. `faults`: what of its content could not be read, in words."""

    texts: list[Text] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    contents: list[tuple[int, int]] = field(default_factory=list)
    """The marked content that is opened, by the number of its stream's object, 0 the page, and its id."""
    blending: set[str] = field(default_factory=set)
    """The models of the spaces in which transparent things are blended."""
    faults: list[str] = field(default_factory=list)
    forms: list[tuple[int, int]] = field(default_factory=list)
    """Every use of a form that has marked content with ids."""

    def everything(self) -> Iterator[Text | Shape | Picture]:
        yield from self.texts
        yield from self.shapes
        yield from self.pictures


class Path:
    """The path that content builds up before it paints it. Curves are kept by their control points."""

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


@dataclass(slots=True)
class State:
    """The graphics state. Copied by `q`; the text matrices are the painter's."""

    matrix: Matrix
    clip: Box | None
    fill_space: Space = GRAY_SPACE
    stroke_space: Space = GRAY_SPACE
    fill: tuple[Colour, ...] = (BLACK,)
    stroke: tuple[Colour, ...] = (BLACK,)
    line: float = 1.0
    font: Font | None = None
    size: float = 0.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0
    fill_alpha: float = 1.0
    stroke_alpha: float = 1.0

    def copy(self) -> State:
        return replace(self)

    def clipped(self, box: Box) -> Box | None:
        """Visible part of a box within the clip; None where nothing is."""
        return None if self.clip is None else overlap(box, self.clip)

    @property
    def fills(self) -> tuple[Colour, ...]:
        """The colours that filling leaves on the paper; none where it is wholly transparent."""
        return self.fill if self.fill_alpha > 0 else ()

    @property
    def strokes(self) -> tuple[Colour, ...]:
        """The colours that stroking leaves on the paper; none where it is wholly transparent."""
        return self.stroke if self.stroke_alpha > 0 else ()

    def moved(self, matrix: Matrix) -> State:
        """This state in the space of a form or a pattern."""
        return replace(self, matrix=times(matrix, self.matrix))


def described(item: Text | Shape | Picture) -> str:
    """A painted thing as messages name it."""
    if isinstance(item, Text):
        return f"the text {shown(item.words)}"
    return "a picture" if isinstance(item, Picture) else "a line or ground"
