"""Finding one's way: the site's navigation and a page's contents.

Both are plain values in the forms that MkDocs and Material read; that is all this file knows of them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from rulewright.render.build_artifacts import NavItem, PageSection

FOOT = ("credits",)
"""Pages of the content that are named at the foot of every page, not in the list of what can be read."""


def iter_branches(branches: Iterable[NavItem]) -> Iterator[NavItem]:
    """Walk all branches in order, nested ones included."""
    for branch in branches:
        yield branch
        yield from iter_branches(branch.branches)


def insert_pages(items: Iterable[NavItem], pages: Iterable[NavItem]) -> tuple[NavItem, ...]:
    """Return the navigation with pages inserted: each below the nearest page above it, or at the end."""
    items = list(items)
    known_paths = {item.path for item in iter_branches(items)}
    inserted = {page.path: page for page in pages if page.path and page.path not in known_paths}
    below: dict[str | None, list[NavItem]] = {}
    for path, page in inserted.items():
        outer = posixpath.dirname(path)
        while outer and outer not in known_paths and outer not in inserted:
            outer = posixpath.dirname(outer)
        below.setdefault(outer, []).append(page)

    def insert(item: NavItem) -> NavItem:
        inner = below.get(item.path, ()) if item.path else ()
        return item._replace(branches=tuple(map(insert, (*item.branches, *inner))))

    return tuple(map(insert, (*items, *below.get("", ()))))


def remove_pages(items: Iterable[NavItem], paths: Container[str | None]) -> tuple[NavItem, ...]:
    """Return the navigation without some pages; the pages below them take their place."""
    remaining: list[NavItem] = []
    for item in items:
        below = remove_pages(item.branches, paths)
        remaining += below if item.path in paths else [item._replace(branches=below)]
    return tuple(remaining)


def append_below(path: str, items: Iterable[NavItem], more: Sequence[NavItem]) -> tuple[NavItem, ...]:
    """Return the navigation with more items at the end of the one at a path."""
    result = list(items)
    for index, item in enumerate(result):
        if item.path == path:
            result[index] = item._replace(branches=(*item.branches, *more))
    return tuple(result)


def from_mkdocs_nav(branches: Iterable[NavItem], sources: Mapping[str, str]) -> list[Any]:
    """The navigation as in mkdocs.yml; a page without a title there has its own. `sources`: files by path."""
    entries: list[Any] = []
    for branch in branches:
        own_file = [] if branch.path is None else [sources.get(branch.path, branch.path)]
        if branch.branches or own_file:
            entry = (
                [*own_file, *from_mkdocs_nav(branch.branches, sources)] if branch.branches else own_file[0]
            )
            entries.append({escape(branch.title): entry} if branch.title else entry)
    return entries


def table_of_contents(sections: Sequence[PageSection]) -> list[dict[str, Any]]:
    """A page's table of contents: sections as a tree by their levels."""
    top: list[dict[str, Any]] = []
    path: list[dict[str, Any]] = []
    # Material takes level 1 for the page's own heading and shows only what is below it.
    deeper = 0 if begins_with_heading(sections) else 1
    for section in sections:
        name = escape(section.title)
        name = f'<span lang="en">{name}</span>' if section.is_builtin else name
        link: dict[str, Any] = {"id": escape(section.anchor), "name": name, "children": []}
        link["level"] = section.level + deeper
        while path and path[-1]["level"] >= link["level"]:
            path.pop()
        (path[-1]["children"] if path else top).append(link)
        path.append(link)
    return top


def begins_with_heading(sections: Sequence[PageSection]) -> bool:
    """Whether the first section is the whole page's: no other is of its level."""
    return bool(sections) and sum(section.level == sections[0].level for section in sections) == 1
