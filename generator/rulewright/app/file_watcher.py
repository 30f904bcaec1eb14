"""Edits of a project's files, as they are made."""

from __future__ import annotations

import os
from contextlib import suppress
from threading import Lock
from typing import Any

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver

from rulewright.source.atomic_write import file_digest
from rulewright.source.content_folder import is_temporary_file

OFTEN = 0.5
"""Seconds between two looks at the files: some disks tell of no edit, such as those of another machine."""

SETTLED = 0.03
"""Seconds without a further edit after which all is taken to be written that an editor saves at once."""

LARGE = 8_000_000
"""Bytes from which on a file is not read only to see whether it has changed."""

_EDITS: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileDeletedEvent,
    DirCreatedEvent,
    DirMovedEvent,
    DirDeletedEvent,
]
"""Events that are asked for. Of each file that a build opens the system would tell too."""


class Watcher(PollingObserver):
    """An observer that tells of an edit when the system does, and else when it looks at the files next."""

    def __init__(self) -> None:
        super().__init__(timeout=OFTEN)
        self._told: dict[str, object] = {}
        self._turn = Lock()
        self._prompt = Observer()

    def schedule(self, event_handler: FileSystemEventHandler, path: Any, **how: Any) -> Any:
        """Tell a handler of edits, of each once. Returns what `unschedule` takes."""
        once = _Once(event_handler, self._told, self._turn)
        for folder, _, names in (
            os.walk(path) if os.path.isdir(path) else [(os.path.dirname(path), (), [path])]
        ):
            files = (os.path.join(folder, name) for name in names if not is_temporary_file(name))
            self._told.update((file, _stamp(file)) for file in files)
        how["event_filter"] = _EDITS
        with suppress(OSError):  # more files than the system tells of
            self._prompt.schedule(once, path, **how)
        return super().schedule(once, path, **how)

    def unschedule(self, watch: Any) -> None:
        with suppress(KeyError):
            self._prompt.unschedule(watch)
        super().unschedule(watch)

    def start(self) -> None:
        with suppress(OSError):
            self._prompt.start()
        super().start()

    def stop(self) -> None:
        self._prompt.stop()
        super().stop()


class _Once(FileSystemEventHandler):
    """Hands on what changes the bytes of a file that is none of an editor's own."""

    def __init__(self, handler: FileSystemEventHandler, known: dict[str, object], turn: Lock) -> None:
        self._handler, self._known, self._turn = handler, known, turn

    def dispatch(self, event: FileSystemEvent) -> None:
        if event.is_directory:
            return
        paths = [str(path) for path in (event.src_path, event.dest_path) if path]
        paths = [path for path in paths if not is_temporary_file(os.path.basename(path))]
        with self._turn:
            stamps = {path: _stamp(path) for path in paths}
            if all(path in self._known and self._known[path] == stamps[path] for path in paths):
                return
            self._known.update(stamps)
        self._handler.dispatch(event)


def _stamp(path: str) -> object:
    """Fingerprint of a file: a digest of it, of a large one time and size; None where it is missing."""
    try:
        status = os.stat(path)
        if status.st_size > LARGE:
            return status.st_mtime_ns, status.st_size, status.st_ino
        with open(path, "rb") as file:
            return file_digest(file.read())
    except OSError:
        return None
