"""Generated pages for MkDocs, and the sidebar with the navigation."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from jinja2 import Environment
from markupsafe import escape as markup
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure import StructureItem
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation, Section
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import TableOfContents, get_toc
from mkdocs.utils import normalize_url
from mkdocs.utils.templates import TemplateContext

from rulewright.render import build_artifacts
from rulewright.render.build_artifacts import NavItem
from rulewright.render.navigation import iter_branches, table_of_contents


class GeneratedPage(Page):
    """A page of the build pipeline. MkDocs neither reads nor parses it."""

    def __init__(
        self,
        site_page: build_artifacts.SitePage,
        branch: NavItem | None,
        file: File,
        config: MkDocsConfig,
        is_deferred: bool = False,
    ) -> None:
        """Create a page. `is_deferred`: it has only a title until the attribute is reset."""
        super().__init__(markup((branch and branch.title) or site_page.title), file, config)
        self.site_page, self.is_deferred, self.edition = site_page, is_deferred, ""
        self.has_children = bool(branch and branch.branches)

    @property
    def is_index(self) -> bool:
        """Return whether Material shows the page as the index of its section."""
        return self.has_children or self.file.name == "index"

    def read_source(self, config: MkDocsConfig) -> None:
        """Set the metadata that Material needs; no file is read."""
        self.markdown = ""
        self.meta = {"title": markup(self.site_page.title), "search": {"exclude": True}}
        if not self.is_deferred:
            self.meta["description"] = markup(self.site_page.description)

    def render(self, config: MkDocsConfig, files: Files) -> None:
        self.content = "" if self.is_deferred else self.site_page.html

    @property
    def toc(self) -> TableOfContents:
        """The table of contents, created on demand: most pages are not written."""
        return self._toc

    @toc.setter
    def toc(self, none: object) -> None:
        """Ignore the empty table of contents that MkDocs sets."""

    @cached_property
    def _toc(self) -> TableOfContents:
        return get_toc(table_of_contents(self.site_page.sections))  # type: ignore[arg-type]

    @property
    def present_anchor_ids(self) -> set[str]:  # type: ignore[override]
        """Anchors for links of Markdown pages, searched on demand."""
        return set(re.findall(r'\bid="([^"]*)"', self.site_page.html))


class LazyPage(Page):
    """A Markdown page that is read and rendered on demand; until then it has only a title."""

    is_deferred = True

    def read_source(self, config: MkDocsConfig) -> None:
        if self.is_deferred:
            self.markdown, self.meta = "", {}
        else:
            super().read_source(config)

    def render(self, config: MkDocsConfig, files: Files) -> None:
        if self.is_deferred:
            self.content, self.toc = "", TableOfContents([])
        else:
            super().render(config, files)


def attach_contents(
    branches: Iterable[NavItem], editions: Container[str | None], pages: Mapping[str, Page]
) -> list[Any]:
    """Set parents, previous and next pages of the pages of each edition. Return the sections of the editions.

    Needed if the `nav` of mkdocs.yml does not list all pages of the books.
    """
    sections = [
        _build_section(item, None, pages) for item in iter_branches(branches) if item.path in editions
    ]
    for section in sections:
        inner = list(_pages_in(section))
        for previous, page, following in zip([None, *inner], inner, [*inner[1:], None], strict=False):
            page.previous_page, page.next_page = previous, following
    return sections


def _build_section(branch: NavItem, parent: Section | None, pages: Mapping[str, Page]) -> StructureItem:
    if not branch.branches:
        page = pages[branch.path or ""]
        page.parent = parent
        return page
    children: list[StructureItem] = []
    section = Section(markup(branch.title), children)
    section.parent = parent
    inner = [branch._replace(branches=())] if branch.path is not None else []
    children += [_build_section(item, section, pages) for item in (*inner, *branch.branches)]
    return section


def _pages_in(item: Any) -> Iterator[Page]:
    if isinstance(item, Page):
        yield item
    for child in item.children or ():
        yield from _pages_in(child)


class Sidebar:
    """Sidebar with the navigation, rendered once for all pages of a section.

    Only the link to the current page differs: it is marked and followed by the headings of the page.
    """

    def __init__(
        self,
        env: Environment,
        config: MkDocsConfig,
        excluded_paths: Container[str],
        sections: Sequence[Any],
    ) -> None:
        """Load the template. `sections`: may contain pages that are not in the navigation."""
        self.sections = sections
        self.template = env.get_template("partials/nav.html")
        language = env.get_template("partials/language.html").make_module({"config": config})
        self.variables = {"lang": language, "features": config.theme.get("features", [])}
        self.excluded_paths = excluded_paths
        self.rendered: dict[object, str] = {}

    def render(self, page: Page, context: TemplateContext) -> str:
        above = posixpath.dirname(page.url.rstrip("/"))
        url = page.url if page.is_homepage else f"{above}/-/".lstrip("/")
        sibling = SimpleNamespace(url=url)
        sections = [ancestor for ancestor in page.ancestors if isinstance(ancestor, Section)]
        sections = sections or [section for section in self.sections if _contains_page(section, page)]
        scope = next(
            (section for section in sections if _is_edition(section)), sections[-1] if sections else None
        )
        parent = page.parent.url if isinstance(page.parent, Page) else page.parent
        key = scope, parent, url  # other plugins nest pages
        if key not in self.rendered:
            navigation = self._navigation(scope, page, context["nav"])
            self.rendered[key] = self.template.render(
                {**context, **self.variables, "page": sibling, "around": navigation}
            )
        link = f'<a href="{normalize_url(page.url, sibling)}"'  # type: ignore[arg-type]
        before, separator, remainder = self.rendered[key].partition(f"{link}>")
        if not separator:
            return before
        end, remainder = remainder.partition("</a>")[::2]
        headings = list(page.toc)
        below = headings[0].children if len(headings) == 1 else headings
        entries = "".join(f'<li><a href="{heading.url}">{heading.title}</a></li>' for heading in below)
        inner = f'<ul class="here">{entries}</ul>' if entries else ""
        return f'{before}{link} aria-current="page">{end}</a>{inner}{remainder}'

    def _navigation(self, scope: Section | None, page: Page, nav: Navigation) -> SimpleNamespace:
        head = next((child for child in scope.children if isinstance(child, Page)), None) if scope else None
        if scope:
            items = [child for child in scope.children if child is not head]
        else:
            items = [
                item for item in nav.items if (_first(item).url or "").strip("/") not in self.excluded_paths
            ]
        title = scope.title if scope else ""
        return SimpleNamespace(
            head=head, title=title, items=items, open=page.ancestors, first=_first, number=_number
        )


def _is_edition(section: Section) -> bool:
    """Return whether a section contains the pages of an edition."""
    first = section.children[0]
    return isinstance(first, GeneratedPage) and first.has_children and bool(first.site_page.place)


def _contains_page(item: StructureItem, page: Page) -> bool:
    """Return whether an item is the section of the edition that contains a page."""
    if page.is_homepage or not (isinstance(item, Section) and item.children and _is_edition(item)):
        return False
    return page.url.startswith(_first(item).url or "/")


def _first(item: Any) -> Any:
    return _first(item.children[0]) if item.children else item


def _number(page: object) -> str:
    return (
        page.site_page.number
        if isinstance(page, GeneratedPage) and page.title.startswith(page.site_page.number)
        else ""
    )
