"""Artifacts of a build: pages and files, all in memory. The app writes them down or hands them on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from rulewright.files.problems import Problem, SourceLocation
from rulewright.references.content_page import LinkedPage

Content = str | bytes | Callable[[], str | bytes]
"""A file of the site, or what makes it when it is first asked for."""


def force_files(files: Mapping[str, Content]) -> dict[str, Content]:
    """Files of the site, each made now if it is not made yet."""
    return {path: content() if callable(content) else content for path, content in files.items()}


def as_bytes(content: Content) -> bytes:
    """A file of the site as it is written."""
    data = content() if callable(content) else content
    return data.encode() if isinstance(data, str) else data


class PageSection(NamedTuple):
    """A heading of a page: an entry of its table of contents.

    `level` counts from 1 within the page. `text`: by what it is found, without markup, where no rule, table
    or step says the same. `is_builtin`: the title is none of the book's words.
    """

    anchor: str
    title: str
    level: int = 1
    text: str = ""
    is_builtin: bool = False


class EditionVersion(NamedTuple):
    """An edition of the book that a page is of, and the way there.

    `standing`: `newest`, `old` or `to come`, `since` when, if that is known; `is_here`: the page is its own.
    `path` is the page to go to, `href` the link to it; `is_same`: it shows the same as this one, and is not
    just the nearest. `moves`: where the anchors of this page lead there, in their order, as
    `12.5 12.6=#12.7 12.7=../9-fuel/#9.1`; one without a link has the same anchor on the page to go to.
    """

    name: str
    title: str
    standing: str
    path: str
    href: str
    is_here: bool = False
    is_same: bool = False
    moves: str = ""
    since: str = ""


class PageBody(NamedTuple):
    """A page's body in the main column, its first-level heading included, its headings, its description.

    Links in it are relative to the page's own folder.
    """

    html: str
    sections: tuple[PageSection, ...] = ()
    description: str = ""


@dataclass(eq=False)
class SitePage:
    """A page of the site, of which the body is rendered when it is first asked for."""

    path: str
    """Its address without slashes at the ends: `ocs/4.3/12-supply`; empty for the home page."""
    title: str
    render: Callable[[], PageBody]
    place: SourceLocation | None = None
    """The location to which an edit link leads."""
    number: str = ""
    """The number of a chapter, with which its title begins."""
    is_ours: bool = False
    """Its title is none of the book's words."""

    @cached_property
    def body(self) -> PageBody:
        return self.render()

    @property
    def html(self) -> str:
        return self.body.html

    @property
    def sections(self) -> tuple[PageSection, ...]:
        return self.body.sections

    @property
    def description(self) -> str:
        return self.body.description


class EditionDates(NamedTuple):
    """The date of an edition and that of its last erratum, as year-month-day; empty where there is none."""

    published: str = ""
    errata: str = ""


class NavItem(NamedTuple):
    """An entry of the site's navigation: a page (`path`), a heading with branches under it, or both."""

    title: str
    path: str | None = None
    branches: tuple[NavItem, ...] = ()


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of a build, for the lines that it says at its end."""

    pages: int = 0
    rules: int = 0
    references: int = 0


@dataclass(frozen=True, slots=True)
class PrintedFiles:
    """PDFs printed for the site: `files` by path, and for the address of each how many pages have a picture.

    `missing_dependency`: what the printer lacks, and how to get it. `failed`: by its address, why a sheet has
    no PDF. `problems` has these too.
    """

    files: Mapping[str, bytes] = field(default_factory=dict)
    sheets: Mapping[str, int] = field(default_factory=dict)
    missing_dependency: str = ""
    problems: tuple[Problem, ...] = ()
    failed: Mapping[str, tuple[Problem, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BookStyle:
    """Look of the pages of a book: a style sheet, a colour for the browser, a logo, if any."""

    style: str
    colour: str = ""
    logo: str = ""


@dataclass(frozen=True, slots=True)
class Artifacts:
    """Everything one run of the line made.

    `pages`: bodies for the site. `linked_pages`: ordinary Markdown pages by file (`content/ocs/4.3/faq.md`),
    their text with every reference marked. `files`: other files of the site, path to content (short
    addresses, exports, pictures). `editions`: by its address, below which its pages lie, the short name of
    each edition's book and its own; `dates`: those of each. `book_styles` and `languages`: by the folders of
    books, where they have any. `problems`: in order, excused ones left out; if the checks have not run yet,
    `deferred_problems` finds them. `of_print`: those among them that keep no page from being made.
    `unprinted`: the addresses of sheets without a PDF. `versions`: returns for the address of any page the
    editions of its book, the newest first, if there are several. `search`: how search finds the line's pages
    of each edition.
    """

    pages: tuple[SitePage, ...] = ()
    linked_pages: Mapping[str, LinkedPage] = field(default_factory=dict)
    files: Mapping[str, Content] = field(default_factory=dict)
    nav: tuple[NavItem, ...] = ()
    editions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    dates: Mapping[str, EditionDates] = field(default_factory=dict)
    book_styles: Mapping[str, BookStyle] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    deferred_problems: Callable[[], tuple[Problem, ...]] | None = None
    of_print: frozenset[Problem] = frozenset()
    unprinted: tuple[str, ...] = ()
    counts: Counts = Counts()
    versions: Callable[[str], tuple[EditionVersion, ...]] = lambda path: ()
    search: Mapping[str, Callable[[], dict[str, Any]]] = field(default_factory=dict)
