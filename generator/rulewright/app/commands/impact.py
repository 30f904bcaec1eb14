"""`rulewright impact`: what the edits since a revision touch."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from rulewright.app.commands import Usage, deliver, one_of

if TYPE_CHECKING:
    from rulewright.print.press import Step

FORMATS = ("text", "markdown", "json")


def options(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Say what the edits since a git revision touch: rules, steps, tables, pages, player aids and whether "
        "they still fit, texts to be read again, addresses that would lead nowhere."
    )
    parser.epilog = (
        "example:\n  rulewright impact --base origin/main --format markdown\n\n"
        "The content as it lies here is compared with what it was where this branch left the revision.\n"
        "The exit code is 0 whatever is touched, 1 with --strict where something breaks, 2 where there is\n"
        "no such revision."
    )
    base = "a branch, a tag or a commit; HEAD (the default) for what is not committed yet"
    parser.add_argument("--base", metavar="GIT-REV", default="HEAD", help=base)
    how = "text (the default), markdown for a pull request, or json"
    parser.add_argument("--format", type=one_of(FORMATS), default="text", help=how)
    files = "where files can be seen, for links: https://github.com/me/rules/blob/main"
    parser.add_argument("--files", metavar="URL", default="", help=files)
    parser.add_argument("--no-print", action="store_true", help="do not lay out aids to see whether they fit")
    strict = "end with 1 where something breaks: a new problem, a lost address, an aid that fits no more"
    parser.add_argument("--strict", action="store_true", help=strict)
    parser.add_argument("--output", metavar="FILE", help="write to this file instead of printing")


def run(arguments: argparse.Namespace) -> int:
    """Print what is touched. Raises Usage where git cannot tell what the content was."""
    from rulewright.edit.impact.assessment import Content, assess
    from rulewright.edit.impact.report import FORMATS as WAYS
    from rulewright.edit.impact.sheets import Printing
    from rulewright.source.folder import gather
    from rulewright.source.repository import NoRevision, revision
    from rulewright.source.settings import site_of

    project = arguments.project
    try:
        was = revision(project, arguments.base)
        others = was.differing()
    except NoRevision as why:
        raise Usage(str(why)) from None
    printing = Printing(project, site_of(project), not arguments.no_print, _told)
    now = Content(gather(project), lambda name: (project / name).read_bytes())
    found = assess(Content(was.folder, was.read), now, others, printing)
    deliver(WAYS[arguments.format](found, str(was), arguments.files), arguments.output)
    return 1 if arguments.strict and found.breaks else 0


def _told(step: Step) -> None:
    """Say that a sheet was laid out; those that were at hand are not worth a line."""
    if step.seconds is not None:
        print(step, file=sys.stderr, flush=True)
