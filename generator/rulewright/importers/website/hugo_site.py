"""A folder read as a Hugo site: every page with its front matter and its address, and what is wrong with it.

Nothing outside of the folder's site is opened. What can be read is read whatever else is wrong.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rulewright.importers.website.files import Files, PageFile, gather
from rulewright.importers.website.front_matter import FrontMatter, front_matter_of
from rulewright.importers.website.heading_ids import pathed
from rulewright.importers.website.hugo_addresses import (
    AddressParts,
    UnknownPattern,
    address_of,
    alias_of,
)
from rulewright.importers.website.hugo_settings import Settings, is_root, settings_of
from rulewright.importers.website.site import Page, Site, bare
from rulewright.source.amounts import whole
from rulewright.source.folder import natural
from rulewright.source.problems import Place, Problem, Severity, kind

NOT_HUGO = kind(
    "not-a-hugo-site",
    """A folder that is to be imported holds no Hugo book: it is not there, it is no folder, or it has neither
    pages with front matter nor Hugo's configuration. Name a site's top folder or the folder of a section.""",
)
PATTERN = kind(
    "hugo-pattern",
    """The pattern that a Hugo site sets for addresses has a part that is not known, so the page's address is
    taken from its file's name. Check the old address in redirects.yml.""",
    Severity.WARNING,
)
TWICE = kind(
    "hugo-address-twice",
    "Two pages of a Hugo site have one address, and Hugo publishes only one of them. Mend one.",
    Severity.WARNING,
)
LEFT_OUT = kind(
    "hugo-page-left-out",
    """A page of a Hugo site is not imported, because it has no address in the site's usual language: it is in
    another language, or lies in the folder of a page that is a bundle.""",
    Severity.NOTE,
)

_OTHERS = {"_config.yml": "Jekyll", "book.toml": "mdBook", "mkdocs.yml": "MkDocs", "SUMMARY.md": "GitBook"}
"""The files by which other sites are known."""


def read_site(folder: Path, at: str = "") -> Site:
    """Read the site at a folder, which is its top or one section of it.

    `at`: where a section stands that does not lie in its site, `rules/ocs-4.3`; without it, at the top. Where
    the folder is no Hugo site, there is a problem that says so, and no page.
    """
    shown = folder.as_posix()
    if not folder.is_dir():
        what = "is a file; name the folder that it lies in" if folder.exists() else "is not there"
        return Site(problems=[NOT_HUGO.at(Place(shown), f"{shown} {what}", shown)])
    root, settings, problems = _root_of(folder)
    content = root / settings.content if root else folder
    if root and root.samefile(folder):
        start, below = content, ""
    elif root:
        start, below = folder, folder.resolve().relative_to(content.resolve()).as_posix()
    else:
        start, below = folder, at.strip("/")
    languages = {settings.language, *settings.others}
    found, faults = gather(start, start.as_posix(), "" if below == "." else below, root or folder, languages)
    site = _HugoPages(settings, found, [*problems, *faults]).site(root)
    near = {one.name: one.file.name for one in found.texts if _is_near(one.name, below)}
    if root is None and not any(page.start for page in site.pages if page.name in near):
        faulty = [problem for problem in site.problems if problem.severity is Severity.ERROR]
        unreadable = [problem for problem in faulty if problem.place.file in near.values()]
        return Site(
            problems=unreadable or [NOT_HUGO.at(Place(shown), _not_hugo(folder, found, shown), shown)]
        )
    return site


def _is_near(name: str, below: str) -> bool:
    """Whether a file is a Markdown page in the folder that was named, at `below`, or just below."""
    inside = name.removeprefix("" if below == "." else below).strip("/")
    return inside.endswith((".md", ".markdown")) and inside.count("/") <= 1


def _root_of(folder: Path) -> tuple[Path | None, Settings, list[Problem]]:
    """The top of the site that a folder is or lies in, and its settings; None where there is no site."""
    here = folder.resolve()
    for around in (here, *here.parents):
        if is_root(around):
            shown = folder if around == here else around
            settings, problems = settings_of(shown, shown.as_posix())
            content = around / settings.content
            if content.is_dir() and (around == here or here.is_relative_to(content.resolve())):
                return shown, settings, problems
    return None, Settings(), []


def _not_hugo(folder: Path, found: Files, shown: str) -> str:
    """Why a folder is none of Hugo's, and what may be meant."""
    inside = [one.name for one in sorted(folder.iterdir()) if one.is_dir() and is_root(one)]
    other = next((site for name, site in _OTHERS.items() if (folder / name).exists()), None)
    if inside:
        return f"{shown} is not a Hugo site, but {shown}/{inside[0]} is one; name that folder"
    if other:
        return f"{shown} is not a Hugo site; it looks like one of {other}: see `rulewright import markdown`"
    if not found.texts:
        return f"{shown} holds no Markdown page; name a Hugo site's top folder, or a section's"
    return f"{shown} is not a Hugo site: its pages have no front matter; import it with `import markdown`"


class _HugoPages:
    """One reading of a site's files into pages."""

    def __init__(self, settings: Settings, files: Files, problems: list[Problem]) -> None:
        self.settings = settings
        self.found = files
        self.problems = problems
        self.matter: dict[str, FrontMatter] = {}
        self.bundles = {posixpath.dirname(f.name) for f in files.texts if f.stem == "index"}

    def site(self, root: Path | None) -> Site:
        texts = list(self.texts())
        for found in texts:
            self.matter[found.name], faults = front_matter_of(found.file)
            self.problems += faults
        pages = [self.page(found) for found in texts]
        self.report_shared_addresses(pages)
        in_order = sorted(pages, key=self.rank)
        tops = {p.name.partition("/")[0] for p in pages if "/" in p.name and p.kind == "page"}
        listed = {p.name.partition("/")[0] for p in pages if p.name.count("/") == 1 and p.kind == "section"}
        lists = [f"/{pathed(top)}/" for top in sorted(tops - listed, key=natural)]
        return Site(self.settings, in_order, self.files(root, pages), lists if root else (), self.problems)

    def texts(self) -> Iterator[PageFile]:
        """The files that are pages of their own."""
        for found in self.found.texts:
            folder = posixpath.dirname(found.name)
            bundle = next((one for one in _upwards(folder) if one in self.bundles), None)
            name = posixpath.basename(found.name)
            if found.language in self.settings.others:
                usual = self.settings.language
                self.left_out(found, f"{name} is in the language {found.language}, the site in {usual}")
            elif bundle is None or (folder == bundle and found.stem == "index"):
                yield found
            else:
                self.left_out(found, f"{name} belongs to the page {bundle}/index.md and has no address")

    def left_out(self, found: PageFile, why: str) -> None:
        self.problems.append(LEFT_OUT.at(Place(found.file.name), f"{why}; it is left out", found.name))

    def page(self, found: PageFile) -> Page:
        """A page with its address."""
        matter = self.matter[found.name]
        folder = posixpath.dirname(found.name)
        kind = "page" if found.stem != "_index" else "section" if folder else "home"
        is_bundle = found.stem == "index" and bool(folder)
        within = posixpath.dirname(folder) if is_bundle else folder
        name = posixpath.basename(folder) if is_bundle else found.stem
        origin = AddressParts(kind, within, name, matter.values, self.sections(folder))
        try:
            address = address_of(origin, self.settings)
        except UnknownPattern as unknown:
            place = Place(found.file.name)
            self.problems.append(PATTERN.at(place, f"{unknown}; check the page's old address", found.name))
            plain = Settings({k: v for k, v in self.settings.values.items() if k != "permalinks"})
            values = {k: v for k, v in matter.values.items() if k != "url"}
            address = address_of(AddressParts(kind, within, name, values), plain)
        given = matter.values.get("aliases") or ()
        named = [given] if isinstance(given, str) else given if isinstance(given, list) else []
        aliases = tuple(alias_of(str(one), address) for one in named)
        return Page(found.name, found.file, matter.start, matter.values, kind, address, aliases, folder)

    def sections(self, folder: str) -> list[tuple[str, str]]:
        """The sections that a folder lies in: the top one, and each below that has an `_index.md`."""
        found = []
        for section in reversed([one for one in _upwards(folder) if one]):
            matter = self.matter.get(f"{section}/_index.md")
            if matter or "/" not in section:
                values = matter.values if matter else {}
                name = str(values.get("slug") or values.get("title") or posixpath.basename(section))
                found.append((posixpath.basename(section), pathed(name)))
        return found

    def rank(self, page: Page) -> list[tuple[int, int, Any]]:
        """Orders pages as the book has them: a section ahead of what lies in it, by weight, then by title."""
        ranks: list[tuple[int, int, Any]] = []
        is_bundle = page.kind == "page" and posixpath.basename(page.name).startswith("index.")
        within = posixpath.dirname(page.beside) if is_bundle else page.beside
        for section in reversed([one for one in _upwards(within) if one]):
            index = self.matter.get(f"{section}/_index.md", FrontMatter()).values
            ranks.append((*_weighed(index.get("weight")), _titled(index.get("title") or section)))
        if page.kind == "page":
            ranks.append((*_weighed(page.values.get("weight")), _titled(page.title)))
        return ranks

    def report_shared_addresses(self, pages: Sequence[Page]) -> None:
        """Report pages that share an address."""
        first: dict[str, Page] = {}
        for page in pages:
            other = first.setdefault(bare(page.address), page)
            if other is not page:
                message = f"{page.name} has the address {page.address}, as {other.name} has"
                self.problems.append(TWICE.at(Place(page.file.name), message, page.name))

    def files(self, root: Path | None, pages: Sequence[Page]) -> dict[str, Path]:
        """Pictures and downloads by address: those of the static folders, and those beside the pages."""
        found: dict[str, Path] = {}
        for name in self.settings.static() if root else ():
            if root and (root / name).is_dir():
                static, faults = gather(root / name, f"{root.as_posix()}/{name}", "", root)
                self.problems += faults
                found |= {f"/{file}": path for file, path in static.others.items()}
        bundles = {page.beside: page.address for page in pages if page.beside in self.bundles}
        for name, path in self.found.others.items():
            folder, _, file = name.rpartition("/")
            bundle = next((one for one in _upwards(folder) if one in bundles), None)
            beside = f"/{pathed(folder)}" if bundle is None else bundles[bundle]
            below = file if bundle is None else posixpath.relpath(name, bundle)
            found[posixpath.normpath(f"{beside}/{below}").replace("//", "/")] = path
        return found


def _weighed(weight: Any) -> tuple[int, int]:
    """A weight to sort by: what has none comes behind what has one."""
    value = whole(str(weight)) or 0
    return (0, value) if value else (1, 0)


def _titled(title: Any) -> Any:
    """A title to sort by: numbers by what they count, capitals like small letters."""
    return natural(str(title).casefold())


def _upwards(folder: str) -> Iterator[str]:
    """A folder, the one that it lies in, and so on to the top, which is the empty name."""
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""
