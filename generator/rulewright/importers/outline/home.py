"""The edition that a sequence of play is imported into: its file, its numbers and its players."""

from __future__ import annotations

from pathlib import Path

from rulewright.book.library import Library
from rulewright.book.outline import arrange
from rulewright.importers.outline.steps import Book
from rulewright.model.rulebook import SETS
from rulewright.source.folder import CONTENT, address_of
from rulewright.source.output import put
from rulewright.source.transaction import replace

NAME = "sequence.yml"
SCHEMA = "../../.schema/sequence.json"


def target_of(project: Path, named: str) -> Path:
    """The file to write: the one that is named, or that of the edition whose folder is named."""
    path = Path(named)
    if path.suffix in (".yml", ".yaml"):
        return path
    own = project / CONTENT / address_of(named)
    return (path if path.is_dir() or not own.is_dir() else own) / NAME


def book_at(library: Library, project: Path, target: Path | None) -> Book:
    """What the book of a file says of numbers, kinds of step, and who plays."""
    content = (project / CONTENT).resolve()
    path = target.resolve() if target else None
    address = path.relative_to(content).parent.as_posix() if path and path.is_relative_to(content) else ""
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


def put_sequence(project: Path, target: Path, made: str) -> None:
    """Write the file, in the content only while no other command changes that. Raises Busy and OSError."""
    content, real = (project / CONTENT).resolve(), target.resolve()
    if not real.is_relative_to(content):
        put(target, made)
        return
    name = f"{CONTENT}/{real.relative_to(content).as_posix()}"
    replace(project, {name: made.encode()}, {name: target.read_bytes()} if target.exists() else {})
