"""What is checked of the text of a page: its fonts, its glyphs, its size and where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rulewright.model import faults
from rulewright.print.preflight.expected import Expected
from rulewright.print.preflight.findings import Finding
from rulewright.print.preflight.fonts import REPLACEMENT, Font
from rulewright.print.preflight.geometry import Box, Page
from rulewright.print.preflight.paint import Painting, Text
from rulewright.source.problems import shown

ROUNDING = 0.02
"""How many points text may be smaller than it should: sizes are written with few digits."""

NEAR = 0.02
"""How many mm text may be nearer an edge than it should, for the same reason."""


def fonts(paintings: Sequence[Painting], expected: Expected) -> Iterator[Finding]:
    """Fonts that are not embedded, cannot be read, or are not those that were asked for."""
    known: set[int] = set()
    for number, painting in enumerate(paintings, 1):
        for text in painting.texts:
            font = text.font
            if id(font) in known or not text.letters:
                continue
            known.add(id(font))
            at = _corner(text.box)
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


def glyphs(paintings: Sequence[Painting]) -> Iterator[Finding]:
    """Characters that have no glyph, or that somebody has put a replacement character for."""
    for number, painting in enumerate(paintings, 1):
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
                yield Finding(faults.GLYPH, message, number, _corner(letter.box or text.box), name)


def small(pages: Sequence[Page], paintings: Sequence[Painting], expected: Expected) -> Iterator[Finding]:
    for page, painting in zip(pages, paintings, strict=True):
        for text in painting.texts:
            least = expected.smallest
            beyond = text.box is None or _apart(text.box, page.bleed)  # where the printer writes, or nobody
            if least is not None and text.visible and not beyond and text.size < least - ROUNDING:
                message = (
                    f"{shown(text.words)} is set in {text.size:.2f} pt; the smallest allowed is {least:g} pt"
                )
                yield Finding(faults.SMALL, message, page.number, _corner(text.box), f"{text.size:.1f}")


def edges(pages: Sequence[Page], paintings: Sequence[Painting], expected: Expected) -> Iterator[Finding]:
    """Glyphs nearer to the trim than they may be. What lies beyond the bleed is the printer's own."""
    if expected.margin is None:
        return
    for page, painting in zip(pages, paintings, strict=True):
        width, height = page.size
        margin = expected.margin - NEAR
        for text in filter(seen, painting.texts):
            if text.box and _inset(text.box, width, height) >= margin:
                continue
            for letter in text.letters:
                box = letter.box
                if box is None or _apart(box, page.bleed) or (have := _inset(box, width, height)) >= margin:
                    continue
                far = f"{have:.2f} mm inside the trim" if have >= 0 else "beyond the trim"
                message = f"{shown(text.words)} stands {far}; it has to be {expected.margin:g} mm inside"
                yield Finding(faults.EDGE, message, page.number, _corner(box), text.words)
                break


def folded(pages: Sequence[Page], paintings: Sequence[Painting], expected: Expected) -> Iterator[Finding]:
    """Glyphs nearer to a fold than they may be."""
    for page, painting in zip(pages, paintings, strict=True):
        folds = expected.folds[(page.number - 1) % len(expected.folds)] if expected.folds else ()
        least = expected.off_fold - NEAR
        for fold in folds:
            for text in filter(seen, painting.texts):
                if text.box is None or _off(text.box, fold) >= least:
                    continue
                for letter in text.letters:
                    if (
                        letter.box is None
                        or _apart(letter.box, page.bleed)
                        or _off(letter.box, fold) >= least
                    ):
                        continue
                    have = max(_off(letter.box, fold), 0.0)
                    message = f"{shown(text.words)} stands {have:.2f} mm off the fold at {fold:g} mm"
                    message += f"; it has to be {expected.off_fold:g} mm off"
                    yield Finding(
                        faults.FOLD,
                        message,
                        page.number,
                        _corner(letter.box),
                        f"{fold} {text.words}",
                    )
                    break


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


def _corner(box: Box | None) -> tuple[float, float] | None:
    return box[:2] if box else None


def _inset(box: Box, width: float, height: float) -> float:
    """How far a box stays inside the trim, on the side where it is nearest to its edge."""
    return min(box[0], box[1], width - box[2], height - box[3])


def _off(box: Box, fold: float) -> float:
    """How far a box is from a fold; less than nothing where it lies across."""
    return max(box[0] - fold, fold - box[2])


def _apart(box: Box, other: Box) -> bool:
    return box[2] <= other[0] or box[0] >= other[2] or box[3] <= other[1] or box[1] >= other[3]
