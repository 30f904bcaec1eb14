"""A site is whole after each build, whatever is in its place; a build that ends early leaves it unchanged."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.app import staged_build
from rulewright.app.cli import main
from rulewright.files import user_folders
from rulewright.files.disk_cache import DiskCache, cache_key
from rulewright.files.resources import PACKAGE
from tests.commands.duel import BOOK, write
from tests.projects import files

CHAPTER = "content/duel/1/rules/1.yml"
FILES = {
    **BOOK,
    "mkdocs.yml": "site_name: Duel\nplugins: [rulewright]\n",
    CHAPTER: 'chapter: "1.0"\ntitle: Swords\n"1.1 Parry": Turn it. See 1.2.\n"1.2 Lunge": Go.\n',
    "content/notes.md": "# Notes\n\nSee [[duel/1:1.1]].\n",
}
del FILES["content/duel/1/known.yml"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with a site, and with a cache of its own beside it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(write(tmp_path / "project", FILES))
    assert main(["build", "--no-print"]) == 0
    return tmp_path / "project"


def test_a_build_that_is_interrupted_does_no_harm(project, monkeypatch):
    def interrupted(*given: object) -> None:
        raise KeyboardInterrupt

    before = files(project / "site")
    (project / CHAPTER).write_text(FILES[CHAPTER].replace("Parry", "Parade"))
    with monkeypatch.context() as broken:
        broken.setattr(staged_build, "swap_in", interrupted)
        assert main(["build", "--no-print"]) == 130
    assert files(project / "site") == before
    assert main(["build", "--no-print"]) == 0
    assert main(["build", "--no-print", "--output", "again"]) == 0
    assert files(project / "site") == files(project / "again") != before


def _fill(file: Path) -> None:
    file.write_text("mine")


STATES: dict[str, Callable[[Path, Path], object]] = {
    "site emptied": lambda site, cache: (shutil.rmtree(site), site.mkdir()),
    "a page cut short": lambda site, cache: (site / "index.html").write_text("<"),
    "a file for a folder": lambda site, cache: (shutil.rmtree(site / "duel"), _fill(site / "duel")),
    "a strange file": lambda site, cache: _fill(site / "mine.txt"),
    "cache cut short": lambda site, cache: [_fill(one) for one in cache.rglob("*") if one.is_file()],
    "site and cache deleted": lambda site, cache: (shutil.rmtree(site), shutil.rmtree(cache)),
    "cache a file": lambda site, cache: (shutil.rmtree(cache), _fill(cache)),
    "a link to nothing": lambda site, cache: (shutil.rmtree(site), site.symlink_to("aside")),
}


def test_a_site_is_whole_after_a_build_whatever_happened_to_it_and_to_the_cache(project, tmp_path):
    whole = files(project / "site")
    for name, damage in STATES.items():
        damage(project / "site", tmp_path / "cache")
        assert main(["build", "--no-print"]) == 0, name
        assert files(project / "site") == whole, name


@pytest.mark.parametrize("state", ["a file", "a strange folder", "a closed site", "a closed project"])
def test_what_is_not_from_a_build_is_left_alone_with_a_message(project, monkeypatch, capsys, state):
    site = project / "site"
    closed = {"a closed site": site, "a closed project": project}.get(state)
    if closed:  # the answer of the system alone is changed: root may write everywhere
        (site / "index.html").unlink()
        access = os.access
        monkeypatch.setattr(os, "access", lambda path, mode: path != closed and access(path, mode))
    else:
        shutil.rmtree(site)
        write(project, {"site" if state == "a file" else "site/mine.txt": "mine"})
    before = files(project)
    capsys.readouterr()
    assert main(["build", "--no-print"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"rulewright: {closed or site} ")
    assert error.count("\n") == 1
    assert files(project) == before


# The cache


def test_a_cached_result_is_found_by_its_key(tmp_path):
    cache = DiskCache(tmp_path)
    cache.put_object(cache_key("a", "b"), {"rules": 12})
    cache.put(cache_key("ab"), b"page")
    assert DiskCache(tmp_path).get_object(cache_key("a", "b")) == {"rules": 12}
    assert DiskCache(tmp_path).get(cache_key("ab")) == b"page"
    assert DiskCache(tmp_path).get(cache_key("b", "a")) is None
    assert cache_key("a", b"b") == cache_key(b"a", "b") != cache_key("ab")


def test_a_damaged_file_of_the_cache_counts_as_missing(tmp_path):
    cache = DiskCache(tmp_path)
    cache.put_object("key", "words " * 20)
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    whole = file.read_bytes()
    for offset in range(len(whole)):
        file.write_bytes(whole[:offset] + bytes([whole[offset] ^ 1]) + whole[offset + 1 :])
        assert cache.get_object("key") is None
        file.write_bytes(whole[:offset])
        assert cache.get_object("key") is None
    file.unlink()
    file.mkdir()
    assert cache.get_object("key") is None
    cache.put_object("key", "no place")


def test_the_files_that_were_unused_the_longest_are_deleted(tmp_path):
    cache = DiskCache(tmp_path, limit=10_000)
    for number in range(9):
        cache.put(f"{number:02}piece", bytes(1_000))
        os.utime(tmp_path / f"{number:02}" / "piece", (number + 1, number + 1))
    assert cache.get("00piece")  # used again
    cache.put("99piece", bytes(2_000))
    left = {path.parent.name: path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()}
    assert {"00", "99"} <= left.keys()
    assert not {"01", "02"} & left.keys()
    assert sum(left.values()) <= 7_500


def test_templates_are_compiled_once_for_all_projects(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert user_folders.program_cache_folder("templates") == PACKAGE / "__pycache__" / "templates"
