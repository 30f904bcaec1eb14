"""The exports, a function each: what is made is printed, or written to a file or a folder."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from rulewright.app.registry import has_colour, show
from rulewright.source.folder import CONTENT, address_of
from rulewright.source.refusal import Refusal, Unsound, refuse_errors


@dataclass(frozen=True)
class Wishes:
    """The options of an export."""

    format: str
    base: str
    output: str | None
    no_print: bool
    force: bool


def outline(project: Path, wishes: Wishes, book: str) -> int:
    """Print a sequence of play with every reference verified. Raises Unsound where one is faulty."""
    from rulewright.checks.examine import examine
    from rulewright.site.exports import FORMATS

    examined = examine(project)
    found = examined.outline(address_of(book))
    address = found.edition.address
    file = f"{CONTENT}/{address}/sequence.yml"
    rulebook = f"{CONTENT}/{address.partition('/')[0]}/rulebook.yml"
    made_of = examined.problems_in(file, f"{CONTENT}/{address}/edition.yml", rulebook)
    refuse_errors(made_of, f"no outline of {address} until this is mended")
    if found.edition.sequence is None:
        raise Refusal(f"{address} has no sequence of play: {file} is missing")
    show(FORMATS[wishes.format](found, examined.shelf, wishes.base), wishes.output, wishes.force)
    return 0


def book(project: Path, wishes: Wishes, name: str) -> int:
    """Print an edition as JSON. Raises Unsound where there is an error in it."""
    from rulewright.checks.examine import examine
    from rulewright.site.context import Desk
    from rulewright.site.exports.book import json

    examined = examine(project)
    address = examined.outline(address_of(name)).edition.address
    folders = f"{CONTENT}/{address}/", f"{CONTENT}/{address.partition('/')[0]}/rulebook.yml"
    refuse_errors(examined.problems_in(*folders), f"no JSON of {address} until this is mended")
    show(json(Desk(examined.shelf), address, examined.library, wishes.base), wishes.output, wishes.force)
    return 0


def table(project: Path, wishes: Wishes, book: str, name: str) -> int:
    """Print a table. Only JSON has all there is to it. Raises Unsound where there is an error in it."""
    from rulewright.book.tables import table_named
    from rulewright.checks.examine import examine
    from rulewright.site.exports.tables import FORMATS
    from rulewright.source.problems import did_you_mean

    examined = examine(project)
    address = examined.outline(address_of(book)).edition.address
    tables = examined.shelf.tables[address]
    found = table_named(tables, name)
    file = found.table.title.file.name if found else f"{CONTENT}/{address}/tables/"
    refuse_errors(examined.problems_in(file), f"no table {name} of {address} until this is mended")
    if found is None:
        names = [other for one in tables for other in (one.anchor, str(one.table.title))]
        hint = did_you_mean(name, names) if tables else "; it has no tables"
        raise Refusal(f"{address} has no table {name}{hint}")
    show(FORMATS[wishes.format](found), wishes.output, wishes.force)
    return 0


def pages(project: Path, wishes: Wishes, folder: str) -> int:
    """Write the body of every page as index.html in the page's own folder, with pictures and pages.json."""
    from rulewright.site.exports.bodies import INDEX

    return _into_folder(project, wishes, Path(folder), f"pages and {INDEX}")


def _into_folder(project: Path, wishes: Wishes, path: Path, what: str) -> int:
    """Write the files of the export, or some of them. Raises Refusal where the folder is taken."""
    from rulewright.app.build import build
    from rulewright.model.reports import text
    from rulewright.site.exports.bodies import export, pictures, put_files
    from rulewright.source.problems import errors

    if path.exists() and not path.is_dir():
        raise Refusal(f"{path} is a file; name a folder")
    if path.is_dir() and any(path.iterdir()) and not wishes.force:
        replaces = "--force replaces what an earlier export left and leaves all else"
        raise Refusal(f"{path} is not empty; {replaces}")
    made = build(project)
    if errors(made.problems):
        raise Unsound(made.problems, "nothing exported until this is mended")
    sys.stderr.write(text(made.problems, colour=has_colour(sys.stderr)))
    files = export(made, pictures(project))
    put_files(path, files)
    print(f"{len(made.pages) + len(made.prose)} {what} in {path}")
    return 0


def zipped(project: Path, wishes: Wishes, file: str) -> int:
    """Pack the site so that it opens from a disk with no server: index.html in the folder."""
    from rulewright.app.host import site_files
    from rulewright.model.reports import several
    from rulewright.site.portable import pack, portable
    from rulewright.source.output import deliver, vacant

    target = Path(file)
    if target.suffix.lower() != ".zip":
        raise Refusal(f"{target} does not end in .zip; say {target.name}.zip")
    if target.is_dir():
        raise Refusal(f"{target} is a folder; name a file")
    vacant(target, wishes.force)
    files = site_files(project, prints=not wishes.no_print)
    packed = pack(portable(files), target.stem)
    target.parent.mkdir(parents=True, exist_ok=True)
    deliver(packed, target, wishes.force)
    count = several(sum(name.endswith(".html") and not name.startswith("r/") for name in files), "page")
    print(f"{target}: {count}, {len(packed) / 1e6:.1f} MB. Unpack it and open {target.stem}/index.html.")
    return 0


def redirects(project: Path, wishes: Wishes, book: str = "") -> int:
    """Print where old addresses lead, for a server. The pages that `build` makes there do it without."""
    from rulewright.checks.examine import examine
    from rulewright.site.redirect_pages import netlify

    examined = examine(project)
    wrong = (p for p in examined.problems if p.place.file.endswith("/redirects.yml"))
    refuse_errors(wrong, "no redirects until this is mended")
    book = address_of(book)
    outlines = examined.shelf.outlines
    asked = [a for a in outlines if not book or a == book or a.startswith(f"{book}/")]
    if book and not asked:
        raise examined.no_book(book)
    listing = [address for address in asked if outlines[address].edition.redirects]
    if not listing:
        raise Refusal(f"no old addresses: {book or 'no edition'} has {'no ' if book else 'a '}redirects.yml")
    moved = (old for old in examined.moved if old.edition in listing)
    show(netlify(moved, wishes.base), wishes.output, wishes.force)
    return 0
