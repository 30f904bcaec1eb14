"""A site is made whole whatever lies in its place, and a build that ends early leaves it as it was."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.app import staged_build
from rulewright.app.cli import main
from rulewright.app.mkdocs_runner import build_site
from tests.commands.duel import BOOK, write
from tests.projects import files

RULES = "content/duel/1/rules/1.yml"
FILES = {
    **BOOK,
    "mkdocs.yml": (Path(__file__).parent.parent / "mkdocs.yml").read_text("utf-8"),
    "content/duel/1/known.yml": 'known:\n  - {number: "1.2", title: Lunge}\n',
    RULES: 'chapter: "1.0"\ntitle: Swords\n"1.1 Parry": Turn it. See 1.2.\n',
    "content/duel/1/tables/hits.yml": "id: hits\ntitle: Hits\nroll: d6\ncolumns: [Hit]\nrows:\n"
    '  - {roll: "..3", Hit: Arm}\n  - {roll: "4..", Hit: Leg}\n',
    "content/melee/rulebook.yml": 'title: Melee\nnumbers: "1.1a"\nchapters: ["1.0"]\n',
    "content/melee/1/edition.yml": 'edition: "1"\n',
    "content/melee/1/rules/1.yml": 'chapter: "1.0"\ntitle: Crowds\ntext: As in [[duel/1:1.1]].\n',
    "content/far/rulebook.yml": 'title: Far\nnumbers: "1.1a"\nchapters: ["1.0"]\n',
    "content/far/1/edition.yml": 'edition: "1"\n',
    "content/far/1/known.yml": 'known: [{number: "1.0", title: Bows}]\n',
    "content/notes.md": "# Notes\n\nSee [[duel/1:1.1]].\n",
}

Files = dict[str, str]


def _swap(name: str, old: str, new: str) -> Callable[[Files], None]:
    """An edit of some words of a file, and back again the next time."""

    def edit(files: Files) -> None:
        one, other = (new, old) if new in files[name] else (old, new)
        files[name] = files[name].replace(one, other)

    return edit


def _here_and_gone(name: str, text: str) -> Callable[[Files], None]:
    """An edit that makes a file, and deletes it the next time."""

    def edit(files: Files) -> None:
        if files.pop(name, None) is None:
            files[name] = text

    return edit


EDITS = {
    "text": _swap(RULES, "Turn it.", "Turn it aside."),
    "title": _swap(RULES, "1.1 Parry", "1.1 Parade"),
    "chapter": _swap(RULES, "title: Swords", "title: Blades"),
    "cited": _swap("content/melee/1/rules/1.yml", "As in [[duel/1:1.1]].", "As you like."),
    "term": _swap(
        "content/duel/rulebook.yml",
        "title: Duel",
        "terms: {turn: {means: to push a blade}}\ntitle: Duel",
    ),
    "rule": _swap(
        "content/duel/1/known.yml",
        '- {number: "1.2", title: Lunge}\n',
        '- {number: "1.2", title: Lunge}\n  - {number: "1.3"}\n',
    ),
    "table": _swap("content/duel/1/tables/hits.yml", "Leg", "Head"),
    "book": _swap("content/duel/rulebook.yml", "title: Duel", "title: Duels"),
    "errata": _here_and_gone(
        "content/duel/1/errata.yml",
        'errata:\n  - {erratum: "1", date: 2025-01-01, rule: "1.1", replace: Turn it, with: Bend it}\n',
    ),
    "page": _here_and_gone("content/more.md", "# More\n\nSee [[far/1:1.0]].\n"),
    "setting": _swap("mkdocs.yml", "site_name: Rulewright", "site_name: Library"),
    "edition": _here_and_gone("content/far/2/edition.yml", 'edition: "2"\nfollows: "1"\n'),
}


class Library:
    """A project with its site, and another site that is built from nothing each time."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.monkeypatch = folder / "project", monkeypatch
        self.files: Files = dict(FILES)
        self.caches = (folder / str(number) for number in range(1000))
        self.kept = next(self.caches)
        write(self.folder, self.files)

    def edit(self, name: str) -> None:
        before = set(self.files)
        EDITS[name](self.files)
        write(self.folder, self.files)
        for gone in before - set(self.files):
            (self.folder / gone).unlink()

    def build(self, site: str = "site", cache: Path | None = None) -> dict[str, bytes]:
        with self.monkeypatch.context() as around:
            around.setenv("XDG_CACHE_HOME", str(cache or self.kept))
            made = build_site(self.folder, self.folder.parent / site, prints=False)
        assert not made.fault, made.artifacts.problems
        return files(made.site)

    def anew(self) -> dict[str, bytes]:
        return self.build("anew", next(self.caches))


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    return Library(tmp_path, monkeypatch)


def _same(library: Library) -> None:
    ours, clean = library.build(), library.anew()
    assert sorted(ours) == sorted(clean)
    assert not [name for name in clean if ours[name] != clean[name]]


def test_a_build_that_is_broken_off_does_no_harm(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    before = library.build()
    library.edit("title")
    with monkeypatch.context() as broken:
        broken.setattr(staged_build, "swap_in", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            library.build()
    assert files(library.folder.parent / "site") == before
    _same(library)


def _interrupted(*given: object) -> None:
    raise KeyboardInterrupt


def _fill(file: Path) -> None:
    file.write_text("mine")


def _unlisted(site: Path, cache: Path) -> None:
    for one in (one for one in cache.rglob("*") if one.is_file()):
        one.unlink()
        one.mkdir()


STATES: dict[str, Callable[[Path, Path], object]] = {
    "site deleted": lambda site, cache: shutil.rmtree(site),
    "site emptied": lambda site, cache: (shutil.rmtree(site), site.mkdir()),
    "all but the mark deleted": lambda site, cache: [
        one.unlink() for one in site.rglob("*") if one.is_file() and one.name != staged_build.MARK
    ],
    "a link to nothing": lambda site, cache: (shutil.rmtree(site), site.symlink_to("aside")),
    "a page deleted": lambda site, cache: (site / "index.html").unlink(),
    "a page cut short": lambda site, cache: (site / "index.html").write_text("<"),
    "a folder for a page": lambda site, cache: (
        (site / "index.html").unlink(),
        (site / "index.html").mkdir(),
    ),
    "a file for a folder": lambda site, cache: (shutil.rmtree(site / "duel"), _fill(site / "duel")),
    "a link for a folder": lambda site, cache: (
        shutil.rmtree(site / "duel"),
        (site / "duel").symlink_to(site / "far"),
    ),
    "a strange file": lambda site, cache: _fill(site / "mine.txt"),
    "a copy with other times": lambda site, cache: (
        shutil.copytree(site, site.with_name("copy"), copy_function=shutil.copyfile),
        shutil.rmtree(site),
        site.with_name("copy").rename(site),
    ),
    "half of a build beside it": lambda site, cache: (
        site.with_name(".site.rulewright-new-00000000").mkdir(),
        shutil.rmtree(site),
    ),
    "cache deleted": lambda site, cache: shutil.rmtree(cache),
    "cache a file": lambda site, cache: (shutil.rmtree(cache), _fill(cache)),
    "cache cut short": lambda site, cache: [_fill(one) for one in cache.rglob("*") if one.is_file()],
    "cache of folders": _unlisted,
    "site and cache deleted": lambda site, cache: (shutil.rmtree(site), shutil.rmtree(cache)),
}


@pytest.mark.parametrize(
    "state", [pytest.param(one, marks=pytest.mark.thorough if at else ()) for at, one in enumerate(STATES)]
)
def test_a_site_is_made_whole_whatever_has_become_of_it_and_of_the_cache(library, monkeypatch, capsys, state):
    site = library.folder / "site"
    monkeypatch.setenv("XDG_CACHE_HOME", str(library.kept))
    monkeypatch.chdir(library.folder)
    assert main(["build", "--no-print"]) == 0
    whole = files(site)
    STATES[state](site, library.kept)
    assert main(["build", "--no-print"]) == 0, capsys.readouterr()
    assert files(site) == whole


@pytest.mark.parametrize("state", ["a file", "a strange folder", "a closed site", "a closed project"])
def test_what_no_build_has_made_is_left_alone_in_a_sentence(library, monkeypatch, capsys, state):
    site = library.folder / "site"
    monkeypatch.setenv("XDG_CACHE_HOME", str(library.kept))
    monkeypatch.chdir(library.folder)
    assert main(["build", "--no-print"]) == 0
    closed = {"a closed site": site, "a closed project": site.parent}.get(state)
    if closed:  # told by the answer of the system alone: whoever runs tests may be let in everywhere
        (site / "index.html").unlink()
        access = os.access
        monkeypatch.setattr(os, "access", lambda path, mode: path != closed and access(path, mode))
    else:
        shutil.rmtree(site)
        write(site.parent, {"site" if state == "a file" else "site/mine.txt": "mine"})
    before = files(library.folder)
    capsys.readouterr()
    assert main(["build", "--no-print"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"rulewright: {closed or site} ")
    assert said.count("\n") == 1
    assert files(library.folder) == before
