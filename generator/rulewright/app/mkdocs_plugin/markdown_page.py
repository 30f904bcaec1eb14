"""Markdown pages as people wrote them, made into HTML in which nothing runs."""

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

from rulewright.citations.content_page import MARK, MARKED, LinkedPage, PageReference
from rulewright.text.sanitizer import removed_elements, sanitize_html

_REFERENCE_ATTRIBUTE = "data-reference"
_MARK_CHARACTER_REFERENCE = re.compile(r"&#(?:x0*e00[01]|0*5734[45]);?", re.IGNORECASE)
"""Character references that would become the sign of a mark once read as HTML."""

_TAG_OR_MARK = re.compile(rf"""<[^<>"]*(?:"[^"]*"[^<>"]*)*>|{MARKED.pattern}""")


class PageExtension(Extension):
    """Markdown extension that makes reference marks into links, and HTML harmless unless it is `trusted`.

    `lost`: what was left out of the page; `broken_off`: whether Markdown could make nothing of it.
    """

    def __init__(self, trusted: bool) -> None:
        super().__init__()
        self.trusted = trusted
        self.page = LinkedPage("")
        self.begin(self.page)

    def begin(self, page: LinkedPage) -> str:
        """Take the page that Markdown is run on next. Its text, the marks counted on from those of others.

        Other plugins show the beginning of a page on another, where its links would lead elsewhere.
        """
        self.first = len(self.page.references)
        self.page = LinkedPage("", self.page.references + page.references)
        self.removed: list[str] = []
        self.is_unparsable = False
        return MARKED.sub(lambda m: MARK.format(self.first + int(m[1])), page.text)

    def extendMarkdown(self, md: Markdown) -> None:
        md.convert = partial(self._convert, md.convert)  # type: ignore[method-assign]
        # Behind code, links and pictures, whose words it is found in.
        md.inlinePatterns.register(_ReferenceMarks(self, md), "references", 85)
        set_addresses, finish_html = (
            SimpleNamespace(run=self._set_addresses),
            SimpleNamespace(run=self._finish_html),
        )
        md.treeprocessors.register(set_addresses, "references", -1)  # type: ignore[arg-type]
        md.postprocessors.register(finish_html, "references", -1)  # type: ignore[arg-type]

    def _convert(self, convert: Callable[[str], str], text: str) -> str:
        """The HTML of a page; of one that Markdown breaks off at, as lists in lists without end, its text."""
        try:
            return convert(text)
        except (RecursionError, ValueError):
            self.is_unparsable = True
            return f"<pre>{escape(MARKED.sub(lambda m: self.reference(m[1]).words, text))}</pre>"

    def reference(self, index: str) -> PageReference:
        return self.page.references[int(index)]

    def _set_addresses(self, root: Xml.Element) -> None:
        """Give links their addresses, when MkDocs has looked at all others."""
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
        """Make the HTML harmless, and links of marks in what was HTML already; in attributes words."""
        text = _MARK_CHARACTER_REFERENCE.sub("\ufffd", text)
        if not self.trusted:
            text, before = sanitize_html(text), text
            known_elements = {
                *self.removed,
                f"{_REFERENCE_ATTRIBUTE} of a",
            }  # which links in headings have for the contents of the page
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
        """An element without its address, which MkDocs would hold against the files of the content."""
        link = Xml.Element("a", {"class": "ref", "href": "#", _REFERENCE_ATTRIBUTE: m[1]})
        link.text = AtomicString(self.extension.reference(m[1]).words)
        return link, m.start(0), m.end(0)


def as_text(value: Any) -> Any:
    """A value of front matter without a sign of HTML: templates put its words into pages as they are."""
    if isinstance(value, dict):
        return {key: as_text(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_text(inner) for inner in value]
    return markup(value) if isinstance(value, str) else value


def walk_headings(headings: Iterable[AnchorLink]) -> Iterator[AnchorLink]:
    """Walk the headings of a page, those inside of others as well."""
    for heading in headings:
        yield heading
        yield from walk_headings(heading.children)
