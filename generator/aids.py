"""The HTML of a printed sheet, made of its plan, what its blocks show, and a size of type.

Words, tags and measures of the design are in `templates/aids/`. References lead to the site: to its address
where that is known, else from the PDF to its neighbours there.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from markupsafe import Markup

from generator import addresses
from generator.blocks import Panel, Part
from generator.compositor import TEMPLATES, Compositor, environment
from generator.printer import ADDRESS, NEIGHBOUR, PLAIN, Edges
from generator.sheet import Plan, Sheet
from generator.source import Text

SMALL = 0.88
"""How large the smallest text on a sheet is, as a part of its type."""

QUIET = 2
"""How many empty modules are around a QR code; the white of its box adds more."""

ALWAYS_WIDE = ("legend", "turn")
CODE = "code.svg"

_FRACTIONS = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾"}
_FRACTION = re.compile(r"(?<![\w/.])(?:1/[234]|2/3|3/4)(?![\w/])(?=[^<>]*(?:<|$))")
_BRACKETS = re.compile(r"\(((?:<a [^>]*>[^<>]*</a>(?:, | and |–)?)+)\)")


@dataclass(frozen=True, slots=True)
class Imprint:
    """What a sheet says of itself: the hash of its content, and the address of its page on the site."""

    hash: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """The margins of a page in mm; `gap` is that between its columns."""

    top: float
    side: float
    foot: float
    gap: float


@dataclass(frozen=True, slots=True)
class Run:
    """Blocks that share columns, or one that stands across all of them."""

    parts: tuple[Part, ...]
    wide: bool


@dataclass(frozen=True, slots=True)
class Side:
    """What begins on a page of its own, under the sheet's title or that of the block `named`."""

    title: str
    runs: tuple[Run, ...]
    named: Part | None = None


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

    def inline(self, text: Text) -> Markup:
        return _set(Compositor.inline(self, text))

    def blocks(self, text: Text) -> Markup:
        return _set(Compositor.blocks(self, text))

    def _src(self, figure: Any) -> str:
        return f"{ADDRESS}{picture_of(figure)}"


def html(
    sheet: Sheet,
    panels: Sequence[Panel],
    at: OnPaper,
    *,
    points: float,
    plan: Plan,
    edges: Edges = PLAIN,
    imprint: Imprint = Imprint(),
    balanced: bool = True,
) -> str:
    """The HTML of a sheet, with type of so many points; `styles` go with it, and `files`.

    `plan` may be on another paper than the sheet's own. Not `balanced`, columns are filled one by one, which
    shows how much room is left.
    """
    given = {
        "sheet": sheet,
        "plan": plan,
        "at": at,
        "points": points,
        "small": round(max(plan.smallest, points * SMALL), 3),
        "page": page_of(plan),
        "bleed": edges.bleed,
        "imprint": imprint,
        "balanced": balanced,
        "sides": sides(sheet, panels),
    }
    return str(environment().get_template("aids/sheet.html").render(given))


@cache
def styles() -> tuple[str, ...]:
    """The style sheets of every sheet."""
    return tuple((TEMPLATES / "aids" / name).read_text("utf-8") for name in ("fonts.css", "sheet.css"))


def files(
    sheet: Sheet, panels: Sequence[Panel], imprint: Imprint, read: Callable[[str], bytes]
) -> dict[str, bytes]:
    """The pictures of a sheet, by the names that its HTML has for them. `read` reads a file of the content."""
    figures = [part.block.picture for panel in panels for part in panel.parts if part.block.picture]
    names = [picture_of(figure) for figure in figures]
    found = {name: read(name) for name in names if name in sheet.edition.files}
    return found | ({CODE: code(imprint.address)} if imprint.address else {})


def picture_of(figure: Any) -> str:
    """The name of a picture's file, which is looked for beside the file that names it."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(figure.file.file.name), figure.file))


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
    template: Any = environment().get_template("aids/code.svg")
    return str(template.render(size=len(rows), path="".join(runs))).encode()


def page_of(plan: Plan) -> Page:
    """The margins: less on small paper, and never where a printer cannot print."""
    small = min(plan.paper.width, plan.paper.height) < 170
    return Page(top=9, side=8 if small else 10, foot=9.5, gap=5 if small else 6)


def sides(sheet: Sheet, panels: Sequence[Panel]) -> tuple[Side, ...]:
    """The parts of a sheet without folds by the pages that they begin, in runs of columns."""
    made: list[Side] = []
    for part in (part for panel in panels for part in panel.parts):
        if not made or part.block.starts == "page":
            titled = part if made and part.block.title else None
            title = part.block.title if titled else sheet.aid.title
            made.append(Side(str(title), (), titled))
        made[-1] = replace(made[-1], runs=tuple(_joined(made[-1].runs, part)))
    return tuple(made)


def _joined(runs: tuple[Run, ...], part: Part) -> Iterator[Run]:
    wide = bool(part.block.wide) or part.sort in ALWAYS_WIDE
    if runs and not wide and not runs[-1].wide:
        yield from runs[:-1]
        yield Run((*runs[-1].parts, part), False)
    else:
        yield from runs
        yield Run((part,), wide)


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
