"""How a book looks: the part of rulebook.yml that says it, for its pages and for the printed rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.model.aid import SpotInk
from rulewright.model.yaml_fields import field_key, mapping_field
from rulewright.source.located_text import LocatedText


@dataclass(frozen=True, slots=True, eq=False)
class PrintBranding:
    """How the printed rulebook looks. Whatever is left out is as the program has it."""

    type: LocatedText | None = field_key(
        "serif or sans: the type of its text; serif where left out.", words="types"
    )
    columns: LocatedText | None = field_key(
        "How many columns of text a page has: 1, 2 or 3.", words="book columns"
    )
    paper: LocatedText | None = field_key("The paper: letter, a4, or two lengths such as 8 x 10 in.")
    chapters: LocatedText | None = field_key(
        "Where a chapter begins: in the next `column`, or on a `page`; else behind the one before.",
        words="starts",
    )
    cover: LocatedText | None = field_key("A picture beside this file that fills the cover.")
    bleed: LocatedText | None = field_key(
        "How far the cover and the tabs reach beyond the trim: 3 mm, 1/8 in, 0."
    )
    ink: LocatedText | None = field_key("colour, or black for black alone.", words="ink")
    inks: Mapping[LocatedText, SpotInk] = mapping_field(
        "The spot inks that it is printed with: `accent` for what has the accent's colour, `colour` for the "
        "cover's ground."
    )


@dataclass(frozen=True, slots=True, eq=False)
class Branding:
    """How a book's pages look. Whatever is left out looks as the site does."""

    colour: LocatedText | None = field_key(
        "The colour of the bar above the book's pages, as #rrggbb; words on it are white or black."
    )
    accent: LocatedText | None = field_key(
        "The colour of references that are pointed at and of what is in focus, as #rrggbb, dark enough to be "
        "read on white; on a dark page it is lightened."
    )
    logo: LocatedText | None = field_key(
        "A picture beside this file that stands in the bar, in place of the site's own."
    )
    font: LocatedText | None = field_key(
        "The font of titles and headings: a .woff2 or .woff file beside this one."
    )
    book: PrintBranding | None = field_key("How the printed rulebook looks.")
