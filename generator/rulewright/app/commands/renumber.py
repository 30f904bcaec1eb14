"""Give rules other numbers, and change all references to them.

What is inside of a rule goes along with it, in all books and pages. Its old addresses lead to it still.
Several rules at once may change places.

example:
  rulewright renumber ocs/4.3 12.5 12.12 --dry-run
  rulewright renumber ocs/4.3 12.5=12.6 12.6=12.5
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulewright.app.content_change import changes
from rulewright.app.registry import address, command
from rulewright.source.refusal import Refusal

if TYPE_CHECKING:
    from rulewright.edit.requests import Change


@command
@address()
@click.argument(
    "numbers",
    metavar="NUMBER...",
    nargs=-1,
    required=True,
    help="the old number and the new one, or pairs: OLD=NEW",
)
@changes
def run(project: Path, book: str, numbers: Sequence[str]) -> Change:
    from rulewright.edit.requests import renumbering, sit_down

    if len(numbers) == 2 and not any("=" in word for word in numbers):
        return renumbering(sit_down(project, book), [(numbers[0], numbers[1])])
    for word in numbers:
        if word.count("=") != 1:
            raise Refusal(f"{word} is no pair; write the old number and the new one, OLD NEW or OLD=NEW")
    pairs = [(old, new) for old, _, new in (word.partition("=") for word in numbers)]
    return renumbering(sit_down(project, book), pairs)
