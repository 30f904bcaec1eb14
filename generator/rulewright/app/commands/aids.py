"""Print player aids and rulebooks as PDF, and say which printed ones are out of date.

The lock printed.lock of their edition records the hash of each, so that --stale can find those that have
changed since.

example:
  rulewright aids ocs/4.3 sequence --paper a4 --ink black --marks --bleed 3mm
  rulewright aids ocs/4.3 rulebook --booklet
  rulewright aids ember-coast/2.1 cards --impose tabloid
  rulewright aids --stale
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.app.measures import length_of, paper_named
from rulewright.app.registry import OneOf, address, command, flag, formats, has_colour, may_replace, remark
from rulewright.model.paper import Paper
from rulewright.source.problems import Problem
from rulewright.source.refusal import Refusal, refuse_errors

if TYPE_CHECKING:
    from rulewright.print.press.orders import Order
    from rulewright.print.press.printed_sheets import StaleSheet

OUTPUT = "print"

SHEET = 0.1
"""Thickness of the paper of a booklet, in mm: of 80 to 100 grams a square metre."""


def _bleed(value: str) -> float:
    if (found := length_of(value)) > 25.4:
        raise click.BadParameter(f"{value} is no bleed; write 3mm or 1/8in, or 0 for none")
    return found


@command
@address(help="ocs/4.3, or ocs for its newest edition; else all", required=False)
@click.argument("aid", required=False, help="the name of an aid, or rulebook; else all of the book")
@click.option("--paper", type=paper_named, metavar="SIZE", help="a4, letter, 148x210mm; else its own")
@click.option(
    "--ink",
    type=OneOf(("colour", "black")),
    metavar="INK",
    help="colour, or black for black alone; else as each sheet says",
)
@click.option("--bleed", type=_bleed, metavar="LENGTH", help="3mm, 1/8in; else as each sheet says")
@flag("--marks", help="draw crop marks outside the trim")
@click.option(
    "--impose",
    type=paper_named,
    metavar="SIZE",
    help="lay the pages side by side on larger paper, with cut marks; of an even number of pages every "
    "second is the back of the one before it",
)
@flag("--booklet", help="lay the pages in the order for folding once and stapling in the fold")
@flag("--proof", help="print sheets with what is wrong with them as well, and PROOF across each page")
@click.option("--output", metavar="DIR", help=f"where to; else to {OUTPUT}/ in the project")
@may_replace
@flag(
    "--stale", help="print nothing; show which printed sheets say something else today; 1 where there is any"
)
@formats(("text", "json"))
def run(
    project: Path,
    book: str | None,
    aid: str | None,
    paper: Paper | None,
    ink: str | None,
    bleed: float | None,
    marks: bool,
    impose: Paper | None,
    booklet: bool,
    proof: bool,
    output: str | None,
    force: bool,
    stale: bool,
    form: str,
) -> int:
    """Print or compare. Raises Refusal for what is not there, Unsound where the content has errors."""
    from rulewright.checks.examine import examine
    from rulewright.model.reports import several
    from rulewright.print import press
    from rulewright.print.press.choosing import choose, demand_sound, keep, outdated
    from rulewright.print.press.orders import PrintOptions
    from rulewright.source.output import deliver, kept_in, vacant
    from rulewright.source.settings import site_of

    if booklet and impose:
        raise Refusal("a booklet has its own paper; leave out --booklet or --impose")
    wishes = PrintOptions(paper, ink or "", marks, bleed, site_of(project), proof)
    examined = examine(project)
    wanted = choose(project, examined, wishes, book or "", aid or "")
    if stale:
        left = "what is stale cannot be told until this is mended"
        if not book:
            refuse_errors(examined.problems, left)
        demand_sound(examined, wanted, left)
        edition = "/".join(wanted[0].address.split("/")[:2]) if wanted and not aid else ""
        found = outdated(examined, wanted, whole=not book, edition=edition)
        return _compare(found, len(examined.library.printed), form)
    folder = Path(output) if output else kept_in(project, project / OUTPUT)
    laid = ".booklet" if booklet else ".imposed" if impose else ""
    ending = f"{laid}{'.proof' if proof else ''}.pdf"

    def path_of(order: Order) -> Path:
        return kept_in(folder, folder / f"{order.address}{ending}")

    left = "nothing printed until this is mended; it would be wrong"
    wanted, wrong = demand_sound(examined, wanted, left, but_aids=not aid)
    for one in wanted:
        vacant(path_of(one), force)
    done = press.run(project, wanted, remark)
    if done.missing:
        raise Refusal(f"nothing printed: {done.missing}")
    _show(sorted({*wrong, *done.problems}))
    printed = [one for one in wanted if one.address in done.copies]
    for one in printed:
        path = path_of(one)
        path.parent.mkdir(parents=True, exist_ok=True)
        deliver(_laid(done.copies[one.address].pdf, impose, booklet), path, force)
        print(path, flush=True)
    missing = len(done.failed) + len({problem.place.file for problem in wrong})
    if missing:
        remark(f"rulewright: {several(missing, 'sheet')} not printed, for the reasons above", fault=True)
    if not proof and not laid:
        try:
            keep(project, printed)
        except OSError as error:
            if not output or error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise
            remark(f"--stale will not know of these sheets: the content is closed to this user ({error})")
    return 1 if missing else 0


def _laid(pdf: bytes, paper: Paper | None, booklet: bool) -> bytes:
    """Lay the pages of a PDF as asked. Raises Refusal where they have no room."""
    if booklet:
        from rulewright.print.signatures import stitch

        return stitch(pdf, sheet=SHEET)
    if paper:
        from pypdfium2 import PdfDocument

        from rulewright.print.signatures import gang

        return gang(pdf, paper, backs=len(PdfDocument(pdf)) % 2 == 0)
    return pdf


def _show(problems: Sequence[Problem]) -> None:
    from rulewright.model.reports import text

    sys.stdout.write(text(problems, colour=has_colour(sys.stdout)))
    sys.stdout.flush()


def _compare(found: Sequence[StaleSheet], known: int, form: str) -> int:
    from rulewright.model.reports import as_json, several

    if form == "json":
        rows = [
            {"address": o.address, "date": o.printed.date, "printed": o.printed.hash, "now": o.now or None}
            for o in found
        ]
        sys.stdout.write(as_json(rows))
    for one in found if form == "text" else ():
        today = f"today {one.now}" if one.now else "and there is no such aid today"
        print(f"{one.address}: printed as {one.printed.hash} on {one.printed.date}, {today}")
    changed = f"{len(found)} of {several(known, 'printed sheet')} changed since"
    remark(f"{changed if known else 'No sheet was printed yet'}.")
    return 1 if found else 0
