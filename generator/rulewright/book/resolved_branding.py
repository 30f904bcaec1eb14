"""Branding of a book's pages: the declared colours, logo and font, resolved for a style sheet."""

from __future__ import annotations

import posixpath
from colorsys import hls_to_rgb
from dataclasses import dataclass
from hashlib import sha256

from rulewright.book.library import Edition
from rulewright.files.content_folder import CONTENT
from rulewright.files.located_text import LocatedText
from rulewright.schema.branding import Branding, PrintBranding
from rulewright.schema.colours import (
    BLACK,
    DARK_PAGE,
    LIGHT_PAGE,
    WHITE,
    Colour,
    colour,
    contrast,
    ensure_contrast,
    mix,
    to_hex,
)
from rulewright.schema.paper import Paper, parse_paper

FONTS = {".woff2": "woff2", ".woff": "woff"}
"""Font formats that all browsers support, by file ending."""

LOGOS = (".svg", ".png", ".webp", ".jpg", ".jpeg", ".gif")
COVERS = (".png", ".jpg", ".jpeg", ".svg", ".webp")

INKED = ("accent", "colour")
"""Colours of a printed book that can have spot inks."""

_STRONG = 8.0
"""Contrast with white of a default colour; it leaves room for lines and fainter words."""

_SMALLEST, _LARGEST = 90.0, 600.0
"""How short and how long the sides of a book's pages can be, in mm."""


@dataclass(frozen=True, slots=True)
class ResolvedBranding:
    """Branding of a book; empty values take those of the site."""

    bar: str = ""
    words: str = ""
    """Colour of words on the bar."""
    tone: str = ""
    """Colour of lines on the bar."""
    accent: str = ""
    """Accent on a light page."""
    dark_accent: str = ""
    logo: str = ""
    """Path from the root of the site, like that of the font."""
    font: str = ""
    format: str = ""


def resolve_branding(edition: Edition) -> ResolvedBranding:
    """Resolve the branding of a book; invalid values are ignored, and every book has a colour."""
    look = edition.book.look or Branding()
    bar = (colour(look.colour) if look.colour else None) or default_colour(str(edition.book.title))
    words = text_colour_on(bar)
    accent = colour(look.accent) if look.accent else None
    tone = ensure_contrast(accent, bar) if accent else mix(bar, words, 66)
    font = file_of(look.font) if look.font else ""
    return ResolvedBranding(
        bar=to_hex(bar),
        words=to_hex(words),
        tone=to_hex(tone),
        accent=to_hex(ensure_contrast(accent, LIGHT_PAGE)) if accent else "",
        dark_accent=to_hex(ensure_contrast(accent, DARK_PAGE)) if accent else "",
        logo=_site_path(file_of(look.logo), edition) if look.logo else "",
        font=_site_path(font, edition),
        format=FONTS.get(posixpath.splitext(font)[1].lower(), ""),
    )


def default_colour(title: str) -> Colour:
    """Return the dark colour of a book that declares none: a hue computed from its title, for white words."""
    hue = sha256(title.encode()).digest()[0] / 256
    red, green, blue = (round(part * 255) for part in hls_to_rgb(hue, 0.32, 0.38))
    shades = (mix((red, green, blue), BLACK, share) for share in range(101))
    return next(shade for shade in shades if contrast(shade, WHITE) >= _STRONG)


def book_paper(look: PrintBranding | None) -> Paper | None:
    """Return the paper that a rulebook declares; None if it does not suit a book."""
    paper = parse_paper(look.paper) if look and look.paper else None
    fits = paper and all(_SMALLEST <= side <= _LARGEST for side in (paper.width, paper.height))
    return paper if fits else None


def text_colour_on(ground: Colour) -> Colour:
    """Return white or black, whichever has more contrast."""
    return max(WHITE, BLACK, key=lambda candidate: contrast(candidate, ground))


def file_of(name: LocatedText) -> str:
    """Return the name in the content folder of a file that is named relative to the file with the text."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name.file.name), name))


def _site_path(name: str, edition: Edition) -> str:
    return name.removeprefix(f"{CONTENT}/") if name in edition.shared else ""
