"""Build aside, then swap: the last good site stays as it was until a new one is complete.

A build writes into a hidden folder beside the site and changes places with it at the very end, at one
stroke where the system can. Whatever stops it earlier, be it a fault of the content, an exception, Ctrl-C or
`kill -9`, has touched nothing; what a killed build leaves lying about is put in order by the next one. Two
builds of one site take turns.

All that the folder held is gone then, so only one is ever replaced that is empty or carries our mark.
"""

from __future__ import annotations

import ctypes
import os
import re
import secrets
import shutil
import sys
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.source import folder_lock, user_folders
from rulewright.source.errors import UserError

MARK = ".rulewright-site"
"""The file by which a build knows the folder that an earlier one has made."""

_MARK_TEXT = "Made by Rulewright. The next build replaces all files beside this one that are not hidden.\n"


@dataclass(frozen=True, slots=True)
class StagedBuild:
    """A build under way: `folder` is written into, `site` is what it shall replace."""

    site: Path
    folder: Path
    lock: ExitStack = field(compare=False)


class UnsafeTarget(UserError):
    """Raised for a folder with files that no build has made, a file, or what is closed, with the cure."""


def check_target(site: Path) -> None:
    """Raise Taken where a site would replace what no build has made, or cannot be replaced."""
    cure = "name a folder that is empty, or that an earlier build has made"
    for folder in (site, site.parent):
        if folder.is_dir() and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            raise UnsafeTarget(
                f"{folder} is closed to this user; change its permissions, or name another folder"
            )
    if not site.exists():
        return
    if not site.is_dir():
        raise UnsafeTarget(f"{site} is a file; {cure}")
    mark = site / MARK
    if mark.is_file() and not mark.is_symlink() and mark.read_bytes() == _MARK_TEXT.encode():
        return
    blocking_name = next(
        (entry.name for entry in sorted(site.iterdir()) if not entry.name.startswith(".")), ""
    )
    if blocking_name:
        raise UnsafeTarget(
            f"{site} holds {blocking_name}, which no build has made and a build would delete; {cure}"
        )


def begin_staging(site: Path) -> StagedBuild:
    """Make an empty folder beside the site to build into. Raises Taken and Busy."""
    # Beside the real folder: where `site` is a symbolic link, the link stays and its target is replaced.
    site = Path(os.path.realpath(site))
    with ExitStack() as stack:
        with suppress(PermissionError):  # no folder to keep turns in
            user_folders.user_folder()
            stack.enter_context(folder_lock.exclusive_lock(site))
        site.parent.mkdir(parents=True, exist_ok=True)
        _recover(site)
        check_target(site)
        folder = _hidden_sibling(site, "new", secrets.token_hex(4))
        folder.mkdir()
        try:
            if site.is_dir():
                shutil.copymode(site, folder)
            (folder / MARK).write_text(_MARK_TEXT)
        except BaseException:
            _remove(folder)
            raise
        return StagedBuild(site, folder, stack.pop_all())


def swap_in(staging: StagedBuild) -> None:
    """Put the finished folder where the site is. Hidden files of the old site (`.git`) are carried over."""
    with staging.lock:
        check_target(staging.site)  # it may have come since
        try:
            _swap(staging)
        except OSError:
            # The folder itself cannot be moved: a mount, or Windows while something has it open.
            _copy_over(staging)
        _recover(staging.site)


def discard_staging(staging: StagedBuild) -> None:
    """Forget a build that failed."""
    with staging.lock:
        _remove(staging.folder)


def _swap(staging: StagedBuild) -> None:
    if not staging.site.exists():
        staging.folder.rename(staging.site)
        return
    old = _hidden_sibling(staging.site, "old", secrets.token_hex(4))
    # Under the name of the old one already, so that no hidden file is lost whenever this is broken off.
    staging.folder.rename(old)
    if _exchange(old, staging.site):
        return
    old.rename(staging.folder)
    staging.site.rename(old)
    try:
        staging.folder.rename(staging.site)
    except OSError:
        old.rename(staging.site)
        raise


def _exchange(folder: Path, other_folder: Path) -> bool:
    """Let two folders change places at one stroke. False where the system cannot, and has changed nothing."""
    calls = {
        "linux": ("renameat2", (-100, folder, -100, other_folder, 2)),
        "darwin": ("renamex_np", (folder, other_folder, 2)),
    }
    name, arguments = calls.get(sys.platform, ("", ()))
    paths = [os.fsencode(argument) if isinstance(argument, Path) else argument for argument in arguments]
    with suppress(OSError, AttributeError):
        return bool(name) and getattr(ctypes.CDLL(None), name)(*paths) == 0
    return False


def _copy_over(staging: StagedBuild) -> None:
    """Copy over: every new file first, only then delete old ones, so that no address fails in between."""
    shutil.copytree(staging.folder, staging.site, dirs_exist_ok=True)
    for folder, folders, files in os.walk(staging.site):
        new = staging.folder / os.path.relpath(folder, staging.site)
        for name in [*folders, *files]:
            if not name.startswith(".") and not (new / name).exists():
                _remove(Path(folder, name))
        folders[:] = [name for name in folders if (new / name).is_dir()]
    _remove(staging.folder)


def _recover(site: Path) -> None:
    """Finish a broken-off swap. Can itself be broken off at any point and done again."""
    for old in _leftovers(site, "old"):
        if not site.exists():
            old.rename(site)  # killed between the two renames
            continue
        for entry in old.iterdir():
            # MkDocs never deletes hidden files of a site: they are not its own.
            hidden = entry.name.startswith(".") and entry.name != MARK
            if hidden and not (site / entry.name).exists():
                entry.rename(site / entry.name)
        _remove(old)
    for folder in _leftovers(site, "new"):
        _remove(folder)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _hidden_sibling(site: Path, suffix: str, token: str = "") -> Path:
    return site.with_name(f".{site.name}.{suffix}-{token}")


def _leftovers(site: Path, suffix: str) -> list[Path]:
    pattern = re.compile(re.escape(_hidden_sibling(site, suffix).name) + "[0-9a-f]{8}")
    candidates = (path for path in site.parent.iterdir() if pattern.fullmatch(path.name))
    return sorted(path for path in candidates if path.is_dir() and not path.is_symlink())
