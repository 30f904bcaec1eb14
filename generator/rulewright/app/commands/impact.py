"""Report what the changes since a git revision affect and break.

Lists affected rules, steps, tables and pages, player aids that no longer fit, texts to review and URLs that
would be lost. The working tree is compared with the merge base of the revision and HEAD.

Exit codes: 0 reported, 1 with --strict if something breaks, 2 unknown revision.

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
    help="branch, tag or commit; default: HEAD, for uncommitted changes",
)
@formats(("text", "markdown", "json"), "; markdown is for a pull request")
@flag("--no-print", help="do not check whether aids still fit")
@flag("--strict", help="exit with 1 on a new problem, a lost URL or an aid that no longer fits")
def run(project: Path, base: str, form: str, no_print: bool, strict: bool) -> int:
    from rulewright.edit.impact.impact_analysis import ContentSource, analyse_impact
    from rulewright.edit.impact.impact_report import FORMATS
    from rulewright.edit.impact.print_impact import Printing
    from rulewright.files.content_folder import disk_path, read_content_folder
    from rulewright.files.git_revision import read_revision
    from rulewright.files.mkdocs_settings import site_url

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
    """Print the progress of a sheet unless it came from the cache."""
    if step.seconds is not None:
        print_notice(step)
