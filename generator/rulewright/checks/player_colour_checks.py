"""Checks of the colours of players."""

from __future__ import annotations

from rulewright.checks.check_visitor import Problems, Scope, check
from rulewright.files.located_text import LocatedText
from rulewright.files.problems import Severity, problem_type, quote_short
from rulewright.schema.colours import LEGIBLE, WHITE, colour, contrast, ensure_contrast, to_hex
from rulewright.schema.rulebook import Rulebook

NO_COLOUR = problem_type(
    "colour-malformed", "A colour in rulebook.yml is not written as #rrggbb.", Severity.WARNING
)
TOO_LIGHT = problem_type(
    "colour-too-light",
    "Words in a player's colour could not be read on white. They have the darker shade that is named.",
    Severity.NOTE,
)


@check(Rulebook, NO_COLOUR, TOO_LIGHT)
def check_player_colours(book: Rulebook, _: Scope) -> Problems:
    """Report invalid colours, and those with too little contrast."""
    for name, player in (*book.roles.items(), *book.sides.items()):
        if player.colour is not None:
            yield from colour_problem(player.colour, name)
            if message := contrast_problem(player.colour):
                yield TOO_LIGHT.problem(player.colour, message, name)


def colour_problem(colour_text: LocatedText, about: str) -> Problems:
    """Report an invalid colour."""
    if colour(colour_text) is None:
        message = f"{quote_short(colour_text)} is no colour; write it as #rrggbb, like #37474f"
        yield NO_COLOUR.problem(colour_text, message, about)


def contrast_problem(colour_text: LocatedText) -> str:
    """Return the message for a colour that is too light for words on white, else an empty string."""
    text_colour = colour(colour_text)
    if text_colour is None or (ratio := contrast(text_colour, WHITE)) >= LEGIBLE:
        return ""
    # Rounded down: 4.49 is not 4.5.
    says = f"{colour_text} has a contrast of {int(ratio * 10) / 10} on white and words need {LEGIBLE}"
    return f"{says}; they have {to_hex(ensure_contrast(text_colour, WHITE))} instead"
