"""Report what the changes since a git revision affect and break.

Lists affected rules, steps, tables and texts to review, new and fixed problems, and addresses of published
editions that would be lost. The working tree is compared with the merge base of the revision and HEAD.

Exit codes: 0 reported, 1 with --strict if something breaks, 2 unknown revision.

example:
  rulewright impact origin/main --format markdown
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rulewright.app.command_registry import command, flag, formats


@command
@click.argument("revision", metavar="[GIT-REV]", default="HEAD")
@formats(("text", "markdown"), "; markdown is for a pull request")
@flag("--strict", help="exit with 1 on a new problem or a lost address")
def run(project: Path, revision: str, form: str, strict: bool) -> int:
    from rulewright.edit.impact_report import FORMATS, analyse_impact
    from rulewright.files.content_reader import read_content_folder
    from rulewright.files.git_revision import read_revision

    base = read_revision(project, revision)
    report = analyse_impact(base.folder, read_content_folder(project), base.changed_files)
    sys.stdout.write(FORMATS[form](report, str(base)))
    return 1 if strict and report.breaks else 0
