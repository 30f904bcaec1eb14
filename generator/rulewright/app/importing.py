"""Shared parts of the imports of pages: the options, making the edition, and telling what was made."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.app.registry import F, flag, has_colour, remark

if TYPE_CHECKING:
    from rulewright.importers.website.receipt import Receipt
    from rulewright.importers.website.site import Site

_MOST_QUIET = 50
_SHOWN = 12

_OPTIONS = (
    click.argument("target", help="the edition's folder, content/BOOK/EDITION"),
    click.option("--book", metavar="TITLE", default="", help="the book's title; else the site's own"),
    click.option(
        "--edition", metavar="NAME", default="", help="what the edition is called; else its folder's name"
    ),
    click.option(
        "--dialect",
        metavar="EXAMPLE",
        multiple=True,
        help="how the book numbers its rules, by example: 1.1a(A); may be given again. Else it is guessed",
    ),
    flag("--force", help="replace files that were edited, or that no import wrote"),
    flag("--dry-run", help="write nothing; print the report"),
    flag("--no-excuses", help="leave what is wrong in the source to the check; else edition.yml excuses it"),
)


def page_import(run: F) -> F:
    """Give a command what `import_pages` takes: the target and the options of every import of pages."""
    for option in reversed(_OPTIONS):
        run = option(run)
    return run


def import_pages(
    read: Callable[[Path], Site],
    project: Path,
    path: str,
    target: str,
    book: str,
    edition: str,
    dialect: Sequence[str],
    force: bool,
    dry_run: bool,
    no_excuses: bool,
) -> int:
    """Make an edition of the pages that are read; 1 where a word is lost."""
    from rulewright.importers.website.home import home_of
    from rulewright.importers.website.import_report import markdown
    from rulewright.importers.website.site_import import Request

    home = home_of(project, target)
    # A long book is a million small things that all stay; looking for garbage among them takes long.
    gc.disable()
    try:
        wanted = Request(home.book, home.edition, book, edition, dialect, excuses=not no_excuses)
        made = home.make(read, Path(path), wanted, _show)
    finally:
        gc.enable()
    assert made.receipt
    if dry_run:
        sys.stdout.write(markdown(made.receipt))
    else:
        home.write(made, force=force)
        _tell(made.receipt, f"{home.base}/")
    return 1 if made.receipt.lost else 0


def _show(count: int, whole: int) -> None:
    """Show how far the reading has got, where there is much to read and someone watches."""
    if whole > _MOST_QUIET and (count % 25 == 0 or count == whole):
        if sys.stderr.isatty():
            sys.stderr.write(f"\rpage {count} of {whole}{chr(10) if count == whole else ''}")
        elif count % 100 == 0 or count == whole:
            sys.stderr.write(f"page {count} of {whole}\n")
        sys.stderr.flush()


def _tell(receipt: Receipt, target: str) -> None:
    """Tell what was made, in few lines: counts on standard output, what needs a look on standard error."""
    from rulewright.importers.website.import_report import counted, looks
    from rulewright.model.reports import several, text
    from rulewright.source.folder import RECEIPT

    words = sum(account.words for account in receipt.accounts)
    print(f"{target}: {counted(receipt)}")
    print(f"{several(words, 'word')}: {len(receipt.lost)} lost. Numbers {receipt.dialect}.")
    sys.stderr.write(text(receipt.problems, colour=has_colour(sys.stderr)))
    for line in looks(receipt, _SHOWN):
        remark(line)
    sys.stderr.write(text(receipt.elsewhere[:_SHOWN], colour=has_colour(sys.stderr)))
    guesses = f"{len(receipt.guesses)} guess{'' if len(receipt.guesses) == 1 else 'es'}"
    remark(f"{guesses} and {several(len(receipt.checked), 'problem')} to look at: {target}{RECEIPT}.md")
