"""File watcher of the dev server."""

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

from rulewright.files.atomic_write import file_digest
from rulewright.files.content_folder import is_temporary_file

POLL_INTERVAL = 0.5
"""Seconds between polls of the files: some file systems, such as network drives, send no events."""

DEBOUNCE = 0.03
"""Seconds without another edit after which a rebuild starts."""

MAX_HASHED_SIZE = 8_000_000
"""Maximum size in bytes of files whose content is hashed to detect changes."""

_EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileDeletedEvent,
    DirCreatedEvent,
    DirMovedEvent,
    DirDeletedEvent,
]
"""Watched events; those for opened files would report every build."""


class Watcher(PollingObserver):
    """Observer that combines events of the operating system with polling."""

    def __init__(self) -> None:
        super().__init__(timeout=POLL_INTERVAL)
        self._known: dict[str, object] = {}
        self._known_lock = Lock()
        self._native_observer = Observer()

    def schedule(self, event_handler: FileSystemEventHandler, path: Any, **options: Any) -> Any:
        """Report each edit to a handler once. Return the watch for `unschedule`."""
        change_filter = _ChangeFilter(event_handler, self._known, self._known_lock)
        for folder, _, names in (
            os.walk(path) if os.path.isdir(path) else [(os.path.dirname(path), (), [path])]
        ):
            files = (os.path.join(folder, name) for name in names if not is_temporary_file(name))
            self._known.update((file, _fingerprint(file)) for file in files)
        options["event_filter"] = _EVENTS
        with suppress(OSError):  # limit on watched files exceeded
            self._native_observer.schedule(change_filter, path, **options)
        return super().schedule(change_filter, path, **options)

    def unschedule(self, watch: Any) -> None:
        with suppress(KeyError):
            self._native_observer.unschedule(watch)
        super().unschedule(watch)

    def start(self) -> None:
        with suppress(OSError):
            self._native_observer.start()
        super().start()

    def stop(self) -> None:
        self._native_observer.stop()
        super().stop()


class _ChangeFilter(FileSystemEventHandler):
    """Event handler that forwards only events that changed a file, ignoring temporary files."""

    def __init__(self, handler: FileSystemEventHandler, known: dict[str, object], lock: Lock) -> None:
        self._handler, self._known, self._known_lock = handler, known, lock

    def dispatch(self, event: FileSystemEvent) -> None:
        if event.is_directory:
            return
        paths = [str(path) for path in (event.src_path, event.dest_path) if path]
        paths = [path for path in paths if not is_temporary_file(os.path.basename(path))]
        with self._known_lock:
            fingerprints = {path: _fingerprint(path) for path in paths}
            if all(path in self._known and self._known[path] == fingerprints[path] for path in paths):
                return
            self._known.update(fingerprints)
        self._handler.dispatch(event)


def _fingerprint(path: str) -> object:
    """Return a digest of a file, or time and size of a large one; None if it is missing."""
    try:
        status = os.stat(path)
        if status.st_size > MAX_HASHED_SIZE:
            return status.st_mtime_ns, status.st_size, status.st_ino
        with open(path, "rb") as file:
            return file_digest(file.read())
    except OSError:
        return None
