"""Writer of nodes as plain words, for search and for other programs; with links also as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from rulewright.document.nodes import (
    Block,
    BoldNode,
    DeletedNode,
    DrawingNode,
    ErrataMarkNode,
    ExternalNode,
    FigureNode,
    ImageNode,
    Inline,
    InsertedNode,
    ItalicNode,
    ListNode,
    NameNode,
    NoteNode,
    ParagraphNode,
    RangeNode,
    ReferenceNode,
    SymbolNode,
    TableLinkNode,
    TableNode,
)
from rulewright.document.targets import TargetId


@dataclass(frozen=True, slots=True)
class TextWriter:
    """Writer of texts, as amended. With `href`, the link to a target, the text is Markdown."""

    href: Callable[[TargetId], str] | None = None

    def inline(self, inline: Iterable[Inline]) -> str:
        """Return nodes in one line."""
        return " ".join(self._words(inline).split())

    def escape(self, words: str) -> str:
        """Return words that have no markup."""
        return markdown_words(words) if self.href else words

    def link(self, words: str, target: TargetId | str) -> str:
        """Return words with the link to their target."""
        if not self.href:
            return words
        # An address may hold (B), and many a forum ends it at the first bracket.
        href = target if isinstance(target, str) else self.href(target)
        return f"[{self.escape(words)}]({href.replace('(', '%28').replace(')', '%29')})"

    def _words(self, inline: Iterable[Inline]) -> str:
        words, stars = "", "*" if self.href else ""
        for node in inline:
            match node:
                case str():
                    words += self.escape(node)
                case ReferenceNode() | TableLinkNode():
                    words += self.link(node.words, node.target)
                case ExternalNode():
                    words += self.link(node.words, node.href)
                case NameNode():
                    words += self.escape(node.words)
                case BoldNode():
                    words += f"{stars * 2}{self._words(node.inline)}{stars * 2}"
                case ItalicNode():
                    words += f"{stars}{self._words(node.inline)}{stars}"
                case InsertedNode():
                    words += self._words(node.inline)
                case RangeNode():
                    words += "–".join(map(self._words, node.ends))
                case ImageNode():
                    words = _with_image(words, node.words)
                case SymbolNode():
                    words = _with_image(words, node.name)
                case DeletedNode() | ErrataMarkNode():
                    pass
                case _:
                    assert_never(node)
        return words


def inline_text(inline: Iterable[Inline]) -> str:
    """Return nodes in one line, as amended."""
    return TextWriter().inline(inline)


def blocks_text(blocks: Iterable[Block]) -> str:
    """Return blocks in one line, as amended."""
    return " ".join(filter(None, block_lines(blocks)))


def block_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the lines of blocks: of each paragraph and item; of a table that a text shows, its title."""
    for node in blocks:
        match node:
            case ParagraphNode():
                if node.change != "deleted":
                    yield inline_text(node.inline)
            case ListNode():
                for item in node.items:
                    if "deleted" not in (node.change, item.change):
                        yield inline_text(item.inline)
                        yield from block_lines(item.blocks)
            case FigureNode():
                yield f"{node.alt} {inline_text(node.caption)}".rstrip()
            case DrawingNode():
                yield inline_text(node.caption)
            case NoteNode():
                yield inline_text(node.title)
                yield from block_lines(node.blocks)
                if node.drawing:
                    yield inline_text(node.drawing.caption)
            case ImageNode():
                yield node.words
            case SymbolNode():
                yield node.name
            case TableNode():
                yield inline_text(node.title)
            case _:
                assert_never(node)


def table_lines(table: TableNode) -> Iterator[str]:
    """Yield the lines of a table: its text, its headings and rows, results, modifiers and notes."""
    yield from block_lines(table.blocks)
    for grid in table.grids:
        if grid is not table.grids[0]:
            yield f"Then: {grid.title}"
        for headings in grid.headings:
            yield " ".join(inline_text(cell.inline) for cell in headings)
        for row in (row for body in grid.bodies for row in body):
            yield " ".join(inline_text(cell.inline) for cell in row.cells if not cell.repeats_row_header)
        yield from (f"{result.name}: {inline_text(result.meaning)}" for result in grid.results)
        for modifier in grid.modifiers:
            see = ", ".join(map(inline_text, modifier.see))
            words = (modifier.value, inline_text(modifier.of), inline_text(modifier.when), see)
            yield " ".join(filter(None, words))
    for note in table.notes:
        yield f"{note.mark} {blocks_text(note.blocks)}".lstrip()


def markdown_words(words: str) -> str:
    """Return words that no Markdown takes for markup."""
    words = re.sub(r"([\\`*_\[\]])", r"\\\1", words)
    return re.sub(r"&(?=#?\w+;)", "&amp;", words).replace("<", "&lt;")


def _with_image(words: str, image: str) -> str:
    """Return words followed by those of an image, with a space between."""
    return f"{words} {image}" if words[-1:].isalnum() and image[:1].isalnum() else words + image
