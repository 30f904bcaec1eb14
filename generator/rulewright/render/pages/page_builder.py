"""One page from its template, which also says the page's description and, unless they are given, sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from rulewright.book.aid_plan import AidSheet
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.resolved_branding import resolve_branding
from rulewright.book.table_entries import TableEntry
from rulewright.document.document_builder import DocumentBuilder
from rulewright.files.problems import SourceLocation
from rulewright.references.glossary import TermEntry
from rulewright.references.page_kinds import kinds_of
from rulewright.render.build_artifacts import PageBody, PageSection, PrintedFiles, SitePage
from rulewright.render.covers import Cover
from rulewright.render.page_renderer import PageRenderer
from rulewright.render.pages.library_page import summarize_edition
from rulewright.render.render_context import RenderContext
from rulewright.render.screen_reader_text import without_language_marks
from rulewright.render.templating import environment

_WITH_BOOK_TITLES = frozenset(("edition", "sequence", "chapter", "aid"))
"""Templates of pages whose titles are words of the book."""

Values = Callable[[], Mapping[str, Any]]
"""Returns what a template is given; `sections` are those of the page, if its template does not say them."""


class ContentPageRef(NamedTuple):
    """An ordinary Markdown page, rendered elsewhere."""

    name: str
    """Its file."""
    path: str
    title: str


@dataclass(frozen=True)
class EditionPageContext:
    """Values for the templates of the pages of an edition, each computed on first use."""

    context: RenderContext
    outline: Outline
    leaves: Sequence[ContentPageRef]
    """Its ordinary pages."""
    prints: PrintedFiles
    built_pages: list[SitePage] = field(default_factory=list)
    """The pages so far, in their order."""
    chapters: dict[RuleEntry, str] = field(default_factory=dict)
    """The chapters so far as HTML, with links from a page beside them."""

    @property
    def edition(self) -> Edition:
        return self.outline.edition

    @property
    def builder(self) -> DocumentBuilder:
        return self.context.builders[self.edition.address]

    @property
    def tables(self) -> Sequence[TableEntry]:
        return self.context.index.editions[self.edition.address].tables

    @property
    def sheets(self) -> Sequence[AidSheet]:
        return self.context.index.editions[self.edition.address].aid_sheets

    @cached_property
    def terms(self) -> Sequence[TermEntry]:
        """The terms of the edition in alphabetical order."""
        terms = self.context.glossaries[self.edition.address].terms
        return sorted(terms, key=lambda term: (term.words.casefold(), term.words))

    @cached_property
    def kinds(self) -> Sequence[str]:
        """The kinds of its pages."""
        return list(kinds_of(self.outline, self.context.index))

    @cached_property
    def template_values(self) -> Mapping[str, Any]:
        """The values that the templates of all its pages share."""
        edition = self.edition
        return {
            "edition": edition,
            "outline": self.outline,
            "leaves": self.leaves,
            "prints": self.prints,
            "kinds": self.kinds,
            "summary": summarize_edition(self.outline, self.context.index),
            "cover": Cover(str(edition.book.title), resolve_branding(edition)),
            "narrative": bool(self.outline.sequence.narrative_steps),
            "tables": self.tables,
            "sheets": self.sheets,
            "terms": self.terms,
        }

    def page(
        self, template: str, name: str, title: str, place: SourceLocation | None, values: Values = dict
    ) -> SitePage:
        """Return the page of a name below that of the edition, rendered when it is first asked for."""
        path = f"{self.edition.address}/{name}".rstrip("/")
        is_english = self.context.is_english(self.edition)

        def all_values() -> Mapping[str, Any]:
            return {**self.template_values, **values()}

        return build_page(self.context, template, path, title, all_values, place, is_english=is_english)


def build_page(
    context: RenderContext,
    template: str,
    path: str,
    title: str,
    values: Values = dict,
    place: SourceLocation | None = None,
    *,
    is_english: bool = True,
) -> SitePage:
    """Return a page, rendered when it is first asked for."""

    def render() -> PageBody:
        given = {"at": PageRenderer(path, context), "title": title, **values()}
        sections = given.pop("sections", None)
        module: Any = environment().get_template(f"site/{template}.html").make_module(given)
        html = str(module)
        if sections is None:
            sections = [PageSection(*section) for section in module.sections]
        if is_english:
            html = without_language_marks(html)
            sections = [section._replace(is_builtin=False) for section in sections]
        return PageBody(html, tuple(sections), module.description)

    return SitePage(path, title, render, place, is_ours=template not in _WITH_BOOK_TITLES)
