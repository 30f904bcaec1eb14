"""The fit: the largest type with which a sheet fills the pages that it declares, or which block overflows.

    Job ──html, lay_out──► Laid ──measured──► fits? ──next size──► … ──► Fitted, or problems

Sizes stand on a grid, and the search goes by what it measures alone, so that the same sheet always gets the
same size. Columns are balanced in every layout: the engine does so at no cost, and only on the last page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from generator import measure
from generator.aids import Job, html, styles
from generator.imposition import sides
from generator.measure import Excess
from generator.printer import Laid, lay_out
from generator.problems import Place, Problem, Severity, kind
from generator.sheet import Plan

GRID = 0.05
"""The step from one size of type to the next, in points."""

NEAR = 6
"""How many steps around a first guess the right size mostly lies."""

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
NO_GLYPH = kind("glyph-missing", "A player aid has a character that the typeface does not have.")
FAULT = kind("aid-not-printable", "The PDF engine complained of a player aid, so it was not printed.")


@dataclass(frozen=True, slots=True)
class Fitted:
    """A sheet with type that fits. `points`: one size, or one for each side if each fills a page of its own.

    `layouts`: how many were needed to find it.
    """

    points: tuple[float, ...]
    laid: Laid
    layouts: int


@dataclass(slots=True)
class _Search:
    """Layouts of a job, or of one side of it, by their place on the grid of sizes."""

    job: Job
    plan: Plan
    only: int | None = None
    tried: dict[int, tuple[Laid, list[Excess]]] = field(default_factory=dict)

    @property
    def most(self) -> int:
        return int((self.plan.largest - self.plan.smallest) / GRID + 1e-6)

    def points(self, at: int) -> float:
        return round(self.plan.smallest + at * GRID, 3)

    def fits(self, at: int) -> bool:
        return not self.try_out(at)[1]

    def try_out(self, at: int) -> tuple[Laid, list[Excess]]:
        if at not in self.tried:
            made = html(self.job, [self.points(at)], trial=True, only=self.only)
            laid = lay_out(made, styles(), self.job.files(), self.job.edges)
            self.tried[at] = laid, list(measure.excess(laid, self.plan))
        return self.tried[at]

    def largest(self) -> int | None:
        """The largest size that fits; None where none does."""
        if self.fits(self.most):
            return self.most
        low, high = -1, self.most  # the one fits or is none at all, the other does not
        guess = self.guess()
        for at in (guess, guess + (NEAR if self.fits(guess) else -NEAR)):
            at = max(low + 1, min(high - 1, at))
            if low < at < high:
                low, high = (at, high) if self.fits(at) else (low, at)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.fits(middle) else (low, middle)
        return low if low >= 0 else None

    def guess(self) -> int:
        """About where the size must lie, from how much room the largest takes: words fill an area."""
        laid, _ = self.try_out(self.most)
        room = measure.fullness(laid, self.plan)
        points = self.points(self.most) / max(room, 1.0) ** 0.5
        return max(0, min(self.most - 1, int((points - self.plan.smallest) / GRID)))


def fit(job: Job, known: Sequence[float] = ()) -> tuple[Fitted | None, list[Problem]]:
    """The sheet at its size, or None and why. `known`: what was found when its content was the same."""
    searches = list(_searches(job))
    if len(known) == len(searches):
        found: list[int | None] = [round((size - job.plan.smallest) / GRID) for size in known]
    else:
        found = [search.largest() for search in searches]
    problems: list[Problem] = []
    for search, at in zip(searches, found, strict=True):
        if at is None:
            laid, over = search.try_out(0)
            problems += [*_unprintable(laid, job), *_overflows(over, job)]
    if problems:
        return None, problems
    sizes = [at or 0 for at in found]
    layouts = sum(len(search.tried) for search in searches)
    while True:  # sides that fit alone fit together; should the engine differ, smaller type mends it
        points = tuple(search.points(at) for search, at in zip(searches, sizes, strict=True))
        laid = lay_out(html(job, points), styles(), job.files(), job.edges)
        over, layouts = list(measure.excess(laid, job.plan)), layouts + 1
        if not over or not any(sizes):
            break
        sizes = [max(0, at - 1) for at in sizes]
    problems = [*_unprintable(laid, job), *_overflows(over, job)]
    if not over and laid.pages < job.plan.pages:
        problems.append(_unfilled(laid, job))
    if any(problem.severity is Severity.ERROR for problem in problems):
        return None, problems
    return Fitted(points, laid, layouts), problems


def _searches(job: Job) -> Iterator[_Search]:
    """One search for the whole sheet, or one for each side where each has just one page."""
    count = len(sides(job.sheet, job.panels, job.plan))
    if job.plan.fold == "none" and count == job.plan.pages:
        yield from (_Search(job, replace(job.plan, pages=1), at) for at in range(count))
    else:
        yield _Search(job, job.plan)


def _overflows(found: list[Excess], job: Job) -> list[Problem]:
    """What does not fit, first the first; of several words that are too long in a block the first."""
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


def _unprintable(laid: Laid, job: Job) -> list[Problem]:
    """Characters without a glyph, and whatever the engine complained of."""
    problems = []
    for character, box in laid.glyphs_missing():
        words = " ".join(box.words.split())
        message = f"the typeface has no {measure.named(character)}, in “{words}”; write it another way"
        problems.append(NO_GLYPH.at(_place(box.within("block"), job), message, character))
    for fault in dict.fromkeys(laid.faults):
        message = f"the PDF engine says of this sheet: {fault}; mend what it names, or report it"
        problems.append(FAULT.at(job.sheet.aid.title.place, message, fault))
    return problems


def _unfilled(laid: Laid, job: Job) -> Problem:
    place = (job.sheet.aid.pages or job.sheet.aid.sides or job.sheet.aid.title).place
    message = (
        f"it fills {laid.pages} of its {job.plan.pages} pages, even with type of {job.plan.largest:g} pt; "
    )
    message += "give it fewer pages or larger type, or begin a block on a new page (`starts: page`)"
    return UNFILLED.at(place, message, job.sheet.name)


def _place(written: str, job: Job) -> Place:
    """The place that a block's element bears; the sheet's title where it has none."""
    file, _, rest = written.partition(":")
    line, _, column = rest.partition(":")
    return Place(file, int(line), int(column)) if rest else job.sheet.aid.title.place
