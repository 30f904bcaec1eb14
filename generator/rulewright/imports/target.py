"""The folder of an edition that an import is put into: what is there already, what may be replaced."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from dataclasses import replace as amended
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

_LOCK = "references.lock"
_ADDRESS = re.compile(r"""\bfrom:\s*(?:"([^"]*)"|'([^']*)'|([^\s,{}]+))""")
_MOST_ROUNDS = 5


def set_conflicts_aside(
    made: ImportResult, around: ContentFolder, base: str, replaced: Container[str]
) -> None:
    """Set aside, and tell in the receipt, what breaks a build with an import; not the `replaced` files."""
    told = made.report
    before = {
        (p.place.file, p.code, p.message) for p in load_and_check_folder(around).problems if p.is_failure
    }
    locks = [f"{base}/{_LOCK}", f"{base.rpartition('/')[0]}/{_LOCK}"]
    for _ in range(_MOST_ROUNDS):
        kept = {
            n: text for n, text in around.texts.items() if n not in replaced and n not in told.displaced_files
        }
        texts = {**kept, **made.files}
        others = [*around.other_files, *made.copies]
        project = load_and_check_folder(amended(around, texts=texts, other_files=others))
        wrong = [
            p for p in project.problems if p.is_failure and (p.place.file, p.code, p.message) not in before
        ]
        own = made.files.keys() | made.copies.keys()
        told.other_problems = [problem for problem in wrong if problem.place.file not in own]
        clashing = set()  # old addresses that problems are about
        for place in (problem.place for problem in wrong if problem.code == CLASH.code):
            lines = texts.get(place.file, b"").decode("utf-8", "replace").split("\n")
            if place.line <= len(lines) and (m := _ADDRESS.search(lines[place.line - 1])):
                clashing.add(next(filter(None, m.groups()), ""))
        inside = [p for p in told.other_problems if p.place.file.startswith(f"{base}/")]
        if new := sorted(clashing - {"", *told.clashing}):
            told.clashing += new
            made.leave_out(told.clashing)
        elif set(wrong) & set(project.drift.problems) and (left := [name for name in locks if name in kept]):
            told.displaced_files |= dict.fromkeys(left, "it keeps what references meant before the import")
        elif inside:
            told.displaced_files |= {p.place.file: f"{p.message} [{p.code}]" for p in reversed(inside)}
        else:
            break


EDITED = problem_type(
    "import-would-overwrite",
    """An import would replace a file that it did not write, or that was edited since. Keep your edits
    elsewhere, or
    say --force to lose them.""",
)

_OWN = ("edition.yml", "known.yml", "sequence.yml", "redirects.yml", "rules/", "tables/")
"""The files that an import replaces in a folder that it did not make itself."""


@dataclass
class ImportTarget:
    """The folder of an edition in a project.

    `previous_digests`: the files of an earlier import, each with its sum.
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
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self.previous_digests = {}

    @property
    def base(self) -> str:
        return f"{CONTENT}/{self.book}/{self.edition}"

    def make(self, read: Callable[[Path], ReadSource], path: Path, wanted: ImportRequest) -> ImportResult:
        """Import what is read from a path. Raises ContentErrors if nothing can be made."""
        rulebook = content_folder(self.project) / self.book / "rulebook.yml"
        own = self.previous_digests.get(f"{CONTENT}/{self.book}/rulebook.yml")
        if rulebook.is_file() and own != _sum(rulebook):
            wanted = amended(wanted, rulebook=rulebook.read_bytes())
        made = import_source(read(path), wanted, path.as_posix())
        if made.refused:
            raise ContentErrors(made.refused, "nothing imported until this is mended")
        around = read_content_folder(self.project)
        set_conflicts_aside(made, around, self.base, {name for name in around.texts if self._replaces(name)})
        return made

    def write(self, made: ImportResult, *, force: bool) -> None:
        """Put an import in its place. Raises Unsound where edited files are in the way, and OSError."""
        if (edits := self._edits()) and not force:
            raise ContentErrors(edits, f"{self.base}/ stays as it is; --force replaces these files")
        sums = {name: file_digest(content) for name, content in made.files.items()}
        sums |= {name: _sum(path) for name, path in made.copies.items()}
        new: dict[str, bytes | None] = {
            **{name: path.read_bytes() for name, path in made.copies.items()},
            **made.files,
            f"{self.base}/{RECEIPT}.json": to_json_text(import_report_data(made.report, sums)).encode(),
            f"{self.base}/{RECEIPT}.md": import_report_markdown(made.report).encode(),
        }
        left = [name for name in self._there() if self._replaces(name)]
        new |= dict.fromkeys(name for name in (*left, *made.report.displaced_files) if name not in new)
        was = {name: path.read_bytes() for name in new if (path := disk_path(self.project, name)).is_file()}
        for (
            name
        ) in made.report.displaced_files:  # what was set aside before stays; once is enough for the same
            room = there = self.project / SET_ASIDE / name.removeprefix(f"{CONTENT}/")
            count = 1
            while room.exists() and not (room.is_file() and room.read_bytes() == was[name]):
                count += 1
                room = there.with_name(f"{there.stem}-{count}{there.suffix}")
            write_into_folder(room, was[name])
        changed = {name: content for name, content in new.items() if content != was.get(name)}
        replace_files(self.project, changed, was)

    def _there(self) -> dict[str, Path]:
        found = filter(Path.is_file, sorted(self.target.rglob("*")) if self.target.is_dir() else [])
        return {f"{self.base}/{path.relative_to(self.target).as_posix()}": path for path in found}

    def _edits(self) -> list[Problem]:
        """The files in the way: those that were edited since an earlier import, or that none wrote."""
        found = []
        for name, path in self._there().items():
            own = name.removeprefix(f"{self.base}/")
            if name in self.previous_digests and _sum(path) != self.previous_digests[name]:
                message = f"{own} was edited since the last import, and the import would replace it"
            elif name not in self.previous_digests and own.startswith(_OWN):
                message = f"{own} was not written by an import, and this one would replace it"
            else:
                continue
            found.append(EDITED.problem(SourceLocation(name), message, name))
        return found

    def _replaces(self, name: str) -> bool:
        """Whether a file is an import's own affair: it wrote it before, or would write one like it."""
        own = name.removeprefix(f"{self.base}/")
        return name in self.previous_digests or (own != name and own.startswith((*_OWN, f"{RECEIPT}.")))


def import_target(project: Path, target: str) -> ImportTarget:
    """The place that a folder `content/ocs/4.3` is, which may be named from anywhere. Raises Refusal."""
    path = target.replace("\\", "/").rstrip("/")
    absolute, top = os.path.abspath(path), os.path.abspath(content_folder(project))
    inside = os.path.relpath(absolute, top).replace(os.sep, "/") if absolute.startswith(top + os.sep) else ""
    parts = PurePosixPath(inside or path.removeprefix(f"{CONTENT}/")).parts
    if len(parts) != 2 or any(part.startswith(".") for part in parts):
        raise UserError(f"{target} is no edition's folder; name one like {CONTENT}/ocs/4.3")
    return ImportTarget(project, *parts)


def _sum(path: Path) -> str:
    return file_digest(path.read_bytes())
