"""The CMaps of a PDF: how the bytes of a shown text fall into codes, and what number or text a code has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import pikepdf
from pikepdf import Array, Object, Stream, String

from rulewright.print.preflight.geometry import number_of
from rulewright.print.preflight.streams import Effort, TooMuch, content

MOST = 70_000
"""No CMap has more codes; a range that goes on beyond them is cut."""

MOST_SPACES = 32
"""How many ranges of codes are looked at: CMaps of Chinese and Japanese have six."""

LONGEST = 512
"""How many bytes the text of a code may have: ISO 32000-1, 9.10.3."""


@dataclass(slots=True)
class CMap:
    """A CMap: the ranges that codes lie in, and the text and the CID of each."""

    spaces: list[tuple[bytes, bytes]] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)

    def split(self, text: bytes) -> Iterator[tuple[int, int]]:
        """The codes of a text, each with how many bytes it has."""
        at = 0
        least = min((len(low) for low, _ in self.spaces), default=2)
        while at < len(text):
            length = next((n for n in range(1, 5) if self._within(text[at : at + n], n)), least)
            yield int.from_bytes(text[at : at + length]), length
            at += length

    def _within(self, code: bytes, length: int) -> bool:
        return any(
            len(low) == length == len(code)
            and all(a <= b <= c for a, b, c in zip(low, code, high, strict=True))
            for low, high in self.spaces
        )

    def text(self, code: int) -> str | None:
        return self.texts.get(code)

    def number(self, code: int) -> int | None:
        """The CID of a code."""
        return self.numbers.get(code)


def cmap_of(source: Object | None, effort: Effort) -> CMap | None:
    """A CMap by its stream; None where there is none, or it cannot be read. Raises TooMuch."""
    if not isinstance(source, Stream):
        return None
    try:
        # What a CMap is written in has the words of a page's content, operands first.
        instructions = content(source, effort)
    except TooMuch:
        raise
    except Exception:  # whatever a damaged stream is read with
        return None
    found = CMap()
    for instruction in instructions:
        if isinstance(instruction, pikepdf.ContentStreamInstruction):
            _take(found, str(instruction.operator), list(instruction.operands))
    return found


def _take(found: CMap, operator: str, given: list[Object]) -> None:
    """Take in what stands between a `begin` and its `end`."""
    if operator == "endcodespacerange":
        spaces = [(bytes(a), bytes(b)) for a, b in _by(given, 2) if _strings(a, b)]
        found.spaces += [(low, high) for low, high in spaces if 0 < len(low) == len(high) <= 4]
        del found.spaces[MOST_SPACES:]
    elif operator == "endbfchar":
        found.texts.update((_code(a), _text(b)) for a, b in _by(given, 2) if _strings(a, b))
    elif operator == "endcidchar":
        found.numbers.update((_code(a), _cid(b)) for a, b in _by(given, 2) if _strings(a))
    elif operator == "endcidrange":
        for low, high, number in _by(given, 3):
            if _strings(low, high):
                codes = _range(low, high, found.numbers)
                found.numbers.update((code, _cid(number) + at) for at, code in enumerate(codes))
    elif operator == "endbfrange":
        for low, high, to in _by(given, 3):
            if not _strings(low, high):
                continue
            for at, code in enumerate(_range(low, high, found.texts)):
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


def _cid(value: Object) -> int:
    return int(number_of(value, 0))


def _range(low: Object, high: Object, known: Mapping[int, object]) -> range:
    """The codes of a range, as many as there may still be."""
    first = _code(low)
    return range(first, min(_code(high) + 1, first + MOST - len(known)))


def _text(value: Object, more: int = 0) -> str:
    """UTF-16 as text; the last character of a range's start is counted on."""
    text = bytes(value)[:LONGEST].decode("utf-16-be", "replace")
    return text[:-1] + chr(min(ord(text[-1]) + more, 0x10FFFF)) if text and more else text
