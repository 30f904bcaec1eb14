"""The commands, a file each, and what they share.

A command's file has `options(parser)`, which declares its arguments, and `run(arguments)`, which does
the work and returns the exit code: 0 all is well, 1 problems were found, 2 the command line is wrong.
`arguments.project` is the project's folder, but where the file says NEEDS_PROJECT = False. Heavy modules are
imported by the command that needs them.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rulewright.source import private
from rulewright.source.disk import write
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


def writes(parser: argparse.ArgumentParser, where: str = "write to this file instead of printing") -> None:
    """The options of a command that prints, or writes to a file."""
    parser.add_argument("--output", metavar="FILE", help=where)
    may_replace(parser)


def may_replace(parser: argparse.ArgumentParser) -> None:
    """The option to write over a file that is not ours."""
    force = "replace a file that was not written by this command, or has been edited since"
    parser.add_argument("--force", action="store_true", help=force)


def vacant(path: Path, arguments: argparse.Namespace, content: bytes | None = None) -> Path:
    """A path to write a file to: one that is free, or holds what we wrote there last, or the same already.

    Raises Usage where something else is there and --force is not given.
    """
    if path.is_file() and not arguments.force:
        data = path.read_bytes()
        noted = _noted(path)
        if data and data != content and _digest(data) not in noted:
            was = "has been edited since it was written" if noted else "was not written by this command"
            raise Usage(f"{path} {was}, so it is left alone; --force replaces it, or name another file")
    return path


def deliver(content: str | bytes, path: Path, arguments: argparse.Namespace) -> None:
    """Write a file that a command was asked for, and note that it is ours. Raises Usage and OSError."""
    data = content.encode() if isinstance(content, str) else content
    vacant(path, arguments, data)
    if path.is_file() or not path.exists():
        # First the note, that holds before the file is there and after: a kill may come between.
        ours = [path.read_bytes(), data] if path.is_file() else [data]
        with suppress(OSError):  # without a note --force is asked for the next time
            write(_note(path, private.folder()), "\n".join(map(_digest, ours)))
    write(path, data)


def show(content: str, arguments: argparse.Namespace) -> None:
    """What a command made: into the file that --output names, else to standard output."""
    if arguments.output is None:
        sys.stdout.write(content)
    else:
        deliver(content, Path(arguments.output), arguments)


def _noted(path: Path) -> Sequence[str]:
    """The digests that our last file at a path may have, if there is a note of it."""
    for folder in private.folders():
        with suppress(OSError, ValueError):
            return _note(path, folder).read_text("ascii").split()
    return ()


def _note(path: Path, folder: Path) -> Path:
    return folder / f"{private.key(path)}.written"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
