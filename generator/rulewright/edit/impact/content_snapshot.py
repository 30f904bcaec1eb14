"""Snapshots of the content with its pages and addresses, and the edits between two snapshots."""

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
from rulewright.book.table_entries import Source, TableEntry
from rulewright.checks.load_and_check import CheckedProject, load_and_check_folder
from rulewright.compare.edition_diff import EditionDiff, diff_editions
from rulewright.compare.item_change import ChangeKind, ItemChange, WordDifference, drop_repeated
from rulewright.files.content_folder import CONTENT, ContentFolder
from rulewright.files.located_text import LocatedText
from rulewright.files.memoize import Cache
from rulewright.files.problems import SourceLocation
from rulewright.print.press.print_job import ReadFile
from rulewright.references import content_page, site_paths
from rulewright.references.glossary import TermEntry
from rulewright.references.redirect_targets import OldPage, anchors_of
from rulewright.render import pages, redirect_pages
from rulewright.render.build_artifacts import SitePage
from rulewright.render.pages.page_builder import ContentPageRef
from rulewright.render.render_context import RenderContext
from rulewright.schema.aid import Aid
from rulewright.schema.erratum import Erratum
from rulewright.sequence.sequence_step import SequenceStep

T = TypeVar("T")

REVIEWED_KINDS = {ChangeKind.REWORDED, ChangeKind.SPLIT, ChangeKind.MERGED, ChangeKind.CHANGED}
"""Kinds of change of a rule or table after which references to it need a review."""

AddressedItem = Source | TermEntry

_PAGE = "index.html"


class PageContent(NamedTuple):
    """A page as readers see it."""

    title: str
    place: SourceLocation | None
    comparable: object  # everything that is visible on the page
    html: str = ""  # HTML of a generated page


@dataclass(frozen=True, eq=False)
class ContentSnapshot:
    """Checked content and the site that is generated from it."""

    folder: ContentFolder
    checked_project: CheckedProject
    render_context: RenderContext = field(repr=False)
    pages: Mapping[str, SitePage]  # generated pages by path
    files: Collection[str]  # names of the other generated files
    read: ReadFile

    @cached_property
    def linked_pages(self) -> Mapping[str, content_page.LinkedPage]:
        """Content pages by file name, without the targets of references, which differ between snapshots."""
        linked_pages: dict[str, content_page.LinkedPage] = {}
        for page in self.checked_project.manuscripts:
            linked_page = content_page.link_references(page)
            references = tuple(reference._replace(target=None) for reference in linked_page.references)
            linked_pages[page.name] = linked_page._replace(references=references)
        return linked_pages

    @cached_property
    def content_pages(self) -> Mapping[str, ContentPageRef]:
        page_refs = (
            pages.content_page_title(name, data) for name, data in self.checked_project.library.pages.items()
        )
        return {page.path: page for page in page_refs}

    @cached_property
    def page_contents(self) -> Mapping[str, PageContent]:
        """Pages with content of their own by path, content pages last."""
        contents = {
            path: PageContent(page.title, page.place, (page.title, page.description, page.html), page.html)
            for path, page in self.pages.items()
            if _has_own_content(path)
        }
        for path, ref in self.content_pages.items():
            contents[path] = PageContent(ref.title, SourceLocation(ref.name), self.linked_pages[ref.name])
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
    def items_by_address(self) -> Mapping[tuple[str, str], AddressedItem]:
        """Rules, steps and other items by page and anchor; former numbers lead to their rules."""
        items: dict[tuple[str, str], AddressedItem] = {}
        for address, outline in self.render_context.shelf.outlines.items():
            tables = self.render_context.shelf.tables[address]
            sources: list[Source] = [*outline.entries.values(), *outline.sequence.iter_steps(), *tables]
            sources += self.render_context.shelf.errata_entries[address]
            items |= {site_paths.path_and_anchor(item): item for item in sources}
            terms = self.render_context.glossaries[address].terms
            items |= {(site_paths.glossary_path(address), term.anchor): term for term in terms}
            if outline.former_numbers:
                for path in self.pages:
                    if path.startswith(f"{address}/") and _has_own_content(path):
                        anchors = self.anchors[path].intersection(outline.former_numbers)
                        items |= {(path, anchor): outline.former_numbers[anchor] for anchor in anchors}
        return {key: item for key, item in items.items() if key[1] in self.anchors.get(key[0], ())}

    def address_exists(self, page: str, anchor: str = "") -> bool:
        """Return whether an address exists, directly or by a redirect."""
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
        """Files that readers download from the site, without those that only its scripts load."""
        yield from (name for name in self.files if name.rpartition("/")[0].endswith("/tables"))
        for name in self.checked_project.library.other_files:
            yield name.removeprefix(f"{CONTENT}/")


def _has_own_content(path: str) -> bool:
    """Return whether a page is neither a collection of all chapters nor one of several changes."""
    return not path.endswith("/all") and "/changes/" not in path


def take_snapshot(folder: ContentFolder, read: ReadFile, cache: Cache) -> ContentSnapshot:
    """Take a snapshot of a content folder; the cache is shared with other snapshots."""
    project = load_and_check_folder(folder, cache=cache)
    context = RenderContext(project.shelf)
    site = pages.render_site(context, project.library)
    files = {**site.files, **redirect_pages.redirect_pages(project.old_pages, context)}
    return ContentSnapshot(folder, project, context, {page.path: page for page in site.pages}, files, read)


def item_location(item: object) -> SourceLocation | None:
    """Return the source location of an item."""
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
    """Edits between two snapshots."""

    compared: tuple[EditionDiff, ...]  # complete diffs of the editions that are in both snapshots
    differences: tuple[EditionDiff, ...]  # diffs without differences that only an unreadable file causes
    new: tuple[Edition, ...] = ()
    removed_editions: tuple[Edition, ...] = ()
    unread: tuple[str, ...] = ()  # addresses of editions that have become unreadable

    @cached_property
    def successors(self) -> Mapping[object, object]:
        """Rules, steps, tables and aids by their predecessors."""
        return {
            change.old: change.successor
            for diff in self.compared
            for change in diff.changes
            if change.old and change.successor
        }

    @cached_property
    def reworded(self) -> Mapping[Source, ItemChange[Any]]:
        """Changes of the content of rules and tables, by the item that references lead to."""
        changes: dict[Source, ItemChange[Any]] = {}
        for diff in self.differences:
            item_changes: list[ItemChange[Any]] = [*diff.rules, *diff.tables]
            for change in item_changes:
                if change.new and REVIEWED_KINDS.intersection(change.kinds):
                    changes[getattr(change.new, "cited_as", change.new)] = change
        return changes

    @cached_property
    def edited_items(self) -> set[object]:
        """Items whose words were edited, and so reviewed; aids instead of sheets."""
        changes = (change for diff in self.differences for change in diff.changes)
        items = (change.new for change in changes if change.parts or change.old is None)
        return {getattr(item, "cited_as", item) for item in items if item}

    def is_edited(self, source: Source | str) -> bool:
        return (source.aid if isinstance(source, AidSheet) else source) in self.edited_items

    def is_unreadable_page(self, address: str) -> bool:
        """Return whether a page belongs to an unreadable edition, so that it may come back."""
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
    edition_folders = {"/".join(name.split("/")[:3]) for name in names if name.count("/") > 2}
    unread = [edition for edition in missing if f"{CONTENT}/{edition.address}" in edition_folders]
    reported: set[object] = set()
    # Changes of a series are reported there, not again in its games.
    for diff in sorted(compared, key=lambda diff: len([*diff.new.edition.with_series])):
        diff.steps = [*drop_repeated(diff.steps, reported)]
    return ContentEdits(
        tuple(compared),
        tuple(_without_unreadable(diff, before.faulty, after.faulty) for diff in compared),
        tuple(outline.edition for address, outline in new.outlines.items() if address not in old.outlines),
        tuple(edition for edition in missing if edition not in unread),
        tuple(edition.address for edition in unread),
    )


def _without_unreadable(diff: EditionDiff, before: Set[str], after: Set[str]) -> EditionDiff:
    """Return a diff without the differences that unreadable files cause."""
    if not before and not after:
        return diff

    def is_lost(item: object, counterpart: object, faulty: Set[str]) -> bool:
        """Return whether an item or its text may be missing on the other side because its file is faulty."""
        place = item_location(item)
        return bool(
            place and place.file in faulty and (counterpart is None or not getattr(counterpart, "rule", True))
        )

    def filter_changes(changes: Sequence[ItemChange[T]]) -> list[ItemChange[T]]:
        return [
            _without_unreadable_targets(change, before | after)
            for change in changes
            if not is_lost(change.old, change.new, after) and not is_lost(change.new, change.old, before)
        ]

    filtered = copy(diff)
    filtered.rules, filtered.steps = filter_changes(diff.rules), filter_changes(diff.steps)
    filtered.tables, filtered.aids = filter_changes(diff.tables), filter_changes(diff.aids)
    return filtered


def _without_unreadable_targets(change: ItemChange[T], faulty: Set[str]) -> ItemChange[T]:
    """Return a change without parts that differ only by references to rules in faulty files."""

    def differs_only_in_targets(part: WordDifference) -> bool:
        words: dict[str, list[str]] = {"-": [], "+": []}
        locations: list[SourceLocation | None] = []
        for piece in part.pieces:
            if piece.change in words:
                words[piece.change] += (word.words.partition(", now ")[0] for word in piece.words)
                locations += (item_location(word.to.target) for word in piece.words if word.to)
        has_faulty_targets = all(location and location.file in faulty for location in locations)
        return bool(locations) and words["-"] == words["+"] and has_faulty_targets

    parts = tuple(part for part in change.parts if not differs_only_in_targets(part))
    if parts == change.parts:
        return change
    removed_kinds = set() if parts else {ChangeKind.REWORDED, ChangeKind.CHANGED}
    kinds = tuple(kind for kind in change.kinds if kind not in removed_kinds)
    return replace(change, parts=parts, kinds=kinds)
