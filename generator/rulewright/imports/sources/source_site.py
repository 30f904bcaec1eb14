"""A site: its pages in the order of the book, the address of each, and the targets of links.

`hugo_site` makes it from Hugo's files; any other folder of Markdown, of MkDocs, with a SUMMARY.md, or files
alone, is read here, in the order and with the addresses and ids of headings that such a site has. Hugo makes
the id of a heading from its last line as its editor wrote it: of `[1.2](../fire/#12-smoke)` every letter
counts, those of the address too, and of `&amp;` the word amp. So it is in Hugo's own code
(markup/goldmark/autoid.go, and parser/atx_heading.go of Goldmark).
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import yaml

from rulewright.files import limits
from rulewright.files.content_folder import natural_sort_key
from rulewright.files.problems import Problem, SourceFile, SourceLocation, problem_type
from rulewright.imports.sources.site_files import (
    FrontMatter,
    PageFile,
    front_matter_of,
    gather,
    in_yaml,
)

GITHUB, ASCII, BLACKFRIDAY = "github", "github-ascii", "blackfriday"
PYTHON = "python-markdown"
REF = "ref:"
"""Begins the address of a link that names a page by its file, as `ref` and `relref` do."""

STYLES = (GITHUB, ASCII, BLACKFRIDAY)
"""Hugo's ways of making an id (`markup.goldmark.parser.autoHeadingIDType`); the first is the usual one."""

_IN_PATHS = frozenset("./\\_#+~-@")
_HEX = re.compile(r"%[0-9A-Fa-f]{2}")
_CLOSING = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
# Each part ends where it can be read in no other way, so that what is none is known at once.
_VALUE = r"""(?:"[^"]*"|'[^']*'|\[[^\]]*\]|[^\s}"'\[][^\s},]*(?![^\s},]))"""
_NAME = r"[^\s!-,/;-@\[-^`{-~]"
_ATTRIBUTE = (
    rf"[#.](?P<short>{_NAME}+)(?!{_NAME})"
    rf"|(?P<key>[A-Za-z_:][\w:.-]*)\s*=\s*(?P<value>{_VALUE})"
)
_ATTRIBUTES = re.compile(
    rf"\{{((?:[ \t,]*(?:{re.sub('[(][?]P<[a-z]+>', '(?:', _ATTRIBUTE)}))*)[ \t,]*\}}\s*\Z"
)
_ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")


@dataclass
class Slugs:
    """The ids of one page's headings, each different from those before it.

    `style`: one of STYLES, and any other word means the first, as for Hugo. `automatic` and `attributes`:
    whether headings get ids at all, and whether `{#id}` behind one is its id.
    """

    style: str = GITHUB
    automatic: bool = True
    attributes: bool = True
    _taken: set[str] = field(default_factory=set, repr=False)
    _numbers: Counter[str] = field(default_factory=Counter, repr=False)

    def heading(self, source: str, underlined: bool = False) -> tuple[str, str]:
        """The words of a heading without what only gives it an id, and its id, which may be empty.

        `source`: what stands behind the `#` signs, or above the line that makes it a heading (`underlined`),
        as it is written. Each heading of a page has to be handed over, in the page's order.
        """
        *above, last = source.strip().split("\n") or [""]
        attributes: dict[str, str] = {}
        if self.attributes:
            last, attributes = split_attributes(last)
        if not underlined:
            last = _CLOSING.sub("", last)
        given = attributes.get("id", "")
        if not self.automatic:
            return "\n".join([*above, last]), given
        if "id" not in attributes:
            given = name = heading_id(last, self.style) or "heading"
            while given in self._taken:
                self._numbers[name] += 1
                given = f"{name}{'_' if self.style == PYTHON else '-'}{self._numbers[name]}"
            self._taken.add(given)
        elif not underlined:  # Goldmark forgets the ids that are given to underlined headings
            self._taken.add(given)
        return "\n".join([*above, last]), given


def heading_id(words: str, style: str = GITHUB) -> str:
    """The id that words give, without regard to other ids; empty where they hold no letter or digit."""
    if style == BLACKFRIDAY:
        parts = "".join(c if unicodedata.category(c)[0] in "LN" else " " for c in words).split()
        return "-".join(map(_lower, parts))
    if style == PYTHON:
        plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
        return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())
    if style == ASCII:
        words = "".join(c for c in without_accents(words) if c.isascii())
    kept = (c for c in words.strip() if c in "-_ " or _is_letter_or_digit(c))
    return _lower("".join(kept).replace(" ", "-"))


def split_attributes(line: str) -> tuple[str, dict[str, str]]:
    """A heading's line without the attributes at its end (`{#id .class key="value"}`), and these."""
    for brace in re.finditer(r"\{", _ESCAPED.sub("  ", line)):
        if inside := _ATTRIBUTES.match(line, brace.start()):
            found: dict[str, str] = {}
            for m in re.finditer(_ATTRIBUTE, inside[1]):
                key = (m["key"] or ("id" if m.group()[0] == "#" else "class")).lower()
                found.setdefault(key, m["short"] or m["value"].strip("\"'"))
            return line[: brace.start()].rstrip(), found
    return line, {}


def url_path(words: str, *, lower: bool = True, accents: bool = True) -> str:
    """Words as Hugo writes them into an address: `Air Power?` is `air-power`.

    `lower` and `accents`: not so with `disablePathToLower` and `removePathAccents`.
    """
    words = words if accents else without_accents(words)
    made: list[str] = []
    waits = False
    for index, c in enumerate(words):
        if c in _IN_PATHS or _is_letter_or_digit(c, marks=True) or (c == "%" and _HEX.match(words, index)):
            if waits and c != "-":
                made.append("-")
            waits = False
            made.append(c)
        elif made and made[-1] != "-" and c.isspace():
            waits = True
    return _lower("".join(made)) if lower else "".join(made)


def without_accents(words: str) -> str:
    """Words whose letters have lost their accents: Resumé is Resume."""
    bare = "".join(c for c in unicodedata.normalize("NFD", words) if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFC", bare)


def _is_letter_or_digit(c: str, marks: bool = False) -> bool:
    """Whether a character is one for Hugo's programming language: ² and Ⅳ are not."""
    category = unicodedata.category(c)
    return category[0] == "L" or category == "Nd" or c == "_" or (marks and category[0] == "M")


def _lower(words: str) -> str:
    """Small letters for large ones, always one for one, as Hugo's programming language has it."""
    return "".join(c.lower()[0] for c in words)


@dataclass(frozen=True, eq=False)
class SourcePage:
    """One page. `name`: its file, below the content folder; `address`: below the site's, `/rules/5-modes/`.

    `file` is all of it, front matter included, and `start` where its words begin in it. `values` is the front
    matter, its keys in small letters. `kind`: `home`, `section` or `page`. `bundle_folder` is the folder,
    below the content folder, that pictures and downloads named by the page lie in; `nav_title` the title that
    it has where it says none, if that is not the name of its file. `unread`: words of its source that are not
    in `file`, with their lines.
    """

    name: str
    file: SourceFile
    start: int
    values: Mapping[str, Any]
    kind: str
    address: str
    aliases: tuple[str, ...] = ()
    bundle_folder: str = ""
    nav_title: str | None = None
    unread: tuple[tuple[int, str], ...] = ()

    @property
    def body(self) -> str:
        return self.file.text[self.start :]

    @property
    def title(self) -> str:
        """The title in the front matter, else the one that the file's name gives."""
        if self.is_titled:
            return str(self.values["title"]).strip()
        stem = posixpath.splitext(posixpath.basename(self.name))[0]
        name = posixpath.basename(self.bundle_folder) if stem in ("index", "_index") else stem
        return name.replace("-", " ") if self.nav_title is None else self.nav_title

    @property
    def is_titled(self) -> bool:
        return bool(str(self.values.get("title") or "").strip())

    @property
    def draft(self) -> bool:
        """Whether Hugo leaves it out when it publishes the site."""
        return self.values.get("draft") is True


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """A link's target: a page, a file published as it is, or neither; `address`: below the site's own."""

    address: str
    anchor: str = ""
    page: SourcePage | None = None
    file: Path | None = None


@dataclass(frozen=True, eq=False)
class SourceSite:
    """A site, or a section of one: its pages in the order of the book and its other files by address.

    `served`: its pages have addresses, as those of a mere folder have not. `slugs` makes a fresh Slugs for
    the headings of one page; `host` and `base`: where the site stands, as far as it says so.
    """

    pages: Sequence[SourcePage] = ()
    files: Mapping[str, Path] = field(default_factory=dict)
    problems: Sequence[Problem] = ()
    served: bool = True
    slugs: Callable[[], Slugs] = Slugs
    host: str = ""
    base: str = ""
    title: str = ""

    def target(self, page: SourcePage, link: str) -> LinkTarget | None:
        """Find the target of a link in a page, or None where it leaves the site or cannot be read."""
        try:
            to = urlsplit(urljoin(f"http://site{self._base}{page.address.lstrip('/')}", link.strip()))
        except ValueError:
            return None
        if to.scheme not in ("http", "https") or to.netloc not in ("site", self.host):
            return None
        path, anchor = unquote(to.path), unquote(to.fragment)
        address = f"/{path.removeprefix(self._base).lstrip('/')}"
        path = lookup_path(address)
        if found := self._by_address.get(path) or self._by_address.get(path.lower()):
            return LinkTarget(address, anchor, page=found)
        if file := self.files.get(posixpath.normpath(address)):
            return LinkTarget(address, anchor, file=file)
        # A browser has no other way; but some authors name a file beside the page's own.
        written = unquote(urlsplit(link.strip()).path)
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(page.name), written)).lower()
        for end in ("", ".md", "/index.md", "/_index.md") if written and written[0] != "/" else ():
            if found := self._by_name.get(beside + end):
                return LinkTarget(found.address, anchor, page=found)
        return LinkTarget(address, anchor)

    def find_page(self, name: str, page: SourcePage | None = None) -> SourcePage | None:
        """The page with a file's name, as Hugo's `ref` takes it: `/rules/5-modes.md`, `5-modes`."""
        beside = posixpath.dirname(page.name) if page else ""
        wanted = [name.lstrip("/")] if name.startswith("/") else [posixpath.join(beside, name), name]
        for one in map(posixpath.normpath, wanted):
            for end in ("", ".md", "/index.md", "/_index.md"):
                if found := self._by_name.get(one.lower().strip("/") + end):
                    return found
        stem = re.compile(rf"(?:.*/)?{re.escape(name.strip('/'))}(?:/_?index)?\.\w+", re.IGNORECASE)
        alone = [page for page in self.pages if stem.fullmatch(page.name)]
        return alone[0] if len(alone) == 1 else None

    @cached_property
    def _base(self) -> str:
        """The path of the site on its host: `/` or `/games/`."""
        return f"/{self.base.strip('/')}/".replace("//", "/")

    @cached_property
    def _by_address(self) -> Mapping[str, SourcePage]:
        by_address: dict[str, SourcePage] = {}
        for page in self.pages:
            for address in (page.address, *page.aliases):
                by_address.setdefault(lookup_path(address), page)
                by_address.setdefault(lookup_path(address).lower(), page)
        return by_address

    @cached_property
    def _by_name(self) -> Mapping[str, SourcePage]:
        return {page.name.lower(): page for page in self.pages}


def lookup_path(address: str) -> str:
    """An address by which a page is looked up: without slashes at its ends and without index.html."""
    path = posixpath.normpath(f"/{address}").removesuffix("index.html").strip("/")
    return path if path != "." else ""


NO_MARKDOWN = problem_type(
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
    """How a sort of site orders and addresses its pages. `listed`: titles by name, in the site's order."""

    start: Path
    listed: Mapping[str, str] = field(default_factory=dict)
    style: str = GITHUB
    ugly: bool = False
    served: bool = True
    address: str = ""


def read_markdown(folder: Path) -> SourceSite:
    """The pages of a folder. Where it holds none, there is a problem that says so, and no page."""
    shown = folder.as_posix()
    if not folder.is_dir():
        what = "is a file; name the folder that it lies in" if folder.exists() else "is not there"
        return SourceSite(problems=[NO_MARKDOWN.problem(SourceLocation(shown), f"{shown} {what}", shown)])
    sort = _kind_of(folder)
    found = gather(sort.start, sort.start.as_posix(), "", folder)
    problems = found.problems
    pages = []
    for text in found.texts:
        if posixpath.basename(text.name) != "SUMMARY.md":
            matter, faults = front_matter_of(text.file)
            problems += faults
            pages.append(page_of(text, matter, sort))
    pages.sort(key=lambda page: _rank(page, sort))
    if len(pages) == 1:  # the name of the only file says nothing of its rules
        pages = [replace(pages[0], nav_title="")]
    if not pages and not problems:
        problems.append(
            NO_MARKDOWN.problem(SourceLocation(shown), f"{shown} holds no page that ends in .md", shown)
        )
    files = {f"/{name}": path for name, path in found.other_files.items()}
    base = urlsplit(sort.address)
    slugs = partial(Slugs, sort.style)
    return SourceSite(pages, files, problems, sort.served, slugs, base.netloc, base.path)


def _kind_of(folder: Path) -> _SiteKind:
    for around in (folder, folder.parent):
        if (config := around / "mkdocs.yml").is_file():
            try:
                values = in_yaml(_text(config), yaml.BaseLoader)  # whose tags mean nothing here
            except Exception:  # whatever is wrong with it, its pages are in an order of their own
                values = None
            values = values if isinstance(values, dict) else {}
            start = around / str(values.get("docs_dir") or "docs")
            is_inside = start.resolve().is_relative_to(around.resolve()) and start.is_dir()
            if is_inside and folder.resolve() in (around.resolve(), start.resolve()):
                listed = dict(islice(_nav(values.get("nav") or []), _MOST_PAGES))
                ugly, address = values.get("use_directory_urls") == "false", str(values.get("site_url") or "")
                return _SiteKind(start, listed, PYTHON, ugly=ugly, address=address)
    for start in (folder, folder / "src"):
        if (summary := start / "SUMMARY.md").is_file():
            listed = {unquote(path): title for title, path in _IN_SUMMARY.findall(_text(summary))}
            return _SiteKind(start, listed)
    return _SiteKind(folder, served=False)


def _text(path: Path) -> str:
    """Text of a file that orders pages; empty where it is too large to be one."""
    return path.read_bytes().decode("utf-8", "replace") if path.stat().st_size < limits.FILE.maximum else ""


def _nav(entries: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The pages of a `nav`, in its order, each with its title, which may be empty."""
    for entry in (entries if isinstance(entries, list) else [entries]) if depth <= _MOST_DEPTH else ():
        if isinstance(entry, str):
            yield entry, ""
        elif isinstance(entry, dict):
            for title, inner in entry.items():
                for path, own in _nav(inner, depth + 1):
                    yield path, own or (str(title) if isinstance(inner, str) else "")


def page_of(found: PageFile, matter: FrontMatter, sort: _SiteKind | None = None) -> SourcePage:
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
    return SourcePage(found.name, found.file, matter.start, values, page_kind, address, (), folder, called)


def _rank(page: SourcePage, sort: _SiteKind) -> list[Any]:
    """Orders pages: those that the site lists as it does, the others by their places and names."""
    if page.name in sort.listed:
        return [(0, list(sort.listed).index(page.name), ())]

    def placed(position: Any, name: str) -> tuple[int, float, Any]:
        is_given = isinstance(position, int | float) and not isinstance(position, bool)
        return (0, float(position), natural_sort_key(name)) if is_given else (1, 0.0, natural_sort_key(name))

    parts = page.name.split("/")
    ranks = [(1, 0, ()), *(placed(None, name) for name in parts[:-1])]
    if page.kind != "page":
        return [*ranks, (-1, 0, ())]
    values = page.values
    position = values.get("sidebar_position", values.get("weight", values.get("nav_order")))
    return [*ranks, placed(position, parts[-1])]
