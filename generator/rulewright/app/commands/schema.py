"""`rulewright schema`: the JSON Schema of the content files, and the line in each that names it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from rulewright.app.commands import Usage, kept_in
from rulewright.book.library import Library, read_library
from rulewright.book.schema import DRAFT, FOLDER, naming, schemas
from rulewright.model.reports import as_json, several
from rulewright.model.rulebook import SETS
from rulewright.source.disk import write
from rulewright.source.folder import CONTENT, gather
from rulewright.source.transaction import replace


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        f"Write the JSON Schema of each sort of content file to {FOLDER}/, and see to it that every content "
        "file names its schema in its first line, so that editors' tools complete and check while one types."
    )
    parser.epilog = "example:\n  rulewright schema --check"
    where = "write the schemas to this folder, and leave the content files alone"
    parser.add_argument("--output", metavar="DIR", help=where)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if anything would change")


def run(arguments: argparse.Namespace) -> int:
    """Write what differs, and name it. With `--check` only name it; 1 where there is any. Raises OSError."""
    project: Path = arguments.project
    folder = Path(arguments.output) if arguments.output else kept_in(project / CONTENT, project / FOLDER)
    changes = dict(_schemas(project, folder))
    texts = gather(project).texts
    named = {} if arguments.output else dict(_content(project, texts))
    if arguments.output and not arguments.check:
        folder.mkdir(parents=True, exist_ok=True)
        for path, data in changes.items():
            write(path, data)
    elif not arguments.check:
        schemas = {path.relative_to(project).as_posix(): data for path, data in changes.items()}
        was = {name: (project / name).read_bytes() for name in schemas if (project / name).is_file()}
        replace(project, schemas | named, {**was, **texts})
    changes |= {project / name: data for name, data in named.items()}
    for path in changes:
        shown = path.relative_to(project).as_posix() if path.is_relative_to(project) else str(path)
        print(f"{shown} would change" if arguments.check else f"{shown} written")
    if changes and arguments.check:
        print(f"{several(len(changes), 'file')} out of date; `rulewright schema` mends that", file=sys.stderr)
    elif not changes:
        print("The schemas and the lines that name them are up to date.", file=sys.stderr)
    return 1 if changes and arguments.check else 0


def _schemas(project: Path, folder: Path) -> Iterator[tuple[Path, bytes]]:
    """The schema files that are missing or differ, with what they should hold. Raises Usage where another
    file is in the place of one.
    """
    for name, schema in schemas(steps_of(read_library(gather(project)))).items():
        path, data = folder / f"{name}.json", as_json(schema).encode()
        was = kept_in(folder, path).read_bytes() if path.is_file() else b""
        if was and DRAFT.encode() not in was and folder != project / FOLDER:
            raise Usage(f"{path} is no schema, and one would replace it; name another folder")
        if was != data:
            yield path, data


def _content(project: Path, texts: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """The content files whose first line is missing or wrong, with what they should hold."""
    for name, data in texts.items():
        if not (project / name).is_symlink() and (named := naming(name, data)) != data:
            yield name, named


def steps_of(library: Library) -> tuple[str, ...]:
    """The kinds of step that the books of a library have, the usual ones first."""
    declared = (kind for edition in library.editions.values() for kind in edition.book.steps)
    return tuple(dict.fromkeys([*SETS["steps"], *map(str, declared)]))
