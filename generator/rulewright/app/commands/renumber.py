"""Give rules other numbers and change all references to them, or retire a rule.

What is inside of a rule goes along with it, in all books and pages. Its old addresses lead to it still.
Several rules at once may change places. A retired rule holds no more: its number stays taken, its page says
so and what replaced it, and the check warns of every reference that leads to it still.

Where the new number is taken, `--shift` puts the rule in there: those behind go up by one, and those
behind its old place down. --undo takes the last change of any kind back, byte for byte, unless the files
were touched since.

example:
  rulewright renumber ocs/4.3 12.5 12.12 --dry-run
  rulewright renumber ocs/4.3 12.5=12.6 12.6=12.5
  rulewright renumber ocs/4.3 12.5 9.3 --shift
  rulewright renumber ocs/4.3 --retire 12.5 12.6
  rulewright renumber ocs/4.3 --undo
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.app.command_registry import address_argument, command, flag
from rulewright.app.content_change import changes
from rulewright.source.errors import UserError

if TYPE_CHECKING:
    from rulewright.edit.edit_operations import PlannedChange


@command
@address_argument()
@click.argument(
    "numbers",
    metavar="NUMBER...",
    nargs=-1,
    help="the old number and the new one, or pairs: OLD=NEW; with --retire the rule and what replaces it",
)
@flag("--retire", help="let the rule hold no more")
@flag("--shift", help="make room where another rule has the new number")
@flag("--undo", help="take the last change of the content back")
@changes
def run(
    project: Path,
    book: str,
    numbers: Sequence[str],
    retire: bool,
    shift: bool,
    undo: bool,
) -> PlannedChange:
    from rulewright.edit.edit_operations import open_session, plan_move, plan_renumber, plan_retire, plan_undo

    if sum(map(bool, (retire, shift, undo))) > 1 or (undo and numbers):
        raise UserError("--retire, --shift and --undo are changes of their own, and --undo takes no number")
    if undo:
        return plan_undo(open_session(project, book))
    if not numbers:
        raise click.UsageError("Missing argument 'NUMBER...'.")
    if shift and (len(numbers) != 2 or any("=" in word for word in numbers)):
        raise UserError("with --shift name one rule and its new number")
    if shift:
        return plan_move(open_session(project, book), *numbers)
    if retire:
        return plan_retire(open_session(project, book), numbers[0], numbers[1:])
    if len(numbers) == 2 and not any("=" in word for word in numbers):
        return plan_renumber(open_session(project, book), [(numbers[0], numbers[1])])
    for word in numbers:
        if word.count("=") != 1:
            raise UserError(f"{word} is no pair; write the old number and the new one, OLD NEW or OLD=NEW")
    pairs = [(old, new) for old, _, new in (word.partition("=") for word in numbers)]
    return plan_renumber(open_session(project, book), pairs)
