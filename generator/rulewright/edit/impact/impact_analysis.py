"""Assessment of an edit: its effects on all that is made of the content, and addresses that it loses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.book.aid_plan import AidSheet
from rulewright.book.errata_entries import ErrataEntry
from rulewright.book.outline import RuleEntry
from rulewright.book.sequence import SequenceStep
from rulewright.book.table_entries import TableEntry
from rulewright.citations import site_paths
from rulewright.citations.glossary import TermEntry
from rulewright.citations.redirect_targets import anchors_of
from rulewright.compare.edition_diff import PhaseChanges, by_phase
from rulewright.edit.impact.content_snapshot import (
    ContentEdits,
    ContentSnapshot,
    Thing,
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
    remark_changes,
    retargeted_references,
    texts_to_review,
)
from rulewright.print.press.print_job import ReadFile
from rulewright.source.content_folder import CONTENT, ContentFolder
from rulewright.source.memoize import Cache
from rulewright.source.problems import Problem, SourceLocation


@dataclass(frozen=True, slots=True)
class LostAddress:
    """An address that does not lead any more to what stood there.

    `name`: what stood there, `old_location` where its text stood, `inside`: the addresses that are lost along
    with it. `current_name`: what stands there today, if something does; `new_address`: where that which stood
    there is today; `cure`: what an editor can do.
    """

    address: str
    name: str
    old_location: SourceLocation | None
    inside: tuple[str, ...] = ()
    current_name: str = ""
    new_address: str = ""
    cure: str = ""


At = tuple[str, str]
"""A page and an anchor on it."""


def lost_addresses(
    before: ContentSnapshot, after: ContentSnapshot, edited: ContentEdits
) -> list[LostAddress]:
    """Find every address that is lost, pages first; one that lies in another is told with that."""
    candidates = [
        *_lost_pages(before, after, edited.successors),
        *_anchors(before, after, edited.successors),
        *_headings(before, after),
    ]
    known = {candidate.address.replace("#", "") for candidate in candidates}
    downloads = set(after.downloads)
    # The files of a table go with the table, or with the page that it stood on.
    candidates += (
        LostAddress(name, name.rpartition("/")[2], None)
        for name in before.downloads
        if name not in downloads
        and not known.intersection((name.rpartition(".")[0], f"{name.rpartition('/')[0]}/"))
    )
    # Of what cannot be read at the moment nobody knows whether it is lost.
    return [
        candidate
        for candidate in candidates
        if not edited.is_unreadable_page(candidate.address)
        and not (
            candidate.old_location
            and candidate.old_location.file in after.faulty
            and not candidate.current_name
        )
    ]


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
            name = (
                before.render_context.name(old.destination.source)
                if old.destination.source
                else old.destination.words or f"{old.destination.page}/"
            )
            cure = f"an address that was listed once stays listed in {CONTENT}/{old.edition}/redirects.yml"
            yield LostAddress(f"{path}/", name, None, tuple(old.anchors), cure=cure)


def _anchors(
    before: ContentSnapshot, after: ContentSnapshot, successors: Mapping[object, object]
) -> Iterator[LostAddress]:
    dead: dict[At, str] = {}
    for address, item in before.items_by_address.items():
        if not after.address_exists(address[0]):
            continue
        new_item = after.items_by_address.get(address)
        if not after.address_exists(*address):
            dead[address] = ""
        elif new_item and type(item) is type(new_item) and successors.get(item) is not new_item:
            dead |= (
                {}
                if isinstance(item, TermEntry | AidSheet | ErrataEntry)
                else {address: after.render_context.name(new_item)}
            )
    inside: dict[At, list[str]] = {address: [] for address in dead}
    first: dict[tuple[Thing, str], At] = {}
    outermost: list[At] = []
    for address in dead:
        # What a rule was called once may stand on two pages.
        same = first.setdefault((before.items_by_address[address], address[1]), address)
        top = same if address != same else _above(before, address, dead)
        if top:
            inside[top].append(site_paths.relative_link("", *address))
        else:
            outermost.append(address)
    for address in outermost:
        item, link = before.items_by_address[address], site_paths.relative_link("", *address)
        successor = successors.get(item)
        new_address = ""
        if isinstance(successor, RuleEntry | SequenceStep | TableEntry):
            new_address = site_paths.relative_link("", *site_paths.path_and_anchor(successor))
        name, cure = before.render_context.name(item), _mend(item, successor, address[1], dead[address])
        yield LostAddress(
            link, name, item_location(item), tuple(inside[address]), dead[address], new_address, cure
        )


def _headings(before: ContentSnapshot, after: ContentSnapshot) -> Iterator[LostAddress]:
    """The headings of Markdown pages that are still there."""
    for path, page in before.content_pages.items():
        if after.address_exists(path) and before.folder.texts[page.name] != after.folder.texts.get(page.name):
            for anchor, words in anchors_of(before.folder.texts[page.name]).items():
                if words and not after.address_exists(path, anchor):
                    cure = f"let the new heading have the old anchor: {{: #{anchor} }}"
                    yield LostAddress(
                        site_paths.relative_link("", path, anchor),
                        words,
                        SourceLocation(page.name),
                        cure=cure,
                    )


def _above(before: ContentSnapshot, address: At, dead: Mapping[At, str]) -> At | None:
    """The outermost thing around one that is lost too."""
    item, outermost = before.items_by_address[address], None
    ancestor = item.parent if isinstance(item, RuleEntry | SequenceStep) else None
    while ancestor:
        place = site_paths.path_and_anchor(ancestor)
        outermost = place if place in dead and before.items_by_address[place] is ancestor else outermost
        ancestor = ancestor.parent
    return outermost


def _mend(item: Thing, successor: object, anchor: str, current_name: str) -> str:
    if isinstance(item, RuleEntry):
        if isinstance(successor, RuleEntry) and not current_name:
            return f'say formerly: ["{anchor}"] at {successor.display_number}, as `rulewright renumber` does'
        if successor is None and not current_name:
            return "if players know it, keep its number and retire it (`rulewright renumber --retire`)"
        return "only one rule can have it; a new rule at the end of its row would leave the old ones alone"
    if isinstance(item, SequenceStep) and isinstance(successor, SequenceStep):
        return f"give the step the id that it had: id: {anchor.rpartition('/')[2]}"
    if isinstance(item, TableEntry) and isinstance(successor, TableEntry) and not successor.entry:
        return f"give the table the id that it had: id: {anchor}"
    return ""


@dataclass(frozen=True, slots=True)
class PageChange:
    """A page of the site that differs: `how` is added, removed or changed."""

    path: str
    title: str
    place: SourceLocation | None
    how: str


@dataclass(frozen=True, eq=False)
class ImpactReport:
    """Effects of an edit. `files`: the files of the content that differ, each with how."""

    before: ContentSnapshot
    after: ContentSnapshot
    files: dict[str, str]
    edited: ContentEdits
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
        """Whether something was right before and is wrong now."""
        faults = [problem for problem in self.new if problem.is_failure]
        void = [change for change in self.errata_changes if change.effect is ErratumEffect.VOID]
        unfit = [sheet for sheet in self.sheets if sheet.fit is SheetFit.FAILS]
        return bool(faults or self.emptied_rules or self.retargeted_references or void or unfit or self.lost)

    @property
    def changed_other_files(self) -> Iterator[tuple[str, str]]:
        """The files that are pictures or downloads, with how they differ."""
        other_files = {*self.before.folder.other_files, *self.after.folder.other_files}
        return ((name, how) for name, how in self.files.items() if name in other_files)

    @property
    def phases(self) -> list[PhaseChanges]:
        """The phases of play in which something changed, or to which changed rules matter."""
        old, new = self.before.render_context.shelf, self.after.render_context.shelf
        return [phase for difference in self.edited.differences for phase in by_phase(difference, old, new)]


@dataclass(frozen=True, slots=True)
class ContentSource:
    """A content folder, with a function that reads files that are only named in it."""

    folder: ContentFolder
    read: ReadFile


def analyse_impact(
    before: ContentSource, after: ContentSource, changed_other_files: Collection[str], printing: Printing
) -> ImpactReport:
    """Assess the edits between two contents. `others`: files only named there whose bytes differ."""
    cache: Cache = {}
    old, new = (take_snapshot(content.folder, content.read, cache) for content in (before, after))
    edited = find_edits(old, new)
    old_problems, new_problems = old.checked_project.problems, new.checked_project.problems
    files = _files(old, new, changed_other_files)
    pages = list(_pages(old, new, [name for name in files if name in new.folder.other_files]))
    # A book is looked at where one of its files differs, or one of its pages because of another book.
    touching = [*(page.path for page in pages), *(name.removeprefix(f"{CONTENT}/") for name in files)]
    books = {path.partition("/")[0] for path in touching}
    editions = [
        address
        for address in (*old.render_context.shelf.outlines, *new.render_context.shelf.outlines)
        if address.partition("/")[0] in books
    ]
    return ImpactReport(
        old,
        new,
        files,
        edited,
        lost_addresses(old, new, edited),
        texts_to_review(old, new, edited),
        emptied_rules(new, edited),
        retargeted_references(old, new, edited),
        remark_changes(old, new, edited),
        [
            page
            for page in pages
            if not edited.is_unreadable_page(page.path)
            and not (page.place and page.place.file in old.faulty | new.faulty)
        ],
        [
            change
            for change in print_changes(old, new, printing, editions)
            if not edited.is_unreadable_page(change.address)
        ],
        _beyond(new_problems, old_problems),
        _beyond(old_problems, new_problems),
    )


def _files(
    before: ContentSnapshot, after: ContentSnapshot, changed_other_files: Collection[str]
) -> dict[str, str]:
    old, new = (
        {**snapshot.folder.texts, **dict.fromkeys(snapshot.folder.other_files, b"")}
        for snapshot in (before, after)
    )
    return {
        name: "added" if name not in old else "removed" if name not in new else "changed"
        for name in {**new, **old}
        if old.get(name) != new.get(name)
        or (name in changed_other_files and name in after.folder.other_files)
    }


def _pages(before: ContentSnapshot, after: ContentSnapshot, pictures: Sequence[str]) -> Iterator[PageChange]:
    """The pages that show something else, or other bytes of a picture, in order; those gone come last."""
    for path, page in after.page_contents.items():
        old_page = before.page_contents.get(path)
        links = (
            site_paths.relative_link(path, name.removeprefix(f"{CONTENT}/")).rstrip("/") for name in pictures
        )
        shows = any(f'"{link}"' in page.html for link in links)
        if old_page is None or old_page.comparable != page.comparable or shows:
            yield PageChange(path, page.title, page.place, "changed" if old_page else "added")
    for path, page in before.page_contents.items():
        if path not in after.page_contents:
            yield PageChange(path, page.title, page.place, "removed")


def _beyond(problems: Sequence[Problem], known_problems: Sequence[Problem]) -> list[Problem]:
    """The problems that are not among others. One in another line is the same."""
    left: Counter[tuple[str, ...]] = Counter()
    added: list[Problem] = []
    for problem, count in (
        *((other, 1) for other in known_problems),
        *((problem, -1) for problem in problems),
    ):
        key = problem.place.file, problem.code, problem.subject or problem.message
        left[key] += count
        if left[key] < 0:
            left[key] = 0
            added.append(problem)
    return added
