"""One page from its template, which also says the page's title, description and sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rulewright.book.library import Edition
from rulewright.book.outline import Outline
from rulewright.book.remarks import Remark
from rulewright.book.sheet import Sheet
from rulewright.book.tables import TableEntry
from rulewright.citations.glossary import TermEntry
from rulewright.compare.edition_changes import Difference
from rulewright.site.artifacts import Page, Prints, Section
from rulewright.site.context import Desk, Played
from rulewright.site.covers import Cover
from rulewright.site.pages.library import Summary
from rulewright.site.proof import Proof
from rulewright.site.templating import environment
from rulewright.source.problems import Place


class Leaf(NamedTuple):
    """An ordinary Markdown page, rendered elsewhere. `name` is its file, `path` its address."""

    name: str
    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Given:
    """Everything that the templates of an edition's pages are given.

    `leaves`: its ordinary pages; `narrative`: it tells steps in words; `prints`: what is printed; `games`:
    those that extend it; `played`: how it differs from its series in play; `difference`: from the edition
    that it follows; `kinds`: those of its pages, of which the ones before this are `made`.
    """

    desk: Desk
    outline: Outline
    edition: Edition
    summary: Summary
    cover: Cover
    leaves: Sequence[Leaf]
    narrative: bool
    tables: Sequence[TableEntry]
    sheets: Sequence[Sheet]
    prints: Prints
    remarks: Sequence[Remark]
    terms: Sequence[TermEntry]
    games: Sequence[Outline]
    played: Played
    difference: Difference | None
    kinds: Sequence[str]
    made: list[Page] = field(default_factory=list)

    def page(
        self, template: str, path: str, place: Place | None, sections: Sequence[Section] = (), **own: Any
    ) -> Page:
        words = {name: getattr(self, name) for name in self.__slots__ if name != "desk"}
        return page(self.desk, template, path, place, sections, **{**words, **own})


def page(
    desk: Desk, template: str, path: str, place: Place | None, sections: Sequence[Section] = (), **given: Any
) -> Page:
    """One page from its template. `sections` are the template's own where none are given."""
    at = Proof(path, desk)
    desk.done[path] = at.done
    made: Any = environment().get_template(f"site/{template}.html").make_module({"at": at, **given})
    sections = sections or [Section(*section) for section in made.sections]
    return Page(path, made.title, str(made), tuple(sections), place, made.description)
