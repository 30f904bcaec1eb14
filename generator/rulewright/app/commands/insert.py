"""Make room for a new rule, with all references to those behind it.

An empty rule is added at the number. The rule that has the number, and all that follow it in the same rule,
go up by one, and every reference to them with them.

example:
  rulewright insert ocs/4.3 12.5 --title "Fuel Dumps"
"""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.app.changing import carry_out, changes
from rulewright.app.registry import address, command


@command
@address()
@click.argument("number", help="the number of the new rule")
@click.option("--title", metavar="TITLE", help="its title")
@changes
def run(project: Path, book: str, number: str, title: str | None, dry_run: bool, force: bool) -> int:
    """Write the change and say what it was. Raises Unsound where the check would find new problems."""
    from rulewright.edit.desk import sit_down
    from rulewright.edit.requests import inserting

    return carry_out(inserting(sit_down(project, book), number, title), dry_run=dry_run, force=force)
