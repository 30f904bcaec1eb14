"""Private folder of the user outside all projects, into which no content can write.

It is the system's folder for program state or, if that is not writable, a temporary folder that only this
user can write to.
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
    """Return the folder for program state, created if missing. Raises OSError if there can be none."""
    if folder := next(filter(_is_created, _candidates(platformdirs.user_state_path)), None):
        return folder
    raise PermissionError(13, "no writable folder for program state; set XDG_STATE_HOME to one")


def cache_folder(name: str) -> Path | None:
    """Return a cache folder, created if missing, or None if there can be none."""
    folder = next(filter(_is_created, _candidates(platformdirs.user_cache_path)), None)
    return folder and folder / name


def existing_user_folders() -> list[Path]:
    """Return the folders for program state that exist."""
    return [folder for folder in _candidates(platformdirs.user_state_path) if _is_own(folder)]


def path_key(path: Path) -> str:
    """Return a name for records about a file or folder, the same for every spelling of its path."""
    return hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]


def _candidates(usual_path: Callable[..., Path]) -> Iterator[Path]:
    usual = usual_path(NAME, appauthor=False)
    if usual.is_absolute():  # else the home folder is unknown
        yield usual
    with suppress(OSError):
        shared = os.path.realpath(tempfile.gettempdir())
        if shared != os.getcwd():  # the fallback of tempfile
            yield Path(shared, f"{NAME}-{os.getuid()}" if hasattr(os, "getuid") else NAME)


def _is_created(folder: Path) -> bool:
    """Create a folder if missing; return whether it is private and writable."""
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _is_own(folder) and os.access(folder, os.W_OK | os.X_OK)
    return False


def _is_own(folder: Path) -> bool:
    """Return whether a folder exists that nobody else can write to."""
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    # Windows has no user ids: all candidates are in the user's profile.
    is_shared = hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022)
    return stat.S_ISDIR(status.st_mode) and not is_shared
