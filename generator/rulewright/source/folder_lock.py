"""Turns at a folder: many commands may read it at once, and one alone may change it.

A turn is a lock on a file in the user's private folder. The system ends it with the
process, however that ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from rulewright.source import user_folders
from rulewright.source.errors import ContentErrors

PATIENCE = 20
"""How often a turn is asked for, a tenth of a second apart, until it is refused."""


class FolderBusy(ContentErrors):
    """It is another command's turn; the message says so and what to do."""


@contextmanager
def shared_lock(folder: Path) -> Iterator[None]:
    """See to it that no command changes a folder meanwhile. Raises FolderBusy."""
    try:
        user_folders.user_folder()
    except OSError:  # nor can any other command have a turn
        yield
        return
    with _turn(folder, True, f"another command is changing {folder}; try again when it has ended"):
        yield


@contextmanager
def exclusive_lock(folder: Path) -> Iterator[None]:
    """See to it that no other command reads or changes a folder meanwhile. Raises FolderBusy and OSError."""
    with _turn(folder, False, f"another command is at work on {folder}; try again when it has ended"):
        yield


@contextmanager
def _turn(folder: Path, shared: bool, refusal: str) -> Iterator[None]:
    with open(user_folders.user_folder() / f"{user_folders.path_key(folder)}.lock", "w") as file:
        for attempt in range(PATIENCE + 1):
            try:
                lock_file(file, shared=shared)
                break
            except OSError:
                if attempt == PATIENCE:
                    raise FolderBusy((), refusal) from None
                time.sleep(0.1)
        yield


def lock_file(file: IO[str] | IO[bytes], *, shared: bool = False) -> None:
    """Lock an open file until it is closed. Raises OSError where another has it."""
    try:
        import fcntl
    except ImportError:  # Windows, where nothing can be shared
        import msvcrt

        if not shared:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
