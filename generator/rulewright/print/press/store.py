"""Store of finished sheets: a sheet made of the same material is not made again.

A sheet is one file, named by the hash of all that it is made of. It is written aside and renamed, and it
carries checksums, so that a file that was broken off or damaged counts as not there. It is taken on trust, so
the folder is one that no content can put anything into.
"""

from __future__ import annotations

import io
import math
import os
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rulewright.source import disk

KEPT = 400
"""Number of sheets that are kept; those that have lain unused the longest go first."""

_STAMP = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class PrintedCopy:
    """A finished sheet: its PDF, and pictures of its pages; of a rulebook, of its cover alone."""

    pdf: bytes
    pictures: tuple[bytes, ...]


class Store:
    """A folder of finished sheets."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def get(self, key: str) -> PrintedCopy | None:
        """The sheet of this key if it is there and whole."""
        if self.folder is None:
            return None
        path = self.folder / f"{key}.zip"
        try:
            with zipfile.ZipFile(path) as held:
                pdf, *pictures = (held.read(name) for name in held.namelist())
                copy = PrintedCopy(pdf, tuple(pictures))
            os.utime(path)
        except Exception:  # of a file that is damaged, whatever it leads the unpacking to
            return None
        return copy

    def put(self, key: str, copy: PrintedCopy) -> None:
        """Keep a sheet. A disk that is full or closed to writing keeps none, and that is no fault."""
        if self.folder is None:
            return
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as held:
            for at, data in enumerate((copy.pdf, *copy.pictures)):
                held.writestr(zipfile.ZipInfo(str(at), _STAMP), data)
        path = self.folder / f"{key}.zip"
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            disk.write(path, packed.getvalue())
            _tidy(self.folder, path)


def _tidy(folder: Path, newest: Path) -> None:
    """Delete the sheets that have lain unused the longest.

    A clock that was put right leaves times behind that are still to come. They say nothing, so they go first.
    """
    now = newest.stat().st_mtime

    def age(path: Path) -> float:
        past = now - path.stat().st_mtime
        return past if past >= 0 else math.inf

    for path in sorted(folder.iterdir(), key=age)[KEPT:]:
        path.unlink(missing_ok=True)
