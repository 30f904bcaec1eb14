"""The operators in a content stream, found without reading what does not matter of their operands.

A book has half a million of them, of which a few thousand are looked at closely.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache

_SIGN = rb"[A-Za-z0-9*'\"]"
_VALUE = rb"(?:true|false|null)(?!%s)" % _SIGN
# Each part ends where it can be read in no other way: else many of them could be parted in as many ways.
_NAME = rb"/[^\0\t\n\f\r\ ()<>\[\]{}/%]*(?=[\0\t\n\f\r\ ()<>\[\]{}/%]|\Z)"
_STRING = rb"\([^()\\]*(?:\\.[^()\\]*)*\) | <(?:[0-9A-Fa-f\s]*>|(?![0-9A-Fa-f\s]*>))"
_OTHERS = rb"[^(%</A-Za-z'\"]*"
_OPERANDS = rb"%s(?:(?: %s | %s | %%[^\r\n]*(?=[\r\n]|\Z) | %s ) %s)*" % (
    _OTHERS,
    _STRING,
    _NAME,
    _VALUE,
    _OTHERS,
)
_WORD = rb"(?!%s)[A-Za-z'\"]%s*" % (_VALUE, _SIGN)
_MOST_AT_ONCE = 100
"""So many operators are passed over in one go: each takes memory until the one behind them is found."""

SHOWS = frozenset(("Tj", "TJ", "'", '"'))
FILLS = frozenset(("f", "F", "f*", "B", "B*", "b", "b*"))
STROKES = frozenset(("S", "s", "B", "B*", "b", "b*"))
PAINTS = SHOWS | FILLS | STROKES | {"Do", "sh", "BI"}
COLOURS = frozenset(("sc", "scn", "cs", "g", "rg", "k", "SC", "SCN", "CS", "G", "RG", "K"))

_BRACKET = re.compile(rb"\\.|[()]", re.DOTALL)
_IMAGE_END = re.compile(rb"\sEI(?=[\s/\[(<]|\Z)")


@cache
def _operation(wanted: frozenset[str]) -> re.Pattern[bytes]:
    """Compile a pattern for operators to skip and the next one that is wanted, or any if none is named."""
    named = b"|".join(re.escape(word.encode()) for word in sorted(wanted)) or _WORD
    others = rb"(?:%s(?!(?:%s)(?!%s))%s){0,%d}" % (_OPERANDS, named, _SIGN, _WORD, _MOST_AT_ONCE)
    return re.compile(rb"%s(%s)(%s)?" % (others, _OPERANDS, _WORD), re.VERBOSE | re.DOTALL)


def iter_operators(data: bytes, wanted: Collection[str] = ()) -> Iterator[tuple[str, int, int, int]]:
    """The operators that are wanted, or all: word, where its operands begin, where it begins and ends itself.

    An image in the content is one operator, `BI`, that ends behind its pixels.
    """
    matched = _operation(frozenset(wanted)).match
    begin = at = 0
    while at < len(data) and (match := matched(data, at)):
        if (first := match.start(1)) > at:  # behind others
            begin = first
        at, word = match.end(), match[2]
        if word is None:  # a string with brackets in it, or without an end
            at = _string_end(data, at)
            continue
        if word == b"BI":
            end = _IMAGE_END.search(data, at)
            at = end.end() if end else len(data)
        if not wanted or word.decode("latin-1") in wanted:
            yield word.decode("latin-1"), begin, match.start(2), at
        begin = at


def _string_end(data: bytes, at: int) -> int:
    """The end of a string that begins at a place; that of the data where it has none."""
    depth = 0
    for match in _BRACKET.finditer(data, at):
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(data)
