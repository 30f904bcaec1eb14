"""Say what the edits since a git revision touch, and what they break.

Rules, steps, tables, pages, player aids and whether they still fit, texts to be read again, addresses that
would lead nowhere. The content as it lies here is compared with what it was where this branch left the
revision.

The exit code is 0 whatever is touched, 1 with --strict where something breaks, 2 where there is no such
revision.

example:
  rulewright impact --base origin/main --format markdown
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.app.command_registry import command, flag, formats, print_notice

if TYPE_CHECKING:
    from rulewright.print.press import Progress


@command
@click.option(
    "--base",
    metavar="GIT-REV",
    default="HEAD",
    help="a branch, a tag or a commit; HEAD (the default) for what is not committed yet",
)
@formats(("text", "markdown", "json"), "; markdown is for a pull request")
@flag("--no-print", help="do not lay out aids to see whether they fit")
@flag(
    "--strict",
    help="end with 1 where something breaks: a new problem, a lost address, an aid that fits no more",
)
def run(project: Path, base: str, form: str, no_print: bool, strict: bool) -> int:
    from rulewright.edit.impact.impact_analysis import ContentSource, analyse_impact
    from rulewright.edit.impact.impact_report import FORMATS
    from rulewright.edit.impact.print_impact import Printing
    from rulewright.source.content_folder import disk_path, read_content_folder
    from rulewright.source.git_revision import read_revision
    from rulewright.source.mkdocs_settings import site_url

    base_revision = read_revision(project, base)
    changed_files = base_revision.changed_files()
    printing = Printing(project, site_url(project), not no_print, _print_progress)
    current = ContentSource(read_content_folder(project), lambda name: disk_path(project, name).read_bytes())
    impact = analyse_impact(
        ContentSource(base_revision.folder, base_revision.read), current, changed_files, printing
    )
    sys.stdout.write(FORMATS[form](impact, str(base_revision)))
    return 1 if strict and impact.breaks else 0


def _print_progress(step: Progress) -> None:
    """Say that a sheet was laid out; those that were at hand are not worth a line."""
    if step.seconds is not None:
        print_notice(step)
