"""The build line, from the content folder to everything that is made of it. Begin reading here.

    content ──gather──► Folder ──read──► Library ──amend──► as amended ──arrange──► Outlines ──cite──► Shelf
                                                                                     ├──check──► problems
                                                                                     ├──press──► PDFs
                                                                                     └──render─► pages, files

Nothing here writes a file, knows the host that serves the pages, or raises on content: what is wrong
is part of the result.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from rulewright.app.live_press import LivePress
from rulewright.checks import settings_faults
from rulewright.checks.examine import Examined, check, counted, shelve
from rulewright.citations import manuscript
from rulewright.print.press import of_site, sheet_order  # noqa: F401  whose kinds of problem are documented
from rulewright.site import guide, navigation, pages, redirect_pages
from rulewright.site.artifacts import Artifacts, Branch, Counts, Prints, settled_files
from rulewright.site.context import ENGLISH, Desk
from rulewright.source.folder import gather, overlaid
from rulewright.source.kept import Cache
from rulewright.source.problems import Problem, Severity, in_order
from rulewright.source.settings import setting

Press = Callable[[Examined], Prints]
"""Prints what is sound."""


def build(
    project: Path,
    cache: Cache | None = None,
    press: Press | None = None,
    live: LivePress | None = None,
    legible: dict[str, bytes] | None = None,
) -> Artifacts:
    """Build all that is made of a project's content; print only what is sound, and with a `press`.

    `live`: a press that prints later, when it is asked; then pages and files, too, are made when they are
    first asked for. `cache` saves the next build, if it is given to it, reading files that have not changed.
    With `legible`, which it keeps too, everything is made of the last text of each file that could be read
    without an error.
    """
    folder = gather(project)
    cache = {} if cache is None else cache
    shelved = written = shelve(folder, cache)
    if legible is not None:
        faulty = written.library.faulty
        last = {name: legible[name] for name in faulty & legible.keys()}
        legible.clear()
        legible.update({name: folder.texts[name] for name in folder.texts.keys() - faulty}, **last)
        if last:
            folder = overlaid(folder, last)
            shelved = shelve(folder, cache)
    examined = functools.cache(functools.partial(check, written))
    settings = tuple(settings_faults.faults(project, folder.settings))
    language = setting(project, "theme", "language") or ENGLISH
    desk = Desk(shelved.shelf, language)
    prints = live.take(desk, lambda: examined().problems) if live else Prints()
    if press and not any(problem.severity is Severity.ERROR for problem in examined().problems):
        prints = press(examined())

    def problems() -> tuple[Problem, ...]:
        return tuple(in_order((*examined().problems, *settings, *prints.problems)))

    parts = dict.fromkeys(map(pages.part_of, ("", *folder.texts, *folder.others)))
    shared = [pages.share(desk, shelved.library, part, prints) for part in parts]
    shared.sort(key=lambda share: share.is_behind)
    made, files, nav = pages.assembled(shared, guide.EDITORS if guide.is_own(project) else (), language)
    files |= redirect_pages.files(shelved.moved, desk)
    guides, branch = guide.pages(project)
    if branch:
        made, nav = (*made, *guides), navigation.beneath("docs", nav, (branch, Branch("", "checks")))
    prose = {page.name: manuscript.linked(page) for page in shelved.manuscripts}
    counts = counted(shelved.shelf).values()
    references = sum(count.references for count in counts)
    references += sum(len(page.resolved) for page in shelved.manuscripts)
    return Artifacts(
        pages=made,
        prose=prose,
        files={**(files if live else settled_files(files)), **prints.files},
        nav=nav,
        looks={book: look for share in shared for book, look in share.looks.items()},
        languages={book: one for share in shared for book, one in share.languages.items()},
        problems=(*written.problems, *settings) if live else problems(),
        later=problems if live else None,
        of_print=frozenset(prints.problems),
        unprinted=tuple(prints.failed),
        versions={path: found for share in shared for path, found in share.versions.items()},
        counts=Counts(len(made) + len(prose), sum(count.rules for count in counts), references),
        search={address: found for share in shared for address, found in share.search.items()},
        editions={address: names for share in shared for address, names in share.names.items()},
        dates={address: dates for share in shared for address, dates in share.dates.items()},
    )
