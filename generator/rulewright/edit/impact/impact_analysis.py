"""Analyse the impact of an edit: changed pages and sheets, lost addresses, texts to review, problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import RuleEntry
from rulewright.book.table_entries import TableEntry
from rulewright.compare.edition_diff import PhaseChanges, by_phase
from rulewright.edit.impact.content_snapshot import (
    AddressedItem,
    ContentEdits,
    ContentSnapshot,
    find_edits,
    item_location,
    take_snapshot,
)
from rulewright.edit.impact.print_impact import PrintChange, Printing, SheetFit, print_changes
from rulewright.edit.impact.review_list import (
    ErrataChange,
    ErratumEffect,
    RetargetedReference,
    TextToReview,
    emptied_rules,
    errata_changes,
    retargeted_references,
    texts_to_review,
)
from rulewright.files.content_folder import CONTENT, ContentFolder
from rulewright.files.memoize import Cache
from rulewright.files.problems import Problem, SourceLocation
from rulewright.print.press.print_job import ReadFile
from rulewright.references import site_paths
from rulewright.references.glossary import TermEntry
from rulewright.references.redirect_targets import anchors_of
from rulewright.sequence.sequence_step import SequenceStep


@dataclass(frozen=True, slots=True)
class LostAddress:
    """An address that no longer leads to the same item."""

    address: str
    name: str  # name of the item that it led to
    old_location: SourceLocation | None  # location of that item's text in the old content
    inside: tuple[str, ...] = ()  # addresses on the page or in the item that are lost with it
    current_name: str = ""  # name of the item that it leads to now
    new_address: str = ""  # new address of the old item
    cure: str = ""


PageAnchor = tuple[str, str]
"""A page and an anchor on it."""


def lost_addresses(before: ContentSnapshot, after: ContentSnapshot, edits: ContentEdits) -> list[LostAddress]:
    """Find the lost addresses, pages first; addresses inside a lost one are part of it."""
    candidates = [
        *_lost_pages(before, after, edits.successors),
        *_lost_anchors(before, after, edits.successors),
        *_lost_headings(before, after),
    ]
    known = {candidate.address.replace("#", "") for candidate in candidates}
    downloads = set(after.downloads)
    # The downloads of a table are part of the table's address or of its page.
    candidates += (
        LostAddress(name, name.rpartition("/")[2], None)
        for name in before.downloads
        if name not in downloads
        and not known.intersection((name.rpartition(".")[0], f"{name.rpartition('/')[0]}/"))
    )
    return [candidate for candidate in candidates if not _may_be_unreadable(candidate, after, edits)]


def _may_be_unreadable(candidate: LostAddress, after: ContentSnapshot, edits: ContentEdits) -> bool:
    """Return whether an address may only be missing because its file cannot be read."""
    if edits.is_unreadable_page(candidate.address):
        return True
    location = candidate.old_location
    return location is not None and location.file in after.faulty and not candidate.current_name


def _lost_pages(
    before: ContentSnapshot, after: ContentSnapshot, successors: Mapping[object, object]
) -> Iterator[LostAddress]:
    chapters = {
        site_paths.chapter_path(chapter): chapter
        for outline in before.render_context.shelf.outlines.values()
        for chapter in outline.chapters
    }
    for path, page in before.page_contents.items():
        if after.address_exists(path):
            continue
        inside = tuple(
            site_paths.relative_link("", *address)
            for address in before.items_by_address
            if address[0] == path
        )
        successor = successors.get(chapters.get(path))
        new_address = cure = ""
        if isinstance(successor, RuleEntry):
            new_address = f"{site_paths.path_and_anchor(successor)[0]}/"
            name = f"{CONTENT}/{successor.edition.address}/redirects.yml"
            cure = f'list it in {name}: {{from: "/{path}/", to: "{successor.display_number}"}}'
        elif path in before.content_pages:
            cure = f'list it in the redirects.yml of an edition: {{from: "/{path}/", to: ...}}'
        yield LostAddress(f"{path}/", page.title, page.place, inside, new_address=new_address, cure=cure)
    for path, old in before.old_pages.items():
        if not after.address_exists(path):
            destination = old.destination
            name = destination.words or f"{destination.page}/"
            if destination.source:
                name = before.render_context.name(destination.source)
            cure = f"keep it in {CONTENT}/{old.edition}/redirects.yml"
            yield LostAddress(f"{path}/", name, None, tuple(old.anchors), cure=cure)


def _lost_anchors(
    before: ContentSnapshot, after: ContentSnapshot, successors: Mapping[object, object]
) -> Iterator[LostAddress]:
    current_names: dict[PageAnchor, str] = {}
    for address, item in before.items_by_address.items():
        if not after.address_exists(address[0]):
            continue
        new_item = after.items_by_address.get(address)
        if not after.address_exists(*address):
            current_names[address] = ""
        elif isinstance(item, TermEntry | AidSheet | ErrataEntry):
            continue
        elif new_item and type(item) is type(new_item) and successors.get(item) is not new_item:
            current_names[address] = after.render_context.name(new_item)
    inside: dict[PageAnchor, list[str]] = {address: [] for address in current_names}
    first: dict[tuple[AddressedItem, str], PageAnchor] = {}
    outermost: list[PageAnchor] = []
    for address in current_names:
        # A former number may be an anchor on two pages.
        container: PageAnchor | None = first.setdefault(
            (before.items_by_address[address], address[1]), address
        )
        if container == address:
            container = _outermost_lost_ancestor(before, address, current_names)
        if container:
            inside[container].append(site_paths.relative_link("", *address))
        else:
            outermost.append(address)
    for address in outermost:
        item, link = before.items_by_address[address], site_paths.relative_link("", *address)
        successor = successors.get(item)
        new_address = ""
        if isinstance(successor, RuleEntry | SequenceStep | TableEntry):
            new_address = site_paths.relative_link("", *site_paths.path_and_anchor(successor))
        name, current_name = before.render_context.name(item), current_names[address]
        cure = _cure(item, successor, address[1], current_name)
        yield LostAddress(
            link, name, item_location(item), tuple(inside[address]), current_name, new_address, cure
        )


def _lost_headings(before: ContentSnapshot, after: ContentSnapshot) -> Iterator[LostAddress]:
    """Yield the lost headings of content pages that still exist."""
    for path, page in before.content_pages.items():
        if after.address_exists(path) and before.folder.texts[page.name] != after.folder.texts.get(page.name):
            for anchor, words in anchors_of(before.folder.texts[page.name]).items():
                if words and not after.address_exists(path, anchor):
                    link = site_paths.relative_link("", path, anchor)
                    cure = f"give the new heading the old anchor: {{: #{anchor} }}"
                    yield LostAddress(link, words, SourceLocation(page.name), cure=cure)


def _outermost_lost_ancestor(
    before: ContentSnapshot, address: PageAnchor, lost: Collection[PageAnchor]
) -> PageAnchor | None:
    """Return the address of an item's outermost ancestor that is lost too."""
    item, outermost = before.items_by_address[address], None
    ancestor = item.parent if isinstance(item, RuleEntry | SequenceStep) else None
    while ancestor:
        ancestor_address = site_paths.path_and_anchor(ancestor)
        if ancestor_address in lost and before.items_by_address[ancestor_address] is ancestor:
            outermost = ancestor_address
        ancestor = ancestor.parent
    return outermost


def _cure(item: AddressedItem, successor: object, anchor: str, current_name: str) -> str:
    if isinstance(item, RuleEntry):
        if isinstance(successor, RuleEntry) and not current_name:
            return f'say formerly: ["{anchor}"] at {successor.display_number}, as `rulewright renumber` does'
        if successor is None and not current_name:
            return "if players know it, keep its number and retire it (`rulewright renumber --retire`)"
        return "only one rule can have it; a new rule after its last sibling would not move other rules"
    if isinstance(item, SequenceStep) and isinstance(successor, SequenceStep):
        return f"give the step the id that it had: id: {anchor.rpartition('/')[2]}"
    if isinstance(item, TableEntry) and isinstance(successor, TableEntry) and not successor.entry:
        return f"give the table the id that it had: id: {anchor}"
    return ""


@dataclass(frozen=True, slots=True)
class PageChange:
    """A page of the site that differs."""

    path: str
    title: str
    place: SourceLocation | None
    status: str  # added, removed or changed


@dataclass(frozen=True, eq=False)
class ImpactReport:
    """Effects of an edit."""

    before: ContentSnapshot
    after: ContentSnapshot
    files: dict[str, str]  # status of each file that differs: added, removed or changed
    edits: ContentEdits
    lost: list[LostAddress] = field(default_factory=list)
    texts_to_review: list[TextToReview] = field(default_factory=list)
    emptied_rules: list[RuleEntry] = field(default_factory=list)
    retargeted_references: list[RetargetedReference] = field(default_factory=list)
    errata_changes: list[ErrataChange] = field(default_factory=list)
    pages: list[PageChange] = field(default_factory=list)
    sheets: list[PrintChange] = field(default_factory=list)
    new: list[Problem] = field(default_factory=list)
    fixed_problems: list[Problem] = field(default_factory=list)

    @property
    def breaks(self) -> bool:
        """Whether the edit breaks something."""
        return bool(
            self.lost
            or self.emptied_rules
            or self.retargeted_references
            or any(problem.is_failure for problem in self.new)
            or any(change.effect is ErratumEffect.VOID for change in self.errata_changes)
            or any(sheet.fit is SheetFit.FAILS for sheet in self.sheets)
        )

    @property
    def changed_other_files(self) -> Iterator[tuple[str, str]]:
        """Changed images and downloads, with their status."""
        other_files = {*self.before.folder.other_files, *self.after.folder.other_files}
        return ((name, status) for name, status in self.files.items() if name in other_files)

    @property
    def phases(self) -> list[PhaseChanges]:
        """Phases of play with changed steps or changed rules."""
        old, new = self.before.render_context.shelf, self.after.render_context.shelf
        return [phase for diff in self.edits.differences for phase in by_phase(diff, old, new)]


@dataclass(frozen=True, slots=True)
class ContentSource:
    """A content folder with a function that reads its images and downloads."""

    folder: ContentFolder
    read: ReadFile


def analyse_impact(
    before: ContentSource, after: ContentSource, changed_other_files: Collection[str], printing: Printing
) -> ImpactReport:
    """Analyse the edits between two contents; `changed_other_files` are images and downloads that differ."""
    cache: Cache = {}
    old, new = (take_snapshot(content.folder, content.read, cache) for content in (before, after))
    edits = find_edits(old, new)
    old_problems, new_problems = old.checked_project.problems, new.checked_project.problems
    files = _changed_files(old, new, changed_other_files)
    pages = list(_changed_pages(old, new, [name for name in files if name in new.folder.other_files]))
    # A book is affected if one of its files differs, or one of its pages because of another book.
    paths = [*(page.path for page in pages), *(name.removeprefix(f"{CONTENT}/") for name in files)]
    books = {path.partition("/")[0] for path in paths}
    editions = [
        address
        for address in (*old.render_context.shelf.outlines, *new.render_context.shelf.outlines)
        if address.partition("/")[0] in books
    ]
    return ImpactReport(
        old,
        new,
        files,
        edits,
        lost_addresses(old, new, edits),
        texts_to_review(old, new, edits),
        emptied_rules(new, edits),
        retargeted_references(old, new, edits),
        errata_changes(old, new, edits),
        [
            page
            for page in pages
            if not edits.is_unreadable_page(page.path)
            and not (page.place and page.place.file in old.faulty | new.faulty)
        ],
        [
            change
            for change in print_changes(old, new, printing, editions)
            if not edits.is_unreadable_page(change.address)
        ],
        _added_problems(new_problems, old_problems),
        _added_problems(old_problems, new_problems),
    )


def _changed_files(
    before: ContentSnapshot, after: ContentSnapshot, changed_other_files: Collection[str]
) -> dict[str, str]:
    old, new = (
        {**snapshot.folder.texts, **dict.fromkeys(snapshot.folder.other_files, b"")}
        for snapshot in (before, after)
    )
    files: dict[str, str] = {}
    for name in {**new, **old}:
        if name not in old or name not in new:
            files[name] = "removed" if name in old else "added"
        elif old[name] != new[name] or (name in changed_other_files and name in after.folder.other_files):
            files[name] = "changed"
    return files


def _changed_pages(
    before: ContentSnapshot, after: ContentSnapshot, changed_images: Sequence[str]
) -> Iterator[PageChange]:
    """Yield the pages whose content or images differ, in order, removed pages last."""
    for path, page in after.page_contents.items():
        old_page = before.page_contents.get(path)
        image_paths = (name.removeprefix(f"{CONTENT}/") for name in changed_images)
        links = (site_paths.relative_link(path, image_path).rstrip("/") for image_path in image_paths)
        has_changed_image = any(f'"{link}"' in page.html for link in links)
        if old_page is None or old_page.comparable != page.comparable or has_changed_image:
            yield PageChange(path, page.title, page.place, "changed" if old_page else "added")
    for path, page in before.page_contents.items():
        if path not in after.page_contents:
            yield PageChange(path, page.title, page.place, "removed")


def _added_problems(problems: Sequence[Problem], known_problems: Sequence[Problem]) -> list[Problem]:
    """List the problems that are not among the known ones; the line does not matter."""
    known = Counter(map(_problem_key, known_problems))
    added: list[Problem] = []
    for problem in problems:
        known[_problem_key(problem)] -= 1
        if known[_problem_key(problem)] < 0:
            added.append(problem)
    return added


def _problem_key(problem: Problem) -> tuple[str, str, str]:
    return problem.place.file, problem.code, problem.subject or problem.message
