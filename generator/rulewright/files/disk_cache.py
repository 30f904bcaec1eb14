"""Cache of results by their inputs, in files.

An entry is one file, named by the hash of all its inputs, including the program. It is written atomically
with a checksum, so that a damaged entry counts as missing. Processes that write the same entry write the same
data. The cache may be deleted at any time.

Entries are unpickled, so the folder must be one that no content can write to.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rulewright.files import atomic_write, user_folders
from rulewright.files.resources import PACKAGE, TEMPLATES

MAX_BYTES = 500_000_000
"""Maximum size; the least recently used entries are deleted until a quarter is free."""

_SUM = 16


class DiskCache:
    """Folder of entries by key. Without a folder nothing is cached."""

    def __init__(self, folder: Path | None, limit: int = MAX_BYTES) -> None:
        self.folder, self.max_bytes = folder, limit
        self._remaining = 0

    def get(self, key: str) -> bytes | None:
        """Return the data of a key, or None if missing or damaged."""
        if self.folder is None:
            return None
        path = self._path(key)
        try:
            with open(path, "rb") as file:
                checksum, data = file.read(_SUM), file.read()
            if hashlib.blake2b(data, digest_size=_SUM).digest() != checksum:
                return None
            os.utime(path)
        except OSError:
            return None
        return data

    def put(self, key: str, data: bytes) -> None:
        """Store an entry. Errors of the disk are ignored."""
        if self.folder is None:
            return
        path = self._path(key)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_write.write_atomically(path, hashlib.blake2b(data, digest_size=_SUM).digest() + data)
            self._remaining -= len(data)
            if self._remaining < 0:
                self._remaining = self._tidy(path)

    def get_object(self, key: str) -> Any:
        """Return the object of a key, or None if it is missing or cannot be unpickled."""
        data = self.get(key)
        try:
            return pickle.loads(data) if data else None
        except Exception:  # changed types may raise anything
            return None

    def put_object(self, key: str, value: object) -> None:
        if self.folder is not None:
            self.put(key, pickle.dumps(value, pickle.HIGHEST_PROTOCOL))

    def _path(self, key: str) -> Path:
        assert self.folder
        return self.folder / key[:2] / key[2:]

    def _tidy(self, newest: Path) -> int:
        """Delete the least recently used entries if the cache is too large; return the remaining space.

        Entries with a future time, after a clock was corrected, go first.
        """
        now_mtime = newest.stat().st_mtime
        pieces = []
        for folder, _, names in os.walk(self.folder or ""):
            for name in names:
                piece = os.path.join(folder, name)
                with suppress(OSError):  # another process has deleted it
                    status = os.stat(piece)
                    pieces.append(
                        (
                            status.st_mtime > now_mtime,
                            now_mtime - status.st_mtime,
                            status.st_size,
                            folder,
                            name,
                        )
                    )
        used = sum(size for _, _, size, _, _ in pieces)
        if used > self.max_bytes:
            for _, _, size, folder, name in sorted(pieces, reverse=True):
                if used <= self.max_bytes * 3 // 4:
                    break
                with suppress(OSError):
                    os.unlink(os.path.join(folder, name))
                    used -= size
        return self.max_bytes - used


def project_cache(name: str, project: Path, limit: int = MAX_BYTES) -> DiskCache:
    """Return the cache of one kind of results for a project, in the user's cache folder."""
    return _store(user_folders.cache_folder(f"{name}/{user_folders.path_key(project)}"), limit)


_store = cache(DiskCache)  # a cache scans its folder on its first write


def cache_key(*parts: bytes | str) -> str:
    """Return the key of a result from all its inputs."""
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


@cache
def program_fingerprint() -> str:
    """Return a hash of the program: its code, its templates, Python and PyYAML.

    Files are identified by size and times of change: reading them would cost more than some of the results.
    """
    files = []
    library = find_spec("yaml")
    for top in (PACKAGE, TEMPLATES, Path(library.origin if library and library.origin else "").parent):
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(folder for folder in folders if folder != "__pycache__")
            for name in sorted(names):
                status = os.stat(os.path.join(folder, name))
                files.append(f"{folder}/{name} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}")
    return cache_key(sys.version, *files)
