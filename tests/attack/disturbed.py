"""Commands that are killed, stopped, or refused by the disk at the Nth thing that they do to files.

A process of its own has everything imported and splits a child off for each command, so that a try takes no
longer than the command. Nothing depends on time: what a command does to files is counted, and that only
within the folder that the try is about.
"""

import builtins
import contextlib
import errno
import gc
import io
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from rulewright.source import turns

TOP = Path(__file__).resolve().parents[2]
NEEDS_ROOM = ("create", "write", "mkdir", "symlink", "link", "sendfile")
"""What a full disk refuses; the rest works on it as ever."""


@dataclass(frozen=True)
class Disturbance:
    """What happens to a command at the `at`th change of a file: `kill`, `stop`, or an error by its name.

    With an error, `lasting`: this and every later one; `under`: only of files below this folder. A write is
    broken off in the middle. `clock`: the seconds by which time goes back at each look at it. `impatient`: it
    waits for no other command. `out`: where its standard output goes. `limit`: the most bytes of a file.
    """

    how: str = ""
    at: int = 0
    lasting: bool = False
    under: str = ""
    clock: float = 0
    impatient: bool = False
    out: str = ""
    limit: int = 0


@dataclass(frozen=True)
class Outcome:
    """How a command ended: its code, minus the signal that killed it, or None where it was stopped."""

    code: int | None
    out: str
    err: str
    events: Sequence[str]
    pid: int = field(default=0, compare=False)


class Disturbed:
    """A process that runs commands. `compiled`: where the templates are that one of them has compiled."""

    def __init__(self) -> None:
        self.compiled: Path | None = None
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(TOP), str(TOP / "generator"))),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [sys.executable, "-P", "-m", "tests.attack.disturbed"]
        self._process = subprocess.Popen(
            command, cwd=TOP, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, folder: Path, words: Sequence[str], disturbance: Disturbance = Disturbance()) -> Outcome:
        """Run a command line in `project/` of a folder, which holds the user's own folders too."""
        return self._ask({"folder": str(folder), "words": list(words), "disturbance": asdict(disturbance)})

    def go_on(self, folder: Path, stopped: Outcome) -> Outcome:
        """Let a command that was stopped come to its end."""
        return self._ask({"folder": str(folder), "go on": stopped.pid})

    def end(self) -> None:
        """End the process."""
        self._process.communicate()

    def _ask(self, asked: Mapping[str, Any]) -> Outcome:
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        notes = [Path(asked["folder"], f"{answer['pid']}.{name}") for name in ("out", "err", "events")]
        out, err, events = (note.read_text("utf-8", "replace") for note in notes)
        if answer["code"] is not None:
            for note in notes:
                note.unlink()
        return Outcome(answer["code"], out, err, events.splitlines(), answer["pid"])


class Disk:
    """Stands between the program and what changes files."""

    def __init__(self, folder: str, disturbance: Disturbance, notes: IO[str]) -> None:
        self.folder, self.wanted, self.notes, self.count = folder, disturbance, notes, 0
        self.paths: dict[int, str] = {}

    def event(self, call: str, path: str | bytes | os.PathLike[str] | int, dir_fd: int | None = None) -> None:
        """Count a change, and let happen what is to happen at it."""
        name = self.paths.get(path, "") if isinstance(path, int) else os.fsdecode(path)
        if dir_fd is not None:
            name = os.path.join(os.readlink(f"/proc/self/fd/{dir_fd}"), name)
        name = os.path.abspath(name) if name else ""
        if not f"{name}{os.sep}".startswith(f"{self.folder}{os.sep}"):
            return
        wanted = self.wanted
        self.count += 1
        print(f"{call} {os.path.relpath(name, self.folder)}", file=self.notes, flush=True)
        if not wanted.how:
            return
        if wanted.how in ("kill", "stop"):
            if self.count == wanted.at:
                os.kill(os.getpid(), signal.SIGKILL if wanted.how == "kill" else signal.SIGSTOP)
            return
        struck = self.count >= wanted.at if wanted.lasting else self.count == wanted.at
        if struck and wanted.how in ("ENOSPC", "EDQUOT", "EFBIG"):
            struck = call in NEEDS_ROOM
        if struck and (not wanted.under or f"{name}{os.sep}".startswith(f"{wanted.under}{os.sep}")):
            number = getattr(errno, wanted.how)
            # The system names no file where a file is open already.
            raise OSError(number, os.strerror(number), *([] if call in ("write", "fsync") else [name]))

    def counted(self, call: str, true: Callable[..., Any]) -> Callable[..., Any]:
        def changed(path: Any, *given: Any, **more: Any) -> Any:
            self.event(call, path, more.get("dir_fd", more.get("src_dir_fd")))
            return true(path, *given, **more)

        return changed

    def install(self) -> None:
        """Take the place of the system's own calls."""
        for name in ("rename", "replace", "unlink", "remove", "mkdir", "rmdir", "fsync", "symlink", "link"):
            setattr(os, name, self.counted(name, getattr(os, name)))
        for name in ("chmod", "utime", "truncate"):
            setattr(os, name, self.counted(name, getattr(os, name)))
        os_open, os_close, sendfile, opened = os.open, os.close, os.sendfile, io.open

        def system_open(path: Any, flags: int, *given: Any, **more: Any) -> int:
            if flags & (os.O_WRONLY | os.O_RDWR):
                self.event("create", path, more.get("dir_fd"))
            number = os_open(path, flags, *given, **more)
            self.paths[number] = os.fsdecode(path)
            return number

        def system_close(number: int) -> None:
            self.paths.pop(number, None)
            os_close(number)

        def send(target: int, *given: Any, **more: Any) -> int:
            self.event("sendfile", target)
            return sendfile(target, *given, **more)

        disk = self

        class Raw(io.FileIO):
            def write(self, data: Any) -> int:
                half = memoryview(data)[: len(data) // 2]
                wanted, last = disk.wanted, disk.count + 1
                if wanted.how and (wanted.at == last or (wanted.lasting and wanted.at < last)):
                    before = super().tell() if self.seekable() else None
                    super().write(half)
                    os.fsencode("")
                    disk.event("write", self.fileno())
                    if before is not None:  # it was not broken off after all
                        self.seek(before)
                else:
                    disk.event("write", self.fileno())
                return super().write(data) or 0

            def close(self) -> None:
                if not self.closed:
                    disk.paths.pop(self.fileno(), None)
                super().close()

        def open_file(
            file: Any, mode: str = "r", buffering: int = -1, encoding: Any = None, errors: Any = None,
            newline: Any = None, closefd: bool = True, opener: Any = None,
        ) -> Any:  # fmt: skip
            if not set(mode) & set("wax+") or isinstance(file, int):
                return opened(file, mode, buffering, encoding, errors, newline, closefd, opener)
            self.event("create", file)
            raw = Raw(file, mode.replace("b", "").replace("t", ""), closefd, opener)
            self.paths[raw.fileno()] = os.fsdecode(file)
            buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
            if buffering == 0:
                return raw
            return buffered if "b" in mode else io.TextIOWrapper(buffered, encoding, errors, newline)

        os.open, os.close = system_open, system_close  # type: ignore[assignment]
        os.sendfile = send  # type: ignore[assignment]
        builtins.open = io.open = open_file  # type: ignore[assignment]
        for name in ("_USE_CP_SENDFILE", "_USE_CP_COPY_FILE_RANGE"):
            if hasattr(shutil, name):
                setattr(shutil, name, False)


def _child(asked: Mapping[str, Any]) -> None:
    """Run a command line, in a process of its own that ends with it."""
    folder = Path(asked["folder"])
    streams = {
        name: open(folder / f"{os.getpid()}.{name}", "w", encoding="utf-8")  # noqa: SIM115
        for name in ("out", "err", "events")
    }
    os.dup2(streams["out"].fileno(), 1)
    os.dup2(streams["err"].fileno(), 2)
    sys.stdout, sys.stderr = open(1, "w", encoding="utf-8"), open(2, "w", encoding="utf-8", buffering=1)  # noqa: SIM115
    home = {"HOME": "home", "XDG_STATE_HOME": "state", "XDG_CACHE_HOME": "cache", "TMPDIR": "tmp"}
    for variable, name in home.items():
        (folder / name).mkdir(mode=0o700, exist_ok=True)
        os.environ[variable] = str(folder / name)
    tempfile.tempdir = None
    os.chdir(folder / "project")
    disturbance = Disturbance(**asked["disturbance"])
    Disk(str(folder), disturbance, streams["events"]).install()
    if disturbance.clock:
        _turn_back(disturbance.clock)
    if disturbance.impatient:
        turns.PATIENCE = 0
    if disturbance.limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (disturbance.limit, disturbance.limit))
    if disturbance.out:
        os.dup2(os.open(disturbance.out, os.O_WRONLY), 1)
    from rulewright.app.cli import main

    code = 70
    try:
        code = main(asked["words"])
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        os._exit(code)


def _turn_back(by: float) -> None:
    import time

    true, looks = time.time, 0

    def earlier() -> float:
        nonlocal looks
        looks += 1
        return true() - by * looks

    time.time = earlier
    time.time_ns = lambda: int(earlier() * 1e9)


def _wait(pid: int) -> int | None:
    _, status = os.waitpid(pid, os.WUNTRACED)
    return None if os.WIFSTOPPED(status) else os.waitstatus_to_exitcode(status)


def _serve() -> None:
    import rulewright.app.host
    import rulewright.app.mkdocs_plugin
    import rulewright.importers.website.site_import  # noqa: F401

    gc.freeze()  # else each child looks through all of it, and so copies it
    for line in sys.stdin:
        asked = json.loads(line)
        if pid := asked.get("go on"):
            os.kill(pid, signal.SIGCONT)
        elif not (pid := os.fork()):
            _child(asked)
        answer = {"pid": pid, "code": _wait(cast(int, pid))}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    _serve()
