"""`rulewright export epub`: an edition as a book for e-readers."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rulewright.app.commands import (
    Refused,
    Usage,
    book,
    deliver,
    has_colour,
    lies_in,
    may_replace,
    outline_of,
    vacant,
)
from rulewright.model.reports import several, text
from rulewright.source.problems import Severity


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write an edition as an EPUB: chapters, sequence of play, tables, glossary and index, "
        "every reference in it a link."
    )
    parser.epilog = "example:\n  rulewright export epub ocs/4.3"
    parser.add_argument("book", metavar="BOOK", type=book, help="an edition, or a book for its newest")
    parser.add_argument("file", metavar="FILE.epub", nargs="?", help="the file to write; else ocs-4.3.epub")
    may_replace(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the book. Raises Usage where it is not there or cannot be set, Refused where it has errors."""
    from rulewright.checks.examine import examine

    examined = examine(arguments.project)
    outline = outline_of(examined, arguments.book)
    address = outline.edition.address
    target = Path(arguments.file or f"{address.replace('/', '-')}.epub")
    if target.suffix.lower() != ".epub" or target.is_dir():
        raise Usage(f"{target} is no name for an e-book; say {target.with_suffix('.epub').name}")
    vacant(target, arguments)
    found = [problem for problem in examined.problems if lies_in(problem, address)]
    if any(problem.severity is Severity.ERROR for problem in found):
        raise Refused(found, "nothing exported until this is mended")
    sys.stderr.write(text(found, colour=has_colour(sys.stderr)))
    try:
        from rulewright.print.ebook import ebook
    except ImportError as error:
        raise Usage(f"{error.name} is missing; install rulewright[pdf]") from None
    from rulewright.model.paper import PAPERS
    from rulewright.print.volume import BookFormat, Volume
    from rulewright.site.context import Desk
    from rulewright.site.harmless import published
    from rulewright.source.settings import site_of

    volume = Volume(outline, Desk(examined.shelf), BookFormat(PAPERS["letter"]), site_of(arguments.project))
    pictures = {name: published(arguments.project, name) for name in volume.pictures}
    made = ebook(volume, {name: data for name, data in pictures.items() if data is not None})
    target.parent.mkdir(parents=True, exist_ok=True)
    deliver(made, target, arguments)
    chapters = several(len(volume.chapters), "chapter")
    print(f"{target}: {outline.edition.title}, {chapters}, {len(made) / 1e3:.0f} kB")
    return 0
