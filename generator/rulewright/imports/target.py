"""The folder of an edition that an import is put into: what is there already, what may be replaced."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from rulewright.files.atomic_write import file_digest
from rulewright.files.content_folder import CONTENT, RECEIPT, content_folder, disk_path, parse_address
from rulewright.files.content_reader import read_content_folder
from rulewright.files.errors import ContentErrors, UserError
from rulewright.files.output_files import check_inside
from rulewright.files.problems import Problem, SourceLocation, problem_type
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
_OWN = ("edition.yml", "known.yml", "sequence.yml", "redirects.yml", "rules/", "tables/")
"""Files that an import replaces in a folder that it did not create itself."""


@dataclass
class ImportTarget:
    """The folder of an edition in a project."""

    project: Path
    book: str
    edition: str
    target: Path = field(init=False)
    previous_digests: Mapping[str, str] = field(init=False)
    """The files of an earlier import, each with its digest."""

    def __post_init__(self) -> None:
        content = content_folder(self.project)
        self.target = check_inside(content, content / self.book / self.edition)
        try:
            files = json.loads((self.target / f"{RECEIPT}.json").read_text("utf-8"))["files"]
            self.previous_digests = {str(name): str(value) for name, value in files.items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.previous_digests = {}

    @property
    def base(self) -> str:
        return f"{CONTENT}/{self.book}/{self.edition}"

    def import_edition(
        self, read: Callable[[Path], ReadSource], path: Path, request: ImportRequest
    ) -> ImportResult:
        """Import what is read from a path. Raises ContentErrors if there is no edition in it."""
        content = read_content_folder(self.project)
        rulebook = f"{CONTENT}/{self.book}/rulebook.yml"
        texts = {name: text for name, text in content.texts.items() if not self._replaces(name)}
        edited = content.texts.get(rulebook)
        if edited is not None and file_digest(edited) != self.previous_digests.get(rulebook):
            texts[rulebook] = edited
        return import_source(
            read(path), replace(request, content=replace(content, texts=texts)), path.as_posix()
        )

    def write(self, result: ImportResult, *, force: bool) -> None:
        """Put an import in its place. Raises ContentErrors if edited files are in the way, and OSError."""
        if (edits := self._edits()) and not force:
            raise ContentErrors(edits, f"{self.base}/ stays as it is; --force replaces these files")
        new: dict[str, bytes | None] = {**result.copies}
        new |= result.files
        digests = {name: file_digest(content) for name, content in new.items() if content is not None}
        new[f"{self.base}/{RECEIPT}.json"] = to_json_text(import_report_data(result.report, digests)).encode()
        new[f"{self.base}/{RECEIPT}.md"] = import_report_markdown(result.report).encode()
        for name in self._existing():
            if self._replaces(name):
                new.setdefault(name, None)
        old = {name: path.read_bytes() for name in new if (path := disk_path(self.project, name)).is_file()}
        changed = {name: content for name, content in new.items() if content != old.get(name)}
        replace_files(self.project, changed, old)

    def _existing(self) -> dict[str, Path]:
        files = filter(Path.is_file, sorted(self.target.rglob("*")) if self.target.is_dir() else [])
        return {f"{self.base}/{path.relative_to(self.target).as_posix()}": path for path in files}

    def _edits(self) -> list[Problem]:
        """Return the files in the way: edited since an earlier import, or written by none."""
        problems: list[Problem] = []
        for name, path in self._existing().items():
            file, digest = name.removeprefix(f"{self.base}/"), self.previous_digests.get(name)
            if digest and file_digest(path.read_bytes()) != digest:
                reason = "was edited since the last import, and the import would replace it"
            elif not digest and file.startswith(_OWN):
                reason = "was not written by an import, and this import would replace it"
            else:
                continue
            problems.append(EDITED.problem(SourceLocation(name), f"{file} {reason}", name))
        return problems

    def _replaces(self, name: str) -> bool:
        """Return whether an import replaces a file: it wrote it before, or would write a file like it."""
        file = name.removeprefix(f"{self.base}/")
        return name in self.previous_digests or (file != name and file.startswith((*_OWN, f"{RECEIPT}.")))


def import_target(project: Path, target: str) -> ImportTarget:
    """Return the target for a folder `content/ocs/4.3`. Raises UserError."""
    parts = PurePosixPath(parse_address(target)).parts
    if len(parts) != 2 or any(part.startswith(".") for part in parts):
        raise UserError(f"{target} is no edition's folder; name a folder like {CONTENT}/ocs/4.3")
    return ImportTarget(project, *parts)
