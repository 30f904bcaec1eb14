"""How a book looks: the part of rulebook.yml that says it, for its pages and for the printed rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.model.aid import SpotInk
from rulewright.model.keys import key, table
from rulewright.source.text import Text


@dataclass(frozen=True, slots=True, eq=False)
class BookLook:
    """How the printed rulebook looks. Whatever is left out is as the program has it."""

    type: Text | None = key("serif or sans: the type of its text; serif where left out.", words="types")
    columns: Text | None = key("How many columns of text a page has: 1, 2 or 3.", words="book columns")
    paper: Text | None = key("The paper: letter, a4, or two lengths such as 8 x 10 in.")
    chapters: Text | None = key(
        "Where a chapter begins: in the next `column`, or on a `page`; else behind the one before.",
        words="starts",
    )
    cover: Text | None = key("A picture beside this file that fills the cover.")
    bleed: Text | None = key("How far the cover and the tabs reach beyond the trim: 3 mm, 1/8 in, 0.")
    ink: Text | None = key("colour, or black for black alone.", words="ink")
    inks: Mapping[Text, SpotInk] = table(
        "The spot inks that it is printed with: `accent` for what has the accent's colour, `colour` for the "
        "cover's ground."
    )
    pdfx: Text | None = key("4 where the printer asks for PDF/X-4; it needs a profile.", words="pdfx")
    profile: Text | None = key("The ICC profile of the press, a file beside this one.")


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """How a book's pages look. Whatever is left out looks as the site does."""

    colour: Text | None = key(
        "The colour of the bar above the book's pages, as #rrggbb; words on it are white or black."
    )
    accent: Text | None = key(
        "The colour of references that are pointed at and of what is in focus, as #rrggbb, dark enough to be "
        "read on white; on a dark page it is lightened."
    )
    logo: Text | None = key("A picture beside this file that stands in the bar, in place of the site's own.")
    font: Text | None = key("The font of titles and headings: a .woff2 or .woff file beside this one.")
    book: BookLook | None = key("How the printed rulebook looks.")
