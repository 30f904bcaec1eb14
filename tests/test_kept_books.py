"""Books that are taken over from the last build while serving are those that would be made."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from rulewright.app.build import build
from rulewright.checks.checked import Checked
from rulewright.checks.content_check import check
from rulewright.checks.examine import examine_folder, shelve
from rulewright.citations.shelf import Shelf
from rulewright.site.artifacts import Artifacts
from rulewright.source.folder import gather
from rulewright.source.store import Store
from tests import edited_library
from tests.amount import TIMES
from tests.commands.duel import write
from tests.made_pages import told

Files = dict[str, str]
HOME = "content/solo/1"
SWORDS, BOWS, CAMP = (f"{HOME}/rules/{n}.yml" for n in (1, 2, 3))
FILES = {
    "mkdocs.yml": "site_name: Solo\nplugins:\n  - rulewright\n",
    "content/solo/rulebook.yml": 'title: Solo\nnumbers: "1.1a"\nchapters: ["1.0"]\n'
    'terms:\n  parry: {means: to turn a blade, see: "1.1"}\nsymbols:\n  hit: {means: a hit}\n',
    f"{HOME}/edition.yml": 'edition: "1"\n',
    f"{HOME}/known.yml": 'known:\n  - {number: "2.4", title: Quivers}\n',
    f"{HOME}/sequence.yml": "title: A Round\nsteps:\n  - segment: Strike\n    id: strike\n"
    '    note: By 1.1.\n    see: "2.1"\n',
    f"{HOME}/tables/hits.yml": 'id: hits\nnumber: "2.3"\ntitle: Hits\nroll: d6\ncolumns: [Hit]\nrows:\n'
    '  - {roll: "..3", Hit: Arm}\n  - {roll: "4..", Hit: See 1.2.}\n',
    SWORDS: (
        'chapter: "1.0"\ntitle: Swords\n"1.1 Parry": Turn it, unless 2.1 forbids it.\n'
        '"1.2 Lunge":\n  text: Step forward. A parry ends it :hit:.\n'
        "  example: Anna lunges as 1.1 allows.\n"
    ),
    BOWS: (
        'chapter: "2.0"\ntitle: Bows\n'
        '"2.1 Range": Six paces. 1.2 is nearer; 2.4 is told elsewhere.\n'
        '"2.2 Rain": Wet strings miss.\n'
    ),
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
    "a number": swap(BOWS, '"2.2 Rain"', '"2.5 Rain"'),
    "a former number": swap(BOWS, '"2.2 Rain": ', '"2.2 Rain":\n  formerly: "1.9"\n  text: '),
    "a retired rule": swap(SWORDS, '"1.1 Parry": ', '"1.1 Parry":\n  replaced by: ["1.2"]\n  text: '),
    "no text": swap(SWORDS, "  text: Step forward. A parry ends it :hit:.\n", ""),
    "a term": swap("content/solo/rulebook.yml", "to turn a blade", "to turn a blade, as in 1.2"),
    "a name": swap("content/solo/rulebook.yml", "parry:", "strings:"),
    "a sign": swap("content/solo/rulebook.yml", "a hit", "a wound"),
    "a table": swap(f"{HOME}/tables/hits.yml", "See 1.2.", "See 1.1."),
    "a step": swap(f"{HOME}/sequence.yml", "segment: Strike", "segment: Lunge and Strike"),
    "a known number": swap(f"{HOME}/known.yml", "Quivers", "Full quivers"),
    "a number that is transcribed": swap(BOWS, "Wet strings", 'Wet strings drip.\n"2.4": Full'),
    "errata": here_and_gone(
        f"{HOME}/errata.yml",
        'errata:\n  - {erratum: "1", date: 2025-01-01, at: "1.1", replace: Turn it, with: Bend it}\n',
    ),
    "a book that cites it": here_and_gone(
        "content/other/1/rules/1.yml", 'chapter: "1.0"\ntitle: Crowds\ntext: As in [[solo/1:2.2]].\n'
    ),
    "a setting": swap("mkdocs.yml", "- rulewright\n", "- rulewright: {short: pages}\n"),
    "another site": here_and_gone(
        "content/elsewhere.yml", "sites:\n  away: {title: Away, url: https://a.example/}\n"
    ),
    "a picture": here_and_gone(f"{HOME}/pictures/map.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>'),
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

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder, dict[str, Any]()
        self.files = {**FILES, **OTHER}
        write(folder / "project", self.files)

    def edit(self, name: str) -> None:
        before = set(self.files)
        EDITS[name](self.files)
        write(self.folder / "project", self.files)
        for gone in before - set(self.files):
            (self.folder / "project" / gone).unlink()

    def build(self, cache: dict[str, Any] | None = None) -> Artifacts:
        return build(self.folder / "project", cache)


def same(ours: Artifacts, clean: Artifacts, after: object) -> None:
    """Hold an artifact after the other of a build against those of one from nothing."""
    for one in fields(Artifacts):
        # References of pages hold rules, which are told apart by identity.
        if one.name not in ("pages", "prose"):
            assert getattr(ours, one.name) == getattr(clean, one.name), (after, one.name)
    assert told(ours) == told(clean), after
    first, second = (
        {name: (page.text, [link[:3] for link in page.references]) for name, page in made.prose.items()}
        for made in (ours, clean)
    )
    assert first == second, after


@pytest.mark.parametrize("seed", range(TIMES))
def test_after_any_edits_all_is_as_from_nothing(tmp_path: Path, seed: int) -> None:
    project, chosen = Project(tmp_path), random.Random(seed)
    project.build(project.cache)
    names = [*EDITS] * 2
    chosen.shuffle(names)
    for name in names:
        project.edit(name)
        same(project.build(project.cache), project.build(), name)


def test_editions_without_a_link_to_what_is_edited_are_taken_over(tmp_path: Path) -> None:
    project = Project(tmp_path)

    def shelf() -> Shelf:
        return shelve(gather(tmp_path / "project"), project.cache).shelf

    first = shelf()
    project.edit("text")
    second = shelf()
    assert second.outlines["solo/1"] is not first.outlines["solo/1"]
    assert second.outlines["other/1"] is first.outlines["other/1"]
    assert second.citations["other/1"] is first.citations["other/1"]
    project.edit("a book that cites it")
    third = shelf()
    assert third.outlines["solo/1"] is second.outlines["solo/1"]
    project.edit("text")
    fourth = shelf()
    assert fourth.outlines["other/1"] is third.outlines["other/1"]
    assert fourth.citations["other/1"] is not third.citations["other/1"]  # it leads to what is new


def said(checked: Checked) -> tuple[object, ...]:
    excused = [(one, why.because) for one, why in checked.excused]
    return checked.problems, excused, checked.counts, checked.pages, checked.new, checked.faulty


def walk(seed: int, steps: int, folder: Path) -> None:
    """Edit a library again and again; what is kept of it makes what is made from nothing."""
    chance, files, store = random.Random(seed), dict(edited_library.FILES), Store(folder / "store")
    if seed % 4 == 0:  # without what is wrong in it, which keeps books from being printed
        del files["content/duel/2/errata.yml"], files["content/duel/2/tables/winds.yml"]
    if seed % 2:  # a lock, which remembers what one book said of another
        files["content/raid/1/references.lock"] = b"rule 1.2\t[[atlas:1.2]]\tatlas/1:1.2\t0123456789ab\tOld\n"
    begun, cache = dict(files), dict[str, Any]()
    project = folder / "project"
    for step in range(steps):
        write(project, files)
        content = gather(project)
        whole = said(examine_folder(content))
        assert said(check(content, store)) == said(check(content, store)) == whole, (seed, step)
        same(build(project, cache), build(project), (seed, step))
        before = set(files)
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            files = edited_library.edited(files, chance)
        if step % 10 == 9:
            files = dict(begun)
        for gone in before - set(files):
            (project / gone).unlink()


@pytest.mark.parametrize("seed", range(3))
def test_edits_reach_what_depends_on_them(seed: int, tmp_path: Path) -> None:
    walk(seed, 8, tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(100, 100 + TIMES))
def test_many_edits_reach_what_depends_on_them(seed: int, tmp_path: Path) -> None:
    walk(seed, 25, tmp_path)
