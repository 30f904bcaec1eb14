"""Text that is not ours: Markdown and plain text in which references are found but nothing is changed.

Front matter, headings, code, addresses, tags and the label that opens a rule are no prose. They are
blanked out character for character, so that every offset into what is left is one into the file.
"""

from __future__ import annotations

import re

_HIDDEN = "\x00"  # ends every run and cue
_QUIET = "\x01"  # parts a cue from its number no more than a space does

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\r?\n.*?^\1[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_NOT_PROSE = re.compile(
    r"""
      ^[ ]{0,3}(?P<fence>```+|~~~+) (?s:.*?) (?:^[ ]{0,3}(?P=fence)[`~]*[ \t]*$ | \Z)   # fenced code
    | <!--(?s:.*?)(?:-->|\Z)
    | <(?P<raw>script|style|pre|code)\b(?s:.*?)(?:</(?P=raw)\s*>|\Z)
    | \{\{[<%](?s:.*?)[>%]\}\}                                                       # a generator's shortcode
    | ^[ ]{0,3}\#{1,6}(?:[ \t].*)?$                                                  # heading
    | ^(?![ ]*(?:[-*+>|]|\d+[.)])[ ]).*\S.*\n[ ]{0,3}(?:=+|-{2,})[ \t]*$              # heading, underlined
    | (?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)                                     # code in a line
    | !\[[^\]]*\]\([^)]*\)                                                           # picture
    | (?<=\])\((?:[^()\s]|\([^()\s]*\))*(?:\s+["'(][^)\n]*)?\)                         # where a link leads
    | ^[ ]{0,3}\[[^\]\n]+\]:[ \t]*\S.*$                                              # the same, at the page's foot
    | <?\b(?:https?|ftp|mailto):[^\s<>)]+>?
    """,
    re.MULTILINE | re.VERBOSE | re.IGNORECASE,
)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_LABEL = re.compile(
    r"^[ \t]*(?P<item>(?:[-*+]|\d+[.)])[ \t]+)?(?:\*{2,3}|_{2,3})(?P<number>[^\s*_]*\d[^\s*_]*)(?P<title>[ \t]+[A-Z])?",
    re.MULTILINE,
)


def prose_of(text: str) -> str:
    """`text` with all that is no prose blanked out; offsets stay what they are."""
    if front := _FRONT_MATTER.match(text):
        text = _blank(front) + text[front.end() :]
    opened = [m.span("number") for m in _LABEL.finditer(text) if _opens_rule(text, m)]
    for start, end in opened:
        text = text[:start] + _HIDDEN * (end - start) + text[end:]
    text = _NOT_PROSE.sub(_blank, text)
    return _TAG.sub(lambda m: _QUIET * len(m.group()), text)


def _blank(m: re.Match[str]) -> str:
    return re.sub(r"[^\n]", _HIDDEN, m.group())


def _opens_rule(text: str, m: re.Match[str]) -> bool:
    """Whether bold words that begin with a number are a rule's label: they open a block or have a title."""
    before = text[: m.start("number")].rpartition("\n")[0].rstrip(" \t\r")
    line_above = before.rpartition("\n")[2].strip()
    return bool(m["item"] or m["title"] or not line_above or line_above.startswith("#"))
