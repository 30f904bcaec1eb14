"""The account of words: those of the source beside those that an import wrote, and what is lost.

The words of the source are those that a browser shows, without the reader that made rules of it, so that what
the reader loses is seen here.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from html.parser import HTMLParser
from typing import Any, TypeVar

from markdown_it.token import Token

from rulewright.files.safe_integers import parse_int
from rulewright.imports.reader.html_reader import IN_WORDS
from rulewright.imports.website.import_report import ImportReport, LostWords, WordAccount
from rulewright.imports.website.page_block_types import WORD, ParsedPage, list_mark
from rulewright.imports.website.page_blocks import ATTRIBUTES, SILENT, SIZE
from rulewright.imports.website.page_tokens import PARSER, segments
from rulewright.imports.sources.source_site import SourcePage

_ID = re.compile(r" \{: #[^{}\n]*\}$", re.MULTILINE)
_REFERENCE_MARK = re.compile(r"\[\[[^\[\]|]*\|([^\[\]]*)\]\]")
_REACH = 50  # lines: how far behind its block's beginning a word is looked for


def shown_words(text: str, first: int) -> Iterator[tuple[str, int]]:
    """The words of a text without front matter and shortcodes. `first`: the line that it begins in."""
    for start, segment, _ in segments(text):
        yield from _words(segment, first + text.count("\n", 0, start))


def written_page(text: str) -> list[str]:
    """The words of a page that an import writes, whose headings have ids and whose references have marks."""
    return [word for word, _ in shown_words(_REFERENCE_MARK.sub(r"\1", _ID.sub("", text)), 1)]


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
        self.lists: list[tuple[int, str]] = []  # the next item's number, -1 for a bullet, and how it counts

    @classmethod
    def words(cls, block: Sequence[Token]) -> list[str]:
        seen = cls()
        for token in block:
            _strip_attributes(token.children or [])
        seen.feed(str(PARSER.renderer.render(list(block), PARSER.options, {})))
        seen.close()
        return WORD.findall("".join(seen.parts))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent = self.silent or (tag if tag in SILENT else "")
        self.parts.append("" if tag in IN_WORDS else " ")
        if tag in ("ol", "ul"):
            start = parse_int(dict(attrs).get("start") or "1")
            first = -1 if tag == "ul" else 1 if start is None else max(start, 0)
            self.lists.append((first, dict(attrs).get("type") or ""))
        elif tag == "li" and self.lists and self.lists[-1][0] >= 0:
            count, sort = self.lists[-1]
            given, own = parse_int(dict(attrs).get("value") or ""), dict(attrs).get("type") or sort
            count = count if given is None else max(given, 0)
            self.parts.append(f"{list_mark(count, own)} ")
            self.lists[-1] = count + 1, sort
        elif tag == "img":
            values = dict(attrs)
            self.parts += [f" {said or ''} " for said in dict.fromkeys(map(values.get, ("alt", "title")))]

    def handle_endtag(self, tag: str) -> None:
        if tag in ("ol", "ul") and self.lists:
            self.lists.pop()
        self.silent = "" if tag == self.silent else self.silent
        self.parts.append("" if tag in IN_WORDS else " ")

    def handle_data(self, data: str) -> None:
        self.parts.append("" if self.silent else data)


def _strip_attributes(run: Sequence[Token]) -> None:
    """Take what only a browser sees out of a run of words: sizes of pictures, attributes at its end."""
    for before, token in zip([None, *run], run, strict=False):
        if before and before.type == "image" and token.type == "text" and (m := SIZE.match(token.content)):
            token.content = token.content[m.end() :]
    if run and run[-1].type == "text":
        run[-1].content = ATTRIBUTES.sub("", run[-1].content)


def _footnote(_: Any, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """A footnote, and what refers to it, by the name that its author gave it."""
    return f" [{tokens[at].meta.get('label', '')}] "


PARSER.add_render_rule("footnote_ref", _footnote)
PARSER.add_render_rule("footnote_open", _footnote)
PARSER.add_render_rule("footnote_anchor", lambda *_: "")


def account_for_words(
    pages: Sequence[ParsedPage],
    written: Sequence[tuple[Sequence[SourcePage], Sequence[str]]],
    told: ImportReport,
) -> list[WordAccount]:
    """An account for each page, or all that share a file. `written`: files, by pages and their words."""
    groups = {read.page.name: read.page.name for read in pages}
    for sources, _ in written:
        whole = {groups[page.name] for page in sources}
        groups |= {name: groups[sources[0].name] for name, own in groups.items() if own in whole}
    members, outputs, turned, mended = (defaultdict[str, list[Any]](list) for _ in range(4))
    for read in pages:
        members[groups[read.page.name]].append(read)
    for sources, words in written:
        outputs[groups[sources[0].name]] += words
    for word in told.changed_words:
        turned[groups[word.page.name]].append((word.source_words, word.result_words))
    for page, mend in told.joined_words:
        mended[groups[page.name]] += (
            [(mend.split_word, mend.joined_word)] if mend.split_word != mend.joined_word else []
        )
    return [_account(reads, outputs[name], turned[name], mended[name]) for name, reads in members.items()]


_Changes = Sequence[tuple[str, str]]


def _account(
    pages: Sequence[ParsedPage], outputs: Iterable[str], turned: _Changes, mended: _Changes
) -> WordAccount:
    made = WordAccount([read.page for read in pages])
    source: list[tuple[str, int, SourcePage]] = []
    gone: Counter[str] = Counter()
    for read in pages:
        first = read.page.file.location(read.page.start).line
        source += [(word, 1, read.page) for word in WORD.findall(read.page.title)]
        source += [(word, line, read.page) for word, line in shown_words(read.text, first)]
        source += [(word, line, read.page) for line, word in read.page.unread]
        titles = [word for _, title in read.asides for word in WORD.findall(title)]
        source += [(word, first, read.page) for word in titles]
        for dropped in read.dropped:
            words = WORD.findall(dropped.words)
            made.dropped += len(words)
            gone.update(words)
            if dropped.is_reported:  # what is not told stands on the page
                source += [(word, dropped.line, read.page) for word in words]
    made.words = len(source)
    made.changed_words = sum(len(WORD.findall(was)) for was, _ in turned)
    made.joined_words = sum(len(WORD.findall(was)) for was, _ in mended)
    for was, now in (*turned, *mended):
        gone.update(WORD.findall(was))
        gone.subtract(WORD.findall(now))
    balance = Counter(word for word, _, _ in source)
    balance.subtract(gone)
    balance.subtract(outputs)
    made.kept_words = made.words - made.changed_words - made.joined_words - made.dropped
    lines: dict[tuple[SourcePage, int], list[str]] = {}
    for word, line, page in source:
        lines.setdefault((page, line), []).append(word)
    for (page, line), lost in lost_word_lines(lines, +balance):
        words = lines[page, line]
        first = max(words.index(lost[0]) - _AROUND, 0) if len(words) > _LONGEST else 0
        made.lost.append(LostWords(" ".join(lost), page, line, " ".join(words[first : first + _LONGEST])))
        made.kept_words -= len(lost)
    made.gained = +Counter({word: -count for word, count in balance.items()})
    return made


_LONGEST, _AROUND = 60, 10
"""How many words of a line are told, and how many in front of the first that is lost."""
_Place = TypeVar("_Place", bound=Hashable)


def lost_word_lines(
    lines: Mapping[_Place, Sequence[str]], lost: Counter[str]
) -> Iterator[tuple[_Place, list[str]]]:
    """The lines that words are lost from: those first of which most is."""
    left = Counter(lost)
    shares = {at: sum(word in lost for word in words) / len(words) for at, words in lines.items() if words}
    for at in sorted(shares, key=lambda at: -shares[at]):
        own: list[str] = []
        for word in lines[at] if shares[at] else ():
            if left[word] > 0:
                left[word] -= 1
                own.append(word)
        if own:
            yield at, own
