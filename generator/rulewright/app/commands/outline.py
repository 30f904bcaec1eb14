"""Print a book's sequence of play with every reference verified.

One with a faulty reference in it is not printed.

example:
  rulewright outline ocs/4.3 --format markdown --base https://example.org/rules
"""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.app.registry import address, command, formats, writes
from rulewright.source.folder import CONTENT
from rulewright.source.refusal import Refusal


@command
@address()
@formats(("text", "markdown", "html", "json"), gone={"opml": "OPML is gone; use markdown or json"})
@click.option(
    "--base", metavar="URL", default="", help="the site's address, for links; else they begin at its root"
)
@writes
def run(project: Path, book: str, form: str, base: str) -> str:
    from rulewright.checks.examine import examine
    from rulewright.site.exports import FORMATS

    examined = examine(project)
    outline = examined.outline(book)
    address = outline.edition.address
    file = f"{CONTENT}/{address}/sequence.yml"
    rulebook = f"{CONTENT}/{address.partition('/')[0]}/rulebook.yml"
    made_of = examined.problems_in(file, f"{CONTENT}/{address}/edition.yml", rulebook)
    examined.demand(made_of, f"no outline of {address} until this is mended")
    if outline.edition.sequence is None:
        raise Refusal(f"{address} has no sequence of play: {file} is missing")
    return FORMATS[form](outline, examined.shelf, base)
