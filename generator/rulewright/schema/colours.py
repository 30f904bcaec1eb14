"""Colours that a book declares for its players, as `#rrggbb`, and their contrast.

https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio defines contrast, and requires 4.5 for text.
"""

from __future__ import annotations

import re
from functools import lru_cache

LEGIBLE = 4.5
WHITE = (255, 255, 255)
BLACK = (0, 0, 0)
LIGHT_PAGE = (243, 240, 232)
"""The darkest background of words on a light page: --rw-tint in rulewright.css."""

DARK_PAGE = (34, 38, 46)
"""The lightest background of words on a dark page: --rw-tint there."""

Colour = tuple[int, int, int]

COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


def colour(text: str) -> Colour | None:
    """Return the colour of a text such as `#9b1c20`, or None if it is invalid."""
    if not COLOUR.fullmatch(text):
        return None
    red, green, blue = bytes.fromhex(text[1:])
    return red, green, blue


def to_hex(value: Colour) -> str:
    return f"#{bytes(value).hex()}"


def to_cmyk(value: tuple[float, float, float], black: bool = False) -> tuple[float, ...]:
    """Return the CMYK amounts of a colour, 0 to 1. Grey, or with `black` every colour, becomes black only."""
    red, green, blue = value
    if black:
        return 0.0, 0.0, 0.0, round(1 - (0.2126 * red + 0.7152 * green + 0.0722 * blue), 3)
    key = 1 - max(value)
    if key >= 1:
        return 0.0, 0.0, 0.0, round(key, 3)
    # The other inks only take from the light that black leaves, so that a dark colour keeps its hue.
    return (*(round((1 - part - key) / (1 - key), 3) for part in value), round(key, 3))


def contrast(first: Colour, other: Colour) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    darker, lighter = sorted((_luminance(first), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(256)
def ensure_contrast(value: Colour, page: Colour) -> Colour:
    """Return the colour itself if words in it are legible on a page, else the nearest legible one."""
    end = max(BLACK, WHITE, key=lambda end: contrast(end, page))
    mixes = (mix(value, end, share) for share in range(101))
    return next(mix for mix in mixes if contrast(mix, page) >= LEGIBLE)


def mix(first: Colour, other: Colour, share: int) -> Colour:
    """Return a colour mixed with `share` percent of another."""
    red, green, blue = ((a * (100 - share) + b * share) // 100 for a, b in zip(first, other, strict=True))
    return red, green, blue


def _luminance(value: Colour) -> float:
    luminance = 0.0
    for part, weight in zip(value, (0.2126, 0.7152, 0.0722), strict=True):
        share = part / 255
        luminance += weight * (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)
    return luminance
