"""Build the site.

If the build fails, the previous site is unchanged. If a sheet or rulebook cannot be printed, the site is
built without its PDF; with --strict the exit code is then 1.

Exit codes: 0 site built, 1 problems found, 2 wrong usage.

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
@flag("--strict", help="treat warnings as errors")
@flag("--no-print", help="omit the PDFs of aids and rulebooks")
@click.option("--output", metavar="DIR", help="output folder, empty or from an earlier build; default: site/")
def run(project: Path, strict: bool, no_print: bool, output: str | None) -> int:
    from rulewright.app.mkdocs_runner import build_site, build_summary
    from rulewright.schema.problem_reports import count_by_severity

    start = time.perf_counter()
    site = Path(output).absolute() if output else None
    outcome = build_site(project, site, strict=strict, prints=not no_print)
    if outcome.fault and not outcome.published:
        problems = outcome.artifacts.problems
        has_failures = any(problem.is_failure for problem in problems)
        site_state = (
            f"{relative_path(outcome.site)}{os.sep} is unchanged"
            if outcome.site.is_dir()
            else "no site was written"
        )
        print_notice(
            f"{count_by_severity(problems) if has_failures else outcome.fault.rstrip('.')}; {site_state}.",
            fault=True,
        )
        return 1
    if not OUTPUT_OPTIONS.quiet:
        print(f"{build_summary(outcome.artifacts)}; {time.perf_counter() - start:.1f} seconds.")
        print(f"Open {relative_path(outcome.site / 'index.html')}")
    return 1 if outcome.fault else 0
