"""A site is replaced as a whole or not at all, whatever stops a build and whenever."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.app import staged_build
from rulewright.files import folder_lock
from tests.commands.duel import write

OLD, NEW = {"index.html": "old", "gone/index.html": "old"}, {"index.html": "new", "come/index.html": "new"}


@pytest.fixture
def site(tmp_path):
    """A site as a build wrote it."""
    staged_build.swap_in(begun := staged_build.begin_staging(tmp_path / "site"))
    assert not begun.folder.exists()
    return write(tmp_path / "site", OLD)


def read(folder: Path) -> dict[str, str]:
    files = {f.relative_to(folder).as_posix(): f.read_text() for f in folder.rglob("*") if f.is_file()}
    files.pop(staged_build.MARK, None)
    return files


def beside(site: Path) -> list[str]:
    return sorted(path.name for path in site.parent.iterdir())


def test_the_old_site_stays_until_the_new_one_is_published(site):
    under_way = staged_build.begin_staging(site)
    write(under_way.folder, NEW)
    assert read(site) == OLD
    staged_build.swap_in(under_way)
    assert read(site) == NEW
    assert beside(site) == ["site"]


def test_a_site_whose_folder_cannot_be_renamed_is_left_alone(site, monkeypatch):
    def refused(one, other):
        raise OSError("Device or resource busy")

    under_way = staged_build.begin_staging(site)
    monkeypatch.setattr(os, "rename", refused)
    with pytest.raises(staged_build.UnsafeTarget, match="site cannot be renamed"):
        staged_build.swap_in(under_way)
    staged_build.discard_staging(under_way)
    assert read(site) == OLD
    assert beside(site) == ["site"]


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_killed_build_leaves_the_site_alone_and_the_next_tidies_up(site):
    code = f"""if True:
        import os, pathlib, signal
        from rulewright.app.staged_build import begin_staging
        folder = begin_staging(pathlib.Path({str(site)!r})).folder
        (folder / "index.html").write_text("half")
        os.kill(os.getpid(), signal.SIGKILL)"""
    root = Path(staged_build.__file__).parents[2]
    killed = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(root)})
    assert killed.returncode == -signal.SIGKILL
    assert read(site) == OLD
    assert len(beside(site)) == 2
    staged_build.discard_staging(staged_build.begin_staging(site))
    assert beside(site) == ["site"]


def test_two_builds_of_a_site_take_turns(site, monkeypatch):
    monkeypatch.setattr(folder_lock, "ATTEMPTS", 0)
    first = staged_build.begin_staging(site)
    write(first.folder, NEW)
    with pytest.raises(folder_lock.FolderBusy, match=r"site is locked by another command; try again"):
        staged_build.begin_staging(site)
    staged_build.swap_in(first)
    assert read(site) == NEW
    staged_build.discard_staging(staged_build.begin_staging(site))
    assert beside(site) == ["site"]


def test_hidden_files_survive_a_swap_broken_off_anywhere(site, monkeypatch):
    """The old site has what no build makes again, so it may not be taken for what a killed build left."""
    write(site, {".git/HEAD": "ref"})

    class Killed(BaseException):
        pass

    true = os.rename
    for at in range(1, 8):
        count = 0

        def rename(one, other, *, last=at):
            nonlocal count
            count += 1
            if count == last:
                raise Killed
            true(one, other)

        under_way = staged_build.begin_staging(site)
        write(under_way.folder, NEW)
        monkeypatch.setattr(os, "rename", rename)
        with contextlib.suppress(Killed):
            staged_build.swap_in(under_way)
        monkeypatch.setattr(os, "rename", true)
        under_way.lock.close()
        staged_build.discard_staging(staged_build.begin_staging(site))
        assert read(site) in ({**OLD, ".git/HEAD": "ref"}, {**NEW, ".git/HEAD": "ref"})
        assert beside(site) == ["site"]


def test_other_folders_beside_the_site_are_left_alone(site):
    others = {".site.newer/a": "", ".sites.new-1/a": "", "site.old-1/a": "", ".site.old-backup/a": ""}
    write(site.parent, {**others, ".site.new-mine": "", ".site.old-12345678": "a file"})
    staged_build.swap_in(staged_build.begin_staging(site))
    left = read(site.parent)
    del left["site/.rulewright-site"]
    assert left == {**others, ".site.new-mine": "", ".site.old-12345678": "a file"}


@pytest.mark.parametrize("other", ["thesis.txt", "sub/a", "index.html", "generator/cli.py"])
def test_files_from_no_build_are_never_replaced(tmp_path, other):
    precious = write(tmp_path / "mine", {other: "precious", ".git/HEAD": "ref"})
    with pytest.raises(staged_build.UnsafeTarget, match=r"mine contains \w+.*name a folder that is empty"):
        staged_build.begin_staging(precious)
    assert read(tmp_path) == {f"mine/{other}": "precious", "mine/.git/HEAD": "ref"}


def test_what_has_come_while_a_build_was_under_way_is_not_replaced(tmp_path):
    under_way = staged_build.begin_staging(tmp_path / "site")
    write(tmp_path / "site", {"thesis.txt": "precious"})
    with pytest.raises(staged_build.UnsafeTarget):
        staged_build.swap_in(under_way)
    staged_build.discard_staging(under_way)
    assert read(tmp_path) == {"site/thesis.txt": "precious"}
