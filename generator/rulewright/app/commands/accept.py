"""Record that references have been read, and what they lead to.

New references are entered in references.lock without being named; what the check says is to be read again is
named once it has been read: a rule, with all that lead to it, a line of a file, or everything in a book.

example:
  rulewright accept                          new references of all books
  rulewright accept ocs/4.3:12.5c            all that lead to this rule
  rulewright accept content/ocs/4.3/faq.md:31
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from rulewright.app.registry import command, flag, remark


@command
@click.argument(
    "read",
    metavar="[WHAT]...",
    nargs=-1,
    help="ocs/4.3:12.5c for a rule, ocs/4.3 or ocs for a book, FILE:LINE, or FILE",
)
@flag("--all", "every", help="everything has been read")
@flag("--dry-run", help="say what would be recorded, and write nothing")
def run(project: Path, read: Sequence[str], every: bool, dry_run: bool) -> int:
    from rulewright.edit.locks import accept

    print("\n".join(accept(project, read, every=every, write=not dry_run).told()))
    if dry_run:
        remark("Nothing was written.")
    return 0
