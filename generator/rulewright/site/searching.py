"""Index of Material's search, one for the readers of each edition, written when the pages are.

From the pages of no edition all editions are found by their titles: their texts would be more than a phone
wants to fetch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from json import dumps
from typing import Any
from urllib.parse import quote, unquote

from rulewright.numbers.dialect import SEPARATOR
from rulewright.site.artifacts import Page, Searched, Section
from rulewright.site.navigation import begins_with_heading

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

Entry = dict[str, Any]


def searched(pages: Iterable[Page]) -> Searched:
    """The entries of the pages of an edition."""
    found = [entry for page in pages for entry in search_entries(page, quote(f"{page.path}/"))]
    return Searched(_json(found), _json({**entry, "text": ""} for entry in found))


def search_entries(page: Page, address: str, weight: float = 1) -> Iterator[Entry]:
    """A page and each of its sections as entries of the search index."""
    sections = list(page.sections)
    heading = sections.pop(0) if begins_with_heading(sections) else Section("", "")
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
    editions: Mapping[str, Searched], others: Iterable[Entry], empty: str
) -> Iterator[tuple[str, str]]:
    """The index of each edition, and under no name that of all other pages.

    `others`: entries of pages that are in none of `editions`' own. `empty`: an index without entries.
    """
    aside: dict[str, list[Entry]] = {edition: [] for edition in ("", *editions)}
    for entry in others:
        page = unquote(entry["location"].partition("#")[0])
        edition = "/".join(page.split("/")[:2])
        aside[edition if edition in editions else ""].append(entry)
    head, _, tail = empty.rpartition("[]")
    every = [_json(aside[""])]
    for edition, own in editions.items():
        yield edition, f"{head}[{_joined([own.entries, _json(aside[edition])])}]{tail}"
        every += [own.titles, _json({**entry, "text": ""} for entry in aside[edition])]
    yield "", f"{head}[{_joined(every)}]{tail}"


def _joined(texts: Iterable[str]) -> str:
    return ",".join(filter(None, texts))


def _json(entries: Iterable[Entry]) -> str:
    return dumps([*entries], separators=(",", ":"))[1:-1]


def _plain(text: str) -> str:
    """Text as Material's search wants it, which is HTML."""
    return escape(text, quote=False)
