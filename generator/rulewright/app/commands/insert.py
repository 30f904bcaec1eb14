"""Make room for a new rule, with all references to those behind it.

An empty rule is added at the number. The rule that has the number, and all that follow it in the same rule,
go up by one, and every reference to them with them. With --beside it stands behind the rule of that number,
with the next suffix that the book declares (5.1A, 5.1bis), and nothing moves.

example:
  rulewright insert ocs/4.3 12.5 --title "Fuel Dumps"
  rulewright insert ocs/4.3 --beside 12.5
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.app.command_registry import address_argument, command
from rulewright.app.content_change import changes

if TYPE_CHECKING:
    from rulewright.edit.edit_operations import PlannedChange


@command
@address_argument()
@click.argument("number", help="the number of the new rule")
@click.option("--title", metavar="TITLE", help="its title")
@click.option("--beside", "use_suffix", is_flag=True, help="put it in behind that number; nothing moves")
@changes
def run(project: Path, book: str, number: str, title: str | None, use_suffix: bool) -> PlannedChange:
    from rulewright.edit.edit_operations import open_session, plan_insert

    return plan_insert(open_session(project, book), number, title, use_suffix)
