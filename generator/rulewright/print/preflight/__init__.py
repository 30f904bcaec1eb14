"""Preflight: holds a PDF that we printed against the promise that it holds, in the build and as a command.

The file is read anew: what stands where is measured by PDFium, which had no part in making it; inks and tags
are read with pikepdf. `run` is the whole of it; `Promise` says what is promised.
"""

from __future__ import annotations

import json
from io import BytesIO

from rulewright.model import faults
from rulewright.print.preflight.promise import Promise
from rulewright.print.preflight.report import Finding, Report
from rulewright.source.problems import Place

FOREIGN = "Rulewright did not print it as it is, so it is not looked at"


def run(pdf: bytes, place: Place) -> Report:
    """Check a PDF against its promise, and report the findings and every check made.

    One that we did not print, or that is damaged since, has that as its only finding. `place`: what its
    problems are reported at, a sheet's file or the PDF itself.
    """
    import pikepdf
    import pypdfium2

    from rulewright.print.pdf_objects import PROMISE, entry
    from rulewright.print.preflight import check_inks, check_paper, check_reading  # noqa: F401
    from rulewright.print.preflight.document import CHECKS, PdfDocument

    report = Report(place)
    try:
        with pikepdf.open(BytesIO(pdf)) as opened, pypdfium2.PdfDocument(pdf) as drawn:
            if not (written := entry(opened.trailer, "/Info", PROMISE)):
                report.check("printed by Rulewright", [Finding(faults.FOREIGN, FOREIGN)])
                return report
            document = PdfDocument(opened, drawn, Promise(**json.loads(str(written))))
            for name, find, seen in CHECKS:
                report.check(name, find(document), seen(document))
    except Exception as error:  # what is edited by hand may hold anything; what was seen until here is told
        said = f"it cannot be read to the end: {str(error).rpartition(': ')[2] or type(error).__name__}"
        report.check("can be read", [Finding(faults.UNREADABLE, said)])
    return report


__all__ = ["Promise", "Report", "run"]
