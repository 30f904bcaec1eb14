"""Labels on the pages of a book, read by its dialect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulewright.numbers.dialect import Dialect, Number
from rulewright.numbers.guessing import NAMED

_ENDS = ".:)]—–-,"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text that opens with a label: the number, the label as printed, and where what follows begins."""

    number: Number
    printed: str
    end: int


def labelled(text: str, dialect: Dialect, least: int = 1) -> Labelled | None:
    """The label that a text opens with, of `least` levels or more, or None."""
    named = NAMED.match(text)
    start = named.end() if named else len(text) - len(text.lstrip())
    m = re.compile(r"\S+(?:[ \xa0](?=\S*\d))?\S*").match(text, start)
    first = re.compile(r"\S+").match(text, start)
    for word in (first, m):
        token = word.group() if word else ""
        for cut in range(4):
            candidate = token[: len(token) - cut]
            if cut and (not candidate or token[-cut] not in _ENDS):
                break
            bare = candidate[1:-1] if candidate.startswith("(") and candidate.endswith(")") else candidate
            number = dialect.parse(bare)
            if number and len(number.labels) >= least and any(map(str.isalnum, candidate)):
                end = start + len(candidate)
                rest = re.compile(r"[ \t.:)\]—–-]*(?:\s+[—–-]\s+)?\s*").match(text, end)
                return Labelled(number, bare, rest.end() if rest else end)
    return None


_ITEM = re.compile(
    r"\s*(?:\((?P<both>[A-Za-z]|\d{1,2}|[ivx]{1,5})\)|(?P<one>[A-Za-z]|\d{1,2}|[ivx]{1,5})\))[.:]?\s*"
)


def item_label(text: str) -> tuple[str, int] | None:
    """The label that an item of a list opens with (`A)`, `(a)`, `1)`), and where what follows begins."""
    m = _ITEM.match(text)
    return (m["both"] or m["one"], m.end()) if m else None


def rising(labels: Sequence[str]) -> str | None:
    """What labels in a row count: `A`, `a`, `1`, `i`, or None where they do not go up one by one from the
    first."""
    sorts: Mapping[str, Iterator[str]] = {
        "A": map(chr, range(ord("A"), ord("Z") + 1)),
        "a": map(chr, range(ord("a"), ord("z") + 1)),
        "1": map(str, range(1, 100)),
        "i": iter(("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")),
    }
    for sort, count in sorts.items():
        if all(label == wanted for label, wanted in zip(labels, count, strict=False)):
            return sort
    return None


def with_items(examples: Sequence[str], needed: Iterable[str]) -> list[str]:
    """Examples with those that items of rules need; one that another goes on from is left out."""
    every = list(dict.fromkeys([*examples, *needed]))
    return [one for one in every if not any(other != one and other.startswith(one) for other in every)]
