"""The content of the pages that we print: what is wrong with its inks, and its tags.

Colours have been turned by `separation`, so there are the operators `k` and `K`, spot inks, and whatever was
left as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from pikepdf import Dictionary, Name, Object, Page, Stream

from rulewright.model import faults
from rulewright.print.colour_spaces import DEVICE, LEAST, Space, pixels_of, space_of
from rulewright.print.operators import COLOURS, PAINTS, SHOWS, operators
from rulewright.print.pdf_objects import each, entry, listed
from rulewright.print.preflight.promise import Promise
from rulewright.source.problems import Kind, shown

HEAVIEST = 300.0
"""The most ink in one place that dries, in percent."""

Inks = tuple[float, ...]
_ASKED = PAINTS | COLOURS | {"q", "Q", "gs", "BMC", "BDC", "EMC"}
_ID, _NAME = re.compile(rb"/MCID\s+(\d+)"), re.compile(rb"/[^\s()<>\[\]{}/%]+")


@dataclass(slots=True)
class Content:
    """Faults of inks, numbers of tagged content, and whether some is neither tagged nor an artifact."""

    faults: set[tuple[Kind, str]] = field(default_factory=set)
    tags: set[int] = field(default_factory=set)
    loose: bool = False


class Contents:
    """Reads the contents of a PDF, each form and picture once."""

    def __init__(self, promise: Promise) -> None:
        self.promise = promise
        self.known: dict[tuple[int, int], Content] = {}

    def of_page(self, page: Dictionary) -> Content:
        found = Page(page)
        found.contents_coalesce()
        return self._read(page, page.Contents.read_bytes(), found.resources)

    def _once(self, stream: Stream) -> Content:
        if stream.objgen not in self.known:
            if stream.get("/Subtype") == Name.Image:
                self.known[stream.objgen] = Content({*self._picture(stream)}, loose=True)
            else:
                self.known[stream.objgen] = self._read(stream, stream.read_bytes(), stream.get("/Resources"))
        return self.known[stream.objgen]

    def _read(self, source: Object, data: bytes, resources: Object | None) -> Content:
        made, fill, over = Content({*self._resources(source, resources)}), Inks((0, 0, 0, 1)), False
        stack, tags = list[tuple[Inks, bool]](), list[bool]()
        for word, begin, at, _ in operators(data, _ASKED):
            raw = data[begin:at]
            if word == "q":
                stack.append((fill, over))
            elif word == "Q":
                fill, over = stack.pop()
            elif word == "EMC":
                tags.pop()
            elif word in ("BMC", "BDC"):
                found = _ID.search(raw)
                made.tags |= {int(found[1])} if found else set()
                tags.append(bool(found) or raw.lstrip().startswith(b"/Artifact"))
            elif word == "gs":
                told = entry(resources, "/ExtGState", _name(raw), "/op")
                over = over if told is None else bool(told)
            elif word in COLOURS:
                inks = _numbers(raw) if word in ("k", "K") else ()
                if word.lower() in DEVICE or word.lower() == "cs":
                    space = DEVICE.get(word.lower()) or space_of(Name(_name(raw)), resources)
                    made.faults |= {*self._space("something", space)}
                made.faults |= {*self._inks("something", inks)}
                fill = inks if word[0].islower() else fill
            else:
                drawn = entry(resources, "/XObject", _name(raw)) if word == "Do" else None
                made.loose |= not any(tags) and (not isinstance(drawn, Stream) or self._once(drawn).loose)
                # A declared colour has at most two inks beside black, however dark it is.
                if word in SHOWS and fill and (low := min(fill[:3])) > LEAST and max(low, fill[3]) >= 0.6:
                    made.faults.add(
                        (faults.RICH, f"text is set in {_said(fill)}; black text takes K 100 alone")
                    )
                if over and fill and max(fill) <= LEAST and word not in ("S", "s"):
                    made.faults.add(
                        (faults.WHITE, "something white is set to overprint, so it is not printed")
                    )
        return made

    def _resources(self, source: Object, resources: Object | None) -> Iterator[tuple[Kind, str]]:
        if space_of(entry(source, "/Group", "/CS")).model == "rgb":
            yield faults.RGB, "transparent things are blended in RGB"
        for value in (*_values(resources, "/XObject"), *_values(resources, "/Pattern")):
            if isinstance(value, Stream):
                yield from self._once(value).faults
        patterns = (value.get("/Shading") for value in _values(resources, "/Pattern"))
        for shading in (one for one in (*_values(resources, "/Shading"), *patterns) if one is not None):
            yield from self._space("a gradient", space_of(shading.get("/ColorSpace")))
            function = shading.get("/Function")
            for part in (*listed(entry(function, "/Functions")), function):
                for end in (entry(part, "/C0"), entry(part, "/C1")):
                    inks = tuple(float(str(one)) for one in each(end)) if end is not None else ()
                    yield from self._inks("a gradient", inks if len(inks) == 4 else ())

    def _space(self, what: str, space: Space) -> Iterator[tuple[Kind, str]]:
        marks = () if self.promise.ink == "black" else ("All",)
        if space.model in ("rgb", "unknown"):
            yield faults.RGB, f"{what} is in RGB, which is no ink"
        if other := {*space.names} - {*self.promise.inks, *marks, "Black", "None"}:
            yield faults.SPOT, f"{what} asks for the spot ink {shown(', '.join(sorted(other)))}"

    def _inks(self, what: str, inks: Inks) -> Iterator[tuple[Kind, str]]:
        if inks and self.promise.ink == "black" and max(inks[:3]) > LEAST:
            yield faults.COLOUR, f"{what} is in {_said(inks)}; this sheet is for black alone"
        if 100 * sum(inks) > HEAVIEST + 1:
            yield faults.HEAVY, f"{what} takes {100 * sum(inks):.0f} % of ink; at most {HEAVIEST:g} % dries"

    def _picture(self, source: Stream) -> Iterator[tuple[Kind, str]]:
        """The faults of a picture, judged by its pixels scaled down."""
        if not source.get("/ImageMask"):
            space = space_of(source.get("/ColorSpace"))
            yield from self._space("a picture", space)
            if space.model == "cmyk":
                small = pixels_of(source).resize((64, 64)).tobytes()
                pixels = {small[at : at + 4] for at in range(0, len(small), 4)}
                darkest = max(pixels, key=sum), max(pixels, key=lambda one: max(one[:3]))
                for pixel in darkest:
                    yield from self._inks("a picture", tuple(part / 255 for part in pixel))


def _values(resources: Object | None, kind: str) -> list[Object]:
    found = entry(resources, kind)
    return list(found.as_dict().values()) if isinstance(found, Dictionary) else []


def _name(raw: bytes) -> str:
    found = _NAME.search(raw)
    return found[0].decode("latin-1") if found else ""


@lru_cache(1000)
def _numbers(raw: bytes) -> Inks:
    return tuple(map(float, raw.split()))


def _said(inks: Inks) -> str:
    return "C {:.0f} M {:.0f} Y {:.0f} K {:.0f}".format(*(100 * ink for ink in inks))
