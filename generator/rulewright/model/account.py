"""The account of numbers: how a number or a cue in a text may stand."""

from __future__ import annotations

LINKED, TOLD, DECLARED = "linked", "told", "declared no reference"
NONE, SILENT = "no reference", "not explained"

STATES = (LINKED, TOLD, DECLARED, NONE, SILENT)
