"""The images of a page, and the annotations that are printed with it."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from pikepdf import Array, Dictionary, Name, Object, PdfImage, Stream

from rulewright.model.paper import MM
from rulewright.print.preflight.colour import LEAST, Colour, Inks, Space, space_of
from rulewright.print.preflight.geometry import Box, Matrix, covered, number_of, rectangle
from rulewright.print.preflight.paint import IDENTITY, Picture, State, Tag

MOST_PIXELS = 60_000_000
"""How many pixels a picture may have whose inks are looked at: a map of two feet has as many."""

PRINT, HIDDEN = 4, 2
"""The bits of an annotation's flags that say that it is printed, and that it is not shown."""

Known = dict[tuple[int, int], Inks | None]


def picture(
    source: Object, state: State, box: Box, tag: Tag, resources: Dictionary, known: Known | None
) -> Picture | None:
    """An image where it is painted; None where it has no pixels. `known`: the inks of the images that were
    looked at; None for an image in the content itself."""
    width = _whole(source, "/Width", "/W")
    height = _whole(source, "/Height", "/H")
    a, b, c, d, _, _ = state.matrix
    across, down = hypot(a, b), hypot(c, d)
    if not width or not height or not across or not down:
        return None
    resolution = min(width / across, height / down) * MM["in"]
    if width == height == 1:
        resolution = float("inf")  # one pixel is a flat colour, and has no detail to lose
    if bool(source.get("/ImageMask", source.get("/IM"))):
        colours = state.fill
    else:
        space = space_of(source.get("/ColorSpace", source.get("/CS")), resources)
        colours = tuple(_colours(source, space, known))
    return Picture((width, height), resolution, colours, box, tag)


def _whole(source: Object, *keys: str) -> int:
    return next((int(number_of(source[key], 0)) for key in keys if key in source), 0)


def _colours(source: Object, space: Space, known: Known | None) -> Iterator[Colour]:
    """The colours of an image, as far as they are certain without looking at each pixel."""
    if space.model == "indexed":
        yield from dict.fromkeys(space.entry(at) for at in space.entries)
    elif space.model == "cmyk":
        if known is not None and source.objgen not in known:
            known[source.objgen] = _most(source)
        yield Colour("cmyk", None if known is None else known[source.objgen])
    elif space.model == "unknown":
        # JPEG 2000 may bring its own space along instead of naming one.
        yield Colour("unknown")
    elif space.model == "spot":
        process = space.colour([0.5] * space.count)
        yield process if process.spots else Colour("cmyk", process.inks)
    else:
        yield Colour(space.model, (0.0, 0.0, 0.0, 1.0) if space.model == "gray" else None)


def _most(source: Object) -> Inks | None:
    """The most of each ink that a CMYK image has anywhere; None where it cannot be decoded."""
    try:
        if _whole(source, "/Width") * _whole(source, "/Height") > MOST_PIXELS:
            return None
        decoded = PdfImage(source).as_pil_image()  # type: ignore[arg-type]
        if decoded.mode != "CMYK":
            return None
        extremes = [high / 255 for _, high in decoded.getextrema()]  # type: ignore[misc]
    except Exception:  # of an image that is damaged, or in a way of its own
        return None
    c, m, y, k = (value if value > 2 * LEAST else 0.0 for value in extremes)
    return c, m, y, k


def printed(page: Dictionary) -> Iterator[tuple[Stream, Matrix]]:
    """The appearances of the annotations that are printed, each with what takes it to its place."""
    annotations = page.get("/Annots")
    for annotation in annotations if isinstance(annotations, Array) else ():
        if not isinstance(annotation, Dictionary):
            continue
        flags = int(number_of(annotation.get("/F"), 0))
        if annotation.get("/Subtype") == Name.Popup or not flags & PRINT or flags & HIDDEN:
            continue
        appearance, place = _appearance(annotation), rectangle(annotation.get("/Rect"))
        box = rectangle(appearance.get("/BBox")) if appearance is not None else None
        if appearance is None or place is None or box is None:
            continue
        own = appearance.get("/Matrix")
        matrix = _six(own) if isinstance(own, Array) and len(own) == 6 else IDENTITY
        left, low, right, high = covered(matrix, box)
        if right > left and high > low:
            x, y = (place[2] - place[0]) / (right - left), (place[3] - place[1]) / (high - low)
            yield appearance, (x, 0.0, 0.0, y, place[0] - left * x, place[1] - low * y)


def _appearance(annotation: Dictionary) -> Stream | None:
    """An annotation's normal appearance, in the state that it is in."""
    appearances = annotation.get("/AP")
    normal = appearances.get("/N") if isinstance(appearances, Dictionary) else None
    if isinstance(normal, Stream):
        return normal
    state = annotation.get("/AS")
    found = normal.get(state) if isinstance(normal, Dictionary) and isinstance(state, Name) else None
    return found if isinstance(found, Stream) else None


def _six(values: Array) -> Matrix:
    a, b, c, d, e, f = (number_of(value, 0.0) for value in values)
    return a, b, c, d, e, f
