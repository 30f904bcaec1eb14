"""The folder of an edition that an import is put into: what is there already, what may be replaced."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from rulewright.files.atomic_write import file_digest
from rulewright.files.content_folder import CONTENT, RECEIPT, content_folder, disk_path, parse_address
from rulewright.files.content_reader import read_content_folder
from rulewright.files.errors import ContentErrors, UserError
from rulewright.files.output_files import check_inside
from rulewright.files.problems import SourceLocation, problem_type
from rulewright.files.transaction import replace_files
from rulewright.imports.blocks import ReadSource
from rulewright.imports.pipeline import ImportRequest, ImportResult, import_source
from rulewright.imports.report import import_report_data, import_report_markdown
from rulewright.schema.problem_reports import to_json_text

EDITED = problem_type(
    "import-would-overwrite",
    """An import would replace a file that it did not write, or that was edited since. Keep your edits
    elsewhere, or say --force to lose them.""",
)
_OWN = ("edition.yml", "known.yml", "sequence.yml", "redirects.yml", "rules/", "tables/", f"{RECEIPT}.")
"""Files that an import replaces in a folder that it did not create itself."""


@dataclass(frozen=True, slots=True)
class ImportTarget:
    """The folder of an edition in a project. `digests`: of the files of an earlier import."""

    project: Path
    book: str
    edition: str
    digests: Mapping[str, str]

    @property
    def base(self) -> str:
        return f"{CONTENT}/{self.book}/{self.edition}"

    def import_edition(
        self, read: Callable[[Path], ReadSource], path: Path, request: ImportRequest
    ) -> ImportResult:
        """Import what is read from a path. Raises ContentErrors if there is no edition in it."""
        content = read_content_folder(self.project)
        rulebook = f"{CONTENT}/{self.book}/rulebook.yml"
        texts = {
            name: data
            for name, data in content.texts.items()
            if not self._replaces(name) or (name == rulebook and file_digest(data) != self.digests[name])
        }
        request = replace(request, content=replace(content, texts=texts))
        return import_source(read(path), request, path.as_posix())

    def write(self, result: ImportResult, *, force: bool) -> None:
        """Put an import in its place. Raises ContentErrors if edited files are in the way, and OSError."""
        folder = disk_path(self.project, self.base)
        paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        names = [f"{self.base}/{path.relative_to(folder).as_posix()}" for path in paths]
        replaced = [name for name in names if self._replaces(name)]
        files = {**result.copies, **result.files}
        digests = {name: file_digest(data) for name, data in files.items()}
        receipt = f"{self.base}/{RECEIPT}"
        files[f"{receipt}.json"] = to_json_text(import_report_data(result.report, digests)).encode()
        files[f"{receipt}.md"] = import_report_markdown(result.report).encode()
        new = {**dict.fromkeys(replaced), **files}
        old = {name: path.read_bytes() for name in new if (path := disk_path(self.project, name)).is_file()}
        fault = "was edited since the last import, and the import would replace it"
        edits = [
            EDITED.problem(SourceLocation(name), f"{name} {fault}", name)
            for name in replaced
            if self.digests.get(name) != file_digest(old[name]) and not name.startswith(f"{receipt}.")
        ]
        if edits and not force:
            raise ContentErrors(edits, f"{self.base}/ stays as it is; --force replaces these files")
        changed = {name: data for name, data in new.items() if data != old.get(name)}
        replace_files(self.project, changed, old)

    def _replaces(self, name: str) -> bool:
        """Return whether an import replaces a file: it wrote it before, or would write a file like it."""
        return name in self.digests or name.startswith(tuple(f"{self.base}/{file}" for file in _OWN))


def import_target(project: Path, target: str) -> ImportTarget:
    """Return the target for a folder `content/ocs/4.3`. Raises UserError."""
    parts = PurePosixPath(parse_address(target)).parts
    if len(parts) != 2 or any(part.startswith(".") for part in parts):
        raise UserError(f"{target} is no edition's folder; name a folder like {CONTENT}/ocs/4.3")
    content = content_folder(project)
    folder = check_inside(content, content.joinpath(*parts))
    try:
        files = json.loads((folder / f"{RECEIPT}.json").read_text("utf-8"))["files"]
        digests = {str(name): str(value) for name, value in files.items()}
    except Exception:  # there is no report, or none of an import
        digests = {}
    return ImportTarget(project, *parts, digests)
