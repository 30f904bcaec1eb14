"""Old addresses as web servers are told of them: where each page has moved for good.

A server is not told what stands behind the # of an address, so these lead to pages only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import quote

from rulewright.citations import addresses
from rulewright.citations.redirects import Destination, Moved

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
