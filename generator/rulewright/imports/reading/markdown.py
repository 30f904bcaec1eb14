"""Pages in Markdown as blocks: CommonMark with what Hugo adds, and the HTML in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from rulewright.files.markdown_spans import commonmark_parser
from rulewright.files.safe_integers import escape_long_entities
from rulewright.imports.blocks import BREAK, Guess, LeftOutWords, Run, SourceBlock, raw_text
from rulewright.imports.numbers import LABEL
from rulewright.imports.reading.block_builder import BlockBuilder
from rulewright.imports.reading.shortcodes import CLOSES, OPENS, ExpandedPage
from rulewright.imports.sources.source_site import Slugs, SourcePage

ATTRIBUTES = re.compile(r"\s*\{\s*(?:[.#:][^{}\s]+|[\w-]+=[^{}]*)(?:\s[^{}]*)?\}\s*\Z")
SIZE = re.compile(
    r"\{:?((?:\s*(?:[.#][\w-]+|[\w-]+\s*=\s*(?:\"[^\"{}]*\"|'[^'{}]*'|[^\s{}\"']+))(?=[\s}]))+)\s*\}"
)
PARSER = commonmark_parser().enable("strikethrough")
_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_TABLE_ENDS = re.compile(r"(?=</table>)", re.IGNORECASE)
_EMPTY_LINE = re.compile(r"\n[ \t]*(?=\n)")
_ASIDE = re.compile(rf"{OPENS}(\d+){OPENS}|{CLOSES}")
_ITEM = re.compile(r"\(?(?:[a-zA-Z]|[ivx]{2,4}|\d{1,2})[.)] ")
_HASHES = re.compile(r"[ ]{0,3}#{1,6}[ \t]*")
_ID = re.compile(r"(?<=#)[^\s{}#]+")
_FOOTNOTE = re.compile(r"(\[[^\[\]\s.]+\]) ")


def _unused_footnotes(state: StateCore) -> None:
    """Keep the footnotes that nothing refers to, which Hugo does not show either."""
    refs = state.env.get("footnotes", {}).get("refs", {})
    defined: list[tuple[str, list[Token]]] = []
    is_inside = False
    for token in state.tokens if refs else ():
        if token.type.startswith("footnote_reference"):
            is_inside = token.nesting > 0
            defined += [(token.meta["label"], [])] if is_inside else []
        elif is_inside and token.content:
            defined[-1][1].append(token)
    last = {label: index for index, (label, _) in enumerate(defined)}
    state.env["unused"] = [
        one for index, one in enumerate(defined) if refs[f":{one[0]}"] < 0 or last[one[0]] != index
    ]


PARSER.core.ruler.before("footnote_tail", "unused", _unused_footnotes)


def segments(text: str) -> Iterator[tuple[int, str, re.Match[str] | None]]:
    """Yield the parts of a page, each with the sign before it that opens or closes a note.

    Empty lines would end a table in HTML, so its are filled.
    """
    *closed, rest = _TABLE_ENDS.split(text)
    for index, part in enumerate(closed):
        start = match.start() if (match := _TABLE.search(part)) else len(part)
        closed[index] = part[:start] + _EMPTY_LINE.sub("\n<!-- -->", part[start:])
    text = "".join([*closed, rest])
    cuts = [None, *_ASIDE.finditer(text)]
    for sign, following in zip_longest(cuts, cuts[1:]):
        start = sign.end() if sign else 0
        yield start, text[start : following.start() if following else len(text)], sign


def read_markdown_page(
    expanded: ExpandedPage, slugs: Slugs
) -> tuple[list[SourceBlock], list[LeftOutWords], list[Guess]]:
    """Return the blocks of a page, the words that it leaves out, and guesses."""
    page = expanded.page
    first = page.file.location(page.start).line
    reader = _MarkdownReader(page, slugs)
    for begin, segment, sign in segments(expanded.text):
        line = first + expanded.text.count("\n", 0, begin)
        reader.line = line
        if sign and sign[1]:
            reader.begin_admonition("shortcode", *expanded.asides[int(sign[1])])
        elif sign:
            reader.end("shortcode")
        if segment.strip():
            reader.read(segment, line)
    reader.leave(0)
    blocks = _with_footnotes(reader.blocks, reader.footnotes, reader.footnote_blocks)
    return blocks, [*expanded.left_out, *reader.left_out], [*expanded.guesses, *reader.guesses]


class _MarkdownReader(BlockBuilder):
    footnote = prefix = ""

    def __init__(self, page: SourcePage, slugs: Slugs) -> None:
        super().__init__(page, slugs, tells_hidden=True)
        self.footnotes: set[str] = set()
        self.footnote_blocks: set[int] = set()
        self.first_of_footnote = 0

    def read(self, text: str, first: int) -> None:
        """Read a part of Markdown that begins in a line."""
        env: dict[str, list[tuple[str, list[Token]]]] = {}
        tokens, lines = PARSER.parse(text, env), text.split("\n")
        for label, inner in env["unused"]:
            line = first + next((token.map[0] for token in inner if token.map), 0)
            words = " ".join([label, *(token.content for token in inner)])
            self.left_out.append(
                LeftOutWords(self.page, line, words, "a footnote that nothing refers to", is_in_lines=False)
            )
        single_items = _lone_items(tokens)
        for index, token in enumerate(tokens):
            if index in single_items:
                self.prefix = single_items[index]
                continue
            if token.map:
                self.line = first + token.map[0]
            if token.type == "inline":
                self.read_inline(token)
            elif token.type == "html_block":
                self.feed_html(token.content, self.line)
            elif token.type in ("fence", "code_block"):
                self.add_code(token)
            elif token.type == "footnote_open":
                self.footnote = f"[{token.meta.get('label', '')}] "
                self.first_of_footnote = len(self.blocks)
            elif token.type == "footnote_close":
                self.settle()
                self.footnote_blocks |= {*range(self.first_of_footnote, len(self.blocks))}
            elif token.nesting < 0:
                self.end(token.tag)
            elif token.tag:
                self.begin(token.tag, {name: str(value) for name, value in token.attrs.items()}, token.markup)
                if token.type == "heading_open" and token.map:
                    rows = lines[slice(*token.map)]
                    underlined = token.markup in ("=", "-")
                    source = "\n".join(rows[:-1]) if underlined else _HASHES.sub("", rows[0], count=1)
                    self.heading = (source or " ", underlined)

    def read_inline(self, token: Token) -> None:
        """Read a line of words. Attributes in braces at its end are for the browser."""
        self.put(self.prefix + self.footnote)
        self.footnotes.add(self.footnote.strip())
        self.prefix = self.footnote = ""
        self.is_inline, depth = True, len(self.looks)
        children = token.children or []
        for child, following in zip_longest(children, children[1:]):
            begins = following is not None and (
                _ITEM.match(following.content) or LABEL.match(following.content)
            )
            self.read_child(child, parts=child.type == "hardbreak" and bool(child.markup == "\\" or begins))
        del self.looks[depth:]
        self.is_inline = False
        last = self.runs[-1] if self.runs and self.cell is None else None
        if last and not last.picture and (match := ATTRIBUTES.search(last.text)):
            self.ids += [(0, name) for name in _ID.findall(match.group())]
            self.runs[-1] = replace(last, text=last.text[: match.start()])

    def read_child(self, child: Token, *, parts: bool) -> None:
        kind, last = child.type, self.runs[-1] if self.runs else None
        if kind == "text" and last and last.picture and (match := SIZE.match(child.content)):
            self.set_size(match[1])
            self.put(child.content[match.end() :])
        elif kind in ("softbreak", "hardbreak"):
            self.put(BREAK + "\n" if parts else "\n")
        elif kind == "image":
            words = "".join(inner.content for inner in child.children or ())
            self.add_picture(str(child.attrs.get("src", "")), words, str(child.attrs.get("title", "")))
        elif kind == "html_inline":
            self.reset()
            self.feed(escape_long_entities(child.content))
            self.line += child.content.count("\n")
        elif kind == "footnote_ref":
            self.put(f" [{child.meta.get('label', '')}]")
        elif kind == "code_inline":
            self.looks.append(("`", replace(self.looks[-1][1], code=True)))
            self.put(child.content)
            self.looks.pop()
        elif child.nesting < 0:
            self.close_inline(child.tag)
        elif child.nesting > 0:
            self.open_inline(child.tag, {name: str(value) for name, value in child.attrs.items()})
        elif kind != "footnote_anchor":
            self.put(child.content)

    def add_code(self, token: Token) -> None:
        self.settle()
        line = self.line + (token.type == "fence")
        runs = (Run(token.content.rstrip("\n"), line, code=True),)
        if raw_text(runs).strip():
            self.guesses.append(Guess(self.page, line, "code is kept as plain lines"))
            self.add_block("code", runs, line)


def _lone_items(tokens: Sequence[Token]) -> dict[int, str]:
    """Return the tokens of ordered lists that are no lists: with one paragraph alone, or 101. as a number.

    The number is written where its item begins.
    """
    found: dict[int, str] = {}
    for index, token in enumerate(tokens):
        if token.type != "ordered_list_open":
            continue
        end = next(
            n
            for n in range(index, len(tokens))
            if tokens[n].type == "ordered_list_close" and tokens[n].level == token.level
        )
        start = int(token.attrs.get("start", 1))
        items = [n for n in range(index, end) if tokens[n].level == token.level + 1 and tokens[n].nesting]
        if end - index != 6 and start <= 100:
            continue
        found |= {index: "", end: ""}
        for count, at in enumerate(n for n in items if tokens[n].nesting > 0):
            found[at] = f"{start + count}{tokens[at].markup} "
        found |= dict.fromkeys((n for n in items if tokens[n].nesting < 0), "")
    return found


def _with_footnotes(blocks: list[SourceBlock], signs: set[str], inside: set[int]) -> list[SourceBlock]:
    """Return blocks with each footnote after the block that refers to it; Hugo shows them at the end.

    `signs`: of footnotes; `inside`: the indexes of blocks in footnotes.
    """
    notes: dict[str, list[SourceBlock]] = {}
    rest: list[SourceBlock] = []
    note: list[SourceBlock] | None = None
    texts = "".join(block.text for block in blocks)
    for index, block in enumerate(blocks):
        match = _FOOTNOTE.match(block.text) if block.kind in ("paragraph", "item") else None
        is_note = match and (match[1] in signs or (match[1][1:-1].isdigit() and f" {match[1]}" in texts))
        if match and is_note and match[1] not in notes:
            note = notes[match[1]] = [block]
        elif note is not None and index in inside:
            note.append(block)
        else:
            note = None
            rest.append(block)
    if not notes:
        return blocks
    made: list[SourceBlock] = []
    for block in rest:
        made.append(block)
        words = block.text + "".join(raw_text(cell.runs) for row in block.rows for cell in row)
        for sign in [sign for sign in notes if f" {sign}" in words]:
            made += notes.pop(sign)
    return [*made, *(block for left in notes.values() for block in left)]


def read_texts(blocks: Sequence[SourceBlock]) -> Iterator[str]:
    """Yield the words of blocks, for the vocabulary of the book."""
    for block in blocks:
        yield block.text
        for runs in (block.caption, *(cell.runs for row in block.rows for cell in row)):
            yield raw_text(runs)
