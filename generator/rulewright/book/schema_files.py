"""The schemas as files of a project, and the content files that do not name theirs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rulewright.book.library import Library, read_library
from rulewright.book.schema import DRAFT, FOLDER, naming, schemas
from rulewright.model.reports import as_json
from rulewright.model.rulebook import SETS
from rulewright.source.folder import CONTENT, gather
from rulewright.source.output import kept_in
from rulewright.source.refusal import Refusal


def outdated(project: Path, output: Path | None = None) -> Iterator[tuple[Path, bytes]]:
    """The files that are missing or differ, with what they should hold: of `output` only the schemas.

    Raises Refusal where another file is in the place of a schema.
    """
    folder = output or kept_in(project / CONTENT, project / FOLDER)
    content = gather(project)
    for name, schema in schemas(_steps_of(read_library(content))).items():
        path, data = folder / f"{name}.json", as_json(schema).encode()
        was = kept_in(folder, path).read_bytes() if path.is_file() else b""
        if was and DRAFT.encode() not in was and folder != project / FOLDER:
            raise Refusal(f"{path} is no schema, and one would replace it; name another folder")
        if was != data:
            yield path, data
    for name, data in content.texts.items() if output is None else ():
        path = project / name
        if not path.is_symlink() and (named := naming(name, data)) != data:
            yield path, named


def _steps_of(library: Library) -> tuple[str, ...]:
    """The kinds of step that the books of a library have, the usual ones first."""
    declared = (kind for edition in library.editions.values() for kind in edition.book.steps)
    return tuple(dict.fromkeys([*SETS["steps"], *map(str, declared)]))
