"""Checks of the text of a page: its fonts, its glyphs, its size and where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from rulewright.model import faults
from rulewright.print.preflight.check import Check, PdfDocument, collect, few
from rulewright.print.preflight.fonts import REPLACEMENT, Font
from rulewright.print.preflight.geometry import Box, PdfPage, corner
from rulewright.print.preflight.paint import Text
from rulewright.print.preflight.report import Finding
from rulewright.source.problems import shown

CHECKS: list[Check] = []
check = collect(CHECKS)

ROUNDING = 0.02
"""Tolerance for sizes of type, in points: they are written with few digits."""

NEAR = 0.02
"""Tolerance for the distance of text from an edge, in mm, for the same reason."""


def seen_texts_of(document: PdfDocument) -> list[Text]:
    """The texts of which something is to be seen."""
    return list(filter(seen, document.texts))


def _fonts_seen(document: PdfDocument) -> str:
    return few(sorted({text.font.name for text in document.texts}))


@check("fonts embedded", of=lambda document: document.texts, seen=_fonts_seen)
def fonts(document: PdfDocument) -> Iterator[Finding]:
    """Fonts that are not embedded, cannot be read, or are not those that were asked for."""
    expected = document.expected
    known: set[int] = set()
    for number, painting in enumerate(document.paintings, 1):
        for text in painting.texts:
            font = text.font
            if id(font) in known or not text.letters:
                continue
            known.add(id(font))
            at = corner(text.box)
            if not font.embedded:
                message = f"the font {shown(font.name)} is not embedded; export the PDF with all fonts in it"
                yield Finding(faults.FONT_ABSENT, message, number, at, font.name)
            if font.damaged:
                message = f"the font {shown(font.name)} is embedded but cannot be read"
                yield Finding(faults.DAMAGED, message, number, at, font.name)
            if expected.families is not None and text.visible and not belongs(font, expected.families):
                wanted = " or ".join(sorted(expected.families))
                message = f"{shown(text.words)} is set in {shown(font.name)}, not in {wanted}"
                yield Finding(faults.FONT_OTHER, message, number, at, font.name)


def _glyphs_seen(document: PdfDocument) -> str:
    return f"{sum(len(text.letters) for text in document.texts):,} glyphs"


@check("every glyph there", of=lambda document: document.texts, seen=_glyphs_seen)
def glyphs(document: PdfDocument) -> Iterator[Finding]:
    """Characters that have no glyph, or that somebody has put a replacement character for."""
    for number, painting in enumerate(document.paintings, 1):
        for text in painting.texts:
            if not text.visible:
                continue
            lacking = [
                one for one in text.letters if one.glyph.missing or REPLACEMENT in (one.glyph.text or "")
            ]
            words = shown(text.words) if lacking else ""
            for letter in lacking:
                name = _named(letter.glyph.text)
                message = f"no glyph in {shown(text.font.name)} for {name} in {words}"
                yield Finding(faults.GLYPH, message, number, corner(letter.box or text.box), name)


def _sizes_seen(document: PdfDocument) -> str:
    sizes = [text.size for text in seen_texts_of(document)]
    return f"{min(sizes):.2f} pt" if sizes else ""


@check(
    "smallest type", asked=lambda expected: expected.smallest is not None, of=seen_texts_of, seen=_sizes_seen
)
def small(document: PdfDocument) -> Iterator[Finding]:
    """Text that is smaller than the smallest size that was allowed."""
    for page, painting in document.painted:
        for text in painting.texts:
            least = document.expected.smallest
            beyond = text.box is None or _apart(text.box, page.bleed)  # where the printer writes, or nobody
            if least is not None and text.visible and not beyond and text.size < least - ROUNDING:
                message = (
                    f"{shown(text.words)} is set in {text.size:.2f} pt; the smallest allowed is {least:g} pt"
                )
                yield Finding(faults.SMALL, message, page.number, corner(text.box), f"{text.size:.1f}")


@check(
    "text off the trim",
    asked=lambda expected: expected.margin is not None,
    of=lambda document: document.texts,
    seen=lambda document: f"{document.expected.margin:g} mm",
)
def edges(document: PdfDocument) -> Iterator[Finding]:
    """Glyphs nearer to the trim than they may be. What lies beyond the bleed is the printer's own."""
    wanted = document.expected.margin or 0.0
    for page, painting in document.painted:
        inset = partial(_inset, page.size)
        for text in filter(seen, painting.texts):
            for box in _nearer(text, inset, wanted, page):
                have = inset(box)
                far = f"{have:.2f} mm inside the trim" if have >= 0 else "beyond the trim"
                message = f"{shown(text.words)} stands {far}; it has to be {wanted:g} mm inside"
                yield Finding(faults.EDGE, message, page.number, corner(box), text.words)


@check(
    "text off the folds",
    asked=lambda expected: expected.folds,
    of=lambda document: document.texts,
    seen=lambda document: f"{document.expected.off_fold:g} mm",
)
def folded(document: PdfDocument) -> Iterator[Finding]:
    """Glyphs nearer to a fold than they may be."""
    expected = document.expected
    for page, painting in document.painted:
        for fold in expected.folds[(page.number - 1) % len(expected.folds)]:
            off = partial(_off, fold)
            for text in filter(seen, painting.texts):
                for box in _nearer(text, off, expected.off_fold, page):
                    message = f"{shown(text.words)} stands {max(off(box), 0.0):.2f} mm off the fold"
                    message += f" at {fold:g} mm; it has to be {expected.off_fold:g} mm off"
                    yield Finding(faults.FOLD, message, page.number, corner(box), f"{fold} {text.words}")


def _nearer(text: Text, distance: Callable[[Box], float], least: float, page: PdfPage) -> list[Box]:
    """The box of the first glyph that is nearer than it may be. Beyond the bleed the printer writes."""
    if text.box is None or distance(text.box) >= least - NEAR:
        return []
    boxes = (letter.box for letter in text.letters if letter.box and not _apart(letter.box, page.bleed))
    return list(islice((box for box in boxes if distance(box) < least - NEAR), 1))


def seen(text: Text) -> bool:
    """Whether anything of a text is to be seen on the paper."""
    return text.visible and text.box is not None


def belongs(font: Font, families: frozenset[str]) -> bool:
    """Whether a font is of one of some families: by the family's name, or by one that begins like it."""
    own = {_plain(name) for name in font.families}
    return any(name == wanted or name.startswith(wanted) for wanted in map(_plain, families) for name in own)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _named(text: str | None) -> str:
    """A character as a message names it."""
    if not text:
        return "a character that says nothing of itself"
    return " ".join(f"{c} (U+{ord(c):04X})" if c.isprintable() else f"U+{ord(c):04X}" for c in text)


def _inset(size: tuple[float, float], box: Box) -> float:
    """Distance of a box from the nearest edge of the trim, in mm; negative where it reaches beyond."""
    return min(box[0], box[1], size[0] - box[2], size[1] - box[3])


def _off(fold: float, box: Box) -> float:
    """Distance of a box from a fold, in mm; negative where it lies across."""
    return max(box[0] - fold, fold - box[2])


def _apart(box: Box, other: Box) -> bool:
    return box[2] <= other[0] or box[0] >= other[2] or box[3] <= other[1] or box[1] >= other[3]
