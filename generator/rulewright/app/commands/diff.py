"""Say what changed from one edition to another: rules, steps, tables and player aids.

The exit code is 0 whether or not anything changed, 1 where an edition cannot be read, 2 where there is no
such edition.

example:
  rulewright diff ocs/3.0 ocs/4.3 --format markdown --base https://example.org/rules
"""

from __future__ import annotations

from pathlib import Path

import click

from rulewright.app.registry import address, command, formats, writes
from rulewright.source.folder import CONTENT


def _project(value: str) -> Path:
    if not (Path(value) / CONTENT).is_dir():
        raise click.BadParameter(f"{value} is no project: it has no folder {CONTENT}/")
    return Path(value)


@command
@address("old", "the older edition: ocs/3.0")
@address("new", "the newer one: ocs/4.3, or ocs for the newest")
@formats(("text", "json", "html", "markdown"))
@click.option(
    "--in",
    "other",
    metavar="DIR",
    type=_project,
    help="another project's folder, in which NEW is: the same edition as it was, or as it is elsewhere",
)
@click.option(
    "--base", metavar="URL", default="", help="the site's address, for links; without it there are none"
)
@writes
def run(project: Path, old: str, new: str, form: str, other: Path | None, base: str) -> str:
    from rulewright.checks.examine import examine
    from rulewright.compare.edition_changes import compare
    from rulewright.compare.history import Counterparts
    from rulewright.compare.matching import Side
    from rulewright.site.exports.changes import FORMATS

    examined = examine(project)
    later = examine(other) if other else examined
    then, now = examined.outline(old), later.outline(new)
    if later is examined and then.edition.book is now.edition.book:
        difference = Counterparts(examined.shelf, ()).apart(
            *(Side(one, examined.shelf) for one in (then, now))
        )
    else:
        difference = compare(then, now, examined.shelf, later.shelf)
    return FORMATS[form](difference, later.shelf, base)
