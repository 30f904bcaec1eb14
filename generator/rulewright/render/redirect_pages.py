"""Old addresses: pages that lead on from them to where their subject is now, and lines for a web server.

A server never sees what stands behind the # of an address, so it finds pages only; a page reads it itself.
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


def redirect_pages(moved: Iterable[OldPage], desk: RenderContext) -> dict[str, Content]:
    """The page for each old address, by its file: `rules/5-modes/index.html`."""
    return {old.file: partial(_signpost, old, desk) for old in moved}


def _signpost(old: OldPage, desk: RenderContext) -> str:
    here = dirname(old.file)
    page, *anchors = (
        {
            "anchor": anchor,
            "href": site_paths.relative_link(here, to.page, to.anchor),
            "name": _name(to, desk),
        }
        for anchor, to in {"": old.destination, **old.anchors}.items()
    )
    return environment().get_template("site/signpost.html").render({"page": page, "anchors": anchors})


def book_redirect_page(edition: Edition) -> str:
    """The page of a book, which leads on to its newest edition."""
    href = site_paths.relative_link(edition.address.partition("/")[0], edition.address)
    page = {"anchor": "", "href": href, "name": edition.title}
    given = {"page": page, "anchors": [], "said": "The newest edition:"}
    return environment().get_template("site/signpost.html").render(given)


def _name(to: Destination, desk: RenderContext) -> str:
    if to.source:
        return desk.name(to.source)
    outline = desk.index.outlines.get(to.page)
    last = to.page.rpartition("/")[2]
    return outline.edition.title if outline else to.words or last.replace("-", " ").capitalize()


_ANCHORS = (
    "Where the old addresses of pages lead. A server never sees what stands behind the # of an address,",
    "so it finds only the pages of the {anchors} old anchors. The anchors are found by the pages that",
    "`rulewright build` puts at the old addresses.",
)


def netlify_redirects(moved: Iterable[OldPage], base: str) -> str:
    """Write `_redirects` for Netlify and Cloudflare. Without `!` a published page precedes a line."""
    moved = list(moved)
    anchors = sum(len(old.anchors) for old in moved)
    lines = [
        *(f"# {line.format(anchors=anchors)}" for line in _ANCHORS),
        "# Such a page, where it is published, comes before its line here.",
    ]
    for old in moved:
        target = site_paths.absolute_link(base or "/", old.destination.page, old.destination.anchor)
        status = "301" if old.anchors else "301!"
        lines.append(f"{quote(_spellings(old)[0])}  {target}  {status}")
    return "".join(f"{line}\n" for line in lines)


def _spellings(old: OldPage) -> list[str]:
    """An old address with and without the slash at its end: readers have written down both."""
    if not old.is_folder:
        return [old.address]
    bare = old.address.rstrip("/")
    return [f"{bare}/", bare] if bare else ["/"]
