"""Create a project with an example game or with rules imported from a document."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright import __version__
from rulewright.book.content_files import MODELS, path_pattern
from rulewright.book.title_references import TitleReferenceExtractor
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.files import limits
from rulewright.files.atomic_write import describe_os_error, write_atomically
from rulewright.files.content_folder import CONTENT, RECEIPT, file_kind
from rulewright.files.content_reader import read_content_folder
from rulewright.files.errors import UserError, raise_on_errors
from rulewright.files.filenames import RESERVED_NAMES
from rulewright.files.git_revision import published_commit
from rulewright.files.install_origin import install_origin
from rulewright.files.output_files import check_inside, write_into_folder
from rulewright.files.yaml_writer import yaml_scalar
from rulewright.numbering.examples import example_fault
from rulewright.numbering.numbering_scheme import NumberingScheme
from rulewright.numbering.reference_finder import ReferenceFinder
from rulewright.render.exports.book_json import content_from_json
from rulewright.render.exports.json_schema import schema_files
from rulewright.render.templating import environment
from rulewright.schema.problem_reports import plural
from rulewright.schema.rulebook import Chapter
from rulewright.schema.shorthand import write_shorthand_key
from rulewright.schema.yaml_fields import own_and_inherited_keys

USUAL = "1.1a"

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
    review_lines: Sequence[str] = ()
    is_refused: bool = False
    """The import has errors or has lost words."""

    def report_lines(self, folder: str) -> Iterator[str]:
        yield f"{folder}/{CONTENT}/{self.book}/: {self.rules_summary}"
        yield from self.review_lines
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
    if numbers and (fault := example_fault(numbers)):
        raise UserError(f"--numbers {numbers}: {fault[1]}")
    name = folder.absolute().name
    given_title, title = title, title or name.replace("-", " ").replace("_", " ").strip().title() or "My Game"
    book = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "game"
    book = f"{book}-rules" if book in RESERVED_NAMES else book  # some names are paths of the site's own pages
    parent = folder.absolute().parent
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        prefix=".rulewright-", dir=parent, ignore_cleanup_errors=True
    ) as temporary_folder:
        project = Path(temporary_folder, "game")
        project.mkdir()
        install = _workflow_requirement()
        for path, data in project_files(
            title, book, numbers or USUAL, only_project=source is not None, install=install
        ).items():
            (project / path).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(project / path, data)
        if source and source.suffix.lower() == ".json":
            game = _from_json(project, source)
        elif source:
            game = _from_document(project, book, given_title, numbers, source, by_position)
        else:
            game = _check_new_game(project, book)
        _move_into(project, folder)
    return game


def create_empty_project(project: Path) -> list[Path]:
    """Create the files of a project without a game in a new or empty folder. Return them."""
    title = project.absolute().name.replace("-", " ").replace("_", " ").strip().title() or "My Game"
    install = _workflow_requirement()
    (project / CONTENT).mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    for path, text in project_files(title, "game", USUAL, only_project=True, install=install).items():
        made.append(check_inside(project, project / path))
        write_into_folder(made[-1], text)
    return made


def project_files(
    title: str, book: str, example: str, *, only_project: bool = False, install: str = "rulewright[pdf]"
) -> dict[str, str]:
    """Return the files of a new project by path. `example`: numbering scheme; `install`: argument of pip."""
    templates = {**PROJECT, **({} if only_project else {f"{CONTENT}/{book}/{n}": t for n, t in GAME.items()})}
    jinja = environment().overlay(
        autoescape=False, variable_start_string="<<", variable_end_string=">>", keep_trailing_newline=True
    )
    jinja.filters["yaml"] = lambda words: json.dumps(words, ensure_ascii=False)
    variables = {
        "install": install,
        "title": title,
        "book": book,
        "example": example,
        "schemas": {f"{SCHEMAS}/{kind}.json": path_pattern(kind) for kind in MODELS},
        **_number_variables(example),
    }
    jinja.filters["head"] = lambda number, title: yaml_scalar(
        write_shorthand_key(number, title, own_and_inherited_keys(Chapter))[0]
    )
    rendered = {
        name: jinja.get_template(f"new/{template}").render(variables) for name, template in templates.items()
    }
    return rendered | {f"{SCHEMAS}/{name}": text for name, text in schema_files().items()}


def _number_variables(example: str) -> dict[str, Any]:
    """Return template variables for the numbers of chapters and rules."""
    chapters = _chapter_example(example)
    scheme = NumberingScheme([example], [chapters] if chapters else [])
    parts = scheme.shapes[0]

    def rule(*ordinals: int) -> str:
        labels = [part.sort.label(ordinal) for part, ordinal in zip(parts, ordinals, strict=False)]
        number = scheme.number(labels)
        if number is None:
            raise UserError(f"--numbers {example}: not the number of a rule; write one like 1.1a")
        return number.key

    depth = len(parts)
    first, combat, terrain = ((1, 1), (2, 1), (1, 2)) if depth > 1 else ((1,), (2,), (1,))
    titles = TitleReferenceExtractor([ReferenceFinder(scheme)], ())
    return {
        "short": all(titles.references_in(f"Phase ({rule(*ordinals)})") for ordinals in (first, combat)),
        "chapters": chapters,
        "depth": depth,
        "rule": rule,
        "one": rule(1),
        "two": rule(2),
        "first": rule(*first),
        "fight": rule(*combat),
        "terrain": rule(*terrain),
    }


def _chapter_example(example: str) -> str:
    """Return how a numbering scheme refers to chapter 1; an empty string if there are no chapters."""
    first, *rest = NumberingScheme([example]).shapes[0]
    if not rest:
        return ""
    if re.match(r"\[?1\.1", example):
        return "1.0"
    zeros = rest[0].sort.sign if rest[0].sort.padded else ""
    return f"{first.before}{first.sort.label(1)}{zeros}"


def _workflow_requirement() -> str:
    """Return what the workflow installs: another machine reaches no folder or wheel of this one."""
    origin = install_origin("pdf")
    if not origin.local:
        return origin.requirement
    commit = published_commit(origin.local) if origin.local.is_dir() else ""
    return f"rulewright[pdf] @ {commit}" if commit else f"rulewright[pdf]=={__version__}"


def _check_new_game(project: Path, book: str) -> NewGame:
    checked = load_and_check_folder(read_content_folder(project))
    raise_on_errors(checked.problems, "nothing was created; please report this with the numbering used")
    return NewGame(book, checked.counts_text())


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


def _from_json(project: Path, source: Path) -> NewGame:
    """Recreate an edition from its `content.json`, with images from the site that contains the file."""
    message = f"{source} is not the content of an edition; download content.json beside its page"
    try:
        with source.open("rb") as file:
            data = file.read(limits.CONTENT.maximum + 1)
    except OSError as error:
        raise UserError(f"{source} cannot be read: {describe_os_error(error)}") from None
    if len(data) > limits.CONTENT.maximum:
        raise UserError(f"{source}: {limits.CONTENT.describe}")
    try:
        edition_data = json.loads(data)
        texts, other_files = content_from_json(edition_data), [str(name) for name in edition_data["files"]]
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise UserError(message) from None
    for name in (*texts, *other_files):
        parts = name.split("/")
        sort = file_kind(f"{CONTENT}/{name}")
        if len(parts) < 2 or {"", ".", ".."} & {*parts} or not sort or (name in texts and sort != "text"):
            raise UserError(f"{message}: it names a file {name}")
    for name, text in texts.items():
        write_into_folder(check_inside(project / CONTENT, project / CONTENT / name), text)
    site = source.absolute().parent.parent.parent
    for name in other_files:
        if (site_file := site / name).is_file():
            write_into_folder(
                check_inside(project / CONTENT, project / CONTENT / name), site_file.read_bytes()
            )
    checked = load_and_check_folder(read_content_folder(project))
    return NewGame(next(iter(texts)).partition("/")[0], checked.counts_text(), len(checked.problems))


def _from_document(
    project: Path, book: str, title: str, numbers: str, source: Path, by_position: bool
) -> NewGame:
    """Import a document as an edition of the game. Without a title the document gives it."""
    from rulewright.imports.pipeline import ImportRequest
    from rulewright.imports.reading.documents import read_document
    from rulewright.imports.report import review_lines
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
    report = f"read first: {CONTENT}/{book}/1/{RECEIPT}.md"
    return NewGame(book, summary, problems, [report, *review_lines(result.report)], result.report.is_refused)
