"""Begin a game, or the next edition of a book.

A new game builds at once: a rulebook with two chapters, a sequence of play with two player turns, a table
with dice and a player aid, all to be written over; settings of editors, and what checks and publishes it on
GitHub. With --from its numbering and its rules are read from a rulebook: DOCX, HTML, PDF, Markdown or
plain text.

A new edition has all that the one before it says, and follows it. Errata go into the words of the rules, or
stay errata with --errata keep.

example:
  rulewright new mule-pass --title "Mule Pass"
  rulewright new mule-pass --numbers 1.11a
  rulewright new mule-pass --from rules.docx
  rulewright new edition ocs/4.4 --from ocs/4.3
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from rulewright.app.command_registry import SuggestingChoice, command, find_project, flag, relative_path
from rulewright.source.errors import UserError


@command
@click.argument("names", metavar="FOLDER | edition BOOK/EDITION", nargs=-1, help="what is to be made")
@click.option("--title", metavar="TITLE", default="", help="the game's title; else made of the folder's name")
@click.option(
    "--numbers",
    "--dialect",
    "numbers",
    metavar="EXAMPLE",
    default="",
    help="how rules are numbered, by example: 1.1a(A); 1.1a where left out",
)
@click.option(
    "--from",
    "source",
    metavar="FILE",
    default="",
    help="rules to begin with, a document or a folder of Markdown; or the edition before a new one",
)
@click.option(
    "--errata",
    type=SuggestingChoice(["fold", "keep"]),
    default="fold",
    metavar="HOW",
    help="fold (the default) puts the errata of an edition into its words, keep leaves them errata",
)
@flag("--number", help="with --from: number items of ordered lists, and headings without numbers, by place")
def run(names: Sequence[str], title: str, numbers: str, source: str, errata: str, number: bool) -> int:
    if names[:1] == ("edition",) and len(names) == 2:
        return _new_edition(names[1], source, fold=errata == "fold")
    if len(names) != 1:
        raise UserError(
            "name the folder of a new game, or `edition` and the address of a new edition: "
            "rulewright new mule-pass, rulewright new edition ocs/4.4 --from ocs/4.3"
        )
    from rulewright.app.new_game import create_project

    folder = Path(names[0])
    game = create_project(folder, title, numbers, Path(source) if source else None, by_position=number)
    print("\n".join(game.report_lines(relative_path(folder.absolute()))))
    return 1 if game.is_refused else 0


def _new_edition(address: str, old: str, *, fold: bool) -> int:
    from rulewright.edit.new_edition import plan_new_edition, write_new_edition
    from rulewright.source.content_folder import parse_address

    if not old:
        raise UserError(
            f"say which edition {address} follows: rulewright new edition {address} --from ocs/4.3"
        )
    project = find_project()
    edition = plan_new_edition(project, parse_address(address), parse_address(old), fold=fold)
    write_new_edition(project, edition)
    print("\n".join(edition.report_lines()))
    return 0
