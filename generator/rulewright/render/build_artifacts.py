"""Artifacts of a build: pages and files, all in memory. The app writes them or hands them to MkDocs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from rulewright.files.problems import Problem, SourceLocation
from rulewright.references.content_page import LinkedPage

Content = str | bytes | Callable[[], str | bytes]
"""A file of the site, or a function that returns it."""


def force_files(files: Mapping[str, Content]) -> dict[str, Content]:
    """Return files of the site with their content, which is created now if it is not yet."""
    return {path: content() if callable(content) else content for path, content in files.items()}


def as_bytes(content: Content) -> bytes:
    """Return a file of the site as it is written."""
    data = content() if callable(content) else content
    return data.encode() if isinstance(data, str) else data


class PageSection(NamedTuple):
    """A heading of a page, an entry of its table of contents."""

    anchor: str
    title: str
    level: int = 1  # from 1 within the page
    text: str = ""  # words without markup by which search finds it, if no rule, table or step has them
    is_builtin: bool = False  # the title is none of the book's words


class EditionVersion(NamedTuple):
    """An edition of the book of a page, and the link from there to it."""

    name: str
    title: str
    standing: str  # `newest`, `old` or `to come`
    path: str  # the page to go to
    href: str  # the link to that page
    is_here: bool = False  # the page is of this edition
    is_same: bool = False  # the page to go to shows the same, and is not just the nearest
    # Where the anchors of the page lead, in their order: `12.5 12.6=#12.7 12.7=../9-fuel/#9.1`; one without a
    # link has the same anchor on the page to go to.
    moves: str = ""
    since: str = ""  # the date from which an edition to come is in force, if it is known


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
    """PDFs printed for the site."""

    files: Mapping[str, bytes] = field(default_factory=dict)  # by path
    sheets: Mapping[str, int] = field(default_factory=dict)  # for each address the pages with a picture
    missing_dependency: str = ""  # a program that printing needs, and how to get it
    problems: tuple[Problem, ...] = ()
    # For the address of each sheet without a PDF its problems, which `problems` has too.
    failed: Mapping[str, tuple[Problem, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BookStyle:
    """Look of the pages of a book: a style sheet, a colour for the browser, a logo, if any."""

    style: str
    colour: str = ""
    logo: str = ""


@dataclass(frozen=True, slots=True)
class Artifacts:
    """The result of a build."""

    pages: tuple[SitePage, ...] = ()
    # Ordinary Markdown pages by file (`content/ocs/4.3/faq.md`), their text with each reference marked.
    linked_pages: Mapping[str, LinkedPage] = field(default_factory=dict)
    files: dict[str, Content] = field(default_factory=dict)  # other files of the site, by path
    nav: tuple[NavItem, ...] = ()
    # For the address of each edition the short name of its book and its own.
    editions: dict[str, tuple[str, str]] = field(default_factory=dict)
    dates: dict[str, EditionDates] = field(default_factory=dict)  # by the address of an edition
    book_styles: dict[str, BookStyle] = field(default_factory=dict)  # by the folder of a book
    languages: dict[str, str] = field(default_factory=dict)  # by the folder of a book that states one
    problems: tuple[Problem, ...] = ()  # in order, without suppressed ones
    # Finds the problems if the checks have not run yet.
    deferred_problems: Callable[[], tuple[Problem, ...]] | None = None
    of_print: frozenset[Problem] = frozenset()  # those of `problems` that prevent no page
    counts: Counts = Counts()
    # For the address of any page the editions of its book, the newest first, if there are several.
    versions: Callable[[str], tuple[EditionVersion, ...]] = lambda path: ()
    # For the address of each edition a function that returns what search knows of it.
    search: dict[str, Callable[[], dict[str, Any]]] = field(default_factory=dict)
