"""Content pages: ordinary Markdown in which references are found but the text is not changed.

Front matter, code, URLs, tags and the label before a rule or a heading are not prose. They are blanked out
character by character, so that offsets into the remaining text are offsets into the file. Each step takes
linear time for any text.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.related_outlines import find_outline
from rulewright.files import frontmatter, markdown_complexity, yaml_error_hints
from rulewright.files.located_text import CONFLICT, LocatedText, decode_utf8
from rulewright.files.problems import Problem, SourceFile, did_you_mean
from rulewright.numbering.reference_finder import SPACES
from rulewright.references import page_links, site_paths
from rulewright.references.page_links import PageLink
from rulewright.references.reference_index import ReferenceIndex
from rulewright.references.reference_resolver import BOOK_NOT_FOUND
from rulewright.references.reference_types import (
    CitableReference,
    ExternalReference,
    FaultyReference,
    Reference,
    RuleReference,
)

if TYPE_CHECKING:
    from rulewright.files.markdown_spans import Span

MAX_CACHED_PAGES = 200
"""Number of pages whose parts are cached between runs."""

_HIDDEN = "\x00"  # ends every list and cue
_QUIET = "\x01"  # separates a cue from its number like a space
MARK = "\ue000{}\ue001"
"""Placeholder of a reference in Markdown: private-use characters without meaning there."""
MARKED = re.compile(MARK.format("([0-9]{1,7})"))
_MARKDOWN_CHARACTER = re.compile(r"[^\w\s.,()/#:-]|_")
_NO_MARKS = dict.fromkeys(map(ord, "\ue000\ue001"), "\ufffd")

_SPACE = " \t\r\x00\x01"
_BOOK = re.compile(r"""^book[ \t]*[:=][ \t]*["']?([\w./-]+)["']?[ \t]*\r?$""", re.MULTILINE)
_SHORTCODE = re.compile(r"\{\{[^{}]*(?:(?:\{(?!\{)|\}(?!\}))[^{}]*)*\}\}")
_NO_PROSE = re.compile(
    r"""
      \{[\#.:][^}\n]{0,200}\}[ \t]*\r?$                       # attributes
    | \[\^[^\]\n]{1,50}\]                                     # footnote mark
    | (?:\|[ \t]*[-+−–×x±]?\d{0,6}\.?\d{1,6}%?[ \t]*(?=\|)){2,}  # values in a table
    | <sup>[^<\n]{0,20}</sup>                                  # note mark
    """,
    re.MULTILINE | re.VERBOSE | re.IGNORECASE,
)
_ADDRESS = re.compile(r"<?\b(?:(?:https?|ftp|mailto):|www\.)[^\s<>)]+>?", re.IGNORECASE)
_HEADING_NUMBER = re.compile(  # the number at the start of a heading, also after a word: Case 12.5
    r"[*_\x01]*(?:(?!see\b|per\b|cf\b)[^\W\d_]+[ \t]+)?[*_]*"
    # The lookahead with its back reference is an atomic group: the number matches to its end or not at all.
    r"(?=(?P<number>(?:[\[(§]?[A-Z]{0,2}\d|[\[]?[IVXA-Z]+\.)[^\s*_,;\x01]{0,40}))(?P=number)"
    r"(?![*_]*[ \t]*(?:[,/&;–—-][ \t]*[\d\[(]|(?:and|or|to|through|und|et|y)\b))",
    re.IGNORECASE,
)
_ITEM_CONTINUES = re.compile(r"[ \t]*(?![-*+][ \t]|\d{1,3}[.)][ \t])[^\s\x00]")
_ITEM_NUMBER = re.compile(r"[ \t]*\d{1,3}[.)][ \t]")
CONTINUES_WITH_REFERENCE = re.compile(
    r"(?:\b(?:see|also|per|by|rules?|sections?|cases?|chapters?|in|of|and|or|to|under|with|from|through|than|as|for"
    r"|at|on|the|a)|[(\[,;&/–—-])[\s*_\"“”]*\Z",
    re.IGNORECASE,
)
"""End of a line that continues with a reference."""
_ITEM = r"(?:[-*+]|\d{1,3}[.)])[ \t]"
_BOLD = r"[*_]{1,3}(?![*_ \t])"
_HEADING_ABOVE = re.compile(r"\W*\d[^\s]*[ \t]+([A-Z][^.,;:?!\n]{2,50})\Z")
_TITLE_WITH_STOP = re.compile(r"[ \t]+([A-Z][^.:\n]{0,60})\.[ \t]")
_TITLE_ALONE = re.compile(r"[ \t.]+([A-Z][^.,;:?!\n]{2,50})")
_LABEL = re.compile(
    rf"^[ \t\x01]*(?:>[ \t]*)*(?:(?P<item>{_ITEM}+)|(?!{_ITEM}))(?:(?P<bold>{_BOLD})|(?!{_BOLD}))"
    r"(?P<number>(?!\[\[)[\w\[§](?:[^\s*_,;\x01]{0,40}[^\s*_,;:\x01])?)",
    re.MULTILINE,
)


def without_addresses(text: str) -> str:
    return _ADDRESS.sub(_blank, text if text.isascii() else text.translate(SPACES))


@lru_cache(MAX_CACHED_PAGES)
def blank_non_prose(text: str, *, is_markdown: bool = True) -> str:
    """Return a text of the same length with everything but prose blanked out.

    In plain text only URLs and labels are blanked out.
    """
    source = str(text)
    text = without_addresses(source)
    if not is_markdown:
        return _LABEL.sub(_label, text)
    parts = page_parts(source)
    text = _without_parts(_NO_PROSE.sub(_blank, _SHORTCODE.sub(_blank, text)), parts)
    label_matches = (
        _HEADING_NUMBER.match(text, part.start, part.end) for part in parts if part.kind == "heading"
    )
    numbers = sorted(("signs", *m.span("number")) for m in label_matches if m)
    return _LABEL.sub(_label, _without_parts(text, numbers))


@lru_cache(MAX_CACHED_PAGES)
def page_parts(text: str) -> Sequence[Span]:
    """Return the spans of a page that are not plain words, ignoring shortcodes of other programs."""
    from rulewright.files.markdown_spans import markdown_spans  # late: a small game has no pages of its own

    return markdown_spans(_SHORTCODE.sub(_blank, text))


def _without_parts(text: str, parts: Iterable[tuple[str, int, int]]) -> str:
    pieces, end = list[str](), 0
    for kind, start, part_end in parts:
        start = max(start, end)
        if kind in ("heading", "link") or part_end <= start:
            continue
        part = text[start:part_end]
        character = unescape(part) if kind == "entity" else ""
        if len(character) == 1 and character != "\n":  # padded to the length of the entity
            part = character.rjust(len(part), _QUIET)
        elif kind != "entity":
            part = re.sub(r"[^\n]", _QUIET if kind in ("tag", "address") else _HIDDEN, part)
        pieces += [text[end:start], part]
        end = part_end
    return "".join([*pieces, text[end:]])


def _blank(m: re.Match[str]) -> str:
    return re.sub(r"[^\n]", _HIDDEN, m.group())


def _label(m: re.Match[str]) -> str:
    """Return the beginning of a line, with its number blanked out if it is the label of a rule."""
    if m["item"] and _ITEM_NUMBER.match(_line_above(m)):
        # In a numbered list the number is no reference, even if the line above ends with a cue.
        start, end = (offset - m.start() for offset in m.span("item"))
        return m.group()[:start] + re.sub(r"\d", _HIDDEN, m.group()[start:end]) + m.group()[end:]
    if not _opens_rule(m):
        return m.group()
    start, end = (offset - m.start() for offset in m.span("number"))
    return m.group()[:start] + _HIDDEN * (end - start) + m.group()[end:]


def _opens_rule(m: re.Match[str]) -> bool:
    """Return whether a line begins with the label of a rule: **12.5a Title.**, **12.5a** Text, [3.2] Title.

    A label begins a block, and the next word has a capital: "12.5 and 12.6 apply" begins with two references.
    A list item without emphasis has a label only if it has more than one line.
    """
    text, bold, number = m.string, m["bold"], m["number"]
    line_end = text.find("\n", m.end())
    line_end = line_end if line_end >= 0 else len(text)
    # **12.5**c Text, **12.5**(A) Text
    remaining = re.sub(r"\A([*_]{1,3})(?:[a-z](?!\w)|\(\w{1,4}\))", r"\1", text[m.end() : line_end])
    if not re.search(r"\d|[IVX]\.[A-Z]", number) or re.match(r"[*_]*\s*[-–—,;/&]\s*[\d,;/&]", remaining):
        return False
    first = remaining.lstrip(" \t\r*_.:|–—-\x00\x01")[:1]
    is_bracketed = number[0] == "[" and "]" in number
    is_only_label = not remaining.strip(_SPACE + "*_") and text[line_end + 1 : line_end + 2].isupper()
    is_spaced = first.isalpha() and remaining[0] in " \t*_\x01"
    if first.islower() or not (bold or is_bracketed or is_only_label or is_spaced):
        return False
    if m["item"]:
        return bool(bold) or _ITEM_CONTINUES.match(text, line_end + 1) is not None
    above = _line_above(m).rstrip(_SPACE)
    if not above.strip("*_-= ") or above.rstrip("*_\"'”’)]}").endswith((".", "!", "?", ":")):
        return True
    if (heading := _HEADING_ABOVE.match(above)) and _has_capitals(heading[1]):
        return True  # 8.3 How to Begin, and below it 8.3.1 Step 1: Gather
    if CONTINUES_WITH_REFERENCE.search(above):
        return False
    # A title in capitals or with a full stop, after a line without one: "1.3.2 Districts. A value".
    title = re.sub(r"[ .…·]*\d*[ \t\r]*$", "", remaining)  # without the page number in a table of contents
    titles = (_TITLE_WITH_STOP.match(remaining), _TITLE_ALONE.fullmatch(title))
    is_titled = any(match is not None and _has_capitals(match[1]) for match in titles)
    ends_sentence = bool(bold) and re.match(r"[^*_]*[.:][*_]", remaining) is not None
    start = m.start() - len(_line_above(m)) - 1
    line_before = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : max(0, start - 1)]
    follows_title = not line_before.strip(_SPACE) and _has_capitals(above)
    is_in_capitals = re.match(r"[ \t]+[A-Z][A-Z'’ -]{3}", remaining) is not None
    is_label = is_bracketed or is_only_label or is_in_capitals
    return is_label or ends_sentence or is_titled or follows_title


def _line_above(m: re.Match[str]) -> str:
    """Return the line above the start of a match; empty if that is the first line."""
    end = max(0, m.start() - 1)
    return m.string[m.string.rfind("\n", 0, end) + 1 : end]


def _has_capitals(line: str) -> bool:
    words = [word.strip('*_()“”"') for word in line.split()]
    return all(len(word) < 4 or not word[:1].islower() for word in words)


class PageText(LocatedText):
    """Text of a whole page: its offsets are those of its file."""

    __slots__ = ()

    def file_offset(self, offset: int) -> int:
        return offset

    def file_span(self, start: int, end: int) -> tuple[int, int]:
        return start, end


@dataclass(frozen=True)
class ContentPage:
    """An ordinary Markdown page of the content with the references found in it."""

    name: str
    text: PageText
    edition: Edition | None = None
    resolved: tuple[Reference, ...] = ()
    problems: tuple[Problem, ...] = ()
    links: tuple[PageLink, ...] = ()


def read_content_page(name: str, data: bytes, index: ReferenceIndex) -> ContentPage:
    """Read a page and resolve its references in the edition of its folder.

    `book: ocs/4.3` in the front matter selects another edition. A page outside all books has only references
    with explicit marks that name a book: `[[ocs/4.3:14.7d]]`.
    """
    file, problems = decode_utf8(name, data)
    problems += () if problems else markdown_complexity.check_complexity(file)
    if problems:
        empty = PageText.from_source("", SourceFile(name, ""), 0, 0)
        return ContentPage(name, empty, problems=tuple(problems))
    problems += frontmatter.check_front_matter(name, file.text)
    front = frontmatter.FRONT_MATTER.match(file.text)
    declared = _BOOK.search(front[0]) if front else None
    folders = name.split("/")[1:-1]
    addresses = [declared[1]] if declared else ["/".join(folders[:2]), *folders[:1]]
    found = (find_outline(address, index.outlines) for address in addresses)
    outline = next(filter(None, found), None)
    if declared and outline is None:
        message = f"no book {declared[1]} here{did_you_mean(declared[1], index.outlines)}"
        problems.append(BOOK_NOT_FOUND.problem(file.location(declared.start(1)), message, name))
    parts = page_parts(file.text)
    problems += _conflicts(file, parts)
    prose, chapter = blank_non_prose(file.text), outline.default_chapter if outline else ""
    resolved, links = index.resolver.resolve(prose, outline, chapter), page_links.page_links(file, parts)
    text = PageText.from_source(file.text, file, 0, len(file.text))
    return ContentPage(
        name, text, outline.edition if outline else None, tuple(resolved), tuple(problems), tuple(links)
    )


def _conflicts(file: SourceFile, parts: Iterable[Span]) -> Iterator[Problem]:
    """Yield a problem for the first marker of an unfinished merge that is not code."""
    code = [part for part in parts if part.kind in ("code", "comment")]
    for offset in yaml_error_hints.merge_conflict_markers(file.text, is_page=True):
        if not any(part.start <= offset < part.end for part in code):
            yield CONFLICT.problem(file.location(offset), yaml_error_hints.CONFLICT, file.name)
            return


class PageReference(NamedTuple):
    """A reference of a page as a link."""

    href: str
    words: str
    title: str = ""  # title of a link to another site
    target: RuleEntry | None = None  # the rule that the link leads to, if it is a rule


class LinkedPage(NamedTuple):
    """The Markdown of a page with a placeholder for each reference, and the references by number.

    Words and titles are never parsed as Markdown: they may come from the inventory of another site.
    """

    text: str
    references: tuple[PageReference, ...] = ()

    def html(self, number: int) -> str:
        """Return the HTML link of a reference, with all characters escaped that Markdown would interpret."""
        href, words, title = (
            _MARKDOWN_CHARACTER.sub(lambda m: f"&#{ord(m[0])};", text) for text in self.references[number][:3]
        )
        away = f' rel="external" title="{title}"' if title else ""
        return f'<a class="ref{" away" if title else ""}"{away} href="{href}">{words}</a>'


def link_references(page: ContentPage) -> LinkedPage:
    """Return the page with a placeholder for each reference; links in the Markdown stay unchanged."""
    path = site_paths.content_page_path(page.name)
    source = page.text.translate(_NO_MARKS)
    text, end, references = [], 0, list[PageReference]()
    spans = page_parts(page.text) if page.resolved else ()
    links = deque(span for span in spans if span.kind == "link")
    linked_up_to = 0
    for r in page.resolved:
        start, reference_end, words, _ = r.words_in(page.text)
        while links and links[0].start <= start:
            linked_up_to = max(linked_up_to, links.popleft().end)
        if start < linked_up_to and not r.match.mark_span:
            continue
        words = words.replace(_QUIET, "").replace("\0", "").strip()
        match r:
            case ExternalReference():
                reference = PageReference(r.href, words, f"{r.title} ({r.site})")
            case CitableReference(citable=target) | RuleReference(target=target):
                href = site_paths.relative_link(path, *site_paths.path_and_anchor(target))
                rule = target if isinstance(target, RuleEntry) else None
                reference = PageReference(href, words or str(rule or ""), target=rule)
            case FaultyReference():
                continue
        text += [source[end:start], MARK.format(len(references))]
        references.append(reference)
        end = reference_end
    return LinkedPage("".join([*text, source[end:]]), tuple(references))
