"""Index of the rule numbers of an edition, a script by which the browser finds the page of a rule."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.book.outline import Outline, RuleEntry
from rulewright.references import site_paths
from rulewright.render.search_index import data_script


def number_index(outline: Outline) -> str:
    """Return the script of an edition."""
    path = site_paths.number_index_path(outline.edition.address)
    return data_script(path, pages_by_number_prefix(outline.entries.values()))


def pages_by_number_prefix(entries: Iterable[RuleEntry]) -> dict[str, str]:
    """Return pages by number prefix: `12` is for all numbers that begin with it and have no longer prefix."""
    pages: dict[str, str] = {}
    for entry in entries:
        page = site_paths.chapter_path(entry.chapter).rpartition("/")[2]
        for name in (entry.chapter.number.labels[0], entry.key):
            beginnings = (entry.key[:end] for end in range(len(entry.key), 0, -1))
            known = next((pages[key] for key in beginnings if key in pages), None)
            if known != page and entry.key.startswith(name):
                pages[name] = page
    return pages
