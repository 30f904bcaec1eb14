"""Write an edition as a book for e-readers.

Chapters, sequence of play, tables, glossary and index, every reference in it a link.

example:
  rulewright export epub ocs/4.3
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rulewright.app.registry import address, command, has_colour, may_replace
from rulewright.source.refusal import Refusal


@command
@address(help="an edition, or a book for its newest")
@click.argument("file", metavar="[FILE.epub]", required=False, help="the file to write; else ocs-4.3.epub")
@click.option(
    "--certified-by",
    metavar="NAME",
    default="",
    help="who has examined the book and found that it keeps WCAG 2.2 AA, which it then says of itself",
)
@may_replace
def run(project: Path, book: str, file: str | None, certified_by: str, force: bool) -> int:
    from rulewright.checks.examine import examine
    from rulewright.model.reports import several, text
    from rulewright.source.output import deliver, vacant

    examined = examine(project)
    outline = examined.outline(book)
    address = outline.edition.address
    target = Path(file or f"{address.replace('/', '-')}.epub")
    if target.suffix.lower() != ".epub" or target.is_dir():
        raise Refusal(f"{target} is no name for an e-book; say {target.with_suffix('.epub').name}")
    vacant(target, force)
    found = examined.problems_in(f"content/{address}/")
    examined.demand(found, "nothing exported until this is mended")
    sys.stderr.write(text(found, colour=has_colour(sys.stderr)))
    try:
        from rulewright.print.ebook import ebook
    except ImportError as error:
        raise Refusal(f"{error.name} is missing; install rulewright[pdf]") from None
    from rulewright.model.paper import PAPERS
    from rulewright.print.book_format import BookFormat
    from rulewright.print.volume import Volume
    from rulewright.site.context import Desk
    from rulewright.site.harmless import published
    from rulewright.source.settings import site_of

    volume = Volume(outline, Desk(examined.shelf), BookFormat(PAPERS["letter"]), site_of(project))
    pictures = {name: published(project, name) for name in volume.pictures}
    made = ebook(volume, {name: data for name, data in pictures.items() if data is not None}, certified_by)
    target.parent.mkdir(parents=True, exist_ok=True)
    deliver(made, target, force)
    chapters = several(len(volume.chapters), "chapter")
    print(f"{target}: {outline.edition.title}, {chapters}, {len(made) / 1e3:.0f} kB")
    return 0
