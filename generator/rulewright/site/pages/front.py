"""The front page of an edition, and pages of what stands beside its rules: errata, changes, its series."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulewright.book.outline import Entry, Outline
from rulewright.book.remarks import Remark, in_turn
from rulewright.book.sequence import TOP
from rulewright.book.tables import Source
from rulewright.citations import addresses
from rulewright.citations.overrides import Override
from rulewright.compare.change import QUIET, Kind, RuleChange
from rulewright.compare.edition_changes import BY_NAME, SAME, Difference, by_chapter, by_phase, tallied
from rulewright.model.erratum import COMPONENTS, SEVERITIES
from rulewright.site.artifacts import Page, Section
from rulewright.site.context import Desk
from rulewright.site.pages.page import Given
from rulewright.text.document import plain

_NEWS = 4
"""How many of the latest errata and changes the page names."""

New = tuple[Source, str, str, str, str, str]
"""A thing that is new, its number and title, where to read of it if not at itself, what is new, when."""


def front(given: Given) -> Iterator[Page]:
    """The front page of an edition."""
    desk, outline = given.desk, given.outline
    edition = outline.edition
    found = [*_errata(desk, given.remarks, edition.address), *_changes(desk, outline, given.difference)]
    yield given.page("edition", edition.address, edition.file.edition.place, new=found[:_NEWS])


def _errata(desk: Desk, remarks: Iterable[Remark], address: str) -> Iterator[New]:
    """Errata, each at the first thing that it is of: the latest first, those not in force last."""
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
    if not isinstance(thing, Entry):
        return "", desk.name(thing)
    return thing.printed, desk.name(thing).removeprefix(thing.shown).strip() or desk.name(thing)


@dataclass(frozen=True, slots=True)
class Group:
    """The errata of one component: those of each severity, the gravest first."""

    name: str
    weights: tuple[tuple[str, tuple[Remark, ...]], ...]


def errata(given: Given) -> Iterator[Page]:
    """The page with the errata and questions of an edition."""
    outline = given.outline
    remarks = given.remarks
    place = remarks[0].part.date.place if remarks[0].part.date else None
    questions = [one for one in remarks if one.question]
    path = addresses.errata_path(outline.edition)
    yield given.page(
        "errata", path, place, errata=list(_groups(remarks)), questions=questions, words=words_of
    )


def _groups(remarks: Sequence[Remark]) -> Iterator[Group]:
    for name in COMPONENTS:
        own = [(one.erratum.weight, one) for one in remarks if one.erratum and one.erratum.kind == name]
        weights = [(weight, tuple(one for its, one in own if its == weight)) for weight in SEVERITIES]
        if own:
            yield Group(name, tuple((weight, them) for weight, them in weights if them))


def words_of(remark: Remark) -> str:
    """Words that search finds an erratum or a question by."""
    if question := remark.question:
        return " · ".join(plain(text) for text in (question.answer, question.source) if text)
    assert remark.erratum
    one = remark.erratum
    texts = (
        one.at,
        one.table,
        one.of,
        one.replace,
        one.delete,
        one.new,
        one.insert,
        one.says,
        one.because,
        one.source,
    )
    return " · ".join(plain(text) for text in texts if text)


def changes(given: Given) -> Iterator[Page]:
    """A page for each edition before this one, the nearest first. They lead to one another."""
    desk, outline = given.desk, given.outline
    follows = outline.edition.file.follows
    place = follows.place if follows else None
    compared = desk.counterparts.compared(outline)
    pairs = [(one.edition, found) for one, found in compared.items() if found]
    for difference in compared[outline]:
        yield given.page(
            "changes",
            difference.path,
            place,
            difference=difference,
            chapters=by_chapter(difference),
            phases=by_phase(difference, desk.shelf),
            tallies={sort: tallied(changes) for sort, changes in difference.by_sort.items()},
            pairs=pairs,
            quiet=(SAME, BY_NAME),
            renumbered=[one for one in difference.rules if is_renumbered(one)],
        )


def is_renumbered(change: RuleChange) -> bool:
    """Whether a rule has another number, for whatever reason."""
    return bool(change.old and change.new and change.old.key != change.new.key)


@dataclass(frozen=True, slots=True)
class Overridden:
    """A chapter of the series with the rules in it that the game replaces, adds to or voids."""

    chapter: Entry
    rules: tuple[tuple[Entry, tuple[Override, ...]], ...]


def series(given: Given) -> Iterator[Page]:
    """The page with the differences of a game from its series."""
    desk, outline = given.desk, given.outline
    edition = outline.edition
    chapters = list(overridden(desk, outline))
    involved = {one.by for chapter in chapters for _, ones in chapter.rules for one in ones}
    own = [chapter for chapter in outline.chapters if not involved.intersection(chapter.walk())]
    title = f"Differences from {edition.base.short}" if edition.base else ""
    sections = [Section(TOP, title, 1)]
    for one in chapters:
        words = " · ".join(desk.name(base) for base, _ in one.rules)
        sections.append(Section(f"rules/{one.chapter.key}", desk.name(one.chapter), 2, words))
    if given.played:
        sections.append(Section("play", "Sequence of play", 2))
    where = edition.file.extends.place if edition.file.extends else None
    path = addresses.series_path(edition)
    yield given.page("series", path, where, sections, overridden=chapters, own=own)


def overridden(desk: Desk, outline: Outline) -> Iterator[Overridden]:
    """The chapters of the series, the nearest first, in which the game does something."""
    for series in desk.shelf.around(outline)[1:]:
        for chapter in series.chapters:
            rules = []
            for base in chapter.walk():
                ones = tuple(o for o in desk.overrides.of.get(base, ()) if o.by.edition is outline.edition)
                if ones:
                    rules.append((base, ones))
            if rules:
                yield Overridden(chapter, tuple(rules))
