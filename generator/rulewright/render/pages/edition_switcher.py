"""Links from each page to the same place in the other editions of its book.

A link from page to page needs no script. The script reads in `moves` where on that page each rule is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import Source
from rulewright.compare.history import CounterpartResult
from rulewright.references import site_paths
from rulewright.render.build_artifacts import EditionVersion, SitePage
from rulewright.render.render_context import RenderContext
from rulewright.sequence.sequence_step import TOP, SequenceStep

Place = tuple[str, str]
"""A page and an anchor on it, which may be empty."""


class EditionLinks:
    """Links between editions. `paths`: all pages of the site, the ordinary ones too."""

    def __init__(self, context: RenderContext, paths: Iterable[str]) -> None:
        self.index, self.counterparts, self.paths = context.index, context.counterparts, frozenset(paths)
        self._items: dict[str, Source] = {}
        """The chapter or the sheet of each page that has one."""
        for address, outline in self.index.outlines.items():
            self._items |= {site_paths.chapter_path(chapter): chapter for chapter in outline.chapters}
            self._items |= {sheet.address: sheet for sheet in self.index.editions[address].aid_sheets}

    def links_for_page(self, page: SitePage) -> tuple[EditionVersion, ...]:
        """Return the editions of a book as a page of one of them leads to them."""
        return self.links_at_path(page.path, page)

    def links_at_path(self, path: str, page: SitePage | None = None) -> tuple[EditionVersion, ...]:
        """Return the editions of a book as the page at a path leads to them; none if there is only one."""
        outline = self.index.outlines.get("/".join(path.split("/")[:2]))
        editions = self.counterparts.book_editions(outline) if outline else ()
        if outline is None or len(editions) < 2:
            return ()
        anchors = list(self._anchors(path, outline, page))
        return tuple(self._version(path, outline, other, anchors) for other in reversed(editions))

    def _version(
        self, path: str, outline: Outline, other: Outline, anchors: list[tuple[str, Source | None]]
    ) -> EditionVersion:
        edition, date = other.edition, other.edition.edition_file.effective_date
        version = EditionVersion(
            str(edition.edition_file.edition),
            edition.title,
            self.counterparts.standing(other),
            path,
            "./",
            is_here=other is outline,
            is_same=True,
            since=str(date) if edition.is_future(date) else "",
        )
        if other is outline:
            return version
        (page, anchor), is_same = self._page(path, outline, other)
        moves = []
        for own, source in anchors:
            if place := self._place(path, source, other) if source else (page, own):
                moves.append(quote(own, safe="/()§"))
                if place != (page, own):
                    start = page if place[0] == page else path
                    moves[-1] += f"={site_paths.relative_link(start, *place)}"
        href = site_paths.relative_link(path, page, anchor)
        return version._replace(path=page, href=href, is_same=is_same, moves=" ".join(moves))

    def _page(self, path: str, outline: Outline, other: Outline) -> tuple[Place, bool]:
        """Return the page of another edition that shows the same, or the nearest, and whether it does."""
        item, own, base = self._items.get(path), outline.edition.address, other.edition.address
        counterpart = self.counterparts.counterpart_of(item, other) if item else CounterpartResult(None)
        if counterpart.match:
            page, anchor = site_paths.path_and_anchor(counterpart.match)
            is_inner = not isinstance(counterpart.match, RuleEntry) or counterpart.match.parent
            return (page, anchor if is_inner else ""), True
        if isinstance(item, RuleEntry):
            rules = (self.counterparts.counterpart_of(entry, other).match for entry in item.iter_subtree())
            pages = Counter(site_paths.path_and_anchor(rule)[0] for rule in rules if rule)
            if pages:  # the page that has most of its rules
                return (pages.most_common(1)[0][0], ""), True
            return site_paths.path_and_anchor(counterpart.nearest) if counterpart.nearest else (
                base,
                "",
            ), False
        name = path.removeprefix(own).strip("/")
        for same in (name, {"narrative": "sequence"}.get(name, name), name.rpartition("/")[0]):
            if (page := f"{base}/{same}".rstrip("/")) in self.paths:
                return (page, ""), same == name
        return (base, ""), False

    def _place(self, path: str, source: Source, other: Outline) -> Place | None:
        """Return the place of an object in another edition, or of the nearest that it has."""
        counterpart = self.counterparts.counterpart_of(source, other)
        item = counterpart.match or counterpart.nearest
        if item is None:
            return None
        page, anchor = site_paths.path_and_anchor(item)
        narrative = f"{other.edition.address}/narrative"
        is_step = isinstance(item, SequenceStep) and item.has_narrative and path.endswith("/narrative")
        return (narrative if is_step and narrative in self.paths else page), anchor

    def _anchors(
        self, path: str, outline: Outline, page: SitePage | None
    ) -> Iterator[tuple[str, Source | None]]:
        """Yield the anchors of a page with their objects; None if the other page has the same anchors."""
        base, chapter = outline.edition.address, self._items.get(path)
        name = path.removeprefix(base).strip("/")
        if isinstance(chapter, RuleEntry):
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
        elif name == "glossary" and page:  # its terms are those of the book, the same in every edition
            yield from ((section.anchor, None) for section in page.sections)
