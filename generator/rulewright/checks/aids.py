"""Checks of player aids: that all they name is there, and that no block is empty."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book import roles
from rulewright.book.presswork import INK
from rulewright.book.sheet import Sheet
from rulewright.checks.pictures import NO_SYMBOL, fault_of
from rulewright.checks.shades import malformed
from rulewright.checks.steps import NO_SIDE
from rulewright.checks.tables import NO_TABLE
from rulewright.citations.blocks import parts
from rulewright.citations.blocks.part import EMPTY, NO_STEP, Making, Part, near_step
from rulewright.citations.shelf import Shelf
from rulewright.model.aid import ALL
from rulewright.model.keys import marked
from rulewright.model.rulebook import Rulebook
from rulewright.source.problems import Problem, did_you_mean, kind, nearest, shown
from rulewright.source.text import Text

SAME_TITLE = kind(
    "aid-title-taken", "Two player aids of an edition have one title, so that nobody can tell them apart."
)
NO_PROFILE = kind(
    "profile-not-found", "The profile of the press that an aid names is not there, or is no .icc file."
)
PROFILES = (".icc", ".icm")
MANY_STEPS = kind(
    "step-ambiguous", "A player aid names a step by a title that several have. Give the one meant an `id:`."
)


def titles(shelf: Shelf) -> Iterator[Problem]:
    """Player aids of the same title, and profiles of the press that are not there."""
    for sheets in shelf.sheets.values():
        first: dict[str, Sheet] = {}
        for sheet in sheets:
            title = sheet.aid.title
            other = first.setdefault(title.casefold(), sheet)
            if other is not sheet:
                message = (
                    f"{other.aid.title.file.name} has the title {shown(other.aid.title)}; choose another"
                )
                yield SAME_TITLE.at(title.place, message, sheet.name)
            actors = [*sheet.edition.book.sides, *sheet.edition.book.roles]
            for name in (name for name in sheet.aid.inks if name not in actors):
                message = f"{shown(name)} is neither a side nor a role that has a colour"
                yield name.missing(INK, message, actors, sheet.name)
            profile = sheet.aid.profile
            if profile and (
                fault := fault_of(profile, profile.file.name, sheet.edition, "profile", PROFILES)
            ):
                yield NO_PROFILE.at(profile.place, fault[1], sheet.name)


def blocks(shelf: Shelf) -> Iterator[Problem]:
    """Report names in blocks that lead nowhere, and blocks that show nothing though their names lead on."""
    for sheets in shelf.sheets.values():
        for sheet in sheets:
            making = Making(sheet, shelf)
            for part in (part for panel in parts(sheet, shelf) for part in panel.parts):
                found = [*_names(part, making), *part.faults(making)]
                found += [fault for one in part.inside for fault in one.faults(making)]
                for one in () if found else (part, *part.inside):
                    found += _emptiness(one, making)
                yield from found


def _names(part: Part, making: Making) -> Iterator[Problem]:
    edition = making.outline.edition
    for text, _ in marked(part.block, "colour"):
        yield from malformed(text, making.sheet.name)
    for name, f in marked(part.block, "names"):
        named = f.metadata["names"]
        if named == "step" and making.played.steps:
            yield from _step(name, making)
        elif named == "table" and name != ALL and not making.shelf.table(edition, name):
            yield NO_TABLE.at(name.place, f"no table {shown(name)}{_near_table(name, making)}", name)
        elif named in ("counter", "counters", "sign", "actor"):
            yield from _drawn(name, named, edition.book)
        elif named == "picture" and (fault := fault_of(name, name.file.name, edition)):
            yield fault[0].at(name.place, fault[1], name)


def _drawn(name: Text, named: str, book: Rulebook) -> Iterator[Problem]:
    from rulewright.book import shapes  # late: few aids show what is drawn
    from rulewright.checks.drawn import NO_COUNTER
    from rulewright.citations.blocks.counters import named as counters_of

    actors = [*book.sides, *book.roles]
    if named == "actor" and name not in (*actors, *roles.ROLES):
        yield name.missing(NO_SIDE, f"{shown(name)} is neither a side nor a role", actors, name)
    elif named == "sign" and not shapes.sign(name, book):
        yield name.missing(NO_SYMBOL, f"there is no symbol {shown(name)}", shapes.sign_names(book), name)
    elif (named == "counter" and not shapes.counter(name, book)) or (
        named == "counters" and name not in book.sides and not counters_of(name, book.counters)
    ):
        known = [*book.counters, *(book.sides if named == "counters" else ())]
        yield name.missing(NO_COUNTER, f"there is no counter {shown(name)}", known, name)


def _step(of: Text, making: Making) -> Iterator[Problem]:
    found = making.called(of)
    if not found:
        near = near_step(of, making.played.every_step())
        yield NO_STEP.at(of.place, f"no step {shown(of)}{near}", of)
    elif len(found) > 1:
        lines = ", ".join(str(step.step.title.place.line) for step in found[:-1])
        last = found[-1].step.title
        where = f"lines {lines} and {last.place.line} of {last.file.name}"
        yield MANY_STEPS.at(
            of.place, f"{len(found)} steps are called {shown(of)}; name it by its `id:`, see {where}", of
        )


def _near_table(name: str, making: Making) -> str:
    edition = making.outline.edition
    tables = [table for one in edition.around for table in making.shelf.tables.get(one.address, ())]
    if not tables:
        return f"; {edition.short} has no tables"
    names = [(str(word), one) for one in tables for word in (one.anchor, one.table.title)]
    near = nearest(name, dict(names))
    return f"; did you mean {shown(near)}?" if near else did_you_mean(name, [one.anchor for one in tables])


def _emptiness(part: Part, making: Making) -> Iterator[Problem]:
    if part.is_empty and (why := part.why_empty(making.played)):
        if part.plays and not making.played.steps:
            why = f"{making.played.edition.short} has no sequence of play"
        yield EMPTY.at(part.block.sort.place, why, making.sheet.name)
