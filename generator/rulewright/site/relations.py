"""Relations between things, for the templates of a page, with links that start from that page.

Who cites a rule, what it was in earlier editions, what games do to it, and where all that is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rulewright.book.library import Edition
from rulewright.book.outline import Entry
from rulewright.book.sequence import StepEntry
from rulewright.book.tables import Source, TableEntry
from rulewright.citations import addresses
from rulewright.citations.glossary import TermEntry
from rulewright.citations.overrides import Override
from rulewright.compare.history import Past
from rulewright.site.context import Desk


@dataclass(frozen=True, slots=True)
class Citer:
    """Who cites a rule: a rule by its number and title, a step by its path."""

    href: str
    name: str
    is_step: bool


@dataclass(frozen=True, slots=True)
class Relations:
    """Relations as links of one page. `path` is that page's address."""

    path: str
    desk: Desk
    _pages: dict[str, str] = field(default_factory=dict, repr=False)

    def to(self, path: str, anchor: str = "") -> str:
        """A link to a page, or to an anchor of it."""
        return addresses.relative(self.path, path, anchor)

    def href(self, source: Source | TermEntry) -> str:
        """A link to a rule, a step, a table or a term."""
        page, end = self.desk.place(source)
        if page == self.path:
            return end
        start = self._pages.get(page)
        if start is None:
            start = self._pages[page] = addresses.relative(self.path, page)
        return start + end

    def cited_by(self, entry: Entry | TableEntry) -> list[Citer]:
        """The rules and steps that cite a rule or a table, rules first. Those of another book say which."""
        return self._citers(self.desk.shelf.cited_by.get(entry, ()), entry.edition)

    def used_by(self, term: TermEntry) -> list[Citer]:
        """The rules and steps whose texts name a term, rules first."""
        return self._citers(self.desk.users.get(term, ()), term.edition)

    def _citers(self, sources: Iterable[Source], edition: Edition) -> list[Citer]:
        found = []
        for source in sources:
            book = "" if source.edition is edition else f"{source.edition.short}: "
            citer = Citer(self.href(source), book + self.desk.name(source), isinstance(source, StepEntry))
            found.append(citer)
        return sorted(found, key=lambda citer: citer.is_step)

    def overridden(self, entry: Entry) -> list[Override]:
        """Overrides of a rule of a series by its games."""
        return self.desk.overrides.of.get(entry, [])

    def overrides(self, entry: Entry) -> list[tuple[str, list[Override]]]:
        """Overrides by a rule of a game: of each sort, in their order."""
        found = self.desk.overrides.by.get(entry, ())
        sorts = dict.fromkeys(one.sort for one in found)
        return [(sort, [one for one in found if one.sort == sort]) for sort in sorts]

    def game(self, edition: Edition) -> str:
        """Name of a game beside its series: with its edition where there are several."""
        book = edition.address.partition("/")[0]
        several = sum(address.partition("/")[0] == book for address in self.desk.shelf.outlines) > 1
        return edition.short if several else str(edition.book.short or edition.book.title)

    def series_page(self, game: Edition) -> str:
        """A link to what is different in a game."""
        return self.to(addresses.series_path(game))

    def past(self, entry: Entry) -> list[Past]:
        """Counterparts of a rule in each earlier edition."""
        return self.desk.histories.of(entry)

    def revised(self, entry: Entry | TableEntry) -> bool:
        """Whether a rule or a table is certainly another than in the edition before."""
        return entry in self.desk.revised

    def any_revised(self, chapter: Entry) -> bool:
        """Whether a chapter has a rule with a change bar."""
        return any(entry in self.desk.revised for entry in chapter.walk())

    def called(self, thing: Entry | StepEntry | TableEntry) -> str:
        """Short name: of a rule its number, else its name."""
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
