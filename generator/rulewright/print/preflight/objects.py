"""The objects of a PDF, whatever stands in them: a damaged file has anything anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from pikepdf import Array, Dictionary, Object, Stream

PDFX = "{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion"
"""The entry of the metadata that says which part of PDF/X a file keeps."""

MOST = 1e10
"""No number of a PDF that means anything is larger, and none of them becomes infinite."""

MOST_NODES = 1_000_000

DEEPEST = 64
"""Most levels of a page tree that are gone up for an inherited entry; a circle has no end."""


def entry(thing: object, *keys: str) -> Object | None:
    """The value of a key of a dictionary, or of several keys in turn; None where there is no such thing."""
    for key in keys:
        thing = thing.get(key) if isinstance(thing, Dictionary | Stream) else None
    return cast("Object | None", thing)


def listed(thing: object) -> list[Object]:
    """The parts of an array; none of anything else."""
    return list(thing) if isinstance(thing, Array) else []


def each(thing: Object | None) -> list[Object | None]:
    """The parts of an array, or what stands there instead of one."""
    return [*listed(thing)] or [thing]


def inherited(source: Dictionary, key: str) -> Object | None:
    """An entry of a page, or of the nearest node above it that has one."""
    node: Object | None = source
    for _ in range(DEEPEST):
        if not isinstance(node, Dictionary) or key in node:
            break
        node = node.get("/Parent")
    return entry(node, key)


def walked(first: object, *keys: str) -> Iterator[Dictionary]:
    """The dictionaries of a tree in order, each once. `keys`: what leads from one to others."""
    todo, known = [first], set[tuple[int, int]]()
    for _ in range(MOST_NODES):
        if not todo:
            return
        one = todo.pop()
        if not isinstance(one, Array | Dictionary):
            continue
        if (number := one.objgen) != (0, 0):  # those that others can lead back to
            if number in known:
                continue
            known.add(number)
        if isinstance(one, Array):
            todo += list(one)[::-1]
        else:
            yield one
            todo += [one.get(key) for key in keys[::-1]]


def real(value: object) -> float:
    """A number. Raises ValueError where it is none, or one that no paper, type or ink has."""
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, ArithmeticError):
        raise ValueError("there is no number where one has to be") from None
    if not -MOST <= found <= MOST:
        raise ValueError("a number is too large to mean anything")
    return found


def number_of(value: object, otherwise: float) -> float:
    """A number, or another where it is none that can be meant."""
    try:
        return real(value)
    except ValueError:
        return otherwise
