"""Paths and anchors of pages on the site. An anchor is the printed number, so it survives new titles.

A path has no slashes at its ends: `ocs/4.3/12-supply`; the home page has the empty path.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import quote

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import Source, TableEntry
from rulewright.files.content_folder import CONTENT
from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.references.citable_items import Citable, ListItem, TermName
from rulewright.references.previous_edition import book_editions
from rulewright.references.reference_index import ReferenceIndex
from rulewright.sequence.sequence_step import SequenceStep, title_slug

RULEBOOK = "rulebook"
"""File name, among the aids, of the whole book of an edition as a PDF."""

_INDEX = re.compile(r"(?:^|/)(?:index|README)$")

# Cached: links to rules begin with the same few folders and titles.
_quoted = lru_cache(4_096)(quote)
_slug = lru_cache(4_096)(title_slug)


def chapter_path(chapter: RuleEntry, number: RuleNumber | None = None) -> str:
    """Return the page of a chapter, named after its title and its number or a former number."""
    label = chapter.edition.dialect.chapter_name(number or chapter.number)
    name = f"{label}-{_slug(str(chapter.title.printed))}" if chapter.title else label
    return f"{chapter.edition.address}/{name}"


def sheet_picture(address: str, number: int) -> str:
    """Return the picture of page `number` (0-based) of a sheet."""
    return f"{address}{f'-{number + 1}' if number else ''}.png"


def path_and_anchor(source: Source | Citable) -> tuple[str, str]:
    """Return page and anchor of an object; for a table that is a rule, those of the rule."""
    if isinstance(source, AidSheet):
        return source.address, ""
    if isinstance(source, ListItem):
        return chapter_path(source.entry.chapter), source.anchor
    if isinstance(source, TermName):
        return glossary_path(source.edition.address), source.anchor
    if isinstance(source, ErrataEntry):
        return errata_path(source.edition), source.anchor
    if isinstance(source, TableEntry):
        return (tables_path(source), source.anchor) if source.entry is None else path_and_anchor(source.entry)
    if isinstance(source, RuleEntry):
        return chapter_path(source.chapter), source.key
    return sequence_path(source), source.page_anchor


def sequence_path(step: SequenceStep) -> str:
    return f"{step.edition.address}/sequence"


def tables_path(table: TableEntry) -> str:
    """Return the page with all tables of the edition, which is also the folder of their files."""
    return f"{table.edition.address}/tables"


def table_file(table: TableEntry) -> str:
    """Return the file for downloading a table."""
    return f"{tables_path(table)}/{table.anchor}.csv"


def content_page_path(file: str) -> str:
    """Return the page of a content page: `ocs/4.3/faq`; that of `index.md` is its folder."""
    return _INDEX.sub("", file.removeprefix(f"{CONTENT}/").removesuffix(".md"))


def style_path(book: str) -> str:
    """Return the style sheet of a book."""
    return f"{book}/look.css"


def data_path(address: str) -> str:
    """Return the JSON export of an edition."""
    return f"{address}/book.json"


def search_data_path(address: str) -> str:
    """Return the search index of an edition."""
    return f"{address}/find.js"


def number_index_path(address: str) -> str:
    """Return the script of an edition that finds the page of a number."""
    return f"{address}/numbers.js"


def glossary_path(address: str) -> str:
    """Return the page with the terms of an edition."""
    return f"{address}/glossary"


def series_path(edition: Edition) -> str:
    """Return the page with the differences of a game from its series."""
    return f"{edition.address}/series"


def errata_path(edition: Edition) -> str:
    """Return the page with all errata and questions of an edition."""
    return f"{edition.address}/errata"


def former_paths(outline: Outline) -> Iterator[tuple[str, RuleEntry]]:
    """Yield the paths of the pages of former chapters, each with the chapter that it is now."""
    taken = {chapter_path(chapter) for chapter in outline.chapters}
    for former, entry in outline.former_numbers.items():
        number = outline.edition.dialect.parse_number(former)
        if number and len(number.labels) == 1 and not entry.parent:
            path = chapter_path(entry, number)
            if path not in taken:
                yield path, entry


def targets_beside_newest(index: ReferenceIndex, book: str) -> dict[str, RuleEntry | TableEntry]:
    """Return the targets of a book that its newest edition does not have as rules, by their numbers.

    A former number leads to its rule and a table without a rule to the table. A number that only other
    editions have leads to the last of them before the newest, then to the next after it.
    """
    newest = index.outlines[index.newest[book].address]
    ordered = book_editions(newest, index.outlines)
    position = ordered.index(newest)
    targets: dict[str, RuleEntry | TableEntry] = {}
    for outline in (*reversed(ordered[: position + 1]), *ordered[position + 1 :]):
        tables = index.editions[outline.edition.address].tables
        own_tables = {table.key: table for table in tables if not table.entry}
        targets = {**outline.former_numbers, **outline.entries, **own_tables, **targets}
    for number in newest.entries:
        targets.pop(number, None)
    return targets


def numbers_left_chapter(outline: Outline, chapter: RuleEntry) -> Iterator[tuple[str, RuleEntry]]:
    """Yield the former numbers of a chapter whose rules are now in other chapters, with the rules."""
    for former, entry in outline.former_numbers.items():
        number = outline.edition.dialect.parse_number(former)
        is_in_chapter = number and (number.family, number.labels[0]) == (
            chapter.number.family,
            chapter.number.labels[0],
        )
        if is_in_chapter and entry.chapter is not chapter:
            yield former, entry


def absolute_link(site: str, path: str, anchor: str = "") -> str:
    """Return a link below the URL of the site or, if that is unknown, relative to the root of the site."""
    link = relative_link("", path, anchor)
    return f"{site.rstrip('/')}/{link.removeprefix('./')}" if site else link


def relative_link(start: str, path: str, anchor: str = "") -> str:
    """Return a link between two pages, `../12-supply/#12.5c`, that works on any host, sub-path and disk."""
    fragment = f"#{_quoted(anchor, '/()§')}" if anchor else ""
    if start == path:
        return fragment or "./"
    return f"{_relative_path(start, path)}/{fragment}"


@lru_cache(4_096)
def _relative_path(start: str, path: str) -> str:
    return quote(posixpath.relpath(f"/{path}", f"/{start}"), "/()§")
