"""A page's Markdown as tokens: CommonMark with what Hugo adds, and the parts that are read one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from rulewright.importers.website.shortcodes import CLOSES, OPENS
from rulewright.source.markdown import parser

PARSER = parser().enable("strikethrough")
_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_TABLE_ENDS = re.compile(r"(?=</table>)", re.IGNORECASE)
_EMPTY_LINE = re.compile(r"\n[ \t]*(?=\n)")
_ASIDE = re.compile(rf"{OPENS}(\d+){OPENS}|{CLOSES}")


def _unused_footnotes(state: StateCore) -> None:
    """Keep the footnotes that nothing refers to, which Hugo does not show either."""
    refs = state.env.get("footnotes", {}).get("refs", {})
    defined: list[tuple[str, list[Token]]] = []
    inside = False
    for token in state.tokens if refs else ():
        if token.type.startswith("footnote_reference"):
            inside = token.nesting > 0
            defined += [(token.meta["label"], [])] if inside else []
        elif inside and token.content:
            defined[-1][1].append(token)
    last = {label: at for at, (label, _) in enumerate(defined)}
    state.env["unused"] = [
        one for at, one in enumerate(defined) if refs[f":{one[0]}"] < 0 or last[one[0]] != at
    ]


PARSER.core.ruler.before("footnote_tail", "unused", _unused_footnotes)


def segments(text: str) -> Iterator[tuple[int, str, re.Match[str] | None]]:
    """Parts of a page, each with the sign in front of it that opens or closes an aside.

    Empty lines would end a table in HTML, so its are filled; no line moves, though what stands in it does.
    """
    *closed, rest = _TABLE_ENDS.split(text)
    for at, part in enumerate(closed):
        start = m.start() if (m := _TABLE.search(part)) else len(part)
        closed[at] = part[:start] + _EMPTY_LINE.sub("\n<!-- -->", part[start:])
    text = "".join([*closed, rest])
    cuts = [None, *_ASIDE.finditer(text)]
    for cut, behind in zip_longest(cuts, cuts[1:]):
        start = cut.end() if cut else 0
        yield start, text[start : behind.start() if behind else len(text)], cut
