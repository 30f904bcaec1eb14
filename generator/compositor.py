"""What the templates of one page are given: links that start from that page, and texts set as HTML.

Words and tags are in `templates/`; here is what they need to know of rules, steps and references.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from html import escape
from json import dumps
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from generator import addresses, diagram, prose, roles
from generator.aid import PictureBlock
from generator.citations import Resolved, Shelf
from generator.exports import tables as written
from generator.layout import Layout, lay_out
from generator.lookup import Source, TableEntry, named
from generator.model import DO, FREE, Figure
from generator.outline import Entry
from generator.sequence import TURNS, StepEntry
from generator.source import Text
from generator.table import Grid

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
FACTS = (
    "optional",
    "every",
    "when",
    "skip_when",
    "only",
    "limit",
    "cost",
    "rolls",
    "uses",
    "places",
    "removes",
    "allows",
    "never",
)
"""What a step says beside its title, in the order in which it is shown."""
_IN_PAGE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}


@cache
def environment() -> Environment:
    """The templates, compiled once. Whoever sees them change calls `environment.cache_clear()`."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Looking at the file's date for every template of every page takes longer than rendering it.
        auto_reload=False,
    )
    made.tests["heading"] = is_heading
    made.filters["plain"] = prose.plain
    return made


def name_of(entry: Entry) -> str:
    """A rule's number with its title, or with that of the rule it lies in: `12.5a Fuel Supply`."""
    titled: Entry | None = entry
    while titled and not titled.title:
        titled = titled.parent
    return f"{entry.key} {prose.plain(titled.title)}" if titled and titled.title else entry.key


def is_heading(step: StepEntry) -> bool:
    """Whether a step has a heading of its own: turns, phases and segments do, what is done there has not."""
    return step.step.kind != DO and (step.parent is None or is_heading(step.parent))


@dataclass(frozen=True, slots=True)
class Citer:
    """Who cites a rule: a rule by its number and title, a step by its path."""

    href: str
    name: str
    is_step: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure of a rule; `src` is empty where its file is not there."""

    src: str
    alt: str


class Desk:
    """What all pages of a run have in common, each thing worked out once: references, names, addresses."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        every = (citation for citations in shelf.citations.values() for citation in citations)
        # By the identity of the text, which its citation keeps alive.
        self.references = {id(citation.text): citation.resolved for citation in every}
        self.tables = {table.home: table for tables in shelf.tables.values() for table in tables}
        self._names: dict[Source, str] = {}
        self._places: dict[Source, tuple[str, str]] = {}

    def name(self, source: Source) -> str:
        """A rule by its number and title, a step by its path, a table without number by its title."""
        known = self._names.get(source)
        if known is None:
            if isinstance(source, Entry):
                known = name_of(source)
            else:
                known = prose.plain(source.path if isinstance(source, StepEntry) else str(source))
            self._names[source] = known
        return known

    def place(self, source: Source) -> tuple[str, str]:
        """The page of a rule or a step, and the end of a link to it: `#12.5c`."""
        known = self._places.get(source)
        if known is None:
            page, anchor = addresses.of(source)
            known = self._places[source] = page, addresses.relative(page, page, anchor)
        return known


@dataclass(frozen=True, slots=True)
class Compositor:
    """Sets one page. `path` is that page's address, from which all its links start."""

    path: str
    desk: Desk
    _pages: dict[str, str] = field(default_factory=dict, repr=False)
    _links: dict[tuple[Entry, str, str], str] = field(default_factory=dict, repr=False)

    def to(self, path: str, anchor: str = "") -> str:
        """A link to a page, or to an anchor of it."""
        return addresses.relative(self.path, path, anchor)

    def href(self, source: Source) -> str:
        """A link to a rule, a step or a table."""
        page, end = self.desk.place(source)
        if page == self.path:
            return end
        start = self._pages.get(page)
        if start is None:
            start = self._pages[page] = addresses.relative(self.path, page)
        return start + end

    def blocks(self, text: Text) -> Markup:
        """A text as paragraphs and lists, its references linked."""
        return Markup(prose.blocks(text, self.desk.references.get(id(text), ()), self.link))

    def inline(self, text: Text) -> Markup:
        """A text of one line, its references linked."""
        return Markup(prose.inline(text, self.desk.references.get(id(text), ()), self.link))

    def see(self, texts: Iterable[Text]) -> list[Markup]:
        """The references of a `see:`, one by one; the two ends of a range are one."""
        shown: list[Markup] = []
        for text in texts:
            resolved = self.desk.references.get(id(text), ())
            for one in resolved:
                link = Markup(self.link(one, escape(text[one.found.start : one.found.end], quote=False)))
                if one.found.through and shown:
                    shown[-1] += Markup("–") + link
                else:
                    shown.append(link)
            if not resolved:
                shown.append(Markup(escape(text)))
        return shown

    def link(self, resolved: Resolved, words: str) -> str:
        """One reference as a link around its words, which are HTML. A faulty one is just its words."""
        target, number = resolved.target, resolved.number
        if target is None or number is None or resolved.fault:
            return words
        known = self._links.get((target, number.key, words))
        if known is None:
            parts: Any = environment().get_template("parts/reference.html").module
            title = self.desk.name(target).replace(target.key, number.key, 1)
            listed = not (target.rule or target in self.desk.tables)
            known = str(parts.reference(target, self.href(target), title, Markup(words), listed))
            self._links[target, number.key, words] = known
        return known

    def table(self, entry: Entry) -> TableEntry | None:
        """The table that a rule is, or has."""
        return self.desk.tables.get(entry)

    @staticmethod
    def lay_out(table: TableEntry, grid: Grid) -> Layout:
        return lay_out(grid, table.table.notes if grid is table.table else ())

    @staticmethod
    def data(table: TableEntry) -> Markup:
        """A table as JSON that can stand in a page."""
        return Markup(
            dumps(written.data(table), ensure_ascii=False, separators=(",", ":")).translate(_IN_PAGE)
        )

    def cited_by(self, entry: Entry | TableEntry) -> list[Citer]:
        """The rules and steps that cite a rule or a table, rules first. Those of another book say which."""
        found = []
        for source in self.desk.shelf.cited_by.get(entry, ()):
            book = "" if source.edition is entry.edition else f"{source.edition.short}: "
            citer = Citer(self.href(source), book + self.desk.name(source), isinstance(source, StepEntry))
            found.append(citer)
        return sorted(found, key=lambda citer: citer.is_step)

    def pictures(self, figures: Iterable[Figure | PictureBlock]) -> list[Picture]:
        """The figures of a rule or an aid. A picture is looked for beside the file that names it."""
        return [Picture(self._src(figure), str(figure.alt)) for figure in figures]

    def _src(self, figure: Figure | PictureBlock) -> str:
        name = posixpath.normpath(posixpath.join(posixpath.dirname(figure.file.file.name), figure.file))
        edition = self.desk.shelf.outlines.get("/".join(name.split("/")[1:3]))
        if not edition or name not in edition.edition.files:
            return ""
        return addresses.relative(self.path, name.removeprefix("content/")).rstrip("/")

    def facts(self, step: StepEntry) -> list[tuple[str, list[Markup]]]:
        """What a step says beside its title: its keys with their values, those that it has; `yes` is none."""
        values = ((name, getattr(step.step, name)) for name in FACTS)
        return [
            (
                name,
                [
                    self._fact(step, text)
                    for text in (value if isinstance(value, tuple) else (value,))
                    if text != FREE
                ],
            )
            for name, value in values
            if value
        ]

    def _fact(self, step: StepEntry, text: Text) -> Markup:
        """A value of a step; one that is the name of a table leads to it."""
        words = self.inline(text)
        linked = self.desk.references.get(id(text))
        table = None if linked else named(self.desk.shelf.tables[step.edition.address], text)
        parts: Any = environment().get_template("parts/reference.html").module
        return Markup(parts.to_table(self.href(table), words)) if table else words

    # What templates ask about who acts, and about steps; they import nothing themselves.
    acting = staticmethod(roles.acting)
    style = staticmethod(roles.style)
    sides = staticmethod(roles.sides)
    short = staticmethod(diagram.short)

    @staticmethod
    def is_turn(step: StepEntry) -> bool:
        return step.step.kind in TURNS
