"""Several files changed together: all of them or none, whatever happens half-way.

What each file was and what it becomes lie aside, in a hidden folder on the same disk, before the first is
touched; a journal there says which. A change that fails puts everything back at once. One that was killed is
put back by the next command, which finds the journal. Removing the journal is what makes a change final.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from generator.folder import CONTENT

ASIDE = f"{CONTENT}/.changing"
_JOURNAL = "journal.json"


class Busy(Exception):
    """Another command is changing the content, or something else has changed it meanwhile."""


def replace(project: Path, files: Mapping[str, bytes | None], read: Mapping[str, bytes]) -> None:
    """Make files what they are to be; None removes one. `read` is what they are taken to be now.

    Raises Busy or OSError, and has then changed nothing.
    """
    recover(project)
    for name in files:
        path = _target(project, name)
        now = path.read_bytes() if path.exists() else None
        if now != read.get(name):
            raise Busy(f"{name} has been changed meanwhile; nothing was written, try again")
    aside = project / ASIDE
    try:
        aside.mkdir()
    except FileExistsError:
        raise Busy("another command is changing the content; try again when it has ended") from None
    try:
        with _locked(aside):
            _lay_aside(project, aside, files)
            try:
                _swap(project, aside, files)
            except BaseException:
                _put_back(project, aside)
                raise
            (aside / _JOURNAL).unlink()
            _settle(aside)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def recover(project: Path) -> bool:
    """Undo a change that was killed. Says whether there was one. Raises Busy while one is being made."""
    aside = project / ASIDE
    if not aside.is_dir():
        return False
    with _locked(aside):
        unfinished = (aside / _JOURNAL).exists()
        if unfinished:
            _put_back(project, aside)
            (aside / _JOURNAL).unlink()
    shutil.rmtree(aside, ignore_errors=True)
    return unfinished


def _target(project: Path, name: str) -> Path:
    """Where a file is: where it is a symbolic link, what it leads to."""
    return Path(os.path.realpath(project / name))


def _lay_aside(project: Path, aside: Path, files: Mapping[str, bytes | None]) -> None:
    """Write what each file was and will be, and then the journal."""
    for at, (name, data) in enumerate(files.items()):
        path = _target(project, name)
        if path.exists():
            _write(aside / f"{at}.old", path.read_bytes())
            shutil.copymode(path, aside / f"{at}.old")
        if data is not None:
            _write(aside / f"{at}.new", data)
            if path.exists():
                shutil.copymode(path, aside / f"{at}.new")
    _write(aside / f"{_JOURNAL}.new", json.dumps(list(files)).encode())
    os.replace(aside / f"{_JOURNAL}.new", aside / _JOURNAL)
    _settle(aside)


def _swap(project: Path, aside: Path, files: Mapping[str, bytes | None]) -> None:
    for at, (name, data) in enumerate(files.items()):
        path = _target(project, name)
        if data is None:
            path.unlink()
        else:
            os.replace(aside / f"{at}.new", path)
        _settle(path.parent)


def _put_back(project: Path, aside: Path) -> None:
    """Make every file what it was, passing over what a try that was killed has put back."""
    for at, name in enumerate(json.loads((aside / _JOURNAL).read_bytes())):
        path, old, back = _target(project, name), aside / f"{at}.old", aside / f"{at}.back"
        if old.exists():
            back.touch()
            os.replace(old, path)
        elif not back.exists():  # it was not there before
            path.unlink(missing_ok=True)
        _settle(path.parent)


def _write(path: Path, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _settle(folder: Path) -> None:
    """Have the disk take down what a folder holds, where the system lets folders be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def _locked(aside: Path) -> Iterator[None]:
    """Keep other commands from the folder. The system ends this with the process, however that ends."""
    with open(aside / "lock", "w") as file:
        try:
            _lock(file)
        except OSError:
            raise Busy("another command is changing the content; try again when it has ended") from None
        yield


def _lock(file: IO[str]) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
