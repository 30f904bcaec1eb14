"""Several files are changed together or not at all, whatever happens half-way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from generator import safekeeping
from generator.safekeeping import Busy, recover, replace
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


def content(project: Path) -> dict[str, bytes]:
    """The files of a project but for what lies aside."""
    return {name: data for name, data in files(project).items() if ".changing" not in name}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path / "p", BEFORE)


def test_all_of_them(project: Path) -> None:
    (project / "content/a.yml").chmod(0o640)
    replace(project, AFTER, BEFORE)
    assert files(project) == MADE
    assert (project / "content/a.yml").stat().st_mode & 0o777 == 0o640


def test_a_link_stays_one(project: Path, tmp_path: Path) -> None:
    (tmp_path / "real.yml").write_bytes(BEFORE["content/a.yml"])
    (project / "content/a.yml").unlink()
    (project / "content/a.yml").symlink_to(tmp_path / "real.yml")
    replace(project, AFTER, BEFORE)
    assert (project / "content/a.yml").is_symlink()
    assert (tmp_path / "real.yml").read_bytes() == b"a after"


@pytest.mark.parametrize("call", ["replace", "unlink", "fsync", "mkdir", "open"])
@pytest.mark.parametrize("failing", range(1, 30, 2))
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_none_where_any_call_fails(
    project: Path, monkeypatch: pytest.MonkeyPatch, call: str, failing: int, error: BaseException
) -> None:
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
        # What fails while the last traces are removed changes nothing any more.
        journal = project / safekeeping.ASIDE / "journal.json"
        final = MADE if isinstance(error, KeyboardInterrupt) and not journal.exists() else BEFORE
        if final == MADE and content(project) != MADE:
            final = BEFORE
    monkeypatch.undo()
    recover(project)
    assert files(project) == final


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.test_safekeeping import AFTER, BEFORE
from generator import safekeeping
at, count = int(sys.argv[3]), 0
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
safekeeping.replace(Path(sys.argv[2]), AFTER, BEFORE)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows has no kill -9")
@pytest.mark.parametrize("at", range(1, 26, 2))
def test_none_where_the_process_is_killed(project: Path, at: int) -> None:
    top = str(Path(__file__).parent.parent)
    run = subprocess.run([sys.executable, "-c", KILLED, top, str(project), str(at)], cwd=top)
    unfinished = recover(project)
    if run.returncode == 0:
        assert files(project) == MADE
    elif unfinished or files(project) != MADE:
        assert files(project) == BEFORE
    assert not (project / safekeeping.ASIDE).exists()


def test_some_are_killed_half_way(project: Path) -> None:
    """The trial above would prove nothing if no file had been touched when a process was killed."""
    top = str(Path(__file__).parent.parent)
    touched = 0
    for at in range(12, 25):
        write(project, BEFORE)
        (project / "content/new.yml").unlink(missing_ok=True)
        subprocess.run([sys.executable, "-c", KILLED, top, str(project), str(at)], cwd=top)
        touched += content(project) not in (BEFORE, MADE)
        recover(project)
    assert touched


def test_putting_back_may_be_interrupted_too(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aside = write(project / safekeeping.ASIDE, {"0.old": b"a.yml before"})
    write(aside, {"journal.json": '["content/a.yml", "content/new.yml"]', "1.new": b"?"})
    write(project, {"content/a.yml": b"half"})
    true = os.replace
    monkeypatch.setattr(os, "replace", lambda *given: (_ for _ in ()).throw(OSError(5, "I/O error")))
    with pytest.raises(OSError, match="I/O"):
        recover(project)
    monkeypatch.setattr(os, "replace", true)
    assert recover(project)
    assert files(project) == BEFORE


def test_what_has_been_changed_meanwhile_is_not_overwritten(project: Path) -> None:
    write(project, {"content/a.yml": "edited"})
    with pytest.raises(Busy, match=r"content/a\.yml has been changed meanwhile"):
        replace(project, AFTER, BEFORE)
    assert files(project) == {**BEFORE, "content/a.yml": b"edited"}


def test_one_change_at_a_time(project: Path) -> None:
    aside = project / safekeeping.ASIDE
    aside.mkdir()
    with safekeeping._locked(aside), pytest.raises(Busy, match="another command"):
        replace(project, AFTER, BEFORE)
    replace(project, AFTER, BEFORE)
    assert files(project) == MADE
