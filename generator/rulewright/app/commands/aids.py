"""Print player aids and rulebooks as PDF, and say which printed ones are out of date.

What they say is recorded in the folder printed/ of their edition, so that --stale can tell later what has
changed since.

example:
  rulewright aids ocs/4.3 sequence --paper a4 --ink black --marks --bleed 3mm
  rulewright aids ocs/4.3 rulebook --watch
  rulewright aids --stale
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rulewright.app.measures import length_of, paper_named
from rulewright.app.registry import OneOf, address, command, flag, formats, has_colour, may_replace, remark
from rulewright.model.paper import Paper
from rulewright.model.reports import several, text
from rulewright.source.folder import CONTENT
from rulewright.source.refusal import Refusal

if TYPE_CHECKING:
    from rulewright.checks.examine import Examined
    from rulewright.print.press.orders import Order
    from rulewright.print.press.printed_sheets import StaleSheet
    from rulewright.source.problems import Problem

OUTPUT = "print"


def _bleed(value: str) -> float:
    if (found := length_of(value)) > 25.4:
        raise click.BadParameter(f"{value} is no bleed; write 3mm or 1/8in, or 0 for none")
    return found


@command
@address(help="ocs/4.3, or ocs for its newest edition; else all", required=False)
@click.argument("aid", required=False, help="the name of an aid, or rulebook; else all of the book")
@click.option(
    "--paper", type=paper_named, metavar="SIZE", help="a4, letter, 148x210mm; else as each sheet says"
)
@click.option(
    "--ink",
    type=OneOf(("colour", "black")),
    metavar="INK",
    help="colour, or black for black alone; else as each sheet says",
)
@click.option("--bleed", type=_bleed, metavar="LENGTH", help="3mm, 1/8in; else as each sheet says")
@flag("--marks", help="draw crop marks outside the trim")
@flag("--proof", help="print sheets with what is wrong with them as well, and PROOF across each page")
@click.option("--output", metavar="DIR", help=f"where to; else to {OUTPUT}/ in the project")
@may_replace
@flag("--watch", help="print again what each edit changes, until Ctrl-C; nothing is recorded")
@flag("--list", "listed", help="print nothing; list what there is to print")
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
    proof: bool,
    output: str | None,
    force: bool,
    watch: bool,
    listed: bool,
    stale: bool,
    form: str,
) -> int:
    """Print, list or compare. Raises Refusal for what is not there, Unsound where the content has errors."""
    from rulewright.checks.examine import examine
    from rulewright.print.press.choosing import choose, demand_sound, outdated
    from rulewright.print.press.orders import PrintOptions
    from rulewright.source.output import kept_in
    from rulewright.source.settings import site_of

    cache: dict[str, Any] = {}

    def read() -> tuple[Examined, list[Order]]:
        examined = examine(project, cache=cache)
        wishes = PrintOptions(paper, ink or "", marks, bleed, site_of(project), proof)
        return examined, choose(project, examined, wishes, book or "", aid or "")

    if listed:
        return _list(read()[1], form)
    if stale:
        examined, wanted = read()
        left = "what is stale cannot be told until this is mended"
        if not book:
            examined.demand(examined.problems, left)
        demand_sound(examined, wanted, left)
        edition = "/".join(wanted[0].address.split("/")[:2]) if wanted and not aid else ""
        return _compare(project, outdated(project, wanted, whole=not book, edition=edition), form)
    folder = Path(output) if output else kept_in(project, project / OUTPUT)

    def printed() -> int:
        examined, wanted = read()
        left = "nothing printed until this is mended; it would be wrong"
        sound, wrong = demand_sound(examined, wanted, left, but_aids=not aid)
        return _print(project, sound, wrong, folder, force=force, kept=not proof, watched=watch)

    if not watch:
        return printed()
    for _ in edits(project):
        try:
            printed()
        except (Refusal, OSError) as error:  # which the next edit may mend
            sys.stderr.write(text(getattr(error, "problems", ()), colour=has_colour(sys.stderr)))
            remark(f"rulewright: {error}")
    return 0


def edits(project: Path) -> Iterator[None]:
    """Yield at once, and again each time that a file of the content or the settings was edited."""
    before: object = None
    while True:
        now = []
        for folder, inner, names in os.walk(project / CONTENT):
            inner[:] = [name for name in inner if name != "printed"]
            now += [os.path.join(folder, name) for name in names]
        stamp = []
        for name in (*sorted(now), str(project / "mkdocs.yml")):
            with suppress(OSError):
                status = os.stat(name)
                stamp.append((name, status.st_mtime_ns, status.st_size))
        if stamp != before:
            yield
        before = stamp
        time.sleep(0.1)


def _print(
    project: Path,
    wanted: list[Order],
    wrong: list[Problem],
    folder: Path,
    *,
    force: bool,
    kept: bool,
    watched: bool,
) -> int:
    """Print into a folder; record what sheets say if it is to be `kept`. `watched`: tell of changes."""
    from rulewright.print import press
    from rulewright.print.press.choosing import keep
    from rulewright.source.output import deliver, kept_in, vacant

    paths = {}
    for one in wanted:
        ending = ".proof.pdf" if one.wishes.proof else ".pdf"
        paths[one.address] = vacant(kept_in(folder, folder / f"{one.address}{ending}"), force)
    done = press.run(project, wanted, lambda step: None if watched and step.seconds is None else remark(step))
    if done.missing:
        raise Refusal(f"nothing printed: {done.missing}")
    sys.stdout.write(text(sorted({*wrong, *done.problems}), colour=has_colour(sys.stdout)))
    sys.stdout.flush()
    printed = [one for one in wanted if one.address in done.copies]
    for one in printed:
        path = paths[one.address]
        if watched and path.is_file() and path.read_bytes() == done.copies[one.address].pdf:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        deliver(done.copies[one.address].pdf, path, force)
        print(path)
    if kept and not watched:
        keep(project, printed)
    missing = len(done.failed) + len({problem.place.file for problem in wrong})
    if missing:
        remark(f"rulewright: {several(missing, 'sheet')} not printed, for the reasons above")
    return 1 if missing else 0


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


def _compare(project: Path, found: Sequence[StaleSheet], form: str) -> int:
    from rulewright.model.reports import as_json, several
    from rulewright.print.press import printed_sheets

    if form == "json":
        rows = [
            {"address": o.address, "title": o.title, "printed": o.was, "now": o.now or None, "diff": o.diff}
            for o in found
        ]
        sys.stdout.write(as_json(rows))
    for one in found if form == "text" else ():
        today = f"today {one.now}" if one.now else "and there is no such aid today"
        print(f"{one.title} ({one.address}): printed as {one.was}, {today}\n{one.diff}")
    known = sum(1 for _ in printed_sheets.printed(project))
    changed = f"{len(found)} of {several(known, 'printed sheet')} changed since"
    remark(f"{changed if known else 'No sheet was printed yet'}.")
    return 1 if found else 0
