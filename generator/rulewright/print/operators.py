"""The operators in a content stream, found without reading what does not matter of their operands.

A book has half a million of them, of which a few thousand are looked at closely.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORD = re.compile(
    rb"""(?P<string>\() | %[^\r\n]* | <[0-9A-Fa-f\s]*> | /[^\0\t\n\f\r\ ()<>\[\]{}/%]*
    | (?P<operator>[A-Za-z'"][A-Za-z0-9*'"]*)""",
    re.VERBOSE,
)
_PLAIN_STRING = re.compile(rb"\((?:[^()\\]|\\.)*+\)", re.DOTALL)
_BRACKET = re.compile(rb"\\.|[()]", re.DOTALL)
_IMAGE_END = re.compile(rb"\sEI(?=[\s/\[(<]|\Z)")
_VALUES = (b"true", b"false", b"null")


def operators(data: bytes) -> Iterator[tuple[bytes, int, int, int]]:
    """Every operator: its word, where its operands begin, and where it begins and ends itself.

    An image in the content is one operator, `BI`, that ends behind its pixels.
    """
    begin = at = 0
    while found := _WORD.search(data, at):
        at = found.end()
        if found.lastgroup == "string":
            at = _string_end(data, at - 1)
        elif found.lastgroup == "operator" and found[0] not in _VALUES:
            if found[0] == b"BI":
                end = _IMAGE_END.search(data, at)
                at = end.end() if end else len(data)
            yield found[0], begin, found.start(), at
            begin = at


def _string_end(data: bytes, at: int) -> int:
    """The end of a string that begins at a place; that of the data where it has none."""
    if plain := _PLAIN_STRING.match(data, at):
        return plain.end()
    depth = 0
    for found in _BRACKET.finditer(data, at):
        depth += {b"(": 1, b")": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    return len(data)
