"""The commands, a file each, and what they share.

A command's file has `options(parser)`, which declares its arguments, and `run(arguments)`, which does
the work and returns the exit code: 0 all is well, 1 problems were found, 2 the command line is wrong.
`arguments.project` is the project's folder, but where the file says NEEDS_PROJECT = False. Heavy modules are
imported by the command that needs them.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rulewright.source.filenames import stays
from rulewright.source.problems import Problem, did_you_mean

if TYPE_CHECKING:
    from rulewright.book.outline import Outline
    from rulewright.checks.examine import Examined


INTERRUPTED = 128 + 2  # as a shell reports a program that Ctrl-C ended


class Usage(Exception):
    """The command line asks for what is not there. Shown in one line; the exit code is 2."""


class Refused(Exception):
    """The content stands in the way. `problems` are shown, then the message; the exit code is 1."""

    def __init__(self, problems: Sequence[Problem], message: str) -> None:
        super().__init__(message)
        self.problems = problems


def one_of(options: Iterable[str]) -> Callable[[str], str]:
    """A type of argument: one of a few words. Another word is answered with the nearest."""
    known = list(options)

    def word(value: str) -> str:
        if value not in known:
            raise argparse.ArgumentTypeError(f"there is no {value}{did_you_mean(value, known)}")
        return value

    return word


def book(value: str) -> str:
    """A type of argument: a book or an edition, `ocs/4.3`. Its folder `content/ocs/4.3/` may be named too."""
    return value.replace("\\", "/").strip("/").removeprefix("content/")


def outline_of(examined: Examined, address: str) -> Outline:
    """The outline of the edition at an address, or of a book's newest edition.

    Raises Refused where the edition is there but cannot be read, Usage where it is not there.
    """
    if edition := examined.library.named(address):
        return examined.shelf.outlines[edition.address]
    if problems := [problem for problem in examined.problems if lies_in(problem, address)]:
        raise Refused(problems, f"{address} cannot be read until this is mended")
    raise no_book(examined, address)


def lies_in(problem: Problem, address: str) -> bool:
    """Whether a problem stands in the folder of a book or edition."""
    return bool(address) and problem.place.file.startswith(f"content/{address}/")


def no_book(examined: Examined, address: str) -> Usage:
    """What to say where there is no such book, with the nearest."""
    addresses = list(examined.library.editions)
    books = dict.fromkeys(address.rpartition("/")[0] for address in addresses)
    return Usage(f"no book {address} here{did_you_mean(address, [*books, *addresses])}")


def has_colour(stream: TextIO) -> bool:
    """Whether what is printed to a stream may be coloured."""
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def within(folder: Path, name: str) -> Path:
    """The path of a file in a folder. Raises Usage where its name, or a link on the way, leads out of it."""
    if not stays(name):
        raise Usage(f"{folder / name} leads out of {folder}, so it is left alone")
    return kept_in(folder, folder / name)


def kept_in(folder: Path, path: Path) -> Path:
    """A path in a folder. Raises Usage where a link on the way leads out of that, as one in content may."""
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise Usage(f"{path} leads out of {folder} by a link, so it is left alone")
    return path


def of_sort(path: Path, sign: bytes) -> Path:
    """A path to write a file to that begins with a sign. Raises Usage where one of another sort is there."""
    if path.is_file():
        with open(path, "rb") as file:
            if file.read(len(sign)) not in (b"", sign):
                raise Usage(
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


def deliver(content: str, output: str | None) -> None:
    """What a command made: into the file that is named, else to standard output. Raises OSError."""
    if output is None:
        sys.stdout.write(content)
    else:
        write(Path(output), content)
