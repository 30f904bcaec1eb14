"""Several files changed together: all of them or none, whatever happens half-way.

What each file was lies aside, in the user's private folder, before the first is touched; a journal there
says what each was and becomes. A change that fails puts everything back at once. One that was killed is put
back by the next command, which finds the journal. Removing the journal is what makes a change final.

Nothing in the content is ever taken for a journal, and a journal is heeded only where it is whole, and where
every file that it names lies in the content, with no symbolic link on the way, and is what it says.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright.source import disk, private, turns
from rulewright.source.folder import CONTENT, content_folder, on_disk
from rulewright.source.patterns import Regex
from rulewright.source.turns import Busy

JOURNAL = "journal.json"
_MARK = "rulewright: a change of several files, 1"
_MOST_BYTES = 16_000_000
_DIGEST = Regex("[0-9a-f]{64}|")


class Damaged(Exception):
    """A journal that is not as one was written."""


@dataclass(frozen=True)
class Journal:
    """A change under way: the folder it is in (`place` says which, should it have been moved), and of each
    file, by its name in there, the digests of what it was and becomes; empty where there is no file.

    `token` names what is written beside the files.
    """

    content: str
    place: tuple[int, int]
    token: str
    files: Mapping[str, tuple[str, str]]

    def beside(self, path: Path, at: int) -> Path:
        return path.with_name(f".rulewright-{self.token}-{at}")


def replace(
    project: Path, files: Mapping[str, bytes | None], read: Mapping[str, bytes], top: str = CONTENT
) -> None:
    """Make files what they are to be; None removes one. All lie in the folder `top` of the project.

    `read`: every file that this was made of, as it was then; no other is taken to be there.
    Raises Busy or OSError, and has then changed nothing.
    """
    root = _root(project, top)
    with turns.alone(root):
        _recover_all(root)
        for name in {**read, **files}:
            path = _path(project, name, top)
            if (path.read_bytes() if path.exists() else None) != read.get(name):
                raise Busy((), f"{name} has been changed meanwhile; nothing was written, try again")
        new = {}
        for name, data in files.items():
            # A link stays, and what it leads to is changed.
            path = Path(os.path.realpath(_path(project, name, top)))
            if not _lies_in(root, path):
                raise Busy((), f"{name} leads out of {root.name}/; nothing was written")
            new[path.relative_to(root).as_posix()] = data
        aside = private.folder() / private.key(root)
        aside.mkdir()
        try:
            journal = _lay_aside(root, aside, new)
            _swap(root, journal, new)
            (aside / JOURNAL).unlink()
            _settle(aside)
        except BaseException:
            if why := _undo(root, aside)[1]:
                raise Busy((), why) from None
            raise
        finally:
            _forget(aside)


def recover(project: Path, top: str = CONTENT) -> str:
    """Undo a change that was killed, and say so; empty where there was none. Raises Busy while one is on."""
    root = _root(project, top)
    if not _asides(root):
        return ""
    with turns.alone(root):
        return _recover_all(root)


def _recover_all(root: Path) -> str:
    return "; ".join(filter(None, (_recover(root, aside) for aside in _asides(root))))


def _asides(root: Path) -> list[Path]:
    every = (place / name for place in private.folders() for name in sorted(os.listdir(place)))
    return [aside for aside in every if _may_be_of(root, aside)]


def _recover(root: Path, aside: Path) -> str:
    undone, why = _undo(root, aside)
    if why:
        kept = aside.with_name(f"{aside.name}.{os.urandom(4).hex()}")
        aside.rename(kept)
        return f"a change was interrupted, and {why}; what its files were is kept in {kept}"
    _forget(aside)
    return "a change that was interrupted has been undone" if undone else ""


def _undo(root: Path, aside: Path) -> tuple[bool, str]:
    """Put everything back: whether there was anything to be put back, and why it was not."""
    try:
        journal = _read(aside)
        why = _put_back(root, aside, journal) if journal else ""
    except Damaged as fault:
        return False, f"{fault}, so it was not undone"
    if not why:
        (aside / JOURNAL).unlink(missing_ok=True)
    return bool(journal), why


def _forget(aside: Path) -> None:
    """Delete the saved files, unless one may still have to be restored."""
    if not (aside / JOURNAL).exists():
        import shutil  # late: most commands change no content

        shutil.rmtree(aside, ignore_errors=True)


def _root(project: Path, top: str) -> Path:
    return Path(os.path.realpath(content_folder(project) if top == CONTENT else project / top))


def _path(project: Path, name: str, top: str) -> Path:
    return on_disk(project, name) if top == CONTENT else project / name


def _may_be_of(root: Path, aside: Path) -> bool:
    """Whether a folder keeps what was in this content, be it that this has been moved since."""
    if not re.fullmatch("[0-9a-f]{32}", aside.name) or not aside.is_dir():
        return False
    if aside.name == private.key(root):
        return True
    try:
        journal = _read(aside)
    except (Damaged, OSError):
        return False
    return journal is not None and journal.place == _place(root) and not os.path.exists(journal.content)


def _place(root: Path) -> tuple[int, int]:
    try:
        status = os.stat(root)
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino


def _read(aside: Path) -> Journal | None:
    """The journal that lies aside; None where there is none yet. Raises Damaged and OSError."""
    try:
        with open(aside / JOURNAL, "rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    try:
        made = json.loads(data[:_MOST_BYTES])
        if made.pop("mark") != _MARK:
            raise ValueError
        device, node = made["place"]
        files = {name: (old, new) for name, (old, new) in made["files"].items()}
        journal = Journal(made["content"], (device, node), made["token"], files)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Damaged("its journal is damaged") from None
    digests = [digest for pair in files.values() for digest in pair]
    texts: list[Any] = [journal.content, journal.token, *files, *digests]
    if not all(isinstance(one, str) for one in texts) or not all(map(_DIGEST.fullmatch, digests)):
        raise Damaged("its journal is damaged")
    if not re.fullmatch("[0-9a-f]{8}", journal.token):
        raise Damaged("its journal is damaged")
    return journal


def _lies_in(root: Path, path: Path) -> bool:
    """Whether a path is that of a file in the content, with no link and nothing hidden on the way."""
    try:
        within = path.relative_to(root).parts
        hidden = any(part[0] == "." for part in within)
        return bool(within) and os.path.realpath(path) == str(path) and not hidden
    except ValueError:  # it is elsewhere, or is none that a system knows
        return False


def _lay_aside(root: Path, aside: Path, files: Mapping[str, bytes | None]) -> Journal:
    """Write what each file was, and then the journal."""
    digests = {}
    for at, (name, data) in enumerate(files.items()):
        path, was = root / name, ""
        if path.exists():
            was = _write(aside / f"{at}.old", path.read_bytes())
            disk.copy_mode(path, aside / f"{at}.old")
        digests[name] = was, "" if data is None else disk.digest(data)
    journal = Journal(str(root), _place(root), os.urandom(4).hex(), digests)
    _write(aside / f"{JOURNAL}.new", json.dumps({"mark": _MARK, **vars(journal)}).encode())
    os.replace(aside / f"{JOURNAL}.new", aside / JOURNAL)
    _settle(aside)
    return journal


def _swap(root: Path, journal: Journal, files: Mapping[str, bytes | None]) -> None:
    """Write all beside their places first: a disk that is full says so before anything is touched."""
    paths = [root / name for name in files]
    for at, (path, data) in enumerate(zip(paths, files.values(), strict=True)):
        if data is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(journal.beside(path, at), data)
    for at, (path, data) in enumerate(zip(paths, files.values(), strict=True)):
        if data is None:
            path.unlink()
            _clear(root, path.parent)
        else:
            disk.replace(journal.beside(path, at), path)
    for folder in {path.parent for path in paths}:
        _settle(folder)


def _clear(root: Path, folder: Path) -> None:
    """Remove a folder in the content, and those that it lies in, as far as nothing is in them any more."""
    with contextlib.suppress(OSError):
        while folder != root:
            with contextlib.suppress(FileNotFoundError):
                folder.rmdir()
            folder = folder.parent


def _put_back(root: Path, aside: Path, journal: Journal) -> str:
    """Make every file what it was. Says why where nothing can be put back. Raises Damaged and OSError."""
    todo = []
    for name in journal.files:
        if not _lies_in(root, root / name):
            raise Damaged(f"its journal names {name!r}, which is no file of {root.name}/")
    for at, (name, (old, new)) in enumerate(journal.files.items()):
        path, kept = root / name, aside / f"{at}.old"
        if (beside := journal.beside(path, at)).is_file():
            beside.unlink()
        now = disk.digest(path.read_bytes()) if path.is_file() else "a folder" if path.exists() else ""
        was = kept.read_bytes() if old and kept.is_file() else None
        if old and (was is None or disk.digest(was) != old):
            raise Damaged(f"what {name} was is damaged")
        if now not in (old, new):
            return f"{root.name}/{name} has been edited since, so it was not undone"
        todo.append((path, beside, was, kept, now == old))
    for path, beside, was, kept, is_back in todo:
        if is_back:
            pass
        elif was is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(beside, was)
            disk.copy_mode(kept, beside)
            os.replace(beside, path)
        _clear(root, path.parent)
        _settle(path.parent)
    return ""


def _write(path: Path, data: bytes) -> str:
    with disk.blaming(path), open(path, "xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return disk.digest(data)


def _settle(folder: Path) -> None:
    """Have the disk take down what a folder holds, where the system lets folders be opened."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
