"""Read a sequence of play in plain text into steps.

Labels (A., 1., [3.2], 3.1), bullets, indents and short titles become steps. What is guessed has a comment
that begins with `# guess:`. With a TARGET it becomes that edition's sequence.yml, whose book says which
numbers are rules and who plays; else it is printed. Ends with 1 where there are no steps.

example:
  rulewright import outline sequence.txt content/ocs/4.3
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rulewright.app.registry import command, flag, has_colour, remark
from rulewright.source.refusal import Refusal, Unsound


@command
@click.argument("file", help="a text file in UTF-8")
@click.argument("target", required=False, help="the folder of an edition, or a sequence.yml to write")
@flag("--force", help="replace a sequence.yml that is there")
def run(project: Path, file: str, target: str | None, force: bool) -> int:
    from rulewright.book.library import read_library
    from rulewright.importers.outline.transcription import (
        SCHEMA,
        book_at,
        put_sequence,
        target_of,
        transcribed,
    )
    from rulewright.model.reports import several, text
    from rulewright.source.folder import gather
    from rulewright.source.given import read_given

    given, faults = read_given(file, "sequence of play")
    path = target_of(project, target) if target else None
    if path and path.exists() and not force:
        raise Refusal(f"{path} is there already; --force replaces it")
    if faults:
        raise Unsound(faults, "nothing imported")
    made, problems = transcribed(given, book_at(read_library(gather(project)), project, path), SCHEMA)
    if made is None:
        raise Unsound(problems, "nothing imported")
    sys.stderr.write(text(problems, colour=has_colour(sys.stderr)))
    if path is None:
        sys.stdout.write(made)
        return 0
    put_sequence(project, path, made)
    remark(f"{path} written; {several(made.count('# guess:'), 'comment')} in it to look at")
    return 0
