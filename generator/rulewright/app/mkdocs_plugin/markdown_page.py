"""Markdown pages: links for references, and removal of active content."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from html import escape
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as Xml

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.util import AtomicString
from markupsafe import escape as markup
from mkdocs.structure.toc import AnchorLink

from rulewright.files.sanitizer import removed_elements, sanitize_html
from rulewright.references.content_page import MARK, MARKED, LinkedPage, PageReference

_REFERENCE_ATTRIBUTE = "data-reference"
_MARK_CHARACTER_REFERENCE = re.compile(r"&#(?:x0*e00[01]|0*5734[45]);?", re.IGNORECASE)
"""Character references that would become mark characters in HTML."""

_TAG_OR_MARK = re.compile(rf"""<[^<>"]*(?:"[^"]*"[^<>"]*)*>|{MARKED.pattern}""")


class PageExtension(Extension):
    """Markdown extension that converts marks to links and sanitizes HTML unless it is `trusted`.

    `removed`: elements that were removed; `is_unparsable`: Markdown failed, so the page is plain text.
    """

    def __init__(self, trusted: bool) -> None:
        super().__init__()
        self.trusted = trusted
        self.page = LinkedPage("")
        self.begin(self.page)

    def begin(self, page: LinkedPage) -> str:
        """Set the next page. Return its text, with marks numbered after those of earlier pages.

        Other plugins show excerpts of earlier pages, in which links must not get the references of this page.
        """
        self.first = len(self.page.references)
        self.page = LinkedPage("", self.page.references + page.references)
        self.removed: list[str] = []
        self.is_unparsable = False
        return MARKED.sub(lambda m: MARK.format(self.first + int(m[1])), page.text)

    def extendMarkdown(self, md: Markdown) -> None:
        md.convert = partial(self._convert, md.convert)  # type: ignore[method-assign]
        # After code, links and images, which can contain marks.
        md.inlinePatterns.register(_ReferenceMarks(self, md), "references", 85)
        set_addresses, finish_html = (
            SimpleNamespace(run=self._set_addresses),
            SimpleNamespace(run=self._finish_html),
        )
        md.treeprocessors.register(set_addresses, "references", -1)  # type: ignore[arg-type]
        md.postprocessors.register(finish_html, "references", -1)  # type: ignore[arg-type]

    def _convert(self, convert: Callable[[str], str], text: str) -> str:
        """Convert a page to HTML; if nesting is too deep for Markdown, return the escaped text."""
        try:
            return convert(text)
        except (RecursionError, ValueError):
            self.is_unparsable = True
            return f"<pre>{escape(MARKED.sub(lambda m: self.reference(m[1]).words, text))}</pre>"

    def reference(self, index: str) -> PageReference:
        return self.page.references[int(index)]

    def _set_addresses(self, root: Xml.Element) -> None:
        """Set the URLs of references, after MkDocs has validated all other links."""
        for link in root.iter("a"):
            if index := link.attrib.pop(_REFERENCE_ATTRIBUTE, ""):
                reference = self.reference(index)
                if int(index) < self.first:
                    link.attrib.clear()
                    continue
                link.set("href", reference.href)
                if reference.title:
                    link.attrib |= {
                        "class": f"{link.get('class')} away",
                        "rel": "external",
                        "title": reference.title,
                    }

    def _finish_html(self, text: str) -> str:
        """Sanitize the HTML and replace marks in raw HTML by links, in attributes by words."""
        text = _MARK_CHARACTER_REFERENCE.sub("\ufffd", text)
        if not self.trusted:
            text, before = sanitize_html(text), text
            known_elements = {
                *self.removed,
                f"{_REFERENCE_ATTRIBUTE} of a",
            }  # links in headings have it in the table of contents
            self.removed += (
                element for element in removed_elements(before, text) if element not in known_elements
            )

        def replace_marks(m: re.Match[str]) -> str:
            if m[1] and int(m[1]) >= self.first:
                return self.page.html(int(m[1]))
            return MARKED.sub(lambda mark: escape(self.reference(mark[1]).words), m[0])

        return _TAG_OR_MARK.sub(replace_marks, text)


class _ReferenceMarks(InlineProcessor):
    def __init__(self, extension: PageExtension, md: Markdown) -> None:
        super().__init__(MARKED.pattern, md)
        self.extension = extension

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Xml.Element, int, int]:  # type: ignore[override]
        """Return a link without its URL, which MkDocs would validate against the content files."""
        link = Xml.Element("a", {"class": "ref", "href": "#", _REFERENCE_ATTRIBUTE: m[1]})
        link.text = AtomicString(self.extension.reference(m[1]).words)
        return link, m.start(0), m.end(0)


def as_text(value: Any) -> Any:
    """Escape HTML in a value of front matter, since templates do not."""
    if isinstance(value, dict):
        return {key: as_text(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_text(inner) for inner in value]
    return markup(value) if isinstance(value, str) else value


def walk_headings(headings: Iterable[AnchorLink]) -> Iterator[AnchorLink]:
    """Yield the headings of a page and their descendants."""
    for heading in headings:
        yield heading
        yield from walk_headings(heading.children)
