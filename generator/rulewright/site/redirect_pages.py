"""Old addresses: pages that lead on from them to where their subject is now, and lines for web servers.

A server never sees what stands behind the # of an address, so it finds pages only; a page reads it itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from posixpath import dirname
from urllib.parse import quote

from rulewright.citations import addresses
from rulewright.citations.redirect_targets import Destination, Moved
from rulewright.citations.shelf import Shelf
from rulewright.site.context import Desk
from rulewright.site.templating import environment
from rulewright.source.output import put, vacant, within


def files(moved: Iterable[Moved], shelf: Shelf, base: str = "") -> dict[str, str | bytes]:
    """The page for each old address, by its file: `rules/5-modes/index.html`.

    `base`: the address of the site that they lead to, where they are put on another one.
    """
    made: dict[str, str | bytes] = {}
    moved = list(moved)
    if moved:
        template, desk = environment().get_template("site/signpost.html"), Desk(shelf)
        for old in moved:
            here = dirname(old.file)
            page, *anchors = (
                {
                    "anchor": anchor,
                    "href": link(to, base) if base else addresses.relative(here, to.page, to.anchor),
                    "name": _name(to, desk),
                }
                for anchor, to in {"": old.to, **old.anchors}.items()
            )
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


def _name(to: Destination, desk: Desk) -> str:
    """Name of a destination, for people."""
    if to.source:
        return desk.name(to.source)
    outline = desk.shelf.outlines.get(to.page)
    last = to.page.rpartition("/")[2]
    return outline.edition.title if outline else to.words or last.replace("-", " ").capitalize()


_ANCHORS = (
    "Where the old addresses of pages lead. A server never sees what stands behind the # of an address,",
    "so it finds only the pages of the {anchors} old anchors. The anchors are found by the pages that",
    "`rulewright build` puts at the old addresses, and `rulewright redirects --format html` elsewhere.",
)


def netlify(moved: Iterable[Moved], base: str = "") -> str:
    """A `_redirects` file. What ends in 301! holds always; a page that is published comes before a 301."""
    moved = list(moved)
    lines = [*_about(moved), "# Such a page, where it is published, comes before its line here."]
    lines += [
        f"{quote(_spellings(old)[0])}  {link(old.to, base)}  {'301' if old.anchors else '301!'}"
        for old in moved
    ]
    return "".join(f"{line}\n" for line in lines)


def nginx(moved: Iterable[Moved], base: str = "") -> str:
    """Locations to include in nginx's `server { … }`."""
    moved = list(moved)
    lines = [*_about(moved), "# Such a page, where it is published, is tried first."]
    for count, old in enumerate(moved, 1):
        first, *bare = _spellings(old)
        to = f"return 301 {_quoted(link(old.to, base))};"
        if not old.anchors or "$" in first:  # which nginx would take for the name of a variable
            lines += [f"location = {_quoted(path)} {{ {to} }}" for path in (first, *bare)]
            continue
        name = f"@{re.sub('[^a-z0-9]', '_', old.edition.lower())}_moved_{count}"
        lines.append(f"location = {_quoted(first)} {{ try_files {_quoted(f'/{old.file}')} {name}; }}")
        # The links of the page begin in its folder, so it has to be asked for with the slash.
        lines += [f"location = {_quoted(path)} {{ return 301 {_quoted(quote(first))}; }}" for path in bare]
        lines.append(f"location {name} {{ {to} }}")
    return "".join(f"{line}\n" for line in lines)


def link(to: Destination, base: str = "") -> str:
    """Where a destination is on a site whose address is `base`: `https://example.org/ocs/4.3/5-modes/#5.2`."""
    return addresses.below(base or "/", to.page, to.anchor)


FORMATS: Mapping[str, Callable[[Iterable[Moved], str], str]] = {"netlify": netlify, "nginx": nginx}
"""The forms that are one file, by the name that `--format` takes."""


def _about(moved: list[Moved]) -> Iterator[str]:
    anchors = sum(len(old.anchors) for old in moved)
    return (f"# {line.format(anchors=anchors)}" for line in _ANCHORS)


def _spellings(old: Moved) -> list[str]:
    """An old address with and without the slash at its end: readers have written down both."""
    if not old.is_folder:
        return [old.address]
    bare = old.address.rstrip("/")
    return [f"{bare}/", bare] if bare else ["/"]


def _quoted(path: str) -> str:
    """A path as nginx takes it: in quotes, where it holds what ends a word there."""
    if not set(path).intersection(" ;{}\"'\\#"):
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
