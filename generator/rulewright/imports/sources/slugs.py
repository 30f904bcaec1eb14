"""Ids of headings and paths of addresses, as sites make them.

Hugo makes the id of a heading from its line as its editor wrote it, addresses of links included
(markup/goldmark/autoid.go in Hugo's code).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field

GITHUB, BLACKFRIDAY, PYTHON = "github", "blackfriday", "python-markdown"
STYLES = (GITHUB, BLACKFRIDAY, PYTHON)
"""Ways of making an id: two of Hugo (`markup.goldmark.parser.autoHeadingIDType`), and that of MkDocs."""

_CLOSING = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_ATTRIBUTE = r"""[#.][\w:-][\w:.-]*|[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s{}"']+)"""
_ATTRIBUTES = re.compile(rf"\{{:?\s*((?:(?:{_ATTRIBUTE})(?![^\s,}}])[\s,]*)+)\}}\s*\Z")
_ID = re.compile(r"""(?:^|\s)(?:\#|id\s*=\s*["']?)([^\s"'{}]+)""")


@dataclass(slots=True)
class Slugs:
    """The ids of the headings of a page, each different from those before it."""

    style: str = GITHUB
    _taken: set[str] = field(default_factory=set, repr=False)
    _counts: Counter[str] = field(default_factory=Counter, repr=False)

    def heading(self, source: str) -> tuple[str, str]:
        """Return the words of a heading, without attributes, and its id.

        `source`: its line as it is written, without the `#` signs in front.
        """
        words, anchor = split_attributes(source.strip().rpartition("\n")[2])
        words = _CLOSING.sub("", words)
        if not anchor:
            anchor = name = heading_id(words, self.style) or "heading"
            while anchor in self._taken:
                self._counts[name] += 1
                anchor = f"{name}{'_' if self.style == PYTHON else '-'}{self._counts[name]}"
        self._taken.add(anchor)
        return words, anchor


def heading_id(words: str, style: str = GITHUB) -> str:
    """Return the id that words give, regardless of other ids; empty if they hold no letter or digit."""
    if style == BLACKFRIDAY:
        return "-".join(re.findall(r"[^\W_]+", words.lower()))
    if style == PYTHON:
        plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
        return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())
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
