"""Shared part of the commands that change the content: a change is made, or shown with `--dry-run`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from rulewright.app.command_registry import flag, has_colour
from rulewright.model.problem_reports import problems_text

if TYPE_CHECKING:
    from rulewright.edit.edit_operations import PlannedChange


def changes(run: Callable[..., PlannedChange]) -> Callable[..., int]:
    """Make a command of a function that works out a change. Raises Unsound where that brings new errors."""

    @flag("--dry-run", help="print what would change as a diff, and write nothing")
    @flag("--force", help="write it even if the check finds new errors then")
    @wraps(run)
    def carry_out(*, dry_run: bool, force: bool, **given: Any) -> int:
        change = run(**given)
        if not force:
            change.raise_on_new_problems()
            sys.stderr.write(problems_text(change.problems, colour=has_colour(sys.stderr)))
        if dry_run:
            sys.stdout.writelines(change.diff())
            lines = [*change.report_lines(), "Nothing was written."]
        else:
            change.apply()
            undone_by = change.undo_command()
            lines = [*change.report_lines(), *([f"To take it back: {undone_by}"] if undone_by else [])]
        sys.stdout.flush()
        print("\n".join(lines), file=sys.stderr if dry_run else sys.stdout)
        return 0

    return carry_out
