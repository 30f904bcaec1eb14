"""The inks of the pages that we print, and what is wrong with them.

Colours have been turned by `separation`, so there are the operators `k` and `K`, spot inks, and whatever was
left as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pikepdf import Dictionary, Name, Object, Page, Stream

from rulewright.files.problems import ProblemType
from rulewright.print.colour_spaces import pixels_of, space_of
from rulewright.print.pdf_objects import dictionary_value, values
from rulewright.print.pdf_operators import COLOURS, iter_operators
from rulewright.schema import preflight_problems

HEAVIEST = 300.0
"""The most ink in one place that dries, in percent."""

InkFault = tuple[ProblemType, str]
Known = dict[tuple[int, int], set[InkFault]]


def ink_faults(source: Object, known: Known) -> set[InkFault]:
    """Return the faults of a page, a form or a picture. `known`: those that have been read."""
    if source.objgen not in known:
        find = _of_picture if source.get("/Subtype") == Name.Image else _of_content
        known[source.objgen] = {*find(source, known)}
    return known[source.objgen]


def _of_content(source: Object, known: Known) -> Iterator[InkFault]:
    if isinstance(source, Dictionary):
        Page(source).contents_coalesce()
    resources = dictionary_value(source, "/Resources")
    patterns = values(resources, "/Pattern")
    for value in (*values(resources, "/XObject"), *patterns):
        if isinstance(value, Stream):
            yield from ink_faults(value, known)
    for shading in (
        *values(resources, "/Shading"),
        *(dictionary_value(pattern, "/Shading") for pattern in patterns),
    ):
        if shading is not None:
            yield from _rgb("a gradient", dictionary_value(shading, "/ColorSpace"))
    data = source.read_bytes() if isinstance(source, Stream) else source.Contents.read_bytes()
    for word, begin, at, _ in iter_operators(data, COLOURS | {"BI"}):
        if word in ("cs", "CS"):
            yield from _rgb("something", Name(data[begin:at].decode("latin-1").strip()), resources)
        elif word in ("rg", "RG"):
            yield from _rgb("something", Name.DeviceRGB)
        elif word in ("k", "K"):
            yield from _heavy("something", map(float, data[begin:at].split()))


def _of_picture(source: Object, known: Known) -> Iterator[InkFault]:
    """Find the faults of a picture by its pixels scaled down."""
    if not source.get("/ImageMask"):
        yield from _rgb("a picture", source.get("/ColorSpace"))
        if space_of(source.get("/ColorSpace")).model == "cmyk":
            small = pixels_of(source).resize((64, 64)).tobytes()
            darkest = max((small[at : at + 4] for at in range(0, len(small), 4)), key=sum)
            yield from _heavy("a picture", (part / 255 for part in darkest))


def _rgb(what: str, space: object, resources: object = None) -> Iterator[InkFault]:
    if space_of(space, resources).model in ("rgb", "unknown"):
        yield preflight_problems.RGB, f"{what} is in RGB, which is no ink"


def _heavy(what: str, inks: Iterable[float]) -> Iterator[InkFault]:
    if (share := 100 * sum(inks)) > HEAVIEST + 1:
        yield preflight_problems.HEAVY, f"{what} takes {share:.0f} % of ink; at most {HEAVIEST:g} % dries"
