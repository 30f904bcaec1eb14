"""A site: its pages in the order of the book, the address of each, and the targets of links.

A site of Hugo has addresses; a mere folder of Markdown has none. Addresses follow Hugo's own code
(resources/page/page_paths.go); its patterns for addresses are reported, and not followed.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from rulewright.files.content_folder import natural_sort_key
from rulewright.files.problems import Problem, Severity, SourceFile, SourceLocation, errors, problem_type
from rulewright.files.safe_integers import parse_int
from rulewright.imports.sources.site_files import (
    UNREADABLE,
    FrontMatter,
    front_matter_of,
    gather,
    parse_settings,
)
from rulewright.imports.sources.slugs import split_attributes, url_path

NO_PAGES = problem_type(
    "import-no-pages",
    """A folder to import does not exist, is no folder, or holds no page in Markdown; or `import hugo` gets a
    folder that has neither pages with front matter nor Hugo's configuration. Name the folder of the site
    or of its section.""",
)
PATTERN = problem_type(
    "import-address-pattern",
    """A Hugo site sets patterns for addresses, which an import does not follow. Check the old addresses in
    redirects.yml.""",
    Severity.WARNING,
)
_CONFIGURATIONS = [
    "".join(parts)
    for parts in product(("", "config/_default/"), ("hugo.", "config."), ("toml", "yaml", "yml", "json"))
]
_TOP = re.compile(
    r"^(?:#[ \t]+(?P<sign>[^\n]+?)[ \t#]*$|(?P<line>[^\s#>*+-][^\n]*)\n=+[ \t]*$)", re.MULTILINE
)
_NUMBERED = re.compile(r"^\d+[-_. ]+(?=\D)")


@dataclass(frozen=True, eq=False, slots=True)
class SourcePage:
    """A page. `name`: its file below the content folder; `address`: its path on the site, `/rules/modes/`.

    `file` includes the front matter, and its words begin at `start`. `values`: the front matter.
    `default_title`: its title if it has none; empty for a document, whose name says nothing about its rules.
    """

    name: str
    file: SourceFile
    start: int
    values: Mapping[str, Any]
    address: str
    aliases: tuple[str, ...] = ()
    default_title: str = ""
    is_index: bool = False
    """It is the page of its folder."""

    @property
    def body(self) -> str:
        return self.file.text[self.start :]

    @property
    def own_title(self) -> str:
        """The title in the front matter."""
        return str(self.values.get("title") or "").strip()

    @property
    def title(self) -> str:
        return self.own_title or self.default_title

    @property
    def draft(self) -> bool:
        """Whether Hugo leaves it out when it publishes the site."""
        return str(self.values.get("draft")).lower() == "true"


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """The target of a link: a page, a file that is published as it is, or neither."""

    address: str
    anchor: str = ""
    page: SourcePage | None = None
    file: Path | None = None


@dataclass(frozen=True, eq=False)
class SourceSite:
    """A site, or a section of it: its pages in the order of the book and its other files by address.

    `served`: its pages have addresses; `url`: the address of the site, if it says so.
    """

    pages: Sequence[SourcePage] = ()
    files: Mapping[str, Path] = field(default_factory=dict)
    problems: Sequence[Problem] = ()
    served: bool = True
    url: str = ""
    title: str = ""

    def target(self, page: SourcePage, link: str) -> LinkTarget | None:
        """Return the target of a link in a page; None if it leaves the site or cannot be read."""
        site = urlsplit(self.url)
        base = f"/{site.path.strip('/')}/".replace("//", "/")
        try:
            url = urlsplit(urljoin(f"http://site{base}{page.address.lstrip('/')}", link.strip()))
        except ValueError:
            return None
        if url.scheme not in ("http", "https") or url.netloc not in ("site", site.netloc):
            return None
        address = f"/{unquote(url.path).removeprefix(base).lstrip('/')}"
        name = unquote(link.strip()).partition("#")[0]
        target_page = self._pages.get(_lookup_path(address))
        # A browser has no other way than the address; but some authors name a file beside that of the page.
        file = self.files.get(posixpath.normpath(address)) or self.files.get(_relative_path(page, name))
        if not target_page and not file and name and ":" not in name:
            target_page = self._pages.get(_lookup_path(_relative_path(page, name)))
            tail = f"/{_lookup_path(name)}"
            same = {page for path, page in self._pages.items() if f"/{path}".endswith(tail)}
            if not target_page and len(same) == 1 and not name.startswith(".."):
                target_page = same.pop()
        return LinkTarget(address, unquote(url.fragment), target_page, None if target_page else file)

    @cached_property
    def _pages(self) -> Mapping[str, SourcePage]:
        """The pages by their addresses and by their names."""
        pages: dict[str, SourcePage] = {}
        for page in self.pages:
            for path in (page.address, *page.aliases, page.name):
                pages.setdefault(_lookup_path(path), page)
        return pages


def _relative_path(page: SourcePage, name: str) -> str:
    """Return the path of a file that is named from the folder of a page."""
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(page.name), name))


def _lookup_path(path: str) -> str:
    """Return the form in which a page is looked up: without its ending, an index page as its folder."""
    path = posixpath.normpath(f"/{path}").strip("/").lower()
    return re.sub(r"(?:(?:^|/)_?index)?(?:\.md|\.html)?\Z", "", path, count=1)


@dataclass(slots=True)
class _HugoSettings:
    """Settings of a Hugo site. `start`: the folder of its pages; `below`: its path on the site."""

    start: Path
    below: str = ""
    url: str = ""
    title: str = ""
    static: Path | None = None
    has_configuration: bool = False
    problems: list[Problem] = field(default_factory=list)


def read_site(folder: Path, *, is_hugo: bool, address: str = "") -> SourceSite:
    """Read the pages of a folder, which is a Hugo site, a section of it, or only a folder of Markdown.

    `address`: of a Hugo section whose site is not at hand, `rules/ocs-4.3`. A fault of the folder is a
    problem, and there are no pages.
    """
    display_name = folder.as_posix()

    def refuse(fault: str) -> SourceSite:
        problem = NO_PAGES.problem(SourceLocation(display_name), f"{display_name} {fault}", display_name)
        return SourceSite(problems=[problem])

    if not folder.is_dir():
        return refuse("is a file; name its folder" if folder.exists() else "does not exist")
    settings = _hugo_settings(folder, address) if is_hugo else _HugoSettings(folder)
    files = gather(settings.start, settings.below)
    problems = [*settings.problems, *files.problems]
    matters: dict[str, FrontMatter] = {}
    for name, file in files.texts.items():
        matters[name], faults = front_matter_of(file)
        problems += faults
    if is_hugo and not settings.has_configuration and not any(matter.start for matter in matters.values()):
        if errors(problems):
            return SourceSite(problems=problems)
        hint = "import it with `import markdown`" if matters else "it holds no Markdown page"
        return refuse(f"is no Hugo site: no page has front matter; {hint}")
    if not matters and not problems:
        return refuse("holds no page that ends in .md")
    pages = [_page(name, files.texts[name], matter, is_hugo=is_hugo) for name, matter in matters.items()]
    if len(pages) == 1 and not is_hugo:
        pages = [replace(pages[0], default_title="")]
    pages.sort(key=lambda page: _rank(page, matters))
    published = gather(settings.static).other_files if settings.static else {}
    published = {f"/{name}": path for name, path in published.items()}
    for name, path in files.other_files.items():
        parent, file_name = posixpath.split(name)
        published[posixpath.join("/", url_path(parent) if is_hugo else parent, file_name)] = path
    return SourceSite(pages, published, problems, is_hugo, settings.url, settings.title)


def _hugo_settings(folder: Path, address: str) -> _HugoSettings:
    """Return the settings of the Hugo site that a folder is or belongs to."""
    start = folder.resolve()
    for parent in (start, *start.parents):
        root = folder if parent == start else parent
        config = next((root / name for name in _CONFIGURATIONS if (root / name).is_file()), None)
        if config is None:
            continue
        file = SourceFile(config.as_posix(), config.read_bytes().decode("utf-8-sig", "replace"))
        values, problems = parse_settings(file, is_toml=config.suffix == ".toml")
        content = root / (values.get("contentdir") or "content").strip("/")
        if not content.is_dir() or (parent != start and not start.is_relative_to(content.resolve())):
            continue
        if not content.resolve().is_relative_to(parent):
            problem = UNREADABLE.problem(SourceLocation(file.name), "contentDir leads out of the site", "")
            return _HugoSettings(folder, problems=[problem])
        if {"permalinks", "uglyurls"} & values.keys():
            message = "addresses follow patterns; check the old addresses in redirects.yml"
            problems.append(PATTERN.problem(SourceLocation(file.name), message, file.name))
        static = root / (values.get("staticdir") or "static").strip("/")
        below = "" if parent == start else start.relative_to(content.resolve()).as_posix().removeprefix(".")
        return _HugoSettings(
            content if parent == start else folder,
            below,
            values.get("baseurl", ""),
            values.get("title", ""),
            static if static.is_dir() and static.resolve().is_relative_to(parent) else None,
            has_configuration=True,
            problems=problems,
        )
    return _HugoSettings(folder, address.strip("/"))


def _page(name: str, file: SourceFile, matter: FrontMatter, *, is_hugo: bool) -> SourcePage:
    """Return a page with its address and title."""
    values = dict(matter.values)
    folder, file_name = posixpath.split(name)
    stem = posixpath.splitext(file_name)[0]
    is_index = stem.lower() in ("_index", "index") or (stem.lower() == "readme" and not is_hugo)
    parent, last = posixpath.split(folder) if is_index else (folder, stem)
    path = posixpath.join(parent, str(values.get("slug") or last))
    title = last if is_hugo else _NUMBERED.sub("", last)
    if is_hugo:
        path = str(values.get("url") or posixpath.join(url_path(path), ""))
    else:
        values = {**_top_title(file, matter), **values}
    address = _clean(posixpath.join("/", path))
    aliases = values.get("aliases") or []
    names = [aliases] if isinstance(aliases, str) else aliases
    # An alias without a slash is beside the page.
    addresses = tuple(_clean(posixpath.join("/", address, "..", alias)) for alias in names)
    return SourcePage(name, file, matter.start, values, address, addresses, title.replace("-", " "), is_index)


def _top_title(file: SourceFile, matter: FrontMatter) -> dict[str, str]:
    """Return the only heading of the top level as the title of a page."""
    top_headings = list(_TOP.finditer(file.text, matter.start))
    if len(top_headings) != 1:
        return {}
    return {"title": split_attributes((top_headings[0]["sign"] or top_headings[0]["line"]).strip())[0]}


def document_page(path: Path, file: SourceFile, matter: FrontMatter) -> SourcePage:
    """Return the page of a document."""
    folder = f"/{path.absolute().parent.name}/"
    return SourcePage(path.name, file, matter.start, {**_top_title(file, matter), **matter.values}, folder)


def _clean(path: str) -> str:
    """Return an address without double slashes and steps upwards; that of a page ends in a slash."""
    is_file = "." in posixpath.basename(path)
    path = re.sub("/+", "/", posixpath.normpath(path))
    return path if is_file else f"{path.rstrip('/')}/"


def _rank(page: SourcePage, matters: Mapping[str, FrontMatter]) -> list[Any]:
    """Return the place of a page in the book: by weight, then by title or name. A section comes before its
    pages.
    """

    def place(values: Mapping[str, Any], title: str) -> tuple[bool, int, Any]:
        weight = parse_int(str(values.get("weight") or values.get("sidebar_position"))) or 0
        return not weight, weight, natural_sort_key(title.casefold())

    ranks = []
    folder = ""
    for part in page.name.split("/")[:-1]:
        folder += f"{part}/"
        index = matters.get(f"{folder}_index.md") or matters.get(f"{folder}index.md") or FrontMatter()
        ranks.append(place(index.values, str(index.values.get("title") or part)))
    return ranks if page.is_index else [*ranks, place(page.values, page.own_title or page.name)]
