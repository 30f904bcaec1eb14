"""Say what is wrong in the books, all at once, with file, line and column.

Ends with 1 where there is an error or a warning. An editor gives what is being typed as `-` with the name of
its file, and gets the problems of that file as if it were saved.

With --accept it records in references.lock that references have been read, and what they lead to: new ones
without being named, what is to be read again once it is named: a rule with all that lead to it, a line of a
file, everything in a book, or all.

example:
  rulewright check ocs/4.3 --format github
  rulewright check --accept                         new references of all books
  rulewright check --accept ocs/4.3:12.5c           all that lead to this rule
  rulewright check - --stdin-filename content/ocs/4.3/sequence.yml < typed.yml
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.app.command_registry import BookParameter, command, flag, formats, has_colour, print_notice
from rulewright.model.problem_reports import FORMATS, count_by_severity, plural, problems_text
from rulewright.source.errors import UserError

if TYPE_CHECKING:
    from rulewright.source.content_folder import ContentFolder

TYPED = "-"
"""Stands for what is being typed, which comes on standard input."""
EVERYTHING = "all"


@command
@click.argument(
    "what",
    metavar="[WHAT]...",
    nargs=-1,
    shell_complete=BookParameter().shell_complete,
    help="ocs/4.3 for an edition, ocs for a book, - for one file as it is typed; else all. "
    "With --accept ocs/4.3:12.5c for a rule, FILE:LINE, FILE, a book, or all",
)
@flag(
    "--fix",
    help="write the numbers and names of today where old ones are cited; in an edition that another one "
    "follows only if it is named",
)
@flag("--accept", help="record that references have been read, and what they lead to")
@click.option("--stdin-filename", metavar="FILE", help="the file whose text comes on standard input")
@formats(FORMATS)
def run(
    project: Path,
    what: Sequence[str],
    fix: bool,
    accept: bool,
    stdin_filename: str | None,
    form: str,
) -> int:
    from rulewright.checks.check_outcome import failing_problems
    from rulewright.checks.content_check import check_content
    from rulewright.source.content_folder import parse_address, read_content_folder
    from rulewright.source.disk_cache import project_cache

    if accept:
        return _accept(project, what)
    if len(what) > 1:
        raise click.UsageError("only --accept takes more than one")
    book = parse_address(what[0]) if what else None
    if (book == TYPED) != bool(stdin_filename):
        raise click.UsageError(f"{TYPED} and --stdin-filename FILE go together")
    if fix and stdin_filename:
        raise click.UsageError("--fix changes files, and what is typed is none yet")
    if fix:
        from rulewright.edit.reference_fixes import fix_project_references

        for line in fix_project_references(project, book or "").report_lines():
            print_notice(line)
    folder = read_content_folder(project)
    if stdin_filename:
        book, folder = _typed(project, stdin_filename, folder)
    checked = check_content(folder, project_cache("examined", project), project)
    if stdin_filename:
        held = tuple((p, e) for p, e in checked.suppressed if p.place.file == book)
        checked = replace(checked, problems=tuple(checked.problems_in(book or "")), suppressed=held)
    elif book:
        checked = checked.for_book(book)
        if book not in checked.addresses and not checked.problems_in(f"content/{book}/"):
            raise checked.unknown_book_error(book)
    if form == "text":
        sys.stdout.write(problems_text(checked.problems, colour=has_colour(sys.stdout)))
    else:
        sys.stdout.write(FORMATS[form](checked.problems, checked.suppressed))
    sys.stdout.flush()  # ahead of the summary, where both go to one terminal
    found = count_by_severity(checked.problems, checked.suppressed)
    found = f"{found[0].upper()}{found[1:]}."
    if stdin_filename:
        print_notice(f"Checked {book}. {found}")
        return 1 if failing_problems(checked.problems) else 0
    print_notice(f"Checked {book or 'everything'}: {checked.counts_text(book or '')}. {found}")
    if new := checked.unrecorded_references:
        them = "them" if new > 1 else "it"
        print_notice(
            f"{plural(new, 'new reference')}: `rulewright check --accept` enters {them} in references.lock."
        )
    return 1 if failing_problems(checked.problems) else 0


def _accept(project: Path, read: Sequence[str]) -> int:
    from rulewright.edit.lock_updates import accept_references

    every = [*read] == [EVERYTHING]
    print("\n".join(accept_references(project, () if every else read, accept_all=every).report_lines()))
    return 0


def _typed(project: Path, named: str, folder: ContentFolder) -> tuple[str, ContentFolder]:
    """The name of a file and the content with what is typed of it. Raises Refusal."""
    from rulewright.source.content_folder import CONTENT, file_kind, name_of_path, size_limit

    # Not resolved: the name is not opened, and a link in it is the content's own business.
    name = name_of_path(project, Path(os.path.relpath(named, project)).as_posix())
    if not name.startswith(f"{CONTENT}/") or file_kind(name) != "text":
        raise UserError(
            f"{named} is no text of the content; it has to be a YAML or Markdown file in {CONTENT}/"
        )
    bound = size_limit(name)
    typed = sys.stdin.buffer.read(bound.maximum + 1)
    if len(typed) > bound.maximum:
        raise UserError(f"{named}: {bound.describe}; split it")
    others = [problem for problem in folder.problems if problem.place.file != name]
    return name, replace(folder, texts={**folder.texts, name: typed}, problems=others)
