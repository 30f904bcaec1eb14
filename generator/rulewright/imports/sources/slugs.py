"""Ids of headings and paths of addresses, as Hugo makes them.

Hugo makes the id of a heading from its line as its editor wrote it, addresses of links included
(markup/goldmark/autoid.go in Hugo's code).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field

_ATTRIBUTES = re.compile(r"\{:?\s*((?:[.#][\w-]|[\w-]+\s*=)[^{}]*)\}\s*\Z")
_ID = re.compile(r"""(?:#|\bid\s*=\s*["']?)([^\s"'{}]+)""")


@dataclass(slots=True)
class Slugs:
    """The ids of the headings of a page, each different from those before it."""

    _taken: set[str] = field(default_factory=set)
    _counts: Counter[str] = field(default_factory=Counter)

    def heading(self, source: str) -> str:
        """Return the id of a heading. `source`: its line without the `#` signs in front."""
        words, anchor = split_attributes(source.strip().rpartition("\n")[2])
        if not anchor:
            anchor = name = heading_id(words) or "heading"
            while anchor in self._taken:
                self._counts[name] += 1
                anchor = f"{name}-{self._counts[name]}"
        self._taken.add(anchor)
        return anchor


def heading_id(words: str) -> str:
    """Return the id that words give, regardless of other ids; empty if they hold no letter or digit."""
    signs = (sign for sign in words.strip() if sign in "-_ " or _is_letter_or_digit(sign))
    return "".join(signs).replace(" ", "-").lower()


def split_attributes(line: str) -> tuple[str, str]:
    """Return a line without the attributes at its end (`{#id .class key="value"}`), and the id in them."""
    match = _ATTRIBUTES.search(line)
    if not match:
        return line, ""
    anchor = _ID.search(match[1])
    return line[: match.start()].rstrip(), anchor[1] if anchor else ""


def url_path(words: str) -> str:
    """Return words as Hugo writes them into an address: `Air Power?` is `air-power`."""
    signs = "".join(c for c in words if c in "./\\#+~-@% " or _is_letter_or_digit(c))
    return re.sub(r"-* [ -]*", "-", signs.strip()).lower()


def _is_letter_or_digit(sign: str) -> bool:
    """Return whether a character is a letter or digit for Hugo's language: ² and Ⅳ are not."""
    category = unicodedata.category(sign)
    return category[0] in "LM" or category == "Nd" or sign == "_"
