"""Reference found in a text, before it is resolved."""

from __future__ import annotations

from typing import NamedTuple

from rulewright.numbering.numbering_scheme import RuleNumber
from rulewright.numbering.reference_cues import CueStrength


class FoundReference(NamedTuple):
    """Number in a text with the evidence around it."""

    start: int
    end: int
    number: RuleNumber | None
    """None if an explicit mark contains no valid number, or a misformatted number is no rule."""

    cue: CueStrength = CueStrength.NONE
    ends_range: bool = False
    """Whether it ends a range that begins with the reference before it."""

    mark_span: tuple[int, int] | None = None
    """The span of a whole `[[…]]`; `book` and `label` are its parts."""

    book: str = ""
    label: str | None = None
    alternatives: tuple[RuleNumber, ...] = ()
    """Other possible meanings."""

    miswritten: bool = False
    """Whether it is not written as the book writes its numbers."""

    nearest: RuleNumber | None = None
    """The most similar number if a misformatted one is no rule."""

    suffixed: bool = False
    """Whether it is `nearest` with an unknown suffix."""
