"""Let a rule hold no more, keep its address and say what replaced it.

Its number stays taken; its page says that it holds no more and what replaced it, and the check warns of every
reference that leads to it still.

example:
  rulewright retire ocs/4.3 12.5 --for 12.6
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from rulewright.app.changing import carry_out, changes
from rulewright.app.registry import address, command


@command
@address()
@click.argument("number", help="the rule")
@click.option(
    "--for", "instead", metavar="NUMBER", multiple=True, help="a rule that replaces it; may be given again"
)
@changes
def run(project: Path, book: str, number: str, instead: Sequence[str], dry_run: bool, force: bool) -> int:
    """Write the change and say what it was. Raises Unsound where there would be new problems but warnings."""
    from rulewright.edit.desk import sit_down
    from rulewright.edit.requests import retiring

    return carry_out(retiring(sit_down(project, book), number, instead), dry_run=dry_run, force=force)
