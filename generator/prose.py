"""A paragraph as words and references, and its HTML.

What an editor may write in a text, and no more: paragraphs parted by an empty line, `**bold**` and
`*italic*`, `- ` and `1. ` lists (a list opens a block or follows a line that ends with a colon, a
numbered one begins with 1 and goes on with 2), marks such as `[[14.7d|Hip Shoots]]`, and `\\*` for a star.
All else is words: a heading sign, a tag, "1986. A great year" change nothing about the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from generator.citations import Resolved

Link = Callable[[Resolved, str], str]
"""Makes the link of a reference from what it resolved to and the HTML of its words."""

_BULLET = re.compile(r"([ ]*)(?:([-*])|(\d{1,3})\.)[ ]+(?=\S)")
_SIGN = re.compile(r"\\[\\*\[\]]|\*{1,3}")
_SPECIAL = re.compile(r"[\\*<>&\[]|(?:^|\n)[ ]*(?:-|\d{1,3}\.)[ ]")


@dataclass(slots=True)
class _Item:
    """A list item: where its words stand in the text, line by line, and the lists inside it."""

    lines: list[tuple[int, int]]
    lists: list[_List] = field(default_factory=list)


@dataclass(slots=True)
class _List:
    indent: int
    numbered: bool
    items: list[_Item] = field(default_factory=list)


def blocks(text: str, references: Sequence[Resolved], link: Link) -> str:
    """The HTML of a text: paragraphs and lists. `references` are those that were resolved in it, in order."""
    if not references and not _SPECIAL.search(text):
        return "\n".join(f"<p>{part.strip()}</p>" for part in re.split(r"\n\s*\n", text) if part.strip())
    html = _Html(text, references, link)
    return "\n".join(html.block(block) for block in _blocks(text))


def inline(text: str, references: Sequence[Resolved], link: Link) -> str:
    """The HTML of a text in one line: a title, a cost."""
    if not references and not _SPECIAL.search(text):
        return text
    return _Html(text, references, link).words([(0, len(text))])


def plain(text: str) -> str:
    """The words of a text without any markup, in one line: for search, titles and other programs."""
    text = re.sub(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]", lambda m: m[1].rpartition(":")[2], text)
    without = _Html(text, (), lambda _, words: words)
    kept = (piece for piece, is_sign in without.pieces(0, len(text)) if not is_sign)
    return " ".join("".join(kept).split())


def _blocks(text: str) -> Iterator[list[tuple[int, int]] | _List]:
    """The blocks of a text: a paragraph as the spans of its lines, or a list."""
    paragraph: list[tuple[int, int]] = []
    lines = [m.span() for m in re.finditer(r"[^\n]+|(?<=\n)(?=\n)", text)]
    at = 0
    while at < len(lines):
        start, end = lines[at]
        line = text[start:end]
        opens = not paragraph or text[slice(*paragraph[-1])].rstrip().endswith(":")
        if opens and _opens_list(text, lines, at):
            if paragraph:
                yield paragraph
                paragraph = []
            block, at = _list(text, lines, at)
            yield block
            continue
        if line.strip():
            paragraph.append((start, end))
        elif paragraph:
            yield paragraph
            paragraph = []
        at += 1
    if paragraph:
        yield paragraph


def _opens_list(text: str, lines: list[tuple[int, int]], at: int) -> bool:
    """Whether a list begins with this line: a bullet, or a 1 that a 2 follows somewhere in the block."""
    m = _BULLET.match(text, *lines[at])
    if not m or not m[3]:
        return bool(m)
    if m[3] != "1":
        return False
    for start, end in lines[at + 1 :]:
        after = _BULLET.match(text, start, end)
        if after and after[3] == "2" and after[1] == m[1]:
            return True
    return False


def _list(text: str, lines: list[tuple[int, int]], at: int) -> tuple[_List, int]:
    """The list that begins with line `at`, with the lists inside it, and the line behind it."""
    first = _BULLET.match(text, *lines[at])
    assert first
    made = _List(len(first[1]), bool(first[3]))
    while at < len(lines):
        start, end = lines[at]
        m = _BULLET.match(text, start, end)
        indent = len(m[1]) if m else len(text[start:end]) - len(text[start:end].lstrip())
        if not text[start:end].strip():
            ahead = next((k for k in range(at, len(lines)) if text[slice(*lines[k])].strip()), len(lines))
            after = _BULLET.match(text, *lines[ahead]) if ahead < len(lines) else None
            follows = after and (len(after[1]) > made.indent or not made.numbered or after[3] == str(len(made.items) + 1))
            if not after or not follows or len(after[1]) < made.indent:
                break
            at = ahead
        elif m and indent == made.indent and (m[3] or "") == (str(len(made.items) + 1) if made.numbered else ""):
            made.items.append(_Item([(m.end(), end)]))
            at += 1
        elif m and indent > made.indent and made.items:
            inner, at = _list(text, lines, at)
            made.items[-1].lists.append(inner)
        elif m or not made.items or made.items[-1].lists:
            break
        else:
            made.items[-1].lines.append((start, end))
            at += 1
    return made, at


class _Html:
    """Writes the HTML of one text. Signs of emphasis that have no partner are words."""

    def __init__(self, text: str, references: Sequence[Resolved], link: Link) -> None:
        self.text = text
        self.link = link
        self.references = [(r.found.mark or (r.found.start, r.found.end), r) for r in references]

    def block(self, block: list[tuple[int, int]] | _List) -> str:
        if isinstance(block, _List):
            tag = "ol" if block.numbered else "ul"
            items = (self.words(i.lines) + "".join(map(self.block, i.lists)) for i in block.items)
            return f"<{tag}>" + "".join(f"<li>{item}</li>" for item in items) + f"</{tag}>"
        return f"<p>{self.words(block)}</p>"

    def words(self, lines: Sequence[tuple[int, int]]) -> str:
        """The HTML of one run of words, which may stand in several lines."""
        start, end = lines[0][0], lines[-1][1]
        html = "".join(piece if is_sign else escape(piece, quote=False) for piece, is_sign in self.pieces(start, end))
        return "\n".join(line.strip() for line in html.strip().split("\n"))

    def pieces(self, start: int, end: int) -> Iterator[tuple[str, bool]]:
        """The text from `start` to `end` in pieces: words, and (True) tags and links."""
        inside = [(span, r) for span, r in self.references if start <= span[0] and span[1] <= end]
        signs = self._signs(start, end, [span for span, _ in inside])
        cuts: list[tuple[int, int, str]] = [(*span, self._reference(span, r)) for span, r in inside]
        cuts += [(at, at + length, tag) for at, length, tag in signs]
        for cut_start, cut_end, html in sorted(cuts):
            if start < cut_start:
                yield self.text[start:cut_start], False
            yield html, True
            start = cut_end
        if start < end:
            yield self.text[start:end], False

    def _reference(self, span: tuple[int, int], r: Resolved) -> str:
        words = r.found.label or self.text[r.found.start : r.found.end]
        return self.link(r, escape(words, quote=False))

    def _signs(self, start: int, end: int, taken: Sequence[tuple[int, int]]) -> list[tuple[int, int, str]]:
        """Where emphasis begins and ends, with its tags, and the backslashes that are not shown."""
        signs: list[tuple[int, int, str]] = []
        opened: list[tuple[int, int]] = []
        for m in _SIGN.finditer(self.text, start, end):
            if any(a <= m.start() < b for a, b in taken):
                continue
            if m.group()[0] == "\\":
                signs.append((m.start(), 1, ""))
                continue
            at, left = m.start(), len(m.group())
            before, after = self.text[max(start, at - 1) : at], self.text[m.end() : min(end, m.end() + 1)]
            while before and not before.isspace() and opened and opened[-1][1] <= left:
                opener, length = opened.pop()
                tag = "em" if length == 1 else "strong"
                signs += [(opener, length, f"<{tag}>"), (at, length, f"</{tag}>")]
                at, left = at + length, left - length
            if left and after and not after.isspace():
                # Three stars open both; the bold within the italic, as they mostly close.
                opened += [(at, left)] if left < 3 else [(at, 1), (at + 1, 2)]
        return signs
