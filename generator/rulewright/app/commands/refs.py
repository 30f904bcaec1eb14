"""List the references in any text, with their targets.

Offsets are 0-based characters, including line ends, excluding a BOM.

--unlinked lists, as text, the numbers in a book, or in all books, that look like rule numbers but are not
references.

Exit codes: 0 all references resolved, 1 problems found or a file is unreadable, 2 wrong usage.

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

from rulewright.app.command_registry import command, flag, formats, has_colour
from rulewright.files.content_folder import parse_address
from rulewright.files.errors import UserError


@command
@click.argument(
    "names",
    metavar="[BOOK] FILE...",
    nargs=-1,
    help="ocs/4.3, or ocs for its newest edition; then UTF-8 files, or - for standard input",
)
@flag("--unlinked", help="list numbers in the books that are not references")
@formats(("text", "json"))
def run(project: Path, names: Sequence[str], unlinked: bool, form: str) -> int:
    remaining = [*names]
    if unlinked:
        return _list_unlinked(project, remaining)
    book = parse_address(remaining.pop(0)) if remaining else ""
    if not remaining:
        raise click.UsageError("no file; name at least one, or - for standard input")
    return _list_references(project, book, remaining, form)


def _list_references(project: Path, book: str, files: Sequence[str], form: str) -> int:
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.compare.history import Counterparts
    from rulewright.compare.successor_rules import missing_number_message
    from rulewright.references.reference_listing import STDIN, list_references
    from rulewright.schema.problem_reports import problems_text, to_json_text

    for name in files:
        if name != STDIN and not Path(name).exists():
            raise UserError(f"there is no file {name}")
    checked = load_and_check(project)
    outline = checked.outline(book)
    explain_missing = partial(
        missing_number_message, outline=outline, counterparts=Counterparts(checked.index)
    )
    references = [
        reference
        for name in files
        for reference in list_references(name, outline, checked.index, explain_missing)
    ]
    if form == "json":
        sys.stdout.write(to_json_text([reference.data for reference in references]))
    for reference in references if form == "text" else ():
        sys.stdout.write(
            reference.line + problems_text(reference.problems, (), colour=has_colour(sys.stdout))
        )
    return int(any(problem.is_failure for reference in references for problem in reference.problems))


def _list_unlinked(project: Path, books: Sequence[str]) -> int:
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.references.unlinked import unlinked

    if len(books) > 1:
        raise click.UsageError("more than one book; --unlinked takes one book or edition, or none for all")
    book = parse_address(books[0]) if books else ""
    checked = load_and_check(project)
    if book and book not in checked.addresses:
        raise checked.unknown_book_error(book)
    for number in unlinked(checked.index, checked.manuscripts):
        if not book or f"{number.edition}/".startswith(f"{book}/"):
            print(f"{number.place}: {number.number}")
    return 0
