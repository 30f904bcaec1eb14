"""The ids that Hugo gives headings, and the names that it makes addresses of.

An id is made from a heading's last line as its editor wrote it: of `[1.2](../fire/#12-smoke)` every letter
counts, those of the address too, and of `&amp;` the word amp. So it is in Hugo's own code (markup/goldmark/
autoid.go, and parser/atx_heading.go of Goldmark), whose rules these are.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field

GITHUB, ASCII, BLACKFRIDAY = "github", "github-ascii", "blackfriday"
PYTHON = "python-markdown"
STYLES = (GITHUB, ASCII, BLACKFRIDAY)
"""Hugo's ways of making an id (`markup.goldmark.parser.autoHeadingIDType`); the first is the usual one."""

_IN_PATHS = frozenset("./\\_#+~-@")
_HEX = re.compile(r"%[0-9A-Fa-f]{2}")
_CLOSING = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_VALUE = r"""(?:"[^"]*"|'[^']*'|\[[^\]]*\]|[^\s}"'][^\s},]*+)"""
_ATTRIBUTE = (
    r"[#.](?P<short>(?:[^\s!-/:-@\[-`{-~]|[-_:.])++)"
    rf"|(?P<key>[A-Za-z_:][\w:.-]*+)\s*=\s*(?P<value>{_VALUE})"
)
_ATTRIBUTES = re.compile(
    rf"\{{((?:[ \t,]*+(?:{re.sub('[(][?]P<[a-z]+>', '(?:', _ATTRIBUTE)}))*+)[ \t,]*+\}}\s*\Z"
)
_ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")


@dataclass
class Slugs:
    """The ids of one page's headings, each different from those before it.

    `style`: one of STYLES, and any other word means the first, as for Hugo. `automatic` and `attributes`:
    whether headings get ids at all, and whether `{#id}` behind one is its id.
    """

    style: str = GITHUB
    automatic: bool = True
    attributes: bool = True
    _taken: set[str] = field(default_factory=set, repr=False)
    _numbers: Counter[str] = field(default_factory=Counter, repr=False)

    def heading(self, source: str, underlined: bool = False) -> tuple[str, str]:
        """The words of a heading without what only gives it an id, and its id, which may be empty.

        `source`: what stands behind the `#` signs, or above the line that makes it a heading (`underlined`),
        as it is written. Each heading of a page has to be handed over, in the page's order.
        """
        *above, last = source.strip().split("\n") or [""]
        attributes: dict[str, str] = {}
        if self.attributes:
            last, attributes = parted(last)
        if not underlined:
            last = _CLOSING.sub("", last)
        given = attributes.get("id", "")
        if not self.automatic:
            return "\n".join([*above, last]), given
        if "id" not in attributes:
            given = self._unlike(anchored(last, self.style) or "heading")
        elif not underlined:  # Goldmark forgets the ids that are given to underlined headings
            self._taken.add(given)
        return "\n".join([*above, last]), given

    def _unlike(self, name: str) -> str:
        """An id that no heading before has: the name, or the name with the first number that is free."""
        unlike = name
        while unlike in self._taken:
            self._numbers[name] += 1
            unlike = f"{name}{'_' if self.style == PYTHON else '-'}{self._numbers[name]}"
        self._taken.add(unlike)
        return unlike


def anchored(words: str, style: str = GITHUB) -> str:
    """The id that words give, without regard to other ids; empty where they hold no letter or digit."""
    if style == BLACKFRIDAY:
        parts = "".join(c if unicodedata.category(c)[0] in "LN" else " " for c in words).split()
        return "-".join("".join(map(_lower, part)) for part in parts)
    if style == PYTHON:
        plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
        return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())
    if style == ASCII:
        words = "".join(c for c in without_accents(words) if c.isascii())
    kept = (c for c in words.strip() if c in "-_ " or _is_letter_or_digit(c))
    return "".join("-" if c == " " else _lower(c) for c in kept)


def parted(line: str) -> tuple[str, dict[str, str]]:
    """A heading's line without the attributes at its end (`{#id .class key="value"}`), and these."""
    for brace in re.finditer(r"\{", _ESCAPED.sub("  ", line)):
        if inside := _ATTRIBUTES.match(line, brace.start()):
            found: dict[str, str] = {}
            for m in re.finditer(_ATTRIBUTE, inside[1]):
                key = (m["key"] or ("id" if m.group()[0] == "#" else "class")).lower()
                found.setdefault(key, m["short"] or m["value"].strip("\"'"))
            return line[: brace.start()].rstrip(), found
    return line, {}


def pathed(words: str, *, lower: bool = True, accents: bool = True) -> str:
    """Words as Hugo writes them into an address: `Air Power?` is `air-power`.

    `lower` and `accents`: not so with `disablePathToLower` and `removePathAccents`.
    """
    words = words if accents else without_accents(words)
    made: list[str] = []
    waits = False
    for index, c in enumerate(words):
        if (
            c in _IN_PATHS
            or _is_letter_or_digit(c, marks=True)
            or (c == "%" and _HEX.match(words, index) is not None)
        ):
            if waits and c != "-":
                made.append("-")
            waits = False
            made.append(c)
        elif made and made[-1] != "-" and c.isspace():
            waits = True
    return "".join(map(_lower, made)) if lower else "".join(made)


def without_accents(words: str) -> str:
    """Words whose letters have lost their accents: Resumé is Resume."""
    parts = unicodedata.normalize("NFD", words)
    bare = "".join(c for c in parts if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", bare)


def _is_letter_or_digit(c: str, marks: bool = False) -> bool:
    """Whether a character is one for Hugo's programming language: ² and Ⅳ are not."""
    category = unicodedata.category(c)
    return category[0] == "L" or category == "Nd" or c == "_" or (marks and category[0] == "M")


def _lower(c: str) -> str:
    """A small letter for a large one, always one for one, as Hugo's programming language has it."""
    return c.lower()[0]
