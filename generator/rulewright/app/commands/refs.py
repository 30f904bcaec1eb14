"""Find the references in any text and say which rules they mean.

Offsets count the characters of a file as it is, from 0, line ends included, a byte order mark at its
beginning not. Ends with 1 where a reference has a problem or a file cannot be read.

With --unlinked, and a book or none, every number of its texts is listed that looks like a rule's and leads
nowhere.

example:
  rulewright refs ocs/4.3 errata.md forum-post.txt --format json
  rulewright refs ocs/4.3 --unlinked
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from rulewright.app.command_registry import BookParameter, command, flag, formats, has_colour
from rulewright.source.errors import UserError


@command
@click.argument(
    "what",
    metavar="[BOOK] FILE...",
    nargs=-1,
    shell_complete=BookParameter().shell_complete,
    help="ocs/4.3, or ocs for its newest edition, and files in UTF-8, or - for standard input",
)
@flag("--unlinked", help="list the numbers that lead to no rule")
@formats(("text", "json", "github"))
def run(project: Path, what: Sequence[str], unlinked: bool, form: str) -> int:
    named = [*what]
    if unlinked:
        return _unlinked(project, named, form)
    book = BookParameter().convert(named.pop(0), None, None) if named else ""
    if not named:
        raise click.UsageError("name the files to look into")
    return _listed(project, book, named, form)


def _listed(project: Path, book: str, files: Sequence[str], form: str) -> int:
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.citations.reference_listing import STDIN, list_references
    from rulewright.compare.successor_rules import missing_number_message
    from rulewright.model.problem_reports import FORMATS, problems_text, to_json_text

    _demand(files, STDIN)
    examined = load_and_check(project)
    outline = examined.outline(book)
    remember = partial(missing_number_message, outline=outline, shelf=examined.shelf)
    rows = [row for name in files for row in list_references(name, outline, examined.shelf, remember)]
    if form == "json":
        sys.stdout.write(to_json_text([row.data for row in rows]))
    elif form == "github":
        sys.stdout.write(FORMATS[form]([p for row in rows for p, excuse in row.problems if not excuse], ()))
    for row in rows if form == "text" else ():
        told = [problem for problem, excuse in row.problems if not excuse]
        excused = [(problem, excuse) for problem, excuse in row.problems if excuse]
        sys.stdout.write(row.line + problems_text(told, excused, colour=has_colour(sys.stdout)))
    return 1 if any(row.fails for row in rows) else 0


def _unlinked(project: Path, books: Sequence[str], form: str) -> int:
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.citations.unlinked import unlinked
    from rulewright.model.problem_reports import to_json_text

    if len(books) > 1:
        raise click.UsageError("--unlinked takes one book or edition, or none for all")
    book = BookParameter().convert(books[0], None, None) if books else ""
    examined = load_and_check(project)
    if book and book not in examined.addresses:
        raise examined.unknown_book_error(book)
    every = unlinked(examined.shelf, examined.manuscripts)
    rows = [one for one in every if f"{one.edition}/".startswith(f"{book}/" if book else "")]
    if form == "json":
        sys.stdout.write(to_json_text([{"place": row.place, "text": row.number} for row in rows]))
    else:
        sys.stdout.write("".join(f"{row.place}: {row.number}\n" for row in rows))
    return 0


def _demand(files: Sequence[str], stdin: str) -> None:
    for name in files:
        if name != stdin and not Path(name).exists():
            raise UserError(f"there is no file {name}")
