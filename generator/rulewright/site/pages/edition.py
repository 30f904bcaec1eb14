"""The front page of an edition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.book.outline import Entry, Outline
from rulewright.book.remarks import Remark, in_turn
from rulewright.book.tables import Source
from rulewright.citations import addresses
from rulewright.compare.change import QUIET, Kind
from rulewright.compare.edition_changes import Difference
from rulewright.site.artifacts import Page
from rulewright.site.context import Desk
from rulewright.site.pages.page import page

_NEWS = 4
"""How many of the latest errata and changes the page names."""

New = tuple[Source, str, str, str, str, str]
"""A thing that is new, its number and title, where to read of it if not at itself, what is new, when."""


def pages(desk: Desk, outline: Outline, given: Mapping[str, Any]) -> Iterator[Page]:
    """The front page of an edition."""
    edition = outline.edition
    found = [*_errata(desk, given["remarks"], edition.address), *_changes(desk, outline, given["difference"])]
    yield page(desk, "edition", edition.address, edition.file.edition.place, new=found[:_NEWS], **given)


def _errata(desk: Desk, remarks: list[Remark], address: str) -> Iterator[New]:
    """The errata of an edition, each at the first thing that it is of: the latest first, behind them those
    that do not hold.
    """
    dated = [one for one in remarks if one.erratum and desk.things.get(one)]
    dated.sort(key=lambda one: in_turn(one.erratum) if one.erratum else (), reverse=True)
    for one in sorted(dated, key=lambda one: not one.holds):
        page, anchor = addresses.of(one)
        href = addresses.relative(address, page, anchor)
        thing = desk.things[one][0]
        assert one.erratum
        status = one.erratum.status if not one.erratum.is_official else one.is_ahead and "not yet in force"
        told = f"{one.name}, {status}" if status else one.name
        yield thing, *_called(desk, thing), href, told, str(one.erratum.date)


def _changes(desk: Desk, outline: Outline, difference: Difference | None) -> Iterator[New]:
    """The rules of which something is certain to have changed, those that are new first."""
    name = outline.edition.file.edition
    changes = difference.rules if difference else ()
    certain = [one for one in changes if one.is_told and one.is_certain]
    for one in sorted(certain, key=lambda one: Kind.ADDED not in one.kinds):
        entry = one.new
        if entry and entry.title:
            told = ", ".join(kind for kind in one.kinds if kind not in QUIET).capitalize()
            kinds = "New" if Kind.ADDED in one.kinds else told
            yield entry, *_called(desk, entry), "", f"{kinds} in edition {name}", ""


def _called(desk: Desk, thing: Source) -> tuple[str, str]:
    """The number of a rule, if it is one, and what the thing is called."""
    if not isinstance(thing, Entry):
        return "", desk.name(thing)
    return thing.printed, desk.name(thing).removeprefix(thing.shown).strip() or desk.name(thing)
