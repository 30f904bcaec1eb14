"""Writer of a Markdown page of a book as JSON for Typst: house rules, questions, summaries.

Besides the blocks of `node_writer` there are

    {"head": 2, "words": [...]}, {"grid": [[block, ...], ...]}, {"quote": [block, ...]}, {"code": "…"}

Pictures alone in a paragraph are figures, whose title is their caption. Of HTML only the words are printed,
and pictures in Markdown in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from markdown_it.tree import SyntaxTreeNode

from rulewright.document.nodes import ImageNode
from rulewright.files.frontmatter import FRONT_MATTER
from rulewright.files.markdown_spans import page_parser
from rulewright.print.node_writer import Json, JsonObject, NodeWriter, line_text
from rulewright.references.content_page import MARKED, ContentPage, PageReference, link_references
from rulewright.schema.inline_images import SIDE, sibling_name, written_sides

_PARSER = page_parser()
_BLOCK_ATTRIBUTES = re.compile(r"(?<!\))[ \t]*\{[#.:][^}\n]{0,200}\}[ \t]*$", re.MULTILINE)
_PICTURE_ATTRIBUTES = re.compile(r"\{:?[ ]*[^{}\s][^{}\n]{0,200}\}")
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)


def write_page(page: ContentPage, writer: NodeWriter) -> tuple[str, list[Json]]:
    """Return the title of a page, its first heading or else its file's name, and its blocks."""
    marked = link_references(page)
    page_writer = _PageWriter(writer, page.name, marked.references)
    text = _BLOCK_ATTRIBUTES.sub("", FRONT_MATTER.sub("", marked.text))
    nodes = SyntaxTreeNode(_PARSER.parse(text)).children
    title = page.name.rpartition("/")[2].removesuffix(".md")
    if nodes and nodes[0].tag == "h1":
        title = line_text(page_writer.inline(nodes.pop(0).children[0]))
    return title, [*page_writer.blocks(nodes)]


class _PageWriter:
    def __init__(self, writer: NodeWriter, name: str, references: Sequence[PageReference]) -> None:
        self.writer, self.name, self.references = writer, name, references
        self.level = 1

    def blocks(self, nodes: Sequence[SyntaxTreeNode]) -> list[JsonObject]:
        return [block for node in nodes for block in self._block(node)]

    def _block(self, node: SyntaxTreeNode) -> Iterator[JsonObject]:
        match node.type:
            case "heading":
                # No level is left out below the title.
                self.level = max(2, min(int(node.tag[1:]), self.level + 1))
                yield {"head": self.level, "words": self.inline(node.children[0])}
            case "paragraph":
                yield self._paragraph(node)
            case "bullet_list" | "ordered_list":
                first = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else 0
                yield {"list": [self.blocks(item.children) for item in node.children], "first": first}
            case "dt":
                yield {"p": [{"b": self.inline(node.children[0])}]}
            case "blockquote" | "admonition" | "dd" | "footnote":
                yield {"quote": self.blocks(node.children)}
            case "fence" | "code_block":
                yield {"code": self.writer.words(self._unmarked(node.content.rstrip("\n")))}
            case "table":
                rows = [row for part in node.children for row in part.children]
                yield {"grid": [list(map(self._paragraph, row.children)) for row in rows]}
            case "html_block":
                text = "\n".join(map(str.strip, _TAG.sub("\n\n", node.content).splitlines()))
                yield from self.blocks(SyntaxTreeNode(_PARSER.parse(text)).children)
            case _:  # what has blocks, such as the footnotes
                yield from self.blocks(node.children)

    def _paragraph(self, node: SyntaxTreeNode) -> JsonObject:
        inline = self.inline(node.children[0])
        visible = [part for part in inline if not isinstance(part, str) or part.strip()]
        if visible and all(isinstance(part, dict) and "picture" in part for part in visible):
            return {"figures": visible}
        return {"p": inline}

    def inline(self, node: SyntaxTreeNode) -> list[Json]:
        inline: list[Json] = []
        for child in node.children:
            attributes = _PICTURE_ATTRIBUTES.match(child.content)
            if attributes and inline and isinstance(inline[-1], dict) and child.type == "text":
                if "picture" in inline[-1]:
                    sides = written_sides(attributes[0])
                    inline[-1] |= {side: value for side, value in sides.items() if SIDE.fullmatch(value)}
                inline += self._words(child.content[attributes.end() :])
            else:
                inline += self._inline_node(child)
        return inline

    def _inline_node(self, node: SyntaxTreeNode) -> Iterator[Json]:
        match node.type:
            case "text" | "code_inline":
                yield from self._words(node.content)
            case "strong" | "em":
                yield {"b" if node.type == "strong" else "i": self.inline(node)}
            case "link":
                address = str(node.attrs.get("href", ""))
                is_outside = address.startswith(("http://", "https://"))
                inside = self.inline(node)
                yield from [{"ref": inside, "url": address}] if is_outside else inside
            case "image":
                file = sibling_name(self.name, unquote(str(node.attrs.get("src", ""))))
                words, title = map(self._unmarked, (node.content, str(node.attrs.get("title", ""))))
                present = file if file in self.writer.outline.edition.files else ""
                yield self.writer.image(ImageNode(present, words, words, title, "", ""))
            case "softbreak" | "hardbreak":
                yield " "
            case "footnote_ref":
                yield f"[{node.meta['label']}]"

    def _words(self, text: str) -> Iterator[Json]:
        for position, piece in enumerate(MARKED.split(text)):
            if position % 2:
                reference = self.references[int(piece)]
                target = reference.target
                link = dict(self.writer.link_target(target)) if target else {"url": reference.href}
                yield {"ref": [self.writer.words(reference.words)], **link}
            elif piece:
                yield self.writer.words(piece)

    def _unmarked(self, text: str) -> str:
        return MARKED.sub(lambda mark: self.references[int(mark[1])].words, text)
