"""The words of a line as pieces that look alike, from Markdown's tokens or from HTML's tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

from markdown_it.token import Token

from rulewright.importers.website.page_blocks import Image, Link, TextPiece
from rulewright.source.amounts import tamed

BREAK = "\x0b"
"""Stands in a piece where the author wants a new line; prose has none, so a paragraph ends there."""

_STRUCTURE = {
    "p", "div", "section", "article", "center", "figure", "main", "header", "footer", "address", "wbr",
}  # fmt: skip
_EMPHASIS = {"b": "bold", "strong": "bold", "mark": "bold", "i": "italic", "em": "italic", "cite": "italic"}
PLAIN = {
    "u", "s", "del", "ins", "small", "big", "sup", "sub", "code", "kbd", "abbr", "q", "tt", "var", "font",
}  # fmt: skip
_COLOUR = re.compile(r"(?:^|[;\s])color\s*:\s*([^;]+)")
SIZE = re.compile(
    r"\{:?((?:\s*(?:[.#][\w-]+|[\w-]+\s*=\s*(?:\"[^\"{}]*\"|'[^'{}]*'|[^\s{}\"']+))(?=[\s}]))+)\s*\}"
)
_SIDE = re.compile(r"""\b(width|height)\s*=\s*["']?(\d{1,4}%?)(?:px)?(?![\w.%])""")


@dataclass(slots=True)
class Look:
    """The look of the words that come next, and the tag that gave it to them."""

    bold: bool = False
    italic: bool = False
    colour: str = ""
    link: Link | None = None
    tag: str = ""


@dataclass(slots=True)
class Inline:
    """Pieces in the making. `line` is where the next words stand; `unknown` are tags that mean nothing
    here."""

    line: int
    source: list[str]
    pieces: list[TextPiece] = field(default_factory=list)
    looks: list[Look] = field(default_factory=lambda: [Look()])
    unknown: list[tuple[int, str]] = field(default_factory=list)
    _seen: tuple[int, int] = (0, 0)  # the line and column behind the last link

    def put(self, text: str) -> None:
        """Add words that look as the tags around them say."""
        look = self.looks[-1]
        if text:
            self.pieces.append(TextPiece(text, self.line, look.bold, look.italic, look.colour, look.link))
        self.line += text.count("\n")

    def open(self, tag: str, **changes: object) -> None:
        self.looks.append(replace(self.looks[-1], tag=tag, **changes))  # type: ignore[arg-type]

    def close(self, tag: str) -> None:
        """End what a tag began; what began behind it ends too."""
        at = next((i for i in reversed(range(1, len(self.looks))) if self.looks[i].tag == tag), None)
        if at is not None:
            del self.looks[at:]

    def begin(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A tag of HTML that begins."""
        if tag in _EMPHASIS:
            self.open(tag, **{_EMPHASIS[tag]: True})
        elif tag in ("span", "font"):
            self.open(tag, colour=colour_of(attributes) or self.looks[-1].colour)
        elif tag == "a" and "href" in attributes:
            self.open(tag, link=self.link(attributes["href"]))
        elif tag == "img":
            self.picture(attributes.get("src", ""), attributes.get("alt", ""), attributes.get("title", ""))
            self.size(" ".join(f"{name}={attributes.get(name, '')}" for name in ("width", "height")))
        elif tag == "br":
            self.put(BREAK)
        elif tag not in _STRUCTURE and tag not in PLAIN and tag != "a":
            self.unknown.append((self.line, tag))

    def picture(self, address: str, words: str, caption: str) -> None:
        words, caption = " ".join(words.split()), " ".join(caption.split())
        image = Image(address, caption if caption != words else "")
        self.pieces.append(TextPiece(words, self.line, picture=image))

    def size(self, words: str) -> None:
        """Give the last picture the width and height that words say, if they say one."""
        sides = " ".join(f"{name}={value}" for name, value in _SIDE.findall(words))
        last = self.pieces[-1]
        if sides and last.picture:
            self.pieces[-1] = replace(last, picture=replace(last.picture, size=sides))

    def link(self, href: str) -> Link:
        """A link with the column that its address stands in, as far as that can be seen."""
        index = self.line - 1
        for line in range(index, min(index + 3, len(self.source))):
            start = self._seen[1] if self._seen[0] == line else 0
            if (at := self.source[line].find(href, start)) >= 0:
                self._seen = line, at + len(href)
                return Link(href, line + 1, at + 1)
        return Link(href, self.line)


def colour_of(attributes: Mapping[str, str]) -> str:
    """The colour that a tag gives its words, by style, by attribute or by the name of a class."""
    styled = _COLOUR.search(attributes.get("style", ""))
    return (styled[1] if styled else attributes.get("color") or attributes.get("class", "")).strip().lower()


def unknown_tags(unknown: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """A guess (line, message) for each HTML tag that means nothing here."""
    for at, tag in dict.fromkeys(unknown):
        yield at, f"the tag <{tag}> says nothing in a book; its words are kept"


class TagReader(HTMLParser):
    """Hands the tags of a bit of HTML inside a line to pieces in the making."""

    def __init__(self, inline: Inline) -> None:
        super().__init__()
        self.inline = inline

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inline.begin(tag, {name: value or "" for name, value in attrs})

    def handle_endtag(self, tag: str) -> None:
        self.inline.close(tag)


def pieces(token: Token, line: int, source: list[str]) -> tuple[list[TextPiece], list[tuple[int, str]]]:
    """The pieces of an inline token whose words begin in a line; and HTML tags in it that mean nothing
    here."""
    inline = Inline(line, source)
    for child in token.children or ():
        _take(inline, child)
    return _mended(inline.pieces), inline.unknown


def _take(inline: Inline, child: Token) -> None:
    kind = child.type
    if kind == "text" and inline.pieces and inline.pieces[-1].picture and (m := SIZE.match(child.content)):
        inline.size(m[1])
        inline.put(child.content[m.end() :])
    elif kind in ("text", "code_inline", "text_special"):
        inline.put(child.content)
    elif kind in ("softbreak", "hardbreak"):
        inline.put(BREAK + "\n" if kind == "hardbreak" and child.markup == "\\" else "\n")
    elif kind in ("strong_open", "em_open"):
        inline.open(kind[:-5], **{"bold" if kind[0] == "s" else "italic": True})
    elif kind in ("strong_close", "em_close", "link_close"):
        inline.close(kind.partition("_")[0])
    elif kind == "link_open":
        inline.open("link", link=inline.link(str(child.attrs.get("href", ""))))
    elif kind == "image":
        said = "".join(inner.content for inner in child.children or ())
        inline.picture(str(child.attrs.get("src", "")), said, str(child.attrs.get("title", "")))
    elif kind == "html_inline":
        TagReader(inline).feed(tamed(child.content))
        inline.line += child.content.count("\n")
    elif kind == "footnote_ref":
        inline.put(f" [{child.meta.get('label', '')}]")
    elif kind == "footnote_anchor" or kind in ("s_open", "s_close"):
        return
    elif child.content:
        inline.put(child.content)


def _mended(made: list[TextPiece]) -> list[TextPiece]:
    """Neighbours that look alike as one piece."""
    joined: list[TextPiece] = []
    for piece in made:
        before = joined[-1] if joined else None
        if before and not piece.picture and piece.looks_like(before):
            joined[-1] = before.saying(before.text + piece.text)
        else:
            joined.append(piece)
    return joined
