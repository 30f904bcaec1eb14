"""Check the markup of content pages: removed HTML, icons, templates and pictures."""

from __future__ import annotations

import re

from rulewright.checks.check_visitor import LoadedProject, Problems, check
from rulewright.files.frontmatter import INVALID_VALUE
from rulewright.files.problems import Severity, problem_type
from rulewright.references.content_page import ContentPage, page_parts

LEFT_OUT = problem_type(
    "page-markup-left-out",
    """A page has HTML that could run something in a reader's browser, or asks another host for what it shows,
    and it is left out. Write it as Markdown, and put pictures into files beside the page. Where you vouch for
    all content yourself, `trusted: true` of the plugin in mkdocs.yml lets it through.""",
    Severity.WARNING,
)
WORDLESS = problem_type(
    "page-picture-without-words",
    "A picture of a page says nothing to readers who do not see it: write what it shows in its brackets.",
    Severity.NOTE,
)

_SCHEME = re.compile(r"[\s\x00-\x20]*(?:[a-z][a-z0-9+.-]*:|//|\\\\)", re.IGNORECASE)
_USUAL = re.compile(r"(?:https?|mailto|tel):", re.IGNORECASE)
_NO_LINK = re.compile(r"(?:\]\(|\]:)\s*<?(?P<to>(?:javascript|vbscript|file|data):)", re.IGNORECASE)
"""Schemes that CommonMark does not accept in links but the Markdown renderer does."""
_MARKUP = re.compile(rf"<[a-zA-Z]|\{{[^{{}}\n]*=|{_NO_LINK.pattern}", re.IGNORECASE)
"""Tags, attributes in braces, and links that are none in CommonMark."""


@check(ContentPage, WORDLESS, INVALID_VALUE, LEFT_OUT)
def check_page_markup(page: ContentPage, project: LoadedProject) -> Problems:
    """Report markup that the site removes, and pictures without words."""
    for link in page.links:
        if link.is_picture and link.is_bare:
            yield WORDLESS.problem(
                page.text.location_of(link.offset),
                "say what it shows, as in ![A depot](depot.png)",
                page.name,
            )
    if not project.settings.trusted and _is_suspect(page):
        yield from _check_removed_markup(page, project.folder.texts[page.name])


def _is_suspect(page: ContentPage) -> bool:
    """Return whether a page may have markup that the site removes, so that rendering it is worth while."""
    foreign = (link for link in page.links if _SCHEME.match(link.to))
    return bool(_MARKUP.search(page.text)) or any(
        link.is_picture or not _USUAL.match(link.to) for link in foreign
    )


def _check_removed_markup(page: ContentPage, data: bytes) -> Problems:
    from rulewright.files.page_html import page_html
    from rulewright.files.sanitizer import removed_elements, sanitize_html

    html = page_html(data)
    for removed in removed_elements(html, sanitize_html(html)):
        name, _, tag = removed.rpartition(" of ")
        offset = _find_offset(page, name, tag)
        right = "put the picture into a file beside the page" if removed == "src of img" else "delete it"
        message = f"the site leaves out {removed}, since it could run something or asks another host; {right}"
        yield LEFT_OUT.problem(page.text.file.location(offset), message, page.name)


def _find_offset(page: ContentPage, name: str, tag: str) -> int:
    """Return the offset of an element or attribute on a page: in a tag, a link or braces."""
    for part in page_parts(page.text):
        words = page.text[part.start : part.end].lower()
        if part.kind == "tag" and words.startswith(f"<{tag}") and name.lower() in words:
            return part.start
    for link in page.links:
        attribute = "src" if link.is_picture else "href"
        if name == attribute and _SCHEME.match(link.to) and not (name == "href" and _USUAL.match(link.to)):
            return link.offset
    if name in ("href", "src") and (m := _NO_LINK.search(page.text)):
        return int(m.start("to"))
    return max(page.text.lower().find(name or tag), 0)
