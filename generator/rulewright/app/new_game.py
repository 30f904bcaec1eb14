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
from rulewright.book.cited_titles import CitedTitles
from rulewright.checks.examine import examine_folder
from rulewright.model.keys import names_of
from rulewright.model.reports import several
from rulewright.model.rulebook import Chapter
from rulewright.model.short import head_written
from rulewright.numbers.dialect import Dialect
from rulewright.numbers.examples import example_fault
from rulewright.numbers.finder import Finder
from rulewright.site.exports.book import again
from rulewright.site.templating import environment
from rulewright.source import bounds
from rulewright.source.disk import told, write
from rulewright.source.filenames import OWN
from rulewright.source.folder import CONTENT, gather, kept_as
from rulewright.source.installed import origin
from rulewright.source.output import kept_in, put
from rulewright.source.refusal import Refusal, refuse_errors
from rulewright.source.writing import scalar

USUAL = "1.1a"
WHEELS = "wheels"
"""The folder of a project where the program lies that its workflow installs, if no address has it."""

PROJECT = {
    "mkdocs.yml": "mkdocs.yml",
    ".gitignore": "gitignore",
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
    """A project that was made. `said`: what its rules are; `looks`: lines of what needs a look.

    `is_refused`: its own check refuses it, or a word of what it was read from is lost.
    """

    book: str
    said: str
    problems: int = 0
    looks: Sequence[str] = ()
    is_refused: bool = False

    def told(self, folder: str) -> Iterator[str]:
        yield f"{folder}/{CONTENT}/{self.book}/: {self.said}"
        yield from self.looks
        if self.problems:
            yield f"{several(self.problems, 'problem')} to look at: rulewright check --project {folder}"
        yield f"Next: cd {folder} && rulewright serve"


def make(folder: Path, title: str, numbers: str, source: Path | None, *, by_place: bool = False) -> NewGame:
    """Make a project in a folder that is not there, or holds nothing but what is hidden.

    Raises Refusal where it cannot be made, and Unsound where its rules cannot be read; then nothing is left.
    """
    if folder.exists() and (not folder.is_dir() or any(not p.name.startswith(".") for p in folder.iterdir())):
        raise Refusal(f"{folder} is there already; name a folder that is not, or an empty one")
    if numbers and (fault := example_fault(numbers)):
        raise Refusal(f"--numbers {numbers}: {fault[1]}")
    name = folder.absolute().name
    given, title = title, title or name.replace("-", " ").replace("_", " ").strip().title() or "My Game"
    book = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "game"
    book = f"{book}-rules" if book in OWN else book  # the site has pages of its own under some names
    parent = folder.absolute().parent
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".rulewright-", dir=parent, ignore_cleanup_errors=True) as aside:
        project = Path(aside, "game")
        project.mkdir()
        come = origin("pdf")
        install = come.words
        if come.local:
            name = (
                come.local.name
                if come.local.suffix == ".whl"
                else f"rulewright-{__version__}-py3-none-any.whl"
            )
            install = f"{WHEELS}/{name}[pdf]"
            if come.local.is_file():
                put(project / WHEELS / name, come.local.read_bytes())
        for path, data in files(
            title, book, numbers or USUAL, only_project=source is not None, install=install
        ).items():
            (project / path).parent.mkdir(parents=True, exist_ok=True)
            write(project / path, data)
        if source and source.suffix.lower() == ".json":
            made = _again(project, source)
        elif source:
            made = _read(project, book, given, title, numbers, source, by_place)
        else:
            made = _own(project, book)
        _put(project, folder)
    return made


def files(
    title: str, book: str, example: str, *, only_project: bool = False, install: str = "rulewright[pdf]"
) -> dict[str, str]:
    """The files of a new project by their names. `example`: of its numbering; `install`: what pip takes."""
    wanted = {**PROJECT, **({} if only_project else {f"{CONTENT}/{book}/{n}": t for n, t in GAME.items()})}
    around = environment().overlay(
        autoescape=False, variable_start_string="<<", variable_end_string=">>", keep_trailing_newline=True
    )
    around.filters["yaml"] = lambda words: json.dumps(words, ensure_ascii=False)
    given = {"install": install, "title": title, "book": book, "example": example, **_numbers(example)}
    around.filters["head"] = lambda number, title: scalar(head_written(number, title, names_of(Chapter))[0])
    return {name: around.get_template(f"new/{template}").render(given) for name, template in wanted.items()}


def _numbers(example: str) -> dict[str, Any]:
    """Numbers of chapters and rules, as the book would write them."""
    chapters = _chapters(example)
    dialect = Dialect([example], [chapters] if chapters else [])
    parts = dialect.shapes[0]

    def rule(*ordinals: int) -> str:
        labels = [part.sort.label(at) for part, at in zip(parts, ordinals, strict=False)]
        number = dialect.number(labels)
        if number is None:
            raise Refusal(f"--numbers {example}: it describes no numbers of rules; write one like 1.1a")
        return number.key

    depth = len(parts)
    first, fight, terrain = ((1, 1), (2, 1), (1, 2)) if depth > 1 else ((1,), (2,), (1,))
    titles = CitedTitles([Finder(dialect)], ())
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
    first, *rest = Dialect([example]).shapes[0]
    if not rest:
        return ""
    if re.match(r"\[?1\.1", example):
        return "1.0"
    zeros = rest[0].sort.sign if rest[0].sort.padded else ""
    return f"{first.before}{first.sort.label(1)}{zeros}"


def _own(project: Path, book: str) -> NewGame:
    examined = examine_folder(gather(project))
    message = "nothing was made; report it with the numbering that was asked for"
    refuse_errors(examined.problems, message)
    return NewGame(book, examined.counted())


def _put(project: Path, folder: Path) -> None:
    """Move what was made into its folder, over nothing, as a whole or not at all."""
    made = [path for path in sorted(project.rglob("*")) if path.is_file()]
    for path in made:
        target = kept_in(folder.absolute(), folder.absolute() / path.relative_to(project))
        if target.exists():
            raise Refusal(f"{target} is there already, so nothing was made; name another folder")
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
            data = file.read(bounds.CONTENT.most + 1)
    except OSError as error:
        raise Refusal(f"{source} cannot be read: {told(error)}") from None
    if len(data) > bounds.CONTENT.most:
        raise Refusal(f"{source}: {bounds.CONTENT.clause}")
    try:
        made = json.loads(data)
        texts, others = again(made), [str(name) for name in made["files"]]
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise Refusal(no_book) from None
    for name in (*texts, *others):
        parts = name.split("/")
        sort = kept_as(f"{CONTENT}/{name}")
        if len(parts) < 2 or {"", ".", ".."} & {*parts} or not sort or (name in texts and sort != "text"):
            raise Refusal(f"{no_book}: it names a file {name}")
    for name, text in texts.items():
        put(kept_in(project / CONTENT, project / CONTENT / name), text)
    site = source.absolute().parent.parent.parent
    for name in others:
        if (there := site / name).is_file():
            put(kept_in(project / CONTENT, project / CONTENT / name), there.read_bytes())
    examined = examine_folder(gather(project))
    return NewGame(next(iter(texts)).partition("/")[0], examined.counted(), len(examined.problems))


def _read(
    project: Path, book: str, title: str, otherwise: str, numbers: str, source: Path, by_place: bool
) -> NewGame:
    """The rules of a document as an edition of the game. `otherwise`: its title where that says none."""
    from rulewright.importers.document import read_document
    from rulewright.importers.website.home import home_of
    from rulewright.importers.website.receipt import unlabelled
    from rulewright.importers.website.site_import import Request

    if not source.exists():
        raise Refusal(f"{source} is not there; name a document or a folder of Markdown")
    home = home_of(project, str(project / CONTENT / book / "1"))
    examples = [numbers] if numbers else []
    wanted = Request(book, "1", title, examples, otherwise=otherwise, number=by_place)
    made = home.make(read_document, source, wanted, lambda count, whole: None)
    home.write(made, force=False)
    assert made.receipt
    examined = examine_folder(gather(project))
    said = f"{examined.counted()} of {source.name}, numbered {made.receipt.dialect}"
    problems = len(made.receipt.checked) + made.receipt.words_lost
    return NewGame(book, said, problems, [*unlabelled(made.receipt)], made.receipt.is_refused)
