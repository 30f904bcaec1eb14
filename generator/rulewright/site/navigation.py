"""Finding one's way: the site's navigation and a page's contents.

Both are plain values in the forms that MkDocs and Material read; that is all this file knows of them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from rulewright.site.artifacts import Branch, Section

FOOT = ("credits",)
"""Pages of the content that are named at the foot of every page, not in the list of what can be read."""


def every(branches: Iterable[Branch]) -> Iterator[Branch]:
    """Walk all branches in order, nested ones included."""
    for branch in branches:
        yield branch
        yield from every(branch.branches)


def placed(branches: Sequence[Branch], paths: Iterable[str]) -> tuple[Branch, ...]:
    """The navigation with pages inserted: each below the nearest page above it, or at the end."""
    homes = {branch.path for branch in every(branches)}
    below: dict[str | None, list[Branch]] = {}
    for path in paths:
        if path in homes:
            continue
        home = posixpath.dirname(path)
        while home and home not in homes:
            home = posixpath.dirname(home)
        below.setdefault(home, []).append(Branch("", path))

    def grown(branch: Branch) -> Branch:
        own = below.get(branch.path, []) if branch.path else []
        return branch._replace(branches=(*map(grown, branch.branches), *own))

    return (*map(grown, branches), *below.get("", []))


def without(branches: Iterable[Branch], paths: Container[str | None]) -> tuple[Branch, ...]:
    """The navigation without some pages; what stands below them moves up to their place."""
    kept: list[Branch] = []
    for one in branches:
        below = without(one.branches, paths)
        kept += below if one.path in paths else [one._replace(branches=below)]
    return tuple(kept)


def beneath(path: str, branches: Iterable[Branch], more: Sequence[Branch]) -> tuple[Branch, ...]:
    """The navigation with more branches at the end of the one at a path; as it is where that is not there."""
    return tuple(
        one._replace(branches=(*one.branches, *more)) if one.path == path else one for one in branches
    )


def listed(branches: Iterable[Branch], sources: Mapping[str, str]) -> list[Any]:
    """The navigation as in mkdocs.yml; a page without a title there has its own. `sources`: files by path."""
    entries: list[Any] = []
    for branch in branches:
        own = [] if branch.path is None else [sources.get(branch.path, branch.path)]
        if branch.branches or own:
            entry = [*own, *listed(branch.branches, sources)] if branch.branches else own[0]
            entries.append({escape(branch.title): entry} if branch.title else entry)
    return entries


def contents(sections: Sequence[Section]) -> list[dict[str, Any]]:
    """A page's table of contents: sections as a tree by their levels."""
    top: list[dict[str, Any]] = []
    path: list[dict[str, Any]] = []
    # Material takes level 1 for the page's own heading and shows only what is below it.
    deeper = 0 if begins_with_heading(sections) else 1
    for section in sections:
        name = escape(section.title)
        name = f'<span lang="en">{name}</span>' if section.is_ours else name
        link: dict[str, Any] = {"id": escape(section.anchor), "name": name, "children": []}
        link["level"] = section.level + deeper
        while path and path[-1]["level"] >= link["level"]:
            path.pop()
        (path[-1]["children"] if path else top).append(link)
        path.append(link)
    return top


def begins_with_heading(sections: Sequence[Section]) -> bool:
    """Whether the first section is the whole page's: no other is of its level."""
    return bool(sections) and sum(section.level == sections[0].level for section in sections) == 1
