"""The CMaps of a PDF: how the bytes of a shown text fall into codes, and what number or text a code has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Array, Object, Stream, String

MOST = 70_000
"""No CMap has more codes; a range that goes on beyond them is cut."""


@dataclass(slots=True)
class CMap:
    """A CMap: the ranges that codes lie in, and the text and the CID of each."""

    spaces: list[tuple[bytes, bytes]] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)

    def split(self, text: bytes) -> Iterator[tuple[int, int]]:
        """The codes of a text, each with how many bytes it has."""
        at = 0
        while at < len(text):
            length = next((n for n in range(1, 5) if self._within(text[at : at + n], n)), 0)
            length = length or min((len(low) for low, _ in self.spaces), default=2)
            yield int.from_bytes(text[at : at + length]), length
            at += length

    def _within(self, code: bytes, length: int) -> bool:
        return any(
            len(low) == length == len(code)
            and all(a <= b <= c for a, b, c in zip(low, code, high, strict=True))
            for low, high in self.spaces
            if len(low) == len(high)
        )

    def text(self, code: int) -> str | None:
        return self.texts.get(code)

    def number(self, code: int) -> int | None:
        """The CID of a code."""
        return self.numbers.get(code)


def cmap_of(source: Object | None) -> CMap | None:
    """A CMap by its stream; None where there is none, or it cannot be read."""
    if not isinstance(source, Stream):
        return None
    try:
        # What a CMap is written in has the words of a page's content, operands first.
        instructions = pikepdf.parse_content_stream(source)
    except Exception:  # whatever a damaged stream is read with
        return None
    found = CMap()
    for instruction in instructions:
        _take(found, str(instruction.operator), list(instruction.operands))
    return found


def _take(found: CMap, operator: str, given: list[Object]) -> None:
    """Take in what stands between a `begin` and its `end`."""
    if operator == "endcodespacerange":
        found.spaces += [(bytes(a), bytes(b)) for a, b in _by(given, 2) if _strings(a, b)]
    elif operator == "endbfchar":
        found.texts.update((_code(a), _text(b)) for a, b in _by(given, 2) if _strings(a, b))
    elif operator == "endcidchar":
        found.numbers.update((_code(a), int(b)) for a, b in _by(given, 2) if _strings(a))
    elif operator == "endcidrange":
        for low, high, number in _by(given, 3):
            if _strings(low, high):
                found.numbers.update((code, int(number) + at) for at, code in enumerate(_range(low, high)))
    elif operator == "endbfrange":
        for low, high, to in _by(given, 3):
            if not _strings(low, high):
                continue
            for at, code in enumerate(_range(low, high)):
                if isinstance(to, Array):
                    if at < len(to) and _strings(to[at]):
                        found.texts[code] = _text(to[at])
                elif _strings(to):
                    found.texts[code] = _text(to, at)


def _by(given: list[Object], count: int) -> Iterator[list[Object]]:
    yield from (given[at : at + count] for at in range(0, len(given) - count + 1, count))


def _strings(*values: object) -> bool:
    return all(isinstance(value, String) for value in values)


def _code(value: Object) -> int:
    return int.from_bytes(bytes(value))


def _range(low: Object, high: Object) -> range:
    first = _code(low)
    return range(first, min(_code(high), first + MOST) + 1)


def _text(value: Object, more: int = 0) -> str:
    """UTF-16 as text; the last character of a range's start is counted on."""
    text = bytes(value).decode("utf-16-be", "replace")
    return text[:-1] + chr(min(ord(text[-1]) + more, 0x10FFFF)) if text and more else text
