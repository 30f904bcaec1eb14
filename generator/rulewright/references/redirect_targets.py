"""Redirects of old addresses to the rule, the step or the page that they mean.

A redirect names a rule by its number and a step by its anchor, so it survives new titles and new pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import unescape

from rulewright.book.library import BookLibrary
from rulewright.book.outline import Outline
from rulewright.book.table_entries import Source
from rulewright.files import limits
from rulewright.files.content_folder import CONTENT
from rulewright.files.filenames import RESERVED_NAMES, casefold_path, too_long
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Problem, ProblemType, did_you_mean, problem_type, quote_short
from rulewright.references import site_paths
from rulewright.references.missing_number_messages import missing_rule_message
from rulewright.references.page_kinds import kinds_of
from rulewright.references.previous_edition import earlier_editions
from rulewright.references.reference_index import ReferenceIndex
from rulewright.schema.redirects import Redirect
from rulewright.sequence.sequence_step import TOP

NO_TARGET = problem_type(
    "redirect-target-not-found",
    """An old address in redirects.yml leads to a rule, a step or a page that the edition does not have. The
    message names the nearest.""",
)
MALFORMED = problem_type(
    "redirect-malformed",
    "An old address in redirects.yml is not an address of a page, or an anchor begins with its #.",
)
CLASH = problem_type(
    "redirect-clash",
    """An old address in redirects.yml is an address of the new site, or is listed twice, so that no redirect
    is possible there. Delete the entry.""",
)

_LONGEST = 1_000
"""Maximum length of an old address: systems accept paths of a few thousand characters."""

EDITION = "."
"""The name of the edition's own page in a redirect."""

_RESERVED = ("assets/", "r/", "search/")
"""Folders of the site that are not generated from content."""

_SEQUENCE_PAGES = ("sequence", "narrative")
"""Pages of the sequence of play."""

_HEADING = re.compile(r'<h[1-6][^<>]*\bid="([^"]*)"[^<>]*>(.*?)</h[1-6]>', re.DOTALL)
_ID = re.compile(r"""<[a-z][^<>]*?\sid\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_SIGN = r"[^\s/?#\\\x00-\x1f\x7f]"
_PATH = re.compile(rf"/(?:{_SIGN}+(?: +{_SIGN}+)*/)*(?:{_SIGN}+(?: +{_SIGN}+)*)?")


@dataclass(frozen=True, slots=True)
class Destination:
    """A page of the site and an anchor on it."""

    page: str
    anchor: str = ""
    source: Source | None = None  # the rule, step or table there
    words: str = ""  # the text of the heading there, if there is no source


@dataclass(frozen=True, slots=True)
class OldPage:
    """An old page and its destination."""

    edition: str  # the address of the edition that lists the page
    address: str  # the address below the root of the site
    file: str  # the file of the redirect
    destination: Destination
    anchors: dict[str, Destination] = field(default_factory=dict)
    """The destinations of anchors on the page, without invalid ones."""


def find_old_pages(index: ReferenceIndex, library: BookLibrary) -> tuple[list[OldPage], list[Problem]]:
    """Return the old pages of all editions in the order of their lists, and the problems of the lists."""
    pages: list[OldPage] = []
    problems: list[Problem] = []
    outlines = [outline for outline in index.outlines.values() if outline.edition.redirects]
    reserved = [casefold_path(file) for file in reserved_paths(index, library)] if outlines else []
    taken = {folder: "" for file in reserved for folder in _folders(file)}
    taken |= dict.fromkeys(reserved, "the site has a page or a file there")
    for outline in outlines:
        resolver = _RedirectResolver(outline, index, library, problems)
        for redirect in outline.edition.redirects.redirects if outline.edition.redirects else ():
            old = resolver.resolve(redirect)
            file = casefold_path(old.file) if old else ""
            if old and (reason := _reason_against(file, taken)):
                message = (
                    f"no redirect is possible at {quote_short(redirect.source)}: {reason}; delete this entry"
                )
                resolver.report(CLASH, redirect.source, message)
            elif old:
                taken |= dict.fromkeys(_folders(file), "")
                taken[file] = f"it is the same page as {redirect.source}"
                pages.append(old)
    return pages, problems


def _reason_against(file: str, taken: Mapping[str, str]) -> str:
    """Return why no redirect is possible at an old address, or an empty string if it is possible.

    `taken` maps each file to the reason, and each folder to an empty string.
    """
    file_above = next((taken[folder] for folder in _folders(file) if taken.get(folder)), "")
    if file.startswith(_RESERVED) or taken.get(file) == "":
        return "the site has a folder there"
    return taken.get(file, file_above)


def _folders(file: str) -> list[str]:
    """Return the folders of a file, outermost first."""
    return [file[: m.start()] for m in re.finditer("/", file)]


class _RedirectResolver:
    """Resolver of the redirects of one edition, which adds to a list of problems."""

    def __init__(
        self, outline: Outline, index: ReferenceIndex, library: BookLibrary, problems: list[Problem]
    ) -> None:
        self.outline, self.index, self.library, self.problems = outline, index, library, problems
        self.address = outline.edition.address
        self.content_files = _content_files(library)
        # The pages that a redirect may name, with their paths; chapters are named by number.
        self.pages = {EDITION: self.address}
        self.pages |= {name: f"{self.address}/{name}" for name in _page_names(outline, index)}
        inside = (path for path in self.content_files if path.startswith(f"{self.address}/"))
        self.pages |= {path.removeprefix(f"{self.address}/"): path for path in inside}
        self.anchors_by_page: dict[str, Mapping[str, Source | str | None]] = {}

    def resolve(self, redirect: Redirect) -> OldPage | None:
        """Return an old page with all its anchors, or None if its address or its target is invalid."""
        file = self.redirect_file(redirect.source)
        to = self.destination(redirect.to)
        anchors = {}
        for name, text in redirect.anchors.items():
            if name.startswith("#"):
                message = f"{quote_short(name)} begins with #; write the anchor without it"
                self.report(MALFORMED, name, message)
            elif target := self.destination(text):
                anchors[str(name)] = target
        if file is None or to is None:
            return None
        is_chapter = to.source in self.outline.chapters
        return OldPage(
            self.address, redirect.source, file, replace(to, anchor="") if is_chapter else to, anchors
        )

    def redirect_file(self, address: LocatedText) -> str | None:
        """Return the file of an old address, or None after a reported problem."""
        path = address.strip("/")
        is_hidden = any(part.startswith(".") for part in path.split("/"))
        if is_hidden or too_long(path) or len(path) > _LONGEST or not _PATH.fullmatch(address):
            cure = "write it from the site's top, like /rules/5-modes/"
            self.report(MALFORMED, address, f"{quote_short(address)} is not an address of a page; {cure}")
            return None
        has_ending = path.endswith((".html", ".htm")) and not address.endswith("/")
        return path if has_ending else f"{path}/index.html".lstrip("/")

    def destination(self, text: LocatedText) -> Destination | None:
        """Resolve a target: a rule, or a page with or without an anchor; None after a reported problem."""
        if entry := self.outline.find(text):
            return Destination(*site_paths.path_and_anchor(entry), entry)
        if number := self.outline.edition.dialect.parse_number(text):
            self.report(NO_TARGET, text, missing_rule_message(number, [self.outline]))
            return None
        name, _, anchor = text.partition("#")
        if name in _SEQUENCE_PAGES and f"{CONTENT}/{self.address}/sequence.yml" in self.library.faulty:
            return None  # its steps cannot be read, so it may be correct
        if name not in self.pages:
            edition, hint = self.outline.edition.short, did_you_mean(name, self.pages)
            self.report(
                NO_TARGET, text, f"{quote_short(name)} is neither a rule nor a page of {edition}{hint}"
            )
            return None
        anchors = self.anchors(name)
        if anchor and anchor not in anchors:
            hint = did_you_mean(anchor, anchors)
            self.report(NO_TARGET, text, f"the page {name} has no anchor {quote_short(anchor)}{hint}")
            return None
        headings = (words for words in anchors.values() if isinstance(words, str))
        target = anchors[anchor] if anchor else anchors.get(TOP) or next(headings, None)
        if isinstance(target, str):
            return Destination(self.pages[name], anchor, words=target)
        return Destination(self.pages[name], anchor, target)

    def anchors(self, page: str) -> Mapping[str, Source | str | None]:
        """Return the anchors of a page of the edition, each with its step, its table or its words."""
        sequence = self.outline.sequence
        if page in _SEQUENCE_PAGES:
            steps = sequence.iter_displayed() if page == "sequence" else sequence.narrative_steps
            return {TOP: sequence.root, **{step.anchor: step for step in steps}}
        if page == "tables":
            return {table.anchor: table for table in self.index.editions[self.address].tables}
        file = self.content_files.get(self.pages[page])
        if file and page not in self.anchors_by_page:
            self.anchors_by_page[page] = anchors_of(self.library.pages[file])
        return self.anchors_by_page.get(page, {})

    def report(self, kind: ProblemType, text: LocatedText, message: str) -> None:
        self.problems.append(kind.problem(text.place, message, text))


def _page_names(outline: Outline, index: ReferenceIndex) -> Iterator[str]:
    for name in kinds_of(outline, index):
        if name not in ("edition", "chapter"):
            yield name
        if name == "aids":
            yield from (f"aids/{sheet.name}" for sheet in index.editions[outline.edition.address].aid_sheets)
        if name == "changes":
            before = earlier_editions(outline, index.outlines)
            yield from (f"changes/{outline.edition.address.partition('/')[2]}" for outline in before)


def _content_files(library: BookLibrary) -> dict[str, str]:
    return {site_paths.content_page_path(name): name for name in library.pages}


def anchors_of(page: bytes) -> dict[str, str]:
    """Return the anchors of a content page in order; those of headings with their words."""
    from rulewright.files.page_html import page_html  # lazy: only links and redirects to anchors need it

    html = page_html(page)
    headings = {anchor: unescape(re.sub("<[^<>]*>", "", words)) for anchor, words in _HEADING.findall(html)}
    return {anchor: headings.get(anchor, "") for anchor in _ID.findall(html)}


def reserved_paths(index: ReferenceIndex, library: BookLibrary) -> Iterator[str]:
    """Yield the files of the site that a redirect must not overwrite."""
    pages = ["", "checks", "problems", *_content_files(library)]
    pages += (path for path, _ in site_paths.short_urls(index) if not path.startswith("r/"))
    pages += {address.partition("/")[0] for address in index.outlines}
    yield from generated_paths(index)
    yield from (f"{page}/index.html".lstrip("/") for page in pages)
    yield from (name.removeprefix(f"{CONTENT}/") for name in library.other_files)
    yield from (name for name in RESERVED_NAMES if "." in name)
    yield from ("robots.txt", "_headers")  # which a project may have of its own


def generated_paths(index: ReferenceIndex, *, paper: bool = True) -> Iterator[str]:
    """Yield the files of the site that are generated from the editions, except short URLs.

    `paper`: include pictures for the maximum number of pages of each sheet.
    """
    pages: list[str] = []
    for outline in index.outlines.values():
        base, tables = outline.edition.address, index.editions[outline.edition.address].tables
        book = base.partition("/")[0]
        yield from (
            site_paths.style_path(book),
            site_paths.search_data_path(base),
            site_paths.data_path(base),
        )
        yield site_paths.number_index_path(base)
        for sheet in index.editions[base].aid_sheets:
            yield f"{sheet.address}.pdf"
            page_count = limits.PAGES.maximum if paper else 1
            yield from (site_paths.sheet_picture(sheet.address, number) for number in range(page_count))
        yield f"{base}/{site_paths.RULEBOOK}.pdf"
        pages += [base, *(f"{base}/{name}" for name in _page_names(outline, index))]
        pages += map(site_paths.chapter_path, outline.chapters)
        yield from map(site_paths.table_file, tables)
    yield from (f"{page}/index.html" for page in pages)
