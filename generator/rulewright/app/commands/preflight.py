"""Check PDFs printed by Rulewright for the press and list every check.

Each file contains its print spec: size, bleed, type and more. PDFs of other programs have none; check them
with the preflight of your printer or of Acrobat.

Exit codes: 0 all files fit, 1 a file does not, 2 wrong usage.

example:
  rulewright preflight print/ember-coast/2.1/aids/combat.pdf
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from rulewright.app.command_registry import command, has_colour
from rulewright.files.errors import UserError
from rulewright.files.problems import SourceLocation, single_line
from rulewright.files.worker_processes import run_sandboxed
from rulewright.schema.print_problems import FOREIGN, UNREADABLE
from rulewright.schema.problem_reports import plural, problems_text

NOT_CHECKED = (FOREIGN.code, UNREADABLE.code)


@command
@click.argument("files", metavar="FILE...", nargs=-1, required=True, help="PDF printed by Rulewright")
def run(files: Sequence[str]) -> int:
    """Print findings and checks of each file. Raises UserError if the extra [pdf] is not installed."""
    from rulewright.print.typst_compiler import missing

    pdfs = [(SourceLocation(name), Path(name).read_bytes()) for name in files]
    if needs := missing():
        raise UserError(needs)
    from rulewright.print.pdf_preflight import CHECKS, run_preflight, unreadable_problem  # needs the extra

    failed = False
    for place, pdf in pdfs:
        try:
            problems = run_sandboxed(run_preflight, pdf, place, seconds=600)  # it can come from anywhere
        except ChildProcessError as error:
            problems = [unreadable_problem(place, error)]
        sys.stdout.write(problems_text(problems, colour=has_colour(sys.stdout)))
        verdict = f"not fit, {plural(len(problems), 'problem')}" if problems else "fit for print"
        print(f"{single_line(place.file)}: {verdict}")
        codes = {problem.code for problem in problems}
        for name, kinds in CHECKS if codes.isdisjoint(NOT_CHECKED) else ():
            print(f"  {'✓' if codes.isdisjoint(kind.code for kind in kinds) else '✗'} {name}")
        failed = failed or bool(problems)
    return 1 if failed else 0
