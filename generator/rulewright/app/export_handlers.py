"""Export handlers: each prints its result or writes it to a file or folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rulewright.app.command_registry import write_result
from rulewright.files.content_folder import CONTENT, parse_address
from rulewright.files.errors import UserError


@dataclass(frozen=True)
class ExportOptions:
    """Options shared by all export types."""

    format: str
    base: str
    output: str | None
    no_print: bool
    force: bool


def export_outline(project: Path, options: ExportOptions, book: str) -> int:
    """Print a sequence of play. Raises ContentErrors if it has errors."""
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.render.exports.outline_markdown import outline_as_markdown

    checked = load_and_check(project)
    outline = checked.outline(parse_address(book))
    address = outline.edition.address
    file = f"{CONTENT}/{address}/sequence.yml"
    rulebook = f"{CONTENT}/{address.partition('/')[0]}/rulebook.yml"
    sources = checked.problems_in(file, f"{CONTENT}/{address}/edition.yml", rulebook)
    checked.raise_on_errors(sources, f"no outline of {address} until this is fixed")
    if outline.edition.sequence is None:
        raise UserError(f"{address} has no sequence of play: {file} is missing")
    write_result(outline_as_markdown(outline, checked.index, options.base), options.output, options.force)
    return 0


def export_book_json(project: Path, options: ExportOptions, name: str) -> int:
    """Print an edition as JSON. Raises ContentErrors if it has errors."""
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.render.exports.book_json import edition_to_json
    from rulewright.render.render_context import RenderContext

    checked = load_and_check(project)
    address = checked.outline(parse_address(name)).edition.address
    folders = f"{CONTENT}/{address}/", f"{CONTENT}/{address.partition('/')[0]}/rulebook.yml"
    checked.raise_on_errors(checked.problems_in(*folders), f"no JSON of {address} until this is fixed")
    write_result(
        edition_to_json(RenderContext(checked.index), address, options.base),
        options.output,
        options.force,
    )
    return 0


def export_table(project: Path, options: ExportOptions, book: str, name: str) -> int:
    """Print a table; only JSON is complete. Raises ContentErrors if it has errors."""
    from rulewright.book.table_entries import find_table
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.files.problems import did_you_mean
    from rulewright.render.exports.table_export import FORMATS

    checked = load_and_check(project)
    address = checked.outline(parse_address(book)).edition.address
    tables = checked.index.editions[address].tables
    entry = find_table(tables, name)
    file = entry.table.title.file.name if entry else f"{CONTENT}/{address}/tables/"
    checked.raise_on_errors(checked.problems_in(file), f"no table {name} of {address} until this is fixed")
    if entry is None:
        names = [other for table in tables for other in (table.anchor, str(table.table.title))]
        hint = did_you_mean(name, names) if tables else "; it has no tables"
        raise UserError(f"{address} has no table {name}{hint}")
    write_result(FORMATS[options.format](entry), options.output, options.force)
    return 0


def export_schemas(project: Path, options: ExportOptions, folder: str) -> int:
    """Write the JSON Schema of each type of content file to a folder."""
    from rulewright.files.output_files import free_path, write_output
    from rulewright.render.exports.json_schema import schema_files

    files = {Path(folder, name): text for name, text in schema_files().items()}
    for path, text in files.items():
        free_path(path, options.force, text.encode())
    Path(folder).mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        write_output(text, path, options.force)
    print(f"{len(files)} schemas in {folder}")
    return 0


def export_zip(project: Path, options: ExportOptions, file: str) -> int:
    """Write the site to a zip archive that works without a server."""
    from rulewright.app.mkdocs_runner import site_files
    from rulewright.files.output_files import free_path, write_output
    from rulewright.render.offline_zip import make_portable, pack_zip
    from rulewright.schema.problem_reports import plural

    target = Path(file)
    if target.suffix.lower() != ".zip":
        raise UserError(f"{target} does not end in .zip; name {target.name}.zip")
    if target.is_dir():
        raise UserError(f"{target} is a folder; name a file")
    free_path(target, options.force)
    files = site_files(project, prints=not options.no_print)
    packed = pack_zip(make_portable(files), target.stem)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_output(packed, target, options.force)
    count = plural(sum(name.endswith(".html") and not name.startswith("r/") for name in files), "page")
    print(f"{target}: {count}, {len(packed) / 1e6:.1f} MB. Unpack it and open {target.stem}/index.html.")
    return 0


def export_redirects(project: Path, options: ExportOptions, book: str = "") -> int:
    """Print redirects for a server. (The site has redirect pages, which need no server.)"""
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.render.redirect_pages import netlify_redirects

    checked = load_and_check(project)
    redirect_problems = (p for p in checked.problems if p.place.file.endswith("/redirects.yml"))
    checked.raise_on_errors(redirect_problems, "no redirects until this is fixed")
    book = parse_address(book)
    outlines = checked.index.outlines
    addresses = [a for a in outlines if not book or a == book or a.startswith(f"{book}/")]
    if book and not addresses:
        raise checked.unknown_book_error(book)
    listing = [address for address in addresses if outlines[address].edition.redirects]
    if not listing:
        raise UserError(f"no redirects: {book or 'no edition'} has {'no ' if book else 'a '}redirects.yml")
    old_pages = (old for old in checked.old_pages if old.edition in listing)
    write_result(netlify_redirects(old_pages, options.base), options.output, options.force)
    return 0
