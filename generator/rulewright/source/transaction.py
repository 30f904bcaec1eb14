"""Several files changed together: each is written aside first, then all take their places.

A change that fails puts back what it has touched. One that is killed between two renames leaves some files
new and some old; whoever keeps the content in git sees that there.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from rulewright.source import atomic_write, folder_lock
from rulewright.source.content_folder import CONTENT, content_folder, disk_path
from rulewright.source.folder_lock import FolderBusy


def replace_files(
    project: Path, files: Mapping[str, bytes | None], read: Mapping[str, bytes], top: str = CONTENT
) -> None:
    """Make files what they are to be; None removes one. All lie in the folder `top` of the project.

    `read`: every file that this was made of, as it was then; no other is taken to be there.
    Raises FolderBusy or OSError, and has then changed nothing.
    """
    root = Path(os.path.realpath(content_folder(project) if top == CONTENT else project / top))
    with folder_lock.exclusive_lock(root):
        for name in {**read, **files}:
            path = _path(project, name, top)
            if (path.read_bytes() if path.exists() else None) != read.get(name):
                raise FolderBusy((), f"{name} has been changed meanwhile; nothing was written, try again")
        new = {}
        for name, data in files.items():
            # A link stays, and what it leads to is changed.
            path = Path(os.path.realpath(_path(project, name, top)))
            if not path.is_relative_to(root):
                raise FolderBusy((), f"{name} leads out of {root.name}/; nothing was written")
            new[path] = data
        before = {path: path.read_bytes() if path.exists() else None for path in new}
        try:
            _write_all(root, new)
        except BaseException:
            _write_all(root, before)
            raise


def _path(project: Path, name: str, top: str) -> Path:
    return disk_path(project, name) if top == CONTENT else project / name


def _write_all(root: Path, files: Mapping[Path, bytes | None]) -> None:
    for path, data in files.items():
        if data is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_write.write_atomically(path, data)
    for path, data in files.items():
        if data is None:
            path.unlink(missing_ok=True)
            folder = path.parent
            with contextlib.suppress(OSError):
                while folder != root:
                    folder.rmdir()
                    folder = folder.parent
