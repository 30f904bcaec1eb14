"""The ways from each page to the same place in the other editions of its book.

A link from page to page needs no script. Where on that page each rule is, its `moves` tell the one we have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import Source
from rulewright.compare.history import CounterpartResult, Counterparts
from rulewright.references import site_paths
from rulewright.render.build_artifacts import EditionVersion, SitePage
from rulewright.render.render_context import RenderContext
from rulewright.sequence.sequence_step import TOP

Spot = tuple[str, str]
"""A page and an anchor on it, which may be empty."""


class EditionLinks:
    """The ways between editions. `paths`: all pages of the site, the ordinary ones too."""

    def __init__(self, desk: RenderContext, paths: Iterable[str]) -> None:
        self.desk, self.index = desk, desk.index
        self.paths = frozenset(paths)
        self._chapters = {
            site_paths.chapter_path(chapter): chapter
            for outline in self.index.outlines.values()
            for chapter in outline.chapters
        }
        editions = self.index.editions.values()
        self._sheets = {sheet.address: sheet for edition in editions for sheet in edition.aid_sheets}

    @property
    def counterparts(self) -> Counterparts:
        return self.desk.counterparts

    def links_for_page(self, page: SitePage) -> tuple[EditionVersion, ...]:
        return self.links_at_path(page.path, page)

    def links_at_path(self, path: str, page: SitePage | None = None) -> tuple[EditionVersion, ...]:
        """The editions of a book as a page of one of them leads to them; none where there is only one."""
        outline = self.index.outlines.get("/".join(path.split("/")[:2]))
        line = self.counterparts.book_editions(outline) if outline else ()
        if outline is None or len(line) < 2:
            return ()
        anchored = list(self._anchored(path, outline, page))
        return tuple(self._version(path, outline, one, anchored) for one in reversed(line))

    def _version(
        self, path: str, outline: Outline, other: Outline, anchored: list[tuple[str, Source | None]]
    ) -> EditionVersion:
        edition, standing = other.edition, self.counterparts.standing(other)
        name, title = str(edition.edition_file.edition), edition.title
        since = (
            str(edition.edition_file.effective_date)
            if edition.is_future(edition.edition_file.effective_date)
            else ""
        )
        if other is outline:
            return EditionVersion(name, title, standing, path, "./", is_here=True, is_same=True, since=since)
        (page, anchor), is_same = self._page(path, outline, other)
        moves = []
        for own, source in anchored:
            spot = self._spot(path, source, other) if source else (page, own)
            moves.append(self._move(path, own, spot, page) if spot else "")
        href = site_paths.relative_link(path, page, anchor)
        moved = " ".join(filter(None, moves))
        return EditionVersion(name, title, standing, page, href, False, is_same, moved, since)

    @staticmethod
    def _move(path: str, own: str, spot: Spot, page: str) -> str:
        """Where an anchor leads, as `12.5` or `12.5=#12.6`."""
        word = quote(own, safe="/()§")
        if spot == (page, own):
            return word
        link = (
            site_paths.relative_link(page, page, spot[1])
            if spot[0] == page
            else site_paths.relative_link(path, *spot)
        )
        return f"{word}={link}"

    def _page(self, path: str, outline: Outline, other: Outline) -> tuple[Spot, bool]:
        """The page of another edition that shows what this one does, or the nearest; and whether it does."""
        chapter, sheet = self._chapters.get(path), self._sheets.get(path)
        own, base = outline.edition.address, other.edition.address
        if chapter:
            return self._chapter(chapter, other)
        found = self.counterparts.counterpart_of(sheet, other).match if sheet else None
        if found:
            return site_paths.path_and_anchor(found), True
        name = path.removeprefix(own).strip("/")
        for one in (name, {"narrative": "sequence"}.get(name), name.rpartition("/")[0]):
            if one is not None and f"{base}/{one}".rstrip("/") in self.paths:
                return (f"{base}/{one}".rstrip("/"), ""), one == name
        return (base, ""), False

    def _chapter(self, chapter: RuleEntry, other: Outline) -> tuple[Spot, bool]:
        """The page of a chapter, else the one that most of its rules are on, else the nearest."""
        found = self.counterparts.counterpart_of(chapter, other)
        if isinstance(found.match, RuleEntry):
            page, anchor = site_paths.path_and_anchor(found.match)
            return (page, anchor if found.match.parent else ""), True
        rules = (self.counterparts.counterpart_of(entry, other).match for entry in chapter.iter_subtree())
        pages = Counter(site_paths.path_and_anchor(rule)[0] for rule in rules if rule)
        if pages:
            return (pages.most_common(1)[0][0], ""), True
        return self._landing(found) or (other.edition.address, ""), False

    def _spot(self, path: str, source: Source, other: Outline) -> Spot | None:
        """Where something stands in another edition, or where that says that it has it not."""
        found = self.counterparts.counterpart_of(source, other)
        if found.match is None:
            return self._landing(found)
        page, anchor = site_paths.path_and_anchor(found.match)
        told = (
            getattr(found.match, "has_narrative", False)
            and f"{other.edition.address}/narrative" in self.paths
        )
        if told and path.endswith("/narrative"):
            page = f"{other.edition.address}/narrative"
        return page, anchor

    @staticmethod
    def _landing(found: CounterpartResult) -> Spot | None:
        return site_paths.path_and_anchor(found.nearest) if found.nearest else None

    def _anchored(
        self, path: str, outline: Outline, page: SitePage | None
    ) -> Iterator[tuple[str, Source | None]]:
        """The anchors of a page with what stands at each; None where the other page has the same anchors."""
        base = outline.edition.address
        name = path.removeprefix(base).strip("/")
        if chapter := self._chapters.get(path):
            for entry in chapter.iter_subtree():
                yield entry.key, entry
                yield from ((former, entry) for former in entry.former)
            yield from site_paths.numbers_left_chapter(outline, chapter)
        elif name in ("sequence", "narrative") and outline.sequence.root:
            yield TOP, outline.sequence.root
            steps = outline.sequence.iter_displayed()
            yield from ((step.anchor, step) for step in steps if name == "sequence" or step.has_narrative)
        elif name == "tables":
            yield from ((table.anchor, table) for table in self.index.editions[base].tables)
        elif name == "glossary" and page:  # its terms are the book's, the same in every edition
            yield from ((section.anchor, None) for section in page.sections)
