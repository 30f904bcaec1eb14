"""What an edit touches, in all that is made of the content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field

from generator.artifacts import Page
from generator.changes.groups import PhaseChanges, by_phase
from generator.folder import Folder
from generator.impact.edited import Edits, edits
from generator.impact.lost import Lost, lost
from generator.impact.reading import Again, Elsewhere, again, elsewhere
from generator.impact.sheets import Fit, Printing, Touched, touched
from generator.impact.standing import Standing, stand
from generator.library import Cache
from generator.press.orders import Read
from generator.problems import Place, Problem


@dataclass(frozen=True, slots=True)
class PageChange:
    """A page of the site that differs: `how` is added, removed or changed."""

    path: str
    title: str
    place: Place | None
    how: str


@dataclass(frozen=True, eq=False)
class Assessment:
    """All that an edit touches. `files`: the files of the content that differ, with how."""

    before: Standing
    after: Standing
    files: dict[str, str]
    edited: Edits
    lost: list[Lost] = field(default_factory=list)
    again: list[Again] = field(default_factory=list)
    elsewhere: list[Elsewhere] = field(default_factory=list)
    pages: list[PageChange] = field(default_factory=list)
    sheets: list[Touched] = field(default_factory=list)
    new: list[Problem] = field(default_factory=list)
    mended: list[Problem] = field(default_factory=list)

    @property
    def breaks(self) -> bool:
        """Whether something was right before and is wrong now."""
        faults = [problem for problem in self.new if problem.fails]
        return bool(faults or self.lost or self.elsewhere or any(one.fit is Fit.FAILS for one in self.sheets))

    @property
    def phases(self) -> list[PhaseChanges]:
        """The phases of play in which something changed, or to which changed rules matter."""
        old, new = self.before.desk.shelf, self.after.desk.shelf
        return [phase for one in self.edited.differences for phase in by_phase(one, old, new)]


def assess(before: tuple[Folder, Read], after: tuple[Folder, Read], printing: Printing) -> Assessment:
    """What lies between two contents, each with what reads its files."""
    cache: Cache = {}
    was, now = stand(*before, cache), stand(*after, cache)
    edited = edits(was, now)
    new, mended = _problems(was.examined.problems, now.examined.problems)
    return Assessment(
        was,
        now,
        _files(was, now),
        edited,
        lost(was, now, edited),
        again(now, edited),
        elsewhere(was, now, edited),
        [page for page in _pages(was, now) if not _is_unread(page, edited, was.faulty | now.faulty)],
        [one for one in touched(was, now, printing) if not edited.hides(one.address)],
        new,
        mended,
    )


def _files(before: Standing, after: Standing) -> dict[str, str]:
    """The files that are there or gone, and those that read otherwise."""
    old = {**before.folder.texts, **before.folder.inventories, **dict.fromkeys(before.folder.others, b"")}
    new = {**after.folder.texts, **after.folder.inventories, **dict.fromkeys(after.folder.others, b"")}
    return {
        name: "added" if name not in old else "removed" if name not in new else "changed"
        for name in {**new, **old}
        if old.get(name) != new.get(name)
    }


def _pages(before: Standing, after: Standing) -> Iterator[PageChange]:
    """The pages that show something else, in the order of the site; those that are gone come last."""
    for path, page in after.pages.items():
        was = before.pages.get(path)
        if was is None or _shown(was) != _shown(page):
            yield PageChange(path, page.title, page.place, "changed" if was else "added")
    for path, leaf in after.leaves.items():
        if before.prose.get(leaf.name) != after.prose[leaf.name]:
            how = "changed" if leaf.name in before.prose else "added"
            yield PageChange(path, leaf.title, Place(leaf.name), how)
    for path, page in before.pages.items():
        if path not in after.pages:
            yield PageChange(path, page.title, page.place, "removed")
    for path, leaf in before.leaves.items():
        if leaf.name not in after.prose:
            yield PageChange(path, leaf.title, Place(leaf.name), "removed")


def _is_unread(page: PageChange, edited: Edits, faulty: Set[str]) -> bool:
    """Whether a page may differ only because its file, or its edition, cannot be read."""
    return edited.hides(page.path) or bool(page.place and page.place.file in faulty)


def _shown(page: Page) -> tuple[str, str, str]:
    return page.title, page.description, page.html


def _problems(before: Sequence[Problem], after: Sequence[Problem]) -> tuple[list[Problem], list[Problem]]:
    """The problems that are new and those that are mended. One in another line is the same."""

    def key(problem: Problem) -> tuple[str, str, str]:
        return problem.place.file, problem.code, problem.about or problem.message

    def beyond(some: Sequence[Problem], others: Sequence[Problem]) -> list[Problem]:
        left = Counter(map(key, others))
        found = []
        for problem in some:
            if left[key(problem)]:
                left[key(problem)] -= 1
            else:
                found.append(problem)
        return found

    return beyond(after, before), beyond(before, after)
