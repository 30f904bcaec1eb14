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

import click

from rulewright.app.changing import carry_out, changes
from rulewright.app.registry import address, command
from rulewright.source.refusal import Refusal


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
def run(project: Path, book: str, numbers: Sequence[str], dry_run: bool, force: bool) -> int:
    """Write the change and say what it was. Raises Unsound where the check would find new problems."""
    from rulewright.edit.desk import sit_down
    from rulewright.edit.requests import renumbering

    pairs = _pairs(numbers)
    return carry_out(renumbering(sit_down(project, book), pairs), dry_run=dry_run, force=force)


def _pairs(words: Sequence[str]) -> list[tuple[str, str]]:
    if len(words) == 2 and not any("=" in word for word in words):
        return [(words[0], words[1])]
    for word in words:
        if word.count("=") != 1:
            raise Refusal(f"{word} is no pair; write the old number and the new one, OLD NEW or OLD=NEW")
    return [(old, new) for old, _, new in (word.partition("=") for word in words)]
