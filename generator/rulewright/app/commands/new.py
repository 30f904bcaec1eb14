"""Create a game, or the next edition of a book.

A new game is a complete example to replace with your own: a rulebook with two chapters, a sequence of play, a
table and a player aid. It includes editor settings and a GitHub workflow that checks and publishes the site.
With --from the rules and their numbering are imported from DOCX, HTML, PDF, Markdown or plain text.

A new edition is a copy of the previous one. Errata are merged into the text of the rules.

Exit codes: 0 created, 1 created with problems, 2 wrong usage.

example:
  rulewright new mule-pass --title "Mule Pass"
  rulewright new mule-pass --from rules.docx --numbers 1.11a
  rulewright new edition ocs/4.4 --from ocs/4.3
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from rulewright.app.command_registry import command, find_project, flag, relative_path
from rulewright.files.errors import UserError


@command
@click.argument(
    "names",
    metavar="FOLDER | edition BOOK/EDITION",
    nargs=-1,
    help="folder of a game, or address of an edition",
)
@click.option(
    "--title", metavar="TITLE", default="", help="title of the game; default: from the folder's name"
)
@click.option(
    "--numbers",
    "--dialect",
    "numbers",
    metavar="EXAMPLE",
    default="",
    help="with --from: numbering scheme by example: 1.1a(A); default: detected",
)
@click.option(
    "--from",
    "source",
    metavar="FILE",
    default="",
    help="document or Markdown folder; for a new edition its predecessor",
)
@flag("--number", help="with --from: number list items and headings without numbers by position")
def run(names: Sequence[str], title: str, numbers: str, source: str, number: bool) -> int:
    if names[:1] == ("edition",) and len(names) == 2:
        return _new_edition(names[1], source)
    if len(names) != 1:
        raise UserError(
            "one folder or edition is expected; write "
            "`rulewright new mule-pass` or `rulewright new edition ocs/4.4 --from ocs/4.3`"
        )
    from rulewright.app.new_game import create_project

    folder = Path(names[0])
    game = create_project(folder, title, numbers, Path(source) if source else None, by_position=number)
    print("\n".join(game.report_lines(relative_path(folder.absolute()))))
    return 1 if game.is_refused else 0


def _new_edition(address: str, old: str) -> int:
    from rulewright.edit.new_edition import plan_new_edition, write_new_edition
    from rulewright.files.content_folder import parse_address

    if not old:
        raise UserError(
            f"{address} needs a predecessor; write `rulewright new edition {address} --from ocs/4.3`"
        )
    project = find_project()
    edition = plan_new_edition(project, parse_address(address), parse_address(old))
    write_new_edition(project, edition)
    print("\n".join(edition.report_lines()))
    return 0
