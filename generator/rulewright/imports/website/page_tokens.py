"""A page's Markdown as tokens: CommonMark with what Hugo adds, and the parts that are read one by one.

A shortcode is replaced in the text of its page, and no line of the page moves: places stay what they were.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from itertools import zip_longest
from urllib.parse import quote

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from rulewright.files.markdown_spans import commonmark_parser
from rulewright.imports.website.page_block_types import DroppedWords, ParsedPage
from rulewright.imports.sources.source_site import SourcePage

OPENS, CLOSES = "\ue000", "\ue001"
"""Stand in the text where an aside begins (its number and again this sign follow) and where it ends."""

REF = "ref:"
"""Begins the address of a link that names a page by its file, as `ref` and `relref` do."""

_TAG = re.compile(
    r"""\{\{(?P<sign>[<%])\s*(?P<close>/)?\s*(?P<name>[\w./-]*?\w)
    (?P<words>(?:\s+(?:"(?:\\.|[^"\\])*"|`[^`]*`|[^"`<>%]|[<>%](?!\}\}))*?)?)\s*(?P<alone>/)?\s*[>%]\}\}""",
    re.VERBOSE,
)
LINE_END = re.compile(r"\r\n|\n|\r")
_ATTRIBUTES = re.compile(r"\{:[ ]*(?=[.#\w])")
_ADMONITION = re.compile(
    r"""^(?P<sign>!!!|\?\?\?\+?|:::)[ ]*(?P<kind>[\w-]*)[ ]*(?:"(?P<title>[^"]*)"|(?P<words>[^"\n]*))$""",
    re.MULTILINE,
)
_LITERAL = re.compile(r"\{\{[<%]/\*(.*?)\*/[>%]\}\}", re.DOTALL)
_WORD = re.compile(
    r"""(?:(?P<key>[\w-]+)\s*=\s*)?(?:"(?P<double>(?:\\.|[^"\\])*)"|`(?P<back>[^`]*)`|(?P<bare>[^\s"`]+))"""
)
_LABEL = re.compile(r"[\[(§]?\s?(?:[A-Z]\.?)?\d[\w.()§-]*")

_IN_LINK = ("](", "](<", '="', "='", "]: ")

_PICTURES = {"figure", "img", "image", "picture", "fig", "photo", "imgproc"}
_ASIDES = frozenset(
    "callout notice alert admonition hint note tip info warning important danger caution example quote "  # noqa: SIM905
    "blockquote aside box".split()
)
_COLOURS = {"color", "colour", "textcolor", "font-color"}
_LINKS = {"button", "link", "a", "href"}
_WRAPPERS = frozenset(
    "table bootstrap-table details expand collapse tabs tab tabpane columns column row col div center "  # noqa: SIM905
    "lead steps cards card raw rawhtml html markdown md spoiler section block small span accordion "
    "panel pageinfo".split()
)
_SILENT = {"toc", "clear", "pagebreak", "hr", "icon", "children", "partial", "math", "katex"}
_TITLES = ("title", "name", "header", "label", "summary")


def expanded(page: SourcePage) -> ParsedPage:
    """The text of a page with what its shortcodes stand for."""
    first = page.file.location(page.start).line
    text = LINE_END.sub("\n", page.body)
    made = ParsedPage(page, text)
    text = _ATTRIBUTES.sub("{", text)
    text = _admonitions(text, made) if _ADMONITION.search(text) else text
    paired = {m["name"] for m in _TAG.finditer(text) if m["close"]}
    parts: list[str] = []
    end = 0
    text = _LITERAL.sub(lambda m: f"{{ {{{m[1]}}} }}".ljust(len(m.group())), text)
    for m in _TAG.finditer(text):
        line = first + text.count("\n", 0, m.start())
        words = _replaced(m, line, paired, made)
        if words.startswith(REF) and not text[: m.start()].endswith(_IN_LINK):
            name = words[len(REF) :].partition("#")[0].rstrip("/").rpartition("/")[2].removesuffix(".md")
            words = f"[{name}]({words})"
        parts += [text[end : m.start()], words]
        lines = m.group().count("\n")
        parts.append(f"<!--{chr(10) * lines}-->" if lines else "")
        end = m.end()
    made.text = "".join([*parts, text[end:]])
    return made


def _admonitions(text: str, made: ParsedPage) -> str:
    """A text whose notes, as `!!! note` and `:::note` begin them, are asides."""
    lines: list[str] = []
    opened: list[int] = []  # how far the text of each is indented; -1 where a sign ends it
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        while opened and opened[-1] >= 0 and line.strip() and indent < opened[-1]:
            opened.pop()
            at = next(n for n in reversed(range(len(lines))) if lines[n].strip())
            lines[at] += CLOSES
        inside = opened[-1] if opened and opened[-1] > 0 else 0
        m = _ADMONITION.match(line[inside:])
        if m and (m["kind"] or "").strip():
            made.asides.append((m["kind"].lower(), (m["title"] or m["words"] or "").strip(' []"')))
            opened.append(inside + 4 if m["sign"] != ":::" else -1)
            lines.append(f"{OPENS}{len(made.asides) - 1}{OPENS}")
        elif m and opened and opened[-1] < 0:
            opened.pop()
            lines.append(CLOSES)
        else:
            lines.append(line[inside:] if line.strip() else line)
    return "\n".join(lines) + CLOSES * len(opened)


def _replaced(m: re.Match[str], line: int, paired: set[str], made: ParsedPage) -> str:
    name = m["name"].rpartition("/")[2].lower().removesuffix(".html")
    closes, is_paired = bool(m["close"]), m["name"] in paired
    given: dict[str, str] = {}
    listed: list[str] = []
    for word in _WORD.finditer(m["words"]):
        value = (word["double"] or word["back"] or word["bare"] or "").replace('\\"', '"')
        if word["key"]:
            given[word["key"].lower()] = value
        else:
            listed.append(value)
    first = listed[0] if listed else ""
    if name in ("ref", "relref"):
        return REF + quote(given.get("path") or first, safe="/#.-_")
    if name == "br":
        return "<br>"
    if name in _PICTURES and not closes:
        return _picture(given, listed)
    if name in _ASIDES and is_paired:
        return CLOSES if closes else _opens(name, given, listed, made)
    if name in _COLOURS and is_paired:
        return "</span>" if closes else f'<span style="color: {escape(given.get("color") or first)}">'
    if name in _LINKS and is_paired:
        href = given.get("href") or given.get("url") or given.get("link") or first
        return "</a>" if closes else f'<a href="{escape(href)}">'
    if closes or name in _SILENT or name in _PICTURES:
        return ""
    # What only sets its words out, or is not known.
    title = next((given[key] for key in _TITLES if given.get(key)), "")
    if name in _WRAPPERS:
        title = title or next((one for one in listed if " " in one), "")
        return f"<b>{escape(title)}</b> " if title else ""
    shown = f"the shortcode {{{{{m['sign']} {name} {'>' if m['sign'] == '<' else '%'}}}}} is not known"
    if not is_paired and len(listed) == 1 and not given and _LABEL.fullmatch(first):
        made.guesses.append((line, f"{shown}; its {first} is taken for a rule"))
        return first
    rest = "what it holds is kept" if is_paired else "it is left out"
    made.dropped.append(DroppedWords(" ".join([*listed, *given.values()]), line, f"{shown}; {rest}"))
    return ""


def _picture(given: Mapping[str, str], listed: list[str]) -> str:
    address = given.get("src") or given.get("link") or (listed[0] if listed else "")
    said = given.get("alt") or (listed[1] if len(listed) > 1 else "")
    below = list(dict.fromkeys(word for word in (given.get("title"), given.get("caption")) if word))
    sides = "".join(f' {name}="{escape(given[name])}"' for name in ("width", "height") if name in given)
    # Behind the first tag a lone image is no block of HTML, which would hold the lines below as well.
    return (
        f'<wbr><img src="{escape(address)}" alt="{escape(said)}" title="{escape(". ".join(below))}"{sides}>'
    )


def _opens(name: str, given: Mapping[str, str], listed: list[str], made: ParsedPage) -> str:
    kind = given.get("type") or given.get("kind") or given.get("style") or given.get("context")
    title = given.get("title", "")
    if not kind and listed and name in ("callout", "notice", "alert", "admonition", "hint", "box"):
        kind, *rest = listed
        title = title or " ".join(rest)
    made.asides.append(((kind or name).lower(), title))
    return f"{OPENS}{len(made.asides) - 1}{OPENS}"


PARSER = commonmark_parser().enable("strikethrough")
_TABLE = re.compile(r"<table\b", re.IGNORECASE)
_TABLE_ENDS = re.compile(r"(?=</table>)", re.IGNORECASE)
_EMPTY_LINE = re.compile(r"\n[ \t]*(?=\n)")
_ASIDE = re.compile(rf"{OPENS}(\d+){OPENS}|{CLOSES}")


def _unused_footnotes(state: StateCore) -> None:
    """Keep the footnotes that nothing refers to, which Hugo does not show either."""
    refs = state.env.get("footnotes", {}).get("refs", {})
    defined: list[tuple[str, list[Token]]] = []
    inside = False
    for token in state.tokens if refs else ():
        if token.type.startswith("footnote_reference"):
            inside = token.nesting > 0
            defined += [(token.meta["label"], [])] if inside else []
        elif inside and token.content:
            defined[-1][1].append(token)
    last = {label: at for at, (label, _) in enumerate(defined)}
    state.env["unused"] = [
        one for at, one in enumerate(defined) if refs[f":{one[0]}"] < 0 or last[one[0]] != at
    ]


PARSER.core.ruler.before("footnote_tail", "unused", _unused_footnotes)


def segments(text: str) -> Iterator[tuple[int, str, re.Match[str] | None]]:
    """Parts of a page, each with the sign in front of it that opens or closes an aside.

    Empty lines would end a table in HTML, so its are filled; no line moves, though what stands in it does.
    """
    *closed, rest = _TABLE_ENDS.split(text)
    for at, part in enumerate(closed):
        start = m.start() if (m := _TABLE.search(part)) else len(part)
        closed[at] = part[:start] + _EMPTY_LINE.sub("\n<!-- -->", part[start:])
    text = "".join([*closed, rest])
    cuts = [None, *_ASIDE.finditer(text)]
    for cut, behind in zip_longest(cuts, cuts[1:]):
        start = cut.end() if cut else 0
        yield start, text[start : behind.start() if behind else len(text)], cut
