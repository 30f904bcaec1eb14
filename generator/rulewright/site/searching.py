"""Index of what stands in the texts, for the box to find a rule with, one for each edition.

In the form of Material's search, which gathers ordinary pages; those of no edition have one of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from html import escape
from json import dumps
from typing import Any
from urllib.parse import quote, unquote

from rulewright.site.artifacts import Page, Section, settled
from rulewright.site.navigation import begins_with_heading

Entry = dict[str, Any]

_TAG, _BLOCK = re.compile(r"<[^<>]*>"), re.compile(r"</?(?:p|li|ol|ul|pre)\b[^<>]*>")


def searched(pages: Iterable[Page]) -> str:
    """The entries of the pages of an edition, as JSON without its brackets."""
    return _json(entry for page in pages for entry in search_entries(page, quote(f"{page.path}/")))


def search_entries(page: Page, address: str) -> Iterator[Entry]:
    """A page and each of its sections as entries of the search index."""
    sections = list(page.sections)
    heading = sections.pop(0) if begins_with_heading(sections) else Section("", "")
    yield {"location": address, "title": _plain(page.title), "text": _plain(heading.text)}
    for section in sections:
        entry = {"location": f"{address}#{section.anchor}", "title": _plain(section.title)}
        more = {"names": section.names, "words": section.words}
        entry |= {name: _plain(words) for name, words in more.items() if words}
        yield {**entry, "text": _plain(section.text)}


def search_indexes(
    editions: Mapping[str, str | Callable[[], str]], others: Callable[[], Iterable[Entry]], empty: str
) -> Iterator[tuple[str, Callable[[], str]]]:
    """Makers of the index of each edition and, under no name, of that of all other pages.

    `others`: entries of pages that are in none of `editions`' own. `empty`: an index without entries.
    """
    head, _, tail = empty.rpartition("[]")

    @cache
    def aside() -> Mapping[str, list[Entry]]:
        found: dict[str, list[Entry]] = {edition: [] for edition in ("", *editions)}
        for entry in others():
            page = unquote(entry["location"].partition("#")[0])
            edition = "/".join(page.split("/")[:2])
            words = {name: _untagged(entry[name]) for name in ("title", "text")}
            found[edition if edition in editions else ""].append({**entry, **words})
        return found

    def index(edition: str) -> str:
        own = settled(editions.get(edition, ""))
        entries = ",".join(filter(None, (own, _json(aside()[edition]))))
        return f"{head}[{entries}]{tail}"

    return ((edition, partial(index, edition)) for edition in ("", *editions))


def _json(entries: Iterable[Entry]) -> str:
    return dumps([*entries], separators=(",", ":"))[1:-1]


def _untagged(html: str) -> str:
    """Text without the few tags that Material's search leaves in it, which the box would show."""
    return " ".join(_TAG.sub("", _BLOCK.sub(" ", html)).split())


def _plain(text: str) -> str:
    """Text as Material's search wants it, which is HTML."""
    return escape(text, quote=False)
