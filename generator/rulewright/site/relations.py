"""Relations between things, for the templates of a page, with links that start from that page.

Who cites a rule, what it was in earlier editions, what games do to it, and where all that is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from markupsafe import Markup, escape

from rulewright.book.cited_things import ListItem
from rulewright.book.library import Edition
from rulewright.book.outline import Entry
from rulewright.book.remarks import Remark
from rulewright.book.sequence import StepEntry
from rulewright.book.tables import Source, TableEntry
from rulewright.citations import addresses
from rulewright.citations.glossary import TermEntry
from rulewright.citations.overrides import Override
from rulewright.compare.change import QUIET, Kind
from rulewright.compare.history import Past
from rulewright.model.reports import some
from rulewright.site.context import Desk


@dataclass(frozen=True, slots=True)
class Citer:
    """Who cites a rule: a rule by its number and title, a step by its path."""

    href: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Citers:
    """All who cite a rule, rules first and steps last. `line`: how many of each kind there are."""

    line: Markup
    those: list[Citer]


_KINDS = {"rule": "rules", "table": "tables", "erratum": "errata", "question": "questions", "step": "steps"}
"""Kinds of what cites, one and several, in their order."""
_ORDER = {kind: at for at, kind in enumerate(_KINDS)}


def _kind(source: Source) -> str:
    match source:
        case StepEntry():
            return "step"
        case TableEntry():
            return "table"
        case Remark():
            return "erratum" if source.erratum else "question"
        case _:
            return "rule"


def _line(citers: Iterable[Citer], does: tuple[str, str], name: str) -> Markup:
    """How many cite something, in one line: 4 rules cite 12.5 · used in 3 steps."""
    counts = Counter(citer.kind for citer in citers)
    told = {
        kind: f"<b>{count}</b> {kind if count == 1 else several}"
        for kind, several in _KINDS.items()
        if (count := counts[kind])
    }
    steps = told.pop("step", "")
    words = some(list(told.values()))
    if words:
        words += f" {does[counts.total() - counts['step'] > 1]} {escape(name)}"
    if steps:
        words += f" · used in {steps}" if words else f"Used in {steps}"
    return Markup(words)


class History(NamedTuple):
    """The past of a rule, the latest first, and a line that says what became of it."""

    line: str
    past: list[Past]


def _since(entry: Entry, past: Sequence[Past]) -> str:
    """History of a rule in one line, from the first edition that has it on; empty if nothing became of it."""
    editions = [str(one.file.edition) for one in (entry.edition, *(one.edition.edition for one in past))]
    first = past[-1].then is None
    told = [f"New in edition {editions[-2]}" if first else f"Since edition {editions[-1]}"]
    for edition, one in reversed([*zip(editions, past, strict=False)]):
        if one.then and (
            kinds := [_became(kind, one.then) for kind in one.change.kinds if kind not in QUIET]
        ):
            told.append(f"{' and '.join(dict.fromkeys(kinds))} in edition {edition}")
    return ", ".join(told) if first or told[1:] else ""


def _became(kind: Kind, then: Entry) -> str:
    return f"moved from {then.printed}" if kind in (Kind.MOVED, Kind.RENUMBERED) else str(kind)


@dataclass(frozen=True, slots=True)
class Relations:
    """Relations as links of one page. `path` is that page's address."""

    path: str
    desk: Desk
    _pages: dict[str, str] = field(default_factory=dict, repr=False)

    def to(self, path: str, anchor: str = "") -> str:
        return addresses.relative(self.path, path, anchor)

    def href(self, source: Source | TermEntry | ListItem) -> str:
        page, end = self.desk.place(source)
        if page == self.path:
            return end
        start = self._pages.get(page)
        if start is None:
            start = self._pages[page] = addresses.relative(self.path, page)
        return start + end

    def cited_by(self, entry: Entry | TableEntry) -> Citers | None:
        name = str(entry.printed) if isinstance(entry, Entry) else "this table"
        return self._citers(self.desk.shelf.cited_by.get(entry, ()), entry.edition, ("cites", "cite"), name)

    def used_by(self, term: TermEntry) -> Citers | None:
        return self._citers(self.desk.users(term), term.edition, ("uses", "use"), "it")

    def _citers(
        self, sources: Collection[Source], edition: Edition, does: tuple[str, str], name: str
    ) -> Citers | None:
        if not sources:
            return None
        found = []
        for source in sources:
            book = "" if source.edition is edition else f"{source.edition.short}: "
            found.append(Citer(self.href(source), book + self.desk.name(source), _kind(source)))
        found.sort(key=lambda citer: _ORDER[citer.kind])
        return Citers(_line(found, does, name), found)

    def overridden(self, entry: Entry) -> list[Override]:
        return self.desk.overrides.of.get(entry, [])

    def overrides(self, entry: Entry) -> list[tuple[str, list[Override]]]:
        found = self.desk.overrides.by.get(entry, ())
        sorts = dict.fromkeys(one.sort for one in found)
        return [(sort, [one for one in found if one.sort == sort]) for sort in sorts]

    def game(self, edition: Edition) -> str:
        book = edition.address.partition("/")[0]
        several = sum(address.partition("/")[0] == book for address in self.desk.shelf.outlines) > 1
        return edition.short if several else str(edition.book.short or edition.book.title)

    def series_page(self, game: Edition) -> str:
        return self.to(addresses.series_path(game))

    def past(self, entry: Entry) -> History | None:
        """Counterparts of a rule in each earlier edition; None where it was the same in all of them."""
        past = self.desk.histories.of(entry)
        line = _since(entry, past) if past else ""
        return History(line, past) if line else None

    def revised(self, entry: Entry | TableEntry) -> bool:
        return self.desk.is_revised(entry)

    def any_revised(self, chapter: Entry) -> bool:
        return any(map(self.desk.is_revised, chapter.walk()))

    def called(self, thing: Entry | StepEntry | TableEntry) -> str:
        return str(thing.printed) if isinstance(thing, Entry) else self.desk.name(thing)

    def differs(self, step: StepEntry) -> tuple[str, StepEntry | None]:
        """How a step of a game is not that of its series: added, or changed and from which; else nothing."""
        derived = step.edition.derived
        if derived is None:
            return "", None
        if step.step in derived.added:
            return "added", None
        changed = step.step in derived.changed
        return ("changed", self.desk.theirs.get(derived.origin[step.step])) if changed else ("", None)
