"""A page without rules as an ordinary page of the edition: its Markdown as it was, but for links and
pictures."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Mapping

from rulewright.book.sequence import slug
from rulewright.importers.website.blocks import Link, TextPiece
from rulewright.importers.website.book_rules import ParsedPage
from rulewright.importers.website.heading_ids import Slugs
from rulewright.importers.website.links import FILE, OUTSIDE, WORDS, JudgedLink, Links
from rulewright.importers.website.list_layout import lists_as_shown
from rulewright.importers.website.picture_files import Pictures
from rulewright.importers.website.reader import PARSER
from rulewright.importers.website.shortcodes import CLOSES, OPENS
from rulewright.importers.website.site import Page, Target

DOWNLOADS = "files"

_LINK = re.compile(
    r"(!?)\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]\(\s*<?([^()\s<>]*(?:\([^()\s]*\))?)>?(\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)(\{:?[^{}\n]*\})?"
)
_IMAGE = re.compile(r"(?:<wbr>)?<img\b[^>]*>", re.IGNORECASE)
_VALUE = re.compile(
    r"""\b(src|alt|title|width|height)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE
)
_SIGNS = re.compile(rf"{OPENS}\d+{OPENS}|{CLOSES}")
_CODE = re.compile(r"(^(?:```|~~~).*?^(?:```|~~~)[ \t]*$|`[^`\n]+`)", re.DOTALL | re.MULTILINE)
_ALERT = re.compile(r"^([> ]*>[ ]*)\[!(\w+)\][-+]?", re.MULTILINE)
_DASHES = re.compile(
    r"(\{[^{}\n]*\}|\]\([^()\n]*\)|<[^<>\n]*>|https?://\S+)|(?<=[\w)\]])([ ]?)--(-?)([ ]?)(?=[\w(\[])"
)
_SIMPLE = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")
_HEADING = re.compile(r"^(#{1,6}[ \t]+)(.*)$", re.MULTILINE)


def names_of(pages: list[ParsedPage], taken: set[str]) -> dict[str, str]:
    """Name a file for each page without rules, by the page's name."""
    names: dict[str, str] = {}
    used = set(taken)
    for read in pages:
        page = read.page
        stem = posixpath.basename(page.name).removesuffix(".md")
        own = slug(page.title if stem in ("_index", "index") else stem) or "page"
        name, count = f"{own}.md", 1
        while name in used:
            count += 1
            name = f"{own}-{count}.md"
        used.add(name)
        names[page.name] = name
    return names


def text_of(read: ParsedPage, links: Links, pictures: Pictures, names: Mapping[str, str]) -> str:
    """Write the Markdown of a page anew: links to rules as plain references, others to the new pages."""
    text = _SIGNS.sub("", read.expanded.text)
    first = read.page.file.place(read.page.start).line
    slugs = links.site.slugs()
    tags = [token.map for token in PARSER.parse(text) if token.type == "html_block" and token.map]
    raw = {first + line for start, end in tags for line in range(start, end)}
    pieces = [piece if at % 2 else _named(piece, slugs) for at, piece in enumerate(_CODE.split(text))]
    line, made = first, ""
    for index, piece in enumerate(pieces):
        made += piece if index % 2 else _replaced(piece, line, read.page, links, pictures, names, raw)
        line += piece.count("\n")
    words = _ALERT.sub(r"\1**\2**", lists_as_shown(made.strip("\n")))
    title = "" if words.lstrip().startswith("# ") else f"# {read.page.title}\n\n"
    return f"{title}{words}\n"


def _named(text: str, slugs: Slugs) -> str:
    """A text whose headings keep the ids that Hugo gave them, where they would have others here."""

    def heading(m: re.Match[str]) -> str:
        words, anchor = slugs.heading(m[2])
        here = "-".join(words.lower().split()) if _SIMPLE.fullmatch(words) else ""
        return f"{m[1]}{words}" + (f" {{: #{anchor} }}" if anchor and anchor != here else "")

    return _HEADING.sub(heading, text)


def _replaced(
    text: str,
    first: int,
    page: Page,
    links: Links,
    pictures: Pictures,
    names: Mapping[str, str],
    raw: Container[int],
) -> str:
    """A bit of a page, which begins in the line `first`. In lines that are `raw` HTML no Markdown is read."""

    def line_of(m: re.Match[str]) -> int:
        return first + text.count("\n", 0, m.start())

    def shown(words: str, address: str, line: int, tip: str = "", size: str = "", below: str = "") -> str:
        caption = f"<br>*{below}*" if below and words else ""
        words = words or below
        name, is_there = (address, True) if "://" in address else pictures.named(page, address, line)
        return f"![{words}]({name}{tip}){size}{caption}" if is_there else f"{words}{tip}{caption}"

    def link(m: re.Match[str]) -> str:
        if line_of(m) in raw:
            return m.group()
        if m[1]:
            return shown(m[2], m[3], line_of(m), m[4] or "", m[5] or "")
        words = re.sub(r"[*_`]", "", m[2])
        column = m.start(3) - (text.rfind("\n", 0, m.start(3)) + 1) + 1
        line = line_of(m) + m.group()[: m.start(3) - m.start()].count("\n")
        one = Link(m[3], line, column)
        judged = links.of(page, TextPiece(words, line), one)
        target = links.target(page, one)
        if judged.verdict == OUTSIDE:
            return m.group()
        return f"{to(m, judged, target, line)}{m[5] or ''}"

    def to(m: re.Match[str], judged: JudgedLink, target: Target | None, line: int) -> str:
        if judged.verdict == FILE:
            return f"[{m[2]}]({pictures.named(page, m[3], line, DOWNLOADS)[0]})"
        if judged.verdict == WORDS and target and target.page and target.page.name in names:
            anchor = f"#{target.anchor}" if target.anchor else ""
            here = target.page is page
            return f"[{m[2]}]({anchor if here and anchor else names[target.page.name] + anchor})"
        return judged.becomes if judged.becomes.startswith("[[") else m[2]

    def image(m: re.Match[str]) -> str:
        values = {name.lower(): a or b or c for name, a, b, c in _VALUE.findall(m.group())}
        sides = [
            f"{name}={value}" for name in ("width", "height") if (value := values.get(name, "")).isalnum()
        ]
        size = f"{{ {' '.join(sides)} }}" if sides else ""
        below = values.get("title", "")
        return shown(values.get("alt", ""), values.get("src", ""), line_of(m), size=size, below=below)

    made = _IMAGE.sub(image, _LINK.sub(link, text))
    return _DASHES.sub(lambda m: m[1] or f"{m[2]}{'—' if m[3] else '–'}{m[4]}", made)
