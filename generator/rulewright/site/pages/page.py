"""One page from its template, which also says the page's description and, unless they are given, sections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from rulewright.book.library import Edition
from rulewright.book.looks import dressed
from rulewright.book.outline import Outline
from rulewright.book.remarks import Remark
from rulewright.book.sheet import Sheet
from rulewright.book.tables import TableEntry
from rulewright.citations.glossary import TermEntry
from rulewright.citations.page_kinds import kinds_of
from rulewright.compare.edition_changes import Difference
from rulewright.site.artifacts import Body, Page, Prints, Section
from rulewright.site.context import Desk, Played
from rulewright.site.covers import Cover
from rulewright.site.pages.library import Summary, summary
from rulewright.site.proof import Proof
from rulewright.site.spoken import in_english
from rulewright.site.templating import environment
from rulewright.source.problems import Place

OURS = frozenset((
    "aids", "all", "changes", "checks", "errata", "glossary", "home", "in-order", "narrative", "numbers",
    "play", "series", "tables",
))  # fmt: skip
"""Templates of pages whose titles are ours, and not the book's."""


class Leaf(NamedTuple):
    """An ordinary Markdown page, rendered elsewhere. `name` is its file, `path` its address."""

    name: str
    path: str
    title: str


Words = Callable[[], Mapping[str, Any]]
Headed = Callable[[], Iterable[Section]]


@dataclass(frozen=True)
class Given:
    """Everything that the templates of an edition's pages are given, each worked out when first asked for.

    `leaves`: its ordinary pages; `prints`: what is printed; `made`: the pages so far, in their order.
    """

    desk: Desk
    outline: Outline
    leaves: Sequence[Leaf]
    prints: Prints
    made: list[Page] = field(default_factory=list)

    @property
    def edition(self) -> Edition:
        return self.outline.edition

    @cached_property
    def summary(self) -> Summary:
        return summary(self.outline, self.desk.shelf)

    @cached_property
    def cover(self) -> Cover:
        return Cover(str(self.edition.book.title), dressed(self.edition))

    @cached_property
    def narrative(self) -> bool:
        """Whether steps are told in words."""
        return bool(self.outline.told)

    @property
    def tables(self) -> Sequence[TableEntry]:
        return self.desk.shelf.tables[self.edition.address]

    @property
    def sheets(self) -> Sequence[Sheet]:
        return self.desk.shelf.sheets[self.edition.address]

    @property
    def remarks(self) -> Sequence[Remark]:
        return self.desk.shelf.remarks[self.edition.address]

    @cached_property
    def terms(self) -> Sequence[TermEntry]:
        """The terms of the edition in the order of the alphabet."""
        terms = self.desk.glossaries[self.edition.address].terms
        return sorted(terms, key=lambda term: alphabet(term.words))

    @cached_property
    def games(self) -> Sequence[Outline]:
        """The games that extend the edition."""
        return self.desk.games(self.outline)

    @cached_property
    def played(self) -> Played:
        """Its differences in play from its series."""
        return self.desk.played(self.outline)

    @cached_property
    def difference(self) -> Difference | None:
        """Its difference from the edition that it follows."""
        return self.desk.difference(self.outline)

    @cached_property
    def kinds(self) -> Sequence[str]:
        """The kinds of its pages."""
        return list(kinds_of(self.outline, self.desk.shelf))

    def page(
        self,
        template: str,
        path: str,
        title: str,
        place: Place | None,
        own: Words = dict,
        sections: Headed | None = None,
    ) -> Page:
        given = lambda: {"given": self, **own()}  # noqa: E731
        return page(self.desk, template, path, title, place, given, sections, self.edition)


def alphabet(words: str) -> tuple[str, str]:
    """The order of terms."""
    return words.casefold(), words


def page(
    desk: Desk,
    template: str,
    path: str,
    title: str,
    place: Place | None = None,
    own: Words = dict,
    sections: Headed | None = None,
    edition: Edition | None = None,
) -> Page:
    """One page from its template, rendered when it is first asked for. `own`: what the template is given."""

    def render() -> Body:
        at = Proof(path, desk)
        desk.done[path] = at.done
        words = {"at": at, "title": title, **own()}
        made: Any = environment().get_template(f"site/{template}.html").make_module(words)
        headed = [*sections()] if sections else [Section(*section) for section in made.sections]
        html = str(made)
        if desk.is_english(edition):
            html, headed = in_english(html), [one._replace(is_ours=False) for one in headed]
        return Body(html, tuple(headed), made.description)

    return Page(path, title, render, place, is_ours=template in OURS)
