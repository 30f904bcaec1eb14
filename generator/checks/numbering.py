"""Checks of rule numbers: that they can be read, are given once, and stand where they say they stand."""

from __future__ import annotations

from collections.abc import Iterator

from generator.citations import Shelf
from generator.model import Rule
from generator.outline import Entry, Outline
from generator.problems import Problem, Severity, kind
from generator.source import Text

MALFORMED = kind("label-malformed", "A rule's number is not written as rulebook.yml says this book writes them.")
DUPLICATE = kind("duplicate-number", "Two rules have the same number, so that a reference cannot tell them apart.")
OUTSIDE = kind("number-outside-parent", "A rule stands inside another rule that its number does not belong to.")
DISORDER = kind("number-out-of-order", "A rule stands behind a rule that its number comes before.")
GAP = kind(
    "number-gap",
    "A number is left out between two rules. If the printed book has no such rule, excuse it in edition.yml.",
    Severity.WARNING,
)


def labels(shelf: Shelf) -> Iterator[Problem]:
    """Numbers that the book's dialect cannot read."""
    for outline in shelf.outlines.values():
        for number in _every_label(outline):
            if outline.edition.dialect.parse(number, outline.home) is None:
                example = outline.edition.book.numbers[0]
                message = f"{number} is not a number as this book writes them, like {example}{_readable(number, outline)}"
                yield MALFORMED.at(number.place, message, number)


def _every_label(outline: Outline) -> Iterator[Text]:
    for chapter in outline.edition.chapters:
        yield from _numbers_in(chapter)
    for listed in outline.edition.known.known if outline.edition.known else ():
        yield listed.number


def _numbers_in(rule: Rule) -> Iterator[Text]:
    yield rule.number
    for inner in rule.rules:
        yield from _numbers_in(inner)


def _readable(label: str, outline: Outline) -> str:
    """The longest part of a malformed number that can be read, as a proposal."""
    for length in range(len(label) - 1, 0, -1):
        if number := outline.edition.dialect.parse(label[:length], outline.home):
            return f"; did you mean {number.key}?"
    return ""


def duplicates(shelf: Shelf) -> Iterator[Problem]:
    """Numbers that are given twice, in the rules or in the list of known numbers."""
    for outline in shelf.outlines.values():
        for rule, first in outline.again:
            message = f"{rule.number} is there already, in {first.printed.place}"
            yield DUPLICATE.at(rule.number.place, message, first.key)
        seen: dict[str, Text] = {}
        for listed in outline.edition.known.known if outline.edition.known else ():
            number = outline.edition.dialect.parse(listed.number)
            if number and number.key in seen:
                message = f"{listed.number} is listed already, in line {seen[number.key].place.line}"
                yield DUPLICATE.at(listed.number.place, message, number.key)
            elif number:
                seen[number.key] = listed.number


def parents(shelf: Shelf) -> Iterator[Problem]:
    """Rules that stand in another rule than their number says."""
    for outline in shelf.outlines.values():
        for entry in outline.entries.values():
            if not entry.transcribed:
                continue
            above = outline.above(entry.number)
            if above is entry.parent:
                continue
            where = f"stands in {entry.parent.key}" if entry.parent else "stands as a chapter"
            home = above.key if above else "no chapter of this book"
            yield OUTSIDE.at(entry.printed.place, f"{entry.key} {where}; it belongs in {home}", entry.key)


def order(shelf: Shelf) -> Iterator[Problem]:
    """Rules that stand behind a higher number, and numbers left out between two rules."""
    for outline in shelf.outlines.values():
        complete = outline.edition.known is not None and outline.edition.known.lists == "everything"
        for siblings in (outline.chapters, *(entry.children for entry in outline.entries.values())):
            yield from _disorder(siblings)
            yield from _gaps(siblings, outline, complete)


def _disorder(siblings: list[Entry]) -> Iterator[Problem]:
    for before, entry in zip(siblings, siblings[1:], strict=False):
        if entry.number.ordinals < before.number.ordinals:
            yield DISORDER.at(entry.printed.place, f"{entry.key} stands behind {before.key}", entry.key)


def _gaps(siblings: list[Entry], outline: Outline, complete: bool) -> Iterator[Problem]:
    """Gaps in one row of siblings. Numbers that are merely listed say nothing about those between them."""
    last: dict[tuple[int, ...], Entry] = {}
    for entry in siblings:
        *row, count = entry.number.ordinals
        before = last.get(tuple(row))
        last[tuple(row)] = entry
        if not complete and not (entry.transcribed and (before is None or before.transcribed) and row):
            continue
        expected = before.number.ordinals[-1] + 1 if before else min(count, 1)
        missing = outline.edition.dialect.sibling(entry.number, expected)
        if count > expected and missing and missing.key not in outline.entries:
            behind = f"follows {before.key}" if before else "comes first"
            yield GAP.at(entry.printed.place, f"{entry.key} {behind}; {missing.key} is left out", entry.key)
