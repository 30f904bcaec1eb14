"""File watcher of the dev server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers.polling import PollingObserver

from rulewright.files.atomic_write import file_digest
from rulewright.files.content_folder import is_temporary_file

POLL_INTERVAL = 0.08
"""Seconds between polls of the files, which also find edits on network drives."""

DEBOUNCE = 0.01
"""Seconds without another edit after which a rebuild starts."""


class Watcher(PollingObserver):
    """Observer that reports each edit once."""

    def __init__(self) -> None:
        super().__init__(timeout=POLL_INTERVAL)

    def schedule(self, event_handler: FileSystemEventHandler, path: Any, **options: Any) -> Any:
        """Report the edits below a path to a handler. Return the watch for `unschedule`."""
        return super().schedule(_ChangeFilter(event_handler, path), path, **options)


class _ChangeFilter(FileSystemEventHandler):
    """Event handler that forwards only events that changed a file, ignoring temporary files."""

    def __init__(self, handler: FileSystemEventHandler, path: str) -> None:
        self._handler = handler
        self._digests = {file: _digest(file) for file in _files(path)}

    def dispatch(self, event: FileSystemEvent) -> None:
        if event.is_directory:
            return
        paths = [str(path) for path in (event.src_path, event.dest_path) if path]
        if [path for path in paths if self._is_changed(path)]:
            self._handler.dispatch(event)

    def _is_changed(self, path: str) -> bool:
        """Return whether a file has another content than at its last event."""
        if is_temporary_file(os.path.basename(path)):
            return False
        digest = _digest(path)
        is_changed = self._digests.get(path, "unknown") != digest
        self._digests[path] = digest
        return is_changed


def _files(path: str) -> Iterator[str]:
    if os.path.isfile(path):
        yield path
    for folder, _, names in os.walk(path):
        yield from (os.path.join(folder, name) for name in names)


def _digest(path: str) -> str:
    """Return the digest of a file; an empty string if it is missing."""
    try:
        with open(path, "rb") as file:
            return file_digest(file.read())
    except OSError:
        return ""
