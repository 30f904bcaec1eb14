"""The words of a source, line by line, read without the readers that make blocks of it.

The account compares them with what was written, so that a word which a reader loses is seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from typing import Any

from markdown_it.token import Token

from rulewright.files.safe_integers import parse_int, unescape_html
from rulewright.imports.blocks import WORD, SourceLine
from rulewright.imports.reading.block_builder import SILENT, list_mark
from rulewright.imports.reading.markdown import ATTRIBUTES, PARSER, SIZE, segments
from rulewright.imports.sources.source_site import SourcePage

IN_WORDS = frozenset(
    "a abbr b big cite code del em font i ins kbd mark q s small span strong sub sup tt u var wbr".split()  # noqa: SIM905
)
"""Elements that may be in the middle of a word."""

_HIDDEN = "|".join(sorted(SILENT))
_UNSHOWN = re.compile(
    rf"<!--.*?-->|<({_HIDDEN})\b.*?</\1\s*>|<(?:template|script|style)\b.*", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(r"</?([a-zA-Z][\w:-]*)(?![\w:-])(?:\"[^\"<>]*\"|'[^'<>]*'|[^'\"<>])*>|<[!?][^<>]*>")
_REACH = 50  # lines: how far below the beginning of its block a word is looked for


def text_lines(page: SourcePage, text: str) -> Iterator[SourceLine]:
    """Yield the lines of a plain text."""
    for number, line in enumerate(text.split("\n"), 1):
        yield SourceLine(page, number, WORD.findall(line))


def html_lines(page: SourcePage, html: str) -> Iterator[SourceLine]:
    """Yield the lines of HTML as a browser shows them, without parsing it."""
    bare = _UNSHOWN.sub(lambda match: "\n" * match.group().count("\n") + " ", html)
    bare = _TAG.sub(
        lambda match: (
            ("" if (match[1] or "").lower() in IN_WORDS else " ") + "\n" * match.group().count("\n")
        ),
        bare,
    )
    yield from text_lines(page, unescape_html(bare))


def markdown_lines(page: SourcePage, text: str) -> Iterator[SourceLine]:
    """Yield the words of a page in Markdown as they are rendered. `text`: without shortcodes."""
    first = page.file.location(page.start).line
    for start, segment, _ in segments(text):
        yield from _rendered_lines(page, segment, first + text.count("\n", 0, start))


def _rendered_lines(page: SourcePage, text: str, first: int) -> Iterator[SourceLine]:
    tokens, lines = PARSER.parse(text), text.split("\n")
    start = at = 0
    for end, token in enumerate(tokens, 1):
        if token.level or token.nesting > 0:
            continue
        block, start = tokens[start:end], end
        at = next((one.map[0] for one in block if one.map), at)
        for word in _WordGatherer.words(block):
            at = next((n for n in range(at, min(len(lines), at + _REACH)) if word in lines[n]), at)
            yield SourceLine(page, first + at, (word,))


class _WordGatherer(HTMLParser):
    """Gathers the words of HTML; elements part them, but for those that only change how words look."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.silent = ""
        self.lists: list[tuple[int, str]] = []  # number of the next item, -1 for a bullet; type of its label

    @classmethod
    def words(cls, block: Sequence[Token]) -> list[str]:
        gatherer = cls()
        for token in block:
            _strip_attributes(token.children or [])
        gatherer.feed(str(PARSER.renderer.render(list(block), PARSER.options, {})))
        gatherer.close()
        return WORD.findall("".join(gatherer.parts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values: Mapping[str, str | None] = dict(attrs)
        self.silent = self.silent or (tag if tag in SILENT else "")
        self.parts.append("" if tag in IN_WORDS else " ")
        if tag in ("ol", "ul"):
            start = parse_int(values.get("start") or "1")
            self.lists.append(
                (-1 if tag == "ul" else 1 if start is None else max(start, 0), values.get("type") or "")
            )
        elif tag == "li" and self.lists and self.lists[-1][0] >= 0:
            count, kind = self.lists[-1]
            given = parse_int(values.get("value") or "")
            count = count if given is None else max(given, 0)
            self.parts.append(f"{list_mark(count, values.get('type') or kind)} ")
            self.lists[-1] = count + 1, kind
        elif tag == "img":
            self.parts += [f" {words or ''} " for words in dict.fromkeys(map(values.get, ("alt", "title")))]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ol", "ul") and self.lists:
            self.lists.pop()
        self.silent = "" if tag == self.silent else self.silent
        self.parts.append("" if tag in IN_WORDS else " ")

    def handle_data(self, data: str) -> None:
        self.parts.append("" if self.silent else data)


def _strip_attributes(tokens: Sequence[Token]) -> None:
    """Remove what only a browser reads: sizes of pictures, attributes at the end of a line."""
    for before, token in zip([None, *tokens], tokens, strict=False):
        if (
            before
            and before.type == "image"
            and token.type == "text"
            and (match := SIZE.match(token.content))
        ):
            token.content = token.content[match.end() :]
    if tokens and tokens[-1].type == "text":
        tokens[-1].content = ATTRIBUTES.sub("", tokens[-1].content)


def _footnote(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Render a footnote, and a reference to it, by the name that its author gave it."""
    return f" [{tokens[at].meta.get('label', '')}] "


PARSER.add_render_rule("footnote_ref", _footnote)
PARSER.add_render_rule("footnote_open", _footnote)
PARSER.add_render_rule("footnote_anchor", lambda *_: "")
