"""Opens a PDF, runs every check that is asked for in its order, and reports on each."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pikepdf

from rulewright.model import faults
from rulewright.print.preflight import check_inks, check_links, check_paper, check_text, second_opinions
from rulewright.print.preflight.check import Check, PdfDocument, collect
from rulewright.print.preflight.expected import Expected
from rulewright.print.preflight.report import FAILED, Finding, Report
from rulewright.print.preflight.streams import Effort, bounded
from rulewright.print.preflight.structure_tree import Structure
from rulewright.print.preflight.ua import checkpoints
from rulewright.source.problems import Place, shown

CHECKS: list[Check] = []
check = collect(CHECKS)


@check("can be read")
def readable(document: PdfDocument) -> Iterator[Finding]:
    """A PDF that is encrypted, and pages whose content cannot be read to the end."""
    if document.pdf.is_encrypted:
        yield Finding(faults.LOCKED, "it is encrypted; save it without a password")
    for number, painting in enumerate(document.paintings, 1):
        for fault in painting.faults:
            message = f"its content cannot be read to the end: {fault}"
            yield Finding(faults.DAMAGED, message, number, subject=fault)


CHECKS += [*check_paper.CHECKS, *check_text.CHECKS, *check_inks.CHECKS, *check_links.CHECKS]


def examine(pdf: bytes, expected: Expected, place: Place, *, second: bool = True) -> Report:
    """Report on a PDF. Where it cannot be opened, that is the only finding."""
    report = Report(place)
    with _quiet(), bounded():
        _open(pdf, expected, report, second)
    return report


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the libraries from telling of damage in their own words; the findings tell of it in ours."""
    loggers = [logging.getLogger(name) for name in ("pikepdf", "fontTools", "PIL")]
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


def _open(pdf: bytes, expected: Expected, report: Report, second: bool) -> None:
    try:
        opened = pikepdf.open(io.BytesIO(pdf))
    except pikepdf.PasswordError:
        report.check(
            "can be read", [Finding(faults.UNREADABLE, "it asks for a password; save it without one")]
        )
        return
    except Exception as error:  # qpdf reads what it can, and says so in many ways where it cannot
        said = f"it cannot be read as a PDF: {_said(error)}" if b"%PDF" in pdf[:1024] else "it is no PDF"
        report.check("can be read", [Finding(faults.UNREADABLE, said)])
        return
    with opened:
        try:
            document = PdfDocument(opened, expected, Effort(len(pdf)))
            _examine(document, report)
        except Exception as error:
            # Anything may stand where anything is expected; what was looked at until here is still told.
            message = f"it is too damaged to be checked to the end: {_said(error)}"
            report.check("can be read to the end", [Finding(faults.UNREADABLE, message)])
            return
        if second and document.pages:
            _second(pdf, document, report)


def _said(error: BaseException) -> str:
    return shown(str(error).rpartition(": ")[2] or type(error).__name__, 100)


def _examine(document: PdfDocument, report: Report) -> None:
    for check in CHECKS:
        if check.asked(document.expected):
            report.check(
                check.name, check.find(document), check.seen(document), absent=not check.of(document)
            )
    report.checkpoints = checkpoints(Structure(document.pdf, document.pages, document.paintings))
    if document.expected.tagged:
        found = [
            Finding(faults.TAGGED, f"{point.number}: {point.condition}: {point.seen}", subject=point.number)
            for point in report.checkpoints
            if point.outcome == FAILED
        ]
        report.check("PDF/UA-1", found, f"{len(report.checkpoints)} conditions of the Matterhorn Protocol")


def _second(pdf: bytes, document: PdfDocument, report: Report) -> None:
    opinions = second_opinions.asked(pdf, document.expected)
    found = list(second_opinions.missing(opinions))
    report.check(
        "second opinions", found, ", ".join(name for name, one in opinions.items() if one.words is not None)
    )
    for name, by, seen in (
        ("fonts, by Poppler", "pdffonts", second_opinions.fonts(opinions)),
        (
            "pages and tags, by Poppler",
            "pdfinfo",
            second_opinions.pages(opinions, document.pages, document.expected),
        ),
        ("inks, by Ghostscript", "inkcov", second_opinions.inks(opinions)),
    ):
        if by in opinions and opinions[by].words is not None:
            report.check(name, seen)
