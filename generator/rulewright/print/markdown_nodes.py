"""A Markdown page of a book as nodes for Typst: house rules, questions, summaries, as someone wrote them.

Besides the blocks of `words` there are

    {"head": 2, "words": [...]}, {"grid": [[block, ...], ...]}, {"quote": [block, ...]}, {"code": "…"}

Pictures alone in a paragraph are figures; the caption of one is its title, or what HTML calls one. Other HTML
is left out, as nothing on paper could be made of it; its words stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from markdown_it.tree import SyntaxTreeNode

from rulewright.files.frontmatter import FRONT_MATTER
from rulewright.files.markdown_spans import page_parser
from rulewright.print.node_writer import Json as Node
from rulewright.print.node_writer import JsonObject as TemplateData
from rulewright.print.node_writer import NodeWriter, line_text
from rulewright.references.content_page import MARKED, ContentPage, PageReference, link_references
from rulewright.schema.inline_images import SIDE, sibling_name, written_sides

_PARSER = page_parser()
_ATTRIBUTES = re.compile(r"(?<!\))[ \t]*\{[#.:][^}\n]{0,200}\}[ \t]*$", re.MULTILINE)
_OF_PIECE = re.compile(r"\{:?[ ]*[^{}\s][^{}\n]{0,200}\}")
"""Attributes of what they stand behind: a link, a picture."""
_TAGS = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)
_CAPTION = re.compile(r"<figcaption\b[^<>]*>(.*?)</figcaption>", re.DOTALL | re.IGNORECASE)
_IMG = re.compile(r"<img\s[^<>]*>", re.IGNORECASE)
_EMPTY_LINE = re.compile(r"\n[ \t\r]*\n")
_SAID_OF_IMG = re.compile(r"""\b(src|alt|title)=(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)


def markdown_page(page: ContentPage, words: NodeWriter) -> tuple[str, list[Node]]:
    """The title of a page and its blocks; the title is its first heading, and else its file's name."""
    marked = link_references(page)
    reading = _MarkdownNodeBuilder(words, page.name, marked.references)
    root = SyntaxTreeNode(_PARSER.parse(_ATTRIBUTES.sub("", FRONT_MATTER.sub("", marked.text))))
    blocks = list(reading.blocks(root.children))
    title = page.name.rpartition("/")[2].removesuffix(".md")
    first = blocks[0] if blocks else None
    if isinstance(first, dict) and first.get("head") == 1:
        title, blocks = line_text(first["words"]), blocks[1:]
    for block in blocks:
        if isinstance(block, dict) and block.get("head") == 1:
            block["head"] = 2
    return title, blocks


class _MarkdownNodeBuilder:
    def __init__(self, words: NodeWriter, name: str, references: Sequence[PageReference]) -> None:
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
                yield self._paragraph(node.children[0])
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
                yield {"code": self.words.words(self._unmarked(node.content.rstrip("\n")))}
            case "table":
                rows = [
                    [self._paragraph(cell.children[0]) for cell in row.children]
                    for part in node.children
                    for row in part.children
                ]
                yield {"grid": rows, "heads": 1}
            case "html_block" if "![" in node.content or _IMG.search(node.content):
                yield from self._pictured(node.content)
            case "html_block" if said := " ".join(self._unmarked(_TAGS.sub("", node.content)).split()):
                yield {"p": [said]}

    def _pictured(self, html: str) -> Iterator[Node]:
        """HTML with pictures, of which the last one before a caption has that."""
        figure: TemplateData = {}
        for at, part in enumerate(_CAPTION.split(html)):
            bare = _TAGS.sub(lambda tag: f"\n\n{tag[0]}\n\n" if _IMG.match(tag[0]) else "", part)
            for piece in filter(str.strip, _EMPTY_LINE.split(bare)):
                one = self._paragraph(SyntaxTreeNode(_PARSER.parseInline(piece.strip())).children[0])
                if at % 2 and figure and "p" in one:
                    figure["caption"] = one["p"]
                    continue
                figure = one["figures"][-1] if "figures" in one else figure
                yield one

    def _paragraph(self, node: SyntaxTreeNode) -> TemplateData:
        made = self._inline(node)
        seen = [one for one in made if not isinstance(one, str) or one.strip()]
        if seen and all(isinstance(one, dict) and "picture" in one for one in seen):
            return {"figures": seen}
        return {"p": made}

    def _inline(self, node: SyntaxTreeNode) -> list[Node]:
        made: list[Node] = []
        before = ""
        for child in node.children:
            match = _OF_PIECE.match(child.content) if before in ("image", "link") else None
            if match and made and isinstance(made[-1], dict) and "picture" in made[-1]:
                made[-1] |= _sides(match[0])
            made += self._words(child.content[match.end() :]) if match else self._piece(child)
            before = child.type
        return made

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
                title = str(node.attrs.get("title", ""))
                yield self._picture(str(node.attrs.get("src", "")), node.content, title)
            case "html_inline" if _IMG.match(node.content):
                # Such an address is read from the page, which the site has as a folder.
                said = {name.lower(): one or other for name, one, other in _SAID_OF_IMG.findall(node.content)}
                words = (said.get("alt", ""), said.get("title", ""))
                yield self._picture(f"x/{said.get('src', '')}", *words, node.content)
            case "softbreak" | "hardbreak":
                yield " "
            case "footnote_ref":
                yield f"[{node.meta['label']}]"

    def _words(self, text: str) -> Iterator[Node]:
        for at, piece in enumerate(MARKED.split(text)):
            if at % 2 == 0:
                if piece:
                    yield self.words.words(piece)
                continue
            one = self.references[int(piece)]
            said = self.words.words(one.words)
            lead = dict(self.words.link_target(one.target)) if one.target else {"url": one.href}
            yield {"ref": [said], **lead}

    def _picture(self, file: str, alt: str, title: str, attributes: str = "") -> Node:
        name, alt, title = sibling_name(self.name, unquote(file)), self._unmarked(alt), self._unmarked(title)
        if name not in self.words.outline.edition.files:
            return alt
        self.words.pictures[name] = None
        caption = {"caption": [title]} if title else {}
        return {
            "picture": name,
            "alt": alt or title or name.rpartition("/")[2],
            **_sides(attributes),
            **caption,
        }

    def _unmarked(self, text: str) -> str:
        return MARKED.sub(lambda mark: self.references[int(mark[1])].words, text)


def _sides(attributes: str) -> dict[str, str]:
    return {side: value for side, value in written_sides(attributes).items() if SIDE.fullmatch(value)}
