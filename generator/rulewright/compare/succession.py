"""References of a rulebook.yml, which holds for all editions, as they lead in each edition.

    number ──in the newest edition──► rule ──lineage──► what it is in the edition at hand, or none

A number is read in one edition, the newest of the book whose file it stands in. In every other edition it
means the rule that this one is there, whatever its number.
"""

from __future__ import annotations

from rulewright.book.outline import Entry, Outline
from rulewright.citations.resolving import Resolved
from rulewright.citations.shelf import Shelf
from rulewright.compare.history import Counterpart, Counterparts
from rulewright.source.problems import Severity, kind

NOT_THERE = kind(
    "term-without-rule",
    "A term leads to a rule of the newest edition that another edition does not have, so that it leads "
    "nowhere there. `was:` of the rule says what it was.",
    Severity.NOTE,
)


def followed_on(shelf: Shelf) -> Shelf:
    """The shelf with the references of terms, in editions that are not the newest, as rules of these."""
    counterparts = Counterparts(shelf, ())
    for outline in shelf.outlines.values():
        for text, cites, home in shelf.terms(outline):
            if home and home not in shelf.around(outline):
                found = shelf.resolve(text, home, home.home, cites)
                there = (_there(one, outline, counterparts) for one in found)
                shelf.enter(text, filter(None, there), outline.edition)
    return shelf


def _there(one: Resolved, outline: Outline, counterparts: Counterparts) -> Resolved | None:
    """A reference of the newest edition in another one, None where of that too little is known to tell.

    One that names an edition leads into that from everywhere.
    """
    if one.found.book or not one.target:
        return one
    found = _counterpart(one.target, outline, counterparts)
    if isinstance(found.there, Entry):
        target = found.there
        label = one.found.label or (target.shown if target.shown != one.target.shown else None)
        inside = (_counterpart(entry, outline, counterparts).there for entry in one.inside)
        return one._replace(
            found=one.found._replace(label=label),
            target=target,
            number=target.number,
            inside=tuple(entry for entry in inside if isinstance(entry, Entry)),
        )
    message = f"{one.target} of {one.target.edition.short} is not in {outline.edition.short}"
    message += ", so that this leads nowhere there"
    return Resolved(one.found, number=one.number, fault=NOT_THERE, message=message) if found.sure else None


def _counterpart(entry: Entry, outline: Outline, counterparts: Counterparts) -> Counterpart:
    """Counterpart of a rule in an edition, or in the edition of a series that this one extends."""
    shelf = counterparts.shelf
    book = entry.edition.address.partition("/")[0]
    other = next((o for o in shelf.around(outline) if o.edition.address.partition("/")[0] == book), None)
    if other is None or entry.edition is other.edition:
        return Counterpart(entry)
    return counterparts.of(entry, other)
