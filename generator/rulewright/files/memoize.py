"""Results cached in memory by the identity of their inputs."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from typing import Any, TypeVar

T = TypeVar("T")
Cache = MutableMapping[str, Any]


def memoize(cache: Cache, name: str, inputs: tuple[object, ...], make: Callable[[], T]) -> T:
    """Return the cached result of a name, computed again unless all inputs are identical or equal strings."""
    cached = cache.get(name)
    if (
        cached is None
        or len(cached[0]) != len(inputs)
        or not all(
            old is new or (type(old) in (str, bytes, frozenset) and old == new)
            for old, new in zip(cached[0], inputs, strict=True)
        )
    ):
        cached = cache[name] = inputs, make()
    result: T = cached[1]
    return result
