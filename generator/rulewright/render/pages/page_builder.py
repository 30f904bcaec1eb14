"""One page from its template, which also says the page's description and, unless they are given, sections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import Outline
from rulewright.book.resolved_branding import resolve_branding
from rulewright.book.table_entries import TableEntry
from rulewright.compare.edition_diff import EditionDiff
from rulewright.files.problems import SourceLocation
from rulewright.references.glossary import TermEntry
from rulewright.references.page_kinds import kinds_of
from rulewright.render.build_artifacts import PageBody, PageSection, PrintedFiles, SitePage
from rulewright.render.covers import Cover
from rulewright.render.edition_html import EditionHtml
from rulewright.render.page_renderer import PageRenderer
from rulewright.render.pages.library_page import EditionSummary, summarize_edition
from rulewright.render.render_context import RenderContext, SequenceChanges
from rulewright.render.screen_reader_text import without_language_marks
from rulewright.render.templating import environment

OURS = frozenset((
    "aids", "all", "changes", "checks", "errata", "glossary", "home", "narrative", "numbers",
    "play", "series", "tables",
))  # fmt: skip
"""Templates of pages whose titles are ours, and not the book's."""


class ContentPageRef(NamedTuple):
    """An ordinary Markdown page, rendered elsewhere. `name` is its file, `path` its address."""

    name: str
    path: str
    title: str


Words = Callable[[], Mapping[str, Any]]
Headed = Callable[[], Iterable[PageSection]]


@dataclass(frozen=True)
class EditionPageContext:
    """Everything that the templates of an edition's pages are given, each worked out when first asked for.

    `html`: its rules; `leaves`: its ordinary pages; `prints`: what is printed; `built_pages`: the pages so
    far, in their order.
    """

    context: RenderContext
    outline: Outline
    html: EditionHtml
    leaves: Sequence[ContentPageRef]
    prints: PrintedFiles
    built_pages: list[SitePage] = field(default_factory=list)

    @property
    def edition(self) -> Edition:
        return self.outline.edition

    @cached_property
    def summary(self) -> EditionSummary:
        return summarize_edition(self.outline, self.context.index)

    @cached_property
    def cover(self) -> Cover:
        return Cover(str(self.edition.book.title), resolve_branding(self.edition))

    @cached_property
    def narrative(self) -> bool:
        """Whether steps are told in words."""
        return bool(self.outline.sequence.narrative_steps)

    @property
    def tables(self) -> Sequence[TableEntry]:
        return self.context.index.editions[self.edition.address].tables

    @property
    def sheets(self) -> Sequence[AidSheet]:
        return self.context.index.editions[self.edition.address].aid_sheets

    @property
    def errata_entries(self) -> Sequence[ErrataEntry]:
        return self.context.index.editions[self.edition.address].errata_entries

    @cached_property
    def terms(self) -> Sequence[TermEntry]:
        """The terms of the edition in the order of the alphabet."""
        terms = self.context.glossaries[self.edition.address].terms
        return sorted(terms, key=lambda term: term_sort_key(term.words))

    @cached_property
    def games(self) -> Sequence[Outline]:
        """The games that extend the edition."""
        return self.context.games(self.outline)

    @cached_property
    def played(self) -> SequenceChanges:
        """Its differences in play from its series."""
        return self.context.played(self.outline)

    @cached_property
    def difference(self) -> EditionDiff | None:
        """Its difference from the edition that it follows."""
        return self.context.difference(self.outline)

    @cached_property
    def kinds(self) -> Sequence[str]:
        """The kinds of its pages."""
        return list(kinds_of(self.outline, self.context.index))

    def page(
        self,
        template: str,
        path: str,
        title: str,
        place: SourceLocation | None,
        own: Words = dict,
        sections: Headed | None = None,
    ) -> SitePage:
        given = lambda: {"given": self, **own()}  # noqa: E731
        return build_page(self.context, template, path, title, place, given, sections, self.edition)


def term_sort_key(words: str) -> tuple[str, str]:
    """The order of terms."""
    return words.casefold(), words


def build_page(
    desk: RenderContext,
    template: str,
    path: str,
    title: str,
    place: SourceLocation | None = None,
    own: Words = dict,
    sections: Headed | None = None,
    edition: Edition | None = None,
) -> SitePage:
    """One page from its template, rendered when it is first asked for. `own`: what the template is given."""

    def render() -> PageBody:
        at = PageRenderer(path, desk)
        words = {"at": at, "title": title, **own()}
        made: Any = environment().get_template(f"site/{template}.html").make_module(words)
        headed = [*sections()] if sections else [PageSection(*section) for section in made.sections]
        html = str(made)
        if desk.is_english(edition):
            html, headed = (
                without_language_marks(html),
                [section._replace(is_builtin=False) for section in headed],
            )
        return PageBody(html, tuple(headed), made.description)

    return SitePage(path, title, render, place, is_ours=template in OURS)
