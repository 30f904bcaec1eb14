"""Make the typefaces of print, `templates/print/fonts/`, from the complete faces of IBM Plex as woff2.

    python tools/print_fonts.py FOLDER

FOLDER has IBMPlexSansCondensed-*.woff2, IBMPlexSerif-*.woff2, and DejaVuSans.ttf and DejaVuSans-Bold.ttf for
other signs.

They have names of their own, since the licences keep theirs, one family each as Typst takes them, no
instructions for screens, and the signs of lists that Plex lacks.
"""

import math
import sys
from pathlib import Path

from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FOLDER = Path(__file__).parent.parent / "templates/print/fonts"
FAMILIES = {"IBMPlexSansCondensed": "Rulewright Sans", "IBMPlexSerif": "Rulewright Serif"}
STYLES = {
    "Regular": 400, "Italic": 400, "SemiBold": 600, "SemiBoldItalic": 600, "Bold": 700, "BoldItalic": 700,
}  # fmt: skip
WANTED = {"IBMPlexSansCondensed": tuple(STYLES), "IBMPlexSerif": tuple(STYLES)[:4]}
CIRCLES = {"◦": (150, 95), "○": (270, 205), "●": (270, 0)}
"""Signs that are circles: radius, and that of the hole."""
CORNERS = {
    "▪": ((-1, -1), (-1, 1), (1, 1), (1, -1)),
    "■": ((-2, -2), (-2, 2), (2, 2), (2, -2)),
    "◆": ((-2.4, 0), (0, 2.4), (2.4, 0), (0, -2.4)),
    "▲": ((-2.2, -2), (0, 2), (2.2, -2)),
    "▼": ((-2.2, 2), (2.2, 2), (0, -2)),
    "▶": ((-2, -2.2), (-2, 2.2), (2, 0)),
    "‣": ((-1.2, -1.6), (-1.2, 1.6), (1.6, 0)),
    "★": tuple(
        ((2.8, 1.1)[n % 2] * math.sin(n * math.pi / 5), (2.8, 1.1)[n % 2] * math.cos(n * math.pi / 5))
        for n in range(10)
    ),
}
"""Other signs by their corners, in units of 125 around the middle of capitals."""

SIGNS = (
    (0x2070, 0x209F), (0x2100, 0x23FF), (0x2460, 0x27BF), (0x27F0, 0x27FF), (0x2B00, 0x2B5F),
)  # fmt: skip
"""Superscripts, letterlike signs, arrows, figures in circles, boxes, suits, dice faces, hexes."""
CORNERED = {"「": "⌜", "」": "⌟", "『": "⌈", "』": "⌋", "〈": "⟨", "〉": "⟩", "《": "«", "》": "»"}
"""Brackets of East Asia, by the signs that stand for them."""


def main(source: Path) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for family, styles in WANTED.items():
        for style in styles:
            font = TTFont(source / f"{family}-{style}.woff2")
            font.flavor = None
            set_names(font, FAMILIES[family], style)
            for table in ("fpgm", "prep", "cvt ", "hdmx", "VDMX", "LTSH", "gasp", "DSIG"):
                if table in font:
                    del font[table]
            signs(font)
            for glyph in font["glyf"].glyphs.values():
                glyph.expand(font["glyf"])
                glyph.removeHinting()
            font.save(FOLDER / f"{FAMILIES[family].replace(' ', '')}-{style}.ttf")
    for style, name in (("Regular", "DejaVuSans"), ("Bold", "DejaVuSans-Bold")):
        font = TTFont(source / f"{name}.ttf", recalcTimestamp=False)
        for table in font["cmap"].tables:
            if table.isUnicode():
                table.cmap |= {
                    ord(sign): table.cmap[ord(like)]
                    for sign, like in CORNERED.items()
                    if ord(like) in table.cmap
                }
        options = Options(hinting=False, layout_features=[], name_IDs=["*"], notdef_outline=True)
        subset = Subsetter(options)
        of_signs = [code for first, last in SIGNS for code in range(first, last + 1)]
        subset.populate(unicodes=[*of_signs, *map(ord, CORNERED)])
        subset.subset(font)
        set_names(font, "Rulewright Signs", style)
        font.save(FOLDER / f"RulewrightSigns-{style}.ttf")


def set_names(font: TTFont, family: str, style: str) -> None:
    """Put a font into a family whose styles differ only by weight and slope."""
    names = font["name"]
    name_ids = {0, 5, 8, 9, 11, 13, 14}
    names.names = [record for record in names.names if record.platformID == 3 and record.nameID in name_ids]
    full = f"{family} {style}"
    for number, text in ((1, family), (2, style), (3, full), (4, full), (6, full.replace(" ", "-"))):
        names.setName(text, number, 3, 1, 0x409)
    font["OS/2"].usWidthClass, font["OS/2"].usWeightClass = 5, STYLES[style]
    font["head"].modified = font["head"].created


def signs(font: TTFont) -> None:
    """Add the signs that the face lacks."""
    present, glyf, metrics = font.getBestCmap(), font["glyf"], font["hmtx"].metrics
    middle = font["OS/2"].sCapHeight / 2
    for sign in {**CIRCLES, **CORNERS}:
        if ord(sign) in present:
            continue
        pen = TTGlyphPen(None)
        if sign in CIRCLES:
            outer, hole = CIRCLES[sign]
            wide = 2 * outer + 120
            circle(pen, wide / 2, middle, outer)
            if hole:
                circle(pen, wide / 2, middle, -hole)
        else:
            wide = 2 * 125 * max(abs(x) for x, _ in CORNERS[sign]) + 120
            points = [(round(wide / 2 + 125 * x), round(middle + 125 * y)) for x, y in CORNERS[sign]]
            pen.moveTo(points[0])
            for point in points[1:]:
                pen.lineTo(point)
            pen.closePath()
        name = f"uni{ord(sign):04X}"
        font.setGlyphOrder([*font.getGlyphOrder(), name])
        glyf[name] = pen.glyph()
        metrics[name] = (round(wide), 60)
        for table in font["cmap"].tables:
            if table.isUnicode():
                table.cmap[ord(sign)] = name


def circle(pen: TTGlyphPen, x: float, y: float, radius: float) -> None:
    """A circle of eight quadratic curves; one with a negative radius runs the other way round."""
    turn, size = (-1, radius) if radius > 0 else (1, -radius)

    def spot(eighths: float, far: float) -> tuple[int, int]:
        angle = turn * eighths * math.pi / 8
        return round(x + far * math.cos(angle)), round(y + far * math.sin(angle))

    pen.moveTo(spot(0, size))
    for eighth in range(8):
        pen.qCurveTo(spot(2 * eighth + 1, size / math.cos(math.pi / 8)), spot(2 * eighth + 2, size))
    pen.closePath()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
