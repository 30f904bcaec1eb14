"""Private folder of the user outside all projects, into which no content can write.

It is the system's folder for program state or for caches, and only this user can write to it.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from pathlib import Path

import platformdirs

from rulewright.files.resources import PACKAGE

NAME = "rulewright"


def user_folder() -> Path:
    """Return the folder for program state, created if missing. Raises OSError if there can be none."""
    folder = platformdirs.user_state_path(NAME, appauthor=False)
    if not _is_created(folder):
        raise PermissionError(13, "no writable folder for program state; set XDG_STATE_HOME to one")
    return folder


def cache_folder(name: str) -> Path | None:
    """Return a cache folder, created if missing, or None if there can be none."""
    folder = platformdirs.user_cache_path(NAME, appauthor=False)
    return folder / name if _is_created(folder) else None


def program_cache_folder(name: str) -> Path | None:
    """Return a cache folder beside the compiled modules of the program; that of the user if not writable."""
    folder = PACKAGE / "__pycache__"
    if not sys.dont_write_bytecode and _is_created(folder):
        return folder / name
    return cache_folder(name)


def path_key(path: Path) -> str:
    """Return a name for records about a file or folder, the same for every spelling of its path."""
    return hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()[:32]


def _is_created(folder: Path) -> bool:
    """Create a folder if missing; return whether it is writable, and for nobody else."""
    if not folder.is_absolute():  # the home folder is unknown
        return False
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = os.lstat(folder)
    except OSError:
        return False
    # Windows has no user ids: the folder is in the user's profile.
    is_shared = hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022)
    return stat.S_ISDIR(status.st_mode) and not is_shared and os.access(folder, os.W_OK | os.X_OK)
