"""`rulewright aids`: player aids and rulebooks as PDF, and which of those printed earlier are out of date."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulewright.app.commands import (
    Refused,
    Usage,
    book,
    deliver,
    has_colour,
    kept_in,
    may_replace,
    no_book,
    one_of,
    vacant,
)
from rulewright.model.paper import PAPERS, Paper, length, paper_of
from rulewright.source.folder import CONTENT
from rulewright.source.problems import did_you_mean

if TYPE_CHECKING:
    from rulewright.checks.examine import Examined
    from rulewright.print.press.orders import Order

OUTPUT = "print"
INKS = ("colour", "black")
UNKNOWN = "what is stale cannot be told until this is mended"


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print player aids, and whole rulebooks, as PDF. What they say is recorded in the folder printed/ "
        "of their edition, so that --stale can tell later what has changed since."
    )
    parser.epilog = (
        "example:\n  rulewright aids ocs/4.3 sequence --paper a4 --ink black --marks --bleed 3mm\n"
        "  rulewright aids ocs/4.3 rulebook\n  rulewright aids --stale"
    )
    add = parser.add_argument
    add("book", metavar="BOOK", nargs="?", type=book, help="ocs/4.3, or ocs for its newest edition; else all")
    add("aid", metavar="AID", nargs="?", help="the name of an aid, or rulebook; else all of the book")
    add("--paper", type=_paper, metavar="SIZE", help="a4, letter, 148x210mm; else as each sheet says")
    add("--ink", type=one_of(INKS), help="colour, or black for black alone; else as each sheet says")
    add("--bleed", type=_length, metavar="LENGTH", help="3mm, 1/8in; else as each sheet says")
    add("--marks", action="store_true", help="draw crop marks outside the trim")
    add("--output", metavar="DIR", help=f"where to; else to {OUTPUT}/ in the project")
    may_replace(parser)
    add("--list", action="store_true", help="print nothing; list what there is to print")
    stale = "print nothing; show which printed sheets say something else today; 1 where there is any"
    add("--stale", action="store_true", help=stale)
    add("--format", type=one_of(("text", "json")), default="text", help="text (the default) or json")


def run(arguments: argparse.Namespace) -> int:
    """Print, list or compare. Raises Usage for what is not there, Refused where the content has errors."""
    from rulewright.checks.examine import examine

    project: Path = arguments.project
    examined = examine(project)
    if arguments.list:
        return _list(_wanted(arguments, examined), arguments.format)
    if arguments.stale:
        wanted = _wanted(arguments, examined)
        if arguments.book:
            _sound(examined, wanted, UNKNOWN)
        elif wrong := [problem for problem in examined.problems if problem.severity == "error"]:
            raise Refused(wrong, UNKNOWN)
        return _stale(project, wanted, arguments)
    return _print(project, examined, arguments)


def _print(project: Path, examined: Examined, arguments: argparse.Namespace) -> int:
    from rulewright.model.reports import several, text
    from rulewright.print import press
    from rulewright.print.press import printed_sheets
    from rulewright.source.transaction import replace

    wanted = _wanted(arguments, examined)
    _sound(examined, wanted, "nothing printed until this is mended; it would be wrong")
    folder = Path(arguments.output) if arguments.output else kept_in(project, project / OUTPUT)
    paths = {one.address: kept_in(folder, folder / f"{one.address}.pdf") for one in wanted}
    for path in paths.values():
        vacant(path, arguments)
    done = press.run(project, wanted, lambda step: print(step, file=sys.stderr, flush=True))
    if done.missing:
        raise Usage(f"nothing printed: {done.missing}")
    sys.stdout.write(text(sorted(set(done.problems)), colour=has_colour(sys.stdout)))
    sys.stdout.flush()
    said, before = {}, {}
    for order in wanted:
        if copy := done.copies.get(order.address):
            path = paths[order.address]
            path.parent.mkdir(parents=True, exist_ok=True)
            deliver(copy.pdf, path, arguments)
            print(path)
            kept = kept_in(project / CONTENT, printed_sheets.file_of(project, order.address))
            name = kept.relative_to(project).as_posix()
            said[name] = printed_sheets.written(order.title, order.words).encode()
            if kept.is_file():
                before[name] = kept.read_bytes()
    if changed := {name: words for name, words in said.items() if words != before.get(name)}:
        replace(project, changed, before)
    left = len(wanted) - len(done.copies)
    if left:
        print(f"rulewright: {several(left, 'sheet')} not printed, for the reasons above", file=sys.stderr)
    return 1 if left else 0


def _sound(examined: Examined, wanted: Sequence[Order], left: str) -> None:
    """Raises Refused, saying what is left undone, where the books of these sheets have errors."""
    touched = {f"content/{'/'.join(order.address.split('/')[:2])}/" for order in wanted}
    books = {f"content/{order.address.partition('/')[0]}/rulebook.yml" for order in wanted}
    wrong = [
        problem
        for problem in examined.problems
        if problem.severity == "error"
        and (problem.place.file in books or problem.place.file.startswith(tuple(touched)))
    ]
    if wrong:
        raise Refused(wrong, left)


def _wanted(arguments: argparse.Namespace, examined: Examined) -> list[Order]:
    """The sheets that are asked for. Raises Usage where one is not there, naming the nearest."""
    from rulewright.print import press
    from rulewright.print.press.orders import PrintOptions
    from rulewright.source.settings import site_of

    site = site_of(arguments.project)
    wishes = PrintOptions(arguments.paper, arguments.ink or "", arguments.marks, arguments.bleed, site)
    every = press.orders_of(arguments.project, examined.shelf, wishes)
    if not arguments.book:
        return every
    edition = examined.library.named(arguments.book)
    if edition is None:
        raise no_book(examined, arguments.book)
    of_book = {order.address.rpartition("/")[2]: order for order in every if _lies_in(order, edition.address)}
    if not arguments.aid:
        return list(of_book.values())
    if arguments.aid not in of_book:
        file = f"content/{edition.address}/aids/{arguments.aid}.yml"
        if faults := [problem for problem in examined.problems if problem.place.file == file]:
            raise Refused(faults, "nothing printed until this is mended")
        hint = did_you_mean(arguments.aid, of_book)
        raise Usage(f"{edition.address} has no aid {arguments.aid}{hint}")
    return [of_book[arguments.aid]]


def _lies_in(order: Order, address: str) -> bool:
    return order.address.startswith(f"{address}/")


def _list(wanted: Sequence[Order], form: str) -> int:
    from rulewright.model.reports import as_json
    from rulewright.print.press.printed_sheets import mark_of

    rows = [{"address": o.address, "title": o.title, "hash": mark_of(o.words)} for o in wanted]
    if form == "json":
        sys.stdout.write(as_json(rows))
        return 0
    width = max((len(row["address"]) for row in rows), default=0)
    for row in rows:
        print(f"{row['address']:{width}}  {row['hash']}  {row['title']}")
    return 0


def _stale(project: Path, wanted: Sequence[Order], arguments: argparse.Namespace) -> int:
    from rulewright.model.reports import as_json, several
    from rulewright.print.press import printed_sheets

    now = {order.address: (order.title, order.words) for order in wanted}
    # Of a sheet that is not asked for nothing is known, so it is not said to be gone.
    asked: Mapping[str, Any] = now if arguments.book else {}
    folder = "/".join(next(iter(asked), "").split("/")[:2])
    found = [
        one
        for one in printed_sheets.stale(project, now)
        if one.address in now
        or not arguments.book
        or (not arguments.aid and one.address.startswith(f"{folder}/"))
    ]
    if arguments.format == "json":
        rows = [
            {"address": o.address, "title": o.title, "printed": o.was, "now": o.now or None, "diff": o.diff}
            for o in found
        ]
        sys.stdout.write(as_json(rows))
    for one in found if arguments.format == "text" else ():
        what = (
            f"printed as {one.was}, today {one.now}"
            if one.now
            else f"printed as {one.was}, and there is no such aid today"
        )
        print(f"{one.title} ({one.address}): {what}\n{one.diff}")
    known = sum(1 for _ in printed_sheets.printed(project))
    ending = (
        f"{len(found)} of {several(known, 'printed sheet')} changed since"
        if known
        else "no sheet was printed yet"
    )
    print(f"{ending[0].upper()}{ending[1:]}.", file=sys.stderr)
    return 1 if found else 0


def _paper(value: str) -> Paper:
    found = paper_of(value)
    if found is None:
        hint = did_you_mean(value, PAPERS)
        raise argparse.ArgumentTypeError(
            f"{value} is neither a paper nor two lengths such as 148x210mm{hint}"
        )
    return found


def _length(value: str) -> float:
    found = length(value)
    if found is None or not 0 <= found <= 25.4:
        raise argparse.ArgumentTypeError(f"{value} is no bleed; write 3mm or 1/8in, or 0 for none")
    return found
