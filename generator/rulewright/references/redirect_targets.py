"""Redirects of old addresses to the rule, the step or the page that they mean.

A redirect names a rule by its number and a step by its anchor, so it survives new titles and new pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

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
    "An old address in redirects.yml is not an address of a page.",
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

_RESERVED = ("assets/", "search/")
"""Folders of the site that are not generated from content."""

_TAKEN = "the site has a page, a file or a folder there"

_SEQUENCE_PAGES = ("sequence", "narrative")
"""Pages of the sequence of play."""

_ID = re.compile(r"""<[a-z][^<>]*?\sid\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_SIGN = r"[^\s/?#\\\x00-\x1f\x7f]"
_PATH = re.compile(rf"/(?:{_SIGN}+(?: +{_SIGN}+)*/)*(?:{_SIGN}+(?: +{_SIGN}+)*)?")


@dataclass(frozen=True, slots=True)
class Destination:
    """A page of the site and an anchor on it."""

    page: str
    anchor: str = ""
    source: Source | None = None  # the rule, step or table there


@dataclass(frozen=True, slots=True)
class OldPage:
    """An old page and its destination."""

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
    files = dict.fromkeys(reserved, _TAKEN)
    folders = {folder for file in reserved for folder in _folders(file)}
    for outline in outlines:
        resolver = _RedirectResolver(outline, index, library, problems)
        for redirect in outline.edition.redirects.redirects if outline.edition.redirects else ():
            old = resolver.resolve(redirect)
            if old is None:
                continue
            file, source = casefold_path(old.file), redirect.source
            is_folder = file in folders or file.startswith(_RESERVED)
            above = (files[path] for path in (file, *_folders(file)) if path in files)
            if reason := _TAKEN if is_folder else next(above, ""):
                message = f"no redirect is possible at {quote_short(source)}: {reason}; delete this entry"
                resolver.report(CLASH, source, message)
                continue
            folders.update(_folders(file))
            files[file] = f"it is the same page as {source}"
            pages.append(old)
    return pages, problems


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

    def resolve(self, redirect: Redirect) -> OldPage | None:
        """Return an old page with all its anchors, or None if its address or its target is invalid."""
        file = self.redirect_file(redirect.source)
        to = self.destination(redirect.to)
        targets = {str(name).removeprefix("#"): text for name, text in redirect.anchors.items()}
        destinations = {name: self.destination(text) for name, text in targets.items()}
        anchors = {name: target for name, target in destinations.items() if target}
        if file is None or to is None:
            return None
        is_chapter = to.source in self.outline.chapters
        return OldPage(file, replace(to, anchor="") if is_chapter else to, anchors)

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
        return Destination(self.pages[name], anchor, anchors.get(anchor or TOP))

    def anchors(self, page: str) -> Mapping[str, Source | None]:
        """Return the anchors of a page of the edition, each with its step or its table."""
        sequence = self.outline.sequence
        if page in _SEQUENCE_PAGES:
            steps = sequence.iter_displayed() if page == "sequence" else sequence.narrative_steps
            return {TOP: sequence.root, **{step.anchor: step for step in steps}}
        if page == "tables":
            return {table.anchor: table for table in self.index.editions[self.address].tables}
        file = self.content_files.get(self.pages[page])
        return dict.fromkeys(anchors_of(self.library.pages[file])) if file else {}

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


@lru_cache(maxsize=200)
def anchors_of(page: bytes) -> Sequence[str]:
    """Return the anchors of a content page in order."""
    from rulewright.files.page_html import page_html  # lazy: only links and redirects to anchors need it

    return tuple(_ID.findall(page_html(page)))


def reserved_paths(index: ReferenceIndex, library: BookLibrary) -> Iterator[str]:
    """Yield the files of the site that a redirect must not overwrite."""
    pages = ["", "checks", "problems", *_content_files(library)]
    for outline in index.outlines.values():
        pages += (path for path, _ in site_paths.former_paths(outline))
    pages += {address.partition("/")[0] for address in index.outlines}
    yield from generated_paths(index)
    yield from (f"{page}/index.html".lstrip("/") for page in pages)
    yield from (name.removeprefix(f"{CONTENT}/") for name in library.other_files)
    yield from (name for name in RESERVED_NAMES if "." in name)
    yield from ("robots.txt", "_headers")  # which a project may have of its own


def generated_paths(index: ReferenceIndex) -> Iterator[str]:
    """Yield the files of the site that are generated from the editions.

    Each sheet has the maximum number of pages: how many there are is known only when it is printed.
    """
    pages: list[str] = []
    for outline in index.outlines.values():
        base, tables = outline.edition.address, index.editions[outline.edition.address].tables
        yield from (
            site_paths.style_path(base.partition("/")[0]),
            site_paths.search_data_path(base),
            site_paths.data_path(base),
            site_paths.number_index_path(base),
            f"{base}/{site_paths.RULEBOOK}.pdf",
        )
        for sheet in index.editions[base].aid_sheets:
            yield f"{sheet.address}.pdf"
            numbers = range(limits.PAGES.maximum)
            yield from (site_paths.sheet_picture(sheet.address, number) for number in numbers)
        pages += [base, *(f"{base}/{name}" for name in _page_names(outline, index))]
        pages += map(site_paths.chapter_path, outline.chapters)
        yield from map(site_paths.table_file, tables)
    yield from (f"{page}/index.html" for page in pages)
