"""Let a rule hold no more, keep its address and say what replaced it.

Its number stays taken; its page says that it holds no more and what replaced it, and the check warns of every
reference that leads to it still.

example:
  rulewright retire ocs/4.3 12.5 --for 12.6
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.app.content_change import changes
from rulewright.app.registry import address, command

if TYPE_CHECKING:
    from rulewright.edit.requests import Change


@command
@address()
@click.argument("number", help="the rule")
@click.option(
    "--for", "instead", metavar="NUMBER", multiple=True, help="a rule that replaces it; may be given again"
)
@changes
def run(project: Path, book: str, number: str, instead: Sequence[str]) -> Change:
    from rulewright.edit.requests import retiring, sit_down

    return retiring(sit_down(project, book), number, instead)
