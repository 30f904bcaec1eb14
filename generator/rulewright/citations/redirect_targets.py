"""Where old addresses lead: each redirect of an edition with the rule, the step or the page that it means.

A redirect names a rule by its number and a step by its anchor, so it outlives new titles and new pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import unescape
from typing import Any

from rulewright.book.aid_plan import MAX_COUNTS
from rulewright.book.library import BookLibrary
from rulewright.book.outline import Outline
from rulewright.book.sequence import TOP
from rulewright.book.table_entries import Source
from rulewright.citations import site_paths
from rulewright.citations.page_kinds import kinds_of
from rulewright.citations.previous_edition import earlier_editions
from rulewright.citations.reference_index import ReferenceIndex
from rulewright.model.redirects import Redirect
from rulewright.source.content_folder import CONTENT
from rulewright.source.filenames import OWN, casefold_path, too_long
from rulewright.source.located_text import LocatedText
from rulewright.source.problems import Problem, ProblemType, did_you_mean, problem_type, quote_short

NO_TARGET = problem_type(
    "redirect-target-not-found",
    """An old address in redirects.yml leads to a rule, a step or a page that the edition does not have. The
    nearest is named.""",
)
MALFORMED = problem_type(
    "redirect-malformed",
    "An old address in redirects.yml is no address of a page, or an anchor has its # in front of it.",
)
CLASH = problem_type(
    "redirect-clash",
    """An old address in redirects.yml is one of the site's own, or is listed twice, so that no redirect can
    stand there. Take the entry out.""",
)

_LONGEST = 1_000
"""How many letters an old address may have: systems take paths of a few thousand."""

EDITION = "."
"""How a redirect names the edition's own page."""

_RESERVED = ("assets/", "r/", "search/")
"""Folders of the site that are not made of content."""

_PLAYED = ("sequence", "narrative")
"""The pages of the sequence of play."""

_HEADING = re.compile(r'<h[1-6][^<>]*\bid="([^"]*)"[^<>]*>(.*?)</h[1-6]>', re.DOTALL)
_ID = re.compile(r"""<[a-z][^<>]*?\sid\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_SIGN = r"[^\s/?#\\\x00-\x1f\x7f]"
_PATH = re.compile(rf"/(?:{_SIGN}+(?: +{_SIGN}+)*/)*(?:{_SIGN}+(?: +{_SIGN}+)*)?")


@dataclass(frozen=True, slots=True)
class Destination:
    """A page of the site, an anchor, and the rule, step or table there; for others its `words`."""

    page: str
    anchor: str = ""
    source: Source | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class OldPage:
    """An old page: its address from the site's top, the file that stands there, and where it leads.

    `edition`: the address of the edition that lists it; `anchors`: where each anchor leads, without
    those that lead nowhere.
    """

    edition: str
    address: str
    file: str
    destination: Destination
    anchors: dict[str, Destination] = field(default_factory=dict)

    @property
    def is_folder(self) -> bool:
        """Whether the address is that of a folder, which may be asked for without its slash."""
        return self.file != self.address.lstrip("/")


def old_pages(shelf: ReferenceIndex, library: BookLibrary) -> tuple[list[OldPage], list[Problem]]:
    """The old pages of all editions in the order of their lists, and what is wrong with the lists."""
    found: list[OldPage] = []
    problems: list[Problem] = []
    listing = [outline for outline in shelf.outlines.values() if outline.edition.redirects]
    there = [casefold_path(file) for file in reserved_paths(shelf, library)] if listing else []
    held = {folder: "" for file in there for folder in _folders(file)}
    held |= dict.fromkeys(there, "the site has a page or a file there")
    for outline in listing:
        forwarding = _Forwarding(outline, shelf, library, problems)
        for redirect in outline.edition.redirects.redirects if outline.edition.redirects else ():
            old = forwarding.page(redirect)
            at = casefold_path(old.file) if old else ""
            if old and (why := _why_not(at, held)):
                message = (
                    f"no redirect can stand at {quote_short(redirect.source)}; {why}, so take this entry out"
                )
                forwarding.report(CLASH, redirect.source, message)
            elif old:
                held |= dict.fromkeys(_folders(at), "")
                held[at] = f"{redirect.source} stands there already"
                found.append(old)
    return found, problems


def _why_not(file: str, held: Mapping[str, str]) -> str:
    """Why no file can be put at an old address, empty where one can. `held`: files, and folders as empty."""
    below = next((held[folder] for folder in _folders(file) if held.get(folder)), "")
    if file.startswith(_RESERVED) or held.get(file) == "":
        return "the site has a folder there"
    return held.get(file, below)


def _folders(file: str) -> list[str]:
    return [file[: m.start()] for m in re.finditer("/", file)]


class _Forwarding:
    """The redirects of one edition; `problems` collects what is wrong with them."""

    def __init__(
        self, outline: Outline, shelf: ReferenceIndex, library: BookLibrary, problems: list[Problem]
    ) -> None:
        self.outline, self.shelf, self.library = outline, shelf, library
        self.problems = problems
        self.known: dict[str, dict[str, Source | str | None]] = {}

    def page(self, redirect: Redirect) -> OldPage | None:
        """An old page with all its anchors, or None where its address or its target is none."""
        file = self.file(redirect.source)
        to = self.to(redirect.to)
        anchors = {}
        for name, text in redirect.anchors.items():
            if name.startswith("#"):
                message = f"leave out the # of {quote_short(name)}; an anchor is written without it"
                self.report(MALFORMED, name, message)
            elif target := self.to(text):
                anchors[str(name)] = target
        if file is None or to is None:
            return None
        is_chapter = to.source in self.outline.chapters
        to = Destination(to.page, "", to.source) if is_chapter else to
        return OldPage(self.outline.edition.address, redirect.source, file, to, anchors)

    def file(self, address: LocatedText) -> str | None:
        path = address.strip("/")
        hidden = any(part.startswith(".") for part in path.split("/"))
        if hidden or too_long(path) or len(path) > _LONGEST or not _PATH.fullmatch(address):
            why = "write it from the site's top, like /rules/5-modes/"
            if address.startswith("/") and _PATH.fullmatch(address):
                why = (
                    "no part of it begins with a full stop" if hidden else "it is too long for a file's name"
                )
            self.report(MALFORMED, address, f"{quote_short(address)} is no address of a page; {why}")
            return None
        has_ending = path.endswith((".html", ".htm")) and not address.endswith("/")
        return path if has_ending else f"{path}/index.html".lstrip("/")

    def to(self, text: LocatedText) -> Destination | None:
        """Resolve a target: a rule, or a page with or without an anchor."""
        if entry := self.outline.find(text):
            page, anchor = site_paths.path_and_anchor(entry)
            return Destination(page, anchor, entry)
        if self.outline.edition.dialect.parse_number(text):
            said = self.shelf.resolve(f"[[{text}]]", self.outline)
            message = said[0].message if said and said[0].message else f"no rule {quote_short(text)}"
            self.report(NO_TARGET, text, message)
            return None
        name, _, anchor = text.partition("#")
        if (
            name in _PLAYED
            and f"{CONTENT}/{self.outline.edition.address}/sequence.yml" in self.library.faulty
        ):
            return None  # it may be right
        if name not in self.pages:
            hint = did_you_mean(name, self.pages)
            message = (
                f"{quote_short(name)} is neither a rule nor a page of {self.outline.edition.short}{hint}"
            )
            self.report(NO_TARGET, text, message)
            return None
        path, source = self.pages[name]
        anchors = self.known.get(name)
        if anchors is None:
            anchors = self.known[name] = self.anchors(name)
        if not anchor:
            first = next((words for words in anchors.values() if isinstance(words, str)), "")
            return Destination(path, "", source, first)
        if anchor not in anchors:
            hint = did_you_mean(anchor, anchors)
            self.report(NO_TARGET, text, f"the page {name} has no anchor {quote_short(anchor)}{hint}")
            return None
        there = anchors[anchor]
        if isinstance(there, str):
            return Destination(path, anchor, words=there)
        return Destination(path, anchor, there)

    @cached_property
    def pages(self) -> dict[str, tuple[str, Source | None]]:
        """The pages of the edition that a redirect may name, but for its chapters, which are rules."""
        base = self.outline.edition.address
        pages: dict[str, tuple[str, Source | None]] = {EDITION: (base, None)}
        for name in _pages_of(self.outline, self.shelf):
            source = self.outline.sequence_root if name in _PLAYED else None
            pages[name] = (f"{base}/{name}", source)
        for path in _leaves(self.library):
            if path.startswith(f"{base}/"):
                pages[path.removeprefix(f"{base}/")] = (path, None)
        return pages

    def anchors(self, page: str) -> dict[str, Source | str | None]:
        """The anchors of a page of the edition, each with what stands there or with its words."""
        if page in _PLAYED:
            shown = self.outline.iter_expanded_steps() if page == "sequence" else self.outline.narrative_steps
            return {TOP: self.outline.sequence_root, **{step.anchor: step for step in shown}}
        if page == "tables":
            return {table.anchor: table for table in self.shelf.tables[self.outline.edition.address]}
        leaf = _leaves(self.library).get(f"{self.outline.edition.address}/{page}")
        return dict(anchors_of(self.library.pages[leaf])) if leaf else {}

    def report(self, kind: ProblemType, text: LocatedText, message: str) -> None:
        self.problems.append(kind.problem(text.place, message, text))


def _pages_of(outline: Outline, shelf: ReferenceIndex) -> Iterator[str]:
    for name in kinds_of(outline, shelf):
        if name not in ("edition", "chapter"):
            yield name
        if name == "aids":
            yield from (f"aids/{sheet.name}" for sheet in shelf.aid_sheets[outline.edition.address])
        if name == "changes":
            before = earlier_editions(outline, shelf.outlines)
            yield from (f"changes/{outline.edition.address.partition('/')[2]}" for outline in before)


def _leaves(library: BookLibrary) -> dict[str, str]:
    return {site_paths.content_page_path(name): name for name in library.pages}


def anchors_of(page: bytes, more: Mapping[str, Any] = {}) -> dict[str, str]:
    """The anchors of an ordinary page in its order; those of headings with their words.

    `more`: extensions of Markdown that the site has beside ours, each with its settings.
    """
    from rulewright.text.page_html import page_html  # late: only links and redirects to anchors need it

    html = page_html(page, more)
    headings = {anchor: unescape(re.sub("<[^<>]*>", "", words)) for anchor, words in _HEADING.findall(html)}
    return {anchor: headings.get(anchor, "") for anchor in _ID.findall(html)}


def reserved_paths(shelf: ReferenceIndex, library: BookLibrary) -> Iterator[str]:
    """Files of the site that a redirect must not overwrite."""
    pages = ["", "checks", "problems", *_leaves(library)]
    pages += (path for path, _ in site_paths.short_urls(shelf))
    pages += {address.partition("/")[0] for address in shelf.outlines}
    yield from generated_paths(shelf)
    yield from (f"{page}/index.html".lstrip("/") for page in pages)
    yield from (name.removeprefix(f"{CONTENT}/") for name in library.other_files)
    yield from (name for name in OWN if "." in name)
    yield from ("robots.txt", "_headers")  # which a project may have of its own


def generated_paths(shelf: ReferenceIndex, *, paper: bool = True) -> Iterator[str]:
    """The files of the site that are made of the editions, but for short addresses.

    `paper`: with the pictures of as many pages as a sheet may have.
    """
    pages: list[str] = []
    for outline in shelf.outlines.values():
        base, tables = outline.edition.address, shelf.tables[outline.edition.address]
        book = base.partition("/")[0]
        yield from (
            site_paths.style_path(book),
            site_paths.moved_numbers_path(book),
            site_paths.search_data_path(base),
            site_paths.data_path(base),
        )
        yield site_paths.previews_path(base)
        for sheet in shelf.aid_sheets[base]:
            yield f"{sheet.address}.pdf"
            most = MAX_COUNTS["pages"] if paper else 1
            yield from (site_paths.sheet_picture(sheet.address, at) for at in range(most))
        yield f"{base}/{site_paths.RULEBOOK}.pdf"
        pages += [base, *(f"{base}/{name}" for name in _pages_of(outline, shelf))]
        pages += map(site_paths.chapter_path, outline.chapters)
        yield from (site_paths.table_file(table, end) for table in tables for end in site_paths.TABLE_FORMATS)
    yield from (f"{page}/index.html" for page in pages)
