"""How a picture or a drawing stands in its column, as figures, diagrams and blocks of an aid say it."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.model.keys import key
from rulewright.source.problems import Severity, kind
from rulewright.source.text import Text

NO_SIDE = kind(
    "width-malformed",
    "The width or the height of a picture is neither pixels, 120, nor percent, 50%.",
    Severity.WARNING,
)
NO_SIDE_SAID = "is no {} of a picture; write pixels, such as 120, or percent, such as 50%"


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A picture or a drawing in a column: its width and its place."""

    width: Text | None = key("How wide it is, in pixels, or in percent of the column.", width=True)
    place: Text | None = key("Where it stands: left, right or centre.", words="place")
