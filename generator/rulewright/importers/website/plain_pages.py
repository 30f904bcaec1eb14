"""A page without rules as an ordinary page of the edition: its Markdown as it was, but for links and lists.

Hugo follows CommonMark, the site's engine is older: to it a list behind a paragraph begins only below an
empty line, what lies in an item is indented by four, and a list goes on whatever its signs are. So lists are
written anew, line by line; their words stay as they are.
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

from markdown_it.token import Token

from rulewright.book.sequence import slug
from rulewright.importers.website.blocks import Link, TextPiece
from rulewright.importers.website.book_rules import ParsedPage
from rulewright.importers.website.links import Links
from rulewright.importers.website.prose import Pictures
from rulewright.importers.website.reader import PARSER
from rulewright.importers.website.receipt import FILE, OUTSIDE, WORDS
from rulewright.importers.website.shortcodes import CLOSES, OPENS
from rulewright.importers.website.site import Page, Slugs

_MARKER = re.compile(r"[ ]*(?:[-+*]|\d{1,9}[.)])(?:[ ]{1,4}(?=[^ ])|[ ]|$)")
_QUOTE = re.compile(r"[ ]{0,3}>[ ]?")
_WIDTH = 4
_APART = "<!-- -->"  # parts two lists that would be one


@dataclass(slots=True)
class _Holder:
    """An item of a list, or a quote, and the lines that it holds. `sign`: what an item begins with."""

    start: int
    end: int
    sign: str = ""
    width: int = 0


def lists_as_shown(text: str) -> str:
    """Write the lists of a text so that the site's engine reads them as Hugo does."""
    tokens = PARSER.parse(text)
    if not any(token.type.endswith("list_open") or token.type == "table_open" for token in tokens):
        return text
    holders, before = _found(tokens)
    made: list[str] = []
    for at, line in enumerate(text.split("\n")):
        inside = [holder for holder in holders if holder.start <= at < holder.end]
        prefix, rest = "", line.replace("\t", "    ") if inside else line
        around = None
        for holder in inside:
            around = prefix if around is None and holder.sign and holder.start == at else around
            prefix, rest = _entered(holder, at, prefix, rest)
        around = prefix if around is None else around
        if at in before and made:
            made += [around.rstrip()] if made[-1].strip(" >") else []
            made += [f"{around}{before[at]}", around.rstrip()] if before[at] else []
        made.append(f"{prefix}{rest}".rstrip() if inside and not rest.strip() else f"{prefix}{rest}")
    return "\n".join(made)


def _entered(holder: _Holder, at: int, prefix: str, rest: str) -> tuple[str, str]:
    """The line inside of an item or a quote: what stands in front of it now, and what is left of it."""
    if not holder.sign:
        m = _QUOTE.match(rest)
        return f"{prefix}> ", rest[m.end() :] if m else rest.lstrip()
    if at == holder.start:
        m = _MARKER.match(rest)
        holder.width = m.end() if m else 0
        return prefix + f"{holder.sign} ".ljust(_WIDTH), rest[holder.width :]
    indent = len(rest) - len(rest.lstrip())
    return prefix + " " * _WIDTH, rest[min(indent, holder.width) :]


def _found(tokens: list[Token]) -> tuple[list[_Holder], dict[int, str]]:
    """The items and quotes among tokens, and what has to stand in front of lines where a list begins."""
    holders: list[_Holder] = []
    in_front: dict[int, str] = {}
    opened: list[Token] = []
    last: dict[int, Token] = {}  # by depth, what stands in front in the same item, quote or page
    loose = set(_loose(tokens))
    counts: dict[int, int] = {}
    for token in tokens:
        if token.nesting < 0:
            closed = opened.pop()
            last[len(opened)] = closed
            continue
        depth, (start, end) = len(opened), token.map or (0, 0)
        before, around = last.get(depth), opened[-1] if opened else None
        if token.type == "blockquote_open":
            holders.append(_Holder(start, end))
        elif token.type == "list_item_open" and around:
            number = counts.get(id(around))
            holders.append(_Holder(start, end, "-" if number is None else f"{number}."))
            if number is not None:
                counts[id(around)] = number + 1
            if before and id(around) in loose:
                in_front[start] = ""
        elif token.type in ("bullet_list_open", "ordered_list_open", "table_open"):
            if token.type[0] == "o":
                counts[id(token)] = int(token.attrs.get("start", 1))
            if before and not before.hidden:
                in_front[start] = _APART if before.type == token.type != "table_open" else ""
        if token.nesting > 0:
            opened.append(token)
            last.pop(depth + 1, None)
        elif token.type != "inline":
            last[depth] = token
    return holders, in_front


def _loose(tokens: list[Token]) -> Iterator[int]:
    """The lists, by id, that have empty lines between their items or in them."""
    opened: list[Token] = []
    for token in tokens:
        if token.nesting > 0:
            is_in_item = opened and opened[-1].type == "list_item_open"
            if token.type == "paragraph_open" and not token.hidden and is_in_item:
                yield from map(id, opened)
            opened.append(token)
        elif token.nesting < 0:
            opened.pop()


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
        stem = posixpath.basename(read.page.name).removesuffix(".md")
        own = slug(read.page.title if stem in ("_index", "index") else stem) or "page"
        options = (f"{own}{'' if count == 1 else f'-{count}'}.md" for count in itertools.count(1))
        names[read.page.name] = next(name for name in options if name not in used)
        used.add(names[read.page.name])
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
        line = line_of(m) + text.count("\n", m.start(), m.start(3))
        one = Link(m[3], line, m.start(3) - text.rfind("\n", 0, m.start(3)))
        judged = links.of(page, TextPiece(re.sub(r"[*_`]", "", m[2]), line), one)
        target = links.target(page, one)
        if judged.verdict == OUTSIDE:
            return m.group()
        becomes = judged.becomes if judged.becomes.startswith("[[") else m[2]
        if judged.verdict == FILE:
            becomes = f"[{m[2]}]({pictures.named(page, m[3], line, DOWNLOADS)[0]})"
        elif judged.verdict == WORDS and target and target.page and target.page.name in names:
            anchor = f"#{target.anchor}" if target.anchor else ""
            here = "" if target.page is page and anchor else names[target.page.name]
            becomes = f"[{m[2]}]({here}{anchor})"
        return f"{becomes}{m[5] or ''}"

    def image(m: re.Match[str]) -> str:
        values = {name.lower(): a or b or c for name, a, b, c in _VALUE.findall(m.group())}
        given = ((name, values.get(name, "")) for name in ("width", "height"))
        sides = " ".join(f"{name}={value}" for name, value in given if value.isalnum())
        said, address, below = (values.get(name, "") for name in ("alt", "src", "title"))
        return shown(said, address, line_of(m), size=f"{{ {sides} }}" if sides else "", below=below)

    made = _IMAGE.sub(image, _LINK.sub(link, text))
    return _DASHES.sub(lambda m: m[1] or f"{m[2]}{'—' if m[3] else '–'}{m[4]}", made)
