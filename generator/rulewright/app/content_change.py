"""Decorator of the commands that change the content: apply a change, or print it with `--dry-run`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from rulewright.app.command_registry import flag, has_colour
from rulewright.schema.problem_reports import problems_text

if TYPE_CHECKING:
    from rulewright.edit.edit_operations import PlannedChange


def changes(run: Callable[..., PlannedChange]) -> Callable[..., int]:
    """Decorate a function that plans a change; apply it unless there would be new errors."""

    @flag("--dry-run", help="print the change as a diff; write nothing")
    @flag("--force", help="apply the change even if new errors would appear")
    @wraps(run)
    def run_command(*, dry_run: bool, force: bool, **arguments: Any) -> int:
        change = run(**arguments)
        if not force:
            change.raise_on_new_problems()
            sys.stderr.write(problems_text(change.proposal.problems, colour=has_colour(sys.stderr)))
        if dry_run:
            sys.stdout.writelines(change.diff())
            lines = [*change.report_lines(), "Nothing was written."]
        else:
            change.apply()
            undo = f"To undo: rulewright renumber {change.session.address} --undo"
            lines = [*change.report_lines(), undo]
        sys.stdout.flush()
        print("\n".join(lines), file=sys.stderr if dry_run else sys.stdout)
        return 0

    return run_command
