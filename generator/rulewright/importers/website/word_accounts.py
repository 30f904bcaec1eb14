"""Every word of the source accounted for: kept, turned into something else, or dropped, each with its place.

The words of the source are those that a browser shows, without the reader that made rules of it, so that what
the reader loses is seen here.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html.parser import HTMLParser
from typing import Any

from markdown_it.token import Token

from rulewright.importers.website.blocks import WORD
from rulewright.importers.website.book_rules import ParsedPage
from rulewright.importers.website.page_blocks import ATTRIBUTES, PLAIN, SILENT, SIZE
from rulewright.importers.website.page_tokens import PARSER, segments
from rulewright.importers.website.receipt import Receipt, WordAccount
from rulewright.importers.website.site import Page
from rulewright.source.amounts import whole

_INSIDE = {*PLAIN, "a", "b", "strong", "i", "em", "cite", "mark", "span", "wbr"}
"""Tags that may stand in the middle of a word."""

_ID = re.compile(r" \{: #[^{}\n]*\}$", re.MULTILINE)
_MARK = re.compile(r"\[\[[^\[\]|]*\|([^\[\]]*)\]\]")
_REACH = 50  # lines: how far behind its block's beginning a word is looked for


def shown_words(text: str, first: int) -> Iterator[tuple[str, int]]:
    """The words of a text without front matter and shortcodes. `first`: the line that it begins in."""
    for start, segment, _ in segments(text):
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
        self.silent = self.silent or (tag if tag in SILENT else "")
        self.parts.append("" if tag in _INSIDE else " ")
        if tag in ("ol", "ul"):
            start = whole(dict(attrs).get("start") or "1")
            self.lists.append(-1 if tag == "ul" else 1 if start is None else max(start, 0))
        elif tag == "li" and self.lists and self.lists[-1] >= 0:
            self.parts.append(f"{self.lists[-1]} ")
            self.lists[-1] += 1
        elif tag == "img":
            values = dict(attrs)
            self.parts += [f" {said or ''} " for said in dict.fromkeys(map(values.get, ("alt", "title")))]

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


PARSER.add_render_rule("footnote_ref", _label)
PARSER.add_render_rule("footnote_open", _label)
PARSER.add_render_rule("footnote_anchor", lambda *_: "")

_MOST_PLACES = 20
"""How many places of a word that is lost are told."""


def accounts(
    pages: Sequence[ParsedPage], written: Sequence[tuple[Sequence[Page], Sequence[str]]], told: Receipt
) -> list[WordAccount]:
    """An account for each page, or for the pages that share a file.

    `written`: the files, each by the pages that it is made of and its words.
    """
    groups: dict[str, str] = {}

    def root(page: Page) -> str:
        name = page.name
        while name in groups:
            name = groups[name]
        return name

    for sources, _ in written:
        for page in sources[1:]:
            if root(page) != root(sources[0]):
                groups[root(page)] = root(sources[0])
    members: dict[str, list[ParsedPage]] = {}
    outputs, turned, mended = (defaultdict[str, list[Any]](list) for _ in range(3))
    for read in pages:
        members.setdefault(root(read.page), []).append(read)
    for sources, words in written:
        outputs[root(sources[0])] += words
    for one in told.turned:
        turned[root(one.page)].append((one.was, one.now))
    for page, mend in told.mended:
        mended[root(page)] += [(mend.was, mend.now)] if mend.was != mend.now else []
    return [_account(reads, outputs[name], turned[name], mended[name]) for name, reads in members.items()]


def _account(
    pages: Sequence[ParsedPage],
    outputs: Iterable[str],
    turned: Sequence[tuple[str, str]],
    mended: Sequence[tuple[str, str]],
) -> WordAccount:
    """The account of pages against the words that were written of them."""
    made = WordAccount([read.page for read in pages])
    source: list[tuple[str, int, Page]] = []
    gone: Counter[str] = Counter()
    for read in pages:
        first = read.page.file.place(read.page.start).line
        source += [(word, 1, read.page) for word in WORD.findall(read.page.title)]
        source += [(word, line, read.page) for word, line in shown_words(read.expanded.text, first)]
        source += [(word, first, read.page) for word in read.page.unread]
        titles = [word for aside in read.expanded.asides for word in WORD.findall(aside.title)]
        source += [(word, first, read.page) for word in titles]
        for dropped in read.reading.dropped:
            words = WORD.findall(dropped.words)
            made.dropped += len(words)
            gone.update(words)
            if dropped.told:  # what is not told stands on the page
                source += [(word, dropped.line, read.page) for word in words]
    made.words = len(source)
    made.turned = sum(len(WORD.findall(was)) for was, _ in turned)
    made.mended = sum(len(WORD.findall(was)) for was, _ in mended)
    for was, now in (*turned, *mended):
        gone.update(WORD.findall(was))
        gone.subtract(WORD.findall(now))
    balance = Counter(word for word, _, _ in source)
    balance.subtract(gone)
    balance.subtract(outputs)
    made.kept = made.words - made.turned - made.mended - made.dropped
    places: dict[str, list[tuple[Page, int]]] = {}
    for word, line, page in source:
        places.setdefault(word, []).append((page, line))
    for word, count in balance.items():
        if count > 0 and word in places:
            lines = [line for _, line in places[word][:_MOST_PLACES]]
            made.lost += [(word, places[word][0][0], lines)] * count
            made.kept -= count
        elif count < 0:
            made.gained[word] = -count
    return made
