"""Make the site.

If that fails, the last good one stays as it was. A sheet or a rulebook that cannot be printed fails nothing
but with --strict, and the site is made all the same: its page says what is wrong.

example:
  rulewright build --strict
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import click

from rulewright.app.command_registry import OUTPUT_OPTIONS, command, flag, print_notice, relative_path


@command
@flag("--strict", help="a warning is a failure")
@flag("--no-print", help="leave the PDFs of aids and rulebooks out")
@click.option(
    "--output", metavar="DIR", help="where to, a folder that is empty or was built before; else to site/"
)
def run(project: Path, strict: bool, no_print: bool, output: str | None) -> int:
    from rulewright.app.mkdocs_runner import build_site, build_summary, unprinted_message
    from rulewright.model.problem_reports import count_by_severity

    start = time.perf_counter()
    site = Path(output).absolute() if output else None
    outcome = build_site(project, site, strict=strict, prints=not no_print, verbose=OUTPUT_OPTIONS.verbose)
    if outcome.fault and not outcome.published:
        problems = outcome.artifacts.problems
        has_failures = any(problem.is_failure for problem in problems)
        site_state = (
            f"{relative_path(outcome.site)}{os.sep} is as it was"
            if outcome.site.is_dir()
            else "no site was made"
        )
        print_notice(
            f"{count_by_severity(problems) if has_failures else outcome.fault.rstrip('.')}; {site_state}.",
            fault=True,
        )
        return 1
    if not OUTPUT_OPTIONS.quiet:
        print(f"{build_summary(outcome.artifacts)}; {time.perf_counter() - start:.1f} seconds.")
        print(f"Open {relative_path(outcome.site / 'index.html')}")
    if unprinted := unprinted_message(outcome.artifacts):
        print_notice(unprinted, fault=True)
    return 1 if outcome.fault else 0
