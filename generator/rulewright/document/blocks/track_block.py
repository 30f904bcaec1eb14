"""Block with a track of boxes: turns with their dates, points, holding boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import zip_longest

from rulewright.book.outline import Outline
from rulewright.document.blocks.block_content import BlockContent, BlockContext
from rulewright.files import limits
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, did_you_mean, problem_type, quote_short
from rulewright.files.safe_integers import parse_int
from rulewright.schema.aid import Block
from rulewright.schema.aid_blocks import TrackBlock, TrackMark
from rulewright.schema.text_document import plain_text

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
    number: int | None  # the name as a number, if it is one
    date: str = ""  # the date on which the box begins
    marks: tuple[TrackMark, ...] = ()


@dataclass(frozen=True, slots=True)
class TrackContent(BlockContent):
    """The boxes of the track, from the first to the last."""

    content_attributes = ("boxes",)
    wide = True

    boxes: tuple[TrackBox, ...] = ()

    @property
    def words(self) -> Iterator[str]:
        yield from (box.name for box in self.boxes if box.number is None)
        yield from (plain_text(mark.text) for box in self.boxes for mark in box.marks if mark.text)

    @classmethod
    def resolve(cls, block: Block, context: BlockContext) -> BlockContent:
        spec = block.track
        assert spec
        names = list(box_names(spec.boxes))
        dates = list(_dates(spec, len(names)))
        marks: dict[int, list[TrackMark]] = {}
        for mark in spec.marks:
            positions = (position for place in mark.at for position in _positions(place, names))
            for position in dict.fromkeys(positions):
                marks.setdefault(position, []).append(mark)
        boxes = (
            TrackBox(name, parse_int(name), day, tuple(marks.get(position, ())))
            for position, (name, day) in enumerate(zip_longest(names, dates, fillvalue=""))
        )
        return cls(block, boxes=tuple(boxes))

    def empty_message(self, outline: Outline) -> str:
        return ""

    def problems(self, context: BlockContext) -> Iterator[Problem]:
        """Yield the problems of the boxes, the dates and the marks."""
        spec, names = self.yaml_value, [box.name for box in self.boxes]
        if not names:
            message = (
                f"{quote_short(spec.boxes[0])} is not a number of boxes from 1 to {limits.LIST.maximum}; "
                f"write 12, "
            )
            yield MALFORMED.problem(
                spec.boxes[0].place, f"{message}0-20, or a list of names", context.sheet.name
            )
            return
        if spec.each and _time(spec.each) is None:
            message = f"{quote_short(spec.each)} is not a time; write a day, 3 days, a week, 2 months"
            yield MALFORMED.problem(spec.each.place, message, context.sheet.name)
        elif spec.each and not spec.begins:
            message = "a track with `each:` needs a first date; add begins: and that date"
            yield MALFORMED.problem(spec.each.place, message, context.sheet.name)
        elif spec.begins and not list(_dates(spec, len(names))):
            message = f"{quote_short(spec.begins)} is not a date, or the last box is after the year 9999"
            yield MALFORMED.problem(spec.begins.place, message, context.sheet.name)
        for place in (place for mark in spec.marks for place in mark.at):
            if not _positions(place, names):
                message = f"no box {quote_short(place)}; the track goes from {names[0]} to {names[-1]}"
                suggestion = did_you_mean(place, names) if not place[:1].isdecimal() else ""
                yield NO_BOX.problem(place.place, message + suggestion, context.sheet.name)


def box_names(texts: Sequence[LocatedText]) -> Iterator[str]:
    """Yield the names of boxes: those listed, or the numbers of `12` or `0-20`."""
    if len(texts) > 1:
        yield from map(str, texts)
    elif texts:
        ends = _RANGE.fullmatch(texts[0].strip())
        first, last = (int(ends[1]), int(ends[2])) if ends else (1, parse_int(texts[0]) or 0)
        if last - first < limits.LIST.maximum:
            yield from map(str, range(first, last + 1))


def _positions(place: str, names: Sequence[str]) -> range | tuple[int, ...]:
    """Return the positions of the boxes of a name, a number or a range; empty if a box is missing.

    If the boxes have names instead of numbers, a number counts from the first box.
    """
    if place in names:
        return (names.index(place),)
    ends = _RANGE.fullmatch(place.strip())
    parts = (ends[1], ends[2]) if ends else (place.strip(), place.strip())
    is_numbered = names[0].isdecimal() if names else False
    first, last = (_position(part, names, is_numbered) for part in parts)
    return range(first, last + 1) if 0 <= first <= last < len(names) else ()


def _position(name: str, names: Sequence[str], is_numbered: bool) -> int:
    if name in names:
        return names.index(name)
    return -1 if is_numbered else (parse_int(name) or 0) - 1


def _time(text: str) -> tuple[int, int] | None:
    """Parse a time into days and months, of which one is 0; None if it is invalid."""
    match = _TIME.fullmatch(" ".join(text.lower().split()))
    if not match:
        return None
    count = int(match[1] or 1)
    return count * _DAYS.get(match[2], 0), count * _MONTHS.get(match[2], 0)


def _dates(spec: TrackBlock, count: int) -> Iterator[str]:
    """Yield the date of each box, with the year where it changes; nothing if a date is missing or invalid."""
    time = _time(spec.each or "week")
    try:
        first = date.fromisoformat(spec.begins or "")
        days, months = time or (0, 0)
        dates = [_later(first, position * days, position * months) for position in range(count)]
    except (ValueError, OverflowError):
        return
    for position, begins in enumerate(dates):
        day = f"{begins.day} {begins:%b}" if time and time[0] else f"{begins:%b}"
        yield f"{day} {begins.year}" if not position or begins.year != dates[position - 1].year else day


def _later(first: date, days: int, months: int) -> date:
    if not months:
        return first + timedelta(days)
    year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
    return first.replace(year=year, month=month + 1, day=1)
