"""`rulewright diff`: what differs between two editions."""

from __future__ import annotations

import argparse
from pathlib import Path

from rulewright.app.commands import book, deliver, one_of, outline_of

FORMATS = ("text", "json", "html", "markdown")


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = "Say what changed from one edition to another: rules, steps, tables and player aids."
    parser.epilog = (
        "example:\n  rulewright diff ocs/3.0 ocs/4.3 --format markdown --base https://example.org/rules\n\n"
        "The exit code is 0 whether or not anything changed, 1 where an edition cannot be read,\n"
        "2 where there is no such edition."
    )
    parser.add_argument("old", metavar="OLD", type=book, help="the older edition: ocs/3.0")
    parser.add_argument("new", metavar="NEW", type=book, help="the newer one: ocs/4.3, or ocs for the newest")
    how = "text (the default), json, html or markdown"
    parser.add_argument("--format", type=one_of(FORMATS), default="text", help=how)
    where = "another project's folder, in which NEW is: the same edition as it was, or as it is elsewhere"
    parser.add_argument("--in", metavar="DIR", dest="other", type=_project, help=where)
    parser.add_argument(
        "--base", metavar="URL", default="", help="the site's address, for links; without it there are none"
    )
    parser.add_argument("--output", metavar="FILE", help="write to this file instead of printing")


def run(arguments: argparse.Namespace) -> int:
    """Print the difference. Raises Refused where an edition cannot be read, Usage where it is not there."""
    from rulewright.checks.examine import examine
    from rulewright.compare.editions import compare
    from rulewright.site.exports.changes import FORMATS as WAYS

    examined = examine(arguments.project)
    other = examine(arguments.other) if arguments.other else examined
    old, new = outline_of(examined, arguments.old), outline_of(other, arguments.new)
    difference = compare(old, new, examined.shelf, other.shelf)
    deliver(WAYS[arguments.format](difference, other.shelf, arguments.base), arguments.output)
    return 0


def _project(value: str) -> Path:
    """A type of argument: a project's folder."""
    if not (Path(value) / "content").is_dir():
        raise argparse.ArgumentTypeError(f"{value} is no project: it has no folder content/")
    return Path(value)
