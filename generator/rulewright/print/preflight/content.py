"""The content of the pages that we print: the inks that things are painted with, and their tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pikepdf import Dictionary, Name, Object, Page, Stream

from rulewright.print.colour_spaces import DEVICE, GRAY, LEAST, Space, pixels_of, space_of
from rulewright.print.operators import COLOURS, FILLS, PAINTS, SHOWS, STROKES, operators
from rulewright.print.pdf_objects import each, entry, listed

PROCESS = ("Cyan", "Magenta", "Yellow", "Black")
_ASKED = PAINTS | COLOURS | {"q", "Q", "gs", "BMC", "BDC", "EMC"}
_ID, _NAME = re.compile(rb"/MCID\s+(\d+)"), re.compile(rb"/[^\s()<>\[\]{}/%]+")


class Colour(NamedTuple):
    """A colour by its process inks, None where it has none, and its spot inks."""

    model: str
    inks: tuple[float, ...] | None = None
    spots: tuple[str, ...] = ()

    @property
    def coloured(self) -> bool:
        """Whether it prints another process ink than black."""
        return self.inks is not None and max(self.inks[:3]) > LEAST

    @property
    def rich(self) -> bool:
        """Whether it is a black, or nearly one, that is not printed with black alone."""
        return bool(self.inks and self.coloured and (self.inks[3] >= 0.6 or min(self.inks[:3]) >= 0.6))

    def __str__(self) -> str:
        if self.spots or self.inks is None:
            return f"spot ink {', '.join(self.spots)}" if self.spots else self.model.upper()
        return "C {:.0f} M {:.0f} Y {:.0f} K {:.0f}".format(*(100 * ink for ink in self.inks))


BLACK = Colour("gray", (0.0, 0.0, 0.0, 1.0))


class Paint(NamedTuple):
    """A way in which something is painted. `heaviest`: the most ink that it takes in one place."""

    kind: str
    colours: tuple[Colour, ...]
    over: bool = False
    heaviest: float = 0.0

    @property
    def white(self) -> bool:
        """Whether it is the white of the paper."""
        return all(one.inks and max(one.inks) <= LEAST and not one.spots for one in self.colours)


@dataclass(slots=True)
class Content:
    """The paints of a page or a form, the numbers of its tagged content, whether something is neither tagged
    nor an artifact, and the models of the spaces in which transparent things are blended."""

    paints: set[Paint] = field(default_factory=set)
    tags: set[int] = field(default_factory=set)
    loose: bool = False
    blending: set[str] = field(default_factory=set)


class _State(NamedTuple):
    fill: tuple[Colour, ...] = (BLACK,)
    stroke: tuple[Colour, ...] = (BLACK,)
    fill_space: Space = GRAY
    stroke_space: Space = GRAY
    over: bool = False


class Contents:
    """Reads pages; each form and picture once."""

    def __init__(self) -> None:
        self.forms: dict[tuple[int, int], Content] = {}
        self.pictures: dict[tuple[int, int], Paint] = {}

    def of_page(self, page: Dictionary) -> Content:
        """The content of a page."""
        found = Page(page)
        found.contents_coalesce()
        return self._read(page, page.Contents.read_bytes(), found.resources)

    def _form(self, form: Stream) -> Content:
        if form.objgen not in self.forms:
            self.forms[form.objgen] = self._read(form, form.read_bytes(), form.get("/Resources"))
        return self.forms[form.objgen]

    def _read(self, source: Object, data: bytes, resources: Object | None) -> Content:
        made, state, stack, tags = Content(), _State(), list[_State](), list[bool]()
        if (group := source.get("/Group")) is not None:
            made.blending.add(space_of(entry(group, "/CS")).model)
        known: dict[tuple[str, bytes, _State], _State] = {}
        for word, begin, at, _ in operators(data, _ASKED):
            if word == "q":
                stack.append(state)
            elif word == "Q":
                state = stack.pop()
            elif word == "EMC":
                tags.pop()
            elif word in ("BMC", "BDC"):
                found = _ID.search(data, begin, at)
                made.tags |= {int(found[1])} if found else set()
                tags.append(bool(found) or data[begin:at].lstrip().startswith(b"/Artifact"))
            elif word in PAINTS:
                self._paint(made, word, _name(data[begin:at]), state, resources, any(tags))
            else:
                change = word, data[begin:at], state
                if change not in known:
                    known[change] = self._changed(*change, resources)
                state = known[change]
        return made

    def _paint(
        self, made: Content, word: str, name: str, state: _State, resources: Object | None, tagged: bool
    ) -> None:
        drawn = entry(resources, "/XObject", name) if word == "Do" else None
        if isinstance(drawn, Stream) and drawn.get("/Subtype") == Name.Form:
            form = self._form(drawn)
            made.paints |= form.paints
            made.blending |= form.blending
            made.loose |= form.loose and not tagged
            return
        made.loose |= not tagged
        if isinstance(drawn, Stream) and not drawn.get("/ImageMask"):
            if drawn.objgen not in self.pictures:
                self.pictures[drawn.objgen] = _picture(drawn)
            made.paints.add(self.pictures[drawn.objgen])
            return
        colours = state.stroke if word in STROKES else ()
        colours += state.fill if word not in STROKES or word in FILLS else ()
        if word == "sh":
            colours = _shading(entry(resources, "/Shading", name))
        heaviest = max((sum(one.inks) for one in colours if one.inks), default=0.0)
        kind = "text" if word in SHOWS else "line or ground"
        made.paints.add(Paint(kind, colours, state.over and word not in ("S", "s"), heaviest))

    def _changed(self, word: str, raw: bytes, state: _State, resources: Object | None) -> _State:
        """The state behind an operator that changes colours or overprint."""
        name, low, fill = _name(raw), word.lower(), word[0].islower()
        if word == "gs":
            over = entry(resources, "/ExtGState", name, "/op")
            return state if over is None else state._replace(over=bool(over))
        space = DEVICE.get(low, state.fill_space if fill else state.stroke_space)
        pattern = entry(resources, "/Pattern", name)
        if low == "cs":
            space = space_of(Name(name), resources)
            colours: tuple[Colour, ...] = (_colour(space, [1.0 if space.names else 0.0] * space.count),)
        elif isinstance(pattern, Stream):
            colours = tuple(one for paint in self._form(pattern).paints for one in paint.colours)
        elif pattern is not None:
            colours = _shading(entry(pattern, "/Shading"))
        else:
            colours = (_colour(space, [float(one) for one in raw.split()]),)
        if fill:
            return state._replace(fill=colours, fill_space=space)
        return state._replace(stroke=colours, stroke_space=space)


def _name(raw: bytes) -> str:
    found = _NAME.search(raw)
    return found[0].decode("latin-1") if found else ""


def _colour(space: Space, values: Sequence[float]) -> Colour:
    """The colour that some components make in a space."""
    if space.model in ("gray", "cmyk"):
        return Colour("cmyk", (0.0, 0.0, 0.0, 1 - values[0]) if space is GRAY else tuple(values[:4]))
    named = dict(zip(space.names, values, strict=False))
    spots = tuple(name for name, value in named.items() if name not in PROCESS and value > LEAST)
    inks = tuple(named.get(ink, 0.0) for ink in PROCESS) if named else None
    return Colour(space.model, inks, spots)


def _shading(shading: Object | None) -> tuple[Colour, ...]:
    """The colours between which a shading runs, by the ends of its functions; else one of its space."""
    space, function = space_of(entry(shading, "/ColorSpace")), entry(shading, "/Function")
    parts: list[object] = [*listed(entry(function, "/Functions"))] or [function]
    ends = [entry(part, key) for part in parts for key in ("/C0", "/C1")]
    found = tuple(_colour(space, [float(str(one)) for one in each(end)]) for end in ends if end)
    return found or (Colour(space.model),)


def _picture(source: Stream) -> Paint:
    """A picture by the most of each ink that it has anywhere, and the most of all around one place."""
    space = space_of(source.get("/ColorSpace"))
    if space.model != "cmyk":
        return Paint("picture", (BLACK if space.model == "gray" else Colour(space.model),))
    pixels = pixels_of(source)
    most = tuple(band.getextrema()[1] / 255 for band in pixels.split())  # type: ignore[operator]
    small = pixels.resize((64, 64)).tobytes()
    dark = max(sum(small[at : at + 4]) for at in range(0, len(small), 4)) / 255
    return Paint("picture", (Colour("cmyk", most),), heaviest=dark)
