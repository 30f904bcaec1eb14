"""The words of a sheet, read from its data: line by line for the record, and the longest for its columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rulewright.print.line_break_points import BREAK, longest_segments


def sheet_lines(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Words of a sheet, line by line, however it is laid out."""
    since = (f"{data['edition']} · with errata of {data['amended']}",) if data["amended"] else ()
    return (*since, *(line.replace(BREAK, "") for side in data["sides"] for line in _lines(side) if line))


def _lines(node: Any) -> Iterator[str]:
    if isinstance(node, str):
        yield " ".join(node.split())
    elif isinstance(node, Mapping):
        if "picture" in node:
            yield f"[{node['alt']}]"
        for name, value in node.items():
            if name in _NAMES and isinstance(value, list) and all(isinstance(one, str) for one in value):
                yield from value
            elif isinstance(value, list | Mapping) and name not in _UNSPOKEN:
                yield from _lines(value)
            elif isinstance(value, str) and name in _SAID:
                yield " ".join(value.split())
    elif isinstance(node, list) and node and all(_is_inline(one) for one in node):
        yield " ".join(_text(node).split())
    elif isinstance(node, list):
        for one in node:
            yield from _lines(one)


_SAID = ("title", "date", "label", "number", "again", "instead", "mark", "roll", "value", "tab", "of")
"""Names of strings that are words."""

_NAMES = ("header", "columns", "over")
"""Names of lists of which each string is a line."""

_UNSPOKEN = ("place", "letters", "begins", "boxes", "fighters", "longest")
"""Names of lists that hold no words, or those of others once more."""


def widest_words(made: Mapping[str, Any]) -> list[str]:
    """The words with most letters, one of which is the widest."""
    return longest_segments(_lines(made), 3)


def _is_inline(node: Any) -> bool:
    return isinstance(node, str) or (isinstance(node, dict) and not {"b", "i", "ref"}.isdisjoint(node))


def _text(nodes: Iterable[Any]) -> str:
    return "".join(
        node if isinstance(node, str) else _text(next(node[key] for key in ("b", "i", "ref") if key in node))
        for node in nodes
    )
