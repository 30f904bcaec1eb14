"""Checks of the colours that a book declares for its players."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.citations.shelf import Shelf
from rulewright.model.colours import LEGIBLE, WHITE, colour, contrast, legible, written
from rulewright.source.problems import Problem, Severity, kind, shown
from rulewright.source.text import Text

NO_COLOUR = kind("colour-malformed", "A colour in rulebook.yml is not written as #rrggbb.", Severity.WARNING)
TOO_LIGHT = kind(
    "colour-too-light",
    "Words in a player's colour could not be read on white. They have the darker shade that is named.",
    Severity.NOTE,
)


def colours(shelf: Shelf) -> Iterator[Problem]:
    """Colours that are none, and those in which nobody can read."""
    for edition in shelf.of_each_book:
        for name, who in (*edition.book.roles.items(), *edition.book.sides.items()):
            if who.colour is not None:
                yield from malformed(who.colour, name)
                if message := too_light(who.colour):
                    yield TOO_LIGHT.at(who.colour.place, message, name)


def malformed(said: Text, about: str) -> Iterator[Problem]:
    """Report a colour that is none."""
    if colour(said) is None:
        message = f"{shown(said)} is no colour; write it as #rrggbb, like #37474f"
        yield NO_COLOUR.at(said.place, message, about)


def too_light(said: Text) -> str:
    """Fault of a colour in which nobody can read words on white; empty where it has none."""
    meant = colour(said)
    if meant is None or (ratio := contrast(meant, WHITE)) >= LEGIBLE:
        return ""
    # Rounded down: 4.49 is not 4.5.
    says = f"{said} has a contrast of {int(ratio * 10) / 10} on white and words need {LEGIBLE}"
    return f"{says}; they have {written(legible(meant, WHITE))} instead"
