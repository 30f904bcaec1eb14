"""Find the references in any text and say which rules they mean.

Offsets count the characters of a file as it is, from 0, line ends included, a byte order mark at its
beginning not. Ends with 1 where a reference has a problem or a file cannot be read.

example:
  rulewright refs ocs/4.3 errata.md forum-post.txt --format json
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from rulewright.app.registry import address, command, formats, has_colour
from rulewright.source.refusal import Refusal


@command
@address()
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, help="a file in UTF-8, or - for standard input"
)
@formats(("text", "json"))
def run(project: Path, book: str, files: Sequence[str], form: str) -> int:
    from rulewright.checks.examine import examine
    from rulewright.citations.listing import STDIN, listing
    from rulewright.model.reports import as_json, text
    from rulewright.source.problems import Problem

    for name in files:
        if name != STDIN and not Path(name).exists():
            raise Refusal(f"there is no file {name}")
    examined = examine(project)
    outline = examined.outline(book)
    found = [row for name in files for row in listing(name, outline, examined.shelf)]
    if form == "json":
        sys.stdout.write(as_json([row for row, _ in found]))
    for _, said in found if form == "text" else ():
        sys.stdout.write(said if isinstance(said, str) else text([said], colour=has_colour(sys.stdout)))
    return 1 if any(isinstance(said, Problem) for _, said in found) else 0
