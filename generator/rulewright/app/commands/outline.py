"""`rulewright outline`: a book's sequence of play, to paste, to print or for another program."""

from __future__ import annotations

import argparse

from rulewright.app.commands import Refused, Usage, book, one_of, outline_of, show, writes
from rulewright.site.exports import FORMATS
from rulewright.source.folder import CONTENT


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = "Print a book's sequence of play. One with a faulty reference in it is not printed."
    parser.epilog = (
        "example:\n  rulewright outline ocs/4.3 --format markdown --base https://example.org/rules"
    )
    parser.add_argument("book", metavar="BOOK", type=book, help="ocs/4.3, or ocs for its newest edition")
    parser.add_argument(
        "--format",
        type=one_of(FORMATS),
        default="text",
        help="text (the default), markdown, html, json or opml",
    )
    parser.add_argument(
        "--base", metavar="URL", default="", help="the site's address, for links; else they begin at its root"
    )
    writes(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the outline. Raises Refused where what it is made of has an error: it would be wrong."""
    from rulewright.checks.examine import examine
    from rulewright.source.problems import Severity

    examined = examine(arguments.project)
    outline = outline_of(examined, arguments.book)
    address = outline.edition.address
    file = f"{CONTENT}/{address}/sequence.yml"
    made_of = {
        file,
        f"{CONTENT}/{address}/edition.yml",
        f"{CONTENT}/{address.partition('/')[0]}/rulebook.yml",
    }
    wrong = [p for p in examined.problems if p.place.file in made_of and p.severity is Severity.ERROR]
    if wrong:
        raise Refused(wrong, f"no outline of {address} until this is mended")
    if outline.edition.sequence is None:
        raise Usage(f"{address} has no sequence of play: {file} is missing")
    show(FORMATS[arguments.format](outline, examined.shelf, arguments.base), arguments)
    return 0
