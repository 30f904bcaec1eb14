"""Staged build: build into a temporary folder, then swap it with the site.

A build writes into a hidden folder next to the site and renames both at the end. If it stops earlier (error,
exception, Ctrl-C, `kill -9`), the site is unchanged; the next build finishes an interrupted swap and removes
leftover folders. Builds of the same site wait for each other.

The old files are deleted, so only folders that are empty or carry the mark of a build are replaced.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from rulewright.files import folder_lock, user_folders
from rulewright.files.errors import UserError

MARK = ".rulewright-site"
"""File that marks a folder as the output of a build."""

_MARK_TEXT = "Made by Rulewright. The next build replaces all files beside this one that are not hidden.\n"


@dataclass(frozen=True, slots=True)
class StagedBuild:
    """A build in progress."""

    site: Path
    folder: Path
    """Temporary folder that will replace the site."""
    lock: ExitStack = field(compare=False)


class UnsafeTarget(UserError):
    """The output path is a file, is not writable, or has files that are not from a build."""


def check_target(site: Path) -> None:
    """Raise UnsafeTarget if the output folder must not or cannot be replaced."""
    cure = "name a folder that is empty or the output of an earlier build"
    for folder in (site, site.parent):
        if folder.is_dir() and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            raise UnsafeTarget(f"{folder} is not writable; change its permissions or name another folder")
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
            f"{site} contains {blocking_name}, which is not from a build and would be deleted; {cure}"
        )


def begin_staging(site: Path) -> StagedBuild:
    """Create the temporary folder. Raises UnsafeTarget or FolderBusy."""
    # If `site` is a symbolic link, its target is replaced, not the link.
    site = Path(os.path.realpath(site))
    with ExitStack() as stack:
        with suppress(PermissionError):  # no folder for locks
            user_folders.user_folder()
            stack.enter_context(folder_lock.exclusive_lock(site))
        site.parent.mkdir(parents=True, exist_ok=True)
        _recover(site)
        check_target(site)
        folder = _hidden_sibling(site, "new", secrets.token_hex(4))
        folder.mkdir()
        if site.is_dir():
            shutil.copymode(site, folder)
        (folder / MARK).write_text(_MARK_TEXT)
        return StagedBuild(site, folder, stack.pop_all())


def swap_in(staging: StagedBuild) -> None:
    """Replace the site with the finished folder, keeping its hidden files (`.git`)."""
    with staging.lock:
        check_target(staging.site)  # it may have changed since
        _swap(staging)
        _recover(staging.site)


def discard_staging(staging: StagedBuild) -> None:
    """Delete the temporary folder of a failed build."""
    with staging.lock:
        _remove(staging.folder)


def _swap(staging: StagedBuild) -> None:
    if not staging.site.exists():
        staging.folder.rename(staging.site)
        return
    old = _hidden_sibling(staging.site, "old", secrets.token_hex(4))
    try:
        staging.site.rename(old)
    except OSError:
        raise UnsafeTarget(
            f"{staging.site} cannot be renamed, since it is a mount or in use; name another folder"
        ) from None
    try:
        staging.folder.rename(staging.site)
    except OSError:
        old.rename(staging.site)
        raise


def _recover(site: Path) -> None:
    """Finish an interrupted swap. Can be interrupted and repeated."""
    for old in _leftovers(site, "old"):
        if not site.exists():
            old.rename(site)  # killed between the two renames
            continue
        for entry in old.iterdir():
            # Like MkDocs, keep hidden files of a site.
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
