"""What the exports of pages share: the folder that they write to, and the content that they are made of."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from rulewright.app.registry import F, flag, has_colour
from rulewright.source.refusal import Refusal

Choose = Callable[[dict[str, bytes]], dict[str, bytes]]


def into_folder(run: F) -> F:
    """Give a command the argument DIR and the option `--force`."""
    folder = click.argument("folder", metavar="DIR", help="a folder that is empty or not there yet")
    force = "write to a folder that is not empty: replace what an earlier export left, leave all else"
    return folder(flag("--force", help=force)(run))


def export_files(project: Path, folder: Path, force: bool, choose: Choose) -> int:
    """Write what is chosen of the export into a folder, and return how many pages the site has.

    Raises Refusal where the folder is taken, Unsound where the content has errors.
    """
    from rulewright.app.build import build
    from rulewright.model.reports import text
    from rulewright.site.exports.bodies import INDEX, earlier, export, pictures
    from rulewright.source.output import fill, refill
    from rulewright.source.problems import Severity
    from rulewright.source.refusal import Unsound

    if folder.exists() and not folder.is_dir():
        raise Refusal(f"{folder} is a file; name a folder")
    taken = folder.is_dir() and any(folder.iterdir())
    if taken and not force:
        raise Refusal(f"{folder} is not empty; --force writes to it all the same")
    made = build(project)
    if any(problem.severity is Severity.ERROR for problem in made.problems):
        raise Unsound(made.problems, "nothing exported until this is mended")
    sys.stderr.write(text(made.problems, colour=has_colour(sys.stderr)))
    files = choose(export(made, pictures(project)))
    if taken:
        refill(folder, files, earlier(folder) if INDEX in files else ())
    else:
        fill(folder, files)
    return len(made.pages) + len(made.prose)
