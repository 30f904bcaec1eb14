"""Links and pictures in Markdown pages, and the files of the site that they may lead to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from rulewright.files.problems import SourceFile
from rulewright.references import redirect_targets, site_paths
from rulewright.references.citable_items import list_items_of
from rulewright.references.reference_index import ReferenceIndex

if TYPE_CHECKING:
    from rulewright.files.markdown_spans import Span

_INLINE = re.compile(
    r"\(\s*(?:<(?P<pointed>[^<>\n]*)>|(?P<bare>[^\n]*?))(?:\s+(?:\"[^\n]*\"|'[^\n]*'))?\s*\)\Z"
)
_DEFINED = re.compile(r" {0,3}\[[^\]]+\]:\s*(?:<(?P<pointed>[^<>\n]*)>|(?P<bare>\S+))")
_ATTRIBUTE = re.compile(
    r"""\s(?:href|src|poster)\s*=\s*(?:"(?P<a>[^"]*)"|'(?P<b>[^']*)'|(?P<c>[^\s"'<>]+))""", re.I
)
_HAS_TEXT = re.compile(r"""\s(?:alt\s*=|aria-hidden|role\s*=\s*["']?(?:presentation|none))""", re.IGNORECASE)
_LINKING_TAG = re.compile(r"<(?:a|img|source|video|audio|area)\s", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


class PageLink(NamedTuple):
    """A link or a picture of a page."""

    page: str
    to: str  # the address, without escapes
    offset: int  # the offset of the address in the text
    is_picture: bool = False
    is_html: bool = False
    """Whether it is in a tag, and so relative to the URL of the page instead of its file."""

    is_bare: bool = False  # whether it is a picture without alternative text


def page_links(file: SourceFile, parts: Iterable[Span]) -> Iterator[PageLink]:
    """Yield the links and pictures of a page in order. `parts`: its spans."""
    for kind, start, end in parts:
        text, match, is_bare = file.text, None, False
        if kind == "address":
            match = _INLINE.match(text, start, end)
        elif kind == "picture":
            offset = text.find("](", start, end)
            match = _INLINE.match(text, offset + 1, end) if offset >= 0 else None
            is_bare = not text[start + 2 : offset].strip()
        elif kind == "definition":
            match = _DEFINED.match(text, start, end)
        elif kind == "tag" and _LINKING_TAG.match(text, start, end):
            is_picture = text[start + 1 : start + 4].lower() == "img"
            is_bare = is_picture and not _HAS_TEXT.search(text, start, end)
            for m in _ATTRIBUTE.finditer(text, start, end):
                to, offset = unescape(m[m.lastgroup or 0]), m.start(m.lastgroup or 0)
                yield PageLink(file.name, to.strip(), offset, is_picture, is_html=True, is_bare=is_bare)
        if match:
            group = "pointed" if match["pointed"] is not None else "bare"
            to = unescape(_ESCAPED.sub(r"\1", match[group])).strip()
            yield PageLink(file.name, to, match.start(group), kind == "picture", is_bare=is_bare)


def linkable_files(
    index: ReferenceIndex, moved: Iterable[redirect_targets.OldPage]
) -> Mapping[str, frozenset[str]]:
    """Return the files that the site generates from the books, with the numbers that are anchors in each."""
    anchors_by_file: dict[str, frozenset[str]] = dict.fromkeys(
        redirect_targets.generated_paths(index), frozenset()
    )
    for outline in index.outlines.values():
        anchors_by_file[f"{outline.edition.address.partition('/')[0]}/index.html"] = frozenset()
        tables = frozenset(table.anchor for table in index.editions[outline.edition.address].tables)
        for chapter in outline.chapters:
            entries = list(chapter.iter_subtree())
            inside = [name for entry in entries for name in (entry.key, *map(str, entry.former))]
            inside += [item.anchor for entry in entries for item in list_items_of(entry)]
            former_numbers = (former for former, _ in site_paths.numbers_left_chapter(outline, chapter))
            path = site_paths.chapter_path(chapter)
            anchors_by_file[f"{path}/index.html"] = frozenset((*inside, *former_numbers, *tables))
    anchors_by_file |= dict.fromkeys((page.file for page in moved), frozenset())
    return anchors_by_file
