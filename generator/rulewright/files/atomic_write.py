"""Atomic file writes, and remedies for errors of the system."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from rulewright.files import folder_lock

_PART = re.compile(r"\.rulewright-[0-9a-f]{8}\.part")
REMEDIES = {
    errno.ENOSPC: "the disk is full; make room on it and give the command again",
    errno.EDQUOT: "your share of the disk is used up; make room and give the command again",
    errno.EFBIG: "this system lets no file become as large; raise the limit (ulimit -f) or name another disk",
    errno.EROFS: "the disk is open to reading only; name another folder, or mount it for writing",
    errno.EACCES: "this user may not do that; change the permissions, or name another folder",
    errno.EPERM: "this user may not do that; change the permissions, or name another folder",
    errno.EIO: "the disk fails; check it before you write anything else to it",
}
"""Remedies by error number."""


def describe_os_error(error: OSError) -> str:
    """Return a message for an OSError: the file, the reason and the cure."""
    name = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else ""
    reason = REMEDIES.get(error.errno or 0) or error.strerror or str(error)
    return f"{name}: {reason}" if name else reason


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write to a temporary file and rename it; delete those of killed processes. Raises OSError."""
    data = content.encode() if isinstance(content, str) else content
    target = Path(os.path.realpath(path))  # a symbolic link stays
    if target.exists() and not target.is_file() and not target.is_dir():
        with open(target, "wb") as file:  # a pipe or a device
            file.write(data)
        return
    try:
        _delete_abandoned(target.parent)
        with _create_temporary(target.parent) as file:
            temp_path = Path(file.name)
            try:
                file.write(data)
                file.flush()
                if os.name == "nt":  # which cannot rename an open file
                    file.close()
                if target.exists():
                    os.chmod(temp_path, stat.S_IMODE(target.stat().st_mode))
                os.replace(temp_path, target)
            finally:
                with suppress(OSError):
                    temp_path.unlink(missing_ok=True)
    except OSError as error:  # which may name no file or the temporary one
        raise type(error)(error.errno, error.strerror, str(path)) from None


def file_digest(data: bytes) -> str:
    """Return the SHA-256 of a file's data."""
    return hashlib.sha256(data).hexdigest()


def _create_temporary(folder: Path) -> IO[bytes]:
    """Create a temporary file, locked to mark it as in use."""
    while True:
        file = open(folder / f".rulewright-{os.urandom(4).hex()}.part", "xb")  # noqa: SIM115
        with suppress(OSError):
            folder_lock.lock_file(file)
        if os.fstat(file.fileno()).st_nlink:
            return file
        file.close()  # another process has deleted it as abandoned


def _delete_abandoned(folder: Path) -> None:
    """Delete temporary files of killed processes."""
    for path in [path for path in folder.iterdir() if _PART.fullmatch(path.name)]:
        with suppress(OSError), open(path, "r+b") as file:
            folder_lock.lock_file(file)
            path.unlink()


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
