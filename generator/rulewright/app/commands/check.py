"""`rulewright check`: every problem of the content, all at once."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from rulewright.app.commands import Refused, book, has_colour, lies_in, no_book, one_of
from rulewright.model.reports import FORMATS, counted, several, text

if TYPE_CHECKING:
    from rulewright.checks.examine import Examined
    from rulewright.compare.drift import Finding


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = "Say what is wrong in all books, or in one, with file, line and column."
    parser.epilog = "example:\n  rulewright check ocs/4.3 --format github"
    parser.add_argument(
        "book", metavar="BOOK", nargs="?", type=book, help="ocs/4.3 for an edition, ocs for a book"
    )
    parser.add_argument(
        "--excused", action="store_true", help="list the problems that are excused too, with the reasons"
    )
    parser.add_argument(
        "--fix", action="store_true", help="write the numbers of rules that have moved where they are cited"
    )
    parser.add_argument(
        "--format", type=one_of(FORMATS), default="text", help="text (the default), github, sarif or json"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the problems, and on standard error what was checked. 1 where there is an error or a warning."""
    from rulewright.checks.examine import examine, failing

    address = arguments.book or None
    if arguments.fix:
        _fix(arguments)
    examined = examine(arguments.project, address)
    known = address is None or examined.library.named(address)
    if address and not known and not any(lies_in(problem, address) for problem in examined.problems):
        raise no_book(examined, address)
    if arguments.format == "text":
        listed = examined.excused if arguments.excused else ()
        sys.stdout.write(text(examined.problems, listed, colour=has_colour(sys.stdout)))
    else:
        sys.stdout.write(FORMATS[arguments.format](examined.problems, examined.excused))
    sys.stdout.flush()  # ahead of the summary, where both go to one terminal
    found = counted(examined.problems, examined.excused)
    print(f"Checked {_what(examined, address)}. {found[0].upper()}{found[1:]}.", file=sys.stderr)
    if new := examined.drift.new.total():
        them = "them" if new > 1 else "it"
        said = f"{several(new, 'new reference')}: `rulewright accept` enters {them} in references.lock."
        print(said, file=sys.stderr)
    return 1 if failing(examined.problems) else 0


def _fix(arguments: argparse.Namespace) -> None:
    """Write anew the references whose rule has moved, all or none. Raises Refused."""
    from rulewright.book.filing import Cache
    from rulewright.checks.examine import examine_folder
    from rulewright.edit.mending import mend
    from rulewright.source.folder import gather
    from rulewright.source.transaction import Busy, replace

    cache: Cache = {}
    folder = gather(arguments.project)
    mended = mend(folder, examine_folder(folder, cache=cache), cache, arguments.book or "")
    if mended.problems:
        raise Refused(mended.problems, "nothing was fixed, since these problems would be new")
    try:
        replace(arguments.project, mended.files, folder.texts)
    except Busy as busy:
        raise Refused([], str(busy)) from None
    for one in sorted(mended.done, key=lambda one: one.reference.place):
        print(f"{one.reference.place}: {_named(one)} is {_number(one)} now", file=sys.stderr)
    for one, why in sorted(mended.left, key=lambda each: each[0].reference.place):
        print(f"{one.reference.place}: {_named(one)} is not made {_number(one)}: {why}", file=sys.stderr)


def _named(one: Finding) -> str:
    """The number as it stands there."""
    return one.reference.number.key if one.reference.number else one.reference.named


def _number(one: Finding) -> str:
    """The number that it ought to be."""
    moved = one.now and one.now.edition is not one.reference.into.edition
    book = f" of {one.now.edition.short}" if one.now and moved else ""
    return f"{one.heir}{book}"


def _what(examined: Examined, address: str | None) -> str:
    """What was checked, in words: of one book, of an edition, or everything."""
    folder = f"{address}/" if address else ""
    outlines = [o for o in examined.shelf.outlines.values() if f"{o.edition.address}/".startswith(folder)]
    pages = [m for m in examined.manuscripts if m.name.startswith(f"content/{folder}")]
    rules = sum(len(outline.entries) for outline in outlines)
    steps = sum(step.difference != "dropped" for outline in outlines for step in outline.every_step())
    references = sum(len(c.resolved) for o in outlines for c in examined.shelf.citations[o.edition.address])
    references += sum(len(page.resolved) for page in pages)
    counts = f"{several(rules, 'rule')}, {several(steps, 'step')}, {several(references, 'reference')}"
    return f"{address or 'everything'}: {counts}"
