"""Preflight: holds a PDF that we printed against the promise that it holds, in the build and as a command.

The file is read anew: what stands where is measured by PDFium, which had no part in making it; inks, fonts
and tags are read with pikepdf. `run` is the whole of it; `Promise` says what is promised.
"""

from __future__ import annotations

from rulewright.print.preflight.promise import Promise
from rulewright.print.preflight.report import Report
from rulewright.source.problems import Place


def run(pdf: bytes, place: Place) -> Report:
    """Check a PDF against its promise, and report the findings and every check made.

    `place`: what its problems are reported at, a sheet's file or the PDF itself.
    """
    from rulewright.print.preflight.document import examine

    return examine(pdf, place)


__all__ = ["Promise", "Report", "run"]
