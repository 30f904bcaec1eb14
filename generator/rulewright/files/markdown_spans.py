"""Markdown parser for content pages, and the spans of their parts.

CommonMark with tables, definition lists and footnotes, parsed by markdown-it. Python-Markdown renders the
pages, so this parser also knows its indented blocks, `!!! note`, `??? tip`, `=== "Tab"`, and HTML that
continues after an empty line up to its closing tag.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import pairwise
from operator import attrgetter
from typing import Any, NamedTuple

from markdown_it import MarkdownIt, rules_inline
from markdown_it.common.html_blocks import block_names
from markdown_it.rules_block import StateBlock, html_block
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from rulewright.files.frontmatter import FRONT_MATTER

_OPENS_INDENTED = re.compile(r"(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+[\w\"'][^\n]*")
_TITLE = re.compile(r'"([^"\n]*)"[ \t]*\Z')
_INDENT = 4
_HTML = re.compile(r"<([a-zA-Z][\w-]*)(?![^<>]*\smarkdown\b)")
_SPACED_ADDRESS = re.compile(r"\((?:[^()\n]|\([^()\n]{0,200}\)){0,2000}\)")
_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)")
_WORDS_OF = dict.fromkeys(("script", "style", "pre", "code", "title", "textarea"), "code") | {"a": "link"}
_INLINE: Mapping[str, tuple[str, Callable[[StateInline, bool], bool]]] = {
    "backticks": ("code", rules_inline.backtick),
    "link": ("link", rules_inline.link),
    "image": ("picture", rules_inline.image),
    "autolink": ("address", rules_inline.autolink),
    "html_inline": ("tag", rules_inline.html_inline),
    "entity": ("entity", rules_inline.entity),
}
"""Inline rules of markdown-it, and the kind of span that each finds."""


_START = attrgetter("start")


class Span(NamedTuple):
    """Part of a page that is no prose, or a kind of prose.

    `kind`: front, code, comment, picture, address (of a link), tag, entity, definition (of a link's address),
    signs (of a heading); heading and link are their words.
    """

    kind: str
    start: int
    end: int


def commonmark_parser() -> MarkdownIt:
    """Return a new parser for CommonMark with tables, definition lists and footnotes."""
    return MarkdownIt("commonmark").enable("table").use(deflist_plugin).use(footnote_plugin)


def page_parser() -> MarkdownIt:
    """Return a new parser for content pages."""
    parser = commonmark_parser().disable("footnote_inline")
    parser.block.ruler.before("fence", "indented", _indented, {"alt": ["paragraph", "reference", "list"]})
    parser.block.ruler.at("html_block", _html, {"alt": ["paragraph", "reference", "blockquote"]})
    return parser


def markdown_spans(text: str) -> list[Span]:
    """Return the parts of a page that are no plain words, in order."""
    front = FRONT_MATTER.match(text)
    start = front.end() if front else 0
    source = text[start:].replace("\r\n", " \n").replace("\r", "\n").replace("\0", "\ufffd")
    spans = [Span("front", 0, start)] if front else []
    spans += (Span(span.kind, start + span.start, start + span.end) for span in _PageSpans(source).spans())
    return sorted(spans, key=_START)


def _indented(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a block of indented lines below an opening one, as Python-Markdown does."""
    first = state.bMarks[start] + state.tShift[start]
    opener = _OPENS_INDENTED.fullmatch(state.src, first, state.eMarks[start])
    if not opener or state.is_code_block(start):
        return False
    if silent:
        return True
    indent = state.sCount[start] + _INDENT
    stop = start + 1
    while stop < end and (state.isEmpty(stop) or state.sCount[stop] >= indent):
        stop += 1
    token = state.push("admonition_open", "div", 1)
    token.map = [start, stop]
    if title := _TITLE.search(opener.group()):
        state.push("paragraph_open", "p", 1)
        token = state.push("inline", "", 0)
        token.content, token.map, token.children = title[1], [start, start + 1], []
        state.push("paragraph_close", "p", -1)
    before = state.blkIndent, state.lineMax, state.parentType
    state.blkIndent, state.lineMax, state.parentType = indent, stop, "admonition"
    state.md.block.tokenize(state, start + 1, stop)
    state.blkIndent, state.lineMax, state.parentType = before
    state.push("admonition_close", "div", -1)
    state.line = stop
    return True


def _html(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse an HTML block, which continues after empty lines up to its closing tag."""
    if not html_block(state, start, end, silent):
        return False
    opener = _HTML.match(state.src, state.bMarks[start] + state.tShift[start])
    name = opener[1].lower() if opener else ""
    if opener and name in block_names and not silent:
        if name not in (closed := state.env.setdefault("closed", {})):
            closed[name] = _closing_tags(name, state.src)
        stop = bisect_right(state.bMarks, closed[name].get(opener.start(), -1), hi=end)
        if stop > state.line:
            token, state.line = state.tokens[-1], stop
            token.map, token.content = [start, stop], state.getLines(start, stop, state.blkIndent, True)
    return True


def _closing_tags(name: str, source: str) -> Mapping[int, int]:
    """Return the offset of the closing tag of each opening tag of a name."""
    opened, closed = list[int](), dict[int, int]()
    for m in re.finditer(rf"<(/?){re.escape(name)}(?![\w-])", source, re.IGNORECASE):
        if not m[1]:
            opened.append(m.start())
        elif opened:
            closed[opened.pop()] = m.start()
    return closed


@cache
def _finder(is_html: bool) -> MarkdownIt:
    """Return a parser whose inline rules record their spans; in HTML only few apply."""
    parser = page_parser()
    for name, (kind, rule) in _INLINE.items():
        parser.inline.ruler.at(name, partial(_record_span, kind, rule))
    signs = ("html_inline", "entity") if is_html else ("newline", "escape", *_INLINE)
    parser.inline.ruler.enableOnly(["text", *signs])
    return parser


def _record_span(
    kind: str, rule: Callable[[StateInline, bool], bool], state: StateInline, silent: bool
) -> bool:
    """Apply an inline rule, and record the span of what it finds; a link may have a space in its address."""
    start, tokens, spans = state.pos, len(state.tokens), state.env["spans"]
    known, is_picture = len(spans), kind == "picture"
    if not rule(state, silent):
        if kind not in ("link", "picture") or not state.src.startswith("![" if is_picture else "[", start):
            return False
        words = state.md.helpers.parseLinkLabel(state, start + is_picture, not is_picture)
        spaced = _SPACED_ADDRESS.match(state.src, words + 1, state.posMax) if words >= 0 else None
        if not spaced:
            return False
        state.pos = spaced.end()
    elif silent or len(state.tokens) == tokens:  # so that backticks which nothing closes are none
        return True
    if is_picture:
        del spans[known:]  # found in the words below it, which are a text of their own
    if kind == "link":
        words = state.md.helpers.parseLinkLabel(state, start, True)
        spans += Span("link", start + 1, words), Span("address", words + 1, state.pos)
    else:
        spans.append(Span(kind, start, state.pos))
    return True


class _PageSpans:
    """Finder of the parts of one page; the source is as long as its text."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.lines = [0, *(m.end() for m in re.finditer("\n", source)), len(source) + 1]
        self.env: dict[str, Any] = {}
        self.cell_end = 0  # the last cell of a table
        self.opened: dict[str, int] = {}  # tags whose words are code or a link

    def spans(self) -> Iterator[Span]:
        tokens: list[Token] = []
        finder = _finder(False)
        finder.block.parse(self.source, finder, self.env, tokens)
        for definition in (*self.env.get("references", {}).values(), *self.env.get("duplicate_refs", ())):
            yield self._line_span("definition", *definition["map"])
        for before, token in pairwise([Token("", "", 0), *tokens]):
            if not token.map:
                continue
            start, end = token.map
            if token.type in ("fence", "code_block"):
                yield self._line_span("code", start, end)
            elif token.type == "html_block":
                is_html = _HTML.match(token.content.lstrip()) is not None
                yield from self._inline(token.content.rstrip("\n"), start, is_html=is_html)
            elif token.type == "inline":
                # Lines in front that hold only what Python takes for spaces are no part of the words.
                first = token.content.partition("\n")[0]
                lines = [(line, self.lines[line : line + 2]) for line in range(start, end)]
                start = next((line for line, span in lines if self.source.find(first, *span) >= 0), start)
                yield from self._inline(token.content, start, before.type in ("th_open", "td_open"))
                if before.type == "heading_open":
                    offset = max(self.source.rfind(first, *self.lines[start : start + 2]), self.lines[start])
                    yield Span("heading", offset, offset + len(first))
                    if before.markup in ("=", "-"):  # in the line below it
                        yield self._line_span("signs", end, end + 1)
                    else:
                        yield Span("signs", self.lines[start], offset)

    def _line_span(self, kind: str, start: int, end: int) -> Span:
        return Span(kind, self.lines[start], min(self.lines[end], len(self.source)))

    def _inline(self, words: str, line: int, cell: bool = False, is_html: bool = False) -> Iterator[Span]:
        """Yield the parts of lines, the first of which is in a line of the source."""
        starts, distances = list[int](), list[int | None]()  # of each line in the words, and to the source
        offset = 0
        for number, text in enumerate(words.split("\n"), line):
            start, end = self.lines[number : number + 2]
            stripped = text.strip()
            if cell:
                start = max(start, self.cell_end)
                if self.source.find(stripped, start, end) < 0:
                    words = stripped = stripped.replace("|", r"\|")
                place = self.source.find(stripped, start, end)
                self.cell_end = place + len(stripped)
            else:
                place = self.source.rfind(stripped, start, end)
            indent = len(text) - len(text.lstrip())
            starts.append(offset)
            distances.append(place - indent - offset if place >= 0 else None)
            offset += len(text) + 1
        state = StateInline(words, _finder(is_html), self.env, [])
        self.env["spans"] = spans = list[Span]()
        state.md.inline.tokenize(state)
        for kind, start, end in sorted(spans, key=_START):
            first = distances[bisect_right(starts, start) - 1]
            last = distances[bisect_right(starts, end - 1) - 1]
            if first is not None and last is not None:
                span = Span(kind, start + first, end + last)
                yield from self._tag(span) if kind == "tag" else (span,)

    def _tag(self, span: Span) -> Iterator[Span]:
        """Yield a tag or comment; with a closing tag also the words between, if they are no prose."""
        tag = _TAG.match(self.source, span.start)
        yield span if tag else span._replace(kind="comment")
        name = tag[2].lower() if tag else ""
        if tag and name in _WORDS_OF and not tag[1]:
            self.opened.setdefault(name, span.end)
        elif name in self.opened:
            yield Span(_WORDS_OF[name], self.opened.pop(name), span.start)
