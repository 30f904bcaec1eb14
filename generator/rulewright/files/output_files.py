"""Output files that a user asks for: never written outside their folder or over files of the user.

The digest of the last output to a path is recorded in the user's private folder.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rulewright.files import user_folders
from rulewright.files.atomic_write import file_digest, write_atomically
from rulewright.files.errors import UserError


def check_inside(folder: Path, path: Path) -> Path:
    """Return a path in a folder unchanged. Raises UserError if a link in it leads out of the folder."""
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise UserError(f"{path} leads out of {folder} by a link, so it is not changed")
    return path


def free_path(path: Path, force: bool, content: bytes | None = None) -> Path:
    """Return a path that is free or holds our last output or `content`; with `force` any.

    Raises UserError.
    """
    if path.is_file() and not force:
        data = path.read_bytes()
        if data and data != content and file_digest(data) not in _recorded_digests(path):
            message = "was not written so by this command and is not changed; --force replaces it"
            raise UserError(f"{path} {message}, or name another file")
    return path


def write_output(content: str | bytes, path: Path, force: bool) -> None:
    """Write an output file and record its digest. Raises UserError and OSError."""
    data = content.encode() if isinstance(content, str) else content
    free_path(path, force, data)
    if path.is_file() or not path.exists():
        # Record first, with both digests: the process may be killed before the file is written.
        parts = [path.read_bytes(), data] if path.is_file() else [data]
        with suppress(OSError):  # without a record, the next run asks for --force
            write_atomically(
                _record_path(path, user_folders.user_folder()), "\n".join(map(file_digest, parts))
            )
    write_atomically(path, data)


def write_into_folder(path: Path, content: str | bytes) -> None:
    """Write a file and create its folder if missing. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, content)


def _recorded_digests(path: Path) -> Sequence[str]:
    """Return the digests recorded for our last output to a path, if any."""
    with suppress(OSError, ValueError):
        return _record_path(path, user_folders.user_folder()).read_text("ascii").split()
    return ()


def _record_path(path: Path, folder: Path) -> Path:
    return folder / f"{user_folders.path_key(path)}.written"
