"""Checks of the colours that a book declares for its players."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.citations.shelf import Shelf
from rulewright.model.colours import LEGIBLE, WHITE, colour, contrast, legible, written
from rulewright.source.problems import Problem, kind, shown

NO_COLOUR = kind("colour-malformed", "A colour in rulebook.yml is not written as #rrggbb.")
TOO_LIGHT = kind(
    "colour-too-light",
    "Words in a player's colour cannot be read on white: the contrast must be 4.5. A darker one is named.",
)


def colours(shelf: Shelf) -> Iterator[Problem]:
    """Colours that are none, and those in which nobody can read."""
    books = {id(outline.edition.book): outline.edition.book for outline in shelf.outlines.values()}
    for book in books.values():
        for name, who in (*book.roles.items(), *book.sides.items()):
            if who.colour is None:
                continue
            meant = colour(who.colour)
            if meant is None:
                message = f"{shown(who.colour)} is no colour; write it as #rrggbb, like #9b1c20"
                yield NO_COLOUR.at(who.colour.place, message, name)
            elif (ratio := contrast(meant, WHITE)) < LEGIBLE:
                # Rounded down: 4.49 is not 4.5.
                says = f"{who.colour} has a contrast of {int(ratio * 10) / 10} on white; words need {LEGIBLE}"
                message = f"{says}, as {written(legible(meant, WHITE))} has"
                yield TOO_LIGHT.at(who.colour.place, message, name)
