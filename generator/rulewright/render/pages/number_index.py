"""Index of the rule numbers of an edition, a script by which the browser finds the page of a rule."""

from __future__ import annotations

from rulewright.book.outline import Outline
from rulewright.references import site_paths
from rulewright.render.search_index import data_script


def number_index(outline: Outline) -> str:
    """Return the script of an edition, with pages by number prefix.

    `12` is for all numbers that begin with it and have no longer prefix.
    """
    pages: dict[str, str] = {}
    for entry in outline.entries.values():
        page = site_paths.chapter_path(entry.chapter).rpartition("/")[2]
        prefixes = (entry.key[:end] for end in range(len(entry.key), 0, -1))
        if page != next((pages[prefix] for prefix in prefixes if prefix in pages), None):
            label = entry.chapter.number.labels[0]
            pages[label if entry.key.startswith(label) and label not in pages else entry.key] = page
    return data_script(site_paths.number_index_path(outline.edition.address), pages)
