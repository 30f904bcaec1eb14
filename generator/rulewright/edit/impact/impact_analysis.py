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
    found = [
        *_lost_pages(before, after, edited.successors),
        *_anchors(before, after, edited.successors),
        *_headings(before, after),
    ]
    known = {one.address.replace("#", "") for one in found}
    there = set(after.downloads)
    # The files of a table go with the table, or with the page that it stood on.
    found += (
        LostAddress(name, name.rpartition("/")[2], None)
        for name in before.downloads
        if name not in there
        and not known.intersection((name.rpartition(".")[0], f"{name.rpartition('/')[0]}/"))
    )
    # Of what cannot be read at the moment nobody knows whether it is lost.
    return [
        one
        for one in found
        if not edited.is_unreadable_page(one.address)
        and not (one.old_location and one.old_location.file in after.faulty and not one.current_name)
    ]


def _lost_pages(
    before: ContentSnapshot, after: ContentSnapshot, heirs: Mapping[object, object]
) -> Iterator[LostAddress]:
    chapters = {
        site_paths.chapter_path(chapter): chapter
        for outline in before.render_context.shelf.outlines.values()
        for chapter in outline.chapters
    }
    for path, page in before.page_contents.items():
        if after.address_exists(path):
            continue
        inside = tuple(site_paths.relative_link("", *at) for at in before.items_by_address if at[0] == path)
        heir = heirs.get(chapters.get(path))
        moved = mend = ""
        if isinstance(heir, RuleEntry):
            moved = f"{site_paths.path_and_anchor(heir)[0]}/"
            name = f"{CONTENT}/{heir.edition.address}/redirects.yml"
            mend = f'list it in {name}: {{from: "/{path}/", to: "{heir.display_number}"}}'
        elif path in before.content_pages:
            mend = f'list it in the redirects.yml of an edition: {{from: "/{path}/", to: ...}}'
        yield LostAddress(f"{path}/", page.title, page.place, inside, new_address=moved, cure=mend)
    for path, old in before.old_pages.items():
        if not after.address_exists(path):
            name = (
                before.render_context.name(old.destination.source)
                if old.destination.source
                else old.destination.words or f"{old.destination.page}/"
            )
            mend = f"an address that was listed once stays listed in {CONTENT}/{old.edition}/redirects.yml"
            yield LostAddress(f"{path}/", name, None, tuple(old.anchors), cure=mend)


def _anchors(
    before: ContentSnapshot, after: ContentSnapshot, heirs: Mapping[object, object]
) -> Iterator[LostAddress]:
    dead: dict[At, str] = {}
    for at, thing in before.items_by_address.items():
        if not after.address_exists(at[0]):
            continue
        now = after.items_by_address.get(at)
        if not after.address_exists(*at):
            dead[at] = ""
        elif now and type(thing) is type(now) and heirs.get(thing) is not now:
            dead |= (
                {}
                if isinstance(thing, TermEntry | AidSheet | ErrataEntry)
                else {at: after.render_context.name(now)}
            )
    inside: dict[At, list[str]] = {at: [] for at in dead}
    first: dict[tuple[Thing, str], At] = {}
    tops: list[At] = []
    for at in dead:
        # What a rule was called once may stand on two pages.
        same = first.setdefault((before.items_by_address[at], at[1]), at)
        top = same if at != same else _above(before, at, dead)
        if top:
            inside[top].append(site_paths.relative_link("", *at))
        else:
            tops.append(at)
    for at in tops:
        thing, link = before.items_by_address[at], site_paths.relative_link("", *at)
        heir = heirs.get(thing)
        moved = ""
        if isinstance(heir, RuleEntry | SequenceStep | TableEntry):
            moved = site_paths.relative_link("", *site_paths.path_and_anchor(heir))
        name, mend = before.render_context.name(thing), _mend(thing, heir, at[1], dead[at])
        yield LostAddress(link, name, item_location(thing), tuple(inside[at]), dead[at], moved, mend)


def _headings(before: ContentSnapshot, after: ContentSnapshot) -> Iterator[LostAddress]:
    """The headings of Markdown pages that are still there."""
    for path, leaf in before.content_pages.items():
        if after.address_exists(path) and before.folder.texts[leaf.name] != after.folder.texts.get(leaf.name):
            for anchor, words in anchors_of(before.folder.texts[leaf.name]).items():
                if words and not after.address_exists(path, anchor):
                    mend = f"let the new heading have the old anchor: {{: #{anchor} }}"
                    yield LostAddress(
                        site_paths.relative_link("", path, anchor),
                        words,
                        SourceLocation(leaf.name),
                        cure=mend,
                    )


def _above(before: ContentSnapshot, at: At, dead: Mapping[At, str]) -> At | None:
    """The outermost thing around one that is lost too."""
    thing, found = before.items_by_address[at], None
    around = thing.parent if isinstance(thing, RuleEntry | SequenceStep) else None
    while around:
        place = site_paths.path_and_anchor(around)
        found = place if place in dead and before.items_by_address[place] is around else found
        around = around.parent
    return found


def _mend(thing: Thing, heir: object, anchor: str, now: str) -> str:
    if isinstance(thing, RuleEntry):
        if isinstance(heir, RuleEntry) and not now:
            return f'say formerly: ["{anchor}"] at {heir.display_number}, as `rulewright renumber` does'
        if heir is None and not now:
            return "if players know it, keep its number and retire it (`rulewright renumber --retire`)"
        return "only one rule can have it; a new rule at the end of its row would leave the old ones alone"
    if isinstance(thing, SequenceStep) and isinstance(heir, SequenceStep):
        return f"give the step the id that it had: id: {anchor.rpartition('/')[2]}"
    if isinstance(thing, TableEntry) and isinstance(heir, TableEntry) and not heir.entry:
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
        named = {*self.before.folder.other_files, *self.after.folder.other_files}
        return ((name, how) for name, how in self.files.items() if name in named)

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
    before: ContentSource, after: ContentSource, others: Collection[str], printing: Printing
) -> ImpactReport:
    """Assess the edits between two contents. `others`: files only named there whose bytes differ."""
    cache: Cache = {}
    was, now = (take_snapshot(content.folder, content.read, cache) for content in (before, after))
    edited = find_edits(was, now)
    olds, news = was.checked_project.problems, now.checked_project.problems
    files = _files(was, now, others)
    pages = list(_pages(was, now, [name for name in files if name in now.folder.other_files]))
    # A book is looked at where one of its files differs, or one of its pages because of another book.
    touching = [*(page.path for page in pages), *(name.removeprefix(f"{CONTENT}/") for name in files)]
    books = {path.partition("/")[0] for path in touching}
    editions = [
        one
        for one in (*was.render_context.shelf.outlines, *now.render_context.shelf.outlines)
        if one.partition("/")[0] in books
    ]
    return ImpactReport(
        was,
        now,
        files,
        edited,
        lost_addresses(was, now, edited),
        texts_to_review(was, now, edited),
        emptied_rules(now, edited),
        retargeted_references(was, now, edited),
        remark_changes(was, now, edited),
        [
            page
            for page in pages
            if not edited.is_unreadable_page(page.path)
            and not (page.place and page.place.file in was.faulty | now.faulty)
        ],
        [
            one
            for one in print_changes(was, now, printing, editions)
            if not edited.is_unreadable_page(one.address)
        ],
        _beyond(news, olds),
        _beyond(olds, news),
    )


def _files(before: ContentSnapshot, after: ContentSnapshot, others: Collection[str]) -> dict[str, str]:
    old, new = ({**one.folder.texts, **dict.fromkeys(one.folder.other_files, b"")} for one in (before, after))
    return {
        name: "added" if name not in old else "removed" if name not in new else "changed"
        for name in {**new, **old}
        if old.get(name) != new.get(name) or (name in others and name in after.folder.other_files)
    }


def _pages(before: ContentSnapshot, after: ContentSnapshot, pictures: Sequence[str]) -> Iterator[PageChange]:
    """The pages that show something else, or other bytes of a picture, in order; those gone come last."""
    for path, page in after.page_contents.items():
        was = before.page_contents.get(path)
        links = (
            site_paths.relative_link(path, name.removeprefix(f"{CONTENT}/")).rstrip("/") for name in pictures
        )
        shows = any(f'"{link}"' in page.html for link in links)
        if was is None or was.comparable != page.comparable or shows:
            yield PageChange(path, page.title, page.place, "changed" if was else "added")
    for path, page in before.page_contents.items():
        if path not in after.page_contents:
            yield PageChange(path, page.title, page.place, "removed")


def _beyond(some: Sequence[Problem], others: Sequence[Problem]) -> list[Problem]:
    """The problems that are not among others. One in another line is the same."""
    left: Counter[tuple[str, ...]] = Counter()
    found: list[Problem] = []
    for problem, count in (*((other, 1) for other in others), *((one, -1) for one in some)):
        key = problem.place.file, problem.code, problem.subject or problem.message
        left[key] += count
        if left[key] < 0:
            left[key] = 0
            found.append(problem)
    return found
