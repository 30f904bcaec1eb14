"""Checks of the text of a page: its fonts, its glyphs, its size and where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from rulewright.model import faults
from rulewright.print.preflight.check import PdfDocument, check, few
from rulewright.print.preflight.check_reading import figures
from rulewright.print.preflight.fonts import PdfFont
from rulewright.print.preflight.geometry import Box, PdfPage, apart, corner
from rulewright.print.preflight.pdfium import TEXT, Item
from rulewright.print.preflight.report import Finding
from rulewright.source.problems import shown

ROUNDING = 0.02
"""Tolerance for sizes of type, in points: they are written with few digits."""

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

NEAR = 0.02
"""Tolerance for the distance of text from an edge, in mm, for the same reason."""


def _fonts_seen(document: PdfDocument) -> str:
    return few(sorted({font.name for font in document.fonts}))


@check("fonts embedded", of=lambda document: document.fonts, seen=_fonts_seen)
def fonts(document: PdfDocument) -> Iterator[Finding]:
    """Fonts that are not embedded, cannot be read, or are not those that were asked for."""
    families = document.expected.families
    known: set[int] = set()
    for painted in document.painted:
        for item in painted.items:
            font = item.use.state.get("font") if item.kind == TEXT else None
            if font is None or id(font) in known:
                continue
            known.add(id(font))
            number, at = painted.of.number, corner(item.box)
            if not font.embedded:
                message = f"the font {shown(font.name)} is not embedded; export the PDF with all fonts in it"
                yield Finding(faults.FONT_ABSENT, message, number, at, font.name)
            if font.program is None:
                message = f"the font {shown(font.name)} is embedded but cannot be read"
                yield Finding(faults.DAMAGED, message, number, at, font.name)
            if families is not None and item.visible and not belongs(font, families):
                wanted = " or ".join(sorted(families))
                message = f"{shown(item.words)} is set in {shown(font.name)}, not in {wanted}"
                yield Finding(faults.FONT_OTHER, message, number, at, font.name)


@check("every glyph there", of=lambda document: document.texts)
def glyphs(document: PdfDocument) -> Iterator[Finding]:
    """Characters that have no glyph, or that somebody has put a replacement character for."""
    for page, item in document.texts:
        font, lacking = item.use.state.get("font"), item.use.lacking
        if font is not None and lacking:
            name = f"a character of {words}" if (words := shown(item.words)) else "a character"
            message = f"no glyph in {shown(font.name)} for {name}, and an empty box is printed"
            yield Finding(faults.GLYPH, message, page.number, corner(item.box), f"{font.name} {words}")
    for painted in document.painted:
        if REPLACEMENT not in painted.text.get_text_range():
            continue
        for item in painted.items:
            if item.kind == TEXT and item.visible and not item.use.lacking and REPLACEMENT in item.words:
                message = (
                    f"{REPLACEMENT} (U+FFFD) stands for a character that was lost in {shown(item.words)}"
                )
                yield Finding(faults.GLYPH, message, painted.of.number, corner(item.box), "lost")


def _sizes_seen(document: PdfDocument) -> str:
    sizes = [item.size for _, item in document.texts if item.on_sheet]
    return f"{min(sizes):.2f} pt" if sizes else ""


@check(
    "smallest type",
    asked=lambda expected: expected.smallest is not None,
    of=lambda document: document.texts,
    seen=_sizes_seen,
)
def small(document: PdfDocument) -> Iterator[Finding]:
    """Text that is smaller than the smallest size that was allowed."""
    expected = document.expected
    drawn = figures(document) if expected.drawn is not None else set()
    for page, item in document.texts:
        least = expected.smallest or 0.0
        if item.size < least - ROUNDING and drawn and (page.number, item.use.tag[1]) in drawn:
            least = expected.drawn or 0.0
        if item.size < least - ROUNDING and item.on_sheet and item.words:
            message = (
                f"{shown(item.words)} is set in {item.size:.2f} pt; the smallest allowed is {least:g} pt"
            )
            yield Finding(faults.SMALL, message, page.number, corner(item.box), f"{item.size:.1f}")


@check(
    "text off the trim",
    asked=lambda expected: expected.margin is not None,
    of=lambda document: document.texts,
    seen=lambda document: f"{document.expected.margin:g} mm",
)
def edges(document: PdfDocument) -> Iterator[Finding]:
    """Glyphs nearer to the trim than they may be. What lies beyond the bleed is the printer's own."""
    wanted = document.expected.margin or 0.0
    for page, item in document.texts:
        inset = partial(_inset, page.size)
        for box in _nearer(item, inset, wanted, page):
            have = inset(box)
            far = f"{have:.2f} mm inside the trim" if have >= 0 else "beyond the trim"
            message = f"{shown(item.words)} stands {far}; it has to be {wanted:g} mm inside"
            yield Finding(faults.EDGE, message, page.number, corner(box), item.words)


@check(
    "text off the folds",
    asked=lambda expected: any(expected.folds),
    of=lambda document: document.texts,
    seen=lambda document: f"{document.expected.off_fold:g} mm",
)
def folded(document: PdfDocument) -> Iterator[Finding]:
    """Glyphs nearer to a fold than they may be."""
    expected = document.expected
    for page, item in document.texts:
        for fold in expected.folds[(page.number - 1) % len(expected.folds)]:
            off = partial(_off, fold)
            for box in _nearer(item, off, expected.off_fold, page):
                message = f"{shown(item.words)} stands {max(off(box), 0.0):.2f} mm off the fold"
                message += f" at {fold:g} mm; it has to be {expected.off_fold:g} mm off"
                yield Finding(faults.FOLD, message, page.number, corner(box), f"{fold} {item.words}")


def _nearer(item: Item, distance: Callable[[Box], float], least: float, page: PdfPage) -> list[Box]:
    """The box of the first glyph that is nearer than it may be. Beyond the bleed the printer writes."""
    if item.box is None or distance(item.box) >= least - NEAR:
        return []
    boxes = (letter for letter in item.letters() if not apart(letter, page.bleed))
    return list(islice((box for box in boxes if distance(box) < least - NEAR), 1))


def belongs(font: PdfFont, families: frozenset[str]) -> bool:
    """Whether a font is of one of some families: by the family's name, or by one that begins like it."""
    own = {_plain(name) for name in font.families}
    return any(name == wanted or name.startswith(wanted) for wanted in map(_plain, families) for name in own)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _inset(size: tuple[float, float], box: Box) -> float:
    """Distance of a box from the nearest edge of the trim, in mm; negative where it reaches beyond."""
    return min(box[0], box[1], size[0] - box[2], size[1] - box[3])


def _off(fold: float, box: Box) -> float:
    """Distance of a box from a fold, in mm; negative where it lies across."""
    return max(box[0] - fold, fold - box[2])
