"""Results kept from one run to the next, each as long as what it was made of is the same."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any, TypeVar

T = TypeVar("T")
Cache = MutableMapping[str, Any]


def memoize(cache: Cache, name: str, made_of: tuple[object, ...], make: Callable[[], T]) -> T:
    """Return the result of this name, made anew unless it was made of the very same objects, or of equal
    words.
    """
    known = cache.get(name)
    if known is None or not _same(known[0], made_of):
        known = cache[name] = made_of, make()
    result: T = known[1]
    return result


def _same(old: tuple[object, ...], new: tuple[object, ...]) -> bool:
    return len(old) == len(new) and all(
        a is b or (type(a) in (str, bytes, frozenset) and a == b) for a, b in zip(old, new, strict=True)
    )
