"""Writer of a Markdown page of a book as JSON for Typst: house rules, questions, summaries.

Besides the blocks of `node_writer` there are

    {"head": 2, "words": [...]}, {"grid": [[block, ...], ...]}, {"quote": [block, ...]}, {"code": "…"}

Pictures alone in a paragraph are figures, whose title is their caption. Of HTML only pictures and words are
printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from markdown_it.tree import SyntaxTreeNode

from rulewright.files.frontmatter import FRONT_MATTER
from rulewright.files.markdown_spans import page_parser
from rulewright.print.node_writer import Json, JsonObject, NodeWriter, line_text
from rulewright.references.content_page import MARKED, ContentPage, PageReference, link_references
from rulewright.schema.inline_images import SIDE, sibling_name, written_sides

_PARSER = page_parser()
_BLOCK_ATTRIBUTES = re.compile(r"(?<!\))[ \t]*\{[#.:][^}\n]{0,200}\}[ \t]*$", re.MULTILINE)
_PICTURE_ATTRIBUTES = re.compile(r"\{:?[ ]*[^{}\s][^{}\n]{0,200}\}")
_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)
_FIGURE = re.compile(r"<figure\b[^<>]*>(.*?)</figure>", re.DOTALL | re.IGNORECASE)
_CAPTION = re.compile(r"<figcaption\b[^<>]*>(.*?)</figcaption>", re.DOTALL | re.IGNORECASE)
_IMG = re.compile(r"<img\s[^<>]*>", re.IGNORECASE)
_IMG_ATTRIBUTE = re.compile(r"""\b(src|alt|title)=(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_PICTURE_END = re.compile(r"(!\[[^\]]*\]\([^()\s]*)\)")
_EMPHASIS = re.compile(r"[*_`]")


def write_page(page: ContentPage, writer: NodeWriter) -> tuple[str, list[Json]]:
    """Return the title of a page, its first heading or else its file's name, and its blocks."""
    marked = link_references(page)
    page_writer = _PageWriter(writer, page.name, marked.references)
    text = _BLOCK_ATTRIBUTES.sub("", FRONT_MATTER.sub("", marked.text))
    text = _IMG.sub(_img_as_markdown, _FIGURE.sub(_figure_as_markdown, text))
    blocks = page_writer.blocks(SyntaxTreeNode(_PARSER.parse(text)).children)
    title = page.name.rpartition("/")[2].removesuffix(".md")
    if blocks and blocks[0].get("head") == 1:
        title = line_text(blocks.pop(0)["words"])
    for block in blocks:
        if block.get("head") == 1:
            block["head"] = 2
    return title, [*blocks]


def _figure_as_markdown(figure: re.Match[str]) -> str:
    """Return the picture of a figure with its caption as title."""
    picture = _IMG.sub(_img_as_markdown, _CAPTION.sub("", figure[1]))
    if caption := _CAPTION.search(figure[1]):
        title = " ".join(_EMPHASIS.sub("", _TAG.sub("", caption[1])).replace('"', "'").split())
        picture = _PICTURE_END.sub(lambda found: f'{found[1]} "{title}")', picture, count=1)
    return f"\n\n{_TAG.sub('', picture).strip()}\n\n"


def _img_as_markdown(tag: re.Match[str]) -> str:
    values = {name.lower(): double or single for name, double, single in _IMG_ATTRIBUTE.findall(tag[0])}
    title = f' "{values["title"]}"' if values.get("title") else ""
    sides = "".join(f" {side}={value}" for side, value in _sides(tag[0]).items())
    # Addresses in HTML start from the page, which the site has as a folder.
    return f"![{values.get('alt', '')}](x/{values.get('src', '')}{title}){{{sides} }}"


class _PageWriter:
    def __init__(self, writer: NodeWriter, name: str, references: Sequence[PageReference]) -> None:
        self.writer, self.name, self.references = writer, name, references
        self.level = 0

    def blocks(self, nodes: Sequence[SyntaxTreeNode]) -> list[JsonObject]:
        return [block for node in nodes for block in self._block(node)]

    def _block(self, node: SyntaxTreeNode) -> Iterator[JsonObject]:
        match node.type:
            case "heading":
                # No level is left out: a title at the top, and below it one level after the other.
                self.level = min(int(node.tag[1:]), self.level + 1)
                yield {"head": self.level, "words": self._inline(node.children[0])}
            case "paragraph":
                yield self._paragraph(node)
            case "bullet_list" | "ordered_list":
                first = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else 0
                yield {"list": [self.blocks(item.children) for item in node.children], "first": first}
            case "dl" | "footnote_block":
                yield from self.blocks(node.children)
            case "dt":
                yield {"p": [{"b": self._inline(node.children[0])}]}
            case "footnote":
                yield {"p": [f"[{node.meta['label']}]"]}
                yield {"quote": self.blocks(node.children)}
            case "blockquote" | "admonition" | "dd":
                yield {"quote": self.blocks(node.children)}
            case "fence" | "code_block":
                yield {"code": self.writer.words(self._unmarked(node.content.rstrip("\n")))}
            case "table":
                rows = [row for part in node.children for row in part.children]
                yield {"grid": [list(map(self._paragraph, row.children)) for row in rows]}
            case "html_block":
                yield from self.blocks(SyntaxTreeNode(_PARSER.parse(_TAG.sub("", node.content))).children)

    def _paragraph(self, node: SyntaxTreeNode) -> JsonObject:
        inline = self._inline(node.children[0])
        visible = [part for part in inline if not isinstance(part, str) or part.strip()]
        if visible and all(isinstance(part, dict) and "picture" in part for part in visible):
            return {"figures": visible}
        return {"p": inline}

    def _inline(self, node: SyntaxTreeNode) -> list[Json]:
        inline: list[Json] = []
        for child in node.children:
            attributes = _PICTURE_ATTRIBUTES.match(child.content)
            if attributes and inline and isinstance(inline[-1], dict) and child.type == "text":
                if "picture" in inline[-1]:
                    inline[-1] |= _sides(attributes[0])
                inline += self._words(child.content[attributes.end() :])
            else:
                inline += self._inline_node(child)
        return inline

    def _inline_node(self, node: SyntaxTreeNode) -> Iterator[Json]:
        match node.type:
            case "text" | "code_inline":
                yield from self._words(node.content)
            case "strong" | "em":
                yield {"b" if node.type == "strong" else "i": self._inline(node)}
            case "link":
                address = str(node.attrs.get("href", ""))
                is_outside = address.startswith(("http://", "https://"))
                inside = self._inline(node)
                yield from [{"ref": inside, "url": address}] if is_outside else inside
            case "image":
                title = str(node.attrs.get("title", ""))
                yield self._picture(str(node.attrs.get("src", "")), node.content, title)
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

    def _picture(self, file: str, alt: str, title: str) -> Json:
        name, alt, title = sibling_name(self.name, unquote(file)), self._unmarked(alt), self._unmarked(title)
        if name not in self.writer.outline.edition.files:
            return alt
        self.writer.pictures[name] = None
        caption = {"caption": [title]} if title else {}
        return {"picture": name, "alt": alt or title or name.rpartition("/")[2], **caption}

    def _unmarked(self, text: str) -> str:
        return MARKED.sub(lambda mark: self.references[int(mark[1])].words, text)


def _sides(attributes: str) -> dict[str, str]:
    return {side: value for side, value in written_sides(attributes).items() if SIDE.fullmatch(value)}
