"""The imports, a function each: what is read is made into content, and what was made is told."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.app.registry import has_colour, remark
from rulewright.source.refusal import Refusal, Unsound

if TYPE_CHECKING:
    from rulewright.importers.website.receipt import Receipt
    from rulewright.importers.website.site import Site

_MOST_QUIET = 50
_SHOWN = 3


@dataclass(frozen=True)
class Wishes:
    """The options of an import."""

    dialect: Sequence[str]
    at: str
    number: bool
    dry_run: bool
    force: bool


def hugo(project: Path, wishes: Wishes, path: str, target: str) -> int:
    """Make an edition of a book that is kept as a Hugo site; 1 where a word is lost."""
    from rulewright.importers.website.hugo_site import read_site

    return _pages(lambda folder: read_site(folder, wishes.at), project, wishes, path, target)


def markdown(project: Path, wishes: Wishes, path: str, target: str) -> int:
    """Make an edition of a folder of Markdown, or of a document; 1 where a word is lost."""
    from rulewright.importers.document import read_document

    return _pages(read_document, project, wishes, path, target)


def outline(project: Path, wishes: Wishes, file: str, target: str = "") -> int:
    """Make a sequence.yml of a text, a document, or data. Raises Unsound where it holds no steps."""
    from rulewright.book.library import read_library
    from rulewright.importers.outline.transcription import book_at, put_sequence, target_of, transcribed
    from rulewright.importers.plain_lines import lines_given
    from rulewright.model.reports import several, text
    from rulewright.source.folder import gather

    given, faults = lines_given(file)
    path = target_of(project, target) if target else None
    if path and path.exists() and not wishes.force:
        raise Refusal(f"{path} is there already; --force replaces it")
    if faults:
        raise Unsound(faults, "nothing imported")
    made, problems = transcribed(given, book_at(read_library(gather(project)), project, path))
    if made is None:
        raise Unsound(problems, "nothing imported")
    sys.stderr.write(text(problems, colour=has_colour(sys.stderr)))
    if path is None or wishes.dry_run:
        sys.stdout.write(made)
        return 0
    put_sequence(project, path, made)
    remark(f"{path} written; {several(made.count('# guess:'), 'comment')} in it to look at")
    return 0


def table(project: Path, wishes: Wishes, file: str, target: str = "") -> int:
    """Make files of an edition's tables of those in a file. Raises Unsound where it holds none."""
    from rulewright.importers.outline.transcription import put_sequence
    from rulewright.importers.tables import table_files
    from rulewright.source.folder import CONTENT, address_of

    if not Path(file).is_file():
        raise Refusal(f"there is no file {file}")
    made, problems = table_files(Path(file))
    if not made:
        raise Unsound(problems, "nothing imported")
    folder = project / CONTENT / address_of(target) / "tables" if target else None
    if folder is None or wishes.dry_run:
        sys.stdout.write("\n".join(made.values()))
        return 0
    there = [path for name in made if (path := folder / f"{name}.yml").exists()]
    if there and not wishes.force:
        raise Refusal(f"{there[0]} is there already; --force replaces it")
    for name, text in made.items():
        put_sequence(project, folder / f"{name}.yml", text)
        remark(f"{folder / name}.yml written")
    return 0


def dialect(files: Sequence[str], *, known: bool) -> int:
    """Print what rulebook.yml is to say of numbers. Raises Unsound where the texts hold none of rules."""
    from rulewright.importers.proposal import proposal_of

    if missing := next((name for name in files if not Path(name).is_file()), ""):
        raise Refusal(f"there is no file {missing}")
    found, problems = proposal_of(files)
    if problems:
        raise Unsound(problems, "nothing proposed")
    if found is None:
        what = "no line begins with a rule's number and no word leads up to one"
        raise Unsound((), f"{what}; name files with rules")
    sys.stdout.write(found.as_known() if known else found.as_rulebook(len(files)))
    return 0


def _pages(read: Callable[[Path], Site], project: Path, wishes: Wishes, path: str, target: str) -> int:
    from rulewright.importers.website.home import home_of
    from rulewright.importers.website.receipt import markdown as report
    from rulewright.importers.website.site_import import Request

    home = home_of(project, target)
    # A long book is a million small things that all stay; looking for garbage among them takes long.
    gc.disable()
    try:
        wanted = Request(
            home.book,
            home.edition,
            dialect=wishes.dialect,
            number=wishes.number,
        )
        made = home.make(read, Path(path), wanted, _show)
    finally:
        gc.enable()
    assert made.receipt
    if wishes.dry_run:
        sys.stdout.write(report(made.receipt))
    else:
        home.write(made, force=wishes.force)
        _tell(made.receipt, f"{home.base}/")
    return 1 if made.receipt.is_refused else 0


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
    from rulewright.importers.website.receipt import counted, looks, unlabelled
    from rulewright.model.reports import several, text
    from rulewright.source.folder import RECEIPT

    words = sum(account.words for account in receipt.accounts)
    print(f"{target}: {counted(receipt)}")
    print(f"{several(words, 'word')}: {receipt.words_lost} lost. Numbers {receipt.dialect}.")
    sys.stderr.write(text(receipt.problems, colour=has_colour(sys.stderr)))
    for line in (*unlabelled(receipt), *looks(receipt, _SHOWN)):
        remark(line)
    sys.stderr.write(text(receipt.elsewhere[:_SHOWN], colour=has_colour(sys.stderr)))
    guesses = f"{len(receipt.guesses)} guess{'' if len(receipt.guesses) == 1 else 'es'}"
    remark(f"{guesses} and {several(len(receipt.checked), 'problem')} to look at: {target}{RECEIPT}.md")
