"""Begin a project: a game that builds at once, or one whose rules are read from a document."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulewright import __version__
from rulewright.book.title_references import TitleReferenceExtractor
from rulewright.checks.load_and_check import load_and_check_folder
from rulewright.model.problem_reports import plural
from rulewright.model.rulebook import Chapter
from rulewright.model.shorthand import write_shorthand_key
from rulewright.model.yaml_fields import own_and_inherited_keys
from rulewright.numbers.examples import example_fault
from rulewright.numbers.numbering_scheme import NumberingScheme
from rulewright.numbers.reference_finder import ReferenceFinder
from rulewright.site.exports.book_json import content_from_json
from rulewright.site.templating import environment
from rulewright.source import limits
from rulewright.source.atomic_write import describe_os_error, write_atomically
from rulewright.source.content_folder import CONTENT, file_kind, read_content_folder
from rulewright.source.errors import UserError, raise_on_errors
from rulewright.source.filenames import OWN
from rulewright.source.install_origin import install_origin
from rulewright.source.output_files import check_inside, write_into_folder
from rulewright.source.yaml_writer import yaml_scalar

USUAL = "1.1a"

PROJECT = {
    "mkdocs.yml": "mkdocs.yml",
    ".gitignore": "gitignore",
    ".gitattributes": "gitattributes",
    ".vscode/settings.json": "settings.json",
    ".github/workflows/rules.yml": "rules.yml",
}
"""Files of any project, with the templates they are made from."""

GAME = {
    "rulebook.yml": "rulebook.yml",
    "1/edition.yml": "edition.yml",
    "1/rules/1-movement.yml": "movement.yml",
    "1/rules/2-combat.yml": "combat.yml",
    "1/sequence.yml": "sequence.yml",
    "1/tables/combat.yml": "combat-table.yml",
    "1/aids/player-aid.yml": "player-aid.yml",
}
"""Files of a game in its folder."""


@dataclass(frozen=True)
class NewGame:
    """A project that was made.

    `rules_summary`: what its rules are; `review_lines`: lines of what needs a look.

    `is_refused`: its own check refuses it, or a word of what it was read from is lost.
    """

    book: str
    rules_summary: str
    problems: int = 0
    review_lines: Sequence[str] = ()
    is_refused: bool = False

    def report_lines(self, folder: str) -> Iterator[str]:
        yield f"{folder}/{CONTENT}/{self.book}/: {self.rules_summary}"
        yield from self.review_lines
        if self.problems:
            yield f"{plural(self.problems, 'problem')} to look at: rulewright check --project {folder}"
        yield f"Next: cd {folder} && rulewright serve"


def create_project(
    folder: Path, title: str, numbers: str, source: Path | None, *, by_place: bool = False
) -> NewGame:
    """Make a project in a folder that is not there, or holds nothing but what is hidden.

    Raises Refusal where it cannot be made, and Unsound where its rules cannot be read; then nothing is left.
    """
    if folder.exists() and (not folder.is_dir() or any(not p.name.startswith(".") for p in folder.iterdir())):
        raise UserError(f"{folder} is there already; name a folder that is not, or an empty one")
    if numbers and (fault := example_fault(numbers)):
        raise UserError(f"--numbers {numbers}: {fault[1]}")
    name = folder.absolute().name
    given, title = title, title or name.replace("-", " ").replace("_", " ").strip().title() or "My Game"
    book = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "game"
    book = f"{book}-rules" if book in OWN else book  # the site has pages of its own under some names
    parent = folder.absolute().parent
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".rulewright-", dir=parent, ignore_cleanup_errors=True) as aside:
        project = Path(aside, "game")
        project.mkdir()
        program = install_origin("pdf")
        # Another machine does not reach a folder or a wheel of this one, so it takes the published version.
        install = f"rulewright[pdf]=={__version__}" if program.local else program.requirement
        for path, data in project_files(
            title, book, numbers or USUAL, only_project=source is not None, install=install
        ).items():
            (project / path).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(project / path, data)
        if source and source.suffix.lower() == ".json":
            made = _again(project, source)
        elif source:
            made = _read(project, book, given, title, numbers, source, by_place)
        else:
            made = _own(project, book)
        _put(project, folder)
    return made


def project_files(
    title: str, book: str, example: str, *, only_project: bool = False, install: str = "rulewright[pdf]"
) -> dict[str, str]:
    """The files of a new project by their names. `example`: of its numbering; `install`: what pip takes."""
    wanted = {**PROJECT, **({} if only_project else {f"{CONTENT}/{book}/{n}": t for n, t in GAME.items()})}
    around = environment().overlay(
        autoescape=False, variable_start_string="<<", variable_end_string=">>", keep_trailing_newline=True
    )
    around.filters["yaml"] = lambda words: json.dumps(words, ensure_ascii=False)
    given = {"install": install, "title": title, "book": book, "example": example, **_numbers(example)}
    around.filters["head"] = lambda number, title: yaml_scalar(
        write_shorthand_key(number, title, own_and_inherited_keys(Chapter))[0]
    )
    return {name: around.get_template(f"new/{template}").render(given) for name, template in wanted.items()}


def _numbers(example: str) -> dict[str, Any]:
    """Numbers of chapters and rules, as the book would write them."""
    chapters = _chapters(example)
    dialect = NumberingScheme([example], [chapters] if chapters else [])
    parts = dialect.shapes[0]

    def rule(*ordinals: int) -> str:
        labels = [part.sort.label(at) for part, at in zip(parts, ordinals, strict=False)]
        number = dialect.number(labels)
        if number is None:
            raise UserError(f"--numbers {example}: it describes no numbers of rules; write one like 1.1a")
        return number.key

    depth = len(parts)
    first, fight, terrain = ((1, 1), (2, 1), (1, 2)) if depth > 1 else ((1,), (2,), (1,))
    titles = TitleReferenceExtractor([ReferenceFinder(dialect)], ())
    return {
        "short": all(titles.references_in(f"Phase ({rule(*one)})") for one in (first, fight)),
        "chapters": chapters,
        "depth": depth,
        "rule": rule,
        "one": rule(1),
        "two": rule(2),
        "first": rule(*first),
        "fight": rule(*fight),
        "terrain": rule(*terrain),
    }


def _chapters(example: str) -> str:
    """How chapters are cited where rules are numbered so; empty where rules have no chapters."""
    first, *rest = NumberingScheme([example]).shapes[0]
    if not rest:
        return ""
    if re.match(r"\[?1\.1", example):
        return "1.0"
    zeros = rest[0].sort.sign if rest[0].sort.padded else ""
    return f"{first.before}{first.sort.label(1)}{zeros}"


def _own(project: Path, book: str) -> NewGame:
    examined = load_and_check_folder(read_content_folder(project))
    message = "nothing was made; report it with the numbering that was asked for"
    raise_on_errors(examined.problems, message)
    return NewGame(book, examined.counts_text())


def _put(project: Path, folder: Path) -> None:
    """Move what was made into its folder, over nothing, as a whole or not at all."""
    made = [path for path in sorted(project.rglob("*")) if path.is_file()]
    for path in made:
        target = check_inside(folder.absolute(), folder.absolute() / path.relative_to(project))
        if target.exists():
            raise UserError(f"{target} is there already, so nothing was made; name another folder")
    if not folder.exists():
        os.rename(project, folder)
        return
    folders = [folder.absolute() / path.relative_to(project) for path in project.rglob("*") if path.is_dir()]
    begun = [path for path in sorted(folders, reverse=True) if not path.exists()]
    moved: list[tuple[Path, Path]] = []
    try:
        for path in made:
            target = folder.absolute() / path.relative_to(project)
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)
            moved.append((path, target))
    except OSError:
        for path, target in moved:
            target.rename(path)
        for path in begun:
            with suppress(OSError):
                path.rmdir()
        raise


def _again(project: Path, source: Path) -> NewGame:
    """An edition made again from its JSON, with the pictures that lie where a copy of the site has them."""
    no_book = f"{source} is no edition as `rulewright export json` writes it"
    try:
        with source.open("rb") as file:
            data = file.read(limits.CONTENT.maximum + 1)
    except OSError as error:
        raise UserError(f"{source} cannot be read: {describe_os_error(error)}") from None
    if len(data) > limits.CONTENT.maximum:
        raise UserError(f"{source}: {limits.CONTENT.describe}")
    try:
        made = json.loads(data)
        texts, others = content_from_json(made), [str(name) for name in made["files"]]
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise UserError(no_book) from None
    for name in (*texts, *others):
        parts = name.split("/")
        sort = file_kind(f"{CONTENT}/{name}")
        if len(parts) < 2 or {"", ".", ".."} & {*parts} or not sort or (name in texts and sort != "text"):
            raise UserError(f"{no_book}: it names a file {name}")
    for name, text in texts.items():
        write_into_folder(check_inside(project / CONTENT, project / CONTENT / name), text)
    site = source.absolute().parent.parent.parent
    for name in others:
        if (there := site / name).is_file():
            write_into_folder(check_inside(project / CONTENT, project / CONTENT / name), there.read_bytes())
    examined = load_and_check_folder(read_content_folder(project))
    return NewGame(next(iter(texts)).partition("/")[0], examined.counts_text(), len(examined.problems))


def _read(
    project: Path, book: str, title: str, otherwise: str, numbers: str, source: Path, by_place: bool
) -> NewGame:
    """The rules of a document as an edition of the game. `otherwise`: its title where that says none."""
    from rulewright.importers.single_document import read_document
    from rulewright.importers.website.import_report import label_summary
    from rulewright.importers.website.import_target import import_target
    from rulewright.importers.website.site_import import ImportRequest

    if not source.exists():
        raise UserError(f"{source} is not there; name a document or a folder of Markdown")
    home = import_target(project, str(project / CONTENT / book / "1"))
    examples = [numbers] if numbers else []
    wanted = ImportRequest(book, "1", title, examples, on_missing_numbering=otherwise, number=by_place)
    made = home.make(read_document, source, wanted, lambda count, whole: None)
    home.write(made, force=False)
    assert made.receipt
    examined = load_and_check_folder(read_content_folder(project))
    said = f"{examined.counts_text()} of {source.name}, numbered {made.receipt.dialect}"
    problems = len(made.receipt.checked) + made.receipt.words_lost
    return NewGame(book, said, problems, [*label_summary(made.receipt)], made.receipt.is_refused)
