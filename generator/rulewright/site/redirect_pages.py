"""Redirect pages for old addresses: each leads on to where its subject is now.

A server never sees what stands behind the # of an address, so such a page reads it itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rulewright.citations import addresses
from rulewright.citations.redirects import Destination, Moved
from rulewright.citations.shelf import Shelf
from rulewright.site.compositor import environment
from rulewright.site.context import Desk
from rulewright.site.exports.redirects import link
from rulewright.source.output import put, vacant, within


@dataclass(frozen=True, slots=True)
class Way:
    """A way that a signpost shows: the old anchor (empty for the page itself), the link and its words."""

    anchor: str
    href: str
    name: str


def files(moved: Iterable[Moved], shelf: Shelf, base: str = "") -> dict[str, str | bytes]:
    """The page for each old address, by its file: `rules/5-modes/index.html`.

    `base`: the address of the site that they lead to, where they are put on another one.
    """
    made: dict[str, str | bytes] = {}
    moved = list(moved)
    if moved:
        template, desk = environment().get_template("site/signpost.html"), Desk(shelf)
        for old in moved:
            page, *anchors = _ways(old, desk, base)
            made[old.file] = template.render({"page": page, "anchors": anchors})
    return made


def put_pages(folder: Path, pages: Mapping[str, str | bytes], force: bool = False) -> None:
    """Write such pages into a folder. Raises Refusal where another file has one of their places."""
    for name in pages:
        path = within(folder, name)
        if path.is_file() and b'id="rw-moved"' not in path.read_bytes():  # our mark
            vacant(path, force)
    for name, content in pages.items():
        put(folder / name, content)


def _ways(old: Moved, desk: Desk, base: str) -> Iterable[Way]:
    start = old.file.removesuffix("index.html").rstrip("/") if old.file.endswith("index.html") else None
    # A page that is a file has links that start from the folder it lies in.
    here = start if start is not None else old.file.rpartition("/")[0]
    for anchor, to in {"": old.to, **old.anchors}.items():
        href = link(to, base) if base else addresses.relative(here, to.page, to.anchor)
        yield Way(anchor, href, _name(to, desk))


def _name(to: Destination, desk: Desk) -> str:
    """Name of a destination, for people."""
    if to.source:
        return desk.name(to.source)
    outline = desk.shelf.outlines.get(to.page)
    last = to.page.rpartition("/")[2]
    return outline.edition.title if outline else to.words or last.replace("-", " ").capitalize()
