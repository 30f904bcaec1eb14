# A dataclass's fields are made by `key`, one for each field.
# ruff: noqa: RUF009
"""How a book's pages look: the part of rulebook.yml that says it."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.model.keys import key
from rulewright.source.text import Text


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
