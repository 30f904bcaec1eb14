"""Shortcodes of Hugo and notes of other sites: replaced in the text of a page without moving a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from rulewright.imports.blocks import LeftOutWords
from rulewright.imports.sources.source_site import REF, SourcePage

OPENS, CLOSES = "\ue000", "\ue001"
"""Characters around the kind and the title of a note, and at its end."""

ASIDE = re.compile(rf"{OPENS}([\w-]*)\|([^{OPENS}]*){OPENS}|{CLOSES}")
_TAG = re.compile(
    r"""\{\{(?P<sign>[<%])\s*(?P<close>/)?\s*(?P<name>[\w./-]*?\w)
    (?P<words>(?:\s+(?:"(?:\\.|[^"\\])*"|`[^`]*`|[^"`<>%]|[<>%](?!\}\})){0,1000}?)?)\s*/?\s*[>%]\}\}""",
    re.VERBOSE,
)
_ADMONITION = re.compile(r"(?P<sign>!!!|\?\?\?\+?|:::)[ ]*(?P<kind>[\w-]*)[ ]*(?P<title>.*)")
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
_COLOURS = ("color", "colour", "textcolor", "font-color")
_LINKS = ("button", "link", "a", "href")


def expand_shortcodes(page: SourcePage) -> tuple[str, list[LeftOutWords]]:
    """Return the text of a page with what its shortcodes mean, and the words that are left out."""
    first = page.file.location(page.start).line
    text = _expand_admonitions(
        page.body.replace("\r\n", "\n").translate(dict.fromkeys(map(ord, OPENS + CLOSES)))
    )
    text = _LITERAL.sub(lambda match: f"{{ {{{match[1]}}} }}", text)
    paired = {match["name"] for match in _TAG.finditer(text) if match["close"]}
    left_out: list[LeftOutWords] = []

    def expand(match: re.Match[str]) -> str:
        words, unknown = _meaning(match, match["name"] in paired)
        if words.startswith(REF) and not text[: match.start()].endswith(_IN_LINK):
            name = words[len(REF) :].partition("#")[0].rstrip("/").rpartition("/")[2].removesuffix(".md")
            words = f"[{name}]({words})"
        if unknown is not None:
            line = first + text.count("\n", 0, match.start())
            rest = "what it holds stays" if words or match["name"] in paired else "it is left out"
            reason = f"the shortcode {match['name']} is not known; {rest}"
            left_out.append(LeftOutWords(page, line, unknown, reason, is_in_lines=False))
        lines = match.group().count("\n")
        return words + (f"<!--{chr(10) * lines}-->" if lines else "")

    return _TAG.sub(expand, text), left_out


def _expand_admonitions(text: str) -> str:
    """Return a text in which `!!! note` and `:::note` are notes."""
    lines: list[str] = []
    indents: list[int] = []  # of the text of each open note; -1 if a sign ends it
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        while indents and indents[-1] >= 0 and line.strip() and indent < indents[-1]:
            indents.pop()
            last = next(index for index in reversed(range(len(lines))) if lines[index].strip())
            lines[last] += CLOSES
        inside = max(indents[-1], 0) if indents else 0
        match = _ADMONITION.fullmatch(line[inside:])
        if match and match["kind"]:
            title = match["title"].strip(' []"')
            indents.append(inside + 4 if match["sign"] != ":::" else -1)
            lines.append(f"{OPENS}{match['kind'].lower()}|{title}{OPENS}")
        elif match and not match["title"] and indents and indents[-1] < 0:
            indents.pop()
            lines.append(CLOSES)
        else:
            lines.append(line[inside:] if line.strip() else line)
    return "\n".join(lines) + CLOSES * len(indents)


def _meaning(match: re.Match[str], is_paired: bool) -> tuple[str, str | None]:
    """Return what a shortcode means, and the words of its arguments if it is unknown."""
    name, closes = match["name"].rpartition("/")[2].lower().removesuffix(".html"), bool(match["close"])
    arguments: dict[str, str] = {}
    positional: list[str] = []
    for word in _ARGUMENT.finditer(match["words"]):
        value = (word["double"] or word["back"] or word["bare"] or "").replace('\\"', '"')
        if word["key"]:
            arguments[word["key"].lower()] = value
        else:
            positional.append(value)

    def first_of(*keys: str, default: Sequence[str] = positional) -> str:
        return next((arguments[key] for key in keys if arguments.get(key)), default[0] if default else "")

    title = first_of("title", "name", "header", "label", "summary", default=())
    if name in ("ref", "relref"):
        return REF + quote(first_of("path"), safe="/#.-_"), None
    if name == "br":
        return "<br>", None
    if name in _PICTURES and not closes:
        words = arguments.get("alt") or " ".join(positional[1:2])
        captions = dict.fromkeys(arguments[key] for key in ("title", "caption") if arguments.get(key))
        values = {"src": first_of("src", "link"), "alt": words, "title": ". ".join(captions)}
        values |= {key: arguments[key] for key in ("width", "height") if key in arguments}
        tags = " ".join(f'{key}="{escape(value)}"' for key, value in values.items())
        # After the first tag a lone image is no block of HTML, which would hold the lines below as well.
        return f"<wbr><img {tags}>", None
    if name in _ASIDES and is_paired:
        kind = first_of("type", "kind", "style", "context", default=positional if name in _BOXES else ())
        title = title or " ".join(positional[1:] if name in _BOXES else ())
        title = re.sub(rf"[{OPENS}|]", " ", title)
        kind = re.sub(r"\W", "", kind or name).lower()
        return CLOSES if closes else f"{OPENS}{kind}|{title}{OPENS}", None
    if name in _COLOURS and is_paired:
        return "</span>" if closes else f'<span style="color: {escape(first_of("color"))}">', None
    if name in _LINKS and is_paired:
        return "</a>" if closes else f'<a href="{escape(first_of("href", "url", "link"))}">', None
    if closes or name in _PICTURES:
        return "", None
    title = title or next((value for value in positional if is_paired and " " in value), "")
    if title:
        return f"<b>{escape(title)}</b> ", None
    if not is_paired and len(positional) == 1 and not arguments and _LABEL.fullmatch(positional[0]):
        return positional[0], ""
    return "", " ".join([*positional, *arguments.values()])
