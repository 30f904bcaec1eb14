"""The words that a reader sees on a page of Markdown, with the line of each.

They are taken from the HTML of the page, not from the blocks that rules are made of, so that what those lose
is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from typing import Any

from markdown_it.token import Token

from rulewright.importers.website.blocks import WORD
from rulewright.importers.website.reader import ATTRIBUTES, PARSER, PLAIN, SIZE, segments

_INSIDE = {*PLAIN, "a", "b", "strong", "i", "em", "cite", "mark", "span", "wbr"}
"""TagReader that may stand in the middle of a word."""

_SILENT = ("script", "style", "template")
_ID = re.compile(r" \{: #[^{}\n]*\}$", re.MULTILINE)
_MARK = re.compile(r"\[\[[^\[\]|]*\|([^\[\]]*)\]\]")
_REACH = 50  # lines: how far behind its block's beginning a word is looked for


def shown_words(text: str, first: int) -> Iterator[tuple[str, int]]:
    """The words of a text without front matter and shortcodes. `first`: the line that it begins in."""
    for start, segment in segments(text):
        yield from _words(segment, first + text.count("\n", 0, start))


def written_page(text: str) -> list[str]:
    """The words of a page that an import writes, whose headings have ids and whose references have marks."""
    return [word for word, _ in shown_words(_MARK.sub(r"\1", _ID.sub("", text)), 1)]


def _words(text: str, first: int) -> Iterator[tuple[str, int]]:
    tokens, lines = PARSER.parse(text), text.split("\n")
    start = at = 0
    for end, token in enumerate(tokens, 1):
        if token.level or token.nesting > 0:
            continue
        block, start = tokens[start:end], end
        at = next((one.map[0] for one in block if one.map), at)
        for word in _WordGatherer.words(block):
            at = next((n for n in range(at, min(len(lines), at + _REACH)) if word in lines[n]), at)
            yield word, first + at


class _WordGatherer(HTMLParser):
    """Gathers the words of HTML; tags part them, but for those that only change how words look."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.silent = ""
        self.lists: list[int] = []  # the number of the next item, -1 where there are bullets

    @classmethod
    def words(cls, block: Sequence[Token]) -> list[str]:
        seen = cls()
        for token in block:
            _bare(token.children or [])
        seen.feed(str(PARSER.renderer.render(list(block), PARSER.options, {})))
        seen.close()
        return WORD.findall("".join(seen.parts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent = self.silent or (tag if tag in _SILENT else "")
        self.parts.append("" if tag in _INSIDE else " ")
        if tag in ("ol", "ul"):
            start = dict(attrs).get("start") or "1"
            self.lists.append((int(start) if start.isdecimal() else 1) if tag == "ol" else -1)
        elif tag == "li" and self.lists and self.lists[-1] >= 0:
            self.parts.append(f"{self.lists[-1]} ")
            self.lists[-1] += 1
        elif tag == "img":
            values = {name: value or "" for name, value in attrs}
            self.parts += [f" {said} " for said in {values.get("alt", ""), values.get("title", "")}]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ol", "ul") and self.lists:
            self.lists.pop()
        self.silent = "" if tag == self.silent else self.silent
        self.parts.append("" if tag in _INSIDE else " ")

    def handle_data(self, data: str) -> None:
        self.parts.append("" if self.silent else data)


def _bare(run: Sequence[Token]) -> None:
    """Take what only a browser sees out of a run of words: sizes of pictures, attributes at its end."""
    for before, token in zip([None, *run], run, strict=False):
        if before and before.type == "image" and token.type == "text" and (m := SIZE.match(token.content)):
            token.content = token.content[m.end() :]
    if run and run[-1].type == "text":
        run[-1].content = ATTRIBUTES.sub("", run[-1].content)


def _label(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """A footnote, and what refers to it, by the name that its author gave it."""
    return f" [{tokens[at].meta.get('label', '')}] "


def _nothing(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    return ""


for _name, _render in {"ref": _label, "open": _label, "anchor": _nothing}.items():
    PARSER.add_render_rule(f"footnote_{_name}", _render)
