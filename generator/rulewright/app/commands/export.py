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

import sys
from pathlib import Path

import click

from rulewright.app.command_registry import command, flag, may_replace
from rulewright.files.content_folder import CONTENT, parse_address
from rulewright.files.errors import UserError, raise_on_errors
from rulewright.files.output_files import free_path, write_output


def outline_text(project: Path, book: str, base: str) -> str:
    """Return a sequence of play as Markdown. Raises ContentErrors if it has errors."""
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
    return outline_as_markdown(outline, checked.index, base)


def write_schemas(folder: str, force: bool) -> None:
    """Write the JSON Schema of each type of content file to a folder."""
    from rulewright.render.exports.json_schema import schema_files

    Path(folder).mkdir(parents=True, exist_ok=True)
    files = schema_files()
    for name, text in files.items():
        write_output(text, Path(folder, name), force)
    print(f"{len(files)} schemas in {folder}")


def write_zip(project: Path, target: Path, prints: bool, force: bool) -> None:
    """Write the site to a zip archive that works without a server."""
    from rulewright.app.mkdocs_runner import site_files
    from rulewright.render.offline_zip import make_portable, pack_zip
    from rulewright.schema.problem_reports import plural

    if target.suffix.lower() != ".zip" or target.is_dir():
        raise UserError(f"{target} is no file that ends in .zip; name {target.name}.zip")
    free_path(target, force)
    files = site_files(project, prints=prints)
    packed = pack_zip(make_portable(files), target.stem)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_output(packed, target, force)
    count = plural(sum(name.endswith(".html") and not name.startswith("r/") for name in files), "page")
    print(f"{target}: {count}, {len(packed) / 1e6:.1f} MB. Unpack it and open {target.stem}/index.html.")


@command
@click.argument(
    "export_type",
    type=click.Choice(["outline", "zip", "schemas"]),
    metavar="TYPE",
    help="export type, see above",
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
    if export_type == "outline":
        text = outline_text(project, name, base)
        if output is None:
            sys.stdout.write(text)
        else:
            write_output(text, Path(output), force)
    elif export_type == "zip":
        write_zip(project, Path(name), not no_print, force)
    else:
        write_schemas(name, force)
    return 0
