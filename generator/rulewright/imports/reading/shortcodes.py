"""Shortcodes of Hugo and notes of other sites: replaced in the text of a page without moving a line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote

from rulewright.imports.blocks import Guess, LeftOutWords
from rulewright.imports.sources.source_site import REF, SourcePage

OPENS, CLOSES = "\ue000", "\ue001"
"""Characters where a note begins (its index and the character again follow) and where it ends."""

LINE_END = re.compile(r"\r\n|\n|\r")
_TAG = re.compile(
    r"""\{\{(?P<sign>[<%])\s*(?P<close>/)?\s*(?P<name>[\w./-]*?\w)
    (?P<words>(?:\s+(?:"(?:\\.|[^"\\])*"|`[^`]*`|[^"`<>%]|[<>%](?!\}\}))*?)?)\s*(?P<alone>/)?\s*[>%]\}\}""",
    re.VERBOSE,
)
_ATTRIBUTES = re.compile(r"\{:[ ]*(?=[.#\w])")
_ADMONITION = re.compile(
    r"""^(?P<sign>!!!|\?\?\?\+?|:::)[ ]*(?P<kind>[\w-]*)[ ]*(?:"(?P<title>[^"]*)"|(?P<words>[^"\n]*))$""",
    re.MULTILINE,
)
_LITERAL = re.compile(r"\{\{[<%]/\*(.*?)\*/[>%]\}\}", re.DOTALL)
_ARGUMENT = re.compile(
    r"""(?:(?P<key>[\w-]+)\s*=\s*)?(?:"(?P<double>(?:\\.|[^"\\])*)"|`(?P<back>[^`]*)`|(?P<bare>[^\s"`]+))"""
)
_LABEL = re.compile(r"[\[(§]?\s?(?:[A-Z]\.?)?\d[\w.()§-]*")
_IN_LINK = ("](", "](<", '="', "='", "]: ")
_PICTURES = frozenset("figure img image picture fig photo imgproc".split())  # noqa: SIM905
_BOXES = frozenset("callout notice alert admonition hint box".split())  # noqa: SIM905
_ASIDES = _BOXES | frozenset(
    "note tip info warning important danger caution example quote blockquote aside".split()  # noqa: SIM905
)
_COLOURS = frozenset(("color", "colour", "textcolor", "font-color"))
_LINKS = frozenset(("button", "link", "a", "href"))
_WRAPPERS = frozenset(
    "table bootstrap-table details expand collapse tabs tab tabpane columns column row col div center "  # noqa: SIM905
    "lead steps cards card raw rawhtml html markdown md spoiler section block small span accordion "
    "panel pageinfo".split()
)
_SILENT = frozenset("toc clear pagebreak hr icon children partial math katex".split())  # noqa: SIM905
_TITLES = ("title", "name", "header", "label", "summary")


@dataclass(slots=True)
class ExpandedPage:
    """The text of a page with its shortcodes replaced. `asides`: kind and title of each note."""

    page: SourcePage
    text: str
    asides: list[tuple[str, str]] = field(default_factory=list)
    left_out: list[LeftOutWords] = field(default_factory=list)
    guesses: list[Guess] = field(default_factory=list)


def expand_shortcodes(page: SourcePage) -> ExpandedPage:
    """Return the text of a page with what its shortcodes stand for."""
    first = page.file.location(page.start).line
    text = LINE_END.sub("\n", page.body)
    made = ExpandedPage(page, text)
    text = _ATTRIBUTES.sub("{", text)
    text = _expand_admonitions(text, made) if _ADMONITION.search(text) else text
    text = _LITERAL.sub(lambda match: f"{{ {{{match[1]}}} }}".ljust(len(match.group())), text)
    paired = {match["name"] for match in _TAG.finditer(text) if match["close"]}
    parts: list[str] = []
    end = 0
    for match in _TAG.finditer(text):
        words = _replace(match, first + text.count("\n", 0, match.start()), paired, made)
        if words.startswith(REF) and not text[: match.start()].endswith(_IN_LINK):
            name = words[len(REF) :].partition("#")[0].rstrip("/").rpartition("/")[2].removesuffix(".md")
            words = f"[{name}]({words})"
        lines = match.group().count("\n")
        parts += [text[end : match.start()], words, f"<!--{chr(10) * lines}-->" if lines else ""]
        end = match.end()
    made.text = "".join([*parts, text[end:]])
    return made


def _expand_admonitions(text: str, expanded: ExpandedPage) -> str:
    """Return a text in which `!!! note` and `:::note` are notes."""
    lines: list[str] = []
    indents: list[int] = []  # of the text of each open note; -1 where a sign ends it
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        while indents and indents[-1] >= 0 and line.strip() and indent < indents[-1]:
            indents.pop()
            at = next(index for index in reversed(range(len(lines))) if lines[index].strip())
            lines[at] += CLOSES
        inside = indents[-1] if indents and indents[-1] > 0 else 0
        match = _ADMONITION.match(line[inside:])
        if match and match["kind"]:
            title = (match["title"] or match["words"] or "").strip(' []"')
            expanded.asides.append((match["kind"].lower(), title))
            indents.append(inside + 4 if match["sign"] != ":::" else -1)
            lines.append(f"{OPENS}{len(expanded.asides) - 1}{OPENS}")
        elif match and indents and indents[-1] < 0:
            indents.pop()
            lines.append(CLOSES)
        else:
            lines.append(line[inside:] if line.strip() else line)
    return "\n".join(lines) + CLOSES * len(indents)


def _replace(match: re.Match[str], line: int, paired: set[str], expanded: ExpandedPage) -> str:
    """Return what a shortcode stands for."""
    name = match["name"].rpartition("/")[2].lower().removesuffix(".html")
    closes, is_paired = bool(match["close"]), match["name"] in paired
    arguments: dict[str, str] = {}
    positional: list[str] = []
    for word in _ARGUMENT.finditer(match["words"]):
        value = (word["double"] or word["back"] or word["bare"] or "").replace('\\"', '"')
        if word["key"]:
            arguments[word["key"].lower()] = value
        else:
            positional.append(value)
    first = positional[0] if positional else ""
    if name in ("ref", "relref"):
        return REF + quote(arguments.get("path") or first, safe="/#.-_")
    if name == "br":
        return "<br>"
    if name in _PICTURES and not closes:
        return _picture(arguments, positional)
    if name in _ASIDES and is_paired:
        return CLOSES if closes else _open_aside(name, arguments, positional, expanded)
    if name in _COLOURS and is_paired:
        return "</span>" if closes else f'<span style="color: {escape(arguments.get("color") or first)}">'
    if name in _LINKS and is_paired:
        href = arguments.get("href") or arguments.get("url") or arguments.get("link") or first
        return "</a>" if closes else f'<a href="{escape(href)}">'
    if closes or name in _SILENT or name in _PICTURES:
        return ""
    title = next((arguments[key] for key in _TITLES if arguments.get(key)), "")
    if name in _WRAPPERS:
        title = title or next((value for value in positional if " " in value), "")
        return f"<b>{escape(title)}</b> " if title else ""
    sign = match["sign"]
    shown = f"the shortcode {{{{{sign} {name} {'>' if sign == '<' else '%'}}}}} is not known"
    if not is_paired and len(positional) == 1 and not arguments and _LABEL.fullmatch(first):
        expanded.guesses.append(Guess(expanded.page, line, f"{shown}; its {first} is taken for a rule"))
        return first
    rest = "what it holds is kept" if is_paired else "it is left out"
    words = " ".join([*positional, *arguments.values()])
    expanded.left_out.append(LeftOutWords(expanded.page, line, words, f"{shown}; {rest}", is_in_lines=False))
    return ""


def _picture(arguments: Mapping[str, str], positional: Sequence[str]) -> str:
    address = arguments.get("src") or arguments.get("link") or (positional[0] if positional else "")
    words = arguments.get("alt") or (positional[1] if len(positional) > 1 else "")
    caption = ". ".join(dict.fromkeys(word for key in ("title", "caption") if (word := arguments.get(key))))
    sides = "".join(
        f' {name}="{escape(arguments[name])}"' for name in ("width", "height") if name in arguments
    )
    # After the first tag a lone image is no block of HTML, which would hold the lines below as well.
    return f'<wbr><img src="{escape(address)}" alt="{escape(words)}" title="{escape(caption)}"{sides}>'


def _open_aside(
    name: str, arguments: Mapping[str, str], positional: Sequence[str], expanded: ExpandedPage
) -> str:
    kind = (
        arguments.get("type") or arguments.get("kind") or arguments.get("style") or arguments.get("context")
    )
    title = arguments.get("title", "")
    if not kind and positional and name in _BOXES:
        kind, *rest = positional
        title = title or " ".join(rest)
    expanded.asides.append(((kind or name).lower(), title))
    return f"{OPENS}{len(expanded.asides) - 1}{OPENS}"
