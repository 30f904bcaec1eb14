"""Shortcodes of Hugo as Markdown, without moving a line."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import quote

from rulewright.imports.blocks import LeftOutWords
from rulewright.imports.notes import note_kind
from rulewright.imports.sources.source_site import SourcePage

_TAG = re.compile(
    r"""\{\{[<%]\s*(?P<close>/)?\s*(?P<name>[\w./-]*?\w)
    (?P<words>(?:\s(?:"(?:\\.|[^"\\{}])*"|[^"{}])*?)?)\s*/?\s*[>%]\}\}""",
    re.VERBOSE,
)
_ARGUMENT = re.compile(r'(?:(?P<key>[\w-]+)\s*=\s*)?(?:"(?P<quoted>(?:\\.|[^"\\])*)"|(?P<bare>[^\s"]+))')
_LABEL = re.compile(r"[\[(§]?\s?(?:[A-Z]\.?)?\d[\w.()§-]*")
_NOTE_ENDS = '<wbr><wbr data-note="">'
"""Two tags, as a line of a single tag would begin a block of HTML."""

_IN_LINK = ("](", "](<", '="', "='", "]: ")


def expand_shortcodes(page: SourcePage, left_out: list[LeftOutWords]) -> str:
    """Return the text of a page with what its shortcodes mean. Add the words that are left out."""
    text = page.body
    paired = {match["name"] for match in _TAG.finditer(text) if match["close"]}
    notes: set[str] = set()

    def expand(match: re.Match[str]) -> str:
        name, arguments = match["name"], _arguments(match["words"])
        first = arguments.get("0", "")
        kinds = filter(note_kind, (arguments.get("type", ""), first, name))
        kind = next(kinds, "") if name in paired else ""
        words = ""
        if match["close"]:
            words = _NOTE_ENDS if name in notes else ""
        elif kind:
            notes.add(name)
            title = arguments.get("title") or arguments.get("1", "")
            words = f'<wbr><wbr data-note="{escape(kind)}">' + (title and f"<b>{escape(title)}</b><br>")
        elif name in ("ref", "relref"):
            is_in_link = text.endswith(_IN_LINK, 0, match.start())
            words = _reference(arguments.get("path") or first, is_in_link=is_in_link)
        elif name in ("figure", "img"):
            words = _figure(arguments)
        elif title := arguments.get("title") or arguments.get("summary") or (first if " " in first else ""):
            words = f"<b>{escape(title)}</b> "
        else:
            values = " ".join(arguments.values())
            words = first if _LABEL.fullmatch(values) else ""
            line = page.file.location(page.start + match.start()).line
            reason = f"the shortcode {name} is not known"
            left_out.append(LeftOutWords(page, line, "", reason))
        return words + "\n" * match.group().count("\n")

    return _TAG.sub(expand, text)


def _arguments(words: str) -> dict[str, str]:
    """Return the arguments of a shortcode by their keys, or by their positions: 0, 1."""
    arguments: dict[str, str] = {}
    for match in _ARGUMENT.finditer(words):
        key = (match["key"] or str(len(arguments))).lower()
        arguments[key] = (match["quoted"] or match["bare"] or "").replace('\\"', '"')
    return arguments


def _reference(path: str, *, is_in_link: bool) -> str:
    """Return a link to a page by its file, or only its address."""
    address = quote(path, safe="/#.-_")
    if is_in_link:
        return address
    page_name = path.partition("#")[0].rstrip("/").rpartition("/")[2].removesuffix(".md")
    return f"[{page_name}]({address})"


def _figure(arguments: dict[str, str]) -> str:
    """Return a picture as Markdown."""
    captions = dict.fromkeys(filter(None, (arguments.get("title"), arguments.get("caption"))))
    title = escape(". ".join(captions))
    words = escape(arguments.get("alt", "")).replace("[", "&#91;").replace("]", "&#93;")
    address = quote(arguments.get("src") or arguments.get("0", ""), safe="/#.-_:%?=&~+,")
    return f'![{words}]({address} "{title}")'
