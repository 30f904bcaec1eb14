"""Markdown whose lists the site reads as Hugo does.

Hugo follows CommonMark, the site's engine is older: to it a list behind a paragraph begins only below an
empty line, what lies in an item is indented by four, and a list goes on whatever its signs are. So lists are
written anew, line by line; their words stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from markdown_it.token import Token

from rulewright.importers.website.reader import PARSER

_MARKER = re.compile(r"[ ]*(?:[-+*]|\d{1,9}[.)])(?:[ ]{1,4}(?=[^ ])|[ ]|$)")
_QUOTE = re.compile(r"[ ]{0,3}>[ ]?")
_WIDTH = 4
_APART = "<!-- -->"  # parts two lists that would be one


@dataclass(slots=True)
class _Holder:
    """An item of a list, or a quote, and the lines that it holds. `sign`: what an item begins with."""

    start: int
    end: int
    sign: str = ""
    width: int = 0


@dataclass(slots=True)
class _Lists:
    """Layout of a page's lists: who holds each line, and the text put in front of lines."""

    holders: list[_Holder] = field(default_factory=list)
    before: dict[int, str] = field(default_factory=dict)


def lists_as_shown(text: str) -> str:
    """Write the lists of a text so that the site's engine reads them as Hugo does."""
    tokens = PARSER.parse(text)
    if not any(token.type.endswith("list_open") or token.type == "table_open" for token in tokens):
        return text
    found = _found(tokens)
    made: list[str] = []
    for at, line in enumerate(text.split("\n")):
        inside = [holder for holder in found.holders if holder.start <= at < holder.end]
        prefix, rest = "", line.replace("\t", "    ") if inside else line
        around = None
        for holder in inside:
            around = prefix if around is None and holder.sign and holder.start == at else around
            prefix, rest = _entered(holder, at, prefix, rest)
        around = prefix if around is None else around
        if at in found.before and made:
            made += [around.rstrip()] if made[-1].strip(" >") else []
            made += [f"{around}{found.before[at]}", around.rstrip()] if found.before[at] else []
        made.append(f"{prefix}{rest}".rstrip() if inside and not rest.strip() else f"{prefix}{rest}")
    return "\n".join(made)


def _entered(holder: _Holder, at: int, prefix: str, rest: str) -> tuple[str, str]:
    """The line inside of an item or a quote: what stands in front of it now, and what is left of it."""
    if not holder.sign:
        m = _QUOTE.match(rest)
        return f"{prefix}> ", rest[m.end() :] if m else rest.lstrip()
    if at == holder.start:
        m = _MARKER.match(rest)
        holder.width = m.end() if m else 0
        return prefix + f"{holder.sign} ".ljust(_WIDTH), rest[holder.width :]
    indent = len(rest) - len(rest.lstrip())
    return prefix + " " * _WIDTH, rest[min(indent, holder.width) :]


def _found(tokens: list[Token]) -> _Lists:
    """Layout of the lists among tokens."""
    found = _Lists()
    opened: list[Token] = []
    last: dict[int, Token] = {}  # by depth, what stands in front in the same item, quote or page
    loose = set(_loose(tokens))
    counts: dict[int, int] = {}
    for token in tokens:
        if token.nesting < 0:
            closed = opened.pop()
            last[len(opened)] = closed
            continue
        depth, (start, end) = len(opened), token.map or (0, 0)
        before, around = last.get(depth), opened[-1] if opened else None
        if token.type == "blockquote_open":
            found.holders.append(_Holder(start, end))
        elif token.type == "list_item_open" and around:
            number = counts.get(id(around))
            found.holders.append(_Holder(start, end, "-" if number is None else f"{number}."))
            if number is not None:
                counts[id(around)] = number + 1
            if before and id(around) in loose:
                found.before[start] = ""
        elif token.type in ("bullet_list_open", "ordered_list_open", "table_open"):
            if token.type[0] == "o":
                counts[id(token)] = int(token.attrs.get("start", 1))
            if before and not before.hidden:
                found.before[start] = _APART if before.type == token.type != "table_open" else ""
        if token.nesting > 0:
            opened.append(token)
            last.pop(depth + 1, None)
        elif token.type != "inline":
            last[depth] = token
    return found


def _loose(tokens: list[Token]) -> Iterator[int]:
    """The lists, by id, that have empty lines between their items or in them."""
    opened: list[Token] = []
    for token in tokens:
        if token.nesting > 0:
            is_in_item = opened and opened[-1].type == "list_item_open"
            if token.type == "paragraph_open" and not token.hidden and is_in_item:
                yield from map(id, opened)
            opened.append(token)
        elif token.nesting < 0:
            opened.pop()
