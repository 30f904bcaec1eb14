"""Old addresses: pages that lead on from them to where their subject is now, and lines for a web server.

A server never sees the anchor of an address, so it finds pages only; a page reads it itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from posixpath import dirname
from urllib.parse import quote

from rulewright.book.library import Edition
from rulewright.references import site_paths
from rulewright.references.redirect_targets import Destination, OldPage
from rulewright.render.build_artifacts import Content
from rulewright.render.render_context import RenderContext
from rulewright.render.templating import environment

_HEADER = """\
# Where the old addresses of pages lead. A server never sees the anchor of an address, so it finds only the
# pages of the {anchors} old anchors. The anchors are found by the pages that `rulewright build` puts at the
# old addresses. Such a page, where it is published, comes before its line here.
"""


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
    return outline.edition.title if outline else target.words or last.replace("-", " ").capitalize()


def netlify_redirects(old_pages: Iterable[OldPage], base: str) -> str:
    """Return `_redirects` for Netlify and Cloudflare. Without `!` a published page precedes a line."""
    old_pages = list(old_pages)
    text = _HEADER.format(anchors=sum(len(old.anchors) for old in old_pages))
    for old in old_pages:
        target = site_paths.absolute_link(base or "/", old.destination.page, old.destination.anchor)
        address = f"{old.address.rstrip('/')}/" if old.is_folder else old.address
        text += f"{quote(address)}  {target}  {'301' if old.anchors else '301!'}\n"
    return text
