"""A site: its pages in the order of the book, the address of each, and the targets of links.

A site of Hugo has addresses; a mere folder of Markdown has none. Addresses follow Hugo's own code
(resources/page/page_paths.go); its patterns for addresses are reported, and not followed.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from rulewright.files.content_folder import natural_sort_key
from rulewright.files.problems import Problem, Severity, SourceFile, SourceLocation, errors, problem_type
from rulewright.files.safe_integers import parse_int
from rulewright.imports.sources.site_files import SiteFiles, front_matter_of, parse_settings
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
_CONFIGURATION = re.compile(r"(?:hugo|config)\.(?:toml|ya?ml|json)")
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
    served: bool = False
    url: str = ""
    title: str = ""
    folder: Path | None = None
    """The folder of a document, which may show pictures from it or from a folder beside it."""

    def target(self, page: SourcePage, link: str) -> LinkTarget | None:
        """Return the target of a link in a page; None if it leaves the site or cannot be read."""
        try:
            home = urlsplit(urljoin("http://site/", self.url))
            base = f"/{home.path.strip('/')}/".replace("//", "/")
            url = urlsplit(urljoin(f"http://{home.netloc}{base}{page.address.lstrip('/')}", link.strip()))
        except ValueError:
            return None
        if url.netloc != home.netloc:
            return None
        address = f"/{unquote(url.path).removeprefix(base).lstrip('/')}"
        name = unquote(link.strip()).partition("#")[0]
        # A browser has no other way than the address; but some authors name a file beside that of the page.
        sibling = posixpath.normpath(posixpath.join("/", posixpath.dirname(page.name), name))
        target_page = self._pages.get(_lookup_path(address))
        file = self.files.get(posixpath.normpath(address)) or self.files.get(sibling) or self._disk_file(name)
        if not target_page and not file and name:
            tail = f"/{_lookup_path(name)}"
            candidates = {page for path, page in self._pages.items() if f"/{path}".endswith(tail)}
            target_page = self._pages.get(_lookup_path(sibling))
            if not target_page and len(candidates) == 1 and not name.startswith(".."):
                target_page = candidates.pop()
        return LinkTarget(address, unquote(url.fragment), target_page, None if target_page else file)

    def _disk_file(self, name: str) -> Path | None:
        with suppress(OSError, ValueError):  # a name that no disk takes
            home = self.folder.resolve() if self.folder else None
            if home and (home / name).is_file() and (home / name).resolve().is_relative_to(home.parent):
                return home / name
        return None

    @cached_property
    def _pages(self) -> Mapping[str, SourcePage]:
        """The pages by their addresses and by their names."""
        pages: dict[str, SourcePage] = {}
        for page in self.pages:
            for path in (page.address, *page.aliases, page.name):
                pages.setdefault(_lookup_path(path), page)
        return pages


def _lookup_path(path: str) -> str:
    """Return the form in which a page is looked up: without its ending, an index page as its folder."""
    path = posixpath.normpath(f"/{path}").strip("/").lower()
    return re.sub(r"(?:(?:^|/)_?index)?(?:\.md|\.html)?\Z", "", path, count=1)


def read_site(folder: Path, *, is_hugo: bool, address: str = "") -> SourceSite:
    """Read the pages of a folder, which is a Hugo site, a section of it, or only a folder of Markdown.

    `address`: of a Hugo section whose site is not at hand, `rules/ocs-4.3`. A fault of the folder is a
    problem, and there are no pages.
    """
    if not folder.is_dir():
        return _refused(folder, "is a file; name its folder" if folder.exists() else "does not exist")
    files, static = SiteFiles(), SiteFiles()
    settings: dict[str, Any] = {}
    root = _site_root(folder) if is_hugo else None
    start, below = folder, address.strip("/")
    if root:
        settings = _settings(root, files.problems)
        static.gather(root / "static", root)
        content = root / "content"
        if folder == root:
            start, below = content, ""
        elif not below:
            below = folder.resolve().relative_to(content.resolve()).as_posix().removeprefix(".")
    files.gather(start, root or folder, below)
    pages = {name: _page(name, file, files.problems, is_hugo=is_hugo) for name, file in files.texts.items()}
    pages = {name: page for name, page in pages.items() if str(page.values.get("draft")).lower() != "true"}
    is_site = root or not is_hugo or any(page.start for page in pages.values())
    if (not pages or not is_site) and not errors(files.problems):
        reason = "is no Hugo site: no page has front matter; import it with `import markdown`"
        return _refused(folder, reason if pages else "holds no page that ends in .md")
    if len(pages) == 1 and not is_hugo:
        pages = {name: replace(page, default_title="") for name, page in pages.items()}
    published = {f"/{name}": path for name, path in static.other_files.items()}
    for name, path in files.other_files.items():
        parent, file_name = posixpath.split(name)
        published[posixpath.join("/", url_path(parent) if is_hugo else parent, file_name)] = path
    ordered = sorted(pages.values(), key=lambda page: _rank(page, pages))
    url, title = settings.get("baseurl", ""), settings.get("title", "")
    return SourceSite(ordered, published, [*static.problems, *files.problems], is_hugo, url, title)


def _refused(folder: Path, fault: str) -> SourceSite:
    name = folder.as_posix()
    return SourceSite(problems=[NO_PAGES.problem(SourceLocation(name), f"{name} {fault}", name)])


def _site_root(folder: Path) -> Path | None:
    """Return the Hugo site that a folder is or is a section of: the folder that `content` is in."""
    if (folder / "content").is_dir():
        return folder
    start = folder.resolve()
    return next((path.parent for path in (start, *start.parents) if path.name == "content"), None)


def _settings(root: Path, problems: list[Problem]) -> dict[str, Any]:
    """Return the settings of a Hugo site. Add their problems."""
    for path in sorted((*root.glob("*.*"), *root.glob("config/_default/*.*"))):
        if _CONFIGURATION.fullmatch(path.name):
            name = path.as_posix()
            file = SourceFile(name, path.read_bytes().decode("utf-8-sig", "replace"))
            settings, faults = parse_settings(file, is_toml=path.suffix == ".toml")
            problems += faults
            if {"permalinks", "uglyurls"} & settings.keys():
                message = "addresses follow patterns; check the old addresses in redirects.yml"
                problems.append(PATTERN.problem(SourceLocation(name), message, name))
            return settings
    return {}


def _page(name: str, file: SourceFile, problems: list[Problem], *, is_hugo: bool) -> SourcePage:
    """Return a page with its address and title. Add the problems of its front matter."""
    values, start, faults = front_matter_of(file)
    problems += faults
    folder, file_name = posixpath.split(name)
    stem = posixpath.splitext(file_name)[0]
    is_index = stem.lower() in ("_index", "index") or (stem.lower() == "readme" and not is_hugo)
    parent, last = posixpath.split(folder) if is_index else (folder, stem)
    path = posixpath.join(parent, str(values.get("slug") or last))
    title = last if is_hugo else _NUMBERED.sub("", last)
    if is_hugo:
        path = str(values.get("url") or posixpath.join(url_path(path), ""))
    else:
        values = {**_top_title(file, start), **values}
    address = _clean(path)
    aliases = values.get("aliases") or []
    names = [aliases] if isinstance(aliases, str) else aliases
    # An alias without a slash is beside the page.
    addresses = tuple(_clean(posixpath.join(address, "..", alias)) for alias in names)
    return SourcePage(name, file, start, values, address, addresses, title.replace("-", " "), is_index)


def _top_title(file: SourceFile, start: int) -> dict[str, str]:
    """Return the only heading of the top level as the title of a page."""
    top_headings = list(_TOP.finditer(file.text, start))
    if len(top_headings) != 1:
        return {}
    return {"title": split_attributes((top_headings[0]["sign"] or top_headings[0]["line"]).strip())[0]}


def document_site(path: Path, text: str) -> SourceSite:
    """Return the site that a document is. Its title is that of its words, not its name."""
    problems: list[Problem] = []
    page = _page(path.name, SourceFile(path.as_posix(), text), problems, is_hugo=False)
    return SourceSite([replace(page, default_title="")], problems=problems, folder=path.parent)


def _clean(path: str) -> str:
    """Return an address without double slashes and steps upwards; that of a page ends in a slash."""
    is_file = "." in posixpath.basename(path)
    path = re.sub("/+", "/", posixpath.normpath(f"/{path}"))
    return path if is_file else f"{path.rstrip('/')}/"


def _rank(page: SourcePage, pages: Mapping[str, SourcePage]) -> list[Any]:
    """Return the place of a page in the book. A section comes before its pages."""
    ranks = []
    folder = ""
    for part in page.name.split("/")[:-1]:
        folder += f"{part}/"
        index = pages.get(f"{folder}_index.md") or pages.get(f"{folder}index.md")
        ranks.append(_place(index, part))
    return ranks if page.is_index else [*ranks, _place(page, page.name)]


def _place(page: SourcePage | None, name: str) -> tuple[bool, int, Any]:
    """Return the place of a page or a section among others: by weight, then by title or name."""
    values, title = (page.values, page.own_title) if page else ({}, "")
    weight = parse_int(str(values.get("weight") or values.get("sidebar_position"))) or 0
    return not weight, weight, natural_sort_key((title or name).casefold())
