"""The build line, from the content folder to everything that is made of it. Begin reading here.

    content ──gather──► Folder ──read──► Library ──amend──► as amended ──arrange──► Outlines ──cite──► Shelf
                                                                                     ├──check──► problems
                                                                                     ├──press──► PDFs
                                                                                     └──render─► pages, files

Nothing here writes a file, knows the host that serves the pages, or raises on content: what is wrong
is part of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulewright.app.live_press import LivePress
from rulewright.book.filing import Cache
from rulewright.checks import site_settings
from rulewright.checks.checked import Contents
from rulewright.checks.examine import Examined
from rulewright.checks.parts import Parts
from rulewright.print.press import of_site, sheet_order  # noqa: F401  whose kinds of problem are documented
from rulewright.site import guide, navigation, pages
from rulewright.site.artifacts import Artifacts, Branch, Counts, Prints
from rulewright.site.context import Desk
from rulewright.source.folder import Folder, gather, overlaid
from rulewright.source.problems import Severity, in_order
from rulewright.source.processes import share_out
from rulewright.source.settings import short_form
from rulewright.source.store import key, of_project, stamp

Press = Callable[[Parts], Prints]
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

    The share of each part in the site is kept by all that it is made of, and only what has changed is read.
    `live`: a press that prints later, when it is asked. `cache` and `shares` save the next build, if they are
    given to it, reading what has not changed: files, and the shares of parts. With `legible`, which it keeps
    too, everything is made of the last text of each file that could be read without an error.
    """
    shares = {} if shares is None else shares

    def begin(folder: Folder) -> tuple[Rendering, Parts]:
        contents = Contents(folder)
        rendering = Rendering(project, contents, shares, live)
        then = None if press else rendering.share
        return rendering, Parts(contents, of_project("examined", project), cache, then)

    folder = gather(project)
    rendering, parts = begin(folder)
    settings = list(site_settings.faults(project, folder.settings))
    checked = parts.checked()
    if legible is not None:
        last = {name: legible[name] for name in checked.faulty & legible.keys()}
        legible.clear()
        legible.update({name: folder.texts[name] for name in folder.texts.keys() - checked.faulty}, **last)
        if last:
            rendering, parts = begin(overlaid(folder, last))
    sound = not any(problem.severity is Severity.ERROR for problem in checked.problems)
    rendering.prints = prints = press(parts) if press and sound else Prints()
    shared = rendering.shares(parts)
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
        problems=tuple(in_order((*checked.problems, *settings, *prints.problems))),
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
    """How parts of the content are rendered: the form of short addresses, and what is printed of them.

    `last`: the shares of the last build; the `store` has those too.
    """

    project: Path
    contents: Contents
    last: Shares
    live: LivePress | None = None
    prints: Prints = field(default_factory=Prints)

    def __post_init__(self) -> None:
        self.short = short_form(self.project)
        self.store = of_project("pages", self.project)

    def share(self, examined: Examined, part: str) -> pages.Share:
        """Render the share of a part in the site."""
        desk = Desk(examined.shelf)
        prints = self.live.promised(examined, desk, part) if self.live else self.prints
        manuscripts, moved = examined.manuscripts, examined.moved
        beside = key(self.contents.beside_chapters(part), *self.told(part, [part]))
        last = self._latest(part)
        return pages.share(desk, examined.library, part, prints, self.short, manuscripts, moved, beside, last)

    def told(self, part: str, around: Iterable[str]) -> Iterator[str]:
        """All that a share is made of beside texts, for its key: pictures around it, and what is printed."""
        for name in sorted(name for one in around for name in self.contents.beside(one)):
            yield f"{name} {stamp(str(self.project / name))}"
        if self.live:
            yield repr((self.short, "live", self.live.missing))
        else:
            printed, failed = (
                [one for one in sorted(told.items()) if one[0].startswith(f"{part}/")]
                for told in (self.prints.sheets, self.prints.failed)
            )
            yield repr((self.short, printed, self.prints.missing, failed))

    def shares(self, parts: Parts) -> list[pages.Share]:
        """The share of every part: that of the last build, from the store, or rendered."""
        around = {part: parts.around(part) for part in parts.names}
        keys = {
            part: key("share", part, *self.told(part, near), *map(parts.key, sorted(near)))
            for part, near in around.items()
        }
        known: dict[str, Any] = {
            part: parts.done(part) or self._kept(part, keys[part]) for part in parts.names
        }
        todo = [part for part, share in known.items() if share is None]
        if todo:
            every = frozenset[str]().union(*(around[part] for part in todo))
            # What belongs together is read once; where most does not, each processor reads what it renders.
            if sum(len(around[part]) for part in todo) > 2 * len(every):
                parts.examined(every)

            def render(at: int) -> pages.Share:
                return self.share(parts.examined(around[todo[at]]), todo[at])

            sizes = [parts.size(part) for part in todo]
            for at, share in share_out(render, len(todo), sum(sizes) - max(sizes)):
                known[todo[at]] = share
        anew = [part for part in parts.names if part in todo or parts.done(part)]
        for part in anew if not self.last else ():  # those of each edit, while serving, nobody asks for again
            self.store.keep(keys[part], known[part])
            self.store.put(_latest(part), keys[part].encode())
        self.last.clear()
        self.last.update((part, (keys[part], known[part])) for part in parts.names)
        return sorted((known[part] for part in parts.names), key=lambda share: share.is_behind)

    def _kept(self, part: str, its_key: str) -> pages.Share | None:
        """The share of a key, if it is still there."""
        last_key, last = self.last.get(part, ("", None))
        share = last if last_key == its_key else self.store.load(its_key)
        return share if isinstance(share, pages.Share) else None

    def _latest(self, part: str) -> pages.Share:
        """The share of a part that was made last, of whatever; an empty one where none is kept."""
        latest = self.store.get(_latest(part))
        share = self._kept(part, latest.decode()) if latest else None
        return share or pages.NOTHING


def _latest(part: str) -> str:
    """Where the store has the key of a part's latest share."""
    return key("latest share", part)
