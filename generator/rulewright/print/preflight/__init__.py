"""Preflight: checks a finished PDF against what it promises, in the build and for `rulewright preflight`.

The PDF is read anew with tools that had no part in making it. Nothing is written, and nothing is raised:
what cannot be read is a finding. `run` is the whole of it; `Expected` says what is promised.
"""

from __future__ import annotations

from rulewright.print.preflight.expected import Expected
from rulewright.print.preflight.report import Report
from rulewright.source.problems import Place


def run(pdf: bytes, expected: Expected, place: Place) -> Report:
    """Check a PDF against what is expected of it, and report the findings and every check made.

    `place`: what its problems are reported at, a sheet's file or the PDF itself.
    """
    from rulewright.print.preflight.inspection import examine

    return examine(pdf, expected, place)


__all__ = ["Expected", "Report", "run"]
