"""The schemas as files of a project, and the content files that do not name theirs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rulewright.book.library import Library, read_library
from rulewright.book.schema import DRAFT, FOLDER, naming, schemas
from rulewright.model.reports import as_json
from rulewright.model.rulebook import SETS
from rulewright.source.folder import CONTENT, Folder
from rulewright.source.output import kept_in
from rulewright.source.refusal import Refusal
from rulewright.source.transaction import replace


def outdated(project: Path, content: Folder, output: Path | None = None) -> dict[Path, bytes]:
    """The files that are missing or differ, with what they should hold; those of `output` are only schemas.

    Raises Refusal where another file is in the place of a schema.
    """
    folder = output or kept_in(project / CONTENT, project / FOLDER)
    found: dict[Path, bytes] = {}
    for name, schema in schemas(_steps_of(read_library(content))).items():
        path, data = folder / f"{name}.json", as_json(schema).encode()
        was = kept_in(folder, path).read_bytes() if path.is_file() else b""
        if was and DRAFT.encode() not in was and folder != project / FOLDER:
            raise Refusal(f"{path} is no schema, and one would replace it; name another folder")
        if was != data:
            found[path] = data
    for name, data in content.texts.items() if output is None else ():
        path = project / name
        if not path.is_symlink() and (named := naming(name, data)) != data:
            found[path] = named
    return found


def renew(project: Path, content: Folder, changes: Mapping[Path, bytes]) -> None:
    """Write such files of a project, all or none. Raises Busy and OSError."""
    files = {path.relative_to(project).as_posix(): data for path, data in changes.items()}
    was = {name: (project / name).read_bytes() for name in files if (project / name).is_file()}
    replace(project, files, {**was, **content.texts})


def _steps_of(library: Library) -> tuple[str, ...]:
    """The kinds of step that the books of a library have, the usual ones first."""
    declared = (kind for edition in library.editions.values() for kind in edition.book.steps)
    return tuple(dict.fromkeys([*SETS["steps"], *map(str, declared)]))
