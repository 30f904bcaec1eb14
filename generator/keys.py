"""What a field of the model says of itself: the key it is read from, what it means, what it may hold.

`reader` fills a type by it and `schema` describes it by the same; the types are in `model`, `table`, `aid`.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any


def key(meaning: str, *, default: Any = None, **more: Any) -> Any:
    """A field read from a YAML key; `meaning` is what editors' tools show.

    More, all optional: `name`, the key where it is not the field's name with spaces for underscores;
    `must`, it may not be left out; `prose`, words in which references are found; `cites`, nothing but
    references; `lone`, a list that may be written as a single value; `one_of`, the field takes the
    value of exactly one of the keys in that set of words (see `reader.Words`), `kind` taking the key;
    `either`, exactly one of the keys that say so must be given;
    `sort`, the field takes that key itself;
    `words`, the set of words one of which it must be; `date`, it must be year-month-day.
    """
    return field(default=default, metadata={"meaning": meaning, **more})


def many(meaning: str, **more: Any) -> Any:
    """A field that is a list, empty where the key is left out."""
    return key(meaning, default=(), **more)


def table(meaning: str, **more: Any) -> Any:
    """A field that is names with a value each, empty where the key is left out."""
    return field(default_factory=dict, metadata={"meaning": meaning, **more})
