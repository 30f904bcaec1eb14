"""Files written where they are asked for: never half of one, outside of its folder, or over another's."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from rulewright.source import staging
from rulewright.source.filenames import stays
from rulewright.source.refusal import Refusal


def within(folder: Path, name: str) -> Path:
    """The path of a file in a folder. Raises Refusal where its name, or a link on the way, leads out."""
    if not stays(name):
        raise Refusal(f"{folder / name} leads out of {folder}, so it is left alone")
    return kept_in(folder, folder / name)


def kept_in(folder: Path, path: Path) -> Path:
    """A path in a folder. Raises Refusal where a link on the way leads out of that, as one in content may."""
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise Refusal(f"{path} leads out of {folder} by a link, so it is left alone")
    return path


def of_sort(path: Path, sign: bytes) -> Path:
    """A path to write a file to that begins with a sign. Raises Refusal where another sort is there."""
    if path.is_file():
        with open(path, "rb") as file:
            if file.read(len(sign)) not in (b"", sign):
                raise Refusal(
                    f"{path} is there already and is something else, so it is left alone; name another"
                )
    return path


def write(path: Path, content: str | bytes) -> None:
    """Write a file aside and rename it, so that nobody ever reads half of it. Raises OSError."""
    target = Path(os.path.realpath(path))  # where it is a symbolic link, the link stays
    if target.exists() and not target.is_file() and not target.is_dir():
        with open(target, "wb") as file:  # a pipe or a device, which is written to and stays one
            file.write(content.encode() if isinstance(content, str) else content)
        return
    aside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        aside.write_bytes(content.encode() if isinstance(content, str) else content)
        if target.exists():
            shutil.copymode(target, aside)
        aside.replace(target)
    except OSError as error:  # about the file that was asked for, not the one aside
        raise type(error)(error.errno, error.strerror, str(path)) from None
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)


def put(path: Path, content: str | bytes) -> None:
    """Write a file into a folder that is made where it is missing. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, content)


def fill(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files aside, then let them be the folder, which is empty or not there. Raises OSError."""
    aside = staging.begin(folder, whole=False)
    try:
        for name, data in files.items():
            put(within(aside.folder, name), data)
        staging.publish(aside)
    except BaseException:
        staging.discard(aside)
        raise


def refill(folder: Path, files: Mapping[str, bytes], earlier: Collection[str]) -> None:
    """Write all files among what a folder holds, then delete those that only an earlier writing left."""
    for name, data in files.items():
        put(within(folder, name), data)
    for name in set(earlier) - files.keys():
        path = within(folder, name)
        path.unlink(missing_ok=True)
        # Its folders go too where it was the last that they held.
        for above in path.parents[: len(PurePosixPath(name).parts) - 1]:
            if above.is_dir() and not any(above.iterdir()):
                above.rmdir()
