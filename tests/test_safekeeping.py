"""Several files changed together: all of them, or where something fails none."""

import os
from pathlib import Path

import pytest

from rulewright.files.folder_lock import FolderBusy
from rulewright.files.transaction import replace_files
from tests.commands.duel import write

BEFORE = {"content/a.yml": b"a before", "content/b/c.yml": b"c before", "content/same.yml": b"same"}
AFTER = {"content/a.yml": b"a after", "content/b/c.yml": None, "content/d/e.yml": b"e"}
RESULT = {"content/a.yml": b"a after", "content/d/e.yml": b"e", "content/same.yml": b"same"}


@pytest.fixture
def project(tmp_path):
    return write(tmp_path / "p", BEFORE)


def files(project: Path) -> dict[str, bytes]:
    every = (one for one in project.rglob("*") if one.is_file())
    return {one.relative_to(project).as_posix(): one.read_bytes() for one in every}


def test_all_of_them(project):
    (project / "content/a.yml").chmod(0o640)
    replace_files(project, AFTER, BEFORE)
    assert files(project) == RESULT
    assert not (project / "content/b").exists()
    assert (project / "content/a.yml").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_none_where_a_call_fails(project, monkeypatch, error):
    done, real = [], os.replace

    def once(*given, **more):  # type: ignore[no-untyped-def]
        done.append(given)
        if len(done) == 2:
            raise error
        return real(*given, **more)

    monkeypatch.setattr(os, "replace", once)
    with pytest.raises(type(error)):
        replace_files(project, AFTER, BEFORE)
    assert files(project) == BEFORE


def test_a_link_stays_one_and_leads_nowhere_else(project, tmp_path):
    link, real = project / "content/a.yml", project / "content/real.yml"
    link.rename(real)
    link.symlink_to(real)
    replace_files(project, AFTER, BEFORE)
    assert link.is_symlink()
    assert real.read_bytes() == b"a after"
    real.rename(tmp_path / "real.yml")
    link.unlink()
    link.symlink_to(tmp_path / "real.yml")
    with pytest.raises(FolderBusy, match=r"a\.yml leads out of content/"):
        replace_files(project, {"content/a.yml": b"again"}, {"content/a.yml": b"a after"})


@pytest.mark.parametrize("name", ["same", "a"])
def test_what_has_been_changed_meanwhile_is_not_overwritten(project, name):
    write(project, {f"content/{name}.yml": "edited"})
    with pytest.raises(FolderBusy, match=rf"content/{name}\.yml has been changed meanwhile"):
        replace_files(project, AFTER, BEFORE)
    assert files(project) == {**BEFORE, f"content/{name}.yml": b"edited"}
