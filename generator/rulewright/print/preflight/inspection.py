"""Opens a PDF, runs every check that is asked for in its order, and reports on each."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pikepdf
import pypdfium2

from rulewright.model import faults
from rulewright.print.preflight import PROMISE, Expected, check_inks, check_paper, check_reading, check_text
from rulewright.print.preflight.content import Contents
from rulewright.print.preflight.examined_pdf import CHECKS, PdfDocument
from rulewright.print.preflight.geometry import pages_of
from rulewright.print.preflight.objects import entry, inherited
from rulewright.print.preflight.pdfium import PaintedPage
from rulewright.print.preflight.preflight_report import Finding, Report
from rulewright.print.preflight.streams import Effort, bounded
from rulewright.source.problems import Place, shown

_ORDER = [room.__name__ for room in (check_paper, check_text, check_inks, check_reading)]
CHECKS.sort(key=lambda one: _ORDER.index(one.find.__module__))

_UNSEEN = ("/AcroForm", "/Names", "/Outlines", "/StructTreeRoot", "/Metadata")
"""Entries of which PDFium needs nothing to measure what is painted."""

NOT_OURS = "it was not printed by `rulewright aids` or a build, so it is not looked at"


def examine(pdf: bytes, expected: Expected | None, place: Place) -> Report:
    """Report on a PDF. Where it cannot be opened, that is the only finding."""
    report = Report(place)
    with _quiet(), bounded():
        try:
            opened = pikepdf.open(io.BytesIO(pdf))
        except Exception as error:  # qpdf reads what it can, and says so in many ways where it cannot
            said = f"it cannot be read as a PDF: {_said(error)}" if b"%PDF" in pdf[:1024] else "it is no PDF"
            if isinstance(error, pikepdf.PasswordError):
                said = "it asks for a password; save it without one"
            report.check("can be read", [Finding(faults.UNREADABLE, said)])
            return report
        with opened:
            if expected is None:
                try:
                    expected = Expected.read(str(entry(opened.trailer, "/Info", PROMISE) or ""))
                except (ValueError, KeyError, TypeError):
                    report.check("printed by Rulewright", [Finding(faults.FOREIGN, NOT_OURS)])
                    return report
            try:
                with _painted(pdf, opened, expected) as document:
                    for one in CHECKS:
                        if one.asked(expected):
                            found, absent = one.find(document), not one.of(document)
                            report.check(one.name, found, one.seen(document), absent=absent)
            except Exception as error:
                # Anything may stand where anything is expected; what was looked at until here is still told.
                message = f"it is too damaged to be checked to the end: {_said(error)}"
                report.check("can be read to the end", [Finding(faults.UNREADABLE, message)])
    return report


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the libraries from telling of damage in their own words; the findings tell of it in ours."""
    loggers = [logging.getLogger(name) for name in ("pikepdf", "PIL", "pypdfium2")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL + 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def _painted(pdf: bytes, opened: pikepdf.Pdf, expected: Expected) -> Iterator[PdfDocument]:
    """The document, while what PDFium knows of it is open."""
    pages = list(pages_of(opened))
    with pikepdf.open(io.BytesIO(pdf)) as copy:
        copy.flatten_annotations("print")
        contents = Contents(copy, Effort(len(pdf)))
        told = []
        for page in copy.pages:
            fault = contents.rewrite(page.obj, inherited(page.obj, "/Resources"))
            told.append((fault, contents.blending))
        contents.settle()
        for key in _UNSEEN:
            if key in copy.Root:
                del copy.Root[key]
        file = io.BytesIO()
        copy.save(file, compress_streams=False, encryption=False)
    drawn = pypdfium2.PdfDocument(file.getvalue()) if pages else None
    try:
        painted = [
            PaintedPage(page, drawn[at], contents.uses, *told[at]) for at, page in enumerate(pages) if drawn
        ]
        yield PdfDocument(opened, expected, painted, list(contents.fonts.values()), pdf)
    finally:
        if drawn is not None:
            drawn.close()


def _said(error: BaseException) -> str:
    return shown(str(error).rpartition(": ")[2].rstrip(".)") or type(error).__name__, 100)
