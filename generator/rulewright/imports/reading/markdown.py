"""Pages in Markdown as HTML, by markdown-it: CommonMark with what Hugo adds, and the HTML in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import zip_longest

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin

from rulewright.imports.blocks import SourceBlock, raw_text
from rulewright.imports.numbers import ITEM, LABEL
from rulewright.imports.reading.html import ASIDE as HOLDER
from rulewright.imports.reading.html import PART
from rulewright.imports.reading.shortcodes import ASIDE
from rulewright.imports.sources.slugs import Slugs, split_attributes

_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(deflist_plugin)
_SIZE = re.compile(r"\{:?\s*((?:[.#]?[\w-]+(?:\s*=\s*[\"']?[^\s{}\"']+[\"']?)?\s*)+)\}")
_SIDE = re.compile(r"\b(width|height)\s*=\s*[\"']?(\d{1,4}%?)")
_TABLE = re.compile(r"<table\b.*?(?:</table>|\Z)", re.IGNORECASE | re.DOTALL)
_EMPTY_LINE = re.compile(r"\n[ \t]*(?=\n)")
_FOOTNOTE = re.compile(r"^\[\^([^\[\]\s]{1,40})\]:[ \t]*", re.MULTILINE)
_REFERENCE = re.compile(r"(?<=\S)\[\^([^\[\]\s]{1,40})\]")
_HASHES = re.compile(r"[ ]{0,3}#{1,6}[ \t]*")
_SIGN = re.compile(r"\[[^\[\]\s]{1,40}\]")


def render_markdown(text: str, slugs: Slugs, line: int = 1) -> str:
    """Return Markdown as HTML whose elements say their lines. `line`: that of the first.

    Footnotes are paragraphs that begin with their sign. Empty lines would end a table in HTML, so its are
    filled.
    """
    text = _FOOTNOTE.sub(r"\\[\1\\] ", text)
    text = _REFERENCE.sub(r" \\[\1\\]", text)
    text = _TABLE.sub(lambda match: _EMPTY_LINE.sub("\n<!-- -->", match.group()), text)
    parts, start = "", 0
    for match in [*ASIDE.finditer(text), None]:
        segment = text[start : match.start() if match else len(text)]
        parts += _render(segment, slugs, line + text.count("\n", 0, start)) if segment.strip() else ""
        if match:
            start = match.end()
            title = f"<p><b>{escape(match[2])}</b></p>" if match[2] else ""
            place = line + text.count("\n", 0, start)
            opening = f'<{HOLDER} kind="{match[1]}" data-line="{place}">{title}'
            parts += opening if match[1] is not None else f"</{HOLDER}>"
    return parts


def _render(text: str, slugs: Slugs, line: int) -> str:
    lines = text.split("\n")
    tokens = _without_lone_items(_PARSER.parse(text))
    row_line = ""
    for token, following in zip_longest(tokens, tokens[1:]):
        if token.map and token.nesting >= 0:
            token.attrSet("data-line", str(token.map[0] + line + (token.type == "fence")))
        if token.type == "tr_open":
            row_line = str(token.attrs.get("data-line", row_line))
        elif token.type in ("td_open", "th_open"):
            token.attrSet("data-line", row_line)
        if token.type == "list_item_open" and token.markup:
            token.attrSet("data-sign", token.markup[-1])
        elif token.type == "heading_open" and token.map:
            rows = lines[slice(*token.map)]
            is_underlined = token.markup in ("=", "-")
            source = "\n".join(rows[:-1]) if is_underlined else _HASHES.sub("", rows[0], count=1)
            token.attrSet("data-anchor", slugs.heading(source)[1])
        elif token.type == "html_block":
            place = f' data-line="{token.map[0] + line}"' if token.map else ""
            token.content = f"<{PART}{place}>{token.content}</{PART}>"
        if following and following.type == "inline":
            _prepare_inline(following, token)
    return str(_PARSER.renderer.render(tokens, _PARSER.options, {}))


def _prepare_inline(inline: Token, holder: Token) -> None:
    """Take what only a browser reads out of a line: attributes of pictures, and those at its end."""
    children = inline.children or []
    for child, following in zip_longest(children, children[1:]):
        if child.type == "hardbreak" and child.markup != "\\":
            text = following.content if following else ""
            if not (ITEM.match(text) or LABEL.match(text)):
                child.type, child.tag = "softbreak", ""
        if child.type == "image" and following and (match := _SIZE.match(following.content)):
            for name, size in _SIDE.findall(match[1]):
                child.attrSet(name, size)
            following.content = following.content[match.end() :]
    if children and children[-1].type == "text" and holder.tag not in ("td", "th"):
        children[-1].content, anchor = split_attributes(children[-1].content)
        if anchor:
            holder.attrSet("id", anchor)


def _without_lone_items(tokens: list[Token]) -> list[Token]:
    """Return tokens in which a list of one paragraph, or one that begins after 100, is no list.

    The number is written where its item begins.
    """
    prefixes: dict[int, str] = {}
    for index, token in enumerate(tokens):
        if token.type != "ordered_list_open":
            continue
        closing = index + 1
        while tokens[closing].level != token.level or tokens[closing].type != "ordered_list_close":
            closing += 1
        start = int(token.attrs.get("start", 1))
        if closing - index != 6 and start <= 100:
            continue
        items = [n for n in range(index, closing) if tokens[n].level == token.level + 1 and tokens[n].nesting]
        prefixes |= dict.fromkeys((index, closing, *items), "")
        for count, item in enumerate(items[::2]):
            prefixes[item] = f"{start + count}{tokens[item].markup} "
    kept_tokens: list[Token] = []
    prefix = ""
    for index, token in enumerate(tokens):
        if index in prefixes:
            prefix = prefixes[index] or prefix
            continue
        if prefix and token.type == "inline":
            token.children = [Token("text", "", 0, content=prefix), *(token.children or [])]
            prefix = ""
        if token.type.startswith("paragraph"):
            token.hidden = False
        kept_tokens.append(token)
    return kept_tokens if prefixes else tokens


def place_footnotes(blocks: Sequence[SourceBlock], text: str) -> list[SourceBlock]:
    """Return blocks with each footnote after the block that refers to it; Hugo shows them at the end."""
    signs = {f"[{sign}]" for sign in _FOOTNOTE.findall(text)}
    notes: dict[str, SourceBlock] = {}
    rest: list[SourceBlock] = []
    for block in blocks:
        match = _SIGN.match(block.text) if block.kind in ("paragraph", "item") else None
        if match and match.group() in signs and match.group() not in notes:
            notes[match.group()] = replace(block, depth=0)
        else:
            rest.append(block)
    ordered: list[SourceBlock] = []
    for block in rest:
        ordered.append(block)
        words = block.text + "".join(raw_text(cell.runs) for row in block.rows for cell in row)
        ordered += [notes.pop(sign) for sign in [*notes] if f" {sign}" in words]
    return [*ordered, *notes.values()]
