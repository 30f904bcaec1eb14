"""Checks of rule numbers: that they can be read, are given once, and stand where they say they stand."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping

from generator.citations import Shelf
from generator.model import Chapter, Rule
from generator.numbers import Number
from generator.outline import Entry, Outline
from generator.problems import File, Problem, Severity, kind, shown
from generator.source import Text

MOST_LETTERS = 40
MOST_LOOKED_FOR = 50

MALFORMED = kind(
    "label-malformed", "A rule's number is not written as rulebook.yml says the book writes them."
)
DUPLICATE = kind("duplicate-number", "Two rules have one number, so that a reference cannot tell them apart.")
OUTSIDE = kind("number-outside-parent", "A rule stands inside a rule that its number does not belong to.")
DISORDER = kind(
    "number-out-of-order", "A rule stands behind one with a higher number, or before a lower one."
)
GAP = kind(
    "number-gap",
    "A number is left out between two rules. If the printed book has no such rule, excuse it in edition.yml.",
    Severity.WARNING,
)


def labels(shelf: Shelf) -> Iterator[Problem]:
    """Numbers that the book's dialect cannot read."""
    for outline in shelf.outlines.values():
        for number, chapter in _every_label(outline):
            if outline.edition.dialect.parse(number, chapter) is None:
                example = outline.edition.book.numbers[0]
                like = f"like {example}{_readable(number, outline, chapter)}"
                message = f"{shown(number)} is no number as this book writes them, {like}"
                yield MALFORMED.at(number.place, message, number)


def _every_label(outline: Outline) -> Iterator[tuple[Text, str]]:
    """Every number as it is written, with the label of the chapter that it stands in."""
    for chapter in outline.edition.chapters:
        number = outline.edition.dialect.parse(chapter.number)
        for label in _numbers_in(chapter):
            yield label, number.labels[0] if number else ""
    for listed in outline.edition.known.known if outline.edition.known else ():
        yield listed.number, ""
    for table in outline.edition.tables:
        if table.number:
            yield table.number, ""


def _numbers_in(rule: Rule) -> Iterator[Text]:
    yield rule.number
    for inner in rule.rules:
        yield from _numbers_in(inner)


def _readable(label: str, outline: Outline, chapter: str) -> str:
    """The longest part of a malformed number that can be read, as a proposal."""
    for length in range(min(len(label), MOST_LETTERS), 0, -1):
        if number := outline.edition.dialect.parse(label[:length], chapter):
            return f"; did you mean {number.key}?"
    return ""


def duplicates(shelf: Shelf) -> Iterator[Problem]:
    """Numbers that are given twice, in the rules or in the list of known numbers."""
    for outline in shelf.outlines.values():
        for rule, first in outline.again:
            message = _taken(rule.number, first.printed, first.number, outline)
            yield DUPLICATE.at(rule.number.place, message, first.key)
        seen: dict[str, Text] = {}
        for listed in outline.edition.known.known if outline.edition.known else ():
            number = outline.edition.dialect.parse(listed.number)
            if number and number.key in seen:
                message = _taken(listed.number, seen[number.key], number, outline)
                yield DUPLICATE.at(listed.number.place, message, number.key)
            elif number:
                seen[number.key] = listed.number


def _taken(again: Text, first: Text, number: Number, outline: Outline) -> str:
    """Says that a number is taken, and which one is free behind it."""
    where = f"in line {first.place.line}" if first.file is again.file else f"in {first.place}"
    behind = outline.edition.dialect.sibling(number, number.ordinals[-1] + 1)
    free = f"; is this {behind.key}?" if behind and behind.key not in outline.entries else ""
    return f"{shown(again)} is there already, {where}{free}"


def parents(shelf: Shelf) -> Iterator[Problem]:
    """Rules that stand in another rule than their number says."""
    for outline in shelf.outlines.values():
        for entry in outline.entries.values():
            fault = _misplaced(entry, outline) if entry.transcribed else ""
            if fault:
                yield OUTSIDE.at(entry.printed.place, f"{entry.key} {fault}", entry.key)


def _misplaced(entry: Entry, outline: Outline) -> str:
    """What is wrong with where a rule stands. A chapter that is none is told once, not for every rule."""
    above = outline.above(entry.number)
    if isinstance(entry.rule, Chapter) and not above and len(entry.number.labels) > 1:
        return "stands as a chapter, but is none; `chapters` in rulebook.yml says how they are written"
    if above is entry.parent or (not above and len(entry.chapter.number.labels) > 1):
        return ""
    stands = f"stands in {entry.parent.key}" if entry.parent else "stands as a chapter"
    return f"{stands}, but {f'belongs in {above.key}' if above else 'lies in no chapter of this book'}"


def order(shelf: Shelf) -> Iterator[Problem]:
    """Rules that stand behind a higher number, and numbers left out between two rules."""
    for outline in shelf.outlines.values():
        unplaced = _unplaced(outline)
        for siblings in (outline.chapters, *(entry.children for entry in outline.entries.values())):
            rows: defaultdict[int, list[Entry]] = defaultdict(list)
            for entry in siblings:
                rows[entry.number.shape].append(entry)
            for row in rows.values():
                kept = _in_order(row)
                yield from _disorder(row, kept)
                yield from _gaps(kept, outline, unplaced)


def _unplaced(outline: Outline) -> dict[File, list[int]]:
    """By file, where numbers stand that have no entry: the one that seems left out may be meant by one."""
    starts = defaultdict(list)
    for number in [rule.number for rule, _ in outline.again]:
        starts[number.file].append(number.start)
    for number, chapter in _every_label(outline):
        if outline.edition.dialect.parse(number, chapter) is None:
            starts[number.file].append(number.start)
    return {file: sorted(places) for file, places in starts.items()}


def _in_order(row: list[Entry]) -> list[Entry]:
    """The most entries of a row that can stay where they are: its longest rising run."""
    ranks = {number: rank for rank, number in enumerate(sorted({entry.number.ordinals for entry in row}))}
    heads: list[int] = []  # the highest number that begins a run of each length, negated
    lengths = [0] * len(row)
    for at in reversed(range(len(row))):
        rank = -ranks[row[at].number.ordinals]
        length = bisect_right(heads, rank)
        heads[length : length + 1] = [rank]
        lengths[at] = length + 1
    kept: list[Entry] = []
    for entry, length in zip(row, lengths, strict=True):
        if length == len(heads) - len(kept) and (
            not kept or entry.number.ordinals >= kept[-1].number.ordinals
        ):
            kept.append(entry)
    return kept


def _disorder(row: list[Entry], kept: list[Entry]) -> Iterator[Problem]:
    """Entries that are out of the order in which the others stand."""
    numbers = [entry.number.ordinals for entry in kept]
    passed = 0
    for entry in row:
        if passed < len(kept) and entry is kept[passed]:
            passed += 1
            continue
        home = bisect_right(numbers, entry.number.ordinals)
        stands = f"behind {kept[passed - 1].key}" if home < passed else f"before {kept[passed].key}"
        belongs = f"behind {kept[home - 1].key}" if home else f"before {kept[0].key}"
        message = f"{entry.key} stands {stands}; it belongs {belongs}"
        yield DISORDER.at(entry.printed.place, message, entry.key)


def _gaps(row: list[Entry], outline: Outline, unplaced: Mapping[File, list[int]]) -> Iterator[Problem]:
    """Gaps in a row in order. A list of cited numbers says nothing about those between them."""
    known = outline.edition.known
    everything = known is not None and known.lists == "everything"
    last: dict[tuple[int, ...], Entry] = {}
    for entry in row:
        *above, count = entry.number.ordinals
        before = last.get(tuple(above))
        last[tuple(above)] = entry
        both = entry.transcribed and (before.transcribed if before else known is None) and above
        if not (everything or both) or (before and _stands_between(before.printed, entry.printed, unplaced)):
            continue
        expected = before.number.ordinals[-1] + 1 if before else min(count, 1)
        missing = _missing(entry.number, expected, outline)
        if missing:
            behind = f"follows {before.key}" if before else "comes first"
            message = f"{entry.key} {behind}; {_listed(missing)} left out"
            yield GAP.at(entry.printed.place, message, missing[0])


def _stands_between(before: Text, behind: Text, unplaced: Mapping[File, list[int]]) -> bool:
    """Whether a number without an entry stands between two others."""
    starts = unplaced.get(before.file, []) if before.file is behind.file else []
    return bisect_right(starts, before.start) < bisect_right(starts, behind.start)


def _listed(keys: list[str]) -> str:
    return (
        f"{keys[0]} is" if len(keys) == 1 else f"{keys[0]} {'and' if len(keys) == 2 else 'to'} {keys[-1]} are"
    )


def _missing(number: Number, expected: int, outline: Outline) -> list[str]:
    """The numbers that the book does not have, from `expected` to `number`: the first ones, and the last."""
    dialect, end = outline.edition.dialect, number.ordinals[-1]
    counts = [*range(expected, min(end, expected + MOST_LOOKED_FOR)), *([end - 1] if end > expected else [])]
    between = (dialect.sibling(number, count) for count in dict.fromkeys(counts))
    return [one.key for one in between if one and one.key not in outline.entries]
