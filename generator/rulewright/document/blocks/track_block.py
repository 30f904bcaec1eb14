"""Block with a track of boxes: turns with their dates, points, holding boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from rulewright.document.blocks.block_content import BlockContent, BlockContext
from rulewright.files import limits
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, problem_type, quote_short
from rulewright.files.safe_integers import parse_int
from rulewright.schema.aid import Block
from rulewright.schema.aid_blocks import TrackBlock, TrackMark

MALFORMED = problem_type(
    "track-malformed", "The boxes of a track, its first date or the time per box cannot be read."
)
NO_BOX = problem_type("track-box-not-found", "A mark is in a box that its track does not have.")

_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_MONTHS = {"month": 1, "season": 3, "quarter": 3, "year": 12}
_TIME = re.compile(rf"(?:(?:an? |one )|(\d{{1,3}})[ -])?({'|'.join([*_DAYS, *_MONTHS])})s?")
_RANGE = re.compile(r"(\d{1,9}) ?[-–] ?(\d{1,9})")


@dataclass(frozen=True, slots=True)
class TrackBox:
    """A numbered or named space of a track."""

    name: str
    date: str
    """The date on which the box begins."""
    marks: tuple[TrackMark, ...]


@dataclass(frozen=True, slots=True)
class TrackContent(BlockContent):
    """The boxes of the track, from the first to the last."""

    content_attributes = ("boxes",)
    nothing = ""
    wide = True

    boxes: tuple[TrackBox, ...] = ()

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        spec = block.track
        assert spec
        names = list(box_names(spec.boxes))
        marks: dict[int, list[TrackMark]] = {}
        for mark in spec.marks:
            positions = (position for place in mark.at for position in _positions(place, names))
            for position in dict.fromkeys(positions):
                marks.setdefault(position, []).append(mark)
        dates = _dates(spec, len(names)) or [""] * len(names)
        boxes = (
            TrackBox(name, day, tuple(marks.get(position, ())))
            for position, (name, day) in enumerate(zip(names, dates, strict=True))
        )
        return cls(block, boxes=tuple(boxes))

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Yield the problems of the boxes, the dates and the marks."""
        spec, names, fault = self.yaml_value, [box.name for box in self.boxes], None
        if not names:
            fault = spec.boxes[0], f"write 12, 0-20 or names, at most {limits.LIST.maximum}"
        elif spec.each and not _TIME.fullmatch(spec.each.lower()):
            fault = spec.each, "write a day, 3 days, a week, 2 months"
        elif (spec.begins or spec.each) and not _dates(spec, len(names)):
            fault = spec.begins or spec.each, "write begins: and the first date; the last is in 9999 at most"
        if fault:
            message = f"{quote_short(fault[0])} does not make a track; {fault[1]}"
            yield MALFORMED.problem(fault[0], message, context.sheet.name)
        for place in (place for mark in spec.marks for place in mark.at if names):
            if not _positions(place, names):
                message = f"no box {quote_short(place)}; the track goes from {names[0]} to {names[-1]}"
                yield NO_BOX.problem(place, message, context.sheet.name)


def box_names(texts: Sequence[LocatedText]) -> Iterator[str]:
    """Yield the names of boxes: those listed, or the numbers of `12` or `0-20`."""
    if len(texts) > 1:
        yield from map(str, texts)
    elif texts:
        ends = _RANGE.fullmatch(texts[0].strip())
        first, last = (int(ends[1]), int(ends[2])) if ends else (1, parse_int(texts[0]) or 0)
        if last - first < limits.LIST.maximum:
            yield from map(str, range(first, last + 1))


def _positions(place: str, names: Sequence[str]) -> range:
    """Return the positions of the boxes of a name, a number or a range; empty if a box is missing.

    If the boxes have names instead of numbers, a number counts from the first box.
    """
    ends = None if place in names else _RANGE.fullmatch(place.strip())
    positions = []
    for label in ends.groups() if ends else (place.strip(),):
        if label in names:
            positions.append(names.index(label))
        elif not names[0].isdecimal() and 0 < (parse_int(label) or 0) <= len(names):
            positions.append(int(label) - 1)
        else:
            return range(0)
    return range(positions[0], positions[-1] + 1)


def _dates(spec: TrackBlock, count: int) -> list[str]:
    """Return the date of each box, with the year where it changes; empty if a date is missing or invalid."""
    time = _TIME.fullmatch((spec.each or "week").lower())
    if not time or not spec.begins:
        return []
    number, unit = int(time[1] or 1), time[2]
    months, texts, year = number * _MONTHS.get(unit, 0), list[str](), 0
    try:
        first = date.fromisoformat(spec.begins)
        for position in range(count):
            begins = first + timedelta(position * number * _DAYS.get(unit, 0))
            if months:
                years, month = divmod(first.month - 1 + position * months, 12)
                begins = first.replace(year=first.year + years, month=month + 1, day=1)
            text = f"{begins:%b}" if months else f"{begins.day} {begins:%b}"
            texts.append(text if begins.year == year else f"{text} {begins.year}")
            year = begins.year
    except (ValueError, OverflowError):
        return []
    return texts
