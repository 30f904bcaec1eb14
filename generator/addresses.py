"""Where everything stands on the site. An anchor is the printed number, so it outlives every title.

A path is written without slashes at its ends: `ocs/4.3/12-supply`; the home page is the empty path.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from generator.library import Edition
from generator.lookup import Source, TableEntry
from generator.numbers import Number
from generator.outline import Entry, Outline
from generator.remark import Remark
from generator.sequence import StepEntry, slug
from generator.sheet import Sheet


def chapter_path(chapter: Entry, number: Number | None = None) -> str:
    """The page of a chapter: its number, or the one that it had, and its title."""
    label = (number or chapter.number).labels[0].lower()
    name = f"{label}-{slug(chapter.title.printed)}" if chapter.title else label
    return f"{chapter.edition.address}/{name}"


def of(source: Source) -> tuple[str, str]:
    """Page and anchor of a rule, a step or a table; a table that is a rule stands where the rule does.

    A player aid has a page of its own.
    """
    if isinstance(source, Sheet):
        return source.address, ""
    if isinstance(source, Remark):
        return errata_path(source.edition), source.anchor
    if isinstance(source, TableEntry):
        return (tables_path(source), source.anchor) if source.entry is None else of(source.entry)
    if isinstance(source, Entry):
        return chapter_path(source.chapter), source.key
    return sequence_path(source), source.anchor


def sequence_path(step: StepEntry) -> str:
    return f"{step.edition.address}/sequence"


def tables_path(table: TableEntry) -> str:
    """The page with all tables of an edition; files of each lie below it: `ocs/3.0/tables/14.6c.csv`."""
    return f"{table.edition.address}/tables"


def glossary_path(address: str) -> str:
    """The page with the terms of an edition."""
    return f"{address}/glossary"


def errata_path(edition: Edition) -> str:
    """The page with all errata and questions of an edition."""
    return f"{edition.address}/errata"


def aids_path(edition: Edition) -> str:
    """The page with all player aids of an edition."""
    return f"{edition.address}/aids"


def short_path(entry: Entry | TableEntry, former: str = "") -> str:
    """The short address of a rule, which leads to its page: `r/ocs/4.3/12.5c`; a table has one as well.

    `former`: of the number that it had.
    """
    return f"r/{entry.edition.address}/{former or entry.key}"


def former_paths(outline: Outline) -> Iterator[tuple[str, Entry]]:
    """Where rules and chapters stood under numbers that are no rule's any more."""
    taken = {chapter_path(chapter) for chapter in outline.chapters}
    for former, entry in outline.former.items():
        yield short_path(entry, former), entry
        number = outline.edition.dialect.parse(former)
        if number and len(number.labels) == 1 and not entry.parent:
            path = chapter_path(entry, number)
            if path not in taken:
                yield path, entry


def relative(start: str, path: str, anchor: str = "") -> str:
    """A link from one page to another, or to an anchor of it: `../12-supply/#12.5c`.

    Every page is a folder, so links work from any host, any sub-path and a disk.
    """
    fragment = f"#{quote(anchor, safe='/()§')}" if anchor else ""
    if start == path:
        return fragment or "./"
    here, there = start.split("/") if start else [], path.split("/") if path else []
    shared = 0
    while shared < min(len(here), len(there)) and here[shared] == there[shared]:
        shared += 1
    steps = [".."] * (len(here) - shared) + [quote(part, safe="()§") for part in there[shared:]]
    return "/".join(steps) + "/" + fragment if steps else f"./{fragment}"
