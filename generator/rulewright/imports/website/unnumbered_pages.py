"""A page without rules as an ordinary page of the edition: its Markdown as it was, but for links and lists.

Hugo follows CommonMark, the site's engine is older: to it a list behind a paragraph begins only below an
empty line, what lies in an item is indented by four, and a list goes on whatever its signs are. So lists are
written anew, line by line; their words stay as they are.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from rulewright.files.filenames import unique_name
from rulewright.files.markdown_spans import Span, markdown_spans
from rulewright.files.text_edits import Replacement, apply_edits
from rulewright.imports.website.import_report import LinkVerdict
from rulewright.imports.website.link_audit import LinkAudit
from rulewright.imports.website.page_block_types import Link, ParsedPage, TextPiece
from rulewright.imports.website.page_prose import Pictures
from rulewright.imports.website.page_tokens import CLOSES, OPENS, PARSER
from rulewright.sequence.sequence_step import title_slug

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
            if not holder.sign:
                m = _QUOTE.match(rest)
                prefix, rest = f"{prefix}> ", rest[m.end() :] if m else rest.lstrip()
            elif at == holder.start:
                m = _MARKER.match(rest)
                holder.width = m.end() if m else 0
                prefix, rest = prefix + f"{holder.sign} ".ljust(_WIDTH), rest[holder.width :]
            else:
                indent = len(rest) - len(rest.lstrip())
                prefix, rest = prefix + " " * _WIDTH, rest[min(indent, holder.width) :]
        around = prefix if around is None else around
        if at in before and made:
            made += [around.rstrip()] if made[-1].strip(" >") else []
            made += [f"{around}{before[at]}", around.rstrip()] if before[at] else []
        made.append(f"{prefix}{rest}".rstrip() if inside and not rest.strip() else f"{prefix}{rest}")
    return "\n".join(made)


def _found(tokens: list[Token]) -> tuple[list[_Holder], dict[int, str]]:
    """The items and quotes among tokens, and what has to stand in front of lines where a list begins."""
    for token in tokens:
        token.children = None  # what stands in a line holds none
    holders: list[_Holder] = []
    in_front: dict[int, str] = {}
    loose = set[SyntaxTreeNode]()  # the lists that have empty lines between their items or in them
    tree = SyntaxTreeNode(tokens)
    for node in tree.walk():
        around = node.parent
        if around and around.type == "list_item" and node.type == "paragraph" and not node.hidden:
            while around and around not in loose:
                loose.add(around)
                around = around.parent
    for around in tree.walk():
        first = int(around.attrs.get("start", 1)) if around.type == "ordered_list" else None
        before: SyntaxTreeNode | None = None
        for at, node in enumerate(around.children):
            start, end = node.map or (0, 0)
            if node.type == "blockquote":
                holders.append(_Holder(start, end))
            elif node.type == "list_item":
                holders.append(_Holder(start, end, "-" if first is None else f"{first + at}."))
                if before and around in loose:
                    in_front[start] = ""
            elif node.type in ("bullet_list", "ordered_list", "table") and before and not before.hidden:
                in_front[start] = _APART if before.type == node.type != "table" else ""
            before = node
    return holders, in_front


DOWNLOADS = "files"

_LEADS = re.compile(
    r"\(\s*<?([^()\s<>]*(?:\([^()\s]*\))?)>?(\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)(\{:?[^{}\n]*\})?"
)
_VALUE = re.compile(
    r"""\b(src|alt|title|width|height)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE
)
_SIGNS = re.compile(rf"{OPENS}\d+{OPENS}|{CLOSES}")
_ALERT = re.compile(r"^([> ]*>[ ]*)\[!(\w+)\][-+]?", re.MULTILINE)
_DASHES = re.compile(
    r"(\{[^{}\n]*\}|\]\([^()\n]*\)|<[^<>\n]*>|https?://\S+)|(?<=[\w)\]])([ ]?)--(-?)([ ]?)(?=[\w(\[])"
)
_SIMPLE = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")
_PROSE = ("heading", "link", "entity", "signs")


def page_file_names(pages: list[ParsedPage], taken: set[str]) -> dict[str, str]:
    """Name a file for each page without rules, by the page's name."""
    names: dict[str, str] = {}
    used = set(taken)
    for read in pages:
        stem = posixpath.basename(read.page.name).removesuffix(".md")
        own = title_slug(read.page.title if stem in ("_index", "index") else stem) or "page"
        names[read.page.name] = unique_name(own, used, ".md")
        used.add(names[read.page.name])
    return names


def rewrite_page(read: ParsedPage, links: LinkAudit, pictures: Pictures, names: Mapping[str, str]) -> str:
    """Write the Markdown of a page anew: links to rules as plain references, others to the new pages."""
    rewriting = _Rewriting(read, links, pictures, names)
    made = apply_edits(rewriting.text, rewriting.edits())
    words = _ALERT.sub(r"\1**\2**", lists_as_shown(made.strip("\n")))
    title = f"# {read.page.title}"
    has_title = words.lstrip().startswith("# ") or f"\n{title}\n" in words
    title = f"{title}\n\n" if read.page.title and not has_title else ""
    return f"{title}{words}\n"


class _Rewriting:
    """Rewrites links, pictures, ids of headings and dashes of a page, each at its place in the text."""

    def __init__(
        self, read: ParsedPage, links: LinkAudit, pictures: Pictures, names: Mapping[str, str]
    ) -> None:
        self.page, self.text = read.page, _SIGNS.sub("", read.text)
        self.links, self.pictures, self.names = links, pictures, names
        self.first = read.page.file.location(read.page.start).line
        self.slugs = links.site.slugs()

    def edits(self) -> Iterator[Replacement]:
        """The edits in the order of their places; what lies in one that is made is left out."""
        parts, at, end = markdown_spans(self.text, commonmark=True), 0, 0
        found = [edit for part in parts for edit in self._edits_of(part)]
        for one in (*parts, Span("end", len(self.text), len(self.text))):
            if one.kind not in _PROSE:
                for m in _DASHES.finditer(self.text, at, max(at, one.start)):
                    found += [] if m[1] else [Replacement(*m.span(), f"{m[2]}{'—' if m[3] else '–'}{m[4]}")]
                at = max(at, one.end)
        for edit in sorted(found):
            if edit.start >= end:
                yield edit
                end = edit.end

    def _edits_of(self, one: Span) -> Iterator[Replacement]:
        start, end, text = one.start, one.end, self.text
        if one.kind == "heading" and text[:start].endswith((" ", "\t")):
            # It keeps the id that Hugo gave it, where it would have another here.
            stop = text.find("\n", start) if "\n" in text[start:] else len(text)
            words, anchor = self.slugs.heading(text[start:stop])
            here = "-".join(words.lower().split()) if _SIMPLE.fullmatch(words) else ""
            yield Replacement(
                start + len(words), stop, f" {{: #{anchor} }}" if anchor and anchor != here else ""
            )
        elif one.kind == "tag" and text[start:end].lower().startswith("<img"):
            yield self._image(start, end)
        elif one.kind == "picture" and (m := _LEADS.match(text, text.rfind("](", start, end) + 1)):
            words = text[start + 2 : m.start() - 1]
            yield Replacement(
                start, m.end(), self._shown(words, m[1], self._line(start), m[2] or "", m[3] or "")
            )
        elif one.kind == "link" and (m := _LEADS.match(text, end + 1)):
            yield from self._link(start, end, m)

    def _line(self, at: int) -> int:
        return self.first + self.text.count("\n", 0, at)

    def _link(self, start: int, end: int, m: re.Match[str]) -> Iterator[Replacement]:
        line, words, page = self._line(m.start(1)), self.text[start:end], self.page
        one = Link(m[1], line, m.start(1) - self.text.rfind("\n", 0, m.start(1)))
        judged = self.links.judge_link(page, TextPiece(re.sub(r"[*_`]", "", words), line), one)
        target, attributes = self.links.target(page, one), m[3] or ""
        if judged.verdict == LinkVerdict.OUTSIDE:
            return
        if judged.verdict == LinkVerdict.FILE:
            to = self.pictures.copy_name(page, m[1], line, DOWNLOADS)[0]
        elif (
            judged.verdict == LinkVerdict.WORDS and target and target.page and target.page.name in self.names
        ):
            anchor = f"#{target.anchor}" if target.anchor else ""
            to = f"{'' if target.page is page and anchor else self.names[target.page.name]}{anchor}"
        elif judged.becomes.startswith("[[") and judged.becomes != judged.text:
            yield Replacement(start - 1, m.end(), judged.becomes + attributes)
            return
        else:
            yield from (Replacement(start - 1, start, ""), Replacement(end, m.end(), attributes))
            return
        yield Replacement(end, m.end(), f"]({to}){attributes}")

    def _image(self, start: int, end: int) -> Replacement:
        """A picture that is a tag, without what lets it break a line."""
        values = {name.lower(): a or b or c for name, a, b, c in _VALUE.findall(self.text, start, end)}
        given = ((name, values.get(name, "")) for name in ("width", "height"))
        sides = " ".join(f"{name}={value}" for name, value in given if value.isalnum())
        said, address, below = (values.get(name, "") for name in ("alt", "src", "title"))
        size = f"{{ {sides} }}" if sides else ""
        start -= 5 if self.text[:start].lower().endswith("<wbr>") else 0
        return Replacement(start, end, self._shown(said, address, self._line(start), size=size, below=below))

    def _shown(
        self, words: str, address: str, line: int, tip: str = "", size: str = "", below: str = ""
    ) -> str:
        caption = f"<br>*{below}*" if below and words else ""
        words = words or below
        is_away = "://" in address
        name, is_there = (address, True) if is_away else self.pictures.copy_name(self.page, address, line)
        return f"![{words}]({name}{tip}){size}{caption}" if is_there else f"{words}{tip}{caption}"
