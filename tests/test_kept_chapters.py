"""Chapters of a book that are taken over from its last build are those that would be made."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from rulewright.app.build import Shares, build
from rulewright.site.artifacts import Artifacts
from rulewright.site.pages import chapter
from tests.amount import TIMES
from tests.commands.duel import write

Files = dict[str, str]
HOME = "content/solo/1"
SWORDS, BOWS, CAMP = (f"{HOME}/rules/{n}.yml" for n in (1, 2, 3))
FILES = {
    "content/solo/rulebook.yml": 'title: Solo\nnumbers: "1.1a"\nchapters: ["1.0"]\n'
    'terms:\n  parry: {means: to turn a blade, see: "1.1"}\nsymbols:\n  hit: {means: a hit}\n',
    f"{HOME}/edition.yml": 'edition: "1"\n',
    f"{HOME}/known.yml": 'known:\n  - {number: "2.4", title: Quivers}\n',
    f"{HOME}/sequence.yml": "title: A Round\nsteps:\n  - segment: Strike\n    id: strike\n"
    '    note: By 1.1.\n    see: "2.1"\n',
    f"{HOME}/tables/hits.yml": 'id: hits\nnumber: "2.3"\ntitle: Hits\nroll: d6\ncolumns: [Hit]\nrows:\n'
    '  - {roll: "..3", Hit: Arm}\n  - {roll: "4..", Hit: See 1.2.}\n',
    SWORDS: 'chapter: "1.0"\ntitle: Swords\nrules:\n'
    '  - number: "1.1"\n    title: Parry\n    text: Turn it, unless 2.1 forbids it.\n'
    '  - number: "1.2"\n    title: Lunge\n    text: Step forward. A parry ends it :hit:.\n'
    "    notes:\n      - {kind: example, text: Anna lunges as 1.1 allows.}\n",
    BOWS: 'chapter: "2.0"\ntitle: Bows\nrules:\n'
    '  - number: "2.1"\n    title: Range\n    text: Six paces. 1.2 is nearer; 2.4 is told elsewhere.\n'
    '  - number: "2.2"\n    title: Rain\n    text: Wet strings miss.\n',
    CAMP: 'chapter: "3.0"\ntitle: Camp\ntext: Rest, as 1.1 to 1.2 say, and see 2.3. Mind 2.4.\n',
}


def swap(name: str, old: str, new: str) -> Callable[[Files], None]:
    """An edit of some words of a file, and back again the next time."""

    def edit(files: Files) -> None:
        one, other = (new, old) if new in files[name] else (old, new)
        files[name] = files[name].replace(one, other)

    return edit


def here_and_gone(name: str, text: str) -> Callable[[Files], None]:
    """An edit that makes a file, and deletes it the next time."""

    def edit(files: Files) -> None:
        if files.pop(name, None) is None:
            files[name] = text

    return edit


EDITS = {
    "text": swap(BOWS, "Wet strings miss.", "Wet strings break."),
    "a reference": swap(BOWS, "Wet strings miss", "Wet strings miss, see 1.2"),
    "another reference": swap(CAMP, "and see 2.3", "and see 2.2"),
    "a reference in a note": swap(SWORDS, "as 1.1 allows", "as 3.0 allows"),
    "a title": swap(SWORDS, "title: Lunge", "title: Thrust"),
    "the title of a chapter": swap(BOWS, "title: Bows", "title: Arrows"),
    "a number": swap(BOWS, 'number: "2.2"', 'number: "2.5"'),
    "a former number": swap(BOWS, "title: Rain\n", 'title: Rain\n    formerly: "1.9"\n'),
    "a retired rule": swap(SWORDS, "title: Parry\n", 'title: Parry\n    replaced by: ["1.2"]\n'),
    "no text": swap(SWORDS, "    text: Step forward. A parry ends it :hit:.\n", ""),
    "a term": swap("content/solo/rulebook.yml", "to turn a blade", "to turn a blade, as in 1.2"),
    "a name": swap("content/solo/rulebook.yml", "parry:", "strings:"),
    "a sign": swap("content/solo/rulebook.yml", "a hit", "a wound"),
    "a table": swap(f"{HOME}/tables/hits.yml", "See 1.2.", "See 1.1."),
    "a step": swap(f"{HOME}/sequence.yml", "segment: Strike", "segment: Lunge and Strike"),
    "a known number": swap(f"{HOME}/known.yml", "Quivers", "Full quivers"),
    "a number that is transcribed": swap(
        BOWS, "Wet strings", 'Wet strings drip.\n  - number: "2.4"\n    text: Full'
    ),
    "errata": here_and_gone(
        f"{HOME}/errata.yml",
        'errata:\n  - {erratum: "1", date: 2025-01-01, at: "1.1", replace: Turn it, with: Bend it}\n',
    ),
    "a book that cites it": here_and_gone(
        "content/other/1/rules/1.yml", 'chapter: "1.0"\ntitle: Crowds\ntext: As in solo/1:2.2.\n'
    ),
    "a second edition": here_and_gone(
        f"{HOME.removesuffix('1')}2/edition.yml", 'edition: "2"\nfollows: "1"\n'
    ),
}
OTHER = {
    "content/other/rulebook.yml": 'title: Other\nnumbers: "1.1a"\nchapters: ["1.0"]\n',
    "content/other/1/edition.yml": 'edition: "1"\n',
    "content/other/1/known.yml": 'known: [{number: "2.0", title: More}]\n',
}


class Project:
    """A project that is built on its last build, and each time from nothing beside."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.caches, self.monkeypatch = folder, (folder / str(n) for n in count()), monkeypatch
        self.kept = next(self.caches)
        self.files = {**FILES, **OTHER}
        write(folder / "project", self.files)

    def edit(self, name: str) -> None:
        before = set(self.files)
        EDITS[name](self.files)
        write(self.folder / "project", self.files)
        for gone in before - set(self.files):
            (self.folder / "project" / gone).unlink()

    def build(self, shares: Shares | None = None, cache: Path | None = None) -> Artifacts:
        with self.monkeypatch.context() as around:
            around.setenv("XDG_CACHE_HOME", str(cache or self.kept))
            return build(self.folder / "project", shares=shares)

    def anew(self) -> Artifacts:
        return self.build(cache=next(self.caches))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


@pytest.mark.parametrize("seed", range(2 * TIMES))
@pytest.mark.parametrize("serves", [True, False], ids=["serving", "from the store"])
def test_after_any_edits_all_is_as_from_nothing(project: Project, serves: bool, seed: int) -> None:
    chosen, shares = random.Random(seed), Shares() if serves else None
    project.build(shares)
    names = [*EDITS] * 2
    chosen.shuffle(names)
    for name in names:
        project.edit(name)
        ours, clean = project.build(shares), project.anew()
        assert ours.pages == clean.pages, name
        assert ours == clean, name


def made(project: Project, monkeypatch: pytest.MonkeyPatch, name: str) -> list[str]:
    """The titles of the chapters whose pages are made after an edit."""
    project.edit(name)
    titles: list[str] = []
    make = chapter.page

    def counted(desk: object, kind: object, path: str, *more: object, **given: object) -> object:
        titles.append(path.rpartition("/")[2])
        return make(desk, kind, path, *more, **given)  # type: ignore[arg-type]

    with monkeypatch.context() as around:
        around.setattr(chapter, "page", counted)
        project.build()
    return titles


def test_only_chapters_that_show_an_edit_are_made_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.build()
    assert made(project, monkeypatch, "text") == ["2-bows"]
    assert made(project, monkeypatch, "a reference in a note") == ["1-swords", "3-camp"]
    assert made(project, monkeypatch, "another reference") == ["2-bows", "3-camp"]
    assert made(project, monkeypatch, "a title") == ["1-swords", "2-bows", "3-camp"]
