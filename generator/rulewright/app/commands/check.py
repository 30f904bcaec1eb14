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

from rulewright.app.registry import Book, command, flag, formats, has_colour, remark
from rulewright.model.reports import FORMATS, counted, several, text
from rulewright.source.refusal import Refusal

if TYPE_CHECKING:
    from rulewright.source.folder import Folder

TYPED = "-"
"""Stands for what is being typed, which comes on standard input."""
EVERYTHING = "all"


@command
@click.argument(
    "what",
    metavar="[WHAT]...",
    nargs=-1,
    shell_complete=Book().shell_complete,
    help="ocs/4.3 for an edition, ocs for a book, - for one file as it is typed; else all. "
    "With --accept ocs/4.3:12.5c for a rule, FILE:LINE, FILE, a book, or all",
)
@flag("--fix", help="write the numbers of rules that have moved where they are cited")
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
    from rulewright.checks.checked import failing
    from rulewright.checks.content_check import check
    from rulewright.source.folder import address_of, gather
    from rulewright.source.store import of_project

    if accept:
        return _accept(project, what)
    if len(what) > 1:
        raise click.UsageError("only --accept takes more than one")
    book = address_of(what[0]) if what else None
    if (book == TYPED) != bool(stdin_filename):
        raise click.UsageError(f"{TYPED} and --stdin-filename FILE go together")
    if fix and stdin_filename:
        raise click.UsageError("--fix changes files, and what is typed is none yet")
    if fix:
        from rulewright.edit.reference_fixes import mend_project

        for line in mend_project(project, book or "").told():
            remark(line)
    folder = gather(project)
    if stdin_filename:
        book, folder = _typed(project, stdin_filename, folder)
    checked = check(folder, of_project("examined", project), project)
    if stdin_filename:
        held = tuple((p, e) for p, e in checked.excused if p.place.file == book)
        checked = replace(checked, problems=tuple(checked.problems_in(book or "")), excused=held)
    elif book:
        checked = checked.of(book)
        if book not in checked.addresses and not checked.problems_in(f"content/{book}/"):
            raise checked.no_book(book)
    if form == "text":
        sys.stdout.write(text(checked.problems, colour=has_colour(sys.stdout)))
    else:
        sys.stdout.write(FORMATS[form](checked.problems, checked.excused))
    sys.stdout.flush()  # ahead of the summary, where both go to one terminal
    found = counted(checked.problems, checked.excused)
    found = f"{found[0].upper()}{found[1:]}."
    if stdin_filename:
        remark(f"Checked {book}. {found}")
        return 1 if failing(checked.problems) else 0
    remark(f"Checked {book or 'everything'}: {checked.counted(book or '')}. {found}")
    if new := checked.new:
        them = "them" if new > 1 else "it"
        remark(
            f"{several(new, 'new reference')}: `rulewright check --accept` enters {them} in references.lock."
        )
    return 1 if failing(checked.problems) else 0


def _accept(project: Path, read: Sequence[str]) -> int:
    from rulewright.edit.locks import accept

    every = [*read] == [EVERYTHING]
    print("\n".join(accept(project, () if every else read, every=every).told()))
    return 0


def _typed(project: Path, named: str, folder: Folder) -> tuple[str, Folder]:
    """The name of a file and the content with what is typed of it. Raises Refusal."""
    from rulewright.source.folder import CONTENT, content_name, kept_as, most_of

    # Not resolved: the name is not opened, and a link in it is the content's own business.
    name = content_name(project, Path(os.path.relpath(named, project)).as_posix())
    if not name.startswith(f"{CONTENT}/") or kept_as(name) != "text":
        raise Refusal(
            f"{named} is no text of the content; it has to be a YAML or Markdown file in {CONTENT}/"
        )
    bound = most_of(name)
    typed = sys.stdin.buffer.read(bound.most + 1)
    if len(typed) > bound.most:
        raise Refusal(f"{named}: {bound.clause}; split it")
    others = [one for one in folder.problems if one.place.file != name]
    return name, replace(folder, texts={**folder.texts, name: typed}, problems=others)
