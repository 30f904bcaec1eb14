"""Pages in Markdown as HTML, by markdown-it: CommonMark with what Hugo adds, and the HTML in it."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from mdit_py_plugins.admon import admon_plugin
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.deflist import deflist_plugin

from rulewright.imports.sources.slugs import Slugs, split_attributes

_PARSER = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(deflist_plugin)
    .use(admon_plugin)
    .use(attrs_plugin, after=("image",))
)
_TABLE = re.compile(r"<table\b.*?(?:</table>|\Z)", re.IGNORECASE | re.DOTALL)
_EMPTY_LINE = re.compile(r"\n[ \t]*(?=\n)")
_FOOTNOTE = re.compile(r"^\[\^([^\[\]\s]{1,40})\]:[ \t]*", re.MULTILINE)
_REFERENCE = re.compile(r"(?<=\S)\[\^([^\[\]\s]{1,40})\]")
_ALERT = re.compile(r"^([ \t]*(?:>[ \t]?)+)\[!(\w+)\][-+]?[ \t]*", re.MULTILINE)


def render_markdown(text: str, line: int = 1) -> str:
    """Return Markdown as HTML whose elements have their lines. `line`: that of the first.

    Footnotes are paragraphs that begin with their sign. Notes of MkDocs and alerts have their kind. Empty
    lines would end a table in HTML, so its are filled.
    """
    text = _ALERT.sub(r'\1<wbr><wbr data-note="\2">', text)
    text = _FOOTNOTE.sub(r"\\[\1\\] ", text)
    text = _REFERENCE.sub(r" \\[\1\\]", text)
    text = _TABLE.sub(lambda match: _EMPTY_LINE.sub("\n<wbr>", match.group()), text)
    tokens, slugs = _PARSER.parse(text), Slugs()
    for index, token in enumerate(tokens):
        if token.map:
            start = token.map[0] + line + (token.type == "fence")
        if token.type == "html_block":
            token.content = f'<wbr data-line="{start}">{token.content}'
        elif token.nesting >= 0 and (token.map or token.tag in ("td", "th")):
            token.attrSet("data-line", str(start))
        if token.type.startswith("admonition"):
            token.tag = "b" if "title" in token.type else "blockquote"
        if token.type == "admonition_open":
            token.attrSet("data-note", token.meta["tag"])
            if token.content == token.meta["tag"].title():  # the note has no title
                del tokens[index + 1 : index + 4]
        if token.type == "heading_open":
            words = tokens[index + 1]
            token.attrSet("data-anchor", slugs.heading(words.content))
            last = (words.children or [words])[-1]
            last.content = split_attributes(last.content)[0]
    return str(_PARSER.renderer.render(tokens, _PARSER.options, {}))
