"""Check all books and list every problem with file, line and column.

To check a file before it is saved, pass `-` and --stdin-filename, with its text on standard input.

--accept records the cited rules in references.lock. New references need no argument. To accept changed rules
after reading the texts that cite them, name a rule (all references to it), an edition, a book, or all.

Exit codes: 0 no problem, 1 errors or warnings found, 2 wrong usage.

example:
  rulewright check ocs/4.3 --format github
  rulewright check --accept                         new references of all books
  rulewright check --accept ocs/4.3:12.5c           all references to this rule
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
from rulewright.files.errors import UserError
from rulewright.schema.problem_reports import FORMATS, count_by_severity, plural, problems_text

if TYPE_CHECKING:
    from rulewright.files.content_reader import ContentFolder

STDIN = "-"
"""Argument for the text on standard input."""
EVERYTHING = "all"


@command
@click.argument(
    "targets",
    metavar="[WHAT]...",
    nargs=-1,
    shell_complete=BookParameter().shell_complete,
    help="ocs/4.3 for an edition, ocs for a book, - for standard input; default: all. "
    "With --accept: ocs/4.3:12.5c for a rule, an edition, a book, or all",
)
@flag(
    "--fix",
    help="write the new number or name where a cited rule, step or term has another one, and list each "
    "place; in an edition that another one follows only if named",
)
@flag("--accept", help="record the targets of references as read")
@click.option("--stdin-filename", metavar="FILE", help="name of the file whose text is on standard input")
@formats(FORMATS)
def run(
    project: Path,
    targets: Sequence[str],
    fix: bool,
    accept: bool,
    stdin_filename: str | None,
    form: str,
) -> int:
    from rulewright.checks.check_outcome import failing_problems
    from rulewright.checks.content_check import check_content
    from rulewright.files.content_folder import parse_address
    from rulewright.files.content_reader import read_content_folder
    from rulewright.files.disk_cache import project_cache

    if accept:
        return _accept(project, targets)
    if len(targets) > 1:
        raise click.UsageError("more than one argument; only --accept takes several")
    book = parse_address(targets[0]) if targets else None
    if (book == STDIN) != bool(stdin_filename):
        raise click.UsageError(f"{STDIN} and --stdin-filename FILE require each other")
    if fix and stdin_filename:
        raise click.UsageError("--fix cannot change standard input; leave out --stdin-filename")
    if fix:
        from rulewright.edit.reference_fixes import fix_project_references

        for line in fix_project_references(project, book or "").report_lines():
            print_notice(line)
    folder = read_content_folder(project)
    if stdin_filename:
        book, folder = _with_stdin_text(project, stdin_filename, folder)
    checked = check_content(folder, project_cache("examined", project), project)
    if stdin_filename:
        suppressed = tuple((p, e) for p, e in checked.suppressed if p.place.file == book)
        checked = replace(checked, problems=tuple(checked.problems_in(book or "")), suppressed=suppressed)
    elif book:
        checked = checked.for_book(book)
        if book not in checked.addresses and not checked.problems_in(f"content/{book}/"):
            raise checked.unknown_book_error(book)
    if form == "text":
        sys.stdout.write(problems_text(checked.problems, colour=has_colour(sys.stdout)))
    else:
        sys.stdout.write(FORMATS[form](checked.problems, checked.suppressed))
    sys.stdout.flush()  # before the summary on standard error
    counts = count_by_severity(checked.problems, checked.suppressed)
    counts = f"{counts[0].upper()}{counts[1:]}."
    if stdin_filename:
        print_notice(f"Checked {book}. {counts}")
        return 1 if failing_problems(checked.problems) else 0
    print_notice(f"Checked {book or 'everything'}: {checked.counts_text(book or '')}. {counts}")
    if new := checked.unrecorded_references:
        them = "them" if new > 1 else "it"
        print_notice(
            f"{plural(new, 'new reference')}: `rulewright check --accept` records {them} in references.lock."
        )
    return 1 if failing_problems(checked.problems) else 0


def _accept(project: Path, targets: Sequence[str]) -> int:
    from rulewright.edit.lock_updates import accept_references

    is_everything = [*targets] == [EVERYTHING]
    result = accept_references(project, () if is_everything else targets, accept_all=is_everything)
    print("\n".join(result.report_lines()))
    return 0


def _with_stdin_text(project: Path, file_name: str, folder: ContentFolder) -> tuple[str, ContentFolder]:
    """Return the name of a file, and the content with its text from standard input.

    Raises UserError if it is not a content text or is too large.
    """
    from rulewright.files.content_folder import CONTENT, file_kind, name_of_path, size_limit

    # Not resolved: the file is not opened, and the content may contain links.
    name = name_of_path(project, Path(os.path.relpath(file_name, project)).as_posix())
    if not name.startswith(f"{CONTENT}/") or file_kind(name) != "text":
        raise UserError(f"{file_name} is not a content text; name a YAML or Markdown file in {CONTENT}/")
    limit = size_limit(name)
    text = sys.stdin.buffer.read(limit.maximum + 1)
    if len(text) > limit.maximum:
        raise UserError(f"{file_name}: {limit.describe}; split it")
    other_problems = [problem for problem in folder.problems if problem.place.file != name]
    return name, replace(folder, texts={**folder.texts, name: text}, problems=other_problems)
