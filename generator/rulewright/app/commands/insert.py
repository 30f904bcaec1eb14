"""Insert a rule and renumber the rules after it, with all references.

The new rule is empty. The rule that has the number now and its following siblings go up by one. With a free
number, such as one with a suffix of the numbering scheme (5.1A, 5.1bis), no other rule is renumbered.

Exit codes: 0 inserted, 1 new problems would appear, 2 wrong usage.

example:
  rulewright insert ocs/4.3 12.5 --title "Fuel Dumps"
  rulewright insert ocs/4.3 12.5A
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
@click.argument("number", help="number of the new rule")
@click.option("--title", metavar="TITLE", help="title of the new rule")
@changes
def run(project: Path, book: str, number: str, title: str | None) -> PlannedChange:
    from rulewright.edit.edit_operations import open_session, plan_insert

    return plan_insert(open_session(project, book), number, title)
