"""Finding one's way: the site's navigation, a page's contents, the words of the search.

All three are plain values in the forms that MkDocs and Material read; that is all this file knows of them.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any
from urllib.parse import unquote

from rulewright.numbers.dialect import SEPARATOR
from rulewright.site.artifacts import Branch, Page, Section


def every(branches: Iterable[Branch]) -> Iterator[Branch]:
    """All branches in order, those within others too."""
    for branch in branches:
        yield branch
        yield from every(branch.branches)


def placed(branches: Sequence[Branch], paths: Iterable[str]) -> tuple[Branch, ...]:
    """The navigation with more pages: each below the nearest page above it that is there, or at the end."""
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
        return replace(branch, branches=(*map(grown, branch.branches), *own))

    return (*map(grown, branches), *below.get("", []))


def beneath(path: str, branches: Iterable[Branch], more: Sequence[Branch]) -> tuple[Branch, ...]:
    """The navigation with more branches at the end of the one at a path; as it is where that is not there."""
    return tuple(
        replace(one, branches=(*one.branches, *more)) if one.path == path else one for one in branches
    )


def listed(branches: Iterable[Branch], sources: Mapping[str, str]) -> list[Any]:
    """The navigation as mkdocs.yml would have it; `sources` are the files of the pages, by path.

    A page without a title in the navigation is named by its own.
    """
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
    deeper = 0 if _begins_with_heading(sections) else 1
    for section in sections:
        link: dict[str, Any] = {"id": escape(section.anchor), "name": escape(section.title), "children": []}
        link["level"] = section.level + deeper
        while path and path[-1]["level"] >= link["level"]:
            path.pop()
        (path[-1]["children"] if path else top).append(link)
        path.append(link)
    return top


SEARCH: Mapping[str, Any] = {
    "separator": SEPARATOR,
    "pipeline": ["stopWordFilter"],  # a stemmer would take numbers for words
    "fields": {"names": {"boost": 1000}, "words": {"boost": 1}},  # of the entries, beside title and text
}
"""Settings of Material's search, which hold where mkdocs.yml has none of its own."""


ASIDE = 0.0005
"""The weight in the search of pages that belong to no edition.

A word in a title counts a thousand times one in a text, and readers look for rules: a word in the text of a
rule still comes before one in the title of such a page.
"""


def search_entries(page: Page, address: str, weight: float = 1) -> Iterator[dict[str, Any]]:
    """A page and each of its sections as entries of the search index."""
    sections = list(page.sections)
    heading = sections.pop(0) if _begins_with_heading(sections) else Section("", "")
    aside = {} if weight == 1 else {"boost": weight}
    yield {"location": address, "title": _plain(page.title), "text": _plain(heading.text), **aside}
    for section in sections:
        entry = {"location": f"{address}#{section.anchor}", "title": _plain(section.title)}
        more = {"names": section.names, "words": section.words}
        entry |= {name: _plain(words) for name, words in more.items() if words}
        # The search completes what is typed: 5.1 finds 5.10 as well, and the shorter shall come first.
        is_rule = section.title.startswith(section.anchor)  # its anchor is its number
        boost = round(10 / len(section.anchor), 1) if is_rule else 1.0
        yield {**entry, "text": _plain(section.text), "boost": boost * weight}


def search_indexes(
    entries: Iterable[dict[str, Any]], editions: Iterable[str]
) -> dict[str, list[dict[str, Any]]]:
    """Entries of the search by the edition whose readers search them; under no name for all other pages.

    From those all editions are found by their titles: their texts would be more than a phone wants to fetch.
    """
    indexes: dict[str, list[dict[str, Any]]] = {"": [], **{edition: [] for edition in editions}}
    for entry in entries:
        page = unquote(entry["location"].partition("#")[0])
        edition = next((one for one in ("/".join(page.split("/")[:2]), "") if one in indexes), "")
        indexes[edition].append(entry)
        if edition:
            indexes[""].append({**entry, "text": ""})
    return indexes


def _plain(text: str) -> str:
    """Text as Material's search wants it, which is HTML."""
    return escape(text, quote=False)


def _begins_with_heading(sections: Sequence[Section]) -> bool:
    """Whether the first section is the whole page's: no other is of its level."""
    return bool(sections) and sum(section.level == sections[0].level for section in sections) == 1
