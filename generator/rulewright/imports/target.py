"""The folder of an edition that an import is put into: what is there already, what may be replaced."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files.atomic_write import file_digest
from rulewright.files.content_folder import CONTENT, RECEIPT, content_folder, disk_path
from rulewright.files.content_reader import ContentFolder, read_content_folder
from rulewright.files.errors import ContentErrors, UserError
from rulewright.files.output_files import check_inside, write_into_folder
from rulewright.files.problems import Problem, SourceLocation, problem_type
from rulewright.files.transaction import replace_files
from rulewright.imports.blocks import ReadSource
from rulewright.imports.pipeline import ImportRequest, ImportResult, import_source
from rulewright.imports.report import SET_ASIDE, import_report_data, import_report_markdown
from rulewright.references.redirect_targets import CLASH
from rulewright.schema.problem_reports import to_json_text

EDITED = problem_type(
    "import-would-overwrite",
    """An import would replace a file that it did not write, or that was edited since. Keep your edits
    elsewhere, or say --force to lose them.""",
)
_LOCK = "references.lock"
_ADDRESS = re.compile(r"""\bfrom:\s*["']?([^\s,{}"']+)""")
_MAX_ROUNDS = 5
_OWN = ("edition.yml", "known.yml", "sequence.yml", "redirects.yml", "rules/", "tables/")
"""Files that an import replaces in a folder that it did not create itself."""


def set_conflicts_aside(
    result: ImportResult, folder: ContentFolder, base: str, replaced: Container[str]
) -> None:
    """Set aside, and report, what breaks a build with an import; not the `replaced` files."""
    report = result.report
    problems = load_and_check_folder(folder).problems
    before = {(p.place.file, p.code, p.message) for p in problems if p.is_failure}
    locks = [f"{base}/{_LOCK}", f"{base.rpartition('/')[0]}/{_LOCK}"]
    for _ in range(_MAX_ROUNDS):
        rest = {
            name: text
            for name, text in folder.texts.items()
            if name not in replaced and name not in report.displaced_files
        }
        texts = {**rest, **result.files}
        other_files_and_copies = [*folder.other_files, *result.copies]
        project = load_and_check_folder(replace(folder, texts=texts, other_files=other_files_and_copies))
        new = [
            problem
            for problem in project.problems
            if problem.is_failure and (problem.place.file, problem.code, problem.message) not in before
        ]
        files = result.files.keys() | result.copies.keys()
        report.other_problems = [problem for problem in new if problem.place.file not in files]
        inside = [p for p in report.other_problems if p.place.file.startswith(f"{base}/")]
        clashing: set[str] = set()  # old addresses that problems are about
        for problem in new:
            lines = texts.get(problem.place.file, b"").decode("utf-8", "replace").split("\n")
            line = lines[problem.place.line - 1] if problem.place.line <= len(lines) else ""
            clashing |= {*_ADDRESS.findall(line)} if problem.code == CLASH.code else set()
        stale_locks = [name for name in locks if name in rest and set(new) & set(project.drift.problems)]
        if clashing - {*report.clashing}:
            report.clashing += sorted(clashing - {*report.clashing})
            result.leave_out(report.clashing)
        elif stale_locks:
            reason = "it keeps what references meant before the import"
            report.displaced_files |= dict.fromkeys(stale_locks, reason)
        elif inside:
            report.displaced_files |= {p.place.file: f"{p.message} [{p.code}]" for p in reversed(inside)}
        else:
            break


@dataclass
class ImportTarget:
    """The folder of an edition in a project.

    `previous_digests`: the files of an earlier import, each with its digest.
    """

    project: Path
    book: str
    edition: str
    target: Path = field(init=False)
    previous_digests: Mapping[str, str] = field(init=False)

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
        rulebook = content_folder(self.project) / self.book / "rulebook.yml"
        digest = self.previous_digests.get(f"{CONTENT}/{self.book}/rulebook.yml")
        if rulebook.is_file() and digest != file_digest(rulebook.read_bytes()):
            request = replace(request, rulebook=rulebook.read_bytes())
        result = import_source(read(path), request, path.as_posix())
        if result.refused:
            raise ContentErrors(result.refused, "nothing imported until this is mended")
        folder = read_content_folder(self.project)
        replaced = {name for name in folder.texts if self._replaces(name)}
        set_conflicts_aside(result, folder, self.base, replaced)
        return result

    def write(self, result: ImportResult, *, force: bool) -> None:
        """Put an import in its place. Raises ContentErrors if edited files are in the way, and OSError."""
        if (edits := self._edits()) and not force:
            raise ContentErrors(edits, f"{self.base}/ stays as it is; --force replaces these files")
        new: dict[str, bytes | None] = {name: path.read_bytes() for name, path in result.copies.items()}
        new |= result.files
        digests = {name: file_digest(content) for name, content in new.items() if content is not None}
        new[f"{self.base}/{RECEIPT}.json"] = to_json_text(import_report_data(result.report, digests)).encode()
        new[f"{self.base}/{RECEIPT}.md"] = import_report_markdown(result.report).encode()
        stale = [name for name in self._existing() if self._replaces(name)]
        for name in (*stale, *result.report.displaced_files):
            new.setdefault(name, None)
        old = {name: path.read_bytes() for name in new if (path := disk_path(self.project, name)).is_file()}
        for name in result.report.displaced_files:
            # What was set aside before stays; a single copy is enough for the same content.
            path = first = self.project / SET_ASIDE / name.removeprefix(f"{CONTENT}/")
            count = 1
            while path.exists() and not (path.is_file() and path.read_bytes() == old[name]):
                count += 1
                path = first.with_name(f"{first.stem}-{count}{first.suffix}")
            write_into_folder(path, old[name])
        changed = {name: content for name, content in new.items() if content != old.get(name)}
        replace_files(self.project, changed, old)

    def _existing(self) -> dict[str, Path]:
        files = filter(Path.is_file, sorted(self.target.rglob("*")) if self.target.is_dir() else [])
        return {f"{self.base}/{path.relative_to(self.target).as_posix()}": path for path in files}

    def _edits(self) -> list[Problem]:
        """Return the files in the way: edited since an earlier import, or written by none."""
        problems: list[Problem] = []
        for name, path in self._existing().items():
            file = name.removeprefix(f"{self.base}/")
            digest = self.previous_digests.get(name)
            message = ""
            if digest and file_digest(path.read_bytes()) != digest:
                message = f"{file} was edited since the last import, and the import would replace it"
            elif not digest and file.startswith(_OWN):
                message = f"{file} was not written by an import, and this import would replace it"
            if message:
                problems.append(EDITED.problem(SourceLocation(name), message, name))
        return problems

    def _replaces(self, name: str) -> bool:
        """Return whether an import replaces a file: it wrote it before, or would write a file like it."""
        file = name.removeprefix(f"{self.base}/")
        return name in self.previous_digests or (file != name and file.startswith((*_OWN, f"{RECEIPT}.")))


def import_target(project: Path, target: str) -> ImportTarget:
    """Return the target for a folder `content/ocs/4.3`, in any form. Raises UserError."""
    path = target.replace("\\", "/").rstrip("/")
    absolute, top = os.path.abspath(path), os.path.abspath(content_folder(project))
    inside = os.path.relpath(absolute, top).replace(os.sep, "/") if absolute.startswith(top + os.sep) else ""
    parts = PurePosixPath(inside or path.removeprefix(f"{CONTENT}/")).parts
    if len(parts) != 2 or any(part.startswith(".") for part in parts):
        raise UserError(f"{target} is no edition's folder; name a folder like {CONTENT}/ocs/4.3")
    return ImportTarget(project, *parts)
