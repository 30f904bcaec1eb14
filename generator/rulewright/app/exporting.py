"""Shared parts of the exports of pages: the folder that they write to, and their content."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from rulewright.app.registry import F, flag, has_colour, remark
from rulewright.source.refusal import Refusal

Choose = Callable[[dict[str, bytes]], dict[str, bytes]]


def into_folder(run: F) -> F:
    """Give a command the argument DIR and the option `--force`."""
    folder = click.argument("folder", metavar="DIR", help="a folder that is empty or not there yet")
    force = "write to a folder that is not empty: replace what an earlier export left, leave all else"
    return folder(flag("--force", help=force)(run))


def export_files(project: Path, folder: Path, force: bool, choose: Choose) -> int:
    """Write what is chosen of the export into a folder, and count the pages of the site."""
    from rulewright.app.build import build
    from rulewright.model.reports import text
    from rulewright.site.exports.bodies import export, pictures, put_files
    from rulewright.source.problems import Severity
    from rulewright.source.refusal import Unsound
    from rulewright.source.transaction import recover

    if folder.exists() and not folder.is_dir():
        raise Refusal(f"{folder} is a file; name a folder")
    if said := recover(folder, ""):
        remark(f"rulewright: {said}")
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise Refusal(f"{folder} is not empty; --force writes to it all the same")
    made = build(project)
    if any(problem.severity is Severity.ERROR for problem in made.problems):
        raise Unsound(made.problems, "nothing exported until this is mended")
    sys.stderr.write(text(made.problems, colour=has_colour(sys.stderr)))
    put_files(folder, choose(export(made, pictures(project))))
    return len(made.pages) + len(made.prose)
