"""The HTML of a printed sheet, made of its plan, what its blocks show, and a size of type.

Words, tags and measures of the design are in `templates/aids/`. References lead to the site: to its address
where that is known, else from the PDF to its neighbours there.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from markupsafe import Markup

from generator import addresses, prose
from generator.blocks import Panel
from generator.citations import Resolved
from generator.compositor import TEMPLATES, Compositor, environment
from generator.glossary import Bearer
from generator.imposition import page_of, sides
from generator.names import Named
from generator.pictures import printable
from generator.printer import ADDRESS, NEIGHBOUR, PLAIN, Edges
from generator.sheet import Plan, Sheet
from generator.source import Text

SMALL = 0.88
"""How large the smallest text on a sheet is, as a part of its type."""

QUIET = 2
"""How many empty modules are around a QR code; the white of its box adds more."""

CODE = "code.svg"

TRIAL = 4000.0
"""How long, in mm, the paper is on which the panels of a folded sheet are tried."""

_FRACTIONS = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾"}
_FRACTION = re.compile(r"(?<![\w/.])(?:1/[234]|2/3|3/4)(?![\w/])(?=[^<>]*(?:<|$))")
_BRACKETS = re.compile(r"\(((?:<a [^>]*>[^<>]*</a>(?:, | and |–)?)+)\)")


@dataclass(frozen=True, slots=True)
class Imprint:
    """What a sheet says of itself: the hash of its content, and the address of its page on the site."""

    hash: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class OnPaper(Compositor):
    """Sets what is printed. `site` is the address that the site will have, empty where that is not known."""

    site: str = ""

    def to(self, path: str, anchor: str = "") -> str:
        if self.site:
            return f"{self.site.rstrip('/')}/{addresses.relative('', path, anchor).removeprefix('./')}"
        return f"{NEIGHBOUR}{addresses.relative(self.path, path, anchor)}"

    def href(self, source: Any) -> str:
        return self.to(*addresses.of(source))

    def inline(self, text: Text, until: int | None = None) -> Markup:
        return _set(Compositor.inline(self, text, until))

    def blocks(self, text: Text) -> Markup:
        return _set(Compositor.blocks(self, text))

    def link(self, resolved: Resolved, words: str) -> str:
        """A reference as a link to the site; one to another site is its words alone."""
        return words if resolved.away else Compositor.link(self, resolved, words)

    def _stretches(self, names: Iterable[Named[Bearer]]) -> list[prose.Stretch]:
        """Names are not links: nobody can tap them on paper."""
        return []

    def _src(self, figure: Any) -> str:
        return f"{ADDRESS}{picture_of(figure)}"


@dataclass(frozen=True, slots=True)
class Job:
    """One sheet to print: what its blocks show, and on what. `plan` may be on another paper than its own.

    `pictures` are the files of its pictures, by the names that `pictures_of` gives.
    """

    sheet: Sheet
    panels: tuple[Panel, ...]
    at: OnPaper
    plan: Plan
    edges: Edges = PLAIN
    imprint: Imprint = Imprint()
    pictures: Mapping[str, bytes] = field(default_factory=dict)

    def files(self) -> dict[str, bytes]:
        """The files that its HTML names."""
        black = self.plan.ink == "black"
        made = {name: printable(name, data, black=black) for name, data in self.pictures.items()}
        return made | ({CODE: code(self.imprint.address)} if self.imprint.address else {})


def html(job: Job, points: Sequence[float], *, trial: bool = False, only: int | None = None) -> str:
    """The HTML of a sheet; `styles` go with it, and `Job.files`.

    `points`: the size of type, one for all or one for each of its `sides`. `trial`: for the fit, on paper so
    long that nothing of a full panel is cut off. `only`: that side and no other.
    """
    plan, placed = job.plan, sides(job.sheet, job.panels, job.plan)
    types = [points[at % len(points)] for at in range(len(placed))]
    rooms = [panel.width for side in placed[:1] for panel in side.panels]
    across = plan.paper.width - 2 * page_of(plan).side
    given = {
        "sheet": job.sheet,
        "plan": plan,
        "at": job.at,
        "page": page_of(plan),
        "bleed": job.edges.bleed,
        "imprint": job.imprint,
        "height": TRIAL if trial and plan.fold != "none" else plan.paper.height,
        "types": [(size, small_of(size, plan)) for size in types],
        "sides": [(at, side) for at, side in enumerate(placed) if only in (None, at)],
        "foot": rooms[0] if rooms else across * 0.8,
        "folio": rooms[-1] if rooms else across * 0.2,
    }
    return environment().get_template("aids/sheet.html").render(given)


def small_of(points: float, plan: Plan) -> float:
    """The size of the smallest text on a sheet with type of that size."""
    return round(max(plan.smallest, points * SMALL), 3)


@cache
def styles() -> tuple[str, ...]:
    """The style sheets of every sheet."""
    return ((TEMPLATES / "aids" / "sheet.css").read_text("utf-8"),)


def pictures_of(panels: Sequence[Panel]) -> list[str]:
    """The names of the picture files of a sheet."""
    figures = (part.block.picture for panel in panels for part in panel.parts)
    return [picture_of(figure) for figure in figures if figure]


def picture_of(figure: Any) -> str:
    """The name of a picture's file, which is looked for beside the file that names it."""
    name: str = figure.file.file.name
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), str(figure.file)))


def code(address: str) -> bytes:
    """A QR code as SVG in black alone, with the quiet zone that readers need."""
    import segno

    made = segno.make(address, error="m", micro=False)
    rows = list(made.matrix_iter(border=QUIET))
    runs = [
        f"M{start} {y}h{end - start}v1h-{end - start}z"
        for y, row in enumerate(rows)
        for start, end in _runs(row)
    ]
    template = environment().get_template("aids/code.svg")
    return bytes(template.render(size=len(rows), path="".join(runs)), "utf-8")


def _runs(row: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Where the black modules of a row begin and end."""
    start = None
    for x, dark in enumerate((*row, 0)):
        if dark and start is None:
            start = x
        elif not dark and start is not None:
            yield start, x
            start = None


def _set(words: Markup) -> Markup:
    """Words as they are printed: fractions as one sign, and a reference amid a sentence in brackets."""
    printed = _FRACTION.sub(lambda m: _FRACTIONS[m.group()], words)
    return Markup(_BRACKETS.sub(r'<b class="cite">[\1]</b>', printed))
