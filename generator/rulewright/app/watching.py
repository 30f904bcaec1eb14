"""Edits of a project's content, as they are made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from rulewright.source.folder import CONTENT

OFTEN = 0.2
"""Seconds between two looks at the files; each look is polled, since some disks tell of no edit."""


def edits(project: Path) -> Iterator[None]:
    """Yield at once, and after each edit of the content or of mkdocs.yml; several at a time count as one."""
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers.polling import PollingObserver

    heard: SimpleQueue[None] = SimpleQueue()

    class Listener(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            if event.event_type not in ("opened", "closed", "closed_no_write"):
                heard.put(None)

    observer: Any = PollingObserver(timeout=OFTEN)
    observer.schedule(Listener(), str(project / CONTENT), recursive=True)
    if (settings := project / "mkdocs.yml").is_file():
        observer.schedule(Listener(), str(settings))
    observer.start()
    try:
        while True:
            yield
            heard.get()
            with suppress(Empty):
                while True:
                    heard.get(timeout=OFTEN / 4)
    finally:
        observer.stop()
        observer.join()
