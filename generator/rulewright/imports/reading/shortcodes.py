"""Shortcodes of Hugo and notes of MkDocs as Markdown, without moving a line."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote

from rulewright.imports.blocks import LeftOutWords
from rulewright.imports.sources.source_site import REF, SourcePage

_OPENS, _CLOSES = "\ue000", "\ue001"
"""Characters where a note begins and ends."""

_TAG = re.compile(
    r"""\{\{[<%]\s*(?P<close>/)?\s*(?P<name>[\w./-]*?\w)
    (?P<words>(?:\s(?:"(?:\\.|[^"\\{}])*"|[^"{}])*?)?)\s*/?\s*[>%]\}\}""",
    re.VERBOSE,
)
_ARGUMENT = re.compile(r'(?:(?P<key>[\w-]+)\s*=\s*)?(?:"(?P<quoted>(?:\\.|[^"\\])*)"|(?P<bare>[^\s"]+))')
_ADMONITION = re.compile(
    r"^(?:!!!|\?\?\?\+?)[ ]*(?P<kind>[\w-]+)[ ]*(?P<title>.*)\n(?P<body>(?:(?:[ ]{4}.*)?(?:\n|\Z))*)",
    re.MULTILINE,
)
_LABEL = re.compile(r"[\[(§]?\s?(?:[A-Z]\.?)?\d[\w.()§-]*")
_IN_LINK = ("](", "](<", '="', "='", "]: ")
_PICTURES = ("figure", "img", "image")
_BOXES = frozenset("callout notice alert admonition hint box".split())  # noqa: SIM905
_NOTES = _BOXES | frozenset("note tip info warning important danger caution example quote".split())  # noqa: SIM905


def expand_shortcodes(page: SourcePage) -> tuple[str, list[LeftOutWords]]:
    """Return the text of a page with what its shortcodes mean, and the words that are left out."""
    first = page.file.location(page.start).line
    text = re.sub(f"[{_OPENS}{_CLOSES}]", "", page.body)
    paired = {match["name"] for match in _TAG.finditer(text) if match["close"]}
    left_out: list[LeftOutWords] = []

    def expand(match: re.Match[str]) -> str:
        name, closes = match["name"].lower(), bool(match["close"])
        words = _note(name, match["words"], closes=closes) if match["name"] in paired else ""
        if not words and not closes:
            before = text[max(match.start() - 3, 0) : match.start()]
            words, unknown = _meaning(name, match["words"], in_link=before.endswith(_IN_LINK))
            if unknown:
                reason = f"the shortcode {name} is not known"
                line = first + text.count("\n", 0, match.start())
                left_out.append(LeftOutWords(page, line, unknown, reason, is_in_lines=False))
        return words + "\n" * match.group().count("\n")

    return _quote_notes(_TAG.sub(expand, text)), left_out


def _arguments(words: str) -> tuple[dict[str, str], list[str]]:
    named: dict[str, str] = {}
    positional: list[str] = []
    for match in _ARGUMENT.finditer(words):
        value = (match["quoted"] or match["bare"] or "").replace('\\"', '"')
        if match["key"]:
            named[match["key"].lower()] = value
        else:
            positional.append(value)
    return named, positional


def _note(name: str, words: str, *, closes: bool) -> str:
    """Return the beginning or the end of a note; nothing for another shortcode."""
    if name not in _NOTES:
        return ""
    named, positional = _arguments(words)
    kind = (
        named.get("type") or named.get("kind") or (positional[0] if name in _BOXES and positional else name)
    )
    title = named.get("title") or " ".join(positional[1:])
    return _CLOSES if closes else _opening(kind, title)


def _opening(kind: str, title: str) -> str:
    return f"{_OPENS}{re.sub(r'[^a-z]', '', kind.lower())}] " + (
        f"<b>{escape(title)}</b><br>" if title else ""
    )


def _meaning(name: str, words: str, *, in_link: bool) -> tuple[str, str]:
    """Return what a shortcode means, and the words of its arguments if it is unknown."""
    named, positional = _arguments(words)
    first = positional[0] if positional else ""
    if name in ("ref", "relref"):
        path = named.get("path") or first
        address = REF + quote(path, safe="/#.-_")
        page_name = path.partition("#")[0].rstrip("/").rpartition("/")[2].removesuffix(".md")
        return address if in_link else f"[{page_name}]({address})", ""
    if name in _PICTURES:
        captions = ". ".join(dict.fromkeys(filter(None, (named.get("title"), named.get("caption")))))
        values = {"src": named.get("src") or first, "alt": named.get("alt", ""), "title": captions}
        values |= {key: named[key] for key in ("width", "height") if key in named}
        tags = " ".join(f'{key}="{escape(value)}"' for key, value in values.items())
        # After the first tag a lone image is no block of HTML, which would hold the lines below as well.
        return f"<wbr><img {tags}>", ""
    if title := named.get("title") or named.get("summary") or (first if " " in first else ""):
        return f"<b>{escape(title)}</b> ", ""
    is_label = not named and len(positional) == 1 and _LABEL.fullmatch(first)
    return first if is_label else "", " ".join([name, *positional, *named.values()])


def _quote_notes(text: str) -> str:
    """Return a text in which notes are quotes that begin with their kind: `> [!tip]`."""

    def enclose(match: re.Match[str]) -> str:
        body = re.sub(r"(?m)^[ ]{4}", "", match["body"])
        words, title = body.rstrip(), match["title"].strip(' "')
        return f"{_opening(match['kind'], title)}\n{words}{_CLOSES}{body[len(words) :]}"

    lines: list[str] = []
    depth = indent = 0
    for line in _ADMONITION.sub(enclose, text).split("\n"):
        own_indent = len(line) - len(line.lstrip())
        indent = indent if depth else own_indent
        depth += line.count(_OPENS)
        words = line[min(indent, own_indent) :] if depth else line
        lines.append("> " * depth + words.replace(_OPENS, "[!").replace(_CLOSES, ""))
        depth = max(depth - line.count(_CLOSES), 0)
    return "\n".join(lines)
