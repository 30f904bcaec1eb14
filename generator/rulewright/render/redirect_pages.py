"""Old addresses: pages that lead on from them to where their subject is now, and lines for a web server.

A server never sees the anchor of an address, so it finds pages only; a page reads it itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from posixpath import dirname

from rulewright.book.library import Edition
from rulewright.references import site_paths
from rulewright.references.redirect_targets import Destination, OldPage
from rulewright.render.build_artifacts import Content
from rulewright.render.render_context import RenderContext
from rulewright.render.templating import environment


def redirect_pages(old_pages: Iterable[OldPage], context: RenderContext) -> dict[str, Content]:
    """Return the page for each old address, by its file: `rules/5-modes/index.html`."""
    return {old.file: partial(_redirect_page, old, context) for old in old_pages}


def _redirect_page(old: OldPage, context: RenderContext) -> str:
    page, *anchors = (
        {
            "anchor": anchor,
            "href": site_paths.relative_link(dirname(old.file), target.page, target.anchor),
            "name": _name(target, context),
        }
        for anchor, target in {"": old.destination, **old.anchors}.items()
    )
    return environment().get_template("site/signpost.html").render(page=page, anchors=anchors)


def book_redirect_page(edition: Edition) -> str:
    """Return the page of a book, which leads on to its newest edition."""
    href = site_paths.relative_link(edition.address.partition("/")[0], edition.address)
    page = {"anchor": "", "href": href, "name": edition.title}
    values = {"page": page, "anchors": [], "said": "The newest edition:"}
    return environment().get_template("site/signpost.html").render(values)


def _name(target: Destination, context: RenderContext) -> str:
    if target.source:
        return context.name(target.source)
    outline = context.index.outlines.get(target.page)
    last = target.page.rpartition("/")[2]
    return outline.edition.title if outline else last.replace("-", " ").capitalize()
