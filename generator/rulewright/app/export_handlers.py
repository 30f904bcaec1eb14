"""The exports, a function each: what is made is printed, or written to a file or a folder."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from rulewright.app.command_registry import has_colour, write_result
from rulewright.source.content_folder import CONTENT, parse_address
from rulewright.source.errors import ContentErrors, UserError


@dataclass(frozen=True)
class ExportOptions:
    """The options of an export."""

    format: str
    base: str
    output: str | None
    no_print: bool
    force: bool


def export_outline(project: Path, wishes: ExportOptions, book: str) -> int:
    """Print a sequence of play with every reference verified. Raises Unsound where one is faulty."""
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.site.exports import FORMATS

    examined = load_and_check(project)
    outline = examined.outline(parse_address(book))
    address = outline.edition.address
    file = f"{CONTENT}/{address}/sequence.yml"
    rulebook = f"{CONTENT}/{address.partition('/')[0]}/rulebook.yml"
    made_of = examined.problems_in(file, f"{CONTENT}/{address}/edition.yml", rulebook)
    examined.raise_on_errors(made_of, f"no outline of {address} until this is mended")
    if outline.edition.sequence is None:
        raise UserError(f"{address} has no sequence of play: {file} is missing")
    write_result(FORMATS[wishes.format](outline, examined.shelf, wishes.base), wishes.output, wishes.force)
    return 0


def export_book_json(project: Path, wishes: ExportOptions, name: str) -> int:
    """Print an edition as JSON. Raises Unsound where there is an error in it."""
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.site.exports.book_json import edition_to_json
    from rulewright.site.render_context import RenderContext

    examined = load_and_check(project)
    address = examined.outline(parse_address(name)).edition.address
    folders = f"{CONTENT}/{address}/", f"{CONTENT}/{address.partition('/')[0]}/rulebook.yml"
    examined.raise_on_errors(examined.problems_in(*folders), f"no JSON of {address} until this is mended")
    write_result(
        edition_to_json(RenderContext(examined.shelf), address, examined.library, wishes.base),
        wishes.output,
        wishes.force,
    )
    return 0


def export_table(project: Path, wishes: ExportOptions, book: str, name: str) -> int:
    """Print a table. Only JSON has all there is to it. Raises Unsound where there is an error in it."""
    from rulewright.book.table_entries import find_table
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.site.exports.table_export import FORMATS
    from rulewright.source.problems import did_you_mean

    examined = load_and_check(project)
    address = examined.outline(parse_address(book)).edition.address
    tables = examined.shelf.tables[address]
    found = find_table(tables, name)
    file = found.table.title.file.name if found else f"{CONTENT}/{address}/tables/"
    examined.raise_on_errors(examined.problems_in(file), f"no table {name} of {address} until this is mended")
    if found is None:
        names = [other for table in tables for other in (table.anchor, str(table.table.title))]
        hint = did_you_mean(name, names) if tables else "; it has no tables"
        raise UserError(f"{address} has no table {name}{hint}")
    write_result(FORMATS[wishes.format](found), wishes.output, wishes.force)
    return 0


def export_pages(project: Path, wishes: ExportOptions, folder: str) -> int:
    """Write the body of every page as index.html in the page's own folder, with pictures and pages.json."""
    from rulewright.site.exports.page_bodies import INDEX

    return _into_folder(project, wishes, Path(folder), f"pages and {INDEX}")


def _into_folder(project: Path, wishes: ExportOptions, path: Path, what: str) -> int:
    """Write the files of the export, or some of them. Raises Refusal where the folder is taken."""
    from rulewright.app.build_pipeline import build
    from rulewright.model.problem_reports import problems_text
    from rulewright.site.exports.page_bodies import content_images, export_bodies, put_files
    from rulewright.source.problems import errors

    if path.exists() and not path.is_dir():
        raise UserError(f"{path} is a file; name a folder")
    if path.is_dir() and any(path.iterdir()) and not wishes.force:
        replaces = "--force replaces what an earlier export left and leaves all else"
        raise UserError(f"{path} is not empty; {replaces}")
    made = build(project)
    if errors(made.problems):
        raise ContentErrors(made.problems, "nothing exported until this is mended")
    sys.stderr.write(problems_text(made.problems, colour=has_colour(sys.stderr)))
    files = export_bodies(made, content_images(project))
    put_files(path, files)
    print(f"{len(made.pages) + len(made.linked_pages)} {what} in {path}")
    return 0


def export_zip(project: Path, wishes: ExportOptions, file: str) -> int:
    """Pack the site so that it opens from a disk with no server: index.html in the folder."""
    from rulewright.app.mkdocs_runner import site_files
    from rulewright.model.problem_reports import plural
    from rulewright.site.offline_zip import make_portable, pack_zip
    from rulewright.source.output_files import free_path, write_output

    target = Path(file)
    if target.suffix.lower() != ".zip":
        raise UserError(f"{target} does not end in .zip; say {target.name}.zip")
    if target.is_dir():
        raise UserError(f"{target} is a folder; name a file")
    free_path(target, wishes.force)
    files = site_files(project, prints=not wishes.no_print)
    packed = pack_zip(make_portable(files), target.stem)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_output(packed, target, wishes.force)
    count = plural(sum(name.endswith(".html") and not name.startswith("r/") for name in files), "page")
    print(f"{target}: {count}, {len(packed) / 1e6:.1f} MB. Unpack it and open {target.stem}/index.html.")
    return 0


def export_redirects(project: Path, wishes: ExportOptions, book: str = "") -> int:
    """Print where old addresses lead, for a server. The pages that `build` makes there do it without."""
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.site.redirect_pages import netlify_redirects

    examined = load_and_check(project)
    wrong = (p for p in examined.problems if p.place.file.endswith("/redirects.yml"))
    examined.raise_on_errors(wrong, "no redirects until this is mended")
    book = parse_address(book)
    outlines = examined.shelf.outlines
    asked = [a for a in outlines if not book or a == book or a.startswith(f"{book}/")]
    if book and not asked:
        raise examined.unknown_book_error(book)
    listing = [address for address in asked if outlines[address].edition.redirects]
    if not listing:
        raise UserError(
            f"no old addresses: {book or 'no edition'} has {'no ' if book else 'a '}redirects.yml"
        )
    moved = (old for old in examined.old_pages if old.edition in listing)
    write_result(netlify_redirects(moved, wishes.base), wishes.output, wishes.force)
    return 0
