"""Lay the pages of a finished PDF on larger paper: cards to be cut, or a booklet to be folded.

Cards stand side by side with cut marks, as many as fit; with --backs every second page is a back, which is
printed behind its front when the paper is turned over along its long or short side like a page of a book.
A booklet has its pages in the order for folding once and stapling in the fold.

example:
  rulewright impose cards.pdf --paper a4 --backs --output sheet.pdf
  rulewright impose print/ocs/4.3/rulebook.pdf --booklet --sheet 0.1mm --output booklet.pdf
"""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.app.commands.preflight import NEEDS
from rulewright.app.measures import length_of, paper_named
from rulewright.app.registry import command, flag, may_replace
from rulewright.model.paper import PAPERS, Paper
from rulewright.source.refusal import Refusal


@command
@click.argument("file", metavar="FILE", help="a PDF whose pages are all of one size")
@click.option(
    "--paper",
    type=paper_named,
    metavar="SIZE",
    help="a4, tabloid landscape, 320x450mm; else letter, or what a booklet needs",
)
@flag("--booklet", help="for folding once and stapling in the fold")
@flag("--backs", help="every second page is the back of the one before")
@click.option(
    "--gutter", type=length_of, default="0", metavar="LENGTH", help="2mm: the distance between cards"
)
@click.option(
    "--sheet",
    type=length_of,
    default="0",
    metavar="LENGTH",
    help="0.1mm: how thick the paper of a booklet is",
)
@click.option("--output", metavar="FILE", required=True, help="where to")
@may_replace
def run(
    file: str,
    paper: Paper | None,
    booklet: bool,
    backs: bool,
    gutter: float,
    sheet: float,
    output: str,
    force: bool,
) -> int:
    """Write the imposed PDF. Raises Refusal where its pages cannot be laid out so."""
    from rulewright.source.output import deliver, vacant

    if booklet and (backs or gutter):
        raise Refusal("a booklet has neither backs nor a gutter; leave out --booklet, or the other")
    if sheet and not booklet:
        raise Refusal(
            "the thickness of the paper matters to a booklet alone; add --booklet, or leave --sheet out"
        )
    try:
        from rulewright.print.signatures import gang, stitch
    except ModuleNotFoundError as error:
        raise Refusal(NEEDS) from error
    path = vacant(Path(output), force)
    pdf = Path(file).read_bytes()
    try:
        made = (
            stitch(pdf, paper, sheet=sheet)
            if booklet
            else gang(pdf, paper or PAPERS["letter"], backs=backs, gutter=gutter)
        )
    except Refusal as refusal:
        raise Refusal(f"{file}: {refusal}") from None
    path.parent.mkdir(parents=True, exist_ok=True)
    deliver(made, path, force)
    print(path)
    return 0
