"""The HTML of a printed sheet, made of its plan, what its blocks show, and a size of type.

Words, tags and measures of the design are in `templates/aids/`. References lead to the site: to its address
where that is known, else from the PDF to its neighbours there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from markupsafe import Markup

from rulewright.book.roles import inked
from rulewright.book.sheet import Plan, Sheet
from rulewright.citations import addresses, prose
from rulewright.citations.blocks import Panel, amended_by
from rulewright.citations.glossary import Bearer
from rulewright.citations.names import Named
from rulewright.citations.resolving import Resolved
from rulewright.model.paper import Paper
from rulewright.print.engine import ADDRESS, NEIGHBOUR, PLAIN, Edges
from rulewright.print.imposition import Placed, page_of, sides
from rulewright.print.pictures import printable
from rulewright.site.compositor import Compositor, environment
from rulewright.source.resources import TEMPLATES
from rulewright.source.text import Text

SMALL = 0.88
"""How large the smallest text on a sheet is, as a part of its type."""

MATRIX, WORD = 0.8, 18.0
"""How much of its width a matrix has for its columns, and how wide, in mm, the long word of a heading is."""

QUIET = 2
"""How many empty modules are around a QR code; the white of its box adds more."""

CODE = "code.svg"

LEADING, MOST_LEADING = 1.24, 1.44
"""How far apart lines stand, as a part of their type: set close, and with all the air there may be."""

AIRED = 1.5
"""How much wider the gaps between blocks become with all the air there may be, and how much higher rows."""

_FRACTIONS = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾"}
_FRACTION = re.compile(r"(?<![\w/.])(?:1/[234]|2/3|3/4)(?![\w/])(?=[^<>]*(?:<|$))")
_REFERENCES = r"<a [^>]*>[^<>]*</a>(?:(?:, | and |–)<a [^>]*>[^<>]*</a>)*"
_BRACKETS = re.compile(rf"\(({_REFERENCES})\)")
_AHEAD = re.compile(r" ((?:<(?:a|b|em|i|span|strong)\b[^>]*>)+)")


@dataclass(frozen=True, slots=True)
class Imprint:
    """What a sheet says of itself: the hash of its content, and the address of its page on the site."""

    hash: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class OnPaper(Compositor):
    """Sets what is printed. `site` is the address that the site will have, empty where that is not known.

    `across`: how wide what stands across all columns is, in mm.
    """

    site: str = ""
    across: float = 0.0

    def narrow(self, columns: int) -> bool:
        """Whether so many columns of a matrix are too narrow for headings that lie."""
        return 0 < self.across * MATRIX < WORD * columns

    def to(self, path: str, anchor: str = "") -> str:
        if self.site:
            return addresses.below(self.site, path, anchor)
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

    def where(self, name: str) -> str:
        return f"{ADDRESS}{name}"


@dataclass(frozen=True, slots=True)
class Job:
    """One sheet to print: what its blocks show, and on what. `plan` may be on another paper than its own.

    `pictures` are the files of its pictures, by the names that `blocks.pictures_of` gives.
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


@dataclass(frozen=True, slots=True)
class Type:
    """How something is set: its size in points, and how much air it is given, from 0 (close) to 1."""

    points: float
    air: float = 0.0


@dataclass(frozen=True, slots=True)
class Room:
    """What has a size of type of its own: a side, or a panel on it, by their places; else all sides.

    `words` name a panel.
    """

    side: int | None = None
    panel: int | None = None
    words: str = ""


def rooms(job: Job) -> list[Room]:
    """The panels that show something; else the sides, where each has just one page; else all as one."""
    placed = sides(job.sheet, job.panels, job.plan)
    if job.plan.fold != "none":
        named = ((at, on, panel) for at, side in enumerate(placed) for on, panel in enumerate(side.panels))
        return [Room(at, on, panel.name) for at, on, panel in named if panel.runs or panel.head]
    return [Room(at) for at in range(len(placed))] if len(placed) == job.plan.pages else [Room()]


def paper_in(job: Job, room: Room) -> Paper:
    """The paper that a room is tried on: a panel's own, without margins, or that of the sheet."""
    panel = _panel(job, room)
    return Paper(panel.name, panel.width, panel.height) if panel else job.plan.paper


def html(job: Job, only: Room | None = None) -> str:
    """The HTML of a sheet; `styles` go with it, and `Job.files`. `only`: that room alone, for a trial."""
    placed = sides(job.sheet, job.panels, job.plan)
    number = {(room.side, room.panel): at for at, room in enumerate(rooms(job), 1)}
    given = {
        "sheet": job.sheet,
        "plan": job.plan,
        "at": replace(job.at, across=_across(job)),
        "page": page_of(job.plan),
        "bleed": job.edges.bleed,
        "imprint": job.imprint,
        "sides": [(at, side) for at, side in enumerate(placed) if only is None or only.side in (None, at)],
        "alone": _panel(job, only) if only else None,
        "trial": only is not None,
        "type": lambda side, panel: number.get((side, panel), 1),
        "foot": _foot(job)[0],
        "errata": amended_by(job.panels),
    }
    return environment().get_template("aids/sheet.html").render(given)


def styles(job: Job, types: Sequence[Type], only: Room | None = None) -> tuple[str, ...]:
    """The style sheets of a sheet whose `rooms` have these types; `only` that room, with the first."""
    plan, page, all_rooms = job.plan, page_of(job.plan), rooms(job)
    panel = _panel(job, only) if only else None
    numbers = [all_rooms.index(only) + 1] if only else range(1, len(all_rooms) + 1)
    foot, folio = _foot(job)
    given = {
        "plan": plan,
        "page": page,
        "bleed": job.edges.bleed,
        "panel": panel,
        "trial": only is not None,
        "types": [
            (number, one, small_of(one.points, plan), LEADING + (MOST_LEADING - LEADING) * one.air)
            for number, one in zip(numbers, types, strict=True)
        ],
        "aired": AIRED,
        "smallest": min(small_of(one.points, plan) for one in types),
        "colours": {} if plan.ink == "black" else inked(job.sheet.edition.book),
        "foot": foot,
        "folio": folio,
    }
    return _design(), environment().get_template("aids/page.css").render(given)


def _across(job: Job) -> float:
    """The width of the narrowest panel, or of a page."""
    panels = [panel.width for side in sides(job.sheet, job.panels, job.plan) for panel in side.panels]
    return min(panels, default=job.plan.paper.width - 2 * page_of(job.plan).side)


def _foot(job: Job) -> tuple[float, float]:
    """How wide the lines at the foot of a page are, left and right: they keep off the folds."""
    panels = [panel.width for side in sides(job.sheet, job.panels, job.plan)[:1] for panel in side.panels]
    across = job.plan.paper.width - 2 * page_of(job.plan).side
    return (panels[0], panels[-1]) if panels else (across * 0.8, across * 0.2)


def _panel(job: Job, room: Room) -> Placed | None:
    if room.side is None or room.panel is None:
        return None
    return sides(job.sheet, job.panels, job.plan)[room.side].panels[room.panel]


def small_of(points: float, plan: Plan) -> float:
    """The size of the smallest text on a sheet with type of that size."""
    return round(max(plan.smallest, points * SMALL), 3)


@cache
def _design() -> str:
    """The style sheet of every sheet."""
    return (TEMPLATES / "aids" / "sheet.css").read_text("utf-8")


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
    printed = _BRACKETS.sub(r'<b class="cite">[\1]</b>', printed)
    # Where a line ends ahead of an element, the engine at times breaks it much too early, but not within one.
    return Markup(_AHEAD.sub(r"\1 ", printed))
