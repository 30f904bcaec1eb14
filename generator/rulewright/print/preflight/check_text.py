"""Checks of the text of a page: its fonts, its glyphs, its size and where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from rulewright.model import faults
from rulewright.print.preflight.check_reading import figures
from rulewright.print.preflight.examined_pdf import PdfDocument, check, few
from rulewright.print.preflight.fonts import PdfFont
from rulewright.print.preflight.geometry import Box, apart, overlap
from rulewright.print.preflight.pdfium import Item
from rulewright.print.preflight.preflight_report import Finding
from rulewright.source.problems import shown

ROUNDING = 0.02
"""Tolerance for sizes of type, in points: they are written with few digits."""

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

NEAR = 0.02
"""Tolerance for the distance of text from an edge, in mm, for the same reason."""

SOME, HALF = 0.02, 0.5
"""How much of a text may lie on another before their letters are looked at, and how much of a letter."""


def _fonts_seen(document: PdfDocument) -> str:
    return few(sorted({font.name for font in document.fonts}))


@check("fonts embedded", of=lambda document: document.fonts, seen=_fonts_seen)
def fonts(document: PdfDocument) -> Iterator[Finding]:
    """Fonts that are not embedded, cannot be read, or are not those that were asked for."""
    families = document.expected.families
    first = dict[PdfFont, Item]()
    for item in (item for painted in document.painted for item in painted.items):
        if (font := item.font) is not None:
            first.setdefault(font, item)
    for font, item in first.items():
        if not font.embedded:
            message = f"the font {shown(font.name)} is not embedded; export the PDF with all fonts in it"
            yield item.fault(faults.FONT_ABSENT, message, font.name)
        if font.program is None:
            message = f"the font {shown(font.name)} is embedded but cannot be read"
            yield item.fault(faults.DAMAGED, message, font.name)
        if families is not None and item.visible and not _belongs(font, families):
            message = (
                f"{shown(item.words)} is set in {shown(font.name)}, not in {' or '.join(sorted(families))}"
            )
            yield item.fault(faults.FONT_OTHER, message, font.name)


def _belongs(font: PdfFont, families: frozenset[str]) -> bool:
    """Whether a font is of one of some families: by the family's name, or by one that begins like it."""
    own, wanted = (
        {re.sub(r"[^a-z0-9]", "", name.lower()) for name in names} for names in (font.families, families)
    )
    return any(name.startswith(one) for one in wanted for name in own)


@check("every glyph there", of=lambda document: document.texts)
def glyphs(document: PdfDocument) -> Iterator[Finding]:
    """Characters that have no glyph, or that somebody has put a replacement character for."""
    doubtful = document.painted if any(font.replaces for font in document.fonts) else ()
    lost = {painted.of.number for painted in doubtful if REPLACEMENT in painted.text.get_text_range()}
    for item in document.texts:
        font = item.font
        if font is not None and item.use.lacking:
            name = f"a character of {words}" if (words := shown(item.words)) else "a character"
            message = f"no glyph in {shown(font.name)} for {name}, and an empty box is printed"
            yield item.fault(faults.GLYPH, message, f"{font.name} {words}")
        elif item.page.of.number in lost and REPLACEMENT in (words := item.words):
            message = f"{REPLACEMENT} (U+FFFD) stands for a character that was lost in {shown(words)}"
            yield item.fault(faults.GLYPH, message, "lost")


def _sizes_seen(document: PdfDocument) -> str:
    sizes = [item.size for item in document.texts if item.on_sheet]
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
    wanted = expected.smallest or 0.0
    found = [item for item in document.texts if item.size < wanted - ROUNDING and item.on_sheet]
    drawn = figures(document) if found and expected.drawn is not None else set()
    for item in found:
        is_drawn = (item.page.of.number, item.use.tag[1]) in drawn
        least = expected.drawn or 0.0 if is_drawn else wanted
        if item.size < least - ROUNDING and (words := item.words):
            message = f"{shown(words)} is set in {item.size:.2f} pt; the smallest allowed is {least:g} pt"
            yield item.fault(faults.SMALL, message, f"{item.size:.1f}")


@check("no text on text", of=lambda document: document.texts)
def overlapping(document: PdfDocument) -> Iterator[Finding]:
    """Texts of which some letters lie on those of another. A stamp across the page is an artifact."""
    lines: list[Item] = []
    order = ((item.page.of.number, item.box[1], item) for item in document.texts if item.box)
    for number, top, item in sorted(order, key=lambda one: one[:2]):
        lines = [one for one in lines if one.page.of.number == number and one.box and one.box[3] > top]
        for one in () if item.use.tag[0] or not item.on_sheet else lines:
            if _shared(one.box, item.box) > SOME and item.words not in ("", one.words) and _hides(one, item):
                message = f"{shown(item.words)} lies on {shown(one.words)}; part or shorten one of them"
                yield item.fault(faults.OVERLAP, message, item.words)
        if not item.use.tag[0] and item.on_sheet:
            lines.append(item)


def _hides(one: Item, other: Item) -> bool:
    """Whether at least two letters of two texts lie on one another."""
    pairs = ((a, b) for a in one.letters() for b in [*other.letters()] if _shared(a, b) > HALF)
    return sum(1 for _ in islice(pairs, 2)) == 2


def _shared(one: Box | None, other: Box | None) -> float:
    """The area that two boxes share, as a part of the smaller one."""
    if not one or not other or apart(one, other):
        return 0.0
    both = overlap(one, other)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (both, one, other) if box]
    return areas[0] / max(min(areas[1:]), 1e-9)


@check(
    "text off the trim",
    asked=lambda expected: expected.margin is not None,
    of=lambda document: document.texts,
    seen=lambda document: f"{document.expected.margin:g} mm",
)
def edges(document: PdfDocument) -> Iterator[Finding]:
    """Glyphs nearer to the trim than they may be. What lies beyond the bleed is the printer's own."""
    wanted = document.expected.margin or 0.0
    for item in document.texts:
        for box, have in _nearer(item, wanted, partial(_inset, item.page.of.size)):
            far = f"{have:.2f} mm inside the trim" if have >= 0 else "beyond the trim"
            message = f"{shown(item.words)} stands {far}; it has to be {wanted:g} mm inside"
            yield item.fault(faults.EDGE, message, item.words, box)


@check(
    "text off the folds",
    asked=lambda expected: any(expected.folds),
    of=lambda document: document.texts,
    seen=lambda document: f"{document.expected.off_fold:g} mm",
)
def folded(document: PdfDocument) -> Iterator[Finding]:
    """Glyphs nearer to a fold than they may be."""
    folds, wanted = document.expected.folds, document.expected.off_fold
    for item in document.texts:
        for fold in folds[(item.page.of.number - 1) % len(folds)]:
            for box, have in _nearer(item, wanted, partial(_off, fold)):
                message = f"{shown(item.words)} stands {max(have, 0.0):.2f} mm off the fold"
                message += f" at {fold:g} mm; it has to be {wanted:g} mm off"
                yield item.fault(faults.FOLD, message, f"{fold} {item.words}", box)


def _inset(size: tuple[float, float], box: Box) -> float:
    return min(box[0], box[1], size[0] - box[2], size[1] - box[3])


def _off(fold: float, box: Box) -> float:
    return max(box[0] - fold, fold - box[2])


def _nearer(item: Item, least: float, distance: Callable[[Box], float]) -> Iterator[tuple[Box, float]]:
    """The first glyph that is nearer than it may be, and how near. Beyond the bleed the printer writes."""
    if item.box is not None and distance(item.box) < least - NEAR:
        for box in item.letters():
            if distance(box) < least - NEAR and not apart(box, item.page.of.bleed):
                yield box, distance(box)
                return
