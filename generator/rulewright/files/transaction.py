"""Transaction over several files: all are changed or none.

A change that fails restores the files that it has written. If the process is killed between two renames, some
files are new and some old.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from rulewright.files import atomic_write, folder_lock
from rulewright.files.content_folder import content_folder, disk_path
from rulewright.files.folder_lock import FolderBusy


def replace_files(project: Path, files: Mapping[str, bytes | None], read: Mapping[str, bytes]) -> None:
    """Write content files of a project and delete those whose data is None.

    `read`: the files that the change was computed from, with their data. Raises FolderBusy if a file differs
    from that, or OSError; nothing is changed then.
    """
    root = Path(os.path.realpath(content_folder(project)))
    with folder_lock.exclusive_lock(root):
        for name in {**read, **files}:
            if _read(disk_path(project, name)) != read.get(name):
                raise FolderBusy((), f"{name} has been changed meanwhile; nothing was written, try again")
        new = {}
        for name, data in files.items():
            # A link stays; its target is changed.
            path = Path(os.path.realpath(disk_path(project, name)))
            if not path.is_relative_to(root):
                raise FolderBusy((), f"{name} leads out of {root.name}/; nothing was written")
            new[path] = data
        before = {path: _read(path) for path in new}
        try:
            _write_all(root, new)
        except BaseException:
            _write_all(root, before)
            raise


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


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
