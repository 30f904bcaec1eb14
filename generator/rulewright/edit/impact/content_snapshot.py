"""Snapshots of the content, its pages and addresses and what stands at each, and the edits between two."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.library import Edition
from rulewright.book.outline import RuleEntry
from rulewright.book.sequence import SequenceStep
from rulewright.book.table_entries import Source, TableEntry
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.citations import content_page, site_paths
from rulewright.citations.glossary import TermEntry
from rulewright.citations.redirect_targets import OldPage, anchors_of
from rulewright.compare.edition_diff import EditionDiff, diff_editions
from rulewright.compare.item_change import ChangeKind, ItemChange, WordDifference, drop_repeated
from rulewright.model.aid import Aid
from rulewright.model.erratum import Erratum
from rulewright.print.press.print_job import ReadFile
from rulewright.site import pages, redirect_pages
from rulewright.site.build_artifacts import SitePage
from rulewright.site.pages.page_builder import ContentPageRef
from rulewright.site.render_context import RenderContext
from rulewright.source.content_folder import CONTENT, ContentFolder
from rulewright.source.located_text import LocatedText
from rulewright.source.memoize import Cache
from rulewright.source.problems import SourceLocation

T = TypeVar("T")

REREAD = {ChangeKind.REWORDED, ChangeKind.SPLIT, ChangeKind.MERGED, ChangeKind.CHANGED}
"""Kinds of change for which all that cites a rule or a table is to be read again."""

Thing = Source | TermEntry

_PAGE = "index.html"


class PageContent(NamedTuple):
    """A page as readers see it. `comparable`: all that is seen of it, `html` where it is made here."""

    title: str
    place: SourceLocation | None
    comparable: object
    html: str = ""


@dataclass(frozen=True, eq=False)
class ContentSnapshot:
    """Content as read: `pages` by address, `prose` by file, names of other `files`. `read` gives bytes."""

    folder: ContentFolder
    checked_project: CheckedProject
    render_context: RenderContext = field(repr=False)
    pages: Mapping[str, SitePage]
    files: Collection[str]
    read: ReadFile

    @cached_property
    def prose(self) -> Mapping[str, content_page.LinkedPage]:
        linked_pages = {
            manuscript.name: content_page.link_references(manuscript)
            for manuscript in self.checked_project.manuscripts
        }
        # The rules themselves are others in each snapshot; what leads to them is compared.
        return {
            name: page._replace(
                references=tuple(reference._replace(target=None) for reference in page.references)
            )
            for name, page in linked_pages.items()
        }

    @cached_property
    def content_pages(self) -> Mapping[str, ContentPageRef]:
        page_refs = (
            pages.content_page_title(name, data) for name, data in self.checked_project.library.pages.items()
        )
        return {page.path: page for page in page_refs}

    @cached_property
    def page_contents(self) -> Mapping[str, PageContent]:
        """Pages that say something of their own by address, ordinary Markdown pages behind the others."""
        contents = {
            path: PageContent(page.title, page.place, (page.title, page.description, page.html), page.html)
            for path, page in self.pages.items()
            if _says_something(path)
        }
        for path, content_page_ref in self.content_pages.items():
            contents[path] = PageContent(
                content_page_ref.title,
                SourceLocation(content_page_ref.name),
                self.prose[content_page_ref.name],
            )
        return contents

    @cached_property
    def anchors(self) -> Mapping[str, frozenset[str]]:
        return {
            path: frozenset(re.findall(r'\bid="([^"]*)"', page.html)) for path, page in self.pages.items()
        }

    @cached_property
    def old_pages(self) -> Mapping[str, OldPage]:
        return {page.file.removesuffix(_PAGE).strip("/"): page for page in self.checked_project.old_pages}

    @cached_property
    def items_by_address(self) -> Mapping[tuple[str, str], Thing]:
        """Rules, steps and so on by page and anchor; by a former number the rule that had it."""
        items: dict[tuple[str, str], Thing] = {}
        for address, outline in self.render_context.shelf.outlines.items():
            tables = self.render_context.shelf.tables[address]
            sources: list[Source] = [*outline.entries.values(), *outline.iter_steps(), *tables]
            sources += self.render_context.shelf.errata_entries[address]
            items |= {site_paths.path_and_anchor(item): item for item in sources}
            terms = self.render_context.glossaries[address].terms
            items |= {(site_paths.glossary_path(address), term.anchor): term for term in terms}
            if outline.former_numbers:
                for path in self.pages:
                    if path.startswith(f"{address}/") and _says_something(path):
                        anchors = self.anchors[path].intersection(outline.former_numbers)
                        items |= {(path, former): outline.former_numbers[former] for former in anchors}
        return {key: item for key, item in items.items() if key[1] in self.anchors.get(key[0], ())}

    def address_exists(self, page: str, anchor: str = "") -> bool:
        """Whether an address leads to what it says, by itself or from where that stood before."""
        if anchor:
            if page in self.pages:
                return anchor in self.anchors[page]
            if page in self.content_pages:
                return anchor in anchors_of(self.checked_project.library.pages[self.content_pages[page].name])
            old = self.old_pages.get(page)
            return old is not None and (
                anchor in old.anchors or self.address_exists(old.destination.page, anchor)
            )
        return (
            page in self.pages
            or page in self.page_contents
            or page in self.old_pages
            or f"{page}/{_PAGE}" in self.files
        )

    @property
    def faulty(self) -> frozenset[str]:
        return self.checked_project.library.faulty

    @property
    def downloads(self) -> Iterator[str]:
        """The files that readers get from the site, which what only our own scripts fetch is none of."""
        yield from (name for name in self.files if name.rpartition("/")[0].endswith("/tables"))
        for name in self.checked_project.library.other_files:
            yield name.removeprefix(f"{CONTENT}/")


def _says_something(path: str) -> bool:
    """Whether a page says what no other does: neither all chapters once more nor several changes as one."""
    return not path.endswith("/all") and "/changes/" not in path


def take_snapshot(folder: ContentFolder, read: ReadFile, cache: Cache) -> ContentSnapshot:
    """Make a snapshot of a content folder. `cache` saves reading files twice that are in another one too."""
    project = load_and_check_folder(folder, cache=cache)
    context = RenderContext(project.shelf)
    site_pages, files, _ = pages.render_site(project.shelf, project.library, late=True)
    files |= redirect_pages.redirect_pages(project.old_pages, context)
    return ContentSnapshot(folder, project, context, {page.path: page for page in site_pages}, files, read)


def item_location(item: object) -> SourceLocation | None:
    """Where the text of something begins in its file."""
    text: LocatedText | None = None
    match item:
        case RuleEntry():
            text = item.printed
        case SequenceStep():
            text = item.step.title
        case TableEntry():
            text = item.table.number or item.table.title
        case TermEntry():
            text = item.words
        case ErrataEntry(source=part):
            text = part.number if isinstance(part, Erratum) else part.question
        case Edition():
            text = item.edition_file.edition
        case AidSheet(aid=aid) | (Aid() as aid):
            text = aid.title
    return text.place if text else None


@dataclass(frozen=True, eq=False)
class ContentEdits:
    """Differences of each edition that is in both contents; the editions that are new, and that are gone.

    `compared` has all there is, `differences` leaves out what is only so because a file cannot be read.
    `unread`: the addresses of editions that cannot be read any more.
    """

    compared: tuple[EditionDiff, ...]
    differences: tuple[EditionDiff, ...]
    new: tuple[Edition, ...] = ()
    removed_editions: tuple[Edition, ...] = ()
    unread: tuple[str, ...] = ()

    @cached_property
    def successors(self) -> Mapping[object, object]:
        """Rules, steps, tables and aids of today by those that they were, or were merged from."""
        return {
            change.old: change.successor
            for diff in self.compared
            for change in diff.changes
            if change.old and change.successor
        }

    @cached_property
    def reworded(self) -> Mapping[Source, ItemChange[Any]]:
        """The rules and tables that say something else now. A table that is a rule stands for that rule."""
        changes: dict[Source, ItemChange[Any]] = {}
        for difference in self.differences:
            changes |= {c.new: c for c in difference.rules if c.new and REREAD.intersection(c.kinds)}
            changes |= {
                c.new.cited_as: c for c in difference.tables if c.new and REREAD.intersection(c.kinds)
            }
        return changes

    @cached_property
    def edited_items(self) -> set[object]:
        """Rules, steps and so on whose words were edited, and so read. A sheet is known by its aid."""
        changes = (change for difference in self.differences for change in difference.changes)
        read = (change.new for change in changes if change.parts or change.old is None)
        return {getattr(item, "cited_as", item) for item in read if item}

    def has_touched(self, source: Source | str) -> bool:
        return (source.aid if isinstance(source, AidSheet) else source) in self.edited_items

    def is_unreadable_page(self, address: str) -> bool:
        """Whether a page belongs to an edition that cannot be read, so that it may be there again."""
        return f"{address}/".startswith(tuple(f"{edition}/" for edition in self.unread))


def find_edits(before: ContentSnapshot, after: ContentSnapshot) -> ContentEdits:
    """Find the edits between two snapshots of one content."""
    old, new = before.render_context.shelf, after.render_context.shelf
    compared = [
        diff_editions(old.outlines[address], outline, old, new)
        for address, outline in new.outlines.items()
        if address in old.outlines
    ]
    missing = [outline.edition for address, outline in old.outlines.items() if address not in new.outlines]
    names = [*after.folder.texts, *after.folder.other_files]
    unread = [
        edition
        for edition in missing
        if any(name.startswith(f"{CONTENT}/{edition.address}/") for name in names)
    ]
    reported: set[object] = set()
    # What a series says is told there, and not again of its games.
    for diff in sorted(compared, key=lambda diff: len([*diff.new.edition.with_series])):
        diff.steps = [*drop_repeated(diff.steps, reported)]
    return ContentEdits(
        tuple(compared),
        tuple(_readable(diff, before.faulty, after.faulty) for diff in compared),
        tuple(outline.edition for address, outline in new.outlines.items() if address not in old.outlines),
        tuple(edition for edition in missing if edition not in unread),
        tuple(edition.address for edition in unread),
    )


def _readable(diff: EditionDiff, before: Set[str], after: Set[str]) -> EditionDiff:
    """A difference without what is only there because a file could or cannot be read."""
    if not before and not after:
        return diff

    def is_lost(item: object, counterpart: object, faulty: Set[str]) -> bool:
        """Whether a thing, or its text, may be missing on the other side since its file is faulty there."""
        place = item_location(item)
        return bool(
            place and place.file in faulty and (counterpart is None or not getattr(counterpart, "rule", True))
        )

    def keep(changes: Sequence[ItemChange[T]]) -> list[ItemChange[T]]:
        left = (c for c in changes if not (is_lost(c.old, c.new, after) or is_lost(c.new, c.old, before)))
        return [_legible(change, before | after) for change in left]

    left = copy(diff)
    left.rules, left.steps = keep(diff.rules), keep(diff.steps)
    left.tables, left.aids = keep(diff.tables), keep(diff.aids)
    return left


def _legible(change: ItemChange[T], faulty: Set[str]) -> ItemChange[T]:
    """A change without parts in which nothing differs but that what they cite cannot be read."""

    def only_cites(part: WordDifference) -> bool:
        words = {sign: [w for p in part.pieces if p.change == sign for w in p.words] for sign in "-+"}
        old_words, new_words = ([word.words.partition(", now ")[0] for word in words[sign]] for sign in "-+")
        cited = [item_location(word.to.target) for word in (*words["-"], *words["+"]) if word.to]
        return (
            bool(cited) and old_words == new_words and all(place and place.file in faulty for place in cited)
        )

    parts = tuple(part for part in change.parts if not only_cites(part))
    if parts == change.parts:
        return change
    words = set() if parts else {ChangeKind.REWORDED, ChangeKind.CHANGED}
    return replace(change, parts=parts, kinds=tuple(kind for kind in change.kinds if kind not in words))
