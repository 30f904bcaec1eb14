"""HTML as the text of a page: one block of HTML, in which each line is where it was."""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser

from rulewright.files.safe_integers import escape_long_entities, unescape_html
from rulewright.imports.reader import RawLines

_AWAY = ("head", "title", "script", "style", "template", "nav", "noscript", "svg", "iframe")
"""Elements whose words no reader of a page takes for its own."""
IN_WORDS = frozenset(
    "a abbr b big cite code del em font i ins kbd mark q s small span strong sub sup tt u var wbr".split()  # noqa: SIM905
)
"""Tags that may stand in the middle of a word."""
_IN_HEAD = ("head", "title", "meta", "link", "base", "style", "script", "template", "noscript")
_OUTER = ("html", "body")
_SHORTCODES = re.compile(r"\{|^[!?:](?=[!?:]{2})", re.MULTILINE)
_EMPTY = re.compile(r"^[ \t\r\f\v]*$", re.MULTILINE)
_HEADING = re.compile(r"<h1\b[^<>]*>(.*?)</h1\s*>", re.IGNORECASE | re.DOTALL)


def html_to_page(html: str) -> tuple[str, str]:
    """The text of a page that is HTML, and its title: its only heading of the first level."""
    text = _SHORTCODES.sub(lambda m: f"&#{ord(m.group())};", html)
    tops = _HEADING.findall(text)
    title = tops[0] if len(tops) == 1 else ""
    words = " ".join(unescape_html(re.sub(r"<[^<>]*>", "", title)).split())
    return f"<div>{_EMPTY.sub('<!-- -->', text)}</div>\n", words


def clean_html(html: str) -> str:
    """The body of a page of HTML without what is no text; its lines stay."""
    return "".join(_Cleaner(html).parts)


_UNSHOWN = re.compile(
    rf"<!--.*?-->|<({'|'.join(_AWAY)})\b.*?</\1\s*>|<(?:template|script|style)\b.*", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(r"</?([a-zA-Z][\w:-]*)(?![\w:-])(?:\"[^\"<>]*\"|'[^'<>]*'|[^'\"<>])*>|<[!?][^<>]*>")


def raw_lines(html: str) -> RawLines:
    """The words of HTML that a browser shows, line by line, without its being parsed."""
    bare = _UNSHOWN.sub(lambda m: "\n" * m.group().count("\n") + " ", html)
    bare = _TAG.sub(
        lambda m: ("" if (m[1] or "").lower() in IN_WORDS else " ") + "\n" * m.group().count("\n"), bare
    )
    return [*enumerate(unescape_html(bare).split("\n"), 1)]


class _Cleaner(HTMLParser):
    """Takes out of HTML what is no text, and leaves its lines."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.left_out: list[str] = []  # words that are told
        self.inside = ""  # an element that is left out
        self.depth = 0
        self.feed(escape_long_entities(html.replace("\r\n", "\n").replace("\r", "\n")))
        self.close()

    def put(self, text: str, *, shown: bool = True) -> None:
        self.parts.append(text if shown and not self.inside else "\n" * text.count("\n"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.inside == "head" and tag not in _IN_HEAD:  # which ends before, said or not
            self.inside = ""
        if not self.inside and tag in _AWAY:
            self.inside, self.depth = tag, 0
        self.depth += tag == self.inside
        self.put(self.get_starttag_text() or "", shown=tag not in _OUTER)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.put(self.get_starttag_text() or "", shown=tag not in _AWAY)

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == self.inside
        is_end = tag == self.inside and self.depth <= 0
        self.put(f"</{tag}>", shown=tag not in (*_OUTER, *_AWAY))
        if is_end:
            self.inside = ""
            if words := " ".join(" ".join(self.left_out).split()):
                self.put(f"<!-- navigation: {escape(words).replace('--', '- -')} -->")
            self.left_out = []

    def handle_data(self, data: str) -> None:
        self.left_out += [data] if self.inside == "nav" else []
        self.put(escape(data, quote=False))

    def handle_comment(self, data: str) -> None:
        self.put(data, shown=False)

    def handle_decl(self, decl: str) -> None:
        self.put(decl, shown=False)

    handle_pi = unknown_decl = handle_comment
