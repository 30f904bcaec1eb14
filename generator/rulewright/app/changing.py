"""What the commands that change the content share: the options, and making the change or showing it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rulewright.app.registry import F, flag

if TYPE_CHECKING:
    from rulewright.edit.requests import Change


def changes(run: F) -> F:
    """Give a command the options `--dry-run` and `--force`."""
    dry = flag("--dry-run", help="print what would change as a diff, and write nothing")
    force = flag("--force", help="write it even if the check finds new problems then")
    return dry(force(run))


def carry_out(change: Change, *, dry_run: bool, force: bool) -> int:
    """Make a change, or show it, and say what was done. Raises Unsound where there would be new problems."""
    from rulewright.edit.account import diff

    if not force:
        change.demand()
    if dry_run:
        sys.stdout.writelines(diff(change.proposal, change.desk.folder.texts))
        lines = [*change.account(), "Nothing was written."]
    else:
        change.make()
        undone_by = change.undone_by()
        lines = [*change.account(), *([f"To take it back: {undone_by}"] if undone_by else [])]
    sys.stdout.flush()
    print("\n".join(lines), file=sys.stderr if dry_run else sys.stdout)
    return 0
