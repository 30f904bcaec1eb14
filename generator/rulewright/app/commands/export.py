"""Export a sequence of play, the whole site or the schemas of its files.

  outline BOOK         sequence of play as Markdown
  zip FILE.zip         the site, to unpack and open without a server
  schemas DIR          JSON Schemas with which an editor completes and checks keys

Content with errors is not exported.

Exit codes: 0 exported, 1 errors in the content, 2 wrong usage.

example:
  rulewright export outline ocs/4.3 --base https://example.org/rules
  rulewright export zip rules.zip
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from rulewright.app.command_registry import (
    SuggestingChoice,
    command,
    flag,
    may_replace,
    write_result,
)
from rulewright.files.content_folder import CONTENT, parse_address
from rulewright.files.errors import UserError, raise_on_errors


@dataclass(frozen=True)
class ExportOptions:
    """Options shared by all export types."""

    base: str
    output: str | None
    no_print: bool
    force: bool


def export_outline(project: Path, book: str, options: ExportOptions) -> None:
    """Print a sequence of play. Raises ContentErrors if it has errors."""
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.render.exports.outline_markdown import outline_as_markdown

    checked = load_and_check(project)
    outline = checked.outline(parse_address(book))
    address = outline.edition.address
    file = f"{CONTENT}/{address}/sequence.yml"
    rulebook = f"{CONTENT}/{address.partition('/')[0]}/rulebook.yml"
    sources = checked.problems_in(file, f"{CONTENT}/{address}/edition.yml", rulebook)
    raise_on_errors(sources, f"no outline of {address} until this is fixed")
    if outline.edition.sequence is None:
        raise UserError(f"{address} has no sequence of play: {file} is missing")
    write_result(outline_as_markdown(outline, checked.index, options.base), options.output, options.force)


def export_schemas(project: Path, folder: str, options: ExportOptions) -> None:
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


def export_zip(project: Path, file: str, options: ExportOptions) -> None:
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


EXPORTERS: Mapping[str, Callable[[Path, str, ExportOptions], None]] = {
    "outline": export_outline,
    "zip": export_zip,
    "schemas": export_schemas,
}


@command
@click.argument(
    "export_type", type=SuggestingChoice(list(EXPORTERS)), metavar="TYPE", help="export type, see above"
)
@click.argument("name", help="what the type takes, see above")
@click.option("--base", metavar="URL", default="", help="outline: URL of the site, for links")
@click.option("--output", metavar="FILE", help="outline: output file; default: standard output")
@flag("--no-print", help="zip: omit the PDFs of aids and rulebooks")
@may_replace
def run(
    project: Path,
    export_type: str,
    name: str,
    base: str,
    output: str | None,
    no_print: bool,
    force: bool,
) -> int:
    EXPORTERS[export_type](project, name, ExportOptions(base, output, no_print, force))
    return 0
