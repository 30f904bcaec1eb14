"""Where everything stands on the site. An anchor is the printed number, so it outlives every title.

A path is written without slashes at its ends: `ocs/4.3/12-supply`; the home page is the empty path.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from rulewright.book.aid_plan import AidSheet
from rulewright.book.citable_items import Citable, ListItem, TermName
from rulewright.book.edition_order import order_editions
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.sequence import SequenceStep, title_slug
from rulewright.book.table_entries import Source, TableEntry
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.numbers.numbering_scheme import RuleNumber
from rulewright.source.content_folder import CONTENT
from rulewright.source.lazy_regex import Regex

RULEBOOK = "rulebook"
"""The name of an edition's whole book to print, among those of its aids."""

TABLE_FORMATS = ("csv", "json")
"""The endings of the files that a table can be downloaded as."""

_INDEX = Regex(r"(?:^|/)(?:index|README)$")

# Each link to a rule begins with the same few folders and titles.
_quoted = lru_cache(4_096)(quote)
_slug = lru_cache(4_096)(title_slug)


def chapter_path(chapter: RuleEntry, number: RuleNumber | None = None) -> str:
    """The page of a chapter: its number, or the one that it had, and its title."""
    label = chapter.edition.dialect.chapter_name(number or chapter.number)
    name = f"{label}-{_slug(str(chapter.title.printed))}" if chapter.title else label
    return f"{chapter.edition.address}/{name}"


def sheet_picture(address: str, number: int) -> str:
    """The picture of page number `at` from 0 on, beside the PDF of a sheet."""
    return f"{address}{f'-{number + 1}' if number else ''}.png"


def path_and_anchor(source: Source | Citable) -> tuple[str, str]:
    """Page and anchor of a thing. A table that is a rule is at that rule; an aid has a page of its own."""
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
    return sequence_path(source), source.anchor


def sequence_path(step: SequenceStep) -> str:
    return f"{step.edition.address}/sequence"


def tables_path(table: TableEntry) -> str:
    """The page with all tables of an edition; files of each lie below it."""
    return f"{table.edition.address}/tables"


def table_file(table: TableEntry, ending: str) -> str:
    """A table as a file to download."""
    return f"{tables_path(table)}/{table.anchor}.{ending}"


def content_page_path(file: str) -> str:
    """The page of an ordinary Markdown file of the content: `ocs/4.3/faq`; `index.md` is its folder's."""
    return _INDEX.sub("", file.removeprefix(f"{CONTENT}/").removesuffix(".md"))


def style_path(book: str) -> str:
    """The style sheet of a book."""
    return f"{book}/look.css"


def moved_numbers_path(book: str) -> str:
    """The file, for programs, that pairs numbers of a book's earlier editions with those of today."""
    return f"{book}/moved.json"


def data_path(address: str) -> str:
    """The edition as JSON, for programs."""
    return f"{address}/book.json"


def search_data_path(address: str) -> str:
    """The passages of an edition, through which the box to find a rule with looks."""
    return f"{address}/find.js"


def previews_path(address: str) -> str:
    """The folder with what the links of an edition show."""
    return f"{address}/previews"


def glossary_path(address: str) -> str:
    """The page with the terms of an edition."""
    return f"{address}/glossary"


def series_path(edition: Edition) -> str:
    """The page that says what is different from the series in a game."""
    return f"{edition.address}/series"


def errata_path(edition: Edition) -> str:
    """The page with all errata and questions of an edition."""
    return f"{edition.address}/errata"


def aids_path(edition: Edition) -> str:
    """The page with all player aids of an edition."""
    return f"{edition.address}/aids"


def short_path(entry: RuleEntry | TableEntry, former: str = "") -> str:
    """The short address of a rule or table, `r/ocs/4.3/12.5c`. `former`: of its former number."""
    return f"r/{entry.edition.address}/{former or entry.key}"


def missing_anchor(source: Source) -> str:
    """Where a page says that something of another edition is not in its own: `from/4.3/12.5c`."""
    name = source.edition.address.partition("/")[2]
    return f"from/{name}/{source.anchor if isinstance(source, SequenceStep) else source.key}"


def former_paths(outline: Outline) -> Iterator[tuple[str, RuleEntry]]:
    """Where rules and chapters stood under numbers that are no rule's any more."""
    taken = {chapter_path(chapter) for chapter in outline.chapters}
    for former, entry in outline.former_numbers.items():
        yield short_path(entry, former), entry
        number = outline.edition.dialect.parse_number(former)
        if number and len(number.labels) == 1 and not entry.parent:
            path = chapter_path(entry, number)
            if path not in taken:
                yield path, entry


@dataclass(frozen=True, slots=True)
class ShortUrl:
    """Where a short address leads: to a rule or a table of an edition, or to the edition as a whole.

    `newest`: the newest edition, where that has no such number and an older one is led to.
    """

    edition: Edition
    target: RuleEntry | TableEntry | None = None
    newest: Edition | None = None


def short_urls(index: ReferenceIndex, folder: str = "") -> Iterator[tuple[str, ShortUrl]]:
    """All short addresses, or those of the book in a folder, each once, with where they lead.

    r/ocs/4.3/12.5c   in that edition
    r/ocs/12.5c       in the newest edition, or in the last one that has the number
    r/ocs/4.3         rule 4.3 of the newest edition; where no rule has that number, the edition 4.3
    r/ocs             the newest edition
    """
    editions_by_book: dict[str, list[Edition]] = {}
    for address, outline in index.outlines.items():
        if folder not in ("", address.partition("/")[0]):
            continue
        editions_by_book.setdefault(address.partition("/")[0], []).append(outline.edition)
        for target in _targets(outline, index):
            yield short_path(target), ShortUrl(outline.edition, target)
        yield from ((path, ShortUrl(outline.edition, entry)) for path, entry in former_paths(outline))
    for book, editions in editions_by_book.items():
        line, newest = order_editions(editions), index.newest[book]
        yield f"r/{book}", ShortUrl(newest)
        position = line.index(newest)
        done: set[str] = set()
        for edition in (*reversed(line[: position + 1]), *line[position + 1 :]):  # those to come last
            outline = index.outlines[edition.address]
            lacking = None if edition is newest else newest
            keys = {target.key: target for target in _targets(outline, index)}
            for key, target in {**outline.former_numbers, **keys}.items():
                if key not in done:
                    yield f"r/{book}/{key}", ShortUrl(edition, target, lacking)
            done.update(keys, outline.former_numbers)
        names = {edition.address.partition("/")[2]: edition for edition in editions}
        yield from (
            (f"r/{book}/{name}", ShortUrl(edition)) for name, edition in names.items() if name not in done
        )


def _targets(outline: Outline, index: ReferenceIndex) -> Iterator[RuleEntry | TableEntry]:
    yield from outline.entries.values()
    yield from (table for table in index.tables[outline.edition.address] if not table.entry)


def numbers_left_chapter(outline: Outline, chapter: RuleEntry) -> Iterator[tuple[str, RuleEntry]]:
    """The numbers that lay in a chapter, and the rules in other chapters that had them."""
    for former, entry in outline.former_numbers.items():
        number = outline.edition.dialect.parse_number(former)
        is_in_chapter = number and (number.family, number.labels[0]) == (
            chapter.number.family,
            chapter.number.labels[0],
        )
        if is_in_chapter and entry.chapter is not chapter:
            yield former, entry


def absolute_link(site: str, path: str, anchor: str = "") -> str:
    """A link to a page below the address of its site, or from the site's root where that is not known."""
    link = relative_link("", path, anchor)
    return f"{site.rstrip('/')}/{link.removeprefix('./')}" if site else link


def relative_link(start: str, path: str, anchor: str = "") -> str:
    """A link between two pages, `../12-supply/#12.5c`, that works from any host, sub-path and disk."""
    fragment = f"#{_quoted(anchor, '/()§')}" if anchor else ""
    if start == path:
        return fragment or "./"
    start_parts, path_parts = start.split("/") if start else [], path.split("/") if path else []
    shared = 0
    while shared < min(len(start_parts), len(path_parts)) and start_parts[shared] == path_parts[shared]:
        shared += 1
    steps = [".."] * (len(start_parts) - shared) + [_quoted(part, "()§") for part in path_parts[shared:]]
    return "/".join(steps) + "/" + fragment if steps else f"./{fragment}"
