"""Several files are changed together or not at all, whatever happens half-way."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.source import disk, private, transaction, turns
from rulewright.source.folder import CONTENT
from rulewright.source.transaction import recover, replace
from rulewright.source.turns import Busy
from tests.commands.duel import write
from tests.projects import files

BEFORE = {
    f"content/{name}": f"{name} before".encode() for name in ("a.yml", "b/c.yml", "gone.yml", "kept.yml")
}
AFTER: Mapping[str, bytes | None] = {
    "content/a.yml": b"a after",
    "content/b/c.yml": b"c after",
    "content/gone.yml": None,
    "content/new.yml": b"new",
}
MADE = {name: data for name, data in {**BEFORE, **AFTER}.items() if data is not None}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path / "p", BEFORE)


def aside(project: Path) -> Path:
    """Where the files of a project lie aside while they are changed."""
    return private.folder() / private.key(project / "content")


def test_all_of_them(project: Path) -> None:
    (project / "content/a.yml").chmod(0o640)
    replace(project, AFTER, BEFORE)
    assert files(project) == MADE
    assert (project / "content/a.yml").stat().st_mode & 0o777 == 0o640


def test_a_link_stays_one_and_leads_nowhere_else(project: Path, tmp_path: Path) -> None:
    link, real = project / "content/a.yml", project / "content/real.yml"
    link.rename(real)
    link.symlink_to(real)
    replace(project, AFTER, BEFORE)
    assert link.is_symlink()
    assert real.read_bytes() == b"a after"
    shutil.move(real, tmp_path / "real.yml")
    link.unlink()
    link.symlink_to(tmp_path / "real.yml")
    with pytest.raises(Busy, match=r"a\.yml leads out of content/"):
        replace(project, {"content/a.yml": b"again"}, {"content/a.yml": b"a after"})
    assert (tmp_path / "real.yml").read_bytes() == b"a after"


@pytest.mark.parametrize("call", ["replace", "unlink", "fsync", "mkdir", "open"])
@pytest.mark.parametrize("failing", range(1, 30, 2))
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_none_where_any_call_fails(project, monkeypatch, call, failing, error):
    count = 0
    true: Callable[..., Any] = getattr(os, call)

    def fails_once(*given: Any, **more: Any) -> Any:
        nonlocal count
        count += 1
        if count == failing:
            raise error
        return true(*given, **more)

    monkeypatch.setattr(os, call, fails_once)
    final = MADE
    try:
        replace(project, AFTER, BEFORE)
    except (OSError, KeyboardInterrupt):
        # Ctrl-C while the last traces are removed changes nothing any more.
        final = MADE if isinstance(error, KeyboardInterrupt) and files(project) == MADE else BEFORE
    monkeypatch.undo()
    recover(project)
    assert files(project) == final
    assert not aside(project).exists()


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.test_safekeeping import AFTER, BEFORE
from rulewright.source import transaction
count = 0
def killing(true):
    def call(*given, **more):
        global count
        count += 1
        if count == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return true(*given, **more)
    return call
for name in ("replace", "unlink", "fsync", "mkdir"):
    setattr(os, name, killing(getattr(os, name)))
for at, project in enumerate(sys.argv[2:], 1):
    if not os.fork():
        transaction.replace(Path(project), AFTER, BEFORE)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
"""
"""A change in each of some projects, in a process that is killed one call later each time."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no kill -9")
def test_none_where_the_process_is_killed(tmp_path: Path) -> None:
    top = str(Path(__file__).parent.parent)
    projects = [write(tmp_path / str(at), BEFORE) for at in range(1, 51)]
    run = subprocess.run(
        [sys.executable, "-c", KILLED, top, *projects], cwd=top, stdout=subprocess.PIPE, text=True
    )
    codes = run.stdout.split()
    assert len(codes) == len(projects)
    assert {*codes} <= {"0", str(-signal.SIGKILL)}
    touched = 0
    for code, project in zip(codes, projects, strict=True):
        touched += files(project) not in (BEFORE, MADE)
        unfinished = recover(project) != ""
        if code == "0":
            assert files(project) == MADE
        elif unfinished or files(project) != MADE:
            assert files(project) == BEFORE
        assert not aside(project).exists()
    assert touched, "no file had been touched when a process was killed, which proves nothing"


def killed(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A change that was killed between its second file and its third; what lies aside."""

    class Killed(BaseException):
        pass

    def kill(*given: object, **more: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(transaction, "_undo", kill)
        patch.setattr(Path, "unlink", kill)  # gone.yml, the third
        with pytest.raises(Killed):
            replace(project, AFTER, BEFORE)
    assert files(project) not in (BEFORE, MADE)
    return aside(project)


def test_putting_back_may_be_interrupted_too(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed(project, monkeypatch)
    true = os.replace
    monkeypatch.setattr(os, "replace", lambda *given: (_ for _ in ()).throw(OSError(5, "I/O error")))
    with pytest.raises(OSError, match="I/O"):
        recover(project)
    monkeypatch.setattr(os, "replace", true)
    assert recover(project) == "a change that was interrupted has been undone"
    assert files(project) == BEFORE
    assert recover(project) == ""


def test_a_fault_while_a_change_is_undone_loses_nothing(project, monkeypatch):
    def fail(*given: object, **more: object) -> None:
        raise OSError(5, "I/O error")

    monkeypatch.setattr(Path, "unlink", fail)
    with pytest.raises(OSError, match="I/O"):
        replace(project, AFTER, BEFORE)
    monkeypatch.undo()
    assert recover(project)
    assert files(project) == BEFORE


def test_a_folder_that_was_moved_is_put_back_and_a_copy_is_left_alone(project, monkeypatch, tmp_path):
    killed(project, monkeypatch)
    shutil.copytree(project, tmp_path / "copy")
    half = files(project)
    assert recover(tmp_path / "copy") == ""
    project.rename(tmp_path / "moved")
    assert recover(tmp_path / "copy") == ""
    assert files(tmp_path / "copy") == half
    assert recover(tmp_path / "moved")
    assert files(tmp_path / "moved") == BEFORE


def test_an_edit_since_is_not_undone_and_what_was_is_kept(project, monkeypatch):
    killed(project, monkeypatch)
    write(project, {"content/b/c.yml": "edited"})
    half = files(project)
    said = recover(project)
    assert "content/b/c.yml has been edited since" in said
    kept = Path(said.rpartition(" is kept in ")[2])
    kept_yml = BEFORE["content/kept.yml"]  # which the change does not touch
    assert {path.read_bytes() for path in kept.glob("*.old")} == {*BEFORE.values()} - {kept_yml}
    assert files(project) == half
    assert recover(project) == ""


FORGED = [
    "../pwned.txt",
    "/elsewhere/abs.txt",
    "b/../../pwned.txt",
    "linked/pwned.txt",
    ".git/x",
    "",
    ".",
    "\0",
]


@pytest.mark.parametrize("name", [*FORGED, "\0", "\ud800"])
def test_a_journal_names_only_files_of_the_content(project, monkeypatch, tmp_path, name):
    lies = killed(project, monkeypatch)
    (project / "content/linked").symlink_to(tmp_path)
    write(tmp_path, {"pwned.txt": "precious"})
    before = files(tmp_path)
    journal = json.loads((lies / transaction.JOURNAL).read_bytes())
    was = disk.digest(b"precious")
    journal["files"] = {**journal["files"], name: ["", was]}
    write(lies, {transaction.JOURNAL: json.dumps(journal)})
    said = recover(project)
    assert "which is no file of content/" in said or "edited since" in said
    assert files(tmp_path) == before
    assert recover(project) == ""


JSON = st.recursive(
    st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
)


@pytest.mark.parametrize("garbage", [b"", b"{", b"[" * 100_000, b"1" * 5000, b"\xff", b'["../x"]'])
def test_a_damaged_journal_is_told_and_stops_nothing(project, monkeypatch, garbage):
    lies = killed(project, monkeypatch)
    half = files(project)
    write(lies, {transaction.JOURNAL: garbage})
    assert "its journal is damaged" in recover(project)
    assert files(project) == half
    assert recover(project) == ""


@given(key=st.sampled_from(["mark", "content", "place", "token", "files"]), value=JSON)
def test_no_journal_makes_it_fail(tmp_path_factory: pytest.TempPathFactory, key: str, value: object) -> None:
    project = write(tmp_path_factory.mktemp("p"), BEFORE)
    root = transaction._root(project, CONTENT)
    lies = aside(project)
    lies.mkdir()
    transaction._lay_aside(root, lies, {"a.yml": b"new"})
    journal = json.loads((lies / transaction.JOURNAL).read_bytes())
    write(lies, {transaction.JOURNAL: json.dumps(journal | {key: value})})
    recover(project)
    assert files(project) == BEFORE
    assert not lies.exists()


def test_nothing_in_the_content_is_a_journal(project: Path, tmp_path: Path) -> None:
    forged = {"journal.json": '["../pwned.txt", "kept.yml"]', "0.old": "pwned"}
    for folder in ("content/.changing", ".changing", ".rulewright"):
        write(project / folder, forged)
    before = files(tmp_path)
    assert recover(project) == ""
    assert files(tmp_path) == before


def test_where_the_home_is_closed_a_temporary_folder_of_the_user_serves(project, monkeypatch, tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(write(tmp_path, {"file": ""}) / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(shared))
    assert killed(project, monkeypatch).is_relative_to(shared)
    assert recover(project)
    assert files(project) == BEFORE


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="Windows has no such bits")
def test_a_folder_that_others_can_write_to_is_not_trusted(project, monkeypatch, tmp_path):
    killed(project, monkeypatch)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (own := private.folder()).chmod(0o777)
    try:
        assert recover(project) == ""
        (tmp_path / f"rulewright-{os.getuid()}").symlink_to(own)
        with pytest.raises(PermissionError, match="XDG_STATE_HOME"):
            private.folder()
    finally:
        own.chmod(0o700)
    assert recover(project)


def test_folders_come_and_go_with_their_files(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change = {"content/b/c.yml": None, "content/d/e/f.yml": b"new"}
    folders = sorted(project.rglob("*/"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *given: (_ for _ in ()).throw(OSError(5, "I/O error")))
        with pytest.raises(OSError, match="I/O"):
            replace(project, change, BEFORE)
    assert sorted(project.rglob("*/")) == folders
    replace(project, change, BEFORE)
    assert not (project / "content/b").exists()
    assert (project / "content/d/e/f.yml").read_bytes() == b"new"


def test_what_a_change_was_made_of_may_not_have_changed_either(project: Path) -> None:
    write(project, {"content/kept.yml": "edited"})
    with pytest.raises(Busy, match=r"content/kept\.yml has been changed meanwhile"):
        replace(project, AFTER, BEFORE)
    assert files(project) == {**BEFORE, "content/kept.yml": b"edited"}


def test_what_has_been_changed_meanwhile_is_not_overwritten(project: Path) -> None:
    write(project, {"content/a.yml": "edited"})
    with pytest.raises(Busy, match=r"content/a\.yml has been changed meanwhile"):
        replace(project, AFTER, BEFORE)
    assert files(project) == {**BEFORE, "content/a.yml": b"edited"}


def test_one_change_at_a_time(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 0)
    with turns.alone(project / "content"), pytest.raises(Busy, match="another command"):
        replace(project, AFTER, BEFORE)
    with turns.reading(project / "content"), pytest.raises(Busy, match="another command"):
        replace(project, AFTER, BEFORE)
    replace(project, AFTER, BEFORE)
    assert files(project) == MADE
