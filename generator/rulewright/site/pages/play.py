"""The page on which a turn is played stop by stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulewright.book.outline import Entry, Outline
from rulewright.book.sequence import TOP
from rulewright.book.tables import TableEntry
from rulewright.citations.turn import Stop, walk
from rulewright.model.dice import Dice, dice
from rulewright.model.keys import texts_of
from rulewright.site.artifacts import Page, Section
from rulewright.site.context import Desk
from rulewright.site.pages.page import page
from rulewright.site.pages.sequence import acting
from rulewright.text.document import plain


@dataclass(frozen=True, slots=True)
class Rolls:
    """Rolls at a stop: on `tables`, or `thrown` alone where it names dice and no table."""

    tables: tuple[TableEntry, ...] = ()
    thrown: Dice | None = None


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The page on which a turn is played; without a script it is the list of its stops."""
    edition = outline.edition
    assert edition.sequence
    walked = walk(outline)
    rolls = {stop: _rolls(stop, desk) for stop in walked.every_stop() if not stop.is_round}
    shown = list(_each(table for one in rolls.values() for table in one.tables))
    tables = desk.shelf.tables[edition.address]
    weather = [
        next((stop for stop in walked.every_stop() if _is_weather(stop.step.title)), None),
        *(table for table in tables if _is_weather(table.table.title)),
    ]
    told = dict.fromkeys(stop.entry for stop in walked.every_stop() if stop.step.narrative)
    own = {
        "told": list(told),
        "walk": walked,
        "rolls": rolls,
        "swaps": walked.swaps(outline),
        "shown": shown,
        "weather": list(filter(None, weather)),
    }
    own |= acting(outline)
    place = edition.sequence.title.place
    sections = [Section(TOP, "Play a turn")]
    yield page(desk, "play", f"{edition.address}/play", place, sections, **{**given, **own})


def _is_weather(title: str) -> bool:
    return "weather" in plain(title).lower()


def _rolls(stop: Stop, desk: Desk) -> Rolls:
    tables = tuple(dict.fromkeys(_tables(stop, desk)))
    words = (stop.step.rolls or "").split()
    return Rolls(tables, None if tables else next(filter(None, map(dice, words)), None))


def _tables(stop: Stop, desk: Desk) -> Iterator[TableEntry]:
    """The tables that a step uses or names, and those in the rules that it cites."""
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
