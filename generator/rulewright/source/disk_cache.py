"""Store of work done: what was made of the same material is not made again.

A piece is one file, named by the hash of all that it is made of, the program included. It is written aside
and renamed, and carries a checksum, so that a piece that was broken off or damaged counts as not there. Two
processes that make the same piece write the same. All of it can be thrown away at any time.

A piece is unpacked on trust, so the folder is one that no content can put anything into.
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

from rulewright.source import atomic_write, user_folders
from rulewright.source.resources import PACKAGE, TEMPLATES

MOST = 500_000_000
"""Bytes that a store holds; pieces that have lain unused the longest go first, until a quarter is free."""

_SUM = 16


class DiskCache:
    """A folder of pieces by their keys. Where there is no folder, nothing is kept."""

    def __init__(self, folder: Path | None, limit: int = MOST) -> None:
        self.folder, self.most = folder, limit
        self._left = 0

    def get(self, key: str) -> bytes | None:
        """Return the piece of this key if it is there and whole."""
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
        """Keep a piece. A disk that is full or closed to writing keeps none, and that is no fault."""
        if self.folder is None:
            return
        path = self._path(key)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic_write.write_atomically(path, hashlib.blake2b(data, digest_size=_SUM).digest() + data)
            self._left -= len(data)
            if self._left < 0:
                self._left = self._tidy(path)

    def get_object(self, key: str) -> Any:
        """Return the object of this key, or None if it is not there or cannot be unpacked."""
        data = self.get(key)
        try:
            return pickle.loads(data) if data else None
        except Exception:  # of types that have changed, whatever that leads the unpacking to
            return None

    def put_object(self, key: str, value: object) -> None:
        if self.folder is not None:
            self.put(key, pickle.dumps(value, pickle.HIGHEST_PROTOCOL))

    def _path(self, key: str) -> Path:
        assert self.folder
        return self.folder / key[:2] / key[2:]

    def _tidy(self, newest: Path) -> int:
        """Delete what has lain unused the longest where there is too much. How much more there is room for.

        A clock that was put right leaves times behind that are still to come. They say nothing, so they go
        first.
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
        if used > self.most:
            for _, _, size, folder, name in sorted(pieces, reverse=True):
                if used <= self.most * 3 // 4:
                    break
                with suppress(OSError):
                    os.unlink(os.path.join(folder, name))
                    used -= size
        return self.most - used


def project_cache(name: str, project: Path, limit: int = MOST) -> DiskCache:
    """Return the store of one sort of work for a project, in the user's cache folder."""
    return _store(user_folders.cache_folder(f"{name}/{user_folders.path_key(project)}"), limit)


_store = cache(DiskCache)  # one walks its folder when it is first written to


def cache_key(*parts: bytes | str) -> str:
    """Return the name of a piece by all that it is made of."""
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


def file_fingerprint(file: str) -> str:
    """Return size and times of change of a file, and which it is."""
    status = os.stat(file)
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


@cache
def program_fingerprint() -> str:
    """Return the version of the program to the last change: its code, its templates, Python, and PyYAML.

    Files are told by size and times of change: reading them all would cost more than some of the work.
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
