"""Look-ups in the objects of a PDF."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from pikepdf import Array, Dictionary, Object, Stream

PROMISE = "/Rulewright"
"""The entry of a PDF's information in which its promise stands."""


def dictionary_value(thing: object, *keys: str) -> Object | None:
    """The value of a key of a dictionary, or of several keys in turn; None where there is no such thing."""
    for key in keys:
        thing = thing.get(key) if isinstance(thing, Dictionary | Stream) else None
    return cast("Object | None", thing)


def array_items(thing: object) -> list[Object]:
    """The parts of an array; none of anything else."""
    return list(thing) if isinstance(thing, Array) else []


def array_or_single(thing: Object | None) -> list[Object | None]:
    """The parts of an array, or what stands there instead of one."""
    return [*array_items(thing)] or [thing]


def values(resources: object, kind: str) -> list[Object]:
    """The resources of one kind."""
    found = dictionary_value(resources, kind)
    return list(found.as_dict().values()) if isinstance(found, Dictionary) else []


def walk_tree(first: object, key: str) -> Iterator[Dictionary]:
    """The dictionaries of a tree in order. `key`: what leads from one to others."""
    todo = [first]
    while todo:
        one = todo.pop()
        if isinstance(one, Array):
            todo += list(one)[::-1]
        elif isinstance(one, Dictionary):
            yield one
            todo.append(one.get(key))
