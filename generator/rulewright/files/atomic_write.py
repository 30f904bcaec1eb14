"""Atomic file writes, and remedies for errors of the system."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_FULL = "the disk or your share of it is full; make room and give the command again"
_FORBIDDEN = "this user may not write there; change the permissions, or name another folder"
REMEDIES = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EROFS: _FORBIDDEN,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
}
"""Remedies by error number."""


def describe_os_error(error: OSError) -> str:
    """Return a message for an OSError: the file, the reason and the cure."""
    name = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else ""
    reason = REMEDIES.get(error.errno or 0) or error.strerror or str(error)
    return f"{name}: {reason}" if name else reason


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write to a temporary file and rename it. Raises OSError."""
    data = content.encode() if isinstance(content, str) else content
    target = Path(os.path.realpath(path))  # a symbolic link stays
    if target.exists() and not target.is_file() and not target.is_dir():
        with open(target, "wb") as file:  # a pipe or a device
            file.write(data)
        return
    temporary = target.with_name(f".rulewright-{os.urandom(4).hex()}.part")
    try:
        temporary.write_bytes(data)
        if target.exists():
            os.chmod(temporary, stat.S_IMODE(target.stat().st_mode))
        os.replace(temporary, target)
    except OSError as error:  # which may name no file or the temporary one
        raise type(error)(error.errno, error.strerror, str(path)) from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def file_digest(data: bytes) -> str:
    """Return the SHA-256 of a file's data."""
    return hashlib.sha256(data).hexdigest()


def walk_files(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield every file in a folder as relative path and status, except hidden ones at its top."""
    folders = [""]
    while folders:
        base = folders.pop()
        with os.scandir(folder / base) as entries:
            for entry in entries:
                if not base and entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append(f"{base}{entry.name}/")
                else:
                    yield f"{base}{entry.name}", entry.stat(follow_symlinks=False)
