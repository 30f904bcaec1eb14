"""Compare two editions: list changed rules, steps, tables and player aids.

Exit codes: 0 compared, with or without changes, 1 an edition cannot be read, 2 unknown edition.

example:
  rulewright diff ocs/3.0 ocs/4.3
"""

from __future__ import annotations

import sys
from pathlib import Path

from rulewright.app.command_registry import address_argument, command


@command
@address_argument("old", "older edition: ocs/3.0")
@address_argument("new", "newer edition: ocs/4.3, or ocs for the newest")
def run(project: Path, old: str, new: str) -> int:
    from rulewright.checks.load_and_check import load_and_check
    from rulewright.compare.edition_diff import diff_editions
    from rulewright.compare.history import Counterparts
    from rulewright.render.exports.diff_export import diff_to_text

    checked = load_and_check(project)
    index = checked.index
    old_outline, new_outline = checked.outline(old), checked.outline(new)
    books = {outline.edition.address.partition("/")[0] for outline in (old_outline, new_outline)}
    if len(books) == 1:
        difference = Counterparts(index).diff(old_outline, new_outline)
    else:
        difference = diff_editions(old_outline, new_outline, index, index)
    sys.stdout.write(diff_to_text(difference))
    return 0
