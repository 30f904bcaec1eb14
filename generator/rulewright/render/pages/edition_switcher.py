"""Links from each page to the same place in the other editions of its book.

A link from page to page needs no script. The script reads in `moves` where on that page each rule is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import quote

from rulewright.book.outline import Outline, RuleEntry
from rulewright.book.table_entries import Source
from rulewright.compare.history import NO_COUNTERPART
from rulewright.references import site_paths
from rulewright.render.build_artifacts import EditionVersion
from rulewright.render.render_context import RenderContext
from rulewright.sequence.sequence_step import TOP


class EditionLinks:
    """Links between editions. `paths`: all pages of the site, the ordinary ones too."""

    def __init__(self, context: RenderContext, paths: Iterable[str]) -> None:
        self.index, self.counterparts, self.paths = context.index, context.counterparts, frozenset(paths)
        self._items: dict[str, Source] = {}
        """The chapter or the sheet of each page that has one."""
        for address, outline in self.index.outlines.items():
            self._items |= {site_paths.chapter_path(chapter): chapter for chapter in outline.chapters}
            self._items |= {sheet.address: sheet for sheet in self.index.editions[address].aid_sheets}

    def links(self, path: str) -> tuple[EditionVersion, ...]:
        """Return the editions of a book as the page at a path leads to them; none if there is only one."""
        outline = self.index.outlines.get("/".join(path.split("/")[:2]))
        editions = self.counterparts.book_editions(outline) if outline else ()
        if outline is None or len(editions) < 2:
            return ()
        return tuple(self._version(path, outline, other) for other in reversed(editions))

    def _version(self, path: str, outline: Outline, other: Outline) -> EditionVersion:
        edition, date = other.edition, other.edition.edition_file.effective_date
        is_here = other is outline
        page, anchor, is_same = (path, "", True) if is_here else self._page(path, outline, other)
        return EditionVersion(
            str(edition.edition_file.edition),
            edition.title,
            self.counterparts.standing(other),
            page,
            site_paths.relative_link(path, page, anchor),
            is_here,
            is_same,
            moves="" if is_here else " ".join(self._moves(path, page, outline, other)),
            since=str(date) if edition.is_future(date) else "",
        )

    def _page(self, path: str, outline: Outline, other: Outline) -> tuple[str, str, bool]:
        """Return the page and anchor of another edition that show the same or what is nearest, and which."""
        base = other.edition.address
        item = self._items.get(path)
        result = self.counterparts.counterpart_of(item, other) if item else NO_COUNTERPART
        if target := result.match or result.nearest:
            page, anchor = site_paths.path_and_anchor(target)
            is_chapter = isinstance(target, RuleEntry) and target.parent is None
            return page, "" if is_chapter else anchor, result.match is not None
        name = path.removeprefix(outline.edition.address).strip("/")
        for other_name in (name, name.rpartition("/")[0]):
            if (page := f"{base}/{other_name}".rstrip("/")) in self.paths:
                return page, "", other_name == name
        return base, "", False

    def _moves(self, path: str, page: str, outline: Outline, other: Outline) -> Iterator[str]:
        """Yield the anchors of a page, each with the link to its place if that is another on `page`."""
        for anchor, source in self._anchors(path, outline):
            result = self.counterparts.counterpart_of(source, other)
            if target := result.match or result.nearest:
                place = site_paths.path_and_anchor(target)
                link = site_paths.relative_link(page if place[0] == page else path, *place)
                move = quote(anchor, safe="/()§")
                yield move if place == (page, anchor) else f"{move}={link}"

    def _anchors(self, path: str, outline: Outline) -> Iterator[tuple[str, Source]]:
        """Yield the anchors of a page with the rules, steps or tables that they are of."""
        base, chapter = outline.edition.address, self._items.get(path)
        if isinstance(chapter, RuleEntry):
            for entry in chapter.iter_subtree():
                yield entry.key, entry
                yield from ((former, entry) for former in entry.former)
            yield from site_paths.numbers_left_chapter(outline, chapter)
        elif path == f"{base}/sequence" and outline.sequence.root:
            yield TOP, outline.sequence.root
            yield from ((step.anchor, step) for step in outline.sequence.iter_displayed())
        elif path == f"{base}/tables":
            yield from ((table.anchor, table) for table in self.index.editions[base].tables)
