"""`rulewright import outline`: a sequence of play in plain text, read into steps."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.app.commands import Refused, Usage, has_colour
from rulewright.model.reports import several, text
from rulewright.source import bounds
from rulewright.source.disk import write
from rulewright.source.folder import CONTENT
from rulewright.source.transaction import replace

if TYPE_CHECKING:
    from rulewright.book.library import Library
    from rulewright.importers.outline.sequence_steps import Book

NAME = "sequence.yml"
SCHEMA = "../../.schema/sequence.json"


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read a sequence of play from a text: labels (A., 1., [3.2], 3.1), bullets, indents and short titles "
        "become steps. What is guessed has a comment that begins with `# guess:`. With a TARGET it becomes "
        f"that edition's {NAME}, whose book says which numbers are rules and who plays; else it is printed."
    )
    parser.epilog = "example:\n  rulewright import outline sequence.txt content/ocs/4.3"
    parser.add_argument("file", metavar="FILE", help="a text file in UTF-8")
    parser.add_argument(
        "target", metavar="TARGET", nargs="?", help=f"the folder of an edition, or a {NAME} to write"
    )
    parser.add_argument("--force", action="store_true", help=f"replace a {NAME} that is there")


def run(arguments: argparse.Namespace) -> int:
    """Write or print the steps; 1 where there are none. Raises Usage where a file would be replaced."""
    from rulewright.book.library import read_library
    from rulewright.importers.outline.transcription import transcribed
    from rulewright.source.folder import gather
    from rulewright.source.text import decode

    path = Path(arguments.file)
    if path.is_file() and path.stat().st_size > bounds.FILE.most:
        raise Usage(f"{path} is larger than {bounds.FILE.most // 1_000_000} MB, which no sequence of play is")
    target = _target(arguments.project, arguments.target) if arguments.target else None
    if target and target.exists() and not arguments.force:
        raise Usage(f"{target} is there already; --force replaces it")
    file, faults = decode(path.as_posix(), path.read_bytes())
    if faults:
        raise Refused(faults, "nothing imported")
    book = _book(read_library(gather(arguments.project)), arguments.project, target)
    made, problems = transcribed(file, book, SCHEMA)
    if made is None:
        raise Refused(problems, "nothing imported")
    sys.stderr.write(text(problems, colour=has_colour(sys.stderr)))
    if target is None:
        sys.stdout.write(made)
        return 0
    content, real = (arguments.project / CONTENT).resolve(), target.resolve()
    if real.is_relative_to(content):
        name = f"{CONTENT}/{real.relative_to(content).as_posix()}"
        before = {name: target.read_bytes()} if target.exists() else {}
        replace(arguments.project, {name: made.encode()}, before)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        write(target, made)
    count = made.count("# guess:")
    print(f"{target} written; {several(count, 'comment')} in it to look at", file=sys.stderr)
    return 0


def _target(project: Path, named: str) -> Path:
    """The file to write: the one that is named, or that of the edition whose folder is named."""
    path = Path(named)
    if path.suffix in (".yml", ".yaml"):
        return path
    own = project / CONTENT / named.strip("/").removeprefix(f"{CONTENT}/")
    return (path if path.is_dir() or not own.is_dir() else own) / NAME


def _book(library: Library, project: Path, target: Path | None) -> Book:
    """What the book of the target says of numbers, kinds of step, and who plays."""
    from rulewright.book.outline import arrange
    from rulewright.importers.outline.sequence_steps import Book
    from rulewright.model.rulebook import SETS

    content = (project / CONTENT).resolve()
    within = (
        target.resolve().relative_to(content) if target and target.resolve().is_relative_to(content) else None
    )
    address = within.parent.as_posix() if within else ""
    edition = library.named(address) or library.named(address.partition("/")[0])
    if edition is None:
        return Book(lambda number: True)
    home = arrange(edition).home
    players = {**edition.book.roles, **edition.book.sides}
    return Book(
        lambda number: edition.dialect.parse(number, home) is not None,
        tuple(map(str, edition.book.steps)) or SETS["steps"],
        {str(role.title): str(name) for name, role in players.items()},
    )
