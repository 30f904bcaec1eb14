"""Build aside, then swap: the last good site stays as it was until a new one is complete.

A build writes into a hidden folder beside the site and takes its place with two renames at the very
end. Whatever stops it earlier, be it a fault of the content, an exception, Ctrl-C or `kill -9`, has
touched nothing; what a killed build leaves lying about is put in order by the next one.

All that the folder held is gone then, so only one is ever replaced that is empty or carries our mark.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path

from rulewright.source.refusal import Refusal

MARK = ".rulewright-site"
"""The file by which a build knows the folder that an earlier one has made."""

_SAYS = "Made by Rulewright. The next build replaces all files beside this one that are not hidden.\n"


@dataclass(frozen=True, slots=True)
class Staging:
    """A build under way: `folder` is written into, `site` is what it shall replace.

    `whole`: the folder is nobody's but ours. Else whoever writes sees to it that nothing of others is lost.
    """

    site: Path
    folder: Path
    whole: bool = True


class Taken(Refusal):
    """The folder holds what no build has put there, or is a file; the message says so and what to do."""


class StagingLost(Exception):
    """A later build of the same site has cleared this one's folder away, so it must not be published."""


def refuse(site: Path) -> None:
    """Raise Taken where a site would replace what no build has made."""
    another = "name a folder that is empty, or that an earlier build has made"
    if not site.exists():
        return
    if not site.is_dir():
        raise Taken(f"{site} is a file; {another}")
    mark = site / MARK
    if mark.is_file() and not mark.is_symlink() and mark.read_bytes() == _SAYS.encode():
        return
    found = next((entry.name for entry in sorted(site.iterdir()) if not entry.name.startswith(".")), "")
    if found:
        raise Taken(f"{site} holds {found}, which no build has made and a build would delete; {another}")


def begin(site: Path, *, whole: bool = True) -> Staging:
    """A new and empty folder beside the site, after tidying up behind builds that were killed.

    Raises Taken where the site is to be replaced whole and is not ours.
    """
    # Beside the real folder: where `site` is a symbolic link, the link stays and its target is replaced.
    site = Path(os.path.realpath(site))
    site.parent.mkdir(parents=True, exist_ok=True)
    _settle(site)
    if whole:
        refuse(site)
    folder = _beside(site, "new", secrets.token_hex(4))
    folder.mkdir()
    if site.is_dir():
        shutil.copymode(site, folder)
    _seal(folder).write_text(_SAYS)
    return Staging(site, folder, whole)


def publish(staging: Staging) -> None:
    """Put the finished folder where the site is. Hidden files of the old site (`.git`) are carried over."""
    if staging.whole:
        refuse(staging.site)  # it may have come since
    # Without its seal the folder was cleared by another build and written to again afterwards: half a site.
    try:
        if staging.whole:
            _seal(staging.folder).rename(staging.folder / MARK)
        else:
            _seal(staging.folder).unlink()
    except FileNotFoundError:
        raise StagingLost(f"another build of {staging.site} was started meanwhile") from None
    try:
        _swap(staging)
    except OSError:
        # The folder itself cannot be moved: a mount, or Windows while something has it open.
        _refill(staging)
    _settle(staging.site)


def discard(staging: Staging) -> None:
    """Forget a build that failed."""
    _remove(staging.folder)


def _swap(staging: Staging) -> None:
    old = _beside(staging.site, "old", secrets.token_hex(4))
    if staging.site.exists():
        staging.site.rename(old)
    try:
        staging.folder.rename(staging.site)
    except OSError:
        if old.exists():
            old.rename(staging.site)
        raise


def _refill(staging: Staging) -> None:
    """The second best: every new file first, only then what is gone, so that no address fails in between."""
    shutil.copytree(staging.folder, staging.site, dirs_exist_ok=True)
    for folder, folders, files in os.walk(staging.site):
        new = staging.folder / os.path.relpath(folder, staging.site)
        for name in [*folders, *files]:
            if not name.startswith(".") and not (new / name).exists():
                _remove(Path(folder, name))
        folders[:] = [name for name in folders if (new / name).is_dir()]
    _remove(staging.folder)


def _settle(site: Path) -> None:
    """Finish what was broken off. Can itself be broken off at any point and done again."""
    for old in _left_behind(site, "old"):
        if not site.exists():
            old.rename(site)  # killed between the two renames
            continue
        for entry in old.iterdir():
            # MkDocs never deletes hidden files of a site: they are not its own.
            if entry.name.startswith(".") and not (site / entry.name).exists():
                entry.rename(site / entry.name)
        _remove(old)
    for folder in _left_behind(site, "new"):
        _remove(folder)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        # The seal first: from here on a build that is still writing to this folder cannot publish it.
        _seal(path).unlink(missing_ok=True)
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _beside(site: Path, what: str, token: str = "") -> Path:
    return site.with_name(f".{site.name}.{what}-{token}")


def _left_behind(site: Path, what: str) -> list[Path]:
    own = re.compile(re.escape(_beside(site, what).name) + "[0-9a-f]{8}")
    every = (path for path in site.parent.iterdir() if own.fullmatch(path.name))
    return sorted(path for path in every if path.is_dir() and not path.is_symlink())


def _seal(folder: Path) -> Path:
    return folder / ".rulewright-staging"
