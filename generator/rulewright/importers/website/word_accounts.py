"""Every word of the source accounted for: kept, turned into something else, or dropped, each with its place.

The words of the source are those that a browser shows, without the reader that made rules of it, so that what
the reader loses is seen here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from markdown_it.token import Token

from rulewright.importers.website.blocks import WORD
from rulewright.importers.website.book_rules import ParsedPage
from rulewright.importers.website.prose import MendedWord
from rulewright.importers.website.reader import ATTRIBUTES, PARSER, PLAIN, SIZE, segments
from rulewright.importers.website.rule_tree import Change
from rulewright.importers.website.site import Page

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


_MOST_PLACES = 20
"""How many places of a word that is lost are told."""


@dataclass(slots=True)
class WordAccount:
    """A count of the words of some pages that belong together: kept, changed, dropped.

    `lost` and `gained` should be empty: words of the source that are nowhere, with the places where each
    stands, and words that came from nowhere.
    """

    pages: list[Page]
    words: int = 0
    kept: int = 0
    turned: int = 0
    mended: int = 0
    dropped: int = 0
    lost: list[tuple[str, Page, list[int]]] = field(default_factory=list)
    gained: Counter[str] = field(default_factory=Counter)


def accounts(
    pages: Sequence[ParsedPage],
    written: Sequence[tuple[Sequence[Page], Sequence[str]]],
    turned: Sequence[Change],
    mended: Sequence[tuple[Page, MendedWord]],
) -> list[WordAccount]:
    """An account for each page, or for the pages that share a file.

    `written`: the files, each by the pages that it is made of and its words.
    """
    groups: dict[str, str] = {read.page.name: read.page.name for read in pages}

    def root(name: str) -> str:
        while groups[name] != name:
            name = groups[name]
        return name

    for sources, _ in written:
        for page in sources[1:]:
            groups[root(page.name)] = root(sources[0].name)
    members: dict[str, list[ParsedPage]] = {}
    for read in pages:
        members.setdefault(root(read.page.name), []).append(read)
    outputs: dict[str, list[str]] = {}
    for sources, words in written:
        outputs.setdefault(root(sources[0].name), []).extend(words)
    by_root: dict[str, tuple[list[Change], list[tuple[Page, MendedWord]]]] = {
        name: ([], []) for name in members
    }
    for one in turned:
        by_root[root(one.page.name)][0].append(one)
    for pair in mended:
        by_root[root(pair[0].name)][1].append(pair)
    return [_account(reads, outputs.get(name, []), *by_root[name]) for name, reads in members.items()]


def _account(
    pages: Sequence[ParsedPage],
    outputs: Iterable[str],
    turned: Sequence[Change],
    mended: Sequence[tuple[Page, MendedWord]],
) -> WordAccount:
    """The account of pages against the words that were written of them."""
    made = WordAccount([read.page for read in pages])
    source: list[tuple[str, int, Page]] = []
    gone: Counter[str] = Counter()
    for read in pages:
        first = read.page.file.place(read.page.start).line
        source += [(word, 1, read.page) for word in WORD.findall(read.page.title)]
        source += [(word, line, read.page) for word, line in shown_words(read.expanded.text, first)]
        titles = [word for aside in read.expanded.asides for word in WORD.findall(aside.title)]
        source += [(word, first, read.page) for word in titles]
        for dropped in read.reading.dropped:
            words = WORD.findall(dropped.words)
            made.dropped += len(words)
            gone.update(words)
            if dropped.told:  # what is not told stands on the page
                source += [(word, dropped.line, read.page) for word in words]
    made.words = len(source)
    for one in turned:
        made.turned += len(WORD.findall(one.was))
        gone.update(WORD.findall(one.was))
        gone.subtract(WORD.findall(one.now))
    for _, mend in mended:
        if mend.was != mend.now:
            made.mended += len(WORD.findall(mend.was))
            gone.update(WORD.findall(mend.was))
            gone.subtract(WORD.findall(mend.now))
    balance = Counter(word for word, _, _ in source)
    balance.subtract(gone)
    balance.subtract(outputs)
    made.kept = made.words - made.turned - made.mended - made.dropped
    places: dict[str, list[tuple[Page, int]]] = {}
    for word, line, page in source:
        places.setdefault(word, []).append((page, line))
    for word, count in balance.items():
        if count > 0:
            lines = [line for _, line in places[word][:_MOST_PLACES]]
            made.lost += [(word, places[word][0][0], lines)] * count
            made.kept -= count
        elif count < 0:
            made.gained[word] = -count
    return made
