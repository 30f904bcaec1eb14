"""The account of numbers: how each one in the texts of a book stands."""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """Standing of a number or a cue of a text."""

    LINKED = "linked"
    TOLD = "told"
    DECLARED = "declared no reference"
    NONE = "no reference"
    SILENT = "not explained"
