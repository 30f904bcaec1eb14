"""Find the references in any text and say which rules they mean.

Offsets count the characters of a file as it is, from 0, line ends included, a byte order mark at its
beginning not. Ends with 1 where a reference has a problem or a file cannot be read.

With --written-for a text may have been written for another edition: program code, cards, posts. Each citation
is told whose rule has another number now, is reworded or gone, or never was; --fix writes the new numbers and
nothing else, and notes in citations.lock, in this folder, which edition the files are written for from then
on; --accept notes there what is told, so that only news is told again.

With --unlinked, and a book or none, every number and cue of the texts is accounted for that leads nowhere.

example:
  rulewright refs ocs/4.3 errata.md forum-post.txt --format json
  rulewright refs ocs src/*.rs cards.csv --written-for ocs/4.2 --fix
  rulewright refs ocs/4.3 --unlinked
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from rulewright.app.registry import Book, command, flag, formats, has_colour, remark
from rulewright.source.refusal import Refusal


@command
@click.argument(
    "what",
    metavar="[BOOK] FILE...",
    nargs=-1,
    shell_complete=Book().shell_complete,
    help="ocs/4.3, or ocs for its newest edition, and files in UTF-8, or - for standard input",
)
@click.option("--written-for", metavar="EDITION", help="the edition that the files were written for, ocs/4.2")
@flag("--fix", help="write the numbers of today into the files")
@flag("--accept", help="note in citations.lock what is told")
@flag("--unlinked", help="account for the numbers and cues that lead to no rule")
@formats(("text", "json", "github"))
def run(
    project: Path,
    what: Sequence[str],
    written_for: str | None,
    fix: bool,
    accept: bool,
    unlinked: bool,
    form: str,
) -> int:
    from rulewright.citations.foreign import STDIN

    named = [*what]
    if unlinked:
        return _unlinked(project, named, form)
    is_file = bool(written_for) and bool(named) and (named[0] == STDIN or Path(named[0]).is_file())
    book = Book().convert(named.pop(0), None, None) if named and not is_file else ""
    if not named:
        raise click.UsageError("name the files to look into")
    if written_for is None:
        if fix or accept:
            raise click.UsageError("--fix and --accept need --written-for EDITION")
        return _listed(project, book, named, form)
    if fix and (accept or STDIN in named):
        raise click.UsageError("--fix writes files, and goes neither with --accept nor with standard input")
    return _outside(project, book, named, written_for, form, fix=fix, accept=accept)


def _listed(project: Path, book: str, files: Sequence[str], form: str) -> int:
    from rulewright.checks.examine import examine
    from rulewright.citations.foreign import STDIN
    from rulewright.citations.listing import listing
    from rulewright.compare.heirs import recall
    from rulewright.model.reports import FORMATS, as_json, text

    _demand(files, STDIN)
    examined = examine(project)
    outline = examined.outline(book)
    remember = partial(recall, outline=outline, shelf=examined.shelf)
    rows = [row for name in files for row in listing(name, outline, examined.shelf, remember)]
    if form == "json":
        sys.stdout.write(as_json([row.data for row in rows]))
    elif form == "github":
        sys.stdout.write(FORMATS[form]([p for row in rows for p, excuse in row.problems if not excuse], ()))
    for row in rows if form == "text" else ():
        told = [problem for problem, excuse in row.problems if not excuse]
        excused = [(problem, excuse) for problem, excuse in row.problems if excuse]
        sys.stdout.write(row.line + text(told, excused, colour=has_colour(sys.stdout)))
    return 1 if any(row.fails for row in rows) else 0


def _unlinked(project: Path, books: Sequence[str], form: str) -> int:
    from rulewright.checks.examine import examine
    from rulewright.citations.ledger import ledgers
    from rulewright.model.account import LINKED, SILENT
    from rulewright.model.reports import as_json

    if len(books) > 1:
        raise click.UsageError("--unlinked takes one book or edition, or none for all")
    book = Book().convert(books[0], None, None) if books else ""
    examined = examine(project)
    if book and book not in examined.addresses:
        raise examined.no_book(book)
    rows = [
        (item.text.place_of(item.start), item)
        for _, address, items in ledgers(examined.shelf, examined.manuscripts)
        if f"{address}/".startswith(f"{book}/" if book else "")
        for item in items
        if item.state != LINKED
    ]
    if form == "json":
        sys.stdout.write(
            as_json([{"place": at, "text": str(i), "state": i.state, "why": i.why} for at, i in rows])
        )
    else:
        sys.stdout.write(
            "".join(f"{at}: {item}: {item.state}{item.why and f', {item.why}'}\n" for at, item in rows)
        )
    remark(f"Numbers and cues: {examined.accounted(book)}.")
    return 1 if any(item.state == SILENT for _, item in rows) else 0


def _outside(
    project: Path, book: str, files: Sequence[str], written_for: str, form: str, *, fix: bool, accept: bool
) -> int:
    from rulewright.checks.examine import examine
    from rulewright.citations.foreign import STDIN
    from rulewright.edit.outside_files import OutsideFiles
    from rulewright.model.reports import FORMATS, as_json, several, text

    _demand(files, STDIN)
    outside = OutsideFiles(examine(project), book, written_for, Path.cwd())
    looked = [outside.look(name) for name in dict.fromkeys(files)]
    if fix:
        for line in outside.fix(looked):
            remark(line)
    problems = [problem for one in looked for problem in (one.left if fix else one.news)]
    if accept:
        remark(f"{several(outside.accept(looked), 'problem')} noted in {outside.lock.path.name}")
        problems = [problem for one in looked if not one.text for problem in one.news]
    if form == "json":
        sys.stdout.write(as_json([row for one in looked for row in one.rows()]))
    elif form == "github":
        sys.stdout.write(FORMATS[form](problems, ()))
    else:
        sys.stdout.write(text(problems, colour=has_colour(sys.stdout)))
    for one in looked:
        remark(one.counted())
    return 1 if any(problem.fails for problem in problems) else 0


def _demand(files: Sequence[str], stdin: str) -> None:
    for name in files:
        if name != stdin and not Path(name).exists():
            raise Refusal(f"there is no file {name}")
