"""Player aids and their plans: paper, panels, columns and type size.

The plan is computed from the keys of the aid's file; `citations.blocks` finds the content of its blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulewright.book.library import Edition
from rulewright.book.print_requirements import LENGTH, PrintRequirements, read_print_requirements
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, ProblemType, problem_type, quote_short
from rulewright.schema.aid import Aid, Block
from rulewright.schema.paper import PANELS, PAPERS, Paper, fold_positions, parse_paper, parse_points
from rulewright.schema.yaml_fields import reference_texts, walk_parts

PAPER_UNKNOWN = problem_type(
    "paper-unknown", "A paper is neither one of the known sizes nor two lengths: 148 x 210 mm."
)
PANELS_WRONG = problem_type(
    "panels-wrong", "A folded sheet has another number of panels than its fold makes, or one panel twice."
)
TYPE, SMALLEST, LARGEST = 10.0, 9.5, 14.0
"""The usual size of type of an aid, the minimum and the maximum, in points."""

TWO_PAGES_RATIO = 1.6
"""A sheet that is folded once counts as two pages of a paper if it is larger by this factor."""


@dataclass(frozen=True, slots=True)
class AidPlan(PrintRequirements):
    """Plan of a printed aid; `paper` has the orientation in which the aid is read."""

    columns: int = 1
    sides: int = 1
    pages: int = 1
    fold: str = "none"
    panels: tuple[str, ...] = ()
    """Names of the panels of a folded sheet from left to right, outside first; else empty."""
    type: float = TYPE
    """Size of type in points."""

    @property
    def folds(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the positions of the folds in mm from the left edge: outside and inside."""
        return fold_positions(self.fold, self.paper)

    def for_paper(self, paper: Paper) -> AidPlan:
        """Return the plan for another paper, in the same orientation.

        A sheet of two pages that is folded once, such as tabloid, is printed on two of the paper: on A3 for
        A4.
        """
        if (
            self.fold == "bi-fold"
            and self.paper.width * self.paper.height > TWO_PAGES_RATIO * paper.width * paper.height
        ):
            page = paper.turned("portrait" if self.paper.width > self.paper.height else "landscape")
            return replace(self, paper=Paper(f"two of {page.name}", 2 * page.width, page.height))
        landscape = self.paper.width > self.paper.height
        return replace(
            self, paper=paper if paper.orientation else paper.turned("landscape" if landscape else "portrait")
        )


@dataclass(eq=False, slots=True)
class AidSheet:
    """Player aid of an edition."""

    aid: Aid
    edition: Edition
    name: str
    """Name of its file without ending, as used in addresses: `sequence`."""
    plan: AidPlan

    @property
    def key(self) -> str:
        return self.name

    @property
    def address(self) -> str:
        return f"{self.edition.address}/aids/{self.name}"

    def __str__(self) -> str:
        return str(self.aid.title)


def aid_sheets(edition: Edition) -> list[AidSheet]:
    """Return the aids of an edition in order of their files."""
    return [AidSheet(aid, edition, aid_name(aid), plan_aid(aid)[0]) for aid in edition.aids]


def aid_name(aid: Aid) -> str:
    """Return the name of the file of an aid, without ending."""
    return aid.title.file.name.rpartition("/")[2].removesuffix(".yml")


def plan_aid(aid: Aid) -> tuple[AidPlan, list[Problem]]:
    """Plan the paper of an aid; return the problems too. Defaults replace faulty values."""
    reading = _AidPlanner(aid)
    return reading.plan(), reading.problems


def aid_texts(sheet: AidSheet) -> Iterator[tuple[LocatedText, bool]]:
    """Yield the texts of an aid that may hold references, and whether they hold nothing else."""
    for part in walk_parts(sheet.aid):
        yield from reference_texts(part)


def blocks_by_panel(aid: Aid) -> Iterator[tuple[LocatedText | None, list[Block]]]:
    """Yield the blocks of an aid by panel; blocks before the first panel have the panel None."""
    name: LocatedText | None = None
    blocks: list[Block] = []
    for block in aid.blocks:
        if block.panel is None:
            blocks.append(block)
            continue
        if name is not None or blocks:
            yield name, blocks
        name, blocks = block.panel, []
    if name is not None or blocks:
        yield name, blocks


class _AidPlanner:
    def __init__(self, aid: Aid) -> None:
        self.aid = aid
        self.problems: list[Problem] = []

    def plan(self) -> AidPlan:
        aid = self.aid
        fold = str(aid.fold or "none")
        sides = int(aid.sides or (2 if fold != "none" else 1))
        paper = self.paper(str(aid.orientation or ""), folded=fold != "none")
        work, faults = read_print_requirements(aid)
        self.problems += faults
        return AidPlan(
            paper,
            columns=int(aid.columns or 1),
            sides=sides,
            pages=int(aid.pages or sides),
            fold=fold,
            panels=self.panels(fold, sides),
            bleed=work.bleed,
            ink=work.ink,
            inks=work.inks,
            type=self.type(),
        )

    def paper(self, orientation: str, folded: bool) -> Paper:
        """The paper as it lies: a named one in portrait unless another way is asked for, or it is folded."""
        paper_text = self.aid.paper
        paper = parse_paper(paper_text) if paper_text else PAPERS["letter"]
        if paper is None:
            assert paper_text
            names = ", ".join(PAPERS)
            message = f"no paper {quote_short(paper_text)}; write {names}, letter landscape, or two lengths: "
            message += "148 x 210 mm"
            self.report(PAPER_UNKNOWN, paper_text, message)
            paper = PAPERS["letter"]
        way = orientation or paper.orientation or ("landscape" if folded else "")
        return paper.turned(way) if way else paper

    def type(self) -> float:
        text = self.aid.type
        size = parse_points(text) if text else TYPE
        if size is not None and SMALLEST <= size <= LARGEST:
            return size
        assert text
        message = f"{quote_short(text)} is no size of type; write it in points, from {SMALLEST:g} pt to "
        self.report(LENGTH, text, f"{message}{LARGEST:g} pt")
        return TYPE

    def panels(self, fold: str, sides: int) -> tuple[str, ...]:
        if fold == "none":
            return ()
        usual = PANELS[fold][: len(PANELS[fold]) // (1 if sides == 2 else 2)]
        panels = self.aid.panels
        names = tuple(map(str, panels))
        if not names or (len(names) == len(usual) and len(set(names)) == len(names)):
            return names or usual
        twice = next((text for index, text in enumerate(panels) if text in names[:index]), panels[0])
        message = f"a {fold} printed on {'both sides' if sides == 2 else 'one side'} has {len(usual)} panels"
        message += f", each with a name of its own: {', '.join(usual)}"
        self.report(PANELS_WRONG, twice, message)
        return usual

    def report(self, kind: ProblemType, text: LocatedText, message: str) -> None:
        self.problems.append(kind.problem(text.place, message, text))
