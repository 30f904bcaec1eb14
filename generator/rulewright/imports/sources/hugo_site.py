"""A folder read as a Hugo site: every page with its front matter and its address, and what is wrong with it.

Nothing outside of the folder's site is opened. What can be read is read whatever else is wrong. The rules of
addresses are those of Hugo's own code (resources/page/page_paths.go and permalinks.go).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rulewright.files.content_folder import natural_sort_key
from rulewright.files.problems import (
    Problem,
    Severity,
    SourceFile,
    SourceLocation,
    problem_type,
    quote_short,
)
from rulewright.files.safe_integers import parse_int
from rulewright.imports.sources.site_files import (
    Files,
    FrontMatter,
    PageFile,
    front_matter_of,
    gather,
    parsed,
)
from rulewright.imports.sources.source_site import (
    GITHUB,
    Slugs,
    SourcePage,
    SourceSite,
    lookup_path,
    url_path,
)

NOT_HUGO = problem_type(
    "not-a-hugo-site",
    """A folder that is to be imported holds no Hugo book: it is not there, it is no folder, or it has neither
    pages with front matter nor Hugo's configuration. Name a site's top folder or the folder of a section.""",
)
PATTERN = problem_type(
    "hugo-pattern",
    """The pattern that a Hugo site sets for addresses has a part that is not known, so the page's address is
    taken from its file's name. Check the old address in redirects.yml.""",
    Severity.WARNING,
)
TWICE = problem_type(
    "hugo-address-twice",
    "Two pages of a Hugo site have one address, and Hugo publishes only one of them. Mend one.",
    Severity.WARNING,
)
LEFT_OUT = problem_type(
    "hugo-page-left-out",
    """A page of a Hugo site is not imported, because it has no address in the site's usual language: it is in
    another language, or lies in the folder of a page that is a bundle.""",
    Severity.NOTE,
)

_OTHERS = {"_config.yml": "Jekyll", "book.toml": "mdBook", "mkdocs.yml": "MkDocs", "SUMMARY.md": "GitBook"}
"""The files by which other sites are known."""

_LANGUAGES = {".toml": "TOML", ".yaml": "YAML", ".yml": "YAML", ".json": "JSON"}
_NAMES = ("hugo", "config")
_OF_PRODUCTION = ("_default", "production")
"""The folders in config/ that count when a site is published, the later ones first in rank."""

_PARSER = ("markup", "goldmark", "parser")
_DATES = ("date", "publishdate", "pubdate", "published", "lastmod", "modified")
_PART = re.compile(r"(?<!\\):(\w+)(?:\[([^\]]*)\])?")


def read_site(folder: Path, at: str = "") -> SourceSite:
    """Read the site at a folder, which is its top or one section of it.

    `at`: where a section stands that does not lie in its site, `rules/ocs-4.3`; without it, at the top. Where
    the folder is no Hugo site, there is a problem that says so, and no page.
    """
    called = folder.as_posix()
    if not folder.is_dir():
        what = "is a file; name the folder that it lies in" if folder.exists() else "is not there"
        return SourceSite(problems=[NOT_HUGO.problem(SourceLocation(called), f"{called} {what}", called)])
    root, settings, problems = _root_of(folder)
    content = root / settings.content if root else folder
    start, below = folder, at.strip("/")
    if root and root.samefile(folder):
        start, below = content, ""
    elif root:
        below = folder.resolve().relative_to(content.resolve()).as_posix().removeprefix(".")
    languages = {settings.language, *settings.others}
    found = gather(start, start.as_posix(), below, root or folder, languages)
    site = _HugoSiteReader(settings, found, [*problems, *found.problems]).site(root)
    near = {}  # the Markdown pages in the folder that was named, or just below
    for text in found.texts:
        inside = text.name.removeprefix(below).strip("/")
        if inside.endswith((".md", ".markdown")) and inside.count("/") <= 1:
            near[text.name] = text.file.name
    if root is None and not any(page.start for page in site.pages if page.name in near):
        faulty = [problem for problem in site.problems if problem.severity is Severity.ERROR]
        unreadable = [problem for problem in faulty if problem.place.file in near.values()]
        not_hugo = NOT_HUGO.problem(
            SourceLocation(called), f"{called} {_not_hugo(folder, found, called)}", called
        )
        return SourceSite(problems=unreadable or [not_hugo])
    return site


def _root_of(folder: Path) -> tuple[Path | None, _HugoSettings, list[Problem]]:
    """The top of the site that a folder is or lies in, and its settings; None where there is no site."""
    here = folder.resolve()
    for around in (here, *here.parents):
        if any(_configuration(around)):
            root = folder if around == here else around
            settings, problems = _settings_of(root)
            content = around / settings.content
            if content.is_dir() and (around == here or here.is_relative_to(content.resolve())):
                return root, settings, problems
    return None, _HugoSettings(), []


def _not_hugo(folder: Path, found: Files, called: str) -> str:
    inside = [path.name for path in sorted(folder.iterdir()) if path.is_dir() and any(_configuration(path))]
    other = next((site for name, site in _OTHERS.items() if (folder / name).exists()), None)
    if inside:
        return f"is not a Hugo site, but {called}/{inside[0]} is one; name that folder"
    if other:
        return f"is not a Hugo site; it looks like one of {other}: see `rulewright import markdown`"
    if not found.texts:
        return "holds no Markdown page; name a Hugo site's top folder, or a section's"
    return "is not a Hugo site: its pages have no front matter; import it with `import markdown`"


# Settings


class _HugoSettings:
    """Hugo's settings by their names in small letters, nested as Hugo nests them."""

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self.values = values or {}
        self.language = str(self.get("defaultcontentlanguage", default="en")).lower()
        languages = self.get("languages", default={})
        names = map(str, languages) if isinstance(languages, Mapping) else ()
        self.others = frozenset(names) - {self.language}
        own = self.get("languages", self.language, "contentdir")
        self.content = str(own or self.get("contentdir", default="content")).strip("/")
        # The beginning of every address of the usual language.
        self.prefix = f"{self.language}/" if self.on("defaultcontentlanguageinsubdir") and self.others else ""

    def get(self, *names: str, default: Any = None) -> Any:
        """A setting by its names from the outside in: `get("markup", "goldmark")`."""
        value: Any = self.values
        for name in names:
            value = value.get(name) if isinstance(value, Mapping) else None
        return default if value is None else value

    def on(self, *names: str, default: bool = False) -> bool:
        value = self.get(*names)
        return value if isinstance(value, bool) else default

    def slugs(self) -> Slugs:
        # Since Hugo 0.144 the setting has another name, and the older one still counts.
        style = self.get(*_PARSER, "autoheadingidtype") or self.get(*_PARSER, "autoidtype") or GITHUB
        ids = self.on(*_PARSER, "autoheadingid", default=True)
        return Slugs(str(style).lower(), ids, self.on(*_PARSER, "attribute", "title", default=True))

    def tidy(self, path: str) -> str:
        accents = not self.on("removepathaccents")
        return url_path(path, lower=not self.on("disablepathtolower"), accents=accents)


def _settings_of(root: Path) -> tuple[_HugoSettings, list[Problem]]:
    problems: list[Problem] = []
    values: dict[str, Any] = {}
    for path, names in _configuration(root):
        try:
            text = path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError:
            text = "\0"  # which none of the languages allows, so that the file is reported as unreadable
        read, faults = parsed(SourceFile(path.as_posix(), text), _LANGUAGES[path.suffix])
        problems += faults
        for key in reversed(names):
            read = {key: read}
        values = _merged(values, read)
    return _HugoSettings(values), problems


def _configuration(root: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """The files of the configuration, the weakest first, and the keys that all in a file belongs under."""
    for environment in _OF_PRODUCTION:
        folder = root / "config" / environment
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            if path.suffix in _LANGUAGES and path.is_file():
                # languages.en.toml holds languages.en, hugo.toml and config.toml the whole
                names = tuple(path.stem.lower().split("."))
                yield path, () if names[0] in _NAMES else names
    paths = (root / f"{stem}{suffix}" for stem in _NAMES for suffix in _LANGUAGES)
    yield from ((path, ()) for path in [*filter(Path.is_file, paths)][:1])


def _merged(one: Mapping[str, Any], other: Mapping[Any, Any]) -> dict[str, Any]:
    """Two sets of settings as one, with keys in small letters; where both say something, the other holds."""
    both = dict(one)
    for key, value in other.items():
        name, mine = str(key).lower(), both.get(str(key).lower())
        nested = isinstance(value, Mapping)
        both[name] = _merged(mine if isinstance(mine, Mapping) else {}, value) if nested else value
    return both


# Pages


_Sections = Sequence[tuple[str, str]]


class _HugoSiteReader:
    def __init__(self, settings: _HugoSettings, files: Files, problems: list[Problem]) -> None:
        self.settings, self.found, self.problems = settings, files, problems
        self.matter: dict[str, FrontMatter] = {}
        self.bundles = {posixpath.dirname(f.name) for f in files.texts if f.stem == "index"}

    def site(self, root: Path | None) -> SourceSite:
        texts = [text for text in self.found.texts if self.is_page(text)]
        for found in texts:
            self.matter[found.name], faults = front_matter_of(found.file)
            self.problems += faults
        pages = [self.page(text) for text in texts]
        first: dict[str, SourcePage] = {}
        for page in pages:
            other = first.setdefault(lookup_path(page.address), page)
            if other is not page:
                message = f"{page.name} has the address {page.address}, as {other.name} has"
                self.problems.append(TWICE.problem(SourceLocation(page.file.name), message, page.name))
        pages.sort(key=self.rank)
        site = urlsplit(str(self.settings.get("baseurl", default="")))
        return SourceSite(
            pages,
            self.files(root, pages),
            self.problems,
            slugs=self.settings.slugs,
            host=site.netloc,
            base=site.path,
            title=str(self.settings.get("title", default="")),
        )

    def is_page(self, found: PageFile) -> bool:
        """Whether a file is a page of its own; one that is none is told."""
        folder, name = posixpath.split(found.name)
        bundle = next((one for one in _upwards(folder) if one in self.bundles), None)
        if found.language in self.settings.others:
            why = f"{name} is in the language {found.language}, the site in {self.settings.language}"
        elif bundle is None or (folder == bundle and found.stem == "index"):
            return True
        else:
            why = f"{name} belongs to the page {bundle}/index.md and has no address"
        self.problems.append(
            LEFT_OUT.problem(SourceLocation(found.file.name), f"{why}; it is left out", found.name)
        )
        return False

    def page(self, found: PageFile) -> SourcePage:
        matter, folder = self.matter[found.name], posixpath.dirname(found.name)
        kind = "page" if found.stem != "_index" else "section" if folder else "home"
        within, name = posixpath.split(folder) if found.stem == "index" and folder else (folder, found.stem)
        try:
            address = self.address(kind, within, name, matter.values, self.sections(folder))
        except ValueError as unknown:
            place = SourceLocation(found.file.name)
            self.problems.append(
                PATTERN.problem(place, f"{unknown}; check the page's old address", found.name)
            )
            address = self.address(kind, within, name, matter.values, None)
        given = matter.values.get("aliases") or ()
        named = [given] if isinstance(given, str) else given if isinstance(given, list) else []
        aliases = []
        for alias in map(str, named):  # one that does not begin at the site's top begins beside the page
            beside = posixpath.join(*(("/",) if alias.startswith("/") else (address, "..")), alias)
            aliases.append(_clean(beside, "." in posixpath.basename(alias) and not alias.endswith("/")))
        return SourcePage(
            found.name, found.file, matter.start, matter.values, kind, address, tuple(aliases), folder
        )

    def address(
        self, kind: str, folder: str, name: str, values: Mapping[str, Any], sections: _Sections | None
    ) -> str:
        """A page's address below the site's: `/rules/5-modes/`; one with an ending is a file's.

        `folder`: the folders that it lies in, a bundle's own left out; `sections`: those of them that are
        sections, without which no pattern is followed. Raises ValueError where a pattern cannot be followed.
        """
        settings, top = self.settings, folder.partition("/")[0]
        slug, title = str(values.get("slug") or ""), str(values.get("title") or "")
        day, own = _date_of(values), settings.tidy(name if kind == "page" else "")
        names = [name for name, _ in sections or ()]
        slugs = [slug for _, slug in sections or ()]
        parts = {
            "year": str(day.year), "month": f"{day:%m}", "monthname": f"{day:%B}", "day": f"{day:%d}",
            "weekday": f"{day:%w}", "weekdayname": f"{day:%A}", "yearday": f"{day:%j}".lstrip("0"),
            "section": top, "sections": "/".join(names), "sectionslug": "/".join(slugs[:1]),
            "sectionslugs": "/".join(slugs), "title": settings.tidy(title),
            "slug": settings.tidy(slug or title),
            "filename": own, "slugorfilename": settings.tidy(slug) if slug else own,
            "contentbasename": own, "slugorcontentbasename": settings.tidy(slug) if slug else own,
        }  # fmt: skip

        def expanded(pattern: str) -> str:
            def part(m: re.Match[str]) -> str:
                if m[1] in ("sections", "sectionslugs") and m[2] is not None:
                    all_of = names if m[1] == "sections" else slugs
                    cut = m[2].lower().replace("last", str(max(len(all_of) - 1, 0)))  # [1:], [:2], [last]
                    first, colon, end = (one.strip() for one in cut.partition(":"))
                    start = max(parse_int(first) or 0, 0)
                    return "/".join(all_of[start : parse_int(end) if colon else start + 1])
                if m[1] not in parts:
                    raise ValueError(f"{quote_short(pattern)} has a part {m.group()}, which is not known")
                return parts[m[1]]

            return _PART.sub(part, pattern).replace("\\:", ":")

        given = str(values.get("url") or "") if kind != "home" and sections is not None else ""
        if given:
            given = expanded(given) if ":" in given else given
            is_file = "." in given and not given.endswith("/")
            return _clean(posixpath.join("/", settings.prefix, given), is_file)
        path = posixpath.join(folder, slug or name) if kind == "page" else folder
        if kind != "home" and sections is not None and (pattern := self.pattern(kind, folder)):
            path = expanded(pattern)
        ugly = settings.get("uglyurls")  # of all pages, or by their top sections
        is_ugly = kind != "home" and (ugly.get(top.lower()) if isinstance(ugly, Mapping) else ugly) is True
        path = settings.tidy(f"{settings.prefix}{path.strip('/')}")
        return _clean(f"/{path}.html" if is_ugly else f"/{path}", is_ugly)

    def pattern(self, kind: str, folder: str) -> str:
        """The pattern that the settings have for a kind of page in a folder, the narrowest section first."""
        permalinks = self.settings.get("permalinks")
        if not isinstance(permalinks, Mapping):
            return ""
        of_kind = permalinks.get(kind)
        patterns = {**permalinks} if kind == "page" else {}
        patterns |= of_kind if isinstance(of_kind, Mapping) else {}
        for section in sorted((k for k, v in patterns.items() if isinstance(v, str)), key=len, reverse=True):
            name = section.strip(" /")
            if folder.lower() == name or (name and folder.lower().startswith(f"{name}/")):
                return str(patterns[section])
        return ""

    def sections(self, folder: str) -> list[tuple[str, str]]:
        """The sections around a folder, the top and each with `_index.md`: name, and its slug or title."""
        found = []
        for section in reversed([*_upwards(folder)][:-1]):
            matter = self.matter.get(f"{section}/_index.md")
            if matter or "/" not in section:
                values = matter.values if matter else {}
                name = str(values.get("slug") or values.get("title") or posixpath.basename(section))
                found.append((posixpath.basename(section), url_path(name)))
        return found

    def rank(self, page: SourcePage) -> list[tuple[int, int, Any]]:
        """Orders pages as the book has them: a section ahead of what lies in it, by weight, then by title."""

        def placed(values: Mapping[str, Any], title: str) -> tuple[int, int, Any]:
            weight = parse_int(str(values.get("weight"))) or 0
            return (0 if weight else 1, weight, natural_sort_key(title.casefold()))

        is_bundle = page.kind == "page" and posixpath.basename(page.name).startswith("index.")
        within = posixpath.dirname(page.bundle_folder) if is_bundle else page.bundle_folder
        ranks = []
        for section in reversed([*_upwards(within)][:-1]):
            index = self.matter.get(f"{section}/_index.md", FrontMatter()).values
            ranks.append(placed(index, str(index.get("title") or section)))
        return [*ranks, placed(page.values, page.title)] if page.kind == "page" else ranks

    def files(self, root: Path | None, pages: Sequence[SourcePage]) -> dict[str, Path]:
        """Pictures and downloads by address: those of the static folders, and those beside the pages."""
        found: dict[str, Path] = {}
        named = self.settings.get("staticdir", default="static")
        for name in (str(one).strip("/") for one in (named if isinstance(named, list) else [named])):
            if root and (root / name).is_dir():
                static = gather(root / name, f"{root.as_posix()}/{name}", "", root)
                self.problems += static.problems
                found |= {f"/{file}": path for file, path in static.other_files.items()}
        bundles = {page.bundle_folder: page.address for page in pages if page.bundle_folder in self.bundles}
        for name, path in self.found.other_files.items():
            folder, _, file = name.rpartition("/")
            bundle = next((one for one in _upwards(folder) if one in bundles), None)
            beside = f"/{url_path(folder)}" if bundle is None else bundles[bundle]
            below = file if bundle is None else posixpath.relpath(name, bundle)
            found[posixpath.normpath(f"{beside}/{below}").replace("//", "/")] = path
        return found


def _date_of(values: Mapping[str, Any]) -> date:
    for value in map(values.get, _DATES):
        if isinstance(value, date):  # a datetime is one too
            return value
        if isinstance(value, str):
            try:
                return datetime.fromisoformat(value)
            except ValueError:
                continue
    return date(1, 1, 1)


def _clean(path: str, is_file: bool) -> str:
    """An address without doubled slashes and steps upwards; a page's ends in a slash."""
    path = re.sub("/+", "/", posixpath.normpath(path))
    return path if is_file else f"{path.rstrip('/')}/"


def _upwards(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""
