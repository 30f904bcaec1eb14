"""Every check of a PDF in its order, and what each has seen."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pikepdf
from pikepdf import Pdf

from rulewright.model import faults
from rulewright.print.preflight import inks, lettering, reading, sheets, tools
from rulewright.print.preflight.canvas import Fonts
from rulewright.print.preflight.expected import Expected
from rulewright.print.preflight.findings import FAILED, Finding, Report, said
from rulewright.print.preflight.geometry import Page
from rulewright.print.preflight.geometry import pages as pages_of
from rulewright.print.preflight.paint import Painting
from rulewright.print.preflight.painter import painted
from rulewright.print.preflight.streams import Effort, bounded
from rulewright.print.preflight.structure import Structure
from rulewright.print.preflight.ua import checkpoints
from rulewright.source.problems import Place, shown


def examine(pdf: bytes, expected: Expected, place: Place, *, second: bool = True) -> Report:
    """A report on a PDF. Where it cannot be opened, that is the only finding."""
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
            "can be read",
            [Finding(faults.UNREADABLE, "it asks for a password; save it without one")],
        )
        return
    except Exception as error:  # qpdf reads what it can, and says so in many ways where it cannot
        said = f"it cannot be read as a PDF: {_said(error)}" if b"%PDF" in pdf[:1024] else "it is no PDF"
        report.check("can be read", [Finding(faults.UNREADABLE, said)])
        return
    with opened:
        try:
            _examine(opened, expected, report, Effort(len(pdf)))
        except Exception as error:
            # Anything may stand where anything is expected; what was looked at until here is still told.
            message = f"it is too damaged to be checked to the end: {_said(error)}"
            report.check("can be read to the end", [Finding(faults.UNREADABLE, message)])
            return
        if second and len(opened.pages):
            _second(pdf, opened, expected, report)


def _said(error: BaseException) -> str:
    return shown(str(error).rpartition(": ")[2] or type(error).__name__, 100)


def _examine(pdf: Pdf, expected: Expected, report: Report, effort: Effort) -> None:
    pages = list(pages_of(pdf))
    fonts = Fonts(effort)
    paintings = [painted(page, fonts) for page in pages]
    locked = (
        [Finding(faults.LOCKED, "it is encrypted; save it without a password")] if pdf.is_encrypted else []
    )
    report.check("can be read", [*locked, *_faults(paintings)])
    _paper(pages, paintings, expected, report)
    _text(pages, paintings, expected, report)
    _inks(paintings, expected, report)
    places = reading.Destinations(pdf)
    count = sum(1 for page in pages for _ in reading.annotated(page, "/Link"))
    report.check("links", reading.links(pages, places, expected), f"{count}", absent=not count)
    marks = sum(1 for _ in reading.outline_items(pdf))
    report.check("bookmarks", reading.bookmarks(pdf, places, expected), f"{marks}", absent=not marks)
    named = shown(reading.title_of(pdf)) or "no title"
    language = str(pdf.Root.get("/Lang", "")) or "no language"
    report.check("title and language", reading.identity(pdf, expected), f"{named}, {language}")
    report.checkpoints = checkpoints(Structure(pdf, pages, paintings))
    failed = [point for point in report.checkpoints if point.outcome == FAILED]
    if expected.tagged:
        found = [
            Finding(
                faults.TAGGED,
                f"{point.number}: {point.condition}: {point.seen}",
                subject=point.number,
            )
            for point in failed
        ]
        report.check("PDF/UA-1", found, f"{len(report.checkpoints)} conditions of the Matterhorn Protocol")


def _faults(paintings: Sequence[Painting]) -> list[Finding]:
    return [
        Finding(faults.DAMAGED, f"its content cannot be read to the end: {fault}", number, subject=fault)
        for number, painting in enumerate(paintings, 1)
        for fault in painting.faults
    ]


def _paper(pages: Sequence[Page], paintings: Sequence[Painting], expected: Expected, report: Report) -> None:
    report.check("number of pages", sheets.count(pages, expected), f"{len(pages)}")
    distinct = dict.fromkeys(said([round(edge, 1) for edge in page.size]) for page in pages)
    report.check("size of the trim", sheets.sizes(pages, expected), _few(list(distinct)))
    report.check("page boxes", sheets.boxes(pages, expected), "trim within bleed within media")
    if expected.bleed:
        found = [*sheets.bleeds(pages, expected), *sheets.short(pages, paintings, expected)]
        report.check("bleed", found, f"{expected.bleed:.2f} mm on every side")
    if expected.marks is not None:
        seen = "at every corner, outside the bleed" if expected.marks else "none"
        report.check("crop marks", sheets.marks(pages, paintings, expected), seen)


def _text(pages: Sequence[Page], paintings: Sequence[Painting], expected: Expected, report: Report) -> None:
    texts = [text for painting in paintings for text in painting.texts if text.letters]
    names = sorted({text.font.name for text in texts})
    letters = sum(len(text.letters) for text in texts)
    report.check("fonts embedded", lettering.fonts(paintings, expected), _few(names), absent=not texts)
    report.check("every glyph there", lettering.glyphs(paintings), f"{letters:,} glyphs", absent=not texts)
    if expected.smallest is not None:
        seen = [text.size for text in texts if lettering.seen(text)]
        least = f"{min(seen):.2f} pt" if seen else ""
        report.check("smallest type", lettering.small(pages, paintings, expected), least, absent=not seen)
    if expected.margin is not None:
        found = lettering.edges(pages, paintings, expected)
        report.check("text off the trim", found, f"{expected.margin:g} mm", absent=not texts)
    if expected.folds:
        found = lettering.folded(pages, paintings, expected)
        report.check("text off the folds", found, f"{expected.off_fold:g} mm", absent=not texts)


def _inks(paintings: Sequence[Painting], expected: Expected, report: Report) -> None:
    if expected.ink is not None:
        models = sorted(
            {c.model for painting in paintings for item in painting.everything() for c in item.colours}
        )
        report.check("process inks only", inks.process(paintings, expected), ", ".join(models))
        report.check("black text in black alone", inks.pure(paintings, expected))
    if expected.ink == "black":
        report.check("no cyan, magenta or yellow", inks.black(paintings, expected))
    if expected.resolution is not None:
        found = [picture.resolution for painting in paintings for picture in painting.pictures]
        least = f"{min(found):.0f} dpi" if found else ""
        report.check("pictures", inks.pictures(paintings, expected), least, absent=not found)


def _second(pdf: bytes, opened: Pdf, expected: Expected, report: Report) -> None:
    opinions = tools.asked(pdf, expected)
    pages = list(pages_of(opened))
    found = list(tools.missing(opinions))
    report.check(
        "second opinions", found, ", ".join(name for name, one in opinions.items() if one.words is not None)
    )
    for name, by, seen in (
        ("fonts, by Poppler", "pdffonts", tools.fonts(opinions)),
        ("pages and tags, by Poppler", "pdfinfo", tools.pages(opinions, pages, expected)),
        ("inks, by Ghostscript", "inkcov", tools.inks(opinions)),
    ):
        if by in opinions and opinions[by].words is not None:
            report.check(name, seen)


def _few(names: Sequence[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
