"""A folder of this user's own, outside of every project: what lies in it no content has brought.

It is where the system keeps what programs note for themselves, or, where that is closed to writing, a folder
of the temporary ones that belongs to this user alone.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import platformdirs

NAME = "rulewright"


def user_folder() -> Path:
    """Return the folder to write to, made where it is missing. Raises OSError where there can be none."""
    for place in _places(platformdirs.user_state_path):
        if _made(place):
            return place
    message = "there is no folder for what files were; let XDG_STATE_HOME name one that can be written to"
    raise PermissionError(13, message)


def cache_folder(name: str) -> Path | None:
    """Return the folder for what is only kept to save work, or None if there can be none."""
    return next((place / name for place in _places(platformdirs.user_cache_path) if _made(place)), None)


def existing_user_folders() -> list[Path]:
    """Return the folders that are there to be read."""
    return [place for place in _places(platformdirs.user_state_path) if _is_own(place)]


def path_key(path: Path) -> str:
    """Return name for records about a file or folder, the same however the way to it is written."""
    return hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]


def _places(usual_path: Callable[..., Path]) -> Iterator[Path]:
    usual = usual_path(NAME, appauthor=False)
    if usual.is_absolute():  # else nobody knows where this user is at home
        yield usual
    with suppress(OSError):
        shared = os.path.realpath(tempfile.gettempdir())
        if shared != os.getcwd():  # the last resort of the library
            yield Path(shared, f"{NAME}-{os.getuid()}" if hasattr(os, "getuid") else NAME)


def _made(place: Path) -> bool:
    with suppress(OSError):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _is_own(place) and os.access(place, os.W_OK | os.X_OK)
    return False


def _is_own(place: Path) -> bool:
    """Return whether a folder is there, and nobody else can put anything into it."""
    try:
        status = os.lstat(place)
    except OSError:
        return False
    if not hasattr(os, "getuid"):  # Windows, where all of these lie in the user's own profile
        return stat.S_ISDIR(status.st_mode)
    closed = not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and closed
