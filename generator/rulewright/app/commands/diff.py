"""Say what changed from one edition to another: rules, steps, tables and player aids.

HTML and Markdown link to the site where mkdocs.yml sets `site_url`. The exit code is 0 whether or not
anything changed, 1 where an edition cannot be read, 2 where there is no such edition.

example:
  rulewright diff ocs/3.0 ocs/4.3 --format markdown
"""

from __future__ import annotations

import sys
from pathlib import Path

from rulewright.app.registry import address, command, formats


@command
@address("old", "the older edition: ocs/3.0")
@address("new", "the newer one: ocs/4.3, or ocs for the newest")
@formats(("text", "json", "html", "markdown"))
def run(project: Path, old: str, new: str, form: str) -> int:
    from rulewright.checks.examine import examine
    from rulewright.compare.edition_changes import compare
    from rulewright.compare.history import Counterparts
    from rulewright.compare.matching import Side
    from rulewright.site.exports.changes import FORMATS
    from rulewright.source.settings import site_of

    examined = examine(project)
    shelf = examined.shelf
    then, now = examined.outline(old), examined.outline(new)
    if then.edition.book is now.edition.book:
        difference = Counterparts(shelf, ()).apart(*(Side(one, shelf) for one in (then, now)))
    else:
        difference = compare(then, now, shelf, shelf)
    sys.stdout.write(FORMATS[form](difference, shelf, site_of(project)))
    return 0
