"""Pages of the sequence of play of an edition: as an outline, in words, and to be played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulewright.book import roles
from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import TOP
from rulewright.book.tables import TableEntry
from rulewright.citations.turn import Stop, walk
from rulewright.model.dice import Dice, dice
from rulewright.model.keys import texts_of
from rulewright.site.artifacts import Page, Section
from rulewright.site.context import Desk
from rulewright.site.pages import sections
from rulewright.site.pages.page import Given
from rulewright.text.document import plain


def sequence(given: Given) -> Iterator[Page]:
    """The page of the sequence of play."""
    outline = given.outline
    assert outline.edition.sequence
    path, name = f"{outline.edition.address}/sequence", outline.edition.sequence.title
    within = partial(sections.of_sequence, outline)
    yield given.page("sequence", path, plain(name), name.place, partial(acting, outline), within)


def acting(outline: Outline) -> dict[str, Any]:
    """Everyone who acts in a turn, and those who fight, for the legend of the page."""
    return {"everyone": roles.everyone(outline), "fighters": roles.everyone(outline, combat=True)}


def narrative(given: Given) -> Iterator[Page]:
    """The page with the steps that are told in words."""
    outline = given.outline
    assert outline.edition.sequence
    path, place = f"{outline.edition.address}/narrative", outline.edition.sequence.title.place
    told = outline.told
    within = partial(sections.of_narrative, outline, told)
    yield given.page("narrative", path, "Narrative", place, lambda: {"told": told}, within)


@dataclass(frozen=True, slots=True)
class Rolls:
    """Tables of a stop, and the dice that are `thrown` where it names some that it has no table for."""

    tables: tuple[TableEntry, ...] = ()
    thrown: Dice | None = None


def play(given: Given) -> Iterator[Page]:
    """The page on which a turn is played; without a script it is the list of its stops."""
    edition, title = given.edition, "Play a turn"
    assert edition.sequence
    path, place = f"{edition.address}/play", edition.sequence.title.place
    yield given.page("play", path, title, place, partial(_played, given), lambda: [Section(TOP, title)])


def _played(given: Given) -> dict[str, Any]:
    desk, outline = given.desk, given.outline
    walked = walk(outline)
    rolls = {stop: _rolls(stop, desk) for stop in walked.every_stop() if not stop.is_round}
    shown = list(_each(table for one in rolls.values() for table in one.tables))
    weather = [
        next((stop for stop in walked.every_stop() if _is_weather(stop.step.title)), None),
        *(table for table in given.tables if _is_weather(table.table.title)),
    ]
    told = dict.fromkeys(stop.entry for stop in walked.every_stop() if stop.step.narrative)
    return {
        "told": list(told),
        "walk": walked,
        "rolls": rolls,
        "swaps": walked.swaps(outline),
        "shown": shown,
        "weather": list(filter(None, weather)),
        **acting(outline),
    }


def _is_weather(title: str) -> bool:
    return "weather" in plain(title).lower()


def _rolls(stop: Stop, desk: Desk) -> Rolls:
    tables = tuple(dict.fromkeys(_tables(stop, desk)))
    thrown = next(filter(None, map(dice, (stop.step.rolls or "").split())), None)
    rolled = [
        dice(str(grid.roll)) for one in tables for grid in (one.table, one.table.then) if grid and grid.roll
    ]
    return Rolls(tables, None if thrown in rolled else thrown)


def _tables(stop: Stop, desk: Desk) -> Iterator[TableEntry]:
    yield from filter(None, (desk.shelf.table(stop.entry.edition, name) for name in stop.step.uses))
    for text, cites in texts_of(stop.step):
        for one in desk.shelf.references(text):
            rules: Iterable[Entry] = one.target.walk() if cites and one.target else filter(None, [one.target])
            yield from (desk.tables[rule] for rule in rules if rule in desk.tables)


def _each(tables: Iterable[TableEntry]) -> Iterator[TableEntry]:
    """Each table once. Of two editions' tables of one number the page has room for the first."""
    taken: set[str] = set()
    for table in tables:
        if table.anchor not in taken:
            taken.add(table.anchor)
            yield table
