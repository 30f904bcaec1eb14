"""The build line, from the content folder to everything that is made of it. Begin reading here.

    content ──gather──► Folder ──read──► Library ──amend──► as amended ──arrange──► Outlines ──cite──► Shelf
                                                                                     ├──check──► problems
                                                                                     ├──press──► PDFs
                                                                                     └──render─► pages, files

Nothing here writes a file, knows the host that serves the pages, or raises on content: what is wrong
is part of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from rulewright.app.live_press import LivePress
from rulewright.book.elsewhere import DECLARED
from rulewright.book.filing import Cache
from rulewright.checks import site_settings
from rulewright.checks.examine import Examined, examine_folder
from rulewright.citations import manuscript
from rulewright.citations.shelf import Shelf
from rulewright.print.press import of_site, sheet_order  # noqa: F401  whose kinds of problem are documented
from rulewright.site import guide, navigation, pages, redirect_pages
from rulewright.site.artifacts import Artifacts, Branch, Counts, Prints
from rulewright.site.context import Desk
from rulewright.source.folder import Folder, gather, overlaid
from rulewright.source.problems import Severity, in_order
from rulewright.source.processes import share_out
from rulewright.source.settings import short_form
from rulewright.source.store import key, stamp

Press = Callable[[Examined], Prints]
"""Prints what is sound."""

Shares = dict[str, tuple[str, pages.Share]]
"""The shares of the parts of the content in the site, each with the key of what it was made of."""


def build(
    project: Path,
    cache: Cache | None = None,
    press: Press | None = None,
    live: LivePress | None = None,
    shares: Shares | None = None,
    legible: dict[str, bytes] | None = None,
) -> Artifacts:
    """Build all that is made of a project's content; print only what is sound, and with a `press`.

    `live`: a press that prints later, when it is asked. `cache` and `shares` save the next build, if they are
    given to it, reading files and rendering books that have not changed. With `legible`, which it keeps too,
    everything is made of the last text of each file that could be read without an error.
    """
    folder = gather(project)
    cache = {} if cache is None else cache
    examined = checked = examine_folder(folder, cache=cache)
    settings = list(site_settings.faults(project, folder.settings))
    if legible is not None:
        last = {name: legible[name] for name in checked.faulty & legible.keys()}
        legible.clear()
        legible.update({name: folder.texts[name] for name in folder.texts.keys() - checked.faulty}, **last)
        if last:
            folder = overlaid(folder, last)
            examined = examine_folder(folder, cache=cache)
    sound = not any(problem.severity is Severity.ERROR for problem in checked.problems)
    desk, form = Desk(examined.shelf), short_form(project)
    prints = live.take(examined, desk) if live else press(examined) if press and sound else Prints()
    shared = _shares(project, folder, examined, prints, form, {} if shares is None else shares)
    made, files, nav = pages.assembled(shared, form, guide.EDITORS if guide.is_own(project) else ())
    files |= redirect_pages.files(examined.moved, desk)
    guides, branch = guide.pages(project)
    if branch:
        made, nav = (*made, *guides), navigation.beneath("docs", nav, (branch, Branch("", "checks")))
    prose = {page.name: manuscript.linked(page) for page in examined.manuscripts}
    rules = sum(count.rules for count in checked.counts.values())
    return Artifacts(
        pages=made,
        prose=prose,
        files={**files, **prints.files},
        nav=nav,
        looks={book: look for share in shared for book, look in share.looks.items()},
        problems=tuple(in_order((*checked.problems, *settings, *prints.problems))),
        of_print=frozenset(prints.problems),
        unprinted=tuple(prints.failed),
        versions={path: found for share in shared for path, found in share.versions.items()},
        counts=Counts(len(made) + len(prose), rules, checked.references),
        search={address: found for share in shared for address, found in share.search.items()},
        editions={address: names for share in shared for address, names in share.names.items()},
        dates={address: dates for share in shared for address, dates in share.dates.items()},
    )


def _shares(
    project: Path,
    folder: Folder,
    examined: Examined,
    prints: Prints,
    form: str,
    last: Shares,
) -> list[pages.Share]:
    """Each part's share, the largest rendered first, in parallel; kept where its and linked books stay."""
    parts: dict[str, list[str]] = {"": []}
    for name in (*folder.texts, *folder.others):
        parts.setdefault(pages.part_of(name), []).append(name)
    marks = {part: key(*_marks(project, folder, names)) for part, names in parts.items()}
    linked = _linked(examined.shelf)
    elsewhere = (
        folder.texts.get(DECLARED, b""),
        *(one for pair in folder.inventories.items() for one in pair),
    )
    base = key(form, folder.day, repr(prints.missing), *examined.library.editions, "", *elsewhere)
    keys = {
        part: key(
            base,
            *(marks.get(one, "") for one in sorted(linked.get(part, {part}))),
            *(repr(one) for one in sorted(prints.sheets.items()) if one[0].startswith(f"{part}/")),
            *(repr(one) for one in sorted(prints.failed.items()) if one[0].startswith(f"{part}/")),
        )
        for part in parts
    }
    known = {part: last[part][1] for part in parts if part in last and last[part][0] == keys[part]}
    sizes = {part: sum(len(folder.texts.get(name, b"")) for name in names) for part, names in parts.items()}
    todo = sorted(parts.keys() - known.keys(), key=lambda part: (-sizes[part], part))

    @cache
    def desk_of(books: frozenset[str]) -> Desk:
        return Desk(examined.shelf.only(books))

    def render(at: int) -> pages.Share:
        desk = desk_of(frozenset(linked.get(todo[at], {todo[at]})))
        return pages.share(desk, examined.library, todo[at], prints, form)

    beside = sum(sizes[part] for part in todo[1:])
    known |= {todo[at]: share for at, share in share_out(render, len(todo), beside)}
    last.clear()
    last.update((part, (keys[part], known[part])) for part in parts)
    return sorted((known[part] for part in parts), key=lambda share: share.is_behind)


def _marks(project: Path, folder: Folder, names: list[str]) -> Iterator[str | bytes]:
    for name in sorted(names):
        yield name
        yield folder.texts[name] if name in folder.texts else stamp(str(project / name))


def _linked(shelf: Shelf) -> dict[str, set[str]]:
    """The books linked with each book by extending or citing, in either direction, directly or not."""
    linked: dict[str, set[str]] = {}
    for first, second in shelf.leads():
        both = linked.setdefault(first, {first}) | linked.setdefault(second, {second})
        linked |= dict.fromkeys(both, both)
    return linked
