"""Check all books and list every problem with file, line and column.

--accept records the cited rules in references.lock. New references need no argument. To accept changed rules
after reading the texts that cite them, name a rule (all references to it), an edition, a book, or all.

Exit codes: 0 no problem, 1 errors or warnings found, 2 wrong usage.

example:
  rulewright check ocs/4.3 --format github
  rulewright check --accept                         new references of all books
  rulewright check --accept ocs/4.3:12.5c           all references to this rule
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from rulewright.app.command_registry import command, flag, formats, has_colour, print_notice
from rulewright.schema.problem_reports import FORMATS, count_by_severity, plural, problems_text

EVERYTHING = "all"


@command
@click.argument(
    "targets",
    metavar="[WHAT]...",
    nargs=-1,
    help="ocs/4.3 for an edition, ocs for a book; default: all. "
    "With --accept: ocs/4.3:12.5c for a rule, an edition, a book, or all",
)
@flag(
    "--fix",
    help="write the new number or name where a cited rule, step or term has another one, and list each "
    "place; in an edition that another one follows only if named",
)
@flag("--accept", help="record the targets of references as read")
@formats(FORMATS)
def run(
    project: Path,
    targets: Sequence[str],
    fix: bool,
    accept: bool,
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
    book = parse_address(targets[0]) if targets else ""
    if fix:
        from rulewright.edit.reference_fixes import fix_project_references

        for line in fix_project_references(project, book).report_lines():
            print_notice(line)
    folder = read_content_folder(project)
    checked = check_content(folder, project_cache("examined", project), project)
    if book:
        checked = checked.for_book(book)
        if book not in checked.addresses and not checked.problems_in(f"content/{book}/"):
            raise checked.unknown_book_error(book)
    if form == "text":
        report = problems_text(checked.problems, colour=has_colour(sys.stdout))
    else:
        report = FORMATS[form](checked.problems, checked.suppressed)
    sys.stdout.write(report)
    sys.stdout.flush()  # before the summary on standard error
    counts = count_by_severity(checked.problems, checked.suppressed).capitalize()
    print_notice(f"Checked {book or 'everything'}: {checked.counts_text(book)}. {counts}.")
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
