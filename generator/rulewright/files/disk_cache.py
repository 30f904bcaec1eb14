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
from pathlib import Path
from typing import Any

import yaml

from rulewright.files import atomic_write, output_files, user_folders
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
        path = self.folder / key[:2] / key[2:]
        try:
            data = path.read_bytes()
            os.utime(path)
        except OSError:
            return None
        return data[_SUM:] if _checksum(data[_SUM:]) == data[:_SUM] else None

    def put(self, key: str, data: bytes) -> None:
        """Store an entry. Errors of the disk are ignored."""
        if self.folder is None:
            return
        path = self.folder / key[:2] / key[2:]
        with suppress(OSError):
            output_files.write_into_folder(path, _checksum(data) + data)
            self._remaining -= len(data)
            if self._remaining < 0:
                self._remaining = self._tidy(self.folder)

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

    def _tidy(self, folder: Path) -> int:
        """Delete the least recently used entries if the cache is too large; return the remaining space."""
        entries = [
            (status.st_mtime, status.st_size, name) for name, status in atomic_write.walk_files(folder)
        ]
        used = sum(size for _, size, _ in entries)
        if used > self.max_bytes:
            for _, size, name in sorted(entries):
                if used > self.max_bytes * 3 // 4:
                    (folder / name).unlink(missing_ok=True)
                    used -= size
        return self.max_bytes - used


def _checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_SUM).digest()


def project_cache(name: str, project: Path) -> DiskCache:
    """Return the cache of one kind of results for a project, in the user's cache folder."""
    return _store(user_folders.cache_folder(f"{name}/{user_folders.path_key(project)}"))


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
    for top in (PACKAGE, TEMPLATES):
        for name, status in sorted(atomic_write.walk_files(top)):
            if "__pycache__" not in name:
                files.append(f"{top}/{name} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}")
    return cache_key(sys.version, yaml.__version__, *files)
