"""Branding of a book in rulebook.yml, for its pages and its printed rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.files.located_text import LocatedText
from rulewright.schema.aid import SpotInk
from rulewright.schema.yaml_fields import OptionalText, field_key, mapping_field


@dataclass(frozen=True, slots=True, eq=False)
class PrintBranding:
    """Branding of the printed rulebook; keys left out have the program's defaults."""

    type: OptionalText = field_key(
        "The typeface of its text: serif or sans; serif if left out.", words="types", example="sans"
    )
    columns: OptionalText = field_key(
        "The number of columns of text on a page: 1, 2 or 3.", words="book columns", example='"2"'
    )
    paper: OptionalText = field_key("The paper: letter, a4, or two lengths such as 8 x 10 in.", example="a4")
    chapters: OptionalText = field_key(
        "Where a chapter begins: in the next `column` or on a new `page`; directly after the last if "
        "left out.",
        words="starts",
        example="page",
    )
    cover: OptionalText = field_key("A picture beside this file that fills the cover.", example="cover.svg")
    bleed: OptionalText = field_key(
        "How far the cover and the tabs extend beyond the trim: 3 mm, 1/8 in, 0.", example="3 mm"
    )
    ink: OptionalText = field_key("colour, or black for black only.", words="ink", example="black")
    inks: Mapping[LocatedText, SpotInk] = mapping_field(
        "Its spot inks: `accent` for everything in the accent colour, `colour` for the cover's background.",
        example="{accent: {name: PANTONE 291 C, cmyk: [40, 10, 0, 0]}}",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Branding:
    """Branding of a book's pages; keys left out have the site's values."""

    colour: OptionalText = field_key(
        "The colour of the bar above the book's pages, as #rrggbb; words on it are white or black.",
        colour=True,
        example='"#1d4d4f"',
    )
    accent: OptionalText = field_key(
        "The colour of hovered references and focused elements, as #rrggbb, dark enough to be "
        "legible on white; it is lightened on dark pages.",
        colour=True,
        example='"#8a4b00"',
    )
    logo: OptionalText = field_key(
        "A picture beside this file that replaces the site's logo in the bar.", example="logo.svg"
    )
    font: OptionalText = field_key(
        "The font of titles and headings: a .woff2 or .woff file beside this one.", example="title.woff2"
    )
    book: PrintBranding | None = field_key("The branding of the printed rulebook.", example="{columns: 2}")
