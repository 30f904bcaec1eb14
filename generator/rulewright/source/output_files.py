"""Files written where they are asked for: never outside of their folder, never over what is not ours.

What we wrote last to a path is noted in the user's private folder, by its digest.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rulewright.source import user_folders
from rulewright.source.atomic_write import file_digest, write_atomically
from rulewright.source.errors import UserError
from rulewright.source.filenames import is_inside


def path_inside(folder: Path, name: str) -> Path:
    """Return the path of a file in a folder.

    Raises UserError if its name, or a link on the way, leads out.
    """
    if not is_inside(name):
        raise UserError(f"{folder / name} leads out of {folder}, so it is left alone")
    return check_inside(folder, folder / name)


def check_inside(folder: Path, path: Path) -> Path:
    """Return a path in a folder.

    Raises UserError if a link on the way leads out of that, as one in content may.
    """
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise UserError(f"{path} leads out of {folder} by a link, so it is left alone")
    return path


def free_path(path: Path, force: bool, content: bytes | None = None) -> Path:
    """Return a path that is free or holds our last output or `content`; any if `force`. Raises UserError."""
    if path.is_file() and not force:
        data = path.read_bytes()
        noted = _noted(path)
        if data and data != content and file_digest(data) not in noted:
            conflict = "has been edited since it was written" if noted else "was not written by this command"
            raise UserError(
                f"{path} {conflict}, so it is left alone; --force replaces it, or name another file"
            )
    return path


def write_output(content: str | bytes, path: Path, force: bool) -> None:
    """Write a file that was asked for, and note that it is ours. Raises UserError and OSError."""
    data = content.encode() if isinstance(content, str) else content
    free_path(path, force, data)
    if path.is_file() or not path.exists():
        # First the note, that holds before the file is there and after: a kill may come between.
        parts = [path.read_bytes(), data] if path.is_file() else [data]
        with suppress(OSError):  # without a note --force is asked for the next time
            write_atomically(_note(path, user_folders.user_folder()), "\n".join(map(file_digest, parts)))
    write_atomically(path, data)


def write_into_folder(path: Path, content: str | bytes) -> None:
    """Write a file into a folder that is made where it is missing. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, content)


def _noted(path: Path) -> Sequence[str]:
    """Return digests noted for our last file at a path; empty if there is no note."""
    for folder in user_folders.existing_user_folders():
        with suppress(OSError, ValueError):
            return _note(path, folder).read_text("ascii").split()
    return ()


def _note(path: Path, folder: Path) -> Path:
    return folder / f"{user_folders.path_key(path)}.written"
