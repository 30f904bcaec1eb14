"""Differences between two editions as text, Markdown, HTML and JSON.

Text, Markdown and HTML are the same lines, each with its own signs for what was deleted and inserted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from rulewright.book.library import Edition
from rulewright.book.outline import Entry
from rulewright.book.remarks import Remark
from rulewright.book.sequence import StepEntry
from rulewright.book.tables import TableEntry
from rulewright.citations import addresses
from rulewright.citations.shelf import Shelf
from rulewright.compare.change import Change, Kind, WordDifference
from rulewright.compare.edition_changes import Difference, by_chapter, by_phase, counts
from rulewright.compare.errata_fates import Fate
from rulewright.model.aid import Aid
from rulewright.model.reports import as_json, several, some, told
from rulewright.site.exports.media import HTML, MARKDOWN, TEXT, Medium, Run
from rulewright.site.exports.tables import JsonObject
from rulewright.site.templating import environment
from rulewright.text.document import plain

AROUND = 6
"""How many of the words that stayed are shown on each side of a change."""

MOST_LISTED = 40
"""Of how many rules the numbers are listed: those that cannot be compared, and of typography."""

_SORTS: Mapping[type, str] = {Entry: "rule", StepEntry: "step"}

Thing = Entry | StepEntry | TableEntry | Aid | Edition | Remark

_FATES: Mapping[Fate, str] = {
    Fate.TAKEN_IN: "is in this edition now",
    Fate.NOT_TAKEN_IN: "is not in this edition, which says what was printed",
    Fate.OTHERWISE: "is said in other words here",
}


class Line(NamedTuple):
    """A heading (`level` 1 to 4), or an item of a list so many levels deep (`level` 0 for a paragraph)."""

    runs: Sequence[Run]
    level: int = 0
    is_heading: bool = False


def _written(template: str, medium: Medium, difference: Difference, shelf: Shelf, base: str = "") -> str:
    lines = _lines(difference, shelf, base)
    made = environment().get_template(f"exports/{template}").render(lines=lines, write=medium.write)
    return made.strip("\n") + "\n"


def json(difference: Difference, shelf: Shelf, base: str = "") -> str:
    """All that differs, as JSON. What is unchanged is counted and left out."""
    sorts = difference.by_sort
    made: JsonObject = {
        "old": difference.old.edition.address,
        "new": difference.new.edition.address,
        "counts": {name: counts(changes) for name, changes in sorts.items()},
        "unchanged": {name: sum(not c.kinds for c in changes) for name, changes in sorts.items()},
    }
    for name, changes in (*sorts.items(), *([("remarks", difference.remarks)] if difference.is_one else ())):
        made[name] = [as_object(change) for change in changes if change.kinds]
    made["errata"] = [
        {"erratum": one.remark.key, "fate": str(one.fate), "new": _key(one.thing)}
        for one in difference.errata
    ]
    made["phases"] = [
        {
            "phase": plain(one.phase.path) if one.phase else None,
            "steps": [_key(change.here) for change in one.steps],
            "rules": [_key(change.here) for change in one.rules],
        }
        for one in by_phase(difference, shelf)
    ]
    return as_json(made)


Format = Callable[[Difference, Shelf, str], str]

FORMATS: Mapping[str, Format] = {
    "text": partial(_written, "changes.txt", TEXT),
    "json": json,
    "html": partial(_written, "changes.html", HTML),
    "markdown": partial(_written, "changes.md", MARKDOWN),
}
"""The formats of a difference, by the name that `--format` takes. The HTML is to paste into any page."""


def as_object(change: Change[Any]) -> JsonObject:
    """A change for programs: what it was and is, its kinds, and what differs in its words."""
    return {
        "old": _key(change.old) if change.old else None,
        "new": _key(change.new) if change.new else None,
        "title": _title(change.here),
        "kinds": [str(kind) for kind in change.kinds],
        "along": change.along,
        "others": [_key(one) for one in change.others],
        "parts": [
            {"name": p.name, "pieces": [told(one, "sign text") for one in p.pieces]} for p in change.parts
        ],
    }


def _key(thing: Thing) -> str:
    if isinstance(thing, Aid | Edition):
        return str(thing.title)
    return thing.anchor if isinstance(thing, StepEntry) else thing.key


def _title(thing: Thing) -> str | None:
    if isinstance(thing, Remark):
        return thing.name
    if isinstance(thing, StepEntry):
        return plain(thing.path)
    title = thing.title if isinstance(thing, Entry | Aid | Edition) else thing.table.title
    return plain(title) if title else None


def _lines(difference: Difference, shelf: Shelf, base: str) -> Iterator[Line]:
    old, new = difference.old.edition, difference.new.edition
    yield Line([Run(f"{old.title} → {new.file.edition}")], 1, True)
    if not difference.told:
        yield Line([Run("Nothing has changed.")])
    if difference.typography:
        yield Line([Run(f"Typography alone: {listed(difference.typography)}.")])
    if not difference.told:
        return
    yield from _rules(difference, base)
    if phases := by_phase(difference, shelf):
        yield Line([Run("By phase of play")], 2, True)
        for one in phases:
            if one.phase:
                yield Line([Run(plain(one.phase.path))], 3, True)
            yield from (line for change in one.steps for line in _change(change, base))
            yield from (Line([*_head(rule, base)], 1) for rule in one.rules)
    others: dict[str, Sequence[Change[Any]]] = {"Tables": difference.tables, "Player aids": difference.aids}
    others |= {"Rulebook": difference.book, "Errata and questions": difference.remarks}
    for title, changes in others.items():
        lines = [line for change in changes for line in _change(change, base)]
        if lines:
            yield Line([Run(title)], 2, True)
            yield from lines
    if difference.errata:
        yield Line([Run(f"Errata of {old.file.edition}")], 2, True)
        for said in difference.errata:
            name = Run(str(said.remark), "#", _href(said.remark, base))
            yield Line([name, Run(f": {_FATES[said.fate]}: {called(said.thing)}")], 1)


def _rules(difference: Difference, base: str) -> Iterator[Line]:
    """Rules by chapter. Those that only one edition is known to have are counted, not told one by one."""
    chapters = by_chapter(difference)
    if chapters or difference.only:
        yield Line([Run("Rules")], 2, True)
    for chapter, changes in chapters.items():
        yield Line([Run(called(chapter))], 3, True)
        yield from (line for change in changes for line in _change(change, base))
    for edition, other, only in difference.only:
        if edition is difference.old.edition:
            words = (
                f"{several(len(only), 'rule')} of {edition.file.edition} not found in {other.file.edition}, "
            )
            words += "as far as the texts here tell"
            listed = f": {', '.join(entry.shown for entry in only)}." if len(only) <= MOST_LISTED else "."
        else:
            words = f"Of {other.file.edition}, {several(len(difference.old.in_order), 'rule')} "
            words += f"stand here; {several(len(only), 'rule')} of {edition.file.edition} "
            words += f"{'has' if len(only) == 1 else 'have'} nothing to be compared with"
            listed = "."
        yield Line([Run(words + listed)])


def _change(change: Change[Any], base: str) -> Iterator[Line]:
    if change.is_told:
        yield Line([*_head(change, base)], 1)
        for part in change.parts:
            yield Line([Run(f"{part.name.replace('_', ' ')}: "), *pieces(part)], 2)


def _head(change: Change[Any], base: str) -> Iterator[Run]:
    yield Run(called(change.here), "#", _href(change.here, base))
    yield Run(f": {', '.join(phrases(change))}")
    if change.inside:
        yield Run(f", with {several(change.inside, _SORTS[type(change.here)])} in it")


def phrases(change: Change[Any]) -> Iterator[str]:
    """Words for the change of a part."""
    others = ", ".join(map(called, change.others))
    for kind in change.kinds:
        if kind in (Kind.MOVED, Kind.RENUMBERED) and (was := _place(change.old)) != _place(change.new):
            yield f"{kind} from {was}"
        elif kind is Kind.SPLIT:
            yield f"split, also into {others}" if change.old else f"split off {others}"
        elif kind is Kind.MERGED:
            yield f"merged with {others}" if change.new else f"merged into {others}"
        elif kind is Kind.ONLY:
            yield f"only in {change.here.edition.file.edition}"
        else:
            yield str(kind)


def listed(changes: Sequence[Change[Any]]) -> str:
    """Names of changed things, the first of many."""
    return some([called(one.here) for one in changes], MOST_LISTED)


def _place(thing: Thing | None) -> str | None:
    if thing is None:
        return None
    if isinstance(thing, Entry | TableEntry):
        return thing.shown
    return plain(thing.path) if isinstance(thing, StepEntry) else _key(thing)


def called(thing: Thing) -> str:
    """Name of a thing for people: a rule by number and title, a step by its path."""
    entry = thing.entry if isinstance(thing, TableEntry) else thing
    number = entry.shown if isinstance(entry, Entry) else ""
    return " ".join(filter(None, (number, _title(thing))))


def _href(thing: Thing, base: str) -> str:
    if not base or isinstance(thing, Aid | Edition):
        return ""
    return addresses.below(base, *addresses.of(thing))


def pieces(part: WordDifference) -> Iterator[Run]:
    """The words of a part; of a long stretch that stayed only its ends."""
    last = len(part.pieces) - 1
    for at, piece in enumerate(part.pieces):
        words = piece.words
        yield Run(piece.gap if at else "")
        if piece.sign or len(words) <= 2 * AROUND + 2:
            yield Run(piece.text, piece.sign)
            continue
        if at:
            yield Run("".join(w.gap * bool(n) + w.words for n, w in enumerate(words[:AROUND])))
        yield Run(" … " if 0 < at < last else " …" if at else "… ")
        if at < last:
            yield Run("".join(w.gap * bool(n) + w.words for n, w in enumerate(words[-AROUND:])))
