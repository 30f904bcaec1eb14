"""Any folder of Markdown read as a site: of MkDocs, with a SUMMARY.md, or files alone.

The pages are in the order that such a site shows them in, with the addresses and the ids of headings that it
gives them. Front matter is read where there is some, and needed nowhere.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from rulewright.importers.website.files import (
    FrontMatter,
    PageFile,
    front_matter_of,
    gather,
    in_yaml,
)
from rulewright.importers.website.site import GITHUB, PYTHON, Page, Site, Slugs
from rulewright.source import bounds
from rulewright.source.folder import natural
from rulewright.source.problems import Place, kind

NO_MARKDOWN = kind(
    "import-no-markdown",
    """A folder that is to be imported is not there, is no folder, or holds no page in Markdown. Name the
    folder that the pages lie in.""",
)

_TOP = re.compile(
    r"^(?:#[ \t]+(?P<sign>[^\n]+?)[ \t#]*$|(?P<line>[^\s#>*+-][^\n]*)\n=+[ \t]*$)", re.MULTILINE
)
_IN_SUMMARY = re.compile(r"\[([^\]]*)\]\(\s*<?([^()<>\s]+\.md)>?\s*\)")
_NUMBERED = re.compile(r"^\d+[-_. ]+(?=\D)")
_MOST_DEPTH, _MOST_PAGES = 12, 20_000
_INDEX = ("index", "readme", "_index")


@dataclass(slots=True)
class _SiteKind:
    """How a sort of site orders its pages and makes their addresses.

    `listed`: titles by name of those that it lists, in its order.
    """

    start: Path
    listed: Mapping[str, str] = field(default_factory=dict)
    style: str = GITHUB
    ugly: bool = False
    served: bool = True
    address: str = ""


def read_markdown(folder: Path) -> Site:
    """The pages of a folder. Where it holds none, there is a problem that says so, and no page."""
    shown = folder.as_posix()
    if not folder.is_dir():
        what = "is a file; name the folder that it lies in" if folder.exists() else "is not there"
        return Site(problems=[NO_MARKDOWN.at(Place(shown), f"{shown} {what}", shown)])
    sort = _kind_of(folder)
    found = gather(sort.start, sort.start.as_posix(), "", folder)
    problems = found.problems
    pages = []
    for one in found.texts:
        if posixpath.basename(one.name) != "SUMMARY.md":
            matter, faults = front_matter_of(one.file)
            problems += faults
            pages.append(page_of(one, matter, sort))
    pages.sort(key=lambda page: _rank(page, sort))
    if len(pages) == 1:  # the name of the only file says nothing of its rules
        pages = [replace(pages[0], called="")]
    if not pages and not problems:
        problems.append(NO_MARKDOWN.at(Place(shown), f"{shown} holds no page that ends in .md", shown))
    files = {f"/{name}": path for name, path in found.others.items()}
    base = urlsplit(sort.address)
    slugs = partial(Slugs, sort.style)
    return Site(pages, files, problems, sort.served, slugs, base.netloc, base.path)


def _kind_of(folder: Path) -> _SiteKind:
    """Sort of site that a folder is, or lies in."""
    for around in (folder, folder.parent):
        if (config := around / "mkdocs.yml").is_file():
            try:
                values = in_yaml(_text(config), lenient=True)
            except Exception:  # whatever is wrong with it, its pages are in an order of their own
                values = None
            values = values if isinstance(values, dict) else {}
            start = around / str(values.get("docs_dir") or "docs")
            is_inside = start.resolve().is_relative_to(around.resolve()) and start.is_dir()
            if is_inside and folder.resolve() in (around.resolve(), start.resolve()):
                listed = dict(islice(_nav(values.get("nav") or []), _MOST_PAGES))
                ugly, address = values.get("use_directory_urls") is False, str(values.get("site_url") or "")
                return _SiteKind(start, listed, PYTHON, ugly=ugly, address=address)
    for start in (folder, folder / "src"):
        if (summary := start / "SUMMARY.md").is_file():
            listed = {unquote(path): title for title, path in _IN_SUMMARY.findall(_text(summary))}
            return _SiteKind(start, listed)
    return _SiteKind(folder, served=False)


def _text(path: Path) -> str:
    """Text of a file that orders pages; empty where it is too large to be one."""
    return path.read_bytes().decode("utf-8", "replace") if path.stat().st_size < bounds.FILE.most else ""


def _nav(entries: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The pages of a `nav`, in its order, each with its title, which may be empty."""
    for entry in (entries if isinstance(entries, list) else [entries]) if depth <= _MOST_DEPTH else ():
        if isinstance(entry, str):
            yield entry, ""
        elif isinstance(entry, dict):
            for title, inner in entry.items():
                for path, own in _nav(inner, depth + 1):
                    yield path, own or (str(title) if isinstance(inner, str) else "")


def page_of(found: PageFile, matter: FrontMatter, sort: _SiteKind | None = None) -> Page:
    """A page with its address, and its title: the one in its front matter, else its first heading."""
    sort, values = sort or _SiteKind(Path()), dict(matter.values)
    tops = list(_TOP.finditer(found.file.text, matter.start))
    heading = (tops[0]["sign"] or tops[0]["line"]).strip() if len(tops) == 1 else ""
    title = re.sub(r"\s*\{[^{}]*\}$", "", heading) or sort.listed.get(found.name)
    if title:
        values.setdefault("title", title)
    called = re.sub(r"\b0+(?=\d)", "", _NUMBERED.sub("", found.stem).replace("-", " "))
    folder, _, _ = found.name.rpartition("/")
    is_index = found.stem.lower() in _INDEX
    parts = [part for part in [*folder.split("/"), "" if is_index else found.stem] if part]
    path = posixpath.normpath(posixpath.join("/", *parts))
    address = f"{path}.html" if sort.ugly and not is_index else f"{path.rstrip('/')}/"
    page_kind = "page" if not is_index else "section" if folder else "home"
    return Page(found.name, found.file, matter.start, values, page_kind, address, (), folder, called)


def _rank(page: Page, sort: _SiteKind) -> list[Any]:
    """Orders pages: those that the site lists as it does, the others by their places and names."""
    if page.name in sort.listed:
        return [(0, list(sort.listed).index(page.name), ())]

    def placed(position: Any, name: str) -> tuple[int, float, Any]:
        is_given = isinstance(position, int | float) and not isinstance(position, bool)
        return (0, float(position), natural(name)) if is_given else (1, 0.0, natural(name))

    parts = page.name.split("/")
    ranks = [(1, 0, ()), *(placed(None, name) for name in parts[:-1])]
    if page.kind != "page":
        return [*ranks, (-1, 0, ())]
    values = page.values
    position = values.get("sidebar_position", values.get("weight", values.get("nav_order")))
    return [*ranks, placed(position, parts[-1])]
