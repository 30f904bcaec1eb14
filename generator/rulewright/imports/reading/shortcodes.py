"""Shortcodes of Hugo and notes of MkDocs as Markdown, without moving a line."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote

from rulewright.imports.blocks import LeftOutWords
from rulewright.imports.notes import note_kind
from rulewright.imports.sources.source_site import SourcePage

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
    notes: set[str] = set()
    left_out: list[LeftOutWords] = []

    def expand(match: re.Match[str]) -> str:
        name, arguments = match["name"], _arguments(match["words"])
        kinds = filter(note_kind, (arguments.get("type", ""), arguments.get("0", ""), name))
        kind = next(kinds, "") if name in paired else ""
        if match["close"]:
            words = _CLOSES if name in notes else ""
        elif kind:
            notes.add(name)
            words = _opening(kind, arguments.get("title") or arguments.get("1", ""))
        elif name in ("ref", "relref"):
            is_in_link = text[: match.start()].endswith(_IN_LINK)
            words = _reference(arguments.get("path") or arguments.get("0", ""), is_in_link=is_in_link)
        elif name in ("figure", "img"):
            words = _figure(arguments)
        else:
            first, values = arguments.get("0", ""), " ".join(arguments.values())
            title = arguments.get("title") or arguments.get("summary") or (first if " " in first else "")
            words = f"<b>{escape(title)}</b> " if title else first if _LABEL.fullmatch(values) else ""
            if not title:
                line = first_line + text.count("\n", 0, match.start())
                reason = f"the shortcode {name} is not known"
                left_out.append(LeftOutWords(page, line, f"{name} {values}", reason, is_in_lines=False))
        return words + "\n" * match.group().count("\n")

    return _quote_notes(_TAG.sub(expand, text)), left_out


def _arguments(words: str) -> dict[str, str]:
    """Return the arguments of a shortcode by their keys, or by their positions: 0, 1."""
    arguments: dict[str, str] = {}
    for match in _ARGUMENT.finditer(words):
        key = (match["key"] or str(len(arguments))).lower()
        arguments[key] = (match["quoted"] or match["bare"] or "").replace('\\"', '"')
    return arguments


def _opening(kind: str, title: str) -> str:
    title = f"<b>{escape(title)}</b><br>" if title else ""
    return f"{_OPENS}{re.sub(r'[^a-z]', '', kind.lower())}] {title}"


def _reference(path: str, *, is_in_link: bool) -> str:
    """Return a link to a page by its file, or only its address."""
    address = quote(path, safe="/#.-_")
    if is_in_link:
        return address
    page_name = path.partition("#")[0].rstrip("/").rpartition("/")[2].removesuffix(".md")
    return f"[{page_name}]({address})"


def _figure(arguments: dict[str, str]) -> str:
    """Return a picture as HTML."""
    captions = dict.fromkeys(filter(None, (arguments.get("title"), arguments.get("caption"))))
    values = {"src": arguments.get("0", ""), "alt": "", **arguments, "title": ". ".join(captions)}
    tags = " ".join(f'{key}="{escape(value)}"' for key, value in values.items())
    # After the first tag a lone image is no block of HTML, which would hold the lines below as well.
    return f"<wbr><img {tags}>"


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
