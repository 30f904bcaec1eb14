"""Inks of the house style, and the date of a PDF."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulewright.book.library import Edition
from rulewright.schema.colours import WHITE, Colour, colour, ensure_contrast, to_cmyk
from rulewright.schema.rulebook import Rulebook

HOUSE, ACCENT = (47, 58, 82), (158, 74, 24)
"""Colours of a book that declares none."""

_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


def house_palette(book: Rulebook, *, is_black: bool) -> dict[str, list[float]]:
    """Return the two inks of a book: the colour of its `look:`, and its accent, else the same colour."""
    if is_black:
        return {"house": [0, 0, 0, 1], "accent": [0, 0, 0, 1]}
    look = book.look
    house = colour(look.colour) if look and look.colour else None
    accent = colour(look.accent) if look and look.accent else None
    return {"house": legible_inks(house or accent or HOUSE), "accent": legible_inks(accent or ACCENT)}


def role_inks(colours: Mapping[str, tuple[str, str]]) -> dict[str, list[float]]:
    """Return the inks of sides and roles by style, from their colours on a light and on a dark page."""
    inks: dict[str, list[float]] = {}
    for style, (on_light, _) in colours.items():
        if value := colour(on_light):
            inks[style] = legible_inks(value)
    return inks


def legible_inks(value: Colour) -> list[float]:
    """Return a colour in inks, so dark that words in it are legible on white."""
    red, green, blue = (part / 255 for part in ensure_contrast(value, WHITE))
    return list(to_cmyk((red, green, blue)))


def print_date(amended: str, edition: Edition) -> dict[str, int] | None:
    """Return the date of a PDF: of its newest erratum, else of its edition."""
    match = _DATE.match(amended) or _DATE.match(str(edition.edition_file.date or ""))
    return dict(zip(("year", "month", "day"), map(int, match.groups()), strict=True)) if match else None
