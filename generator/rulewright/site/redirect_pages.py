"""Old addresses: pages that lead on from them to where their subject is now, and lines for a web server.

A server never sees what stands behind the # of an address, so it finds pages only; a page reads it itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from posixpath import dirname
from urllib.parse import quote

from rulewright.book.library import Edition
from rulewright.citations import addresses
from rulewright.citations.redirect_targets import Destination, Moved
from rulewright.site.artifacts import Content
from rulewright.site.context import Desk
from rulewright.site.templating import environment


def files(moved: Iterable[Moved], desk: Desk) -> dict[str, Content]:
    """The page for each old address, by its file: `rules/5-modes/index.html`."""
    return {old.file: partial(_signpost, old, desk) for old in moved}


def _signpost(old: Moved, desk: Desk) -> str:
    here = dirname(old.file)
    page, *anchors = (
        {"anchor": anchor, "href": addresses.relative(here, to.page, to.anchor), "name": _name(to, desk)}
        for anchor, to in {"": old.to, **old.anchors}.items()
    )
    return environment().get_template("site/signpost.html").render({"page": page, "anchors": anchors})


def of_book(edition: Edition) -> str:
    """The page of a book, which leads on to its newest edition."""
    href = addresses.relative(edition.address.partition("/")[0], edition.address)
    page = {"anchor": "", "href": href, "name": edition.title}
    given = {"page": page, "anchors": [], "said": "The newest edition:"}
    return environment().get_template("site/signpost.html").render(given)


def _name(to: Destination, desk: Desk) -> str:
    if to.source:
        return desk.name(to.source)
    outline = desk.shelf.outlines.get(to.page)
    last = to.page.rpartition("/")[2]
    return outline.edition.title if outline else to.words or last.replace("-", " ").capitalize()


_ANCHORS = (
    "Where the old addresses of pages lead. A server never sees what stands behind the # of an address,",
    "so it finds only the pages of the {anchors} old anchors. The anchors are found by the pages that",
    "`rulewright build` puts at the old addresses.",
)


def netlify(moved: Iterable[Moved], base: str) -> str:
    """Write `_redirects` for Netlify and Cloudflare. Without `!` a published page precedes a line."""
    moved = list(moved)
    anchors = sum(len(old.anchors) for old in moved)
    lines = [
        *(f"# {line.format(anchors=anchors)}" for line in _ANCHORS),
        "# Such a page, where it is published, comes before its line here.",
    ]
    lines += [
        f"{quote(_spellings(old)[0])}  {link(old.to, base)}  {'301' if old.anchors else '301!'}"
        for old in moved
    ]
    return "".join(f"{line}\n" for line in lines)


def link(to: Destination, base: str) -> str:
    """Where a destination is on a site whose address is `base`: `https://example.org/ocs/4.3/5-modes/#5.2`."""
    return addresses.below(base or "/", to.page, to.anchor)


def _spellings(old: Moved) -> list[str]:
    """An old address with and without the slash at its end: readers have written down both."""
    if not old.is_folder:
        return [old.address]
    bare = old.address.rstrip("/")
    return [f"{bare}/", bare] if bare else ["/"]
