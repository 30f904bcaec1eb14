"""Copyfitting: the largest type with which a sheet fits the pages that it declares, or what overflows.

    SheetJob ──html, lay_out──► PagedLayout ──measured──► fits? ──next size──► … ──► FittedSheet, or problems

Sizes stand on a grid, and where the largest leaves room, lines and blocks are set further apart by steps.
The search goes by what it measures alone, so that the same sheet always gets the same size: the largest
that fits on its own where the next one does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import ceil

from rulewright.book.sheet import Plan
from rulewright.numbers.insets import picture_of
from rulewright.print import overflow
from rulewright.print.colour_separation import pixels
from rulewright.print.engine import PagedLayout, lay_out
from rulewright.print.overflow import Overflow
from rulewright.print.sheet_html import SheetJob, TypeArea, TypeSpec, html, paper_in, styles, type_areas
from rulewright.source.problems import Place, Problem, Severity, kind

GRID = 0.05
"""The step from one size of type to the next, in points."""

AIRS = 20
"""In how many steps a sheet with type of the largest size is given air."""

BY_FULLNESS = 5
"""Number of layouts that are chosen by fullness, before the rest is found by halving."""

AIR_TAKES = 0.45
"""Share of extra room that all the air takes, roughly; only the first guess goes by it."""

SHARP = 300
"""Least resolution of a photograph on paper, in dots to the inch."""

HOLE = 0.15
"""Part of a page that a column may leave empty at its foot before less air is tried."""

AIMED = 0.99
"""Fullness that the search aims at: the next size up would mostly overflow."""

OVERFLOWS = kind(
    "aid-does-not-fit",
    "A block of a player aid runs over the pages or the panel that the aid has, even with the smallest type.",
)
TOO_WIDE = kind(
    "aid-too-wide", "A word or a table of a player aid is wider than its column, even with the smallest type."
)
UNFILLED = kind(
    "aid-does-not-fill",
    "A player aid fills fewer pages than it declares, even with the largest type.",
    Severity.WARNING,
)
COARSE = kind(
    "picture-too-coarse", "A picture of a player aid has fewer than 300 dots to the inch at its printed size."
)
NO_GLYPH = kind("glyph-missing", "A player aid has a character that the typeface does not have.")
FAULT = kind("aid-not-printable", "The PDF engine complained of a player aid, so it was not printed.")


@dataclass(frozen=True, slots=True)
class FittedSheet:
    """A sheet with type that fits: one for all of it, or one for each of its `type_areas`.

    `layouts`: how many were needed to find it.
    """

    types: tuple[TypeSpec, ...]
    laid: PagedLayout
    layouts: int

    @property
    def points(self) -> tuple[float, ...]:
        """The sizes of type."""
        return tuple(one.points for one in self.types)


@dataclass(slots=True)
class _TypeSearch:
    """Search for the type of one area: layouts by their place on the grid, sizes first, then air."""

    job: SheetJob
    within: TypeArea
    tried: dict[int, tuple[PagedLayout, list[Overflow], float]] = field(default_factory=dict)
    made: str = ""

    @property
    def plan(self) -> Plan:
        """Plan that the area is tried on, as if it were a sheet of its own."""
        plan = self.job.plan
        pages = plan.pages if self.within.side is None else 1
        return replace(plan, paper=paper_in(self.job, self.within), pages=pages, fold="none")

    @property
    def sizes(self) -> int:
        """The place of the largest type."""
        return int((self.job.plan.largest - self.job.plan.smallest) / GRID + 1e-6)

    @property
    def most(self) -> int:
        return self.sizes + AIRS

    def type(self, at: int) -> TypeSpec:
        size = round(self.job.plan.smallest + min(at, self.sizes) * GRID, 3)
        return TypeSpec(size, max(0, at - self.sizes) / AIRS)

    def fits(self, at: int) -> bool:
        return not self.try_out(at)[1]

    def try_out(self, at: int) -> tuple[PagedLayout, list[Overflow], float]:
        """Lay the area out once; return the layout, its overflows and its fullness."""
        if at not in self.tried:
            self.made = self.made or html(self.job, self.within)
            css = styles(self.job, [self.type(at)], self.within)
            laid = lay_out(self.made, css, self.job.files(), self.job.edges)
            over = list(overflow.excess(laid, self.plan, self.within.words))
            self.tried[at] = laid, over, overflow.fullness(laid, self.plan)
        return self.tried[at]

    def largest(self) -> int | None:
        """Find the largest place on the grid that fits; None where none does."""
        if self.fits(self.most):
            return self.calm(self.most)
        low, high = -1, self.most  # the one fits or is none at all, the other does not
        while high - low > 1:
            at = max(low + 1, min(high - 1, self.reckoned(low, high)))
            low, high = (at, high) if self.fits(at) else (low, at)
        return self.calm(low) if low >= 0 else None

    def calm(self, at: int) -> int:
        """Take away air again where air has pushed an unsplittable block out of a column."""
        holes: dict[int, float] = {}
        for one in dict.fromkeys((*range(at, self.sizes, -AIRS // 5), min(at, self.sizes))):
            holes[one] = overflow.hole(self.try_out(one)[0], self.plan) if self.fits(one) else 1.0
            if holes[one] < HOLE:
                break
        return min(holes, key=lambda one: (round(holes[one], 1), -one))

    def reckoned(self, low: int, high: int) -> int:
        """Estimate the place that just fills the area, by the fullness at both ends; else their middle."""
        over = self.try_out(high)[2]
        if over <= AIMED or len(self.tried) > BY_FULLNESS:
            return (low + high) // 2
        if low < 0:
            wanted, share = self.area(high) * AIMED / over, 0.0
        else:
            under = self.try_out(low)[2]
            share = (AIMED - under) / (over - under) if under < AIMED else 0.0
            wanted = self.area(low) + share * (self.area(high) - self.area(low))
        return max((at for at in range(high) if self.area(at) <= wanted), default=0)

    def area(self, at: int) -> float:
        """Relative area that words take: type has width and height, air is a part of that."""
        one = self.type(at)
        return one.points**2 * (1 + AIR_TAKES * one.air)


def fit(job: SheetJob) -> tuple[FittedSheet | None, list[Problem]]:
    """Fit a sheet: return it with its type, or None, and its problems."""
    searches = [_TypeSearch(job, area) for area in type_areas(job)]
    found = [search.largest() for search in searches]
    problems: list[Problem] = []
    for search, at in zip(searches, found, strict=True):
        if at is None:
            laid, over, _ = search.try_out(0)
            problems += [*_unprintable(laid, job), *_overflows(over, job)]
    if problems:
        return None, problems
    sizes = [at or 0 for at in found]
    layouts = sum(len(search.tried) for search in searches)
    made = html(job)
    while True:  # areas that fit alone fit together; should the engine differ, smaller type mends it
        types = tuple(search.type(at) for search, at in zip(searches, sizes, strict=True))
        laid = lay_out(made, styles(job, types), job.files(), job.edges)
        over, layouts = list(overflow.excess(laid, job.plan)), layouts + 1
        if not over or not any(sizes):
            break
        sizes = [max(0, at - 1) for at in sizes]
    problems = [*_unprintable(laid, job), *_overflows(over, job), *_coarse(laid, job)]
    if not over and laid.pages < job.plan.pages:
        problems.append(_unfilled(laid, job))
    if any(problem.severity is Severity.ERROR for problem in problems):
        return None, problems
    laid.balance_columns()
    return FittedSheet(types, laid, layouts), problems


def _overflows(found: list[Overflow], job: SheetJob) -> list[Problem]:
    """Problems of what overflows, in order; of several words too long in one block only the first."""
    problems: dict[tuple[str, str], Problem] = {}
    for one in found:
        place = _place(one.block, job)
        size = f"even with type of {job.plan.smallest:g} pt"
        if one.what == "wide":
            message = f"{one.words} is {one.by:.1f} mm wider than its column, {size}; give the sheet fewer "
            message += (
                "columns or wider paper, let the block stand across all columns (`wide: yes`), or shorten it"
            )
            problem = TOO_WIDE.at(place, message, one.words)
        elif one.what == "tall":
            message = (
                f"{one.words} is taller than a column, {size}; let it be split (`split: yes`), or give it "
            )
            message += "larger paper"
            problem = OVERFLOWS.at(place, message, one.words)
        else:
            message = (
                f"{one.words} runs {one.by:.0f} mm ({one.lines} lines) over {one.over}, {size}; give the "
            )
            message += "sheet more pages or larger paper, allow smaller type, or take blocks out"
            problem = OVERFLOWS.at(place, message, one.words)
        problems.setdefault((problem.code, str(place)), problem)
    return list(problems.values())


def _unprintable(laid: PagedLayout, job: SheetJob) -> list[Problem]:
    """Characters without a glyph, and whatever the engine complained of."""
    problems = []
    for character, box in laid.glyphs_missing():
        words = " ".join(box.words.split())
        message = f"the typeface has no {overflow.named(character)}, in “{words}”; write it another way"
        problems.append(NO_GLYPH.at(_place(box.within("block"), job), message, character))
    for fault in dict.fromkeys(laid.faults):
        message = f"the PDF engine says of this sheet: {fault}; mend what it names, or report it"
        problems.append(FAULT.at(job.sheet.aid.title.place, message, fault))
    return problems


def _coarse(laid: PagedLayout, job: SheetJob) -> Iterator[Problem]:
    """Photographs with fewer dots to the inch than are printed."""
    held = {str(part.block.sort.place): part.block for panel in job.panels for part in panel.parts}
    for box in laid.boxes():
        block = held.get(box.within("block"))
        if box.tag != "img" or not box.width or not block or not block.picture:
            continue
        name = picture_of(block.picture)
        size = pixels(name, job.pictures.get(name, b""))
        wanted = ceil(box.width / 25.4 * SHARP)
        if size and size[0] < wanted:
            message = (
                f"{block.picture.file} is {size[0]} pixels wide; printed {box.width:.0f} mm wide that is "
            )
            message += (
                f"{size[0] / box.width * 25.4:.0f} dots to the inch of {SHARP}; give it {wanted} pixels, "
            )
            message += "draw it as SVG, or let it stand in a narrower column"
            yield COARSE.at(block.picture.file.place, message, name)


def _unfilled(laid: PagedLayout, job: SheetJob) -> Problem:
    place = (job.sheet.aid.pages or job.sheet.aid.sides or job.sheet.aid.title).place
    message = (
        f"it fills {laid.pages} of its {job.plan.pages} pages, even with type of {job.plan.largest:g} pt; "
    )
    message += "give it fewer pages or larger type, or begin a block on a new page (`starts: page`)"
    return UNFILLED.at(place, message, job.sheet.name)


def _place(written: str, job: SheetJob) -> Place:
    """The place that a block's element bears; the sheet's title where it has none."""
    file, _, rest = written.partition(":")
    line, _, column = rest.partition(":")
    return Place(file, int(line), int(column)) if rest else job.sheet.aid.title.place
