"""Check of the addresses of pages and files of the content: that each has one source, and is free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulewright.book.library import Library
from rulewright.checks.site_settings import Settings
from rulewright.citations.addresses import leaf_path
from rulewright.citations.redirect_targets import made
from rulewright.citations.shelf import Shelf
from rulewright.source.filenames import folded
from rulewright.source.folder import CONTENT
from rulewright.source.problems import Place, Problem, kind, shown

TWICE = kind(
    "address-twice",
    """Two files of the content have one address on the site, such as `tips.md` and `tips/index.md`, or one
    has that of a page or file that the site makes of a book; or one lies where the other needs a folder. Only
    one of them could be there.""",
)

_PAGE = "/index.html"


def one_address(shelf: Shelf, library: Library, settings: Settings) -> Iterator[Problem]:
    """Pages and files of the content whose address another has, or which is that of a page of the site."""
    held = {folded(path): (path, "") for path in made(shelf, paper=False)}
    folders = {folder: path for path in held for folder in _above(path)}
    sources = ((f"{leaf_path(name)}{_PAGE}".lstrip("/"), name) for name in library.pages)
    files = ((name.removeprefix(f"{CONTENT}/"), name) for name in library.others)
    names = [name.removeprefix(f"{CONTENT}/") for name in (*library.pages, *library.others)]
    unpublished = settings.unpublished(names)
    for path, name in (*sources, *files):
        at = folded(path)
        if name.removeprefix(f"{CONTENT}/") in unpublished:
            continue
        above = next((one for one in _above(at) if one in held), "")
        if found := held.get(at) or held.get(above) or held.get(folders.get(at, "")):
            if folded(found[1]) != folded(name):  # else it is told of their names
                yield TWICE.at(Place(name), _said(path, *found), name)
            continue
        held[at] = path, name
        folders |= dict.fromkeys(_above(at), at)


def _said(path: str, other: str, source: str) -> str:
    """The message of a clash. `source`: of the other file, empty where the site makes that."""
    what = f"/{path.removesuffix('index.html')}"
    if folded(path) == folded(other):
        if source:
            return (
                f"{shown(what, 80)} is the address of {shown(source, 80)} too; rename one, or put both in one"
            )
        sort = "page" if path.endswith(_PAGE) else "file"
        return f"{shown(what, 80)} is the address of a {sort} that the site makes; give it another name"
    theirs = f"/{other.removesuffix('index.html')}"
    beside = f"{shown(what, 80)} cannot be there beside {shown(theirs, 80)}"
    return f"{beside}: one is a file where the other needs a folder; rename it"


def _above(path: str) -> Iterable[str]:
    """The folders that a file lies in, the outermost first."""
    return (path[:at] for at, sign in enumerate(path) if sign == "/")
