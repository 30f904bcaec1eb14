"""Create a project with an example game or with rules imported from a document."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulewright import __version__
from rulewright.book.content_files import MODELS, path_pattern
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files.content_folder import CONTENT, RECEIPT
from rulewright.files.content_reader import read_content_folder
from rulewright.files.errors import UserError, raise_on_errors
from rulewright.files.filenames import RESERVED_NAMES
from rulewright.files.install_origin import install_requirement
from rulewright.files.output_files import check_inside, write_into_folder
from rulewright.numbering.examples import example_fault
from rulewright.render.exports.json_schema import schema_files
from rulewright.render.templating import environment
from rulewright.schema.problem_reports import plural

PROJECT = {
    "mkdocs.yml": "mkdocs.yml",
    ".gitignore": "gitignore",
    ".gitattributes": "gitattributes",
    ".vscode/settings.json": "settings.json",
    ".github/workflows/rules.yml": "rules.yml",
}
"""Files of every project and their templates."""

GAME = {
    "rulebook.yml": "rulebook.yml",
    "1/edition.yml": "edition.yml",
    "1/rules/1-movement.yml": "movement.yml",
    "1/rules/2-combat.yml": "combat.yml",
    "1/sequence.yml": "sequence.yml",
    "1/tables/combat.yml": "combat-table.yml",
    "1/aids/player-aid.yml": "player-aid.yml",
}
"""Files of the example game in the folder of the book, and their templates."""


SCHEMAS = ".vscode/schemas"
"""Folder of the JSON Schemas, which the editor's settings name."""


@dataclass(frozen=True)
class NewGame:
    """A project that was created."""

    book: str
    rules_summary: str
    problems: int = 0
    review: str = ""
    is_refused: bool = False
    """The import has errors or has lost words."""

    def report_lines(self, folder: str) -> Iterator[str]:
        yield f"{folder}/{CONTENT}/{self.book}/: {self.rules_summary}"
        if self.review:
            yield self.review
        if self.problems:
            yield f"{plural(self.problems, 'problem')} to review: rulewright check --project {folder}"
        yield f"Next: cd {folder} && rulewright serve"


def create_project(
    folder: Path, title: str, numbers: str, source: Path | None, *, by_position: bool = False
) -> NewGame:
    """Create a project in a folder that is new or empty, apart from hidden files.

    Raises UserError if it cannot be created, ContentErrors if its rules cannot be imported; then nothing is
    written.
    """
    if folder.exists() and (not folder.is_dir() or any(not p.name.startswith(".") for p in folder.iterdir())):
        raise UserError(f"{folder} already exists; name a new or empty folder")
    if numbers and not source:
        raise UserError("--numbers is for --from; without it, change numbers: in the new rulebook.yml")
    if numbers and (fault := example_fault(numbers)):
        raise UserError(f"--numbers {numbers}: {fault[1]}")
    name = folder.absolute().name
    given_title, title = title, title or _title(folder)
    book = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "game"
    book = f"{book}-rules" if book in RESERVED_NAMES else book  # some names are paths of the site's own pages
    parent = folder.absolute().parent
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        prefix=".rulewright-", dir=parent, ignore_cleanup_errors=True
    ) as temporary_folder:
        project = Path(temporary_folder, "game")
        project.mkdir()
        _write_project(project, title, book, only_project=source is not None)
        if source:
            game = _from_document(project, book, given_title, numbers, source, by_position)
        else:
            checked = load_and_check_folder(read_content_folder(project))
            consequence = "nothing was created; please report this with the numbering used"
            raise_on_errors(checked.problems, consequence)
            game = NewGame(book, checked.counts_text())
        _move_into(project, folder)
    return game


def create_empty_project(project: Path) -> None:
    """Create the files of a project without a game in a new or empty folder."""
    (project / CONTENT).mkdir(parents=True, exist_ok=True)
    _write_project(project, _title(project), "game", only_project=True)


def _title(folder: Path) -> str:
    """Return the title that the name of a folder suggests."""
    return folder.absolute().name.replace("-", " ").replace("_", " ").strip().title() or "My Game"


def _write_project(project: Path, title: str, book: str, *, only_project: bool) -> list[Path]:
    install = install_requirement("pdf")
    if not install.startswith("rulewright"):  # another machine reaches no folder or wheel of this one
        install = f"rulewright[pdf]=={__version__}"
    files = project_files(title, book, only_project=only_project, install=install)
    for path, text in files.items():
        write_into_folder(check_inside(project, project / path), text)
    return [project / path for path in files]


def project_files(
    title: str, book: str, *, only_project: bool = False, install: str = "rulewright[pdf]"
) -> dict[str, str]:
    """Return the files of a new project by path. `install`: the argument of pip in its workflow."""
    templates = {**PROJECT, **({} if only_project else {f"{CONTENT}/{book}/{n}": t for n, t in GAME.items()})}
    jinja = environment().overlay(
        autoescape=False, variable_start_string="<<", variable_end_string=">>", keep_trailing_newline=True
    )
    jinja.filters["yaml"] = lambda words: json.dumps(words, ensure_ascii=False)
    schemas = {f"{SCHEMAS}/{kind}.json": path_pattern(kind) for kind in MODELS}
    variables = {"title": title, "book": book, "install": install, "schemas": schemas}
    files = {name: jinja.get_template(f"new/{file}").render(variables) for name, file in templates.items()}
    return files | {f"{SCHEMAS}/{name}": text for name, text in schema_files().items()}


def _move_into(project: Path, folder: Path) -> None:
    """Move the new files and folders into the folder, or none of them if a name is taken."""
    folder.mkdir(exist_ok=True)
    paths = sorted(project.iterdir())
    for path in paths:
        target = folder / path.name
        if target.exists():
            raise UserError(f"{target} already exists, so nothing was created; name another folder")
    for path in paths:
        path.rename(folder / path.name)


def _from_document(
    project: Path, book: str, title: str, numbers: str, source: Path, by_position: bool
) -> NewGame:
    """Import a document as an edition of the game. Without a title the document gives it."""
    from rulewright.imports.pipeline import ImportRequest
    from rulewright.imports.reading.documents import read_document
    from rulewright.imports.report import review_text
    from rulewright.imports.target import import_target

    if not source.exists():
        raise UserError(f"{source} does not exist; name a document or a folder of Markdown")
    target = import_target(project, f"{CONTENT}/{book}/1")
    examples = [numbers] if numbers else []
    request = ImportRequest(book, "1", title, examples, number=by_position)
    result = target.import_edition(read_document, source, request)
    target.write(result, force=False)
    checked = load_and_check_folder(read_content_folder(project))
    summary = f"{checked.counts_text()} of {source.name}; numbering {result.report.dialect}"
    problems = len(result.report.checked) + result.report.words_lost
    review = f"{review_text(result.report) or 'nothing'} to review: {CONTENT}/{book}/1/{RECEIPT}.md"
    return NewGame(book, summary, problems, review, result.report.is_refused)
