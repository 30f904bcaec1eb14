"""Entering in references.lock that references have been read, and what they lead to."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from pathlib import Path

from rulewright.checks.examine import Examined, examine_folder
from rulewright.citations.resolving import missing
from rulewright.compare.drift import Finding, place_of, where
from rulewright.compare.passages import lock_of
from rulewright.compare.recording import Recording, record
from rulewright.model.reports import several
from rulewright.source.amounts import whole
from rulewright.source.folder import address_of, gather
from rulewright.source.refusal import Refusal, Unsound
from rulewright.source.transaction import replace

MOST_TOLD = 20
"""How many rules are told one by one."""

_LINE = re.compile(r"(.+?\.(?:yml|md))(?::(\d+)(?::\d+)?)?")


def accept(project: Path, read: Collection[str], *, every: bool, write: bool) -> Recording:
    """Record new references, and that those have been read which are named, or with `every` all.

    `read`: rules `ocs/4.3:12.5c`, books, files, or lines of files. Raises Refusal where there is no such
    thing, Unsound where content that cannot be read stands in the way, and Busy.
    """
    folder = gather(project)
    examined = examine_folder(folder).printed
    _refuse_unread(examined)
    tests, homes = _scope(read, examined)
    locks = {name: folder.texts[name] for name in examined.library.locks}

    def is_read(one: Finding) -> bool:
        return every or any(test(one) for test in tests)

    made = record(examined.shelf, examined.manuscripts, examined.drift, locks, homes, is_read)
    if write:
        replace(project, made.files, folder.texts)
    return made


def _refuse_unread(examined: Examined) -> None:
    """Raise Unsound where a file cannot be read, since what it refers to would be forgotten."""
    unread = {page.name for page in examined.manuscripts if page.problems and not page.text}
    names = examined.library.faulty | unread
    if names:
        wrong = [problem for problem in examined.problems if problem.place.file in names and problem.fails]
        raise Unsound(wrong, "nothing was recorded, since references in these files would be forgotten")


Test = Callable[[Finding], bool]


def _scope(words: Collection[str], examined: Examined) -> tuple[list[Test], list[str]]:
    """Accepted references, and folders whose locks are written. Raises Refusal where nothing is so named."""
    every = ["", *examined.shelf.newest, *examined.shelf.outlines]
    if not words:
        return [], every
    tests: list[Test] = []
    homes: list[str] = []
    for word in words:
        if line := _LINE.fullmatch(word.replace("\\", "/")):
            tests.append(_in_file(line[1].removeprefix("./"), line[2], examined))
            homes += every
        elif ":" in word:
            tests.append(_to_rule(word, examined))
            homes += every
        else:
            address = address_of(word)
            inside = [home for home in every if home == address or home.startswith(f"{address}/")]
            if not inside:
                raise examined.no_book(address)
            homes += inside
            tests.append(lambda one, inside=inside: one.reference.home in inside)  # type: ignore[misc]
    return tests, list(dict.fromkeys(homes))


def _in_file(name: str, line: str | None, examined: Examined) -> Test:
    """Whether one stands in a file or on its line, or is told there."""

    here = name if name.startswith("content/") else f"content/{name}"
    if here not in _files(examined):
        raise Refusal(f"no file {name} here; write it as the check does, content/ocs/4.3/faq.md:31")

    def test(one: Finding) -> bool:
        places = (one.reference.place, place_of(one))
        return any(at.file == here and (line is None or at.line == whole(line)) for at in places)

    return test


def _files(examined: Examined) -> Collection[str]:
    return [
        *examined.library.pages,
        *(name for edition in examined.library.editions.values() for name in edition.files),
        *(f"content/{book}/rulebook.yml" for book in examined.shelf.newest),
    ]


def _to_rule(word: str, examined: Examined) -> Test:
    """The references that lead, or led, to a rule."""

    address, _, written = word.partition(":")
    edition = examined.library.named(address_of(address))
    if edition is None:
        raise examined.no_book(address)
    outline = examined.shelf.outlines[edition.address]
    number = edition.dialect.parse(written.strip(), outline.home)
    key = number.key if number else written.strip()
    tables = {table.key for table in examined.shelf.tables[edition.address]}
    met = any(one.was.key == key for one in examined.drift.findings)
    if key not in outline.entries and key not in tables and not met:
        around = examined.shelf.around(outline)
        raise Refusal(missing(number, around) if number else f"{edition.short} has no rule {written}")

    def test(one: Finding) -> bool:
        target = one.reference.target
        keys = {one.was.key, target.key if target else ""}
        return one.reference.into is outline and key in keys

    return test


def told(made: Recording) -> list[str]:
    """The report of what was recorded, in lines."""
    lines = []
    again: dict[str, list[Finding]] = {}
    for one in made.again:
        again.setdefault(f"{one.reference.into.edition.address}:{one.was.key}", []).append(one)
    for name, every in list(again.items())[:MOST_TOLD]:
        lines.append(f"{name}: {several(len(every), 'reference')} read again, in {where(every)}")
    if len(again) > MOST_TOLD:
        lines.append(f"… and {several(len(again) - MOST_TOLD, 'more rule')}")
    for home in made.kept:
        came, went = made.new[home], made.gone[home]
        what = [f"{came} new"] if came else []
        what += [f"{went} gone"] if went else []
        if lock_of(home) in made.files:
            lines.append(", ".join([f"{lock_of(home)}: {several(made.kept[home], 'reference')}", *what]))
    if not made.files:
        lines.append("Nothing to record: everything is as it was read.")
    if made.left:
        left = several(len(made.left), "reference")
        lines.append(f"{left} still to be read or mended; `rulewright check` names them.")
    return lines
