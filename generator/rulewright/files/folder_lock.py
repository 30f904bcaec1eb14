"""Reader/writer lock on a folder.

The lock is on a file in the user's private folder. The system releases it when the process ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from rulewright.files import user_folders
from rulewright.files.errors import ContentErrors

ATTEMPTS = 20
"""How often to try to lock, at intervals of 0.1 s."""


class FolderBusy(ContentErrors):
    """Another command holds the lock; the message says so and what to do."""


@contextmanager
def shared_lock(folder: Path) -> Iterator[None]:
    """Hold a shared lock on a folder, so that no other command changes it. Raises FolderBusy."""
    try:
        user_folders.user_folder()
    except OSError:  # no other command can lock it either
        yield
        return
    with _lock(folder, True):
        yield


@contextmanager
def exclusive_lock(folder: Path) -> Iterator[None]:
    """Hold an exclusive lock on a folder, so that no other command uses it. Raises FolderBusy and OSError."""
    with _lock(folder, False):
        yield


@contextmanager
def _lock(folder: Path, shared: bool) -> Iterator[None]:
    with open(user_folders.user_folder() / f"{user_folders.path_key(folder)}.lock", "w") as file:
        for attempt in range(ATTEMPTS + 1):
            try:
                _lock_file(file, shared)
                break
            except OSError:
                if attempt == ATTEMPTS:
                    message = f"{folder} is locked by another command; try again when it has finished"
                    raise FolderBusy((), message) from None
                time.sleep(0.1)
        yield


def _lock_file(file: IO[str], shared: bool) -> None:
    """Lock an open file until it is closed. Raises OSError if another process has locked it."""
    try:
        import fcntl
    except ImportError:  # Windows has no shared locks
        import msvcrt

        if not shared:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
