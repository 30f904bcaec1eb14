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
from pathlib import Path

from rulewright.app.record import stamp
from rulewright.book.filing import Cache
from rulewright.checks.checked import Contents
from rulewright.checks.parts import Parts
from rulewright.citations.shelf import Shelf
from rulewright.print.press import sheet_order  # noqa: F401  whose kinds of problem are documented with all others
from rulewright.site import guide, navigation, pages
from rulewright.site.artifacts import Artifacts, Branch, Counts, Prints
from rulewright.site.context import Desk
from rulewright.source.folder import gather
from rulewright.source.problems import Severity, in_order
from rulewright.source.processes import share_out
from rulewright.source.settings import short_form
from rulewright.source.store import key, of_project

Press = Callable[[Shelf], Prints]
"""Prints the books on a shelf."""


def build(project: Path, cache: Cache | None = None, press: Press | None = None) -> Artifacts:
    """Build all that is made of a project's content; print only what is sound, and with a `press`.

    The share of each part in the site is kept by all that it is made of, and only what has changed is read.
    """
    parts = Parts(Contents(gather(project)), of_project("examined", project), cache)
    checked = parts.checked()
    sound = not any(problem.severity is Severity.ERROR for problem in checked.problems)
    prints = press(parts.examined(parts.names).shelf) if press and sound else Prints()
    short = short_form(project)
    shares = _shares(project, parts, prints, short)
    made, files, nav = pages.assembled(shares, short)
    guides, branch = guide.pages(project)
    if branch:
        made, nav = (*made, *guides), navigation.beneath("docs", nav, (branch, Branch("", "checks")))
    prose = {name: linked for share in shares for name, linked in share.prose.items()}
    rules = sum(count.rules for count in checked.counts.values())
    return Artifacts(
        pages=made,
        prose=prose,
        files={**files, **prints.files},
        nav=nav,
        looks={book: look for share in shares for book, look in share.looks.items()},
        problems=tuple(in_order((*checked.problems, *prints.problems))),
        of_print=frozenset(prints.problems),
        unprinted=tuple(prints.failed),
        versions={path: found for share in shares for path, found in share.versions.items()},
        counts=Counts(len(made) + len(prose), rules, checked.references),
        editions={address: names for share in shares for address, names in share.names.items()},
    )


def _shares(project: Path, parts: Parts, prints: Prints, short: str) -> list[pages.Share]:
    """The share of every part, from the store or rendered."""
    store = of_project("pages", project)
    around = {part: _around(parts, part) for part in parts.names}
    keys = {}
    for part in parts.names:
        printed = [one for one in sorted(prints.sheets.items()) if one[0].startswith(f"{part}/")]
        failed = [one for one in sorted(prints.failed.items()) if one[0].startswith(f"{part}/")]
        told = repr((part, short, printed, prints.missing, failed))
        pictures = sorted(name for one in around[part] for name in parts.beside(one))
        stamps = (f"{name} {stamp(str(project / name))}" for name in pictures)
        keys[part] = key("share", told, *map(parts.key, sorted(around[part])), *stamps)
    known = {part: store.load(keys[part]) for part in parts.names}
    todo = [part for part, share in known.items() if not isinstance(share, pages.Share)]
    if todo:
        every = frozenset[str]().union(*(around[part] for part in todo))
        # What belongs together is read once; where most does not, each processor reads what it renders.
        at_once = sum(len(around[part]) for part in todo) > 2 * len(every)
        world = parts.examined(every) if at_once else None

        def render(at: int) -> pages.Share:
            one = world or parts.examined(around[todo[at]])
            desk = Desk(one.shelf)
            return pages.share(desk, one.library, todo[at], prints, short, one.manuscripts, one.moved)

        sizes = [parts.size(part) for part in todo]
        for at, share in share_out(render, len(todo), sum(sizes) - max(sizes)):
            known[todo[at]] = share
            store.keep(keys[todo[at]], share)
    return sorted((known[part] for part in parts.names), key=lambda share: share.is_behind)


def _around(parts: Parts, part: str) -> frozenset[str]:
    """A part, those that cite it, and all that any of them needs."""
    found, more = set[str](), {part, *(one for one in parts.names if part in parts.needs(one))}
    while more - found:
        found |= more
        more = {need for one in found for need in parts.needs(one)}
    return frozenset(found)
