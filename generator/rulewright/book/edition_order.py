"""Order of the editions of a book."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.files.content_folder import natural_sort_key
from rulewright.schema.rulebook import EditionFile


def order_editions(files: Mapping[str, EditionFile]) -> list[str]:
    """Sort the addresses of a book's editions, oldest first: by predecessor, else by date, else by name."""
    waiting = sorted(files, key=lambda address: (files[address].date or "", natural_sort_key(address)))
    names = {address.partition("/")[2]: address for address in waiting}
    ordered: list[str] = []
    while waiting:
        ready = (a for a in waiting if names.get(files[a].follows or "", a) == a)
        ordered.append(next(ready, waiting[0]))  # where each follows another of them, none is first
        waiting.remove(ordered[-1])
        names.pop(ordered[-1].partition("/")[2])
    return ordered
