"""Record of a built site: what each of its files was made of, and what all of it was.

The next build takes over the files that would be made of the same, and one that would be made of the same
altogether makes nothing. The record lies in the user's own cache, where no content can write; a file counts
only as long as its size and its time of change are those on record, so one that somebody has touched is made
again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rulewright.source.folder import today
from rulewright.source.store import key, of_project, program, stamp

_LIBRARIES = ("jinja2", "markdown", "material", "mkdocs", "pikepdf", "pymdownx", "typst")
"""The libraries that a site is made with; they are not loaded to see whether they have changed."""


@dataclass(frozen=True, slots=True)
class Left:
    """A file of a site: the key of what it was made of, its size, its time of change, its digest."""

    made_of: str
    size: int
    changed: int
    digest: str


@dataclass(frozen=True, slots=True)
class Site:
    """Contents of a built site: its files by path, the key of its inputs, and the messages of its build.

    `folders`: what it was made of lies in these. `said`: what the build had to say, for its command.
    """

    files: dict[str, Left] = field(default_factory=dict)
    inputs: str = ""
    folders: tuple[str, ...] = ()
    said: Any = None


class Record:
    """The record of the site in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._store = of_project("sites", folder)
        self._made_of: dict[str, str] = {}
        known = self._store.load(_KEY)
        self.last = known if isinstance(known, Site) else Site()

    def unchanged(self, settings: Path, options: str) -> Any:
        """Messages of the last build if its site lies there untouched and is up to date; else None."""
        last = self.last
        if not last.inputs or inputs(settings, options, last.folders) != last.inputs:
            return None
        try:
            there = {path: (status.st_size, status.st_mtime_ns) for path, status in walk(self.folder)}
        except OSError:  # deleted, or a file, or closed to us: a build makes it anew, or says why not
            return None
        return last.said if there == {p: (one.size, one.changed) for p, one in last.files.items()} else None

    def take(self, path: str, made_of: str, folder: str) -> bool:
        """Put a file of the last site into a new one where it would be made of the same."""
        self._made_of[path] = made_of
        left = self.last.files.get(path)
        if left is None or left.made_of != made_of:
            return False
        old, new = os.path.join(self.folder, path), os.path.join(folder, path)
        try:
            if not _is(left, os.lstat(old)):
                return False
            os.makedirs(os.path.dirname(new), exist_ok=True)
            os.link(old, new, follow_symlinks=False)
        except (OSError, NotImplementedError):  # made again, as where a disk knows no second names of files
            return False
        return True

    def made(self, folder: Path, *paths: str) -> dict[str, Left]:
        """All files of a site in a folder, or some, with their digests; those taken over are not read."""
        files = {}
        for path, status in ((path, os.lstat(folder / path)) for path in paths) if paths else walk(folder):
            left = self.last.files.get(path)
            if left is None or left.made_of != self._made_of.get(path) or not _is(left, status):
                digest = sha256((folder / path).read_bytes()).hexdigest()[:12]
                left = Left(self._made_of.get(path, ""), status.st_size, status.st_mtime_ns, digest)
            files[path] = left
        return files

    def keep(self, site: Site) -> None:
        self._store.keep(_KEY, site)


_KEY = key("site")


def _is(left: Left, status: os.stat_result) -> bool:
    there = status.st_size, status.st_mtime_ns
    return stat.S_ISREG(status.st_mode) and there == (left.size, left.changed)


def walk(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Every file in a folder by its path there; what is hidden at its top is none of the site's."""
    todo = [""]
    while todo:
        base = todo.pop()
        with os.scandir(folder / base) as entries:
            for entry in entries:
                if not base and entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    todo.append(f"{base}{entry.name}/")
                else:
                    yield f"{base}{entry.name}", entry.stat(follow_symlinks=False)


def options(strict: bool, prints: bool) -> str:
    """The options of a build that say what is made."""
    return f"{strict} {prints}"


def inputs(settings: Path, options: str, folders: Iterable[str]) -> str:
    """The key of all that goes into a site: settings, options, every file in some folders, the program."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    parts: list[str | bytes] = [program(), options, epoch, today(), _read(settings)]
    for name in _LIBRARIES:
        found = find_spec(name)
        parts.append(stamp(found.origin) if found and found.origin else "")
    for top in folders:
        for folder, inner, names in os.walk(top):
            inner.sort()
            links = [name for name in (*inner, *names) if os.path.islink(os.path.join(folder, name))]
            parts += (folder, *(os.readlink(os.path.join(folder, name)) for name in links))
            for name in sorted(names):
                parts += (name, _read(Path(folder, name)))
    return key(*parts)


def _read(file: Path) -> bytes | str:
    try:
        return file.read_bytes()
    except OSError as error:
        return str(error)
