"""Shortcodes of Hugo and notes of MkDocs as Markdown, without moving a line."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote

from rulewright.imports.blocks import LeftOutWords
from rulewright.imports.notes import note_kind
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


def expand_shortcodes(page: SourcePage) -> tuple[str, list[LeftOutWords]]:
    """Return the text of a page with what its shortcodes mean, and the words that are left out."""
    first_line = page.file.location(page.start).line
    text = re.sub(f"[{_OPENS}{_CLOSES}]", "", page.body)
    paired = {match["name"] for match in _TAG.finditer(text) if match["close"]}
    open_notes: list[str] = []
    left_out: list[LeftOutWords] = []

    def expand(match: re.Match[str]) -> str:
        name, words = match["name"], ""
        named, positional = _arguments(match["words"])
        kinds = filter(note_kind, (named.get("type", ""), *positional[:1], name))
        kind = next(kinds, "") if name in paired else ""
        if match["close"]:
            words = _CLOSES if name in open_notes[-1:] else ""
            del open_notes[len(open_notes) - len(words) :]
        elif kind:
            open_notes.append(name)
            words = _opening(kind, named.get("title") or " ".join(positional[1:]))
        else:
            before = text[max(match.start() - 3, 0) : match.start()]
            words, unknown = _meaning(name, named, positional, in_link=before.endswith(_IN_LINK))
            line, reason = (
                first_line + text.count("\n", 0, match.start()),
                f"the shortcode {name} is not known",
            )
            if unknown:
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


def _opening(kind: str, title: str) -> str:
    title = f"<b>{escape(title)}</b><br>" if title else ""
    return f"{_OPENS}{re.sub(r'[^a-z]', '', kind.lower())}] {title}"


def _meaning(
    name: str, arguments: dict[str, str], positional: list[str], *, in_link: bool
) -> tuple[str, str]:
    """Return what a shortcode means, and the words of its arguments if it is unknown."""
    first = positional[0] if positional else ""
    if name in ("ref", "relref"):
        path = arguments.get("path") or first
        address = REF + quote(path, safe="/#.-_")
        page_name = path.partition("#")[0].rstrip("/").rpartition("/")[2].removesuffix(".md")
        return address if in_link else f"[{page_name}]({address})", ""
    if name in ("figure", "img"):
        captions = dict.fromkeys(filter(None, (arguments.get("title"), arguments.get("caption"))))
        values = {"src": first, "alt": "", **arguments, "title": ". ".join(captions)}
        tags = " ".join(f'{key}="{escape(value)}"' for key, value in values.items())
        # After the first tag a lone image is no block of HTML, which would hold the lines below as well.
        return f"<wbr><img {tags}>", ""
    if title := arguments.get("title") or arguments.get("summary") or (first if " " in first else ""):
        return f"<b>{escape(title)}</b> ", ""
    is_label = not arguments and len(positional) == 1 and _LABEL.fullmatch(first)
    return first if is_label else "", " ".join([name, *positional, *arguments.values()])


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
