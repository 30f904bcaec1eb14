"""Print requirements of an aid or a rulebook: bleed and inks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, problem_type, quote_short
from rulewright.files.safe_integers import parse_int
from rulewright.schema.aid import SpotInk
from rulewright.schema.paper import PAPERS, Paper, parse_length

LENGTH = problem_type("length-malformed", "A length is no number with a unit: 3 mm, 1/8 in, 7.5 pt.")
INK = problem_type(
    "ink-malformed",
    "A spot ink has no name of its own, no stand-in of four percentages, or nothing whose colour it is.",
)

OWN_NAMES = ("cyan", "magenta", "yellow", "black", "all", "none")
"""Names that mean something else in a PDF than an ink of one's own."""


class PrintRequest(Protocol):
    """Keys of a file with print requirements."""

    @property
    def bleed(self) -> LocatedText | None: ...
    @property
    def ink(self) -> LocatedText | None: ...
    @property
    def inks(self) -> Mapping[LocatedText, SpotInk]: ...


@dataclass(frozen=True, slots=True)
class PlannedInk:
    """Spot ink."""

    key: str
    """Name in the file."""
    name: str
    cmyk: tuple[float, ...]
    """Substitute in process inks, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class PrintRequirements:
    """Paper and print requirements."""

    paper: Paper = PAPERS["letter"]
    bleed: float = 0.0
    """In mm."""
    ink: str = "colour"
    inks: tuple[PlannedInk, ...] = ()


def read_print_requirements(request: PrintRequest) -> tuple[PrintRequirements, list[Problem]]:
    """Read the print requirements of a file, with their problems; defaults replace faulty values."""
    problems: list[Problem] = []
    return PrintRequirements(
        bleed=_read_bleed(request.bleed, problems),
        ink=str(request.ink or "colour"),
        inks=tuple(_read_inks(request.inks, problems)),
    ), problems


def _read_bleed(text: LocatedText | None, problems: list[Problem]) -> float:
    if text is None:
        return 0.0
    length = parse_length(text)
    if length is None or length > 25.4:
        message = f"{quote_short(text)} is no bleed; write 3 mm or 1/8 in, or 0 for none"
        problems.append(LENGTH.problem(text.place, message, text))
        return 0.0
    return length


def _read_inks(inks: Mapping[LocatedText, SpotInk], problems: list[Problem]) -> Iterator[PlannedInk]:
    for name, ink in inks.items():
        if not isinstance(ink.cmyk, tuple):
            continue  # the reader has reported it
        amounts = [parse_int(text.removesuffix("%").strip()) for text in ink.cmyk]
        if ink.name.strip().casefold() in OWN_NAMES:
            message = f"{quote_short(ink.name)} is one of the process inks or means all of them"
            problems.append(
                INK.problem(ink.name.place, f"{message}; name the ink as the printer knows it", name)
            )
        elif len(amounts) != 4 or not all(amount is not None and 0 <= amount <= 100 for amount in amounts):
            place = (ink.cmyk or (ink.name,))[0].place
            message = f"the stand-in of {quote_short(name)} is not four percentages; write [33, 3, 0, 0]"
            problems.append(INK.problem(place, message, name))
        else:
            yield PlannedInk(name, ink.name, tuple((amount or 0) / 100 for amount in amounts))
