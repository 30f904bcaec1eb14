"""A Markdown page of a book as nodes for Typst: house rules, questions, summaries, as someone wrote them.

Besides the blocks of `words` there are

    {"head": 2, "words": [...]}, {"grid": [[[...], ...], ...]}, {"quote": [block, ...]}, {"code": "…"}

HTML in it is left out, as nothing on paper could be made of it; its words stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it.tree import SyntaxTreeNode

from rulewright.citations.manuscript import MARKED, Manuscript, Reference, linked
from rulewright.numbers.insets import beside
from rulewright.print.word_nodes import Node, Words
from rulewright.source.markdown import FRONT_MATTER, page_parser

_PARSER = page_parser()
_ATTRIBUTES = re.compile(r"[ \t]*\{[#.:][^}\n]{0,200}\}[ \t]*$", re.MULTILINE)
_TAGS = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)


def markdown_page(page: Manuscript, words: Words) -> tuple[str, list[Node]]:
    """The title of a page and its blocks; the title is its first heading, and else its file's name."""
    marked = linked(page)
    reading = _Reading(words, page.name, marked.references)
    text = _ATTRIBUTES.sub("", FRONT_MATTER.sub("", marked.text))
    root = SyntaxTreeNode(_PARSER.parse(text))
    words.keep(page.source)
    blocks = list(reading.blocks(root.children))
    title = page.name.rpartition("/")[2].removesuffix(".md")
    first = blocks[0] if blocks else None
    if isinstance(first, dict) and first.get("head") == 1:
        title, blocks = "".join(map(_said, first["words"])), blocks[1:]
    for one in blocks:
        if isinstance(one, dict) and one.get("head") == 1:
            one["head"] = 2
    return title, blocks


class _Reading:
    """Makes nodes of what Markdown has read."""

    def __init__(self, words: Words, name: str, references: Sequence[Reference]) -> None:
        self.words, self.name, self.references = words, name, references
        self.level = 0

    def blocks(self, nodes: Sequence[SyntaxTreeNode]) -> Iterator[Node]:
        for node in nodes:
            yield from self._block(node)

    def _block(self, node: SyntaxTreeNode) -> Iterator[Node]:
        match node.type:
            case "heading":
                # No level is left out: a title at the top, and below it one level after the other.
                self.level = min(int(node.tag[1:]), self.level + 1)
                yield {"head": self.level, "words": self._inline(node.children[0])}
            case "paragraph":
                yield {"p": self._inline(node.children[0])}
            case "bullet_list" | "ordered_list":
                first = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else 0
                yield {"list": [list(self.blocks(item.children)) for item in node.children], "first": first}
            case "dl" | "footnote_block":
                yield from self.blocks(node.children)
            case "dt":
                yield {"p": [{"b": self._inline(node.children[0])}]}
            case "footnote":
                yield {"p": [f"[{node.meta['label']}]"]}
                yield {"quote": list(self.blocks(node.children))}
            case "blockquote" | "admonition" | "dd":
                yield {"quote": list(self.blocks(node.children))}
            case "fence" | "code_block":
                yield {"code": self._unmarked(node.content.rstrip("\n"))}
            case "table":
                rows = [
                    [self._inline(cell.children[0]) for cell in row.children]
                    for part in node.children
                    for row in part.children
                ]
                yield {"grid": rows, "heads": 1}
            case "html_block" if said := " ".join(self._unmarked(_TAGS.sub("", node.content)).split()):
                yield {"p": [said]}

    def _inline(self, node: SyntaxTreeNode) -> list[Node]:
        return [made for child in node.children for made in self._piece(child)]

    def _piece(self, node: SyntaxTreeNode) -> Iterator[Node]:
        match node.type:
            case "text" | "code_inline":
                yield from self._words(node.content)
            case "strong" | "em":
                yield {"b" if node.type == "strong" else "i": self._inline(node)}
            case "link":
                address = str(node.attrs.get("href", ""))
                inside = self._inline(node)
                yield from (
                    [{"ref": inside, "url": address}]
                    if address.startswith(("http://", "https://"))
                    else inside
                )
            case "image":
                yield self._picture(node)
            case "softbreak" | "hardbreak":
                yield " "
            case "footnote_ref":
                yield f"[{node.meta['label']}]"

    def _words(self, text: str) -> Iterator[Node]:
        """Words with the references that are marked in them."""
        for at, piece in enumerate(MARKED.split(text)):
            if at % 2 == 0:
                if piece:
                    yield self.words.plain(piece)
                continue
            one = self.references[int(piece)]
            said = self.words.plain(one.words)
            lead = dict(self.words.where(one.target)) if one.target else {"url": one.href}
            pages = {"pages": lead["to"]} if "to" in lead else {}
            yield {"ref": [said], **lead, **pages} if lead else said

    def _picture(self, node: SyntaxTreeNode) -> Node:
        name, alt = beside(self.name, str(node.attrs.get("src", ""))), self._unmarked(node.content)
        if name not in self.words.outline.edition.files:
            return alt
        self.words.pictures[name] = None
        return {"picture": name, "alt": alt or name.rpartition("/")[2]}

    def _unmarked(self, text: str) -> str:
        return MARKED.sub(lambda mark: self.references[int(mark[1])].words, text)


def _said(node: Node) -> str:
    """The words of an inline node."""
    if isinstance(node, str):
        return node
    return "".join(_said(one) for part in ("b", "i", "ref") for one in node.get(part, ()))
