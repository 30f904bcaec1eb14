"""Shared part of the exports of pages: what is chosen of them is written into a folder."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from rulewright.app.registry import flag, has_colour, remark
from rulewright.source.refusal import Refusal, Unsound

Choose = Callable[[dict[str, bytes], int], tuple[dict[str, bytes], str]]
"""Chooses of the files of an export, of which so many are pages, and says what they are."""


def into_folder(choose: Choose) -> Callable[..., int]:
    """Make a command that writes what is chosen of the export into a folder.

    Raises Refusal where the folder is taken, Unsound where the content has errors.
    """

    @click.argument("folder", metavar="DIR", help="a folder that is empty or not there yet")
    @flag(
        "--force",
        help="write to a folder that is not empty: replace what an earlier export left, leave all else",
    )
    def write(project: Path, folder: str, force: bool) -> int:
        from rulewright.app.build import build
        from rulewright.model.reports import text
        from rulewright.site.exports.bodies import export, pictures, put_files
        from rulewright.source.problems import Severity
        from rulewright.source.transaction import recover

        path = Path(folder)
        if path.exists() and not path.is_dir():
            raise Refusal(f"{path} is a file; name a folder")
        if said := recover(path, ""):
            remark(f"rulewright: {said}")
        if path.is_dir() and any(path.iterdir()) and not force:
            raise Refusal(f"{path} is not empty; --force writes to it all the same")
        made = build(project)
        if any(problem.severity is Severity.ERROR for problem in made.problems):
            raise Unsound(made.problems, "nothing exported until this is mended")
        sys.stderr.write(text(made.problems, colour=has_colour(sys.stderr)))
        files, what = choose(export(made, pictures(project)), len(made.pages) + len(made.prose))
        put_files(path, files)
        print(f"{what} in {path}")
        return 0

    return write
