"""Renumber rules and update all references to them, or retire or remove a rule.

Nested rules move with their rule. References are updated in all books and pages, and old URLs are redirected.
Several rules can exchange their numbers. If the new number is in use, --shift inserts the rule there: the
rules after it go up by one, and those after its old number go down by one.

A retired rule keeps its number. Its page names the rules that replace it, and the check warns of every
reference to it.

--remove deletes a rule that no text cites, with the rules inside it; the rules after it go down by one.

--undo reverts the last change of any command, byte for byte, unless the files were edited since.

Exit codes: 0 changed, 1 new problems would appear, 2 wrong usage.

example:
  rulewright renumber ocs/4.3 12.5 12.12 --dry-run
  rulewright renumber ocs/4.3 12.5=12.6 12.6=12.5
  rulewright renumber ocs/4.3 12.5 9.3 --shift
  rulewright renumber ocs/4.3 --retire 12.5 12.6
  rulewright renumber ocs/4.3 --remove 12.5 --dry-run
  rulewright renumber ocs/4.3 --undo
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.app.command_registry import address_argument, command, flag
from rulewright.app.content_change import changes
from rulewright.files.errors import UserError

if TYPE_CHECKING:
    from rulewright.edit.edit_operations import PlannedChange


@command
@address_argument()
@click.argument(
    "numbers",
    metavar="NUMBER...",
    nargs=-1,
    help="old and new number, or pairs OLD=NEW; with --retire the rule and those that replace it",
)
@flag("--retire", help="retire the rule: it is no longer in force")
@flag("--remove", help="delete a rule that no text cites and renumber the rules after it")
@flag("--shift", help="insert the rule at a number in use and renumber the rules after it")
@flag("--undo", help="revert the last change of the content")
@changes
def run(
    project: Path,
    book: str,
    numbers: Sequence[str],
    retire: bool,
    remove: bool,
    shift: bool,
    undo: bool,
) -> PlannedChange:
    from rulewright.edit.edit_operations import (
        open_session,
        plan_move,
        plan_removal,
        plan_renumber,
        plan_retire,
        plan_undo,
    )

    if sum(map(bool, (retire, remove, shift, undo))) > 1 or (undo and numbers):
        raise UserError("--retire, --remove, --shift and --undo exclude each other; --undo takes no number")
    if undo:
        return plan_undo(open_session(project, book))
    if not numbers:
        raise click.UsageError("Missing argument 'NUMBER...'.")
    is_pair = len(numbers) == 2 and not any("=" in word for word in numbers)
    if shift and not is_pair:
        raise UserError("--shift takes one rule and its new number")
    if shift:
        return plan_move(open_session(project, book), *numbers)
    if remove and len(numbers) != 1:
        raise UserError("--remove takes one rule")
    if remove:
        return plan_removal(open_session(project, book), numbers[0])
    if retire:
        return plan_retire(open_session(project, book), numbers[0], numbers[1:])
    if is_pair:
        return plan_renumber(open_session(project, book), [(numbers[0], numbers[1])])
    for word in numbers:
        if word.count("=") != 1:
            raise UserError(f"{word} is not a pair of numbers; write OLD NEW or OLD=NEW")
    pairs = [(word.partition("=")[0], word.partition("=")[2]) for word in numbers]
    return plan_renumber(open_session(project, book), pairs)
