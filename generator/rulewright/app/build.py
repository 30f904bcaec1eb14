"""The build line, from the content folder to everything that is made of it. Begin reading here.

    content ──gather──► Folder ──read──► Library ──amend──► as amended ──arrange──► Outlines ──cite──► Shelf
                                                                                     ├──check──► problems
                                                                                     ├──press──► PDFs
                                                                                     └──render─► pages, files

Nothing here writes a file, knows the host that serves the pages, or raises on content: what is wrong
is part of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.app.live_press import LivePress
from rulewright.book.filing import Cache
from rulewright.checks.checked import Contents
from rulewright.checks.examine import Examined
from rulewright.checks.parts import Parts
from rulewright.print.press import of_site, sheet_order  # noqa: F401  whose kinds of problem are documented
from rulewright.site import guide, navigation, pages
from rulewright.site.artifacts import Artifacts, Branch, Counts, Prints
from rulewright.site.context import Desk
from rulewright.source.folder import gather
from rulewright.source.problems import Severity, in_order
from rulewright.source.processes import share_out
from rulewright.source.settings import short_form
from rulewright.source.store import key, of_project, stamp

Press = Callable[[Parts], Prints]
"""Prints what is sound."""

Shares = dict[str, pages.Share]
"""Shares of the parts of the content in the site, by the keys of what they were made of."""


def build(
    project: Path,
    cache: Cache | None = None,
    press: Press | None = None,
    live: LivePress | None = None,
    shares: Shares | None = None,
) -> Artifacts:
    """Build all that is made of a project's content; print only what is sound, and with a `press`.

    The share of each part in the site is kept by all that it is made of, and only what has changed is read.
    `live`: a press that prints later, when it is asked. `cache` and `shares` save the next build, if they are
    given to it, reading what has not changed: files, and the shares of parts.
    """
    rendering = Rendering(short_form(project), live)
    then = None if press else rendering.share
    parts = Parts(Contents(gather(project)), of_project("examined", project), cache, then)
    checked = parts.checked()
    sound = not any(problem.severity is Severity.ERROR for problem in checked.problems)
    rendering.prints = prints = press(parts) if press and sound else Prints()
    shared = _shares(project, parts, rendering, {} if shares is None else shares)
    aside = guide.EDITORS if guide.is_own(project) else ()
    made, files, nav = pages.assembled(shared, rendering.short, aside)
    guides, branch = guide.pages(project)
    if branch:
        made, nav = (*made, *guides), navigation.beneath("docs", nav, (branch, Branch("", "checks")))
    prose = {name: linked for share in shared for name, linked in share.prose.items()}
    rules = sum(count.rules for count in checked.counts.values())
    if live:
        live.take(parts)
    return Artifacts(
        pages=made,
        prose=prose,
        files={**files, **prints.files},
        marks={
            name: mark
            for share in shared
            for name, mark in share.marks.items()
            if files[name] is share.files[name]
        },
        nav=nav,
        looks={book: look for share in shared for book, look in share.looks.items()},
        problems=tuple(in_order((*checked.problems, *prints.problems))),
        of_print=frozenset(prints.problems),
        unprinted=tuple(prints.failed),
        versions={path: found for share in shared for path, found in share.versions.items()},
        counts=Counts(len(made) + len(prose), rules, checked.references),
        search={address: found for share in shared for address, found in share.search.items()},
        editions={address: names for share in shared for address, names in share.names.items()},
        dates={address: dates for share in shared for address, dates in share.dates.items()},
    )


@dataclass
class Rendering:
    """How parts of the content are rendered: the form of short addresses, and what is printed of them."""

    short: str
    live: LivePress | None = None
    prints: Prints = field(default_factory=Prints)

    def share(self, examined: Examined, part: str) -> pages.Share:
        """Render the share of a part in the site."""
        desk = Desk(examined.shelf)
        prints = self.live.promised(examined, desk, part) if self.live else self.prints
        return pages.share(
            desk, examined.library, part, prints, self.short, examined.manuscripts, examined.moved
        )

    def told(self, part: str) -> str:
        """All that a share is made of beside the content, for its key."""
        if self.live:
            return repr((self.short, "live", self.live.missing))
        printed, failed = (
            [one for one in sorted(told.items()) if one[0].startswith(f"{part}/")]
            for told in (self.prints.sheets, self.prints.failed)
        )
        return repr((self.short, printed, self.prints.missing, failed))


def _shares(project: Path, parts: Parts, rendering: Rendering, last: Shares) -> list[pages.Share]:
    """The share of every part: the last one, from the store, or rendered."""
    store = of_project("pages", project)
    around = {part: parts.around(part) for part in parts.names}
    keys = {}
    for part in parts.names:
        pictures = sorted(name for one in around[part] for name in parts.beside(one))
        stamps = (f"{name} {stamp(str(project / name))}" for name in pictures)
        material = (part, rendering.told(part), *map(parts.key, sorted(around[part])), *stamps)
        keys[part] = key("share", *material)
    known = {part: parts.done(part) or last.get(keys[part]) or store.load(keys[part]) for part in parts.names}
    todo = [part for part, share in known.items() if not isinstance(share, pages.Share)]
    if todo:
        every = frozenset[str]().union(*(around[part] for part in todo))
        # What belongs together is read once; where most does not, each processor reads what it renders.
        if sum(len(around[part]) for part in todo) > 2 * len(every):
            parts.examined(every)

        def render(at: int) -> pages.Share:
            return rendering.share(parts.examined(around[todo[at]]), todo[at])

        sizes = [parts.size(part) for part in todo]
        for at, share in share_out(render, len(todo), sum(sizes) - max(sizes)):
            known[todo[at]] = share
    for part in (part for part in parts.names if part in todo or parts.done(part)):
        store.keep(keys[part], known[part])
    last.clear()
    last.update((keys[part], known[part]) for part in parts.names)
    return sorted((known[part] for part in parts.names), key=lambda share: share.is_behind)
