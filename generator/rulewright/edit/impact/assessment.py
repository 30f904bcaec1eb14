"""Assessment of an edit: its effects on all that is made of the content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from rulewright.book.filing import Cache
from rulewright.citations import addresses
from rulewright.compare.editions import PhaseChanges, by_phase
from rulewright.edit.impact.lost import LostAddress, lost_addresses
from rulewright.edit.impact.rereading import (
    Effect,
    RemarkChange,
    Rereading,
    StrayReference,
    remark_changes,
    rereadings,
    stray_references,
)
from rulewright.edit.impact.sheets import Fit, PrintChange, Printing, print_changes
from rulewright.edit.impact.snapshot import Edits, Snapshot, edits, snapshot
from rulewright.print.press.orders import ReadFile
from rulewright.print.press.printed_sheets import FOLDER as PRINTED
from rulewright.source.folder import CONTENT, Folder
from rulewright.source.problems import Place, Problem


@dataclass(frozen=True, slots=True)
class PageChange:
    """A page of the site that differs: `how` is added, removed or changed."""

    path: str
    title: str
    place: Place | None
    how: str


@dataclass(frozen=True, eq=False)
class Assessment:
    """Effects of an edit. `files`: the files of the content that differ, each with how."""

    before: Snapshot
    after: Snapshot
    files: dict[str, str]
    edited: Edits
    lost: list[LostAddress] = field(default_factory=list)
    again: list[Rereading] = field(default_factory=list)
    elsewhere: list[StrayReference] = field(default_factory=list)
    noted: list[RemarkChange] = field(default_factory=list)
    pages: list[PageChange] = field(default_factory=list)
    sheets: list[PrintChange] = field(default_factory=list)
    new: list[Problem] = field(default_factory=list)
    mended: list[Problem] = field(default_factory=list)

    @property
    def breaks(self) -> bool:
        """Whether something was right before and is wrong now."""
        faults = [problem for problem in self.new if problem.fails]
        void = [one for one in self.noted if one.effect is Effect.VOID]
        unfit = [one for one in self.sheets if one.fit is Fit.FAILS]
        return bool(faults or self.elsewhere or void or unfit or self.lost)

    @property
    def others(self) -> Iterator[tuple[str, str]]:
        """The files that are pictures or downloads, with how they differ."""
        named = {*self.before.folder.others, *self.after.folder.others}
        shown = ((name, how) for name, how in self.files.items() if name in named)
        return ((name, how) for name, how in shown if f"/{PRINTED}/" not in name)

    @property
    def phases(self) -> list[PhaseChanges]:
        """The phases of play in which something changed, or to which changed rules matter."""
        old, new = self.before.desk.shelf, self.after.desk.shelf
        return [phase for one in self.edited.differences for phase in by_phase(one, old, new)]


@dataclass(frozen=True, slots=True)
class Content:
    """A content folder, with a function that reads files that are only named in it."""

    folder: Folder
    read: ReadFile


def assess(before: Content, after: Content, others: Collection[str], printing: Printing) -> Assessment:
    """Assess the edits between two contents. `others`: files only named there whose bytes differ."""
    cache: Cache = {}
    was, now = (snapshot(content.folder, content.read, cache) for content in (before, after))
    edited = edits(was, now)
    olds, news = was.examined.problems, now.examined.problems
    files = _files(was, now, others)
    pages = list(_pages(was, now, [name for name in files if name in now.folder.others]))
    # A book is looked at where one of its files differs, or one of its pages because of another book.
    touching = [*(page.path for page in pages), *(name.removeprefix(f"{CONTENT}/") for name in files)]
    books = {path.partition("/")[0] for path in touching}
    editions = [
        one for one in (*was.desk.shelf.outlines, *now.desk.shelf.outlines) if one.partition("/")[0] in books
    ]
    return Assessment(
        was,
        now,
        files,
        edited,
        lost_addresses(was, now, edited),
        rereadings(was, now, edited),
        stray_references(was, now, edited),
        remark_changes(was, now, edited),
        [
            page
            for page in pages
            if not edited.hides(page.path) and not (page.place and page.place.file in was.faulty | now.faulty)
        ],
        [one for one in print_changes(was, now, printing, editions) if not edited.hides(one.address)],
        _beyond(news, olds),
        _beyond(olds, news),
    )


def _files(before: Snapshot, after: Snapshot, others: Collection[str]) -> dict[str, str]:
    """The files that are there or gone, and those that read otherwise."""
    old, new = (
        {**one.folder.texts, **one.folder.inventories, **dict.fromkeys(one.folder.others, b"")}
        for one in (before, after)
    )
    return {
        name: "added" if name not in old else "removed" if name not in new else "changed"
        for name in {**new, **old}
        if old.get(name) != new.get(name) or (name in others and name in after.folder.others)
    }


def _pages(before: Snapshot, after: Snapshot, pictures: Sequence[str]) -> Iterator[PageChange]:
    """The pages that show something else, or other bytes of a picture, in order; those gone come last."""
    for path, page in after.shown.items():
        was = before.shown.get(path)
        links = (addresses.relative(path, name.removeprefix(f"{CONTENT}/")).rstrip("/") for name in pictures)
        shows = any(f'"{link}"' in page.html for link in links)
        if was is None or was.looks != page.looks or shows:
            yield PageChange(path, page.title, page.place, "changed" if was else "added")
    for path, page in before.shown.items():
        if path not in after.shown:
            yield PageChange(path, page.title, page.place, "removed")


def _beyond(some: Sequence[Problem], others: Sequence[Problem]) -> list[Problem]:
    """The problems that are not among others. One in another line is the same."""
    left: Counter[tuple[str, ...]] = Counter()
    found: list[Problem] = []
    for one, count in (*((one, 1) for one in others), *((one, -1) for one in some)):
        key = one.place.file, one.code, one.about or one.message
        left[key] += count
        if left[key] < 0:
            left[key] = 0
            found.append(one)
    return found
